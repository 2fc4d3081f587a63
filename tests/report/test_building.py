"""The report: whole, standing alone, and the same from the same records."""

from html.parser import HTMLParser
from xml.etree import ElementTree

import pandas as pd
import pytest

import nqbench
from nqbench import analysis
from nqbench.report import plots, style
from nqbench.report.building import contents

PLOTS = {"time", "nodes", "work", "rate", "cython", "mirror", "levels"}
TABLES = {"algorithms", "verification", "counters", "times", "left_out", "rates", "cython",
          "mirror", "levels", "errata"}


@pytest.fixture(scope="module")
def reports(records, tmp_path_factory):
    out = tmp_path_factory.mktemp("reports")
    made = nqbench.report.build(records, out)
    assert made[0] == out / "index.html"
    return out


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [value for name, value in attrs
                       if name in ("href", "src", "xlink:href") and value]


def test_every_table_and_plot_is_there_and_nothing_else(reports):
    expected = {"index.html"} | {f"{p}.{k}" for p in PLOTS for k in ("svg", "png")} | {
        f"{t}.{k}" for t in TABLES for k in ("csv", "md")}
    assert {path.name for path in reports.iterdir()} == expected


def test_the_same_records_make_the_same_bytes(records, reports, tmp_path):
    nqbench.report.build(records, tmp_path)
    for path in reports.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_page_stands_alone(reports):
    text = (reports / "index.html").read_text("utf-8")
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        assert link.startswith("#") or (reports / link).exists(), link
        if link.startswith("#"):
            assert link[1:] in page.ids, link
    assert "<script" not in text
    assert "2,057" in text or "153" in text


def test_plots_are_drawings_with_text(reports):
    for name in PLOTS:
        root = ElementTree.parse(reports / f"{name}.svg").getroot()
        texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
        assert len(texts) > 5, name
        assert (reports / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_tables_hold_the_exact_counts(reports):
    counters = pd.read_csv(reports / "counters.csv")
    row = counters[(counters["algorithm"] == "probe_stack") & (counters["n"] == 6)].iloc[0]
    assert (row["nodes"], row["tests"], row["scans"], row["comparisons"]) == (153, 894, 1708, 5957)
    checks = pd.read_csv(reports / "verification.csv")
    assert set(checks["status"]) == {"ok"}
    markdown = (reports / "counters.md").read_text("utf-8")
    assert markdown.startswith("| algorithm")
    assert "5,957" in markdown


def test_every_algorithm_has_a_colour_and_a_marker_of_its_own():
    pairs = {(style.COLOUR[n], style.MARKER[n]) for n in style.COLOUR}
    assert len(pairs) == len(set(style.COLOUR.values())) == 16


def test_algorithms_with_one_tree_share_a_line(records):
    made = contents(analysis.load(records))
    groups = [set(members) for members, _ in plots.same_lines(
        analysis.pruning(made.counters), "nodes")]
    assert {"marks_mirror", "somers"} in groups
    assert {"bitmask_even_mirror"} in groups
    assert len(groups) == 3


def test_the_mirror_halves_the_nodes(records):
    gains = contents(analysis.load(records)).tables["mirror"]
    rows = gains[(gains["mirrored"] == "somers") & (gains["n"] == 6)]
    assert set(rows["nodes"]) == {153 / 77}


def test_without_measurements_there_is_nothing_to_report(tmp_path):
    with pytest.raises(ValueError, match="run `nqbench study` first"):
        nqbench.report.build(tmp_path / "none", tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="run `nqbench study` first"):
        nqbench.report.build(tmp_path / "empty", tmp_path / "out")
    assert not (tmp_path / "out").exists()

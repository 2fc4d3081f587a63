"""External text is always shown as text, everywhere on the page."""

import csv
import re
import warnings
from xml.etree import ElementTree

import pandas as pd
import pytest
from kept import Page, draw_only, few, peer, write

import nqbench
from nqbench.report.formats import to_markdown
from nqbench.report.page import SCRIPTS
from nqbench.util.text import printable

pytestmark = pytest.mark.slow

HOSTILE = ("<script>alert(1)</script> $\\foo$ $x^{$ | a\\|b \\ `c` ``` *d* [e](javascript:f) "
           "![g](h) \"' onload=i --> ]]> </svg></figure></style> {{ 7*7 }} {% j %} %s ../../k &amp;"
           "\r\n\0\x1b[31m\x7f\u202e\u2028\ud800\ufffe \U0001f451")
SHOWN = printable(HOSTILE)
@pytest.fixture(scope="module")
def reports(records, tmp_path_factory):
    """A report whose machine, versions, commits, files and peers are hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    study = few(records)
    context = {key: HOSTILE if isinstance(value, str) else value
               for key, value in study[0]["context"].items()} | {"commit": HOSTILE}
    for line in study:
        line["context"] = context
        line["preset"] = HOSTILE
        if line["metric"] == "check":
            line["answered_by"] = [HOSTILE]
            line["sequence"] += HOSTILE
        if line.get("data_set") == "hardest":
            line["data_set"] = HOSTILE
        if line["metric"] == "rate" and line["algorithm"] == "fast":
            line["algorithm"] += ":" + HOSTILE
    first = study[0]
    gone = {"samples": [], "loops": None, "solutions": None}
    study += [
        peer(first), peer(first, peer=HOSTILE, package=HOSTILE, version=HOSTILE),
        peer(first, peer=HOSTILE + "2", **gone, status="failed", fault=HOSTILE * 1000),
        peer(first, peer=HOSTILE + "3", **gone, version=None, status="not installed")]
    write(folder, study)
    out = tmp_path_factory.mktemp("out") / "reports"
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # the font has no crown
        draw_only(patch, "sudoku", "peers")
        nqbench.report.build(folder, out)
    return out


def test_the_page_shows_it_as_text(reports):
    text = (reports / "index.html").read_text("utf-8")
    page = Page(text)
    drawings = page.attributes.count(("class", "ways"))
    assert page.tags.count("script") == 1 + len(SCRIPTS) + drawings  # the recordings, and ours
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert not [value for _, value in page.attributes if (value or "").startswith("javascript:")]
    assert re.search("[\0-\x08\x0b-\x1f\x7f\u202a-\u202e\u2028\ufffe]", text) is None
    shown = "\n".join(page.texts)
    for text in (SHOWN, "{{ 7*7 }}"):
        assert text in shown


def test_drawings_are_whole_and_show_it_as_text(reports):
    texts = {path.name: {text.text for text in ElementTree.parse(path).iter(
        "{http://www.w3.org/2000/svg}text")} for path in reports.glob("*.svg")}
    for name in ("sudoku.svg", "peers.svg", "sudoku_difficulty.svg"):
        assert any("<script>alert(1)</script> $" in (text or "") for text in texts[name]), name


def test_rows_of_tables_stay_rows(reports):
    for path in reports.glob("*.md"):
        head, rule, *rows = path.read_text("utf-8").rstrip("\n").split("\n")
        bars = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in (head, rule, *rows)}
        assert len(bars) == 1, path.name
        assert all(line.startswith("|") for line in rows), path.name
    for path in reports.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            assert len({len(row) for row in csv.reader(file)}) <= 1, path.name


def test_files_stay_in_their_folder(reports):
    assert [path.name for path in reports.parent.iterdir()] == ["reports"]
    assert all(re.fullmatch(r"[\w.-]+", path.name, re.ASCII) for path in reports.iterdir())


def test_a_text_without_end_is_cut(reports):
    assert pd.read_csv(reports / "peers.csv")["fault"].str.len().max() == 300


def test_markdown_shows_markup_as_it_stands():
    table = pd.DataFrame({"a|b": ["<b>", "`c` [d](e) *f* \\", "g|h", "_name_ 1 < 2"]})
    assert [line.strip("| ") for line in to_markdown(table).splitlines()[2:]] == [
        "&lt;b&gt;", r"\`c\` \[d](e) \*f\* \\", r"g\|h", "_name_ 1 &lt; 2"]
    assert to_markdown(table).startswith(r"| a\|b")

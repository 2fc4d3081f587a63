"""The report: whole, standing alone, and the same from the same records."""

import json
import re

import pandas as pd
import pytest
from kept import Page, lines, page, read, write

import nqbench
from nqbench.problems.queens import NAMES
from nqbench.report import style
from nqbench.report.builder import write_tables
from nqbench.report.page import SCRIPTS

pytestmark = pytest.mark.slow

PLOTS = {"time", "nodes", "work", "rate", "gains",
         "profiles", "symmetry", "estimates", "sudoku",
         "sudoku_difficulty", "squares_tried", "steps", "exact_levels", "verification"}
TABLES = {"algorithms", "verification", "counters", "times", "left_out", "rates",
          "errata", "gains", "survival", "symmetry", "estimates",
          "sudoku", "sudoku_difficulty", "exact_trees", "exact_levels",
          "level_times", "rules",
          "first_solutions", "first_columns", "steps"}
OWN_SCRIPTS = ['<script type="application/json" id="recordings">', *["<script>" for _ in SCRIPTS]]


def scripts(text):
    return re.findall("<script[^>]*>", text)


def test_every_table_and_plot_is_there_and_nothing_else(reports):
    expected = {f"{p}.svg" for p in PLOTS} | {
        f"{t}.{k}" for t in TABLES for k in ("csv", "md")}
    assert {path.name for path in reports.iterdir()} == expected | {"index.html", "SHA256SUMS"}


def test_the_page_stands_alone(reports):
    text = (reports / "index.html").read_text("utf-8")
    found = Page(text)
    assert len(found.ids) == len(set(found.ids))
    for link in found.links:
        assert link.startswith("#") or (reports / link).exists(), link
        if link.startswith("#"):
            assert link[1:] in found.ids, link
    drawings = '<script type="text/plain" class="ways">'
    assert [tag for tag in scripts(text) if tag != drawings] == OWN_SCRIPTS
    assert "<td>bitmask_even_mirror</td>" in text


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
    assert len({style.look_of(name)[:2] for name in NAMES}) == len(NAMES)


LARGE = 234_907_967_154_122_528  # Q(27), which a browser's number would make ...536


@pytest.mark.thorough
def test_counts_beyond_2_to_53_are_text_on_the_page(records, tmp_path):
    study = lines(records)
    large = {"solutions": LARGE, **dict.fromkeys(("levels", "dead_levels"), [1] * 27 + [LARGE]),
             **dict.fromkeys(("nodes", "dead_ends"), 27 + LARGE)}
    more = [line | {"n": 27, "samples": [large[line["metric"]]] if line["metric"] in large else
                    line["samples"]}
            for line in study if line["n"] == 8 and line["metric"] not in ("check", "estimate")
            and line.get("algorithm") in ("bitmask_even_mirror", "somers")]
    check = next(line for line in study if line["metric"] == "check")
    more.append(check | {"sequence": "A000170", "n": 27, "expected": LARGE, "got": LARGE})
    write(tmp_path, study + more)
    made = read(tmp_path)
    text = page(made)
    write_tables(made, tmp_path)
    assert f"<td>{LARGE}</td><td>{LARGE}</td>" in text.replace(' class="number"', "")
    assert str(float(LARGE)) not in text
    for data in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL):
        numbers = []
        json.loads(data, parse_int=lambda digits, numbers=numbers: numbers.append(int(digits)))
        assert max(map(abs, numbers), default=0) < 2**53
    for name, shown in (("counters", f"{LARGE:,}"), ("survival", f"{LARGE:,}")):
        assert shown in (tmp_path / f"{name}.md").read_text("utf-8")
        assert str(LARGE) in (tmp_path / f"{name}.csv").read_text("utf-8")


@pytest.mark.thorough
@pytest.mark.parametrize("largest", [4, 5])
def test_a_small_run_is_enough_for_every_section(records, tmp_path, largest):
    write(tmp_path, [line for line in lines(records) if line["n"] <= largest])
    made = read(tmp_path)
    assert set(made.figures) == PLOTS - {"sudoku", "sudoku_difficulty"}  # puzzles are of n = 9
    for draw in made.figures.values():
        draw().draw_without_rendering()
    assert page(made)


def test_without_measurements_there_is_nothing_to_report(tmp_path):
    with pytest.raises(ValueError, match="run `nqbench study` first"):
        nqbench.report.build(tmp_path / "none", tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="run `nqbench study` first"):
        nqbench.report.build(tmp_path / "empty", tmp_path / "out")
    assert not (tmp_path / "out").exists()

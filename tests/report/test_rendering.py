"""The text of each section, for all kinds of records."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest
from examples import of_study, point
from kept import facts, few, lines, only, page, read, said, said_of, sampled, write

from nqbench.analysis import descriptions, timings
from nqbench.report.frames import Taken
from nqbench.report.sections import sections


def test_of_equal_samples_none_is_called_faster(records, tmp_path):
    write(tmp_path, [sampled(line, [0.5] * 5) if line["metric"] == "seconds"
                     and line["status"] == "measured" else line for line in few(records)])
    made = read(tmp_path)
    assert all(lead.doubtful for lead in facts(made, "time").common.leads)
    text = said(made, "header") + said(made, "time")
    assert text.count("but the difference is not significant (95 %: 1 to 1).") == 2
    assert text.count("(not significantly faster than ") == 2


@pytest.mark.thorough
def test_whether_the_counts_are_right_is_said_of_what_was_checked(records, tmp_path):
    study = lines(records)
    unchecked = [line | {"status": "left out", "got": None, "answered_by": []}
                 if line["metric"] == "check" and line["n"] > 5 else line for line in study]
    write(tmp_path, unchecked)
    assert facts(read(tmp_path), "verification").check_n == 5
    none = [line | {"status": "left out", "got": None, "answered_by": []}
            if line["metric"] == "check" else line for line in study]
    write(tmp_path, none)
    text = said(tmp_path, "header")
    assert 'class="ok">published values confirmed' not in text
    assert "this page does not say whether the counts are right" in text


def test_totals_beside_the_times_are_compared_with_the_published_ones(records):
    found = facts(made := read(records), "verification")
    assert found.counted == sum(line["metric"] == "solutions" for line in lines(records)) > 0
    assert made.wrong == []


@pytest.mark.thorough
def test_records_without_preset_and_budget_are_enough(records, tmp_path):
    write(tmp_path, [{name: value for name, value in line.items()
                      if name not in ("preset", "budget")} for line in few(records)])
    text = page(tmp_path)
    assert "<pre>nqbench study\nnqbench report</pre>" in text
    assert "None" not in re.sub("<script.*?</script>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("method", [
    "knuth", pytest.param("stratified", marks=pytest.mark.thorough)])
def test_estimates_by_one_method_are_enough_and_small_trees_are_shown_too(
        records, tmp_path, method):
    write(tmp_path, [line for line in only(records, "estimate")
                     if line["method"] == method and line["n"] <= 20])
    text = said(tmp_path, "estimates")
    assert ("by the method of Knuth (1975)" in text) == (method == "knuth")
    assert ("by that of Chen (1992)" in text) == (method == "stratified")
    assert ("nqbench count 20 --estimate --probes 64 --seed 1 --method knuth" in text) == (
        method == "knuth")


@pytest.mark.thorough
def test_trees_that_are_equal_only_on_small_boards_are_not_called_so(records, tmp_path):
    write(tmp_path, [line for line in lines(records) if line["n"] <= 4])
    same = facts(read(tmp_path), "nodes").same_tree
    assert {"bitmask", "threads", "middle_first"} < set(same)
    assert not {"fewest_first", "dancing_links", "somers"} & set(same)


@pytest.mark.thorough
def test_a_run_of_single_rounds_is_shown_without_intervals(records, tmp_path):
    write(tmp_path, [sampled(line, line["samples"][:1]) if line["metric"] == "seconds"
                     else line for line in few(records) if not line.get("process")])
    text = page(tmp_path)
    assert "times are of 1 sample from 1 process," in text
    assert "times the time in a single sample" in text
    assert "not significant (" not in text
    assert not re.search(r"\bnan\b", text)


def test_the_slowest_is_compared_with_the_fastest_in_its_language():
    run = of_study(*(point(name, factor=factor, implementation=way) for name, way, factor in (
        ("cross", "cython", 1e-3), ("recursive", "cython", 4.0), ("bitmask", "python", 0.5),
        ("recursive", "python", 2.0), ("brute_force", "python", 9.0))))
    made = sections()["time"].part(SimpleNamespace(
        timings=timings(run), taken=Taken(5, 5), descriptions=descriptions(run)))
    found = made.facts
    assert [(each.algorithm, each.implementation) for each in (
        found.common.first, found.common.first_in_python, found.slowest)] == [
            ("cross", "cython"), ("bitmask", "python"), ("brute_force", "python")]
    assert made.finding == (
        "At n = 8 the fastest search in Python takes 500 ms, the slowest 9 s")


def test_samples_that_other_programs_disturbed_are_not_called_too_few():
    run = of_study(*([{**point(name, factor=factor)[0], "disturbed": 5}]
                     for name, factor in (("bitmask", 0.5), ("recursive", 2.0))))
    text = said_of("time", SimpleNamespace(
        timings=timings(run), taken=Taken(5, 5), descriptions=descriptions(run)))
    assert "with 4 times the time in samples that other programs disturbed (95 %: 4 to 4)" in text
    assert "single sample" not in text


@pytest.mark.thorough
def test_a_closer_study_of_pruning_is_shown_in_its_section_and_named_there(records, tmp_path):
    study = few(records)
    closer = [line | {"run": "2999-01-01T00:00:00.000+00:00", "preset": "pruning"}
              for line in study if line["metric"] not in ("check", "rate")]
    write(tmp_path, study + closer)
    made = read(tmp_path)
    assert [name for name in made.parts if made.source(name)] == ["pruning"]
    text = page(made)
    assert text.count("From <code>nqbench study --preset pruning") == 1
    assert ('of <span title="2999-01-01T00:00:00.000+00:00">2999-01-01</span> on the same machine'
            in text)


def test_symmetry_is_shown_where_n_is_even_and_nothing_that_was_not_measured(records, tmp_path):
    write(tmp_path, [line for line in few(records) if line["n"] <= 7
                     and line["metric"] not in ("check", "estimate")])
    made = read(tmp_path)
    assert facts(made, "symmetry").n == 6
    assert not {"sudoku", "estimates"} & {*made.parts, *made.tables, *made.figures}


def test_the_page_says_which_puzzles_were_permuted(records, tmp_path):
    assert "were permuted at random (seed 0), so that" in said(records, "sudoku")
    assert "solved as given" not in said(records, "sudoku")
    rates = only(records, "rate")
    older = [{name: value for name, value in line.items() if name not in ("permuted", "seed")}
             for line in rates]
    write(tmp_path, [line for line in older if line["data_set"] != "top95"] + [
        line for line in rates if line["data_set"] == "top95"])
    text = said(tmp_path, "sudoku")
    assert "The puzzles of top95 were permuted at random (seed 0)" in text
    assert "those of easy50, hardest, diabolical were solved as given." in text
    write(tmp_path, older)
    assert "permuted" not in said(tmp_path, "sudoku")


def test_the_page_says_how_many_intervals_hold_the_published_value(records, reports):
    made = facts(read(records), "estimates")
    table = pd.read_csv(reports / "estimates.csv")
    known = table[table["known"].notna()]
    held = (known["low"] <= known["known"]) & (known["known"] <= known["high"])
    assert (made.intervals, made.covered) == (len(known), held.sum())
    assert 0.85 * len(known) < made.covered <= len(known)
    text = (reports / "index.html").read_text("utf-8")
    assert f"{held.sum()} of the {len(known)} intervals" in text

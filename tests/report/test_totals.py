"""A wrong total appears in red at the top and in the tables, and changes the exit status."""

import json
import re
from functools import cache

import pytest
from kept import facts, few, lines, of_preset, page, peer, read, said, write

import nqbench
from nqbench.report import building
from nqbench.report.building import write_tables
from nqbench.report.rendering import UNDRAWN
from nqbench.report.totals import MOST_NAMED
from nqbench.study.experiments.checks import Checks
from nqbench.study.presets import PRESETS
from nqbench.study.session import Session
from nqbench.verification import Check, Mismatch


def shows(text, *words):
    return all(word in " ".join(text.split()) for word in words)


@pytest.fixture
def two_wrong(records, tmp_path):
    """A folder in which two solvers counted one too many for n = 8."""
    chosen = {("recursive", "python"), ("somers", "cython")}
    folder = tmp_path / "results"
    folder.mkdir()
    write(folder, [line | {"samples": [93]} if line["metric"] == "solutions" and line["n"] == 8
                   and (line["algorithm"], line["implementation"]) in chosen else line
                   for line in few(records)])
    return folder


NAMES = ["recursive (python) counted 93 instead of 92 at n = 8",
         "somers (cython) counted 93 instead of 92 at n = 8"]


def test_solver_n_expected_and_actual_stand_in_red_at_the_top(two_wrong):
    header = said(two_wrong, "header")
    (box,) = re.findall('<div class="wrong" role="alert">(.*?)</div>', header, re.DOTALL)
    assert re.findall("<li>(.*?)</li>", box) == NAMES
    assert "2 of our totals are wrong" in box
    assert "published values confirmed" not in header
    assert '<span class="bad"><b>No:</b> 2 totals are wrong' in header


def test_they_stand_in_red_in_the_table_of_verification(two_wrong):
    text = said(two_wrong, "verification")
    rows = re.findall('<tr class="bad">(.*?)</tr>', text)
    assert [re.findall("<td[^>]*>(.*?)</td>", row) for row in rows] == [
        [solver, "A000170", "8", "92", "93", "differs"]
        for solver in ("recursive (python)", "somers (cython)")]
    assert "counts correctly" not in text


def test_they_are_the_first_rows_of_the_files(two_wrong, tmp_path):
    (out := tmp_path / "out").mkdir()
    write_tables(read(two_wrong), out)
    assert (out / "verification.csv").read_text("utf-8").splitlines()[1:3] == [
        f"A000170,8,92,93,differs,1,{solver}" for solver in ("recursive (python)",
                                                            "somers (cython)")]
    for kind in ("md", "tex"):
        assert (out / f"verification.{kind}").read_text("utf-8").count("differs") == 2


def test_the_command_writes_the_page_names_them_and_exits_with_1(
        run, two_wrong, tmp_path, no_plots, monkeypatch):
    monkeypatch.setattr("nqbench.report.building.read", cache(building.read))
    monkeypatch.setattr("nqbench.report.read", building.read)
    words = ("report", "--results", two_wrong, "--out", tmp_path / "out")
    status, out, err = run(*words)
    assert (status, err) == (1, f"nqbench: 2 wrong totals: {'; '.join(NAMES)}\n")
    assert 'class="wrong"' in (tmp_path / "out" / "index.html").read_text("utf-8")
    assert out.startswith(f"{len(list((tmp_path / 'out').iterdir()))} files in ")
    status, out, err = run(*words, "--json")
    found = json.loads(out)
    assert (status, found["ok"]) == (1, False)
    assert found["wrong"][0] == {"solver": "recursive (python)", "n": 8, "sequence": "A000170",
                                 "expected": "92", "actual": "93"}
    status, out, err = run(*words, "--check")
    assert (status, err) == (1, f"nqbench: 2 wrong totals: {'; '.join(NAMES)}\n")
    with pytest.warns(UserWarning, match=r"2 wrong totals: recursive \(python\) counted 93"):
        nqbench.report.build(two_wrong, tmp_path / "out")


@pytest.fixture
def no_plots(monkeypatch):
    """Write no plots, which take most of the time and do not depend on whether a total is right."""
    monkeypatch.setattr("nqbench.report.building.draw", lambda made, *_: dict.fromkeys(
        made.figures, UNDRAWN))


def test_the_command_exits_with_0_where_all_totals_are_right(run, records, tmp_path, no_plots):
    status, out, err = run("report", "--results", records, "--out", tmp_path, "--json")
    found = json.loads(out)
    assert (status, err, found["ok"], found["wrong"]) == (0, "", True, [])
    assert 'class="wrong"' not in (tmp_path / "index.html").read_text("utf-8")


def test_a_check_that_differs_is_one_of_them(records, tmp_path):
    study = few(records)
    check = next(line for line in study if line.get("sequence") == "A002562" and line["n"] == 6)
    write(tmp_path, [line | {"status": "differs", "got": 7, "answered_by": ["a", "b", "c", "d"]}
                     if line is check else line for line in study])
    made = read(tmp_path)
    assert list(map(str, made.wrong)) == [
        "one of a, b, c and 1 more counted 7 instead of 1 of A002562 at n = 6"]
    text = page(made)
    assert shows(text, "1 of our totals is wrong", "one of a, b, c and 1 more counted 7 instead of")
    assert made.tables["verification"]["answered_by"].iloc[0] == "a, b, c, d"


def test_a_check_names_each_solver_that_was_wrong(records, tmp_path):
    write(tmp_path, [line | {"status": "differs", "got": 7, "answered_by": ["a", "b", "c"],
                             "wrong": {"b": 7, "c": 5}}
                     if line.get("sequence") == "A002562" and line["n"] == 6 else line
                     for line in few(records)])
    assert list(map(str, read(tmp_path).wrong)) == [
        "b counted 7 instead of 1 of A002562 at n = 6",
        "c counted 5 instead of 1 of A002562 at n = 6"]


def test_a_study_records_who_answered_a_check_wrongly():
    check = Check("A000170", 8, 92, {"good": 92, "bad": 93},
                  mismatches=[Mismatch("bad", 92, 93)])
    session = Session("quick", PRESETS["quick"])
    assert Checks(session).record(check)["wrong"] == {"bad": 93}


@pytest.mark.parametrize("name", ["pruning", "symmetry", "engine"])
def test_every_run_that_is_shown_is_compared_not_only_the_newest(records, tmp_path, name):
    study = few(records)
    older = [line | {"run": "1999-01-01T00:00:00.000+00:00"} | (
        {"samples": [725]} if line["metric"] == "solutions" and line["n"] == 8
        and line["algorithm"] == "somers" else {})
             for line in of_preset(name, study) if line["metric"] != "check"]
    write(tmp_path, [*study, *older])
    made = read(tmp_path)
    assert made.machine["run"] == study[0]["run"]
    assert {(one.solver.partition(" ")[0], one.actual) for one in made.wrong} == {
        ("somers", "725")}


def test_our_own_searches_among_the_peers_are_compared_too(records, tmp_path):
    first = lines(records)[0]
    theirs = {"peer": "clingo", "package": "clingo", "solutions": 91}
    write(tmp_path, [peer(first, n=4, solutions=2), peer(first, solutions=91),
                     peer(first, **theirs), peer(
                         first, n=4, **theirs | {"solutions": 3}, status="failed", samples=[],
                         loops=None, fault="counted 3 instead of 2")])
    made = read(tmp_path)
    assert list(map(str, made.wrong)) == ["cross (Cython) counted 91 instead of 92 at n = 8"]
    text = said(made, "peers")
    assert '<p class="bad">clingo failed at n = 8: counted 91 instead of 92.</p>' in text or (
        '<p class="bad">clingo failed at n = 4: counted 3 instead of 2.</p>' in text)
    assert set(made.tables["peers"].query("n == 8")["status"]) == {"failed"}


def test_a_peer_that_is_wrong_fails_in_its_section_and_not_the_command(records, tmp_path):
    first = lines(records)[0]
    write(tmp_path, [peer(first), peer(first, peer="clingo", package="clingo", solutions=91)])
    made = read(tmp_path)
    assert made.wrong == []
    assert '<p class="bad">clingo failed at n = 8: counted 91 instead of 92.</p>' in said(
        made, "peers")


def test_of_many_the_first_are_named_at_the_top_and_all_in_their_section(records, tmp_path):
    write(tmp_path, [line | {"samples": [10**6]} if line["metric"] == "solutions" else line
                     for line in few(records)])
    made = read(tmp_path)
    counted = facts(made, "verification").counted
    assert len(made.wrong) == counted
    header = said(made, "header")
    assert header.count("<li>") - header.count('<li><a href="#') == MOST_NAMED + 1
    assert f"and {counted - MOST_NAMED} more" in header
    assert said(made, "verification").count('<tr class="bad">') == counted

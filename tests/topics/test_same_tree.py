"""Solvers on the same tree: Gecode, Choco and ours have the same nodes and failures, a study
records them, and the page shows times where they agree, else the first difference.
"""

from dataclasses import replace
from functools import partial
from itertools import combinations
from types import SimpleNamespace

import faulty
import pytest
from conftest import SOLUTIONS, measured
from kept import said_of
from matchings import all_different

import nqbench
from nqbench.analysis import interval
from nqbench.cli import study as command
from nqbench.errors import InvalidValueError, PluginError
from nqbench.problems.instances import Board, find
from nqbench.problems.plugins.programs import Counted
from nqbench.records.descriptions import presets
from nqbench.records.record import join, parse, to_line
from nqbench.study import frame
from nqbench.topics.peers import same_tree as measurement
from nqbench.topics.peers import section_same_tree as section

# Nodes and failures for n = 4 to 10 of Gecode 6.2.0 (Debian's minizinc 2.6.4), and backtracks and
# fails of Choco 6.0.2 (pychoco 0.4.0): they are the same.
RECORDED = {
    "value": {4: (11, 4), 5: (27, 4), 6: (79, 36), 7: (223, 72), 8: (831, 324), 9: (3283, 1290),
              10: (13331, 5942)},
    "bounds": {4: (11, 4), 5: (27, 4), 6: (71, 32), 7: (219, 70), 8: (791, 304), 9: (3091, 1194),
               10: (12157, 5355)},
    "domain": {4: (11, 4), 5: (27, 4), 6: (67, 30), 7: (203, 62), 8: (761, 289), 9: (2897, 1097),
               10: (11221, 4887)},
}
SIZES = range(4, 11)
EXPLORE = [pytest.param(measurement.explore_gecode, marks=pytest.mark.needs("Gecode")),
           pytest.param(measurement.explore_choco, marks=pytest.mark.needs("pychoco"))]


def counters(found):
    return found.counters["nodes"], found.counters["failures"]


@pytest.mark.slow
@pytest.mark.parametrize("level", RECORDED)
@pytest.mark.parametrize("explore", EXPLORE)
def test_a_solver_explores_the_recorded_tree(explore, level):
    for n in SIZES:
        found = explore(level, n)
        assert (found, *counters(found)) == (SOLUTIONS[n], *RECORDED[level][n]), n
        assert found.seconds > 0


@pytest.mark.parametrize("n", SIZES)
def test_our_equivalent_explores_the_same_tree(n):
    found = measurement.explore_ours(n)
    assert (found, *counters(found)) == (SOLUTIONS[n], *RECORDED["value"][n])


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8, *(pytest.param(n, marks=pytest.mark.thorough)
                                                for n in (9, 10))])
def test_a_search_with_matchings_explores_the_tree_of_domain_consistency(n):
    tally = all_different.profile(Board(n))
    failures = tally.tests - (tally.nodes - 1) + tally.counters()["refuted"]
    assert (2 * (failures + SOLUTIONS[n]) - 1, failures) == RECORDED["domain"][n]
    assert tally.solutions == SOLUTIONS[n]


@pytest.mark.needs("pychoco")
def test_the_failures_before_each_solution_are_those_of_choco():
    """With the nodes alone, two trees could differ: these depend on the solutions and failures."""
    from pychoco import Model

    model, n = Model(), 7
    queens = [model.intvar(0, n - 1) for _ in range(n)]
    for row, other in combinations(range(n), 2):
        for distance in (0, other - row, row - other):
            model.arithm(queens[row], "!=", queens[other], "+", distance).post()
    solver = model.get_solver()
    solver.set_input_order_lb_search(*queens)
    theirs = []
    while solver.solve():
        theirs.append((solver.get_fail_count(), tuple(queen.get_value() for queen in queens)))
    search = find("single_squares")
    tally = search.tally(Board(n))
    ours = [(tally.tests - (tally.nodes - 1), columns)
            for columns in search.python.follow(Board(n), tally)]
    assert ours == theirs
    assert len(ours) == SOLUTIONS[n]


def test_what_is_not_installed_is_named_with_its_package(monkeypatch):
    monkeypatch.setattr(measurement, "which", lambda name: None)
    monkeypatch.setattr(measurement, "find_gecode", measurement.find_gecode.__wrapped__)
    monkeypatch.setitem(measurement.PACKAGES, "Choco", "no-such-package")
    with pytest.raises(InvalidValueError, match="same_tree needs Gecode, which is in minizinc of "
                       "Debian, or Choco, which is in pychoco of PyPI"):
        nqbench.study.run("same_tree")


@pytest.mark.needs("Gecode")
def test_what_gecode_refuses_is_a_fault(monkeypatch):
    monkeypatch.setattr(measurement, "write_model", lambda level, n: "constraint no_such();\n")
    with pytest.raises(PluginError, match=r"^Gecode did not finish: "):
        measurement.explore_gecode("value", 4)


def test_another_tree_than_before_is_a_fault():
    turns = measurement.TreeTurns(measurement.SameTree.find_contenders()[0], 6, 0.0)
    turns.require_right(Counted(4, 1.0, {"nodes": 79, "failures": 36}))
    turns.require_right(Counted(4, 2.0, {"nodes": 79, "failures": 36}))
    with pytest.raises(PluginError, match=r"'nodes': 81.* after .*'nodes': 79"):
        turns.require_right(Counted(4, 1.0, {"nodes": 81, "failures": 37}))
    with pytest.raises(PluginError, match="counted 3 instead of 4"):
        turns.require_right(Counted(3, 1.0, {"nodes": 79, "failures": 36}))


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """The records of a study of ours, of a solver that agrees, of one that does not, and of one
    that is not installed.
    """
    ours, theirs, *_ = measurement.SameTree.find_contenders()
    fakes = [ours, *(
        replace(theirs, name=name, version=version, count=partial(faulty.fails_more, more))
        for name, version, more in (("Gecode (value)", "6.2.0", 0),
                                    ("Choco (value)", "0.4.0", 1)))]
    fakes.append(replace(theirs, name="Gecode (bounds)", version=None, level="bounds"))
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measurement.SameTree, "find_contenders", lambda self: fakes)
        patch.setattr(measurement, "find_gecode", lambda: "6.2.0")
        patch.setitem(presets(), "same_tree", {
            "budget": 60, "n": "4,6", "samples": 2, "experiments": ["same_tree"], "processes": 2})
        nqbench.study.run("same_tree", results=folder)
    return measured(folder)


@pytest.mark.slow
@pytest.mark.thorough
def test_a_study_records_trees_and_times(records):
    assert [parse(to_line(record)) for record in records] == [(record, "") for record in records]
    for name, value in (("nodes", None), ("failures", -1), ("propagation", "some")):
        assert name in parse(to_line({**records[0], name: value}))[1]
    found = {(record["peer"], record["n"]): record for record in join(records)}
    assert len(found) == 8
    ours = found["nqbench (value)", 6]
    assert (ours["nodes"], ours["failures"], ours["propagation"]) == (79, 36, "value")
    assert (len(ours["samples"]), ours["status"], ours["loops"]) == (4, "measured", 1)
    absent = found["Gecode (bounds)", 6]
    assert (absent["status"], absent["nodes"], absent["propagation"]) == (
        "not installed", None, "bounds")


@pytest.mark.slow
def test_a_study_says_how_to_install_what_is_absent(records, capsys):
    told = command.summarise(join(records))
    command.print_summary(told | {"results": "results", "seconds": 1.0})
    assert "not installed: Gecode (bounds); apt install minizinc\n" in capsys.readouterr().err


def row(solver, n=8, level="value", seconds=0.00831, **more):
    nodes, failures = RECORDED[level][n]
    return {"metric": "same_tree", "status": "measured", "run": "1", "time": "1", "schema": 1,
            "preset": "same_tree", "n": n,
            "context": {"machine": "aaaa0000", "commit": None, "dirty": False},
            "peer": f"{solver} ({level})", "package": measurement.PACKAGES.get(solver, "nqbench"),
            "version": "1.0", "propagation": level, "solutions": SOLUTIONS[n], "nodes": nodes,
            "failures": failures, "fault": None, "processes": 1, "loops": 1,
            "samples": [seconds, seconds, 2 * seconds], **more}


BOTH = [row(solver, n) for n in (6, 8) for solver in ("nqbench", "Gecode", "Choco")]
DOCTORED = [{**each, "failures": 35} if (each["peer"], each["n"]) == ("Choco (value)", 6) else each
            for each in BOTH]


def trees(rows):
    return section.same_trees(frame(rows)).set_index(["solver", "n"])


def test_where_the_trees_agree_there_are_seconds_per_node():
    found = trees(BOTH)
    assert set(found["agree"]) == {"yes"}
    assert found.loc[("Gecode", 8), "seconds_per_node"] == pytest.approx(2 ** (1 / 3) * 1e-5)
    assert found.loc[("Gecode", 8), "high"] == pytest.approx(interval([1e-5, 1e-5, 2e-5])[1])
    assert found.loc[("Choco", 8), "node"] == "backtracks"


def test_the_first_difference_stands_in_place_of_the_times():
    found = trees(DOCTORED)
    assert set(found.loc["Choco", "agree"]) == {"n = 6: 35 failures, not 36"}
    assert found.loc["Choco", ["seconds_per_node", "low", "high"]].isna().all(axis=None)
    assert set(found.loc["Gecode", "agree"]) == set(found.loc["nqbench", "agree"]) == {"yes"}
    assert found.loc[["Gecode", "nqbench"], "seconds_per_node"].notna().all()


@pytest.mark.parametrize(("rows", "agree"), [
    ([row("Gecode", level="bounds"), row("Choco", level="bounds", nodes=793)],
     ["no: Choco (bounds)", "n = 8: 793 nodes, not 791"]),
    ([row("Gecode"), row("Choco", level="domain")], ["nothing to compare with"] * 2)])
def test_without_ours_the_solvers_of_a_level_are_compared_with_each_other(rows, agree):
    found = trees(rows)
    assert list(found["agree"]) == agree
    assert found["seconds_per_node"].isna().all()


def said(rows):
    frames = SimpleNamespace(records=frame(rows), machine={"machine": "aaaa0000", "run": "1"})
    return " ".join(said_of("same_tree", frames).split())


def test_the_page_says_that_they_agree_or_shows_the_first_difference():
    agree, differ = said(BOTH), said(DOCTORED)
    assert "The nodes and failures of nqbench, Gecode and Choco agree to the digit" in agree
    assert "10 µs" in agree
    assert "n = 6: 35 failures, not 36" in differ
    assert "to the digit" not in differ


def test_the_page_names_what_is_absent_and_what_failed():
    gone = {"samples": [], "solutions": None, "nodes": None, "failures": None}
    absent = row("Gecode", level="domain", status="not installed", **gone)
    failed = row("Choco", level="domain", status="failed", **gone | {"fault": "no <memory>"})
    text = said([*BOTH, absent, failed])
    assert "Not installed: Gecode (minizinc of Debian).</p>" in text
    assert "Not installed: Gecode (minizinc of Debian).</p>" in said([absent])
    assert '<p class="bad">Choco (domain) failed at n = 8: no &lt;memory&gt;.</p>' in text


def test_without_records_there_is_no_section():
    assert section.make_same_tree(SimpleNamespace(
        records=frame([{**BOTH[0], "metric": "peer"}]), machine={"machine": "cccc2222"})) is None


@pytest.mark.parametrize(("printed", "version"), [
    ('[{"id": "other"}, {"id": "org.gecode.gecode", "version": "6.3"}]', "6.3"), ("[]", None),
    ("", None), ("Segmentation fault", None)])
def test_the_version_of_gecode_is_that_of_minizinc(monkeypatch, printed, version):
    monkeypatch.setattr(measurement, "which", lambda name: name)
    monkeypatch.setattr(measurement.subprocess, "run",
                        lambda *_, **__: SimpleNamespace(stdout=printed))
    assert measurement.find_gecode.__wrapped__() == version

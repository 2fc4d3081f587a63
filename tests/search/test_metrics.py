"""A metric is a row: what it adds is measured from then on, and not measured in older records."""

import json
from types import MemberDescriptorType

import pytest
from conftest import RESULTS

import nqbench
from nqbench.problems import PROBLEMS, sudoku
from nqbench.problems.instances import Board
from nqbench.problems.queens import find
from nqbench.problems.queens.join import PairTally
from nqbench.records.record import read
from nqbench.search.metrics import METRICS, STATEMENTS, Counter, Kind, counters
from nqbench.search.tally import Tally


def test_each_name_stands_once_in_the_table():
    assert [metric.name for metric in METRICS.values()] == list(METRICS)


def test_what_is_computed_from_a_counter_that_is_not_counted_is_not_counted():
    tests = Counter("tests_a_node", "tests", "tests of a node", compute=lambda tally: (
        tally.tests / max(1, tally.nodes)))
    tally = Tally(2)
    assert tests.value(tally) == 0
    tally.begin((), {"tests"})
    assert tests.value(tally) is None


def test_the_counters_of_a_tally_are_those_of_the_table():
    names = [counter.name for counter in counters()]
    assert names[:10] == [
        "nodes", "levels", "tests", "scans", "comparisons", "exhaustions", "dead_ends",
        "dead_levels", "tests_to_first", "nodes_to_first"]
    assert [counter.name for counter in counters() if counter.by_level] == ["levels", "dead_levels"]
    assert list(nqbench.profile(6, algorithm="join").counters()) == names
    of_pairs = ("halves", "pairs", "pairs_excluded", "vector_steps")  # only join counts them
    assert list(nqbench.profile(6, algorithm="bitmask").counters()) == [
        name for name in names if name not in of_pairs]
    assert {metric.name for metric in METRICS.values() if metric.kind == Kind.COUNTER} == {
        "solutions", *names}
    assert [each.name for each in METRICS.values() if each.kind == Kind.PROCESSOR] == [
        "cpu_seconds"]


def test_each_counter_of_a_tally_has_a_slot_a_row_and_statements():
    others = {"gave_up", "n", "own", "solutions", "uncounted", "visits"}
    found = {
        "the slots and properties of nqbench/search/tally.py": {
            name for name, each in vars(Tally).items() if name[0] != "_" and name not in others
            and isinstance(each, MemberDescriptorType | property)},
        "Tally.__init__ of nqbench/search/tally.py": {
            name for name in STATEMENTS if hasattr(Tally(1), name)},
        "the rows of nqbench/search/metrics.json": {
            counter.name for counter in counters() if counter.compute is None
            and counter.name not in PairTally.__slots__},
        "STATEMENTS of nqbench/search/metrics.py": {*STATEMENTS}}
    for place, names in found.items():
        missing = set().union(*found.values()) - names
        assert not missing, f"{missing} must be in {place}, too"


def test_a_metric_that_is_not_here_is_named(tmp_path):
    assert "branching" not in METRICS
    line = next(record for record in read(RESULTS) if record["metric"] == "nodes")
    (tmp_path / "a.jsonl").write_text(json.dumps(line | {"metric": "branching"}), "utf-8")
    warnings = []
    assert list(read(tmp_path, warnings.append)) == []
    assert warnings == [f"{tmp_path / 'a.jsonl'}:1: metric 'branching' is not known; the line is "
                        "skipped"]


INSTANCES = {"queens": 6, "instances": Board(6, placed=((0, 1),)),
             "sudoku": sudoku.read("easy50")[0].digits}


@pytest.mark.parametrize("problem", INSTANCES)
def test_what_a_search_never_reports_is_not_counted_and_the_rest_is(problem):
    for algorithm in PROBLEMS[problem].catalogue.values():
        for way in algorithm.implementations:
            if algorithm.name == "fast" or not getattr(algorithm, "profiled", bool)(way):
                continue
            tally = algorithm.profile(INSTANCES[problem], way)
            assert {name for name, value in tally.counters().items() if value is None} == {
                *tally.uncounted}
            for name in tally.uncounted:
                value = getattr(tally, name)
                assert not (any(value) if isinstance(value, list) else value), algorithm.name


@pytest.mark.parametrize(("words", "uncounted"), [
    ((8, "-a", "bitmask@python"), {"scans", "comparisons"}),
    ((8, "-a", "bitmask@cython"), {"scans", "comparisons"}),
    ((8, "-a", "pruned_loops"), set()),
    (("n=6", "-a", "arc_consistency"), {"comparisons"}),
    ((8, "-a", "canonical"), {"scans"}), ((6, "-a", "join"), {
        "scans", "comparisons", "tests_to_first", "nodes_to_first"})])
def test_a_profile_says_what_a_search_of_the_package_does_not_count(run, words, uncounted):
    if words[-1].endswith("cython") and "cython" not in find("bitmask").implementations:
        pytest.skip("built without a C compiler")
    told = json.loads(run("profile", *words, "--json")[1])
    told = told["instances"][0] if "instances" in told else told
    few = find("iterative").python.uncounted  # events of few searches; none if all are counted here
    assert {name for name in STATEMENTS if told[name] is None} - few == uncounted
    shown = run("profile", *words)[1].splitlines()
    assert {line.split()[1] for line in shown if "not counted" in line} - few == uncounted


def test_the_first_solution_is_known_without_nodes():
    tally = Tally(1)
    for _ in range(2):
        tally.test(0, 0)
        tally.solution()
    assert (tally.tests_to_first, tally.nodes_to_first) == (1, 0)

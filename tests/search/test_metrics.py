"""A metric is a row: what it adds is measured from then on, and not measured in older records."""

import json

import pytest

import nqbench
from nqbench.records.record import read
from nqbench.search import metrics
from nqbench.search.metrics import METRICS, TABLE, Counter, Kind, counters, gauges


def inner(tally):
    return [n - dead for n, dead in zip(tally.levels, tally.dead_levels, strict=True)]


def test_each_name_stands_once_in_the_table_in_the_order_of_its_kinds():
    assert [metric.name for metric in TABLE] == list(METRICS)
    kinds = [list(Kind).index(metric.kind) for metric in TABLE]
    assert kinds == sorted(kinds)


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
    assert {metric.name for metric in TABLE if metric.kind == Kind.COUNTER} == {
        "solutions", *names}
    assert [gauge.name for gauge in gauges()] == [
        "instructions", "cycles", "branch_misses", "cache_misses", "peak_memory",
        "cpu_seconds", "seconds_to_first", "anytime"]


def test_a_row_adds_a_counter_to_every_tally(monkeypatch):
    row = Counter("inner", "nodes", "nodes with a child, by level", by_level=True, compute=inner)
    monkeypatch.setattr(metrics, "TABLE", (*TABLE, row))
    found = nqbench.profile(8, algorithm="bitmask")
    assert list(found.counters())[-1] == "inner"
    assert sum(found.counters()["inner"]) == found.nodes - found.dead_ends
    assert dict(found.rows())["inner"].startswith("1 8 ")


@pytest.mark.slow
def test_a_metric_that_is_not_here_is_named(tmp_path, records):
    assert "branching" not in METRICS
    line = next(record for record in read(records) if record["metric"] == "nodes")
    (tmp_path / "a.jsonl").write_text(json.dumps(line | {"metric": "branching"}), "utf-8")
    warnings = []
    assert list(read(tmp_path, warnings.append)) == []
    assert warnings == [f"{tmp_path / 'a.jsonl'}:1: metric 'branching' is not known; the line is "
                        "skipped"]

"""A metric is a row: what it adds is measured from then on, and not measured in older records."""

import json

import pytest

import nqbench
from nqbench import analysis
from nqbench.records.record import frame, read
from nqbench.search.metrics import METRICS, TABLE, Kind, counters, gauges
from nqbench.study import PRESETS, Preset

OUTSIDE = """
from nqbench.search.metrics import Counter, Metric


def branching(tally):
    inner = tally.nodes - tally.dead_ends - tally.levels[-1]
    return (tally.nodes - 1) / max(1, inner)


def inner(tally):
    return [n - dead for n, dead in zip(tally.levels, tally.dead_levels)]


def measure(solver, n):
    if n == 5:
        raise ValueError("five is too many")
    return n / 2


BRANCHING = Counter("branching", "children", "children of a node that has any, on average",
                    less_is_better=None, whole=False, compute=branching)
INNER = Counter("inner", "nodes", "nodes with a child, by level", by_level=True, compute=inner)
HALF = Metric("half", "queens", "half of the queens", measure=measure)
TWICE = Counter("twice", "nodes", "nodes, twice", compute=lambda tally: 2 * tally.nodes)
"""


@pytest.fixture
def install(install_package):
    """Install a package that names metrics by entry points, as long as a test lasts."""
    def call(code, *points):
        install_package(METRICS, code, *points)
    return call


@pytest.fixture
def added(install):
    """Two counters of a package."""
    install(OUTSIDE, "branching = queens_mine:BRANCHING", "inner = queens_mine:INNER")


@pytest.fixture
def few(monkeypatch):
    """A preset that takes a moment."""
    monkeypatch.setitem(PRESETS, "few", Preset(
        budget=100, first_n=4, max_n=5, samples=1, processes=1, experiments=("points",),
        solvers="symmetry", shortest=1e-5, patience=0))


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
        "instructions", "cycles", "branch_misses", "cache_misses", "peak_memory", "energy",
        "cpu_seconds", "seconds_to_first", "anytime"]


def test_a_package_adds_a_counter_to_every_tally(added):
    found = nqbench.profile(8, algorithm="bitmask")
    assert list(found.counters())[-2:] == ["branching", "inner"]
    assert found.counters()["branching"] == pytest.approx(2056 / (2057 - found.dead_ends - 92))
    assert sum(found.counters()["inner"]) == found.nodes - found.dead_ends
    assert dict(found.rows())["inner"].startswith("1 8 ")
    assert [counter.name for counter in counters()][-2:] == ["branching", "inner"]


@pytest.mark.slow
def test_a_study_measures_it_and_older_records_are_kept(added, few, records, tmp_path):
    nqbench.study.run("few", results=tmp_path / "new")
    new = list(read(tmp_path / "new", pytest.fail))
    assert {record["unit"] for record in new if record["metric"] == "branching"} == {"children"}
    old = list(read(records, pytest.fail))
    assert "branching" not in {record["metric"] for record in old}
    both = frame([*old, *(record | {"n": record["n"] + 100} for record in new)])
    found = analysis.counters(both)
    assert len(found) == len(analysis.counters(frame(old))) + len(analysis.counters(frame(new)))
    measured = found[found["n"] > 100]
    assert measured["branching"].notna().all()
    assert found[found["n"] < 100]["branching"].isna().all()
    assert {type(value) for value in found["nodes"]} == {int}
    levels = analysis.profiles(both)
    assert list(levels.columns) == [*analysis.POINT, "level", "nodes", "dead_ends", "inner",
                                    "refused_wiped_out"]
    assert levels[levels["n"] > 100]["inner"].notna().all()
    assert levels[levels["n"] < 100]["inner"].isna().all()


@pytest.mark.slow
def test_records_are_checked_by_what_the_metric_says(added, few, tmp_path):
    nqbench.study.run("few", results=tmp_path / "new")
    (path,) = (tmp_path / "new").iterdir()
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    warnings = []
    for metric, samples in (("branching", ["1"]), ("inner", [1]), ("inner", [[0.5] * 5])):
        line = next(line for line in lines if line["metric"] == metric and line["n"] == 4)
        path.write_text(json.dumps(line | {"samples": samples}) + "\n", "utf-8")
        assert list(read(path.parent, warnings.append)) == []
    assert [warning.partition(":1: ")[2] for warning in warnings] == [
        "samples[0] must be number; the line is skipped",
        "samples[0] must be array; the line is skipped",
        "samples[0][0] must be integer; the line is skipped"]


@pytest.mark.slow
def test_a_metric_that_is_not_here_is_named(tmp_path, records):
    assert "branching" not in METRICS
    line = next(record for record in read(records) if record["metric"] == "nodes")
    (tmp_path / "a.jsonl").write_text(json.dumps(line | {"metric": "branching"}), "utf-8")
    warnings = []
    assert list(read(tmp_path, warnings.append)) == []
    assert warnings == [f"{tmp_path / 'a.jsonl'}:1: metric 'branching' is not here: install the "
                        "package that adds it; the line is skipped"]


@pytest.mark.parametrize(("point", "fault"), [
    ("half = nowhere:HALF", "ModuleNotFoundError: No module named 'nowhere'"),
    ("half = queens_mine:OTHER", "AttributeError: "),
    ("other = queens_mine:HALF", "its name is 'half'"),
    ("half = queens_mine:measure", "it is no Metric, but of type function"),
    ("nodes = queens_mine:NODES", "nqbench has a metric of this name"),
    ("odd = queens_mine:ODD", "it is neither a Counter nor has it a function `measure`")])
def test_a_broken_entry_point_is_named_once_and_ignored(install, point, fault):
    install(OUTSIDE + "NODES = Counter('nodes', '', '')\nODD = Metric('odd', '', '')\n",
            point, "twice = queens_mine:TWICE")
    with pytest.warns(UserWarning, match=f"the metric '.*is ignored: {fault}") as caught:
        assert "twice" in METRICS
    assert "\n" not in str(caught[0].message)
    assert len(caught) == 1
    assert point.partition(" ")[0] not in set(METRICS) - {"nodes"}
    assert METRICS["nodes"].unit == "nodes"


@pytest.mark.slow
def test_a_study_measures_a_function_and_says_where_it_failed(install, few, tmp_path):
    install(OUTSIDE, "half = queens_mine:HALF")
    nqbench.study.run("few", results=tmp_path / "new", metrics=["half", "nodes"])
    found = [record for record in read(tmp_path / "new", pytest.fail) if record["metric"] == "half"]
    assert {(record["n"], record["status"], *record["samples"], record.get("fault"))
            for record in found} == {(4, "measured", 2.0, None),
                                     (5, "not available", "ValueError: five is too many")}

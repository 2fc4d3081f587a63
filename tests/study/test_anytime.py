"""When searches reach their solutions: the first, and each share; orders of rows are compared."""

from types import SimpleNamespace

import pytest
from conftest import measured
from hypothesis import given
from hypothesis import strategies as st

import nqbench
from nqbench import analysis
from nqbench.problems import SolverKey
from nqbench.records import frame
from nqbench.records.record import parse, to_line
from nqbench.report import builder, page
from nqbench.study import gauges
from nqbench.study.gauges import SHARES, UnavailableError, explain_absence, reader, time_shares
from nqbench.study.worker import Search
from nqbench.topics.searches.section_time import make_gauges


@given(st.integers(1, 500))
def test_shares_are_equal_and_whole_solutions(total):
    """Each time is taken when so many solutions are reached, and no later."""
    reached, clock = [], []

    def visits():
        for number in range(total):
            reached.append(number)
            yield number

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gauges, "spent", lambda: clock.append(len(reached)) or len(reached))
        found = time_shares(visits, total)
    assert found == [-(-total * share // SHARES) for share in range(1, SHARES + 1)] + [total]


@pytest.mark.parametrize("metric", ["seconds_to_first", "anytime"])
def test_without_a_solution_there_is_no_time(metric):
    with pytest.raises(UnavailableError, match="there is no solution to reach"):
        reader(metric, Search("", SolverKey("bitmask", "python"), 1, n=3))()


def test_what_only_counts_yields_nothing():
    for key in (SolverKey("cross", "cython", "portable", 1), SolverKey("cross", "python")):
        assert explain_absence(nqbench.search.metrics.METRICS["anytime"], key) == (
            "only searches that yield their solutions one by one")


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """The folder of a study of two searches that differ only in the order of their rows, and of one
    that is compiled.
    """
    folder = tmp_path_factory.mktemp("orders")
    nqbench.study.run(
        algorithms=["bitmask@python", "middle_first@python", "somers@cython"], n="3,6,8",
        samples=2, processes=2, budget=600, results=folder,
        metrics=["nodes", "nodes_to_first", "seconds_to_first", "anytime"])
    return folder


@pytest.mark.slow
def test_orders_of_rows_are_compared(compared):
    records = [record for record in measured(compared) if record["status"] == "measured"]
    found = {(record["algorithm"], record["n"], record["metric"]): record["samples"]
             for record in records if not record.get("process")}
    top, middle = "bitmask", "middle_first"
    assert found[top, 8, "nodes"] == found[middle, 8, "nodes"] == [2057]
    assert found[top, 8, "nodes_to_first"] == [114]
    assert found[middle, 8, "nodes_to_first"] != [114]
    for name in (top, middle, "somers"):
        assert len(found[name, 8, "seconds_to_first"]) == 2
        assert [len(times) for times in found[name, 8, "anytime"]] == [SHARES + 1] * 2
        assert (name, 3, "anytime") not in found  # there is no solution
    absent = [record for record in measured(compared) if record["status"] == "not available"]
    assert {(record["n"], record["fault"]) for record in absent} == {
        (3, "there is no solution to reach")}


@pytest.mark.slow
def test_the_curves_are_a_frame_and_a_table(compared):
    records = analysis.load(compared)
    found = analysis.anytime(records)
    assert len(found) == 3 * 2 * SHARES
    for _, rows in found.groupby(analysis.POINT):
        assert list(rows["share"]) == [share / SHARES for share in range(1, SHARES + 1)]
        assert rows["seconds"].is_monotonic_increasing
        assert rows["time"].between(0, 1).all()
    assert analysis.gauges(records)["anytime"].isna().all()
    assert analysis.gauges(records)["seconds_to_first"].notna().sum() == 3 * 2
    assert "anytime" not in set(analysis.samples(records)["metric"])
    made = builder.read(compared)
    assert len(made.tables["anytime"]) == 3 * 2 * SHARES
    assert "when each search reaches its solutions" in page.part(made, "gauges")


def test_a_list_of_times_is_a_sample_and_other_lists_are_not(compared):
    (record, *_) = [record for record in measured(compared) if record["metric"] == "anytime"
                    and record["status"] == "measured"]
    assert parse(to_line(record)) == (record, "")
    for samples in ([[]], [["0.1"]], [[-1.0]], [None]):
        assert "samples" in parse(to_line({**record, "samples": samples}))[1]


def test_records_without_curves_have_no_table_of_them():
    found = frame([{"metric": "cpu_seconds", "status": "measured", "algorithm": "a", "n": 8,
                    "implementation": "python", "kernel": None, "jobs": 1, "samples": [0.1],
                    "run": "r", "context": {"machine": "m"}}])
    part = make_gauges(SimpleNamespace(main=found))
    assert (part.facts.curves, len(part.tables["anytime"])) == (False, 0)

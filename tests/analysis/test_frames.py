"""Records as DataFrames with documented columns."""

import warnings
from statistics import geometric_mean

import numpy as np
import pandas as pd
import pytest
from examples import timed
from hypothesis import given, settings
from hypothesis import strategies as st
from kept import published

import nqbench
from nqbench import analysis
from nqbench.analysis import frames
from nqbench.records import frame as records_frame
from nqbench.report.frames import read_context

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def frame(records):
    return analysis.load(records)


def test_times_have_their_interval_and_warnings(frame):
    times = analysis.timings(frame)
    assert list(times.columns) == ["algorithm", "implementation", "n", "samples", "loops",
                                   "processes", "seconds", "low", "high", "warning"]
    for row in times.itertuples():
        assert (row.seconds, row.low, row.high) == (
            analysis.typical(row.samples), *analysis.interval(row.samples))
        assert [text for text in row.warning.split("; ") if text and "disturbed" not in text] == (
            analysis.warnings(row.samples, row.loops))


def test_counters_are_a_row_a_point(frame):
    found = analysis.counters(frame)
    row = found[(found["algorithm"] == "iterative") & (found["n"] == 6)].iloc[0]
    assert (row["nodes"], row["tests"], row["scans"], row["solutions"]) == (153, 894, 2016, 4)
    assert not found.duplicated(["algorithm", "implementation", "n"]).any()


def test_profiles_are_in_long_form(frame):
    found = analysis.profiles(frame)
    rows = found[(found["algorithm"] == "recursive") & (found["n"] == 5)]
    assert list(rows["nodes"]) == [1, 5, 12, 14, 12, 10]
    assert list(rows["level"]) == [0, 1, 2, 3, 4, 5]


def test_the_record_with_the_most_samples_counts_and_the_newest_of_equals():
    def record(run, *samples, n=8, status="measured"):
        return {"metric": "transition", "status": status, "n": n, "run": run, "samples": samples}

    found = frames.most_sampled(frames.measured(pd.DataFrame([
        record("2026-01-03", 1, 2), record("2026-01-02", 3, 4, 5), record("2026-01-01", 6, 7, 8),
        record("2026-01-04", 9, n=10), record("2026-01-05", n=10, status="left out")]),
        "transition"), ["n"])
    assert found[["n", "samples"]].values.tolist() == [[10, (9,)], [8, (3, 4, 5)]]


def test_ratios_are_taken_round_by_round():
    times = pd.DataFrame([
        {"algorithm": "a", "implementation": "python", "n": 5, "samples": [2.0, 20.0, 4.0]},
        {"algorithm": "b", "implementation": "cython", "n": 5, "samples": [1.0, 10.0, 2.0]},
        {"algorithm": "b", "implementation": "cython", "n": 6, "samples": [1.0]}])
    found = analysis.ratios(times, over=("a", "python"))[["times", "low", "high"]]
    assert found.dropna().values == pytest.approx(np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]))
    found = analysis.ratios(times, under=("a", "python"))["times"]
    assert found.dropna().to_list() == pytest.approx([1.0, 0.5])


def test_machines_and_runs_are_never_mixed(frame):
    other = frame.copy()
    other["machine"] = "ffffffff"
    other["time"] = other["run"] = "1999-01-01T00:00:00.000+00:00"
    both = pd.concat([frame, other])
    assert len(analysis.latest(both)) == len(frame)
    assert set(analysis.latest(both, "ffffffff")["machine"]) == {"ffffffff"}


def test_the_context_of_a_machine_is_that_of_its_newest_record(frame):
    later = frame.assign(commit=None, time="9999-01-01T00:00:00.000+00:00")
    earlier = frame.assign(commit="0" * 40)
    assert read_context(pd.concat([later, earlier]))["commit"] is None


def test_an_empty_folder_gives_an_empty_frame(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = analysis.load(tmp_path)
    assert found.empty
    assert analysis.timings(found).empty


def test_a_run_of_one_thing_hides_no_run_of_all(frame):
    def newer(preset):
        return pd.concat([frame, frame.assign(run="2999-01-01T00:00:00.000+00:00", preset=preset)])

    for preset in ("pruning", "symmetry", "engine", "estimate"):
        both = newer(preset)
        assert set(analysis.latest(both)["preset"]) == {"small"}
        for about in ("pruning", "symmetry"):
            found = set(analysis.latest(both, about=about)["preset"])
            assert found == {preset if preset == about else "small"}
    assert set(analysis.latest(newer("quick"), about="pruning")["preset"]) == {"quick"}
    begun = newer("pruning")
    begun = begun[(begun["preset"] != "pruning") | (begun["n"] <= 4)]
    assert set(analysis.latest(begun, about="pruning")["preset"]) == {"small"}
    assert analysis.latest(frame, about="engine").empty


def test_a_run_about_pruning_needs_no_n_as_large_as_one_core_reached_in_another(frame):
    timed = frame[(frame["metric"] == "seconds") & (frame["algorithm"] == "bitmask")].tail(1)
    newer = pd.concat([frame, timed.assign(n=10)]).assign(
        run="2999-01-01T00:00:00.000+00:00", preset="pruning")
    for far, preset in (1, "pruning"), (2, "small"):
        both = pd.concat([frame, *(timed.assign(n=16 + k) for k in range(far)), newer])
        assert set(analysis.latest(both, about="pruning")["preset"]) == {preset}


def test_a_run_says_itself_which_solvers_it_measures(frame):
    own = frame.assign(preset="mine")
    assert set(analysis.latest(own)["preset"]) == {"mine"}
    own["study"] = own["study"].map(
        lambda study: study | {"solvers": "engine"} if isinstance(study, dict) else study)
    assert analysis.latest(own).empty
    assert set(analysis.latest(own, about="engine")["preset"]) == {"mine"}


def test_kernels_are_compared_with_somers_round_by_round(frame):
    assert analysis.kernels(frame).empty
    more = records_frame(
        timed(name, 14, samples, run="2999-01-01T00:00:00.000+00:00", preset="engine",
              implementation="cython", kernel=kernel) for name, kernel, samples in (
                  ("somers", None, [8.0, 4.0, 16.0]), ("cross", "avx2", [0.5, 0.25, 1.0])))
    (row,) = analysis.kernels(pd.concat([frame, more])).to_dict("records")
    assert [row.pop(name) for name in ("seconds", "ratio", "low", "high")] == pytest.approx(
        [0.5, 16, 16, 16])
    assert row == {"n": 14, "kernel": "avx2", "jobs": 1, "verdict": "faster", "samples": 3,
                   "processes": 1, "warning": "spread 150 %"}
    assert set(analysis.latest(pd.concat([frame, more]))["preset"]) == {"small"}


def test_pruning_of_records_leaves_out_what_has_no_algorithm(frame):
    found = analysis.pruning(frame)
    assert set(found["algorithm"]) == set(frame["algorithm"].dropna()) - {
        "brute_force", "permutations"}


@pytest.fixture(scope="module")
def long():
    """The long table of the published records."""
    return analysis.samples(published())


@pytest.mark.thorough
def test_the_times_of_the_page_come_from_the_long_table(long):
    runs = [rows for _, rows in published().groupby(["run", "machine"])
            if (rows["metric"] == "seconds").any()]
    for run in runs:
        mine = long[(long["run"] == run["run"].iat[0]) & (long["metric"] == "seconds")]
        by_process = mine.groupby(["solver", "n", "process"], sort=False)["value"].median()
        times = by_process.groupby(["solver", "n"], sort=False).agg(geometric_mean)
        assert sorted(times) == pytest.approx(sorted(analysis.timings(run)["seconds"]))
        if run["kernel"].isna().all():
            page = analysis.timings(run).set_index(["algorithm", "implementation", "n"])["seconds"]
            assert len(page) > 50
            assert all(times[f"{name} ({way})", n] == pytest.approx(seconds)
                       for (name, way, n), seconds in page.items())
    assert len(runs) == 4


def test_no_column_of_the_long_table_but_a_parameter_is_nearly_always_empty(long):
    columns = [name for name in frames.LONG if name != "parameters"]
    assert [*long] == [*columns, "size"]  # of `nogoods`
    assert set(long.loc[long["size"].notna(), "algorithm"]) == {"nogoods"}
    long = long[columns]
    assert not long.isna().any().any()
    assert ((long == "").mean() < 0.1).all()
    assert set(long[long["implementation"] == ""]["metric"]) == {"peer", "same_tree"}


def test_the_order_in_the_long_table_is_that_in_which_searches_took_turns(tmp_path):
    heard = []
    nqbench.study.run(algorithms=["somers@python", "bitmask@cython", "recursive"], n="5,6",
                      samples=2, processes=2, results=tmp_path,
                      progress=lambda what, *_: heard.append(what))
    table = nqbench.load(tmp_path)
    table = table[table["metric"] == "seconds"].sort_values(["process", "n", "round", "order"])
    assert [f"n = {n}, round {turn + 1} of 2: {solver}" for n, turn, solver in zip(
        table["n"], table["round"], table["solver"], strict=True)] == [
            what for what in heard if ", round" in what]


@settings(max_examples=15)
@given(st.integers(0, 10**30))
def test_a_count_of_any_size_is_exact_in_the_long_table(count):
    made = records_frame([{
        "metric": metric, "status": "measured", "n": 40, "run": "r", "algorithm": "bitmask",
        "implementation": "python", "unit": "s", "samples": [value], "parameters": {"depth": 2},
        "context": {"machine": "m", "commit": None}}
        for metric, value in (("comparisons", count), ("seconds", 0.5))])
    found = analysis.samples(made)
    assert [*found["value"]] == [count, 0.5]
    assert set(found["depth"]) == {2}

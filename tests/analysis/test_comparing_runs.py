"""Two runs are compared point by point, with intervals; their counts, and their answers about the
same instances, must be equal.
"""

import math

import pytest
from examples import FIRST, SECOND, checked, counted, decided, head, timed, write
from hypothesis import given
from hypothesis import strategies as st

from nqbench.analysis.comparison import compare, compare_runs, measure_precision
from nqbench.analysis.uncertainty import geometric_mean
from nqbench.records import Samples, judge
from nqbench.records.descriptions import Description
from nqbench.records.runs import find_sides

ONE = [1.0, 1.01, 0.99, 1.02, 0.98]
TIMES = st.lists(st.floats(1e-6, 1e3), min_size=15, max_size=25).map(
    lambda all: Samples(all[:len(all) // 5 * 5], processes=5))


def run(folder, name, factor=1.0, records=(), **fields):
    """A file of a run in five processes, each with two samples of two algorithms."""
    times = [timed(algorithm, n, [factor * one * (1 + n / 1e4)] * 2, process=process, processes=5,
                   **fields)
             for process, one in enumerate(ONE) for algorithm in ("bitmask", "somers")
             for n in (7, 8)]
    return write(folder / name, *times, *records)


@pytest.mark.parametrize(("factor", "verdict"), [
    (1.5, "slower"), (1 / 1.5, "faster"), (1.0, "not significant")])
def test_a_slower_run_is_slower_at_every_point(tmp_path, factor, verdict):
    a, b = run(tmp_path, "a"), run(tmp_path, "b", factor, run=SECOND)
    found = compare(a, b)
    assert list(found.columns) == ["algorithm", "implementation", "kernel", "jobs", "n",
                                   "a_seconds", "b_seconds", "ratio", "low", "high", "verdict",
                                   "interleaved", "nodes", "tests", "warning"]
    assert [*zip(found["algorithm"], found["n"], strict=True)] == [
        ("bitmask", 7), ("somers", 7), ("bitmask", 8), ("somers", 8)]
    assert found["ratio"].tolist() == pytest.approx([factor] * 4)
    assert set(found["verdict"]) == {verdict}
    assert ((found["low"] < factor) & (found["high"] > factor)).all()
    assert not found["interleaved"].any()


def sides(folder, first, second):
    """The comparison of two files with these records."""
    return compare_runs(*find_sides(write(folder / "a", *first), write(folder / "b", *second)))


def test_the_geometric_mean_has_an_interval(tmp_path):
    a, b = run(tmp_path, "a"), run(tmp_path, "b", 1.5, run=SECOND)
    center, low, high = compare_runs(*find_sides(a, b)).mean[:3]
    assert center == pytest.approx(1.5)
    assert 1.4 < low < 1.5 < high < 1.6
    nothing = compare_runs(*find_sides(a, write(tmp_path / "c", timed("iterative"))))
    assert all(map(math.isnan, nothing.mean))
    assert nothing.rows.empty


@given(st.lists(st.tuples(TIMES, TIMES), min_size=1, max_size=3), st.booleans())
def test_the_interval_of_the_geometric_mean_contains_it(points, in_turns):
    mean = geometric_mean([(b, a, in_turns) for a, b in points])
    assert mean.low <= mean.times * (1 + 1e-9)
    assert mean.times <= mean.high * (1 + 1e-9)


def test_points_of_one_run_are_compared_round_by_round(tmp_path):
    noise = [1.0, 3.0, 0.5, 2.0, 1.5]
    a = write(tmp_path / "a", timed(samples=noise))
    b = write(tmp_path / "b", timed(samples=[2 * one for one in noise]))
    (row,) = compare(a, b).to_dict("records")
    assert row["interleaved"]
    assert (row["ratio"], row["low"], row["high"]) == (2.0, 2.0, 2.0)
    c = write(tmp_path / "c", timed(samples=[2 * one for one in noise], run=SECOND))
    (row,) = compare(a, c).to_dict("records")
    assert not row["interleaved"]
    assert row["low"] < 1 < 2 < row["high"]


def test_nodes_and_tests_stand_beside_the_time(tmp_path):
    files = [run(tmp_path, name, run=when, records=[
        counted(timed(run=when), "nodes", 2057), counted(timed(run=when), "tests", tests)])
        for name, when, tests in (("a", FIRST, 10_000), ("b", SECOND, 5_000))]
    found = compare_runs(*find_sides(*files)).rows
    (row,) = found[(found["algorithm"] == "bitmask") & (found["n"] == 8)].to_dict("records")
    assert (row["nodes"], row["tests"]) == (1.0, 0.5)
    assert found["tests"].isna().sum() == len(found) - 1


def test_what_makes_times_doubtful_is_said(tmp_path):
    times = [1.0, 1.01, 1.3, 1.0, 1.0]
    made = sides(tmp_path, [timed(samples=times, load=0.5)], [
        timed(samples=times, run=SECOND, load=14.2, disturbed=4, clock="wall",
              processor=[1.0, None, 1.0, 1.0, 1.0])])
    assert made.doubts == [
        "B was measured under a load of 14.2 on 2 cores: other programs were running",
        "B has times that passed alone: those of the processor are not known"]
    (row,) = made.rows.to_dict("records")
    assert row["warning"] == "A: spread 30 %; B: spread 30 %, 4 disturbed"
    assert row["verdict"] == "not known"  # of times that passed


def test_the_limit_of_a_slowdown_is_asked_of_all_points_together(tmp_path):
    """Twice 6 % slower, by samples that leave a doubt for two points, but not for one."""
    doubt = [1.055, 1.065, 1.059, 1.061, 1.06]
    for many in (1, 2):
        made = sides(tmp_path / f"{many}", *(
            [timed(n=n, samples=each) for n in range(8, 8 + many)] for each in ([1.0] * 5, doubt)))
        assert set(made.rows["verdict"]) == {"slower"}
        assert len(made.find_slower(1.05)) == many
        assert 0.025 < made.ratios[0].chance_below(1.0562) < 0.05
        assert len(made.find_slower(1.0562)) == (many == 1)
        assert not len(made.find_slower(1.07))


def test_the_precision_is_that_of_searches_in_turns():
    samples = [1.0, 1.01, 0.99, 1.02, 1.0, 1.01]
    lines = [timed(name, samples=[factor * one for one in samples[turn:] + samples[:turn]],
                   process=process, processes=3)
             for name, factor in (("bitmask", 1.0), ("somers", 2.0))
             for process, turn in enumerate((0, 2, 5))]
    found = measure_precision(judge(lines))
    assert (found.samples, found.disturbed, found.processes) == (36, 0, 3)
    assert 0 < found.smallest < 0.1
    assert found.needed is not None
    assert str(found).startswith("0 of 36 samples disturbed; times vary by ")
    assert measure_precision(judge([timed(samples=samples)])) is None


def test_what_only_one_side_has_is_listed(tmp_path):
    made = sides(tmp_path, [timed(), timed("iterative", 6)], [
        timed(run=SECOND), timed("cross", 8, run=SECOND, kernel="portable", jobs=2),
        timed("iterative", 6, (), run=SECOND, status="left out")])
    assert made.only_a == [("iterative", "python", None, 1, 6)]
    assert made.only_b == [("cross", "python", "portable", 2, 8)]


def test_an_algorithm_from_outside_that_was_changed_is_named(tmp_path):
    one, other = ([first, head(first) | {
        "metric": "algorithm", "n": 0, "status": "measured", "samples": [],
        **Description("mine", source=first["source"]).fields}]
        for first in (timed("mine", source=name * 64) for name in "ab"))
    assert sides(tmp_path / "changed", one, other).sources == ["mine"]
    equal = sides(tmp_path / "equal", one, one)
    assert (equal.sources, equal.same) == ([], ["mine"])


def test_counts_and_totals_that_differ_are_loud(tmp_path):
    a = run(tmp_path, "a", records=[counted(timed(), "nodes", 2057), checked(9, 352),
                                    counted(timed(), "solutions", 92)])
    b = run(tmp_path, "b", records=[counted(timed(), "nodes", 2058), checked(9, 351, 352),
                                    counted(timed(), "solutions", 92)])
    made = compare_runs(*find_sides(a, b))
    assert [str(one) for one in made.differing] == [
        "nodes of bitmask (python) at n = 8: 2057 in A, 2058 in B",
        "total of A000170 at n = 9: 352 in A, 351 in B"]
    with pytest.warns(UserWarning) as said:
        assert set(compare(a, b)["algorithm"]) == {"somers"}
    assert [str(one.message) for one in said] == [
        "2 wrong counts: bitmask (python) counted 351 instead of 352 at n = 9; bitmask (python) "
        "counted 2058 instead of 2057 of nodes (A319283) at n = 8; not compared",
        *(f"counts differ: {one}" for one in made.differing)]


def test_two_machines_are_said_to_be_two(tmp_path):
    a, b = run(tmp_path, "a"), run(tmp_path, "b", machine="bbbb1111")
    with pytest.warns(UserWarning, match="times of two machines are compared"):
        compare(a, b)


def test_a_side_is_a_file_a_folder_a_run_a_label_a_machine_or_a_commit(tmp_path):
    run(tmp_path, "a.jsonl", commit="abcd" * 10)
    run(tmp_path, "b.jsonl", run=SECOND, machine="bbbb1111", label="laptop", commit="0123" * 10)
    write(tmp_path / "one" / "c.jsonl", timed())
    for name, started in ((tmp_path / "a.jsonl", FIRST), (tmp_path / "one", FIRST),
                          ("2026-11-22", SECOND), ("b.jsonl", SECOND), ("laptop", SECOND),
                          ("bbbb", SECOND), ("abcd", FIRST), ("01230123", SECOND)):
        (found,), _ = find_sides(name, name, tmp_path)
        assert found.started == started, name


@pytest.mark.parametrize(("name", "said"), [
    ("labtop", "there is no file, run, label or commit 'labtop'; did you mean laptop"),
    ("abd", "there is no file, run, label or commit 'abd'"),
    ("", "there is no file, run, label or commit ''"),
    (".", r"has the records of 2 machines \(aaaa0000, bbbb1111\): name a run or a label"),
    ("empty.jsonl", "empty.jsonl has no records"),
    ("2026", "'2026' matches several runs")])
def test_an_unclear_side_is_refused(tmp_path, monkeypatch, name, said):
    run(tmp_path, "a.jsonl")
    run(tmp_path, "b.jsonl", run=SECOND, machine="bbbb1111", label="laptop")
    (tmp_path / "empty.jsonl").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=said):
        find_sides(name, name, tmp_path)


def test_of_several_runs_the_newest_that_measured_a_point_counts(tmp_path):
    write(tmp_path / "a" / "a.jsonl", timed(samples=[1.0, 1.0]), timed(n=9, samples=[3.0, 3.0]),
          timed(samples=[2.0, 2.0], run=SECOND))
    found = compare(tmp_path / "a", write(tmp_path / "b", timed(samples=[4.0, 4.0]),
                                          timed(n=9, samples=[6.0, 6.0])))
    assert found["ratio"].tolist() == [2.0, 2.0]


def test_two_algorithms_must_agree_in_their_answers_alone(tmp_path):
    made = sides(tmp_path, [decided([9, 8, 7], [True, False, None])],
                 [decided([2, 3, 4], [True, True, True], "bitmask")])
    assert [str(one) for one in made.wrong] == [
        "fewest_lines (python) answered not solvable instead of solvable for blocked 20, seed 1, "
        "instance 2 at n = 8"]
    assert made.differing == []


def test_the_algorithms_of_a_run_are_compared_by_comparing_it_with_itself(tmp_path):
    run = [decided([9], [True]), decided([9], [False], "bitmask")]
    made = sides(tmp_path, run, run)
    assert (len(made.wrong), made.differing) == (1, [])

"""Solvers by n: times, ratios to the base, and a mark for each reason why a time is missing."""

from statistics import geometric_mean

import pandas as pd

from nqbench.report.tables import MARKS, MEANING, NEVER, by_n, legend, seconds_at, shown, times_at


def outcomes(*rows):
    return pd.DataFrame(
        [(solver, n, "measured" if isinstance(found, list) else found,
          found if isinstance(found, list) else []) for solver, n, found in rows],
        columns=["solver", "n", "status", "samples"])


BASE = [("base", 4, [1.0, 2.0, 3.0]), ("base", 5, [2.0, 2.0, 2.0]), ("base", 6, [4.0, 4.0, 4.0])]


def row_of(solver, *rows):
    table = by_n(outcomes(*BASE, *rows), "base")
    return table.set_index("solver").loc[solver]


def test_ratios_are_taken_round_by_round():
    row = row_of("slow", ("slow", 4, [2.0, 8.0, 9.0]), ("slow", 6, [12.0, 12.0, 12.0]))
    assert [row[seconds_at(n)] for n in (4, 6)] == [8, 12]
    assert [row[times_at(n)] for n in (4, 6)] == [3, 3]


def test_the_geometric_mean_is_over_the_sizes_that_both_have():
    row = row_of("slow", ("slow", 4, [2.0, 4.0, 6.0]), ("slow", 6, [32.0, 32.0, 32.0]),
                 ("slow", 7, [99.0]))
    assert (row["geometric mean"], row["over n"]) == (geometric_mean([2, 8]), "4, 6")
    assert (row[seconds_at(7)], row[times_at(7)]) == (99, "")
    assert row_of("base")["over n"] == "4 to 6"


def test_a_difference_within_the_interval_is_not_significant():
    row = row_of("like", ("like", 5, [1.9, 2.1, 2.2]), ("like", 6, [4.2, 4.2, 4.3]))
    assert row[times_at(5)] == "1.05, not significant"
    assert row[times_at(6)] == 4.2 / 4


def test_each_lack_of_a_time_has_a_mark_of_its_own():
    row = row_of("x", ("x", 4, "left out"), ("x", 5, "timed out"), ("x", 7, "failed"),
                 ("x", 8, "not installed"), ("x", 9, "wrong"), ("x", 10, "out of memory"))
    marks = [row[seconds_at(n)] for n in (4, 5, 6, 7, 8, 9, 10)]
    assert marks == ["S", "T", NEVER, "F", "I", "W", "M"]
    assert set(marks) == set(MEANING) == {NEVER, *MARKS.values()}
    assert row["geometric mean"] == row["over n"] == ""


def test_a_legend_speaks_of_the_marks_that_occur():
    table = by_n(outcomes(*BASE, ("x", 4, "timed out")), "base")
    assert list(legend(table)) == ["T", NEVER]
    assert legend(by_n(outcomes(*BASE), "base")) == {}


def test_shown_are_the_largest_sizes_every_other_one():
    table = by_n(outcomes(*((name, n, [1.0]) for name in ("base", "x") for n in range(4, 17))),
                 "base")
    assert list(shown(table, 3).columns) == ["solver", "geometric mean", "over n", *(
        at(n) for n in (12, 14, 16) for at in (seconds_at, times_at))]


def test_shown_are_sizes_at_which_something_is_compared():
    table = by_n(outcomes(*(("base", n, [1.0]) for n in range(4, 12)),
                          *(("x", n, [1.0]) for n in range(4, 17))), "base")
    assert list(shown(table, 2).columns[3:]) == [
        at(n) for n in (9, 11) for at in (seconds_at, times_at)]


def test_without_outcomes_there_are_no_rows():
    assert by_n(outcomes(), "base").empty

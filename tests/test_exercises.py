"""A right answer passes its exercise; for a wrong one, the check says what is wrong, but not the
answer.
"""

from collections.abc import Callable
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev

import pytest
from exercises import EXERCISES, check

from nqbench.search.board import attacks, images, mirror, rotate


def free_columns(columns, n):
    mask = 0
    for column in range(n):
        if not any(attacks((len(columns), column), square) for square in enumerate(columns)):
            mask |= 1 << column
    return mask


def lowest_bit(mask):
    return mask & -mask


def placements(n, columns=()):
    yield columns
    for column in range(n if len(columns) < n else 0):
        if free_columns(columns, n) >> column & 1:
            yield from placements(n, (*columns, column))


def count_solutions(n):
    return sum(len(columns) == n for columns in placements(n))


def second_level(n):
    return (n - 1) * (n - 2)


def count_levels(n):
    levels = [0] * (n + 1)
    for columns in placements(n):
        levels[len(columns)] += 1
    return levels


def count_dead_ends(n):
    return sum(len(columns) < n and not free_columns(columns, n) for columns in placements(n))


def orbit(columns):
    return {*images(columns)}


def fundamental(total, half_turn, quarter_turn):
    return (total + half_turn + 2 * quarter_turn) // 8


def probe(n, random):
    columns, levels = [], [1]
    while len(columns) < n:
        mask = free_columns(columns, n)
        free = [column for column in range(n) if mask >> column & 1]
        if not free:
            break
        levels.append(levels[-1] * len(free))
        columns.append(random.choice(free))
    return levels


def interval(values):
    error = stdev(values) / sqrt(len(values))
    return fmean(values) - 1.96 * error, fmean(values) + 1.96 * error


def probes_needed(probes, error, wanted):
    return probes * (error / wanted) ** 2


RIGHT: dict[str, Callable] = {"quarter_turn": rotate} | {
    function.__name__: function for function in (
        attacks, free_columns, lowest_bit, count_solutions, second_level, count_levels,
        count_dead_ends, mirror, orbit, fundamental, probe, interval, probes_needed)}


def first_columns(n, random):
    """Choose the first free column always."""
    class First:
        def choice(self, free):
            return free[0]

    return probe(n, First())


def children(n, random):
    found = probe(n, random)
    return [1, *(after // before for before, after in pairwise(found))]


WRONG = [
    ("attacks", lambda p, q: p[0] == q[0] or p[1] == q[1],
     "(0, 0) and (1, 1) do not attack each other, but they share a diagonal"),
    ("attacks", lambda p, q: True, "(0, 0) and (1, 2) attack each other; they do not"),
    ("free_columns", lambda columns, n: (1 << n) - 1, "which a queen attacks along a column"),
    ("free_columns", lambda columns, n: 0, "it lacks column 0, which is free"),
    ("free_columns", lambda columns, n: free_columns(columns, n) | 1 << n, "outside the 1 columns"),
    ("lowest_bit", lambda mask: mask, "For mask = 0b11 your function returns 3, which has more"),
    ("lowest_bit", lambda mask: 1 << mask.bit_length() - 1, "is not the lowest bit"),
    ("count_solutions", lambda n: n, "For n = 2 your search finds 2 solutions. These are too many"),
    ("count_solutions", lambda n: int(n == 1), "For n = 4 your search finds 0 solutions. These are "
     "too few"),
    ("second_level", lambda n: n * (n - 1), "For n = 2 you say 2 nodes: too many"),
    ("second_level", lambda n: n * (n - 3), "too few. A queen at the edge"),
    ("count_levels", lambda n: count_levels(n)[1:], "For n = 1 your list has 1 entries"),
    ("count_levels", lambda n: [n ** k for k in range(n + 1)], "you count 4 nodes on level 2. These"
     " are too many"),
    ("count_levels", lambda n: [*count_levels(n)[:-1], 0], "on level 1. These are too few"),
    ("count_dead_ends", lambda n: count_dead_ends(n) + count_solutions(n), "includes the solution"),
    ("count_dead_ends", lambda n: sum(count_levels(n)[:-1]), "most of these nodes had children"),
    ("count_dead_ends", lambda n: 0, "A dead end is a node without children"),
    ("mirror", lambda columns: columns[99],
     "Your function fails: IndexError: tuple index out of range"),
    ("mirror", lambda columns: columns, "(1, 3, 0, 2), which is another image of it"),
    ("mirror", lambda columns: [0] * len(columns), "not one queen in each column"),
    ("mirror", lambda columns: range(len(columns)), "none of its eight images"),
    ("quarter_turn", mirror, "another image of it: turn clockwise"),
    ("orbit", lambda columns: {columns}, "has 1 placements, and 1 images are missing"),
    ("orbit", lambda columns: orbit(columns) | {(0, 0)}, "has (0, 0), which is none of its images"),
    ("fundamental", lambda total, half, quarter: total // 8, "not of 8"),
    ("fundamental", lambda total, half, quarter: (total + half + quarter) // 8, "quarter turns"),
    ("probe", lambda n, random: probe(n, random)[1:], "Level 0 is the empty board"),
    ("probe", lambda n, random: [1], "All 6 columns of the first row are free"),
    ("probe", children, "times the number of free columns"),
    ("probe", first_columns, "too far from the 153 nodes"),
    ("interval", lambda values: (0, 1), "not centred on the mean, 2"),
    ("interval", lambda values: (fmean(values) - 1.96 * stdev(values),
                                 fmean(values) + 1.96 * stdev(values)), "is that of one value"),
    ("interval", lambda values: (fmean(values) - 1, fmean(values) + 1), "has half the width"),
    ("probes_needed", lambda probes, error, wanted: probes * error / wanted, "do not halve"),
    ("probes_needed", lambda probes, error, wanted: probes, "depend on the number of probes?"),
]


@pytest.mark.parametrize("name", EXERCISES)
def test_a_right_answer_passes(name):
    assert repr(check(name, RIGHT[name])) == "Right."


@pytest.mark.parametrize(("name", "answer", "message"), WRONG)
def test_a_wrong_answer_is_told_what_is_wrong(name, answer, message):
    found = check(name, answer)
    assert not found.right
    assert found.text.startswith("Not yet. ")
    assert message in found.text


def test_every_exercise_has_wrong_answers():
    assert {name for name, *_ in WRONG} == set(EXERCISES)


@pytest.mark.parametrize("name", EXERCISES)
@pytest.mark.parametrize("nothing", [..., None])
def test_dots_are_no_answer(name, nothing):
    found = check(name, lambda *arguments: nothing)
    assert (found.right, found.text) == (
        False, "Not answered yet. Replace the dots by your answer.")


def test_an_unknown_exercise_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match="no exercise 'miror'; did you mean mirror"):
        check("miror", mirror)

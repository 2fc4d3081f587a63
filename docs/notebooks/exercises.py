"""The exercises of these notebooks, which check themselves.

A check says what is wrong with an answer, by the smallest example that it finds, but not how to
correct it:

>>> check("lowest_bit", lambda mask: mask & 1)
Not yet. For mask = 0b10 your function returns 0, which has no bit of the mask.
>>> check("lowest_bit", lambda mask: mask & -mask)
Right.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from math import isclose
from random import Random
from statistics import fmean, stdev
from typing import Any

from nqbench.errors import InvalidValueError, describe_error
from nqbench.problems.published import published
from nqbench.problems.queens import find
from nqbench.search import board
from nqbench.search.board import Columns
from nqbench.search.estimates import NORMAL
from nqbench.search.variants import Symmetry
from nqbench.util.arguments import require_text
from nqbench.util.text import unknown

Answer = Callable[..., Any]
PLACEMENTS = ((0,), (1, 3, 0, 2), (0, 2, 4, 1, 3), (1, 3, 5, 0, 2, 4), (0, 4, 7, 5, 2, 6, 1, 3))
LINES = ("row", "column", "diagonal")
PROBES = 3000  # of a student's function; their mean is within 5 standard errors


@dataclass(frozen=True)
class Verdict:
    """The result of a check: whether an answer is right, and what is wrong with it."""

    right: bool
    text: str

    def __repr__(self) -> str:
        return self.text


def check(name: str, answer: Answer) -> Verdict:
    """Check the answer to an exercise, a function.

    Raises
    ------
    TypeError, ValueError
        if there is no such exercise; the message has the nearest names.

    Examples
    --------
    >>> check("mirror", lambda columns: ...)
    Not answered yet. Replace the dots by your answer.
    >>> check("mirror", lambda columns: columns[::-1]).right
    False
    """
    if require_text(name, "exercise") not in EXERCISES:
        raise InvalidValueError(unknown("exercise", name, EXERCISES))
    try:
        fault = EXERCISES[name](answer)
    except _UnansweredError:
        return Verdict(False, "Not answered yet. Replace the dots by your answer.")
    except Exception as error:  # whatever a student's function raises
        return Verdict(False, f"Not yet. Your function fails: {describe_error(error)}")
    return Verdict(False, f"Not yet. {fault}") if fault else Verdict(True, "Right.")


class _UnansweredError(Exception):
    """The function still returns dots, or nothing."""


def _ask(answer: Answer, *arguments: Any) -> Any:
    found = answer(*arguments)
    if found is None or found is ...:
        raise _UnansweredError
    return found


def _placements(n: int) -> Iterator[Columns]:
    """Yield all placements of queens that do not attack each other on the first rows, in the order
    of the plain search.

    >>> list(_placements(2))
    [(), (0,), (1,)]
    """
    waiting: list[Columns] = [()]
    while waiting:
        columns = waiting.pop()
        yield columns
        if len(columns) < n:
            waiting += [(*columns, c) for c in reversed(range(n))
                        if not _attacked(columns, c)]


def _attacked(columns: Columns, column: int) -> str:
    """Return the line along which a queen attacks a square of the next row; empty if none does."""
    for distance, other in enumerate(reversed(columns), 1):
        if other == column:
            return "column"
        if abs(other - column) == distance:
            return "diagonal"
    return ""


def _check_attacks(answer: Answer) -> str | None:
    squares = [(row, column) for row in range(4) for column in range(4)]
    for p, q in product(squares, squares):
        if p == q:
            continue
        found, expected = bool(_ask(answer, p, q)), board.attacks(p, q)
        if found and not expected:
            return f"Your function says that queens on {p} and {q} attack each other; they do not."
        if expected and not found:
            line = LINES[0 if p[0] == q[0] else 1 if p[1] == q[1] else 2]
            return (f"Your function says that queens on {p} and {q} do not attack each other, but "
                    f"they share a {line}.")
    return None


def _check_free_columns(answer: Answer) -> str | None:
    for n in range(1, 6):
        for columns in _placements(n):
            if len(columns) == n:
                continue
            mask = _ask(answer, columns, n)
            where = f"For n = {n} and queens in the columns {list(columns)} your mask"
            if mask < 0 or mask >> n:
                return f"{where} is {mask:#b}, which has bits outside the {n} columns of the board."
            for column in range(n):
                line = _attacked(columns, column)
                if mask >> column & 1 and line:
                    return (f"{where} is {mask:#b}: it has column {column}, which a queen attacks "
                            f"along a {line}.")
                if not mask >> column & 1 and not line:
                    return f"{where} is {mask:#b}: it lacks column {column}, which is free."
    return None


def _check_lowest_bit(answer: Answer) -> str | None:
    for mask in range(1, 1 << 8):
        bit = _ask(answer, mask)
        where = f"For mask = {mask:#b} your function returns {bit}, which"
        if not bit & mask:
            return f"{where} has no bit of the mask."
        if bit & (bit - 1) or bit < 0:
            return f"{where} has more than one bit."
        if bit & ~(mask & -mask):
            return f"{where} is not the lowest bit."
    return None


def _check_numbers(answer: Answer, numbers: range, expected: Callable[[int], int], text: str,
                   many: str, few: str) -> str | None:
    for n in numbers:
        found, right = _ask(answer, n), expected(n)
        if found != right:
            return f"For n = {n} {text.format(found)}too {many if found > right else few}"
    return None


def _check_count_solutions(answer: Answer) -> str | None:
    return _check_numbers(
        answer, range(1, 9), published("A000170").__getitem__,
        "your search finds {} solutions. These are ",
        "many: is a queen placed on a square that is attacked?",
        "few: is each free column tried, and each solution counted?")


def _check_second_level(answer: Answer) -> str | None:
    return _check_numbers(
        answer, range(2, 10), lambda n: published("A319284")[n][2], "you say {} nodes: ",
        "many. For each first queen, which squares of the second row are attacked?",
        "few. A queen at the edge attacks fewer squares of the second row.")


def _check_count_levels(answer: Answer) -> str | None:
    for n in range(1, 8):
        found, expected = list(_ask(answer, n)), list(published("A319284")[n])
        if len(found) != n + 1:
            return (f"For n = {n} your list has {len(found)} entries. The levels are those of 0, "
                    f"1, ... {n} queens.")
        for level, (mine, true) in enumerate(zip(found, expected, strict=True)):
            if mine != true:
                hint = ("too many: is a placement counted before it is known that no queen attacks "
                        "another?" if mine > true else
                        "too few: the empty board and the solutions are nodes, too.")
                return f"For n = {n} you count {mine} nodes on level {level}. These are {hint}"
    return None


def _check_count_dead_ends(answer: Answer) -> str | None:
    for n in range(2, 8):
        found, tally = _ask(answer, n), find("iterative").profile(n)
        if found == tally.dead_ends:
            continue
        where = f"For n = {n} you count {found} dead ends."
        if found == tally.dead_ends + tally.solutions:
            return f"{where} That includes the solutions, which are no dead ends."
        if found == tally.exhaustions:
            return (f"{where} So often a row has no column left to try; but most of these nodes "
                    "had children.")
        return f"{where} A dead end is a node without children that is no solution."
    return None


def _check_image(answer: Answer, expected: Callable[[Columns], Columns], others: str) -> str | None:
    for columns in PLACEMENTS:
        found = tuple(_ask(answer, columns))
        if sorted(found) != list(range(len(columns))):
            return (f"For {columns} your function returns {found}, which has not one queen in each "
                    "column.")
        if found != expected(columns):
            other = found in board.images(columns)
            return f"For {columns} your function returns {found}, which is " + (
                f"another image of it: {others}" if other else "none of its eight images.")
    return None


def _check_orbit(answer: Answer) -> str | None:
    for columns in PLACEMENTS:
        found, expected = {tuple(each) for each in _ask(answer, columns)}, {*board.images(columns)}
        if found - expected:
            return (f"For {columns} your orbit has {min(found - expected)}, which is none of its "
                    "images.")
        if expected - found:
            return (f"For {columns} your orbit has {len(found)} placements, and "
                    f"{len(expected - found)} images are missing: combine turns and the mirror.")
    return None


def _check_fundamental(answer: Answer) -> str | None:
    for n in (8, 6, 12, 5, 4, 7, 9, 10, 11):
        true = Symmetry.of(n, published("A000170")[n])
        numbers = true.solutions, true.half_turn, true.quarter_turn
        found = _ask(answer, *numbers)
        if found != true.fundamental:
            hint = ("Solutions that a turn leaves unchanged have orbits of 4 or 2, not of 8."
                    if found == numbers[0] / 8 or found == numbers[0] // 8 else
                    "A solution that a quarter turn leaves unchanged is one that half a turn does, "
                    "too; two quarter turns are in the group, one each way.")
            return f"For n = {n} and the numbers {numbers} you return {found}. {hint}"
    return None


def _check_probe(answer: Answer) -> str | None:
    n, random = 6, Random(1)
    for _ in range(20):
        found = list(_ask(answer, n, random))
        if not found or found[0] != 1:
            return f"A probe returns {found}. Level 0 is the empty board: one node."
        if len(found) < 2 or found[1] != n:
            return f"A probe returns {found}. All {n} columns of the first row are free."
        if any(after % before for before, after in pairwise(found)):
            return (f"A probe returns {found}. Each entry is a multiple of the one before: times "
                    "the number of free columns.")
    totals = [sum(answer(n, random)) for _ in range(PROBES)]
    error = stdev(totals) / PROBES ** 0.5
    true = published("A319283")[n]
    if not error or abs(fmean(totals) - true) > 5 * error:
        return (f"The mean of {PROBES} probes is {fmean(totals):.1f}, too far from the {true} "
                "nodes of the tree. Is each free column chosen with the same probability, and does "
                "a probe end where none is free?")
    return None


def _check_interval(answer: Answer) -> str | None:
    for values in ([1.0, 3.0], [10.0, 12.0, 17.0, 13.0], [float(k * k) for k in range(100)]):
        low, high = _ask(answer, values)
        where = f"For the {len(values)} values {str(values)[:30]}... your interval"
        middle, spread = fmean(values), NORMAL * stdev(values)
        if not isclose((low + high) / 2, middle, rel_tol=1e-6):
            return f"{where} is not centred on the mean, {middle:g}."
        wide = (high - low) / 2
        if isclose(wide, spread, rel_tol=0.05):
            return f"{where} is that of one value; the mean of many varies less."
        if not isclose(wide, spread / len(values) ** 0.5, rel_tol=0.005):
            return (f"{where} has half the width {wide:.4g}. It is {NORMAL:.3g} standard errors; "
                    "divide by one less than the number of values for the variance.")
    return None


def _check_probes_needed(answer: Answer) -> str | None:
    for probes, error, wanted in ((1000, 10.0, 10.0), (1000, 10.0, 5.0), (400, 3.0, 1.0)):
        found = _ask(answer, probes, error, wanted)
        expected = probes * (error / wanted) ** 2
        if not isclose(found, expected, rel_tol=0.01):
            hint = ("Twice the probes do not halve the error."
                    if isclose(found, probes * error / wanted, rel_tol=0.01) else
                    "How does the standard error depend on the number of probes?")
            return (f"With {probes} probes the error is {error:g}, and {wanted:g} is wanted: you "
                    f"say {found} probes. {hint}")
    return None


# Each returns what is wrong with an answer; None if nothing is.
EXERCISES: dict[str, Callable[[Answer], str | None]] = {
    "attacks": _check_attacks,
    "free_columns": _check_free_columns,
    "lowest_bit": _check_lowest_bit,
    "count_solutions": _check_count_solutions,
    "second_level": _check_second_level,
    "count_levels": _check_count_levels,
    "count_dead_ends": _check_count_dead_ends,
    "mirror": partial(_check_image, expected=board.mirror, others="rows stay where they are, "
                      "columns are swapped left to right."),
    "quarter_turn": partial(_check_image, expected=board.rotate, others="turn clockwise, so the "
                            "top row becomes the right column, and do not mirror."),
    "orbit": _check_orbit,
    "fundamental": _check_fundamental,
    "probe": _check_probe,
    "interval": _check_interval,
    "probes_needed": _check_probes_needed,
}

"""Reproduce tables of the literature: each is a file in nqbench/problems/published/tables, which
names its source, what it counts in the words of that, and where its values were seen.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice, pairwise
from math import factorial
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.problems import published
from nqbench.problems.forecast import predict_search
from nqbench.problems.instances import Board
from nqbench.problems.plugins import find
from nqbench.search.tally import GaveUpError, Tally
from nqbench.util.text import spaced, unknown

FOLDER = Path(str(published.__file__)).parent / "tables"
ALL = "tables"  # the name of all
EQUAL, CONVENTION, DIFFERS = "equal", "differs by a known convention", "differs"
ROW_KEYS = {"what", "search", "n", "values"}
OTHER_KEYS = {"add", "within", "convention", "seeds"}
Reached = Sequence[tuple[int, int, Sequence[int]]]  # tests, nodes and columns, by solution


@dataclass(frozen=True)
class Cell:
    """A published value, and what a search counts: its `status` is EQUAL, CONVENTION, DIFFERS, or
    says what is missing.
    """

    table: str
    what: str
    search: str
    n: int
    expected: Any
    got: Any
    status: str
    convention: str = ""


def between(counts: Iterable[int]) -> list[int]:
    """Return what was counted from each solution to the next, given the counts at each."""
    return [after - before for before, after in pairwise([0, *counts])]


def conflicts(columns: Sequence[int]) -> tuple[int, int, int, int]:
    """Return how many pairs of queens share a diagonal of the torus, how many queens are in such
    pairs, how many groups these connect, and the size of the largest group, at least 1.

    >>> conflicts((1, 3, 0, 2)), conflicts((0, 2, 4, 1, 3))
    ((2, 4, 2, 2), (0, 0, 0, 1))
    """
    n = len(columns)
    groups = [{row} for row in range(n)]
    pairs = [(row, other) for row, other in combinations(range(n), 2) if not (
        columns[row] - columns[other] - row + other) % n or not (
        columns[row] - columns[other] + row - other) % n]
    for pair in pairs:
        joined = [group for group in groups if group.intersection(pair)]
        groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    sizes = [len(group) for group in groups if len(group) > 1]
    return len(pairs), sum(sizes), len(sizes), max(sizes, default=1)


def spread(which: int, n: int, reached: Reached) -> list[int]:
    """Return how many solutions have 0, 1, ... n of what `conflicts` returns."""
    found = Counter(conflicts(columns)[which] for _, _, columns in reached)
    return [found[number] for number in range(n + 1)]


# What a table counts, besides the counters of a search, from its tally and what it reached.
DERIVED: dict[str, Callable[[int, Tally, Reached], Any]] = {
    "solutions": lambda n, tally, reached: tally.solutions,
    "tests_between": lambda n, tally, reached: between(tests for tests, _, _ in reached),
    "nodes_between": lambda n, tally, reached: between(nodes for _, nodes, _ in reached),
    "torus_conflicts": lambda n, tally, reached: spread(0, n, reached),
    "torus_queens": lambda n, tally, reached: spread(1, n, reached),
    "torus_groups": lambda n, tally, reached: spread(2, n, reached),
    "torus_largest": lambda n, tally, reached: spread(3, n, reached),
    "tests_of_free_columns": lambda n, tally, reached: sum(
        nodes * (n - level) for level, nodes in enumerate(tally.levels)),
    "permutations_tried": lambda n, tally, reached: 1 + sum(
        nodes * (n - level - 1) for level, nodes in enumerate(tally.levels[:n])),
    "unpruned": lambda n, tally, reached: sum(n**level for level in range(n + 1)),
    "permutations": lambda n, tally, reached: factorial(n)}
BY_HAND = "unpruned", "permutations"  # which need no search


def names() -> list[str]:
    """Return the names of the tables.

    >>> "knuth-2000" in names()
    True
    """
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def read(name: str) -> dict[str, Any]:
    """Return a table: source, seen, counter, and rows.

    Raises
    ------
    InvalidValueError
        if there is none, or if its file is damaged.
    """
    if name not in names():
        raise InvalidValueError(unknown("table", name, [*names(), ALL]))
    path = FOLDER / f"{name}.toml"
    try:
        found = tomllib.loads(path.read_text("utf-8"))
        if foreign := {"source", "seen", "counter", "rows"} ^ found.keys():
            raise ValueError(f"it lacks, or should not have, {min(foreign)}")
        for row in found["rows"]:
            if foreign := row.keys() - ROW_KEYS - OTHER_KEYS or ROW_KEYS - row.keys():
                raise ValueError(f"a row lacks, or should not have, {min(foreign)}")
            if row.keys() & {"add", "within"} and not row.get("convention"):
                raise ValueError("a row with add or within names no convention")
            if row.get("seeds", 1) < 1:
                raise ValueError("seeds must be 1 or more")
            first = row["n"]
            row["cells"] = [*zip(first if isinstance(first, list) else range(
                first, first + len(row["values"])), row["values"], strict=True)]
    except (OSError, ValueError) as error:
        raise InvalidValueError(f"{path} is no table: {error}") from None
    except (AttributeError, TypeError):
        raise InvalidValueError(f"{path} is no table: n must be a number or a list, values a list, "
                                "and rows tables") from None
    return found


def reproduce(names: Iterable[str], max_n: int, budget: float) -> list[Cell]:
    """Return the cells of these tables. Those of n up to `max_n` are computed within the budget, in
    seconds, the smallest n first.

    Raises
    ------
    InvalidValueError
        as `read` does, or if a row names no search.

    Examples
    --------
    >>> {cell.status for cell in reproduce(["haralick-elliott-1980"], 8, 60)}
    {'equal'}
    """
    made, cells = _Made(perf_counter() + budget), []
    asked = [(name, row, n, value) for name in names for row in read(name)["rows"]
             for n, value in row["cells"]]
    for place in sorted(range(len(asked)), key=lambda place: asked[place][2]):
        name, row, n, value = asked[place]
        got, status = None, "above --max-n" * (n > max_n and row["what"] not in BY_HAND)
        with suppress(GaveUpError):
            got = None if status else made.count(row, row["search"], n, value)
            status = status or compare(got, value, row)
        cells.append((place, Cell(name, row["what"], row["search"], n, value, got,
                                  status or "no time left", row.get("convention", ""))))
    return [cell for _, cell in sorted(cells, key=lambda each: each[0])]


class _Made:
    """What searches have counted, each once, until an end."""

    def __init__(self, end: float) -> None:
        self.end = end
        self.tallies: dict[tuple[str, int, int | None], tuple[Tally, Reached]] = {}

    def count(self, row: Mapping[str, Any], search: str, n: int, value: Any) -> Any:
        """Return what a search counts for n, or the mean over seeds; None if it does not count
        that. Of a list of values, only as many as are published. Raise GaveUpError at the end.
        """
        what = row["what"]
        if "seeds" in row and search == row["search"]:
            return fmean(self.count(row, f"{search}:{seed}", n, value)
                         for seed in range(row["seeds"]))
        key = search, n, (1 if what.endswith("_to_first") else
                          len(value) if what.endswith("_between") else
                          None if what.startswith("torus") else 0)
        if key not in self.tallies and what not in BY_HAND:
            self.tallies[key] = self.follow(*key)
        tally, reached = self.tallies.get(key, (Tally(0), []))
        got = DERIVED[what](n, tally, reached) if what in DERIVED else tally.counters().get(what)
        return got[:len(value)] if isinstance(got, list) else got

    def follow(self, search: str, n: int, most: int | None) -> tuple[Tally, Reached]:
        """Return the tally of a search, and what it reached: nothing if `most` is 0, which can be
        counted by a compiled core, else that many solutions, or all.
        """
        algorithm, left = find(search, None), self.end - perf_counter()
        if left <= 0:
            raise GaveUpError(0, 0.0)
        if most == 0 and algorithm.problem == "queens":
            run = partial(algorithm.profile, implementation=[*algorithm.implementations][-1])
            if (predict_search(algorithm, n, run) or 0.0) > left:
                raise GaveUpError(0, 0.0)
            return run(n), []
        instance = Board(n) if algorithm.problem == "instances" else n
        tally = algorithm.tally(instance, seconds=left)
        reached = [(tally.tests, tally.nodes, found) for found in islice(
            algorithm.python.follow(instance, tally), most or None)]
        tally.solutions = len(reached)
        return tally, reached


def compare(got: Any, value: Any, row: Mapping[str, Any]) -> str:
    """Return the status of a cell: a text is rounded to its digits, as in "1.01e7", and `within` is
    a share of the value.

    >>> compare(10103867, "1.01e7", {}), compare(15720, 15721, {"add": 1, "convention": "the root"})
    ('equal', 'differs by a known convention')
    >>> compare(58.3, 48.8, {"within": 0.1, "convention": "means"})
    'differs'
    """
    if got is None:
        return f"{row['search']} does not count {row['what']}"
    moved = got + row["add"] if "add" in row else got
    if isinstance(value, str):
        digits = len(value.partition("e")[0]) - 2
        same = f"{moved:.{digits}e}".replace("e+0", "e").replace("e+", "e") == value
    else:
        same = moved == value or ("within" in row and abs(moved - value) <= row["within"] * value)
    return DIFFERS if not same else CONVENTION if row.get("convention") else EQUAL


def describe(value: Any) -> str:
    """Return a value, or what is missing, as text.

    >>> describe([1, 4, 6]), describe(None), describe(56.0)
    ('1 4 6', '', '56.0')
    """
    return "" if value is None else f"{value:.1f}" if isinstance(value, float) else spaced(value)

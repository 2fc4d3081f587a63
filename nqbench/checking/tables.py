"""Reproduce tables of the literature: each is a file in nqbench/problems/published/tables, which
names its source, what it counts in the words of that, and where its values were seen.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice, pairwise
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

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


# What a table counts, besides the counters of a search, from its tally and what it may yield.
DERIVED: dict[str, Callable[[int, Tally, Sequence[int]], Any]] = {
    "solutions": lambda n, tally, tests: tally.solutions,
    "leaves": lambda n, tally, tests: tally.dead_ends + tally.solutions,
    "tests_between": lambda n, tally, tests: [after - before for before, after in pairwise(
        [0, *tests])],
    "tests_of_free_columns": lambda n, tally, tests: sum(
        nodes * (n - level) for level, nodes in enumerate(tally.levels)),
    "unpruned": lambda n, tally, tests: sum(n**level for level in range(n + 1)),
    "permutations": lambda n, tally, tests: factorial(n)}
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
        self.tallies: dict[tuple[str, int, int | None], tuple[Tally, list[int]]] = {}

    def count(self, row: Mapping[str, Any], search: str, n: int, value: Any) -> Any:
        """Return what a search counts for n, or the mean over seeds; None if it does not count
        that. Of a list of values, only as many as are published. Raise GaveUpError at the end.
        """
        what = row["what"]
        if "seeds" in row and search == row["search"]:
            return fmean(self.count(row, f"{search}:{seed}", n, value)
                         for seed in range(row["seeds"]))
        key = search, n, (1 if what.endswith("_to_first") else
                          len(value) if what == "tests_between" else None)
        if key not in self.tallies and what not in BY_HAND:
            self.tallies[key] = self.follow(*key)
        tally, tests = self.tallies.get(key, (Tally(0), []))
        got = DERIVED[what](n, tally, tests) if what in DERIVED else tally.counters().get(what)
        return got[:len(value)] if isinstance(got, list) else got

    def follow(self, search: str, n: int, most: int | None) -> tuple[Tally, list[int]]:
        """Return the tally of a search, and its tests at each solution, of the first ones if
        `most`.
        """
        algorithm, left = find(search, None), self.end - perf_counter()
        if left <= 0:
            raise GaveUpError(0, 0.0)
        if most is None and algorithm.problem == "queens":
            run = partial(algorithm.profile, implementation=[*algorithm.implementations][-1])
            if (predict_search(algorithm, n, run) or 0.0) > left:
                raise GaveUpError(0, 0.0)
            return run(n), []
        instance = Board(n) if algorithm.problem == "instances" else n
        tally = algorithm.tally(instance, seconds=left)
        tests = [tally.tests for _ in islice(algorithm.python.follow(instance, tally), most)]
        tally.solutions = len(tests)
        return tally, tests


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

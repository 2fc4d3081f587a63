"""Published sequences, a row of a table for each, with how to compute their values. These, and the
titles, are in sequences.json.

Values are read often, so the functions import what takes long themselves.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from itertools import takewhile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from nqbench.errors import InvalidValueError
from nqbench.search import sets
from nqbench.search.algorithm import Tree
from nqbench.search.symmetry import half_turn, quarter_turn
from nqbench.util.discovery import Members

if TYPE_CHECKING:
    from nqbench.problems.queens import QueensAlgorithm
    from nqbench.search.tally import Tally

FIRST_N = 64  # the largest n of `nqbench.engine.first_search`
ROWS = ("outwards", "downwards")  # their order in `nqbench.engine.count_levels`
PLACEMENTS_A_NODE = 500  # of the pruned search, in about the same time (docs/sequences.md)


@dataclass(frozen=True)
class Sequence:
    """A published sequence. To add one, write a row of `TABLE`, with its values or with a name in
    sequences.json.

    Attributes
    ----------
    name
        the OEIS number.
    title
        what it counts.
    first_n, values
        the published values: `values[0]` belongs to n = `first_n`. A value is a number, or a list
        with a number for each level.
    source
        who published the values; by default the OEIS.
    measure
        a function of an algorithm, the name of an implementation and n, which returns the
        measurement. Sequences that share the function share the measurement.
    value
        a function that returns the value from the measurement; by default the measurement itself.
    able
        a function that returns whether an algorithm can answer; by default, every one that finds
        all solutions can.
    problem
        the problem whose algorithms answer, a file of `nqbench/problems/`.
    reach
        the largest n of `measure` if this does not depend on the algorithm; None if it does.
    cost
        what `measure` costs for n, in any unit; None where that is not known.
    begins
        the first n that can be computed; by default that of the published values.
    engines
        compiled engines by name, each a function that returns the measurement for n; `nqbench
        sequence` uses them first.

    Examples
    --------
    The function and the row of A002378, the number of nodes in the second level of the plain tree:

    >>> def second_level(tally):
    ...     return tally.levels[2]
    >>> SEQUENCE = Sequence(
    ...     "A002378", "Oblong numbers", 2, (0, 2, 6, 12, 20),
    ...     source="OEIS A002378, shifted by two",
    ...     measure=tree, value=second_level, able=plain)

    What `nqbench.checking.verification` does with it:

    >>> from nqbench.problems.queens import find
    >>> SEQUENCE.value(SEQUENCE.measure(find("recursive"), "python", 5)) == SEQUENCE[5]
    True
    """

    name: str
    title: str
    first_n: int
    values: tuple[Any, ...]
    _: KW_ONLY
    source: str = ""
    measure: Callable[[Any, str, int], Any]
    value: Callable[[Any], Any] = lambda measured: measured
    able: Callable[[Any], bool] = lambda algorithm: True
    problem: str = "queens"
    reach: int | None = None
    cost: Callable[[int], float | None] = lambda n: None
    begins: int | None = None
    engines: Mapping[str, Callable[[int], Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.source:
            object.__setattr__(self, "source", f"OEIS {self.name}")

    def __contains__(self, n: int) -> bool:
        return 0 <= n - self.first_n < len(self.values)

    def __getitem__(self, n: int) -> Any:
        """Return the value for n.

        Raises
        ------
        ValueError
            if none was published for that n.
        """
        if n not in self:
            raise InvalidValueError(
                f"{self.name} is published for n from {self.first_n} to "
                f"{self.first_n + len(self.values) - 1}, not for {n}")
        return self.values[n - self.first_n]

    def get(self, n: int) -> Any:
        """Return the value for n, or None if none was published."""
        return self.values[n - self.first_n] if n in self else None

    def up_to(self, n: int) -> Iterator[tuple[int, Any]]:
        """Yield (m, value) for every m <= n that has one."""
        return takewhile(lambda entry: entry[0] <= n, enumerate(self.values, self.first_n))


def published(name: str) -> Sequence:
    """Return the sequence of that OEIS number.

    >>> published("A000170")[8]
    92
    >>> published("A319284")[4]
    [1, 4, 6, 4, 2]
    >>> published("A000001")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no sequence 'A000001'; did you mean A000170 or A00...
    """
    return SEQUENCES.find(name)


def stands_in(algorithm: "QueensAlgorithm") -> bool:
    """Return whether the algorithm is bitmask. The value does not depend on the algorithm, and is
    computed once by each implementation, compiled and in Python.
    """
    return algorithm.name == "bitmask"


def counts_turns(algorithm: "QueensAlgorithm") -> bool:
    """Return whether the algorithm counts the solutions of each symmetry separately."""
    return algorithm.counts_turns


def plain(algorithm: "QueensAlgorithm") -> bool:
    """Return whether the algorithm searches the plain tree."""
    return algorithm.tree == Tree.PLAIN


def tree(algorithm: "QueensAlgorithm", implementation: str, n: int) -> "Tally":
    """Return the counters of a search for all solutions."""
    return algorithm.profile(n, implementation)


def count(rows: str, n: int) -> SimpleNamespace:
    """Return the levels and the nodes, counted by the engine in this order of the rows."""
    from nqbench.engine import count_levels

    levels = count_levels(n, rows=rows)
    return SimpleNamespace(levels=levels, nodes=sum(levels))


ENGINES = {f"levels {rows}": partial(count, rows) for rows in ROWS}


def sizes(algorithm: "QueensAlgorithm", implementation: str, n: int) -> list[int]:
    """Return the number of sets of k nonattacking queens, for k = 0 to n."""
    return sets.sets_by_size(n, implementation)


def threshold(algorithm: "QueensAlgorithm", implementation: str, n: int) -> int:
    """Return the threshold: in Python by completing each set, compiled by covering the sets with
    the solutions.
    """
    from nqbench.problems.instances import Board, solve

    if implementation != "python":
        return sets.completion_threshold(n, algorithm.solutions(n))
    return next(size - 1 for size in range(1, n + 1)
                if any(not solve(Board(n, placed=queens), seconds=None).found
                       for queens in sets.sets_of_size(n, size)))


def pairs(algorithm: "QueensAlgorithm", implementation: str, n: int) -> int:
    """Return the number of orbits of two solutions; the sequence counts the single queen, too."""
    return quarter_turn(n, implementation) // 2 if n > 1 else 1


def first(algorithm: "QueensAlgorithm", implementation: str, n: int) -> list[int]:
    """Return the columns of the first solution, from 1; zeros if there is none.

    The compiled search rejects prefixes; that in Python is the plain one.
    """
    columns, _ = _find_first(implementation, n, count=False)
    return [0] * n if columns is None else [column + 1 for column in columns]


def tried(algorithm: "QueensAlgorithm", implementation: str, n: int) -> int:
    """Return the squares tried: one by one in Python, by counting subtrees if compiled."""
    return _find_first(implementation, n, count=True)[1] or 0


def _find_first(implementation: str, n: int, count: bool) -> tuple[Any, int | None]:
    """Return the columns of the first solution and the squares tried."""
    from nqbench.engine import first_search, first_solution

    if implementation == "python":
        return first_solution.search(n)
    found = first_search.find_first(n, count=count)
    return found.columns, found.tried


def cost(n: int) -> float | None:
    """Return the cost of both searches in placements, None if it is not known. It cannot be
    predicted from smaller n: odd n take far fewer placements than even n.
    """
    from nqbench.problems.published.first_solutions import FIRST_SOLUTIONS  # it needs this sequence

    known = FIRST_SOLUTIONS.get(n)
    if known is None or known.placements is None:
        return None
    return known.placements + PLACEMENTS_A_NODE * known.nodes


_PUBLISHED: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


def _read(name: str, **how: Any) -> Sequence:
    """Return the sequence whose published values are in sequences.json."""
    found = _PUBLISHED[name]
    return Sequence(name, **{**found, "values": tuple(found["values"])}, **how)


TABLE: tuple[Sequence, ...] = (
    _read("A000170", measure=lambda algorithm, way, n: algorithm.count(n, way)),
    _read("A002562", measure=lambda algorithm, way, n: algorithm.unique(n, way)),
    _read("A007705", measure=lambda algorithm, way, n: sets.toroidal(2 * n + 1, way),
          able=stands_in, reach=15),
    _read("A032522", measure=lambda algorithm, way, n: half_turn(n, way), able=counts_turns),
    _read("A033148", measure=lambda algorithm, way, n: quarter_turn(n, way), able=counts_turns),
    _read("A140450", measure=tried, able=stands_in, reach=FIRST_N, cost=cost),
    _read("A141843", measure=first, able=stands_in, reach=FIRST_N, begins=1),
    _read("A146303", measure=lambda algorithm, way, n: sets.maximal_sets(n, way), able=stands_in,
          reach=sets.LARGEST_N),
    _read("A260318", measure=pairs, able=counts_turns),
    _read("A260319",
          measure=lambda algorithm, way, n: (half_turn(n, way) - quarter_turn(n, way)) // 4,
          able=counts_turns),
    _read("A260320",
          measure=lambda algorithm, way, n: (algorithm.count(n, way) - half_turn(n, way)) // 8,
          able=counts_turns),
    _read("A287227", measure=sizes, value=sum, able=stands_in, reach=sets.LARGEST_N),
    _read("A319283", measure=tree, value=lambda tally: tally.nodes, able=plain, engines=ENGINES),
    _read("A319284", measure=tree, value=lambda tally: tally.levels, able=plain, engines=ENGINES),
    _read("A319288", measure=tree, value=lambda tally: tally.levels.index(max(tally.levels)),
          able=plain, engines=ENGINES),
    _read("A348129", measure=sizes, able=stands_in, reach=sets.LARGEST_N),
    _read("A374013", measure=threshold, able=stands_in, reach=sets.LARGEST_N),
)

SEQUENCES: Members[Sequence] = Members(
    "sequence", {sequence.name: sequence for sequence in TABLE})

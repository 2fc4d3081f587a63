"""Published sequences, a row of a table for each, with how to compute their values. These, and the
titles, are in sequences.json.

Values are read often, so the functions import what takes long themselves.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from functools import partial
from itertools import combinations, takewhile
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nqbench.errors import InvalidValueError
from nqbench.search.algorithm import Tree
from nqbench.search.board import Square
from nqbench.search.variants import LARGEST_N, LINES, LineRule, Variant, half_turn, quarter_turn
from nqbench.util.discovery import Members

if TYPE_CHECKING:
    from nqbench.problems.queens import QueensAlgorithm
    from nqbench.search.tally import Tally

MOST_SIDE = 100  # of a board that Python alone searches


class Way(NamedTuple):
    """A way to measure a term: its name, its largest n, and a function that returns the
    measurement, None if it cannot for that n.
    """

    name: str
    largest: float
    measure: Callable[[int], Any]


def identity(measured: Any) -> Any:
    """Return the measurement, which is the value of most sequences."""
    return measured


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
    begins
        the first n that can be computed; by default that of the published values.
    ways
        a function that returns further ways to measure it; `nqbench verify` uses them first.
    implementations
        those of the algorithms that answer; by default all.

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
    value: Callable[[Any], Any] = identity
    able: Callable[[Any], bool] = lambda algorithm: True
    problem: str = "queens"
    reach: int | None = None
    begins: int | None = None
    ways: Callable[[], Iterable[Way]] = tuple
    implementations: tuple[str, ...] | None = None

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


counts_turns = attrgetter("counts_turns")  # whether it counts those of each symmetry separately


def plain(algorithm: "QueensAlgorithm") -> bool:
    """Return whether the algorithm searches the plain tree."""
    return algorithm.tree == Tree.PLAIN


def tree(algorithm: "QueensAlgorithm", implementation: str, n: int) -> "Tally":
    """Return the counters of a search for all solutions."""
    return algorithm.profile(n, implementation)


def threshold(algorithm: "QueensAlgorithm", implementation: str, n: int) -> int:
    """Return the threshold: in Python by completing each set, compiled by covering the sets with
    the solutions.
    """
    from nqbench.problems.instances import Board, solve

    if implementation != "python":
        return completion_threshold(n, algorithm.solutions(n))
    squares = [(row, column) for row in range(n) for column in range(n)]
    return next(size - 1 for size in range(1, n + 1)
                if any(not board.contradiction and not solve(board, seconds=None).found
                       for queens in combinations(squares, size)
                       for board in [Board(n, placed=queens)]))


def completion_threshold(n: int, solutions: Iterable[tuple[int, ...]]) -> int:
    """Return the largest k such that all sets of k or fewer nonattacking queens are parts of
    solutions, given all `solutions`; n must have one.

    >>> completion_threshold(5, [(c, (c + 2) % 5, (c + 4) % 5, (c + 1) % 5, (c + 3) % 5)
    ...     for c in range(5)] + [(c, (c + 3) % 5, (c + 1) % 5, (c + 4) % 5, (c + 2) % 5)
    ...     for c in range(5)])
    1
    """
    found = [[row * n + column for row, column in enumerate(columns)] for columns in solutions]
    sets = SETS.levels(n)
    for size in range(1, n + 1):
        covered: set[tuple[int, ...]] = set()
        for squares in found:
            covered.update(combinations(squares, size))
            if len(covered) == sets[size]:
                break
        if len(covered) < sets[size]:
            return size - 1
    return n


def pairs(algorithm: "QueensAlgorithm", implementation: str, n: int) -> int:
    """Return the number of orbits of two solutions; the sequence counts the single queen, too."""
    return quarter_turn(n, implementation) // 2 if n > 1 else 1


def first(algorithm: "QueensAlgorithm", implementation: str, n: int) -> list[int]:
    """Return the columns of the first solution, from 1; zeros if there is none."""
    columns = (search_plainly(n)[0] if implementation == "python" else
               next(iter(algorithm.solutions(n, implementation)), None))
    return [0] * n if columns is None else [column + 1 for column in columns]


def tried(algorithm: "QueensAlgorithm", implementation: str, n: int) -> int:
    """Return the squares tried: one by one in Python; compiled, n for each placement before the
    first solution that has no completion, and 1 to n on the path to it.
    """
    if implementation == "python":
        return search_plainly(n)[1]
    tally = algorithm.profile(n, implementation)
    if not tally.nodes_to_first:
        return n * tally.nodes
    return n * (tally.nodes_to_first - n - 1) + n * (n + 1) // 2


def search_plainly(n: int) -> tuple[tuple[int, ...] | None, int]:
    """Return the first solution, or None, and the number of squares tried, by the listing
    `recursive`.

    >>> search_plainly(4), search_plainly(3)
    (((1, 3, 0, 2), 26), (None, 18))
    """
    from nqbench.problems.queens import find

    search = find("recursive")
    tally = search.tally(n)
    return next(iter(search.python.follow(n, tally)), None), tally.tests


_PUBLISHED: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


def _read(name: str, **how: Any) -> Sequence:
    """Return the sequence whose published values are in sequences.json."""
    found = _PUBLISHED[name]
    return Sequence(name, **{**found, "values": tuple(found["values"])}, **how)


def odd(n: int) -> int:
    return 2 * n + 1


def beside(pawn: Callable[[int], Square]) -> tuple[LineRule, ...]:
    """Return the lines of queens, interrupted by a pawn: a function of the side."""
    def split(line: LineRule) -> LineRule:
        def common(side: int, row: int, column: int) -> Any:
            place, own = pawn(side), line(side, row, column)
            return own, own == line(side, *place) and (row, column) > place
        return common
    return tuple(map(split, LINES.values()))


SUPERQUEENS = Variant("Ways to place n superqueens, which attack like queens and like knights",
                      leaps=((1, 2), (2, 1)))
SEMIQUEENS = Variant("Ways to place n rooks, at most one in each diagonal of one kind",
                     lines=("rows", "columns", "sums"), group=("transpose", "half turn"))
TORUS = Variant("Ways to place 2n+1 queens on a torus", torus=True, side=odd, pieces=odd)
SETS = Variant("Sets of nonattacking queens", pieces="any")
MAXIMAL = Variant("Sets of nonattacking queens that leave no square free", pieces="maximal")
CENTRE = Variant("Ways to place 2n+2 queens beside a pawn in the centre of 2n+1 rows",
                 lines=beside(lambda side: (side // 2, side // 2)),
                 holes=lambda side, row, column: row == column == side // 2, side=odd,
                 pieces=lambda n: 2 * n + 2)


def count_with_pawn(cover: bool, n: int) -> int:
    """Return the number of ways to place n + 1 queens and a pawn, by a search or as a cover."""
    def beside_it(pawn: Square) -> Variant:
        return Variant("Queens beside a pawn", lines=beside(lambda side: pawn), group=(),
                       holes=lambda side, row, column: (row, column) == pawn,
                       pieces=lambda n: n + 1)

    variants = [beside_it((row, column)) for row in range(n) for column in range(n)]
    return sum(variant.cover(n) or 0 if cover else variant.count(n) for variant in variants)


def with_pawn_up_to_symmetry(cover: bool, n: int) -> int:
    """Return the same up to symmetry, by Burnside's lemma. No placement of n > 1 is its own mirror
    image: one pair of queens at most has the pawn between them. A turn leaves the pawn in place.
    """
    whole = published("A103330").get(n) or count_with_pawn(cover, n)
    half, quarter = ((CENTRE.cover if cover else CENTRE.fixed)(n // 2, turn) or 0
                     if n % 2 and n > 1 else 0 for turn in ("half turn", "quarter turn"))
    return (whole + half + 2 * quarter) // 8


def _by_two_searches(name: str, count: Callable[[bool, int], int]) -> Sequence:
    """Return the sequence that a search in Python and an exact cover count."""
    return _read(name, measure=lambda algorithm, way, n: count(False, n), able=stands_in,
                 implementations=("python",), reach=LARGEST_N,
                 ways=lambda: [Way("exact cover", LARGEST_N, partial(count, True))])


def of_variant(variant: Variant, name: str, what: str = "terms") -> Sequence:
    """Return the sequence that a user declares: its terms, the levels of its tree, or the numbers
    of orbits.

    >>> rooks = Variant("Rooks", lines=("rows", "columns"), values=(1, 2, 6))
    >>> sequence = of_variant(rooks, "rooks")
    >>> sequence[3] == sequence.value(sequence.measure(None, "python", 3)) == 6
    True
    """
    levels = what != "orbits"
    measure = Variant.levels if levels else Variant.orbits
    ways = [Way("brute force", variant.brute_reach, lambda n: [variant.brute_force(n)])]
    return Sequence(
        variant.name or name, variant.title, variant.first_n,
        tuple(variant.values) if what == "terms" else (),
        source=variant.source or "its declaration",
        measure=lambda algorithm, way, n: measure(variant, n, way), able=stands_in,
        value=variant.total if what == "terms" else identity,
        ways=lambda: ways if what == "terms" else [],
        reach=LARGEST_N if variant.core else MOST_SIDE,
        implementations=None if variant.core else ("python",))


def _declared(name: str, variant: Variant, measure: Callable[..., Any] | None = None,
              **how: Any) -> Sequence:
    """Return the sequence of a variant: by default its number of solutions."""
    count, value = (measure, identity) if measure else (Variant.levels, variant.total)
    return _read(name, **{"measure": lambda algorithm, way, n: count(variant, n, way),
                          "value": value, "able": stands_in, "reach": LARGEST_N, **how})


def _orbits(size: int, variant: Variant, n: int, way: str) -> int:
    """Return the number of orbits of 2, 4 or 8 solutions; none is its own mirror image."""
    half, quarter = (variant.fixed(n, turn, way) for turn in ("half turn", "quarter turn"))
    if n == 1:
        return 0
    return {2: quarter // 2, 4: (half - quarter) // 4,
            8: size == 8 and (variant.count(n, way) - half) // 8}[size]


TABLE: tuple[Sequence, ...] = (
    _read("A000170", measure=lambda algorithm, way, n: algorithm.count(n, way)),
    _read("A002562", measure=lambda algorithm, way, n: algorithm.unique(n, way)),
    _declared("A007705", TORUS, Variant.count, reach=15),
    _read("A032522", measure=lambda algorithm, way, n: half_turn(n, way), able=counts_turns),
    _read("A033148", measure=lambda algorithm, way, n: quarter_turn(n, way), able=counts_turns),
    _declared("A051223", SUPERQUEENS),
    _declared("A051224", SUPERQUEENS, Variant.orbits),
    _declared("A099152", SEMIQUEENS),
    _by_two_searches("A103330", count_with_pawn),
    _by_two_searches("A103331", with_pawn_up_to_symmetry),
    _read("A140450", measure=tried, able=stands_in, reach=LARGEST_N),
    _read("A141843", measure=first, able=stands_in, reach=LARGEST_N, begins=1),
    _declared("A146303", MAXIMAL, Variant.count),
    _read("A260318", measure=pairs, able=counts_turns),
    _read("A260319",
          measure=lambda algorithm, way, n: (half_turn(n, way) - quarter_turn(n, way)) // 4,
          able=counts_turns),
    _read("A260320",
          measure=lambda algorithm, way, n: (algorithm.count(n, way) - half_turn(n, way)) // 8,
          able=counts_turns),
    _declared("A287227", SETS),
    _read("A319283", measure=tree, value=lambda tally: tally.nodes, able=plain),
    _read("A319284", measure=tree, value=lambda tally: tally.levels, able=plain),
    _read("A319288", measure=tree, value=lambda tally: tally.levels.index(max(tally.levels)),
          able=plain),
    _declared("A348129", SETS, Variant.levels),
    *(_declared(name, SUPERQUEENS, partial(_orbits, size))
      for name, size in (("A352661", 2), ("A352662", 4), ("A352663", 8))),
    _read("A374013", measure=threshold, able=stands_in, reach=LARGEST_N),
)

SEQUENCES: Members[Sequence] = Members("sequence", {sequence.name: sequence for sequence in TABLE})

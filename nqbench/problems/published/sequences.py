"""Published sequences, a row of a table for each, with the values and how to compute them.

Values are read often, so the functions import what takes long themselves.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from itertools import takewhile
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
ROWS = ("outwards", "downwards")  # their order in `nqbench.engine.levels`
PLACEMENTS_A_NODE = 500  # of the pruned search, in about the same time (docs/sequences.md)


@dataclass(frozen=True)
class Sequence:
    """A published sequence. To add one, write a row of `TABLE`.

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
    from nqbench.engine.levels import count_levels

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


TABLE: tuple[Sequence, ...] = (
    Sequence(
        "A000170", "Number of ways of placing n nonattacking queens on an n X n board",
        0, (1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512,
            95815104, 666090624, 4968057848, 39029188884, 314666222712, 2691008701644,
            24233937684440, 227514171973736, 2207893435808352, 22317699616364044,
            234907967154122528),
        measure=lambda algorithm, way, n: algorithm.count(n, way)),
    Sequence(
        "A002562", "Number of ways to place n nonattacking queens up to symmetries of the square",
        1, (1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233, 45752, 285053, 1846955, 11977939,
            83263591, 621012754, 4878666808, 39333324973, 336376244042, 3029242658210,
            28439272956934, 275986683743434, 2789712466510289, 29363495934315694),
        measure=lambda algorithm, way, n: algorithm.unique(n, way)),
    Sequence(
        "A007705", "Number of ways to place 2n+1 nonattacking queens on a toroidal board",
        0, (1, 0, 10, 28, 0, 88, 4524, 0, 140692, 820496, 0, 128850048, 1957725000, 0, 605917055356,
            13404947681712, 0),
        measure=lambda algorithm, way, n: sets.toroidal(2 * n + 1, way), able=stands_in, reach=15),
    Sequence(
        "A032522", "Number of point symmetric solutions to the n queens problem",
        1, (1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80, 136, 420, 1240, 3000, 8152, 18104, 44184,
            144620, 375664, 1250692, 3581240, 11675080, 34132592, 115718268, 320403024, 1250901440,
            3600075088, 14589438024, 43266334696, 181254386312),
        measure=lambda algorithm, way, n: half_turn(n, way), able=counts_turns),
    Sequence(
        "A033148", "Number of rotationally symmetric solutions to the n queens problem",
        0, (1, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0, 64, 128, 0, 0, 480, 704, 0, 0, 3328,
            3264, 0, 0, 32896, 43776, 0, 0, 406784),
        measure=lambda algorithm, way, n: quarter_turn(n, way), able=counts_turns),
    Sequence(
        "A140450",
        "Squares tried by the plain search until the first solution of the n queens problem",
        1, (1, 6, 18, 26, 15, 171, 42, 876, 333, 975, 517, 3066, 1365, 26495, 20280, 160712, 91222,
            743229, 48184, 3992510, 179592, 38217905, 584591, 9878316, 1216775, 10339849, 12263400,
            84175966, 44434525, 1692888135, 408773285, 2799725104, 4618568460, 78016579095,
            8244234495, 883134227754, 37481487475, 605847021365, 444710580405, 18325192478100,
            670447199438, 1435630462823151, 9387957604049, 168220196252658, 151162963331040),
        source="OEIS A140450, by Colin S. Pearson and Martin S. Pearson (2008)",
        measure=tried, able=stands_in, reach=FIRST_N, cost=cost),
    Sequence(
        "A141843",
        "Lexicographically first solution of the n queens problem, by rows; zeros if none",
        1, ([1],
            [0, 0],
            [0, 0, 0],
            [2, 4, 1, 3],
            [1, 3, 5, 2, 4],
            [2, 4, 6, 1, 3, 5],
            [1, 3, 5, 7, 2, 4, 6],
            [1, 5, 8, 6, 3, 7, 2, 4],
            [1, 3, 6, 8, 2, 4, 9, 7, 5],
            [1, 3, 6, 8, 10, 5, 9, 2, 4, 7],
            [1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10],
            [1, 3, 5, 8, 10, 12, 6, 11, 2, 7, 9, 4]),
        source="OEIS A141843, by Colin S. Pearson (2008) and others; its rows go to n = 61",
        measure=first, able=stands_in, reach=FIRST_N, begins=1),
    Sequence(
        "A146303", "Number of maximal sets of nonattacking queens on an n X n board",
        1, (1, 4, 9, 18, 58, 348, 1862, 10188, 57600, 376692, 2640422, 19469324, 151978440,
            1258451524, 10963084588, 100087600184),
        measure=lambda algorithm, way, n: sets.maximal_sets(n, way), able=stands_in,
        reach=sets.LARGEST_N),
    Sequence(
        "A260318", "Number of orbits of n queens solutions with two elements",
        1, (1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0, 32, 64, 0, 0, 240, 352, 0, 0, 1664, 1632,
            0, 0),
        measure=pairs, able=counts_turns),
    Sequence(
        "A260319", "Number of orbits of n queens solutions with four elements",
        1, (0, 0, 0, 0, 0, 1, 2, 1, 4, 3, 12, 18, 32, 105, 310, 734, 2006, 4526, 11046, 36035,
            93740, 312673, 895310, 2917938, 8532332, 28929567),
        measure=lambda algorithm, way, n: (half_turn(n, way) - quarter_turn(n, way)) // 4,
        able=counts_turns),
    Sequence(
        "A260320", "Number of orbits of n queens solutions with eight elements",
        1, (0, 0, 0, 0, 1, 0, 4, 11, 42, 89, 329, 1765, 9197, 45647, 284743, 1846189, 11975869,
            83259065, 621001708, 4878630533, 39333230881, 336375931369, 3029241762900,
            28439270037332, 275986675209470, 2789712437580722),
        measure=lambda algorithm, way, n: (algorithm.count(n, way) - half_turn(n, way)) // 8,
        able=counts_turns),
    Sequence(
        "A287227",
        "Number of sets of nonattacking queens on an n X n board, the empty one included",
        0, (1, 2, 5, 18, 87, 462, 2635, 16870, 118969, 915442, 7535369, 66807234, 633443407,
            6354135838, 67480769839, 754734433310, 8870886701401),
        measure=sizes, value=sum, able=stands_in, reach=sets.LARGEST_N),
    Sequence(
        "A319283", "Number of nodes of the backtrack tree for the n queens problem",
        0, (1, 2, 3, 6, 17, 54, 153, 552, 2057, 8394, 35539, 166926, 856189, 4674890, 27358553,
            171129072, 1141190303, 8017021932, 59365844491, 461939618824),
        source="OEIS A319283, by Peter Luschny (2018), after Knuth, TAOCP 7.2.2",
        measure=tree, value=lambda tally: tally.nodes, able=plain, engines=ENGINES),
    Sequence(
        "A319284", "Profiles of the backtrack tree for the n queens problem, by rows",
        0, ([1],
            [1, 1],
            [1, 2, 0],
            [1, 3, 2, 0],
            [1, 4, 6, 4, 2],
            [1, 5, 12, 14, 12, 10],
            [1, 6, 20, 36, 46, 40, 4],
            [1, 7, 30, 76, 140, 164, 94, 40],
            [1, 8, 42, 140, 344, 568, 550, 312, 92],
            [1, 9, 56, 234, 732, 1614, 2292, 2038, 1066, 352],
            [1, 10, 72, 364, 1400, 3916, 7552, 9632, 7828, 4040, 724],
            [1, 11, 90, 536, 2468, 8492, 21362, 37248, 44148, 34774, 15116, 2680],
            [1, 12, 110, 756, 4080, 16852, 52856, 120104, 195270, 222720, 160964, 68264, 14200],
            [1, 13, 132, 1030, 6404, 31100, 117694, 335010, 707698, 1086568, 1151778, 813448,
             350302, 73712],
            [1, 14, 156, 1364, 9632, 54068, 241484, 835056, 2211868, 4391988, 6323032, 6471872,
             4511922, 1940500, 365596],
            [1, 15, 182, 1764, 13980, 89428, 463038, 1897702, 6120136, 15211800, 28415444, 39290462,
             39157800, 26831728, 11356408, 2279184],
            [1, 16, 210, 2236, 19688, 141812, 838816, 3998456, 15324708, 46358876, 108478966,
             193892860, 260303408, 253897632, 171158018, 72002088, 14772512],
            [1, 17, 240, 2786, 27020, 216932, 1448002, 7907094, 35312064, 127045452, 362182864,
             807998022, 1393334230, 1812613348, 1733568180, 1155745084, 483805492, 95815104],
            [1, 18, 272, 3420, 36264, 321700, 2398292, 14818300, 75937606, 318853768, 1082622180,
             2937029436, 6298107034, 10477975052, 13308584992, 12507393984, 8256016380, 3419655168,
             666090624],
            [1, 19, 306, 4144, 47732, 464348, 3832374, 26512942, 153942964, 742665978, 2947934688,
             9520114980, 24775591458, 51104286028, 82671960808, 102670917500, 95054637656,
             61862480724, 25436166326, 4968057848]),
        source="OEIS A319284, by Peter Luschny (2018), after Knuth, TAOCP 7.2.2",
        measure=tree, value=lambda tally: tally.levels, able=plain, engines=ENGINES),
    Sequence(
        "A319288", "First of the widest levels of the backtrack tree for the n queens problem",
        0, (0, 0, 1, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11, 11, 12, 13, 14, 15),
        source="OEIS A319288, by Peter Luschny (2018), after Knuth, TAOCP 7.2.2",
        measure=tree, value=lambda tally: tally.levels.index(max(tally.levels)), able=plain,
        engines=ENGINES),
    Sequence(
        "A348129", "Number of ways to place k nonattacking queens on an n X n board, by rows",
        0, ([1],
            [1, 1],
            [1, 4, 0],
            [1, 9, 8, 0],
            [1, 16, 44, 24, 2],
            [1, 25, 140, 204, 82, 10],
            [1, 36, 340, 1024, 982, 248, 4],
            [1, 49, 700, 3628, 7002, 4618, 832, 40],
            [1, 64, 1288, 10320, 34568, 46736, 22708, 3192, 92],
            [1, 81, 2184, 25096, 131248, 310496, 312956, 119180, 13848, 352],
            [1, 100, 3480, 54400, 412596, 1535440, 2716096, 2119176, 636524, 56832, 724]),
        measure=sizes, able=stands_in, reach=sets.LARGEST_N),
    Sequence(
        "A374013", "Largest k such that any k or fewer nonattacking queens can be completed to n",
        4, (0, 1, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4),
        measure=threshold, able=stands_in, reach=sets.LARGEST_N),
)

SEQUENCES: Members[Sequence] = Members(
    "sequence", {sequence.name: sequence for sequence in TABLE})

"""First solutions of the n queens problem, and the cost of each search: docs/sequences.md.

Others published all these solutions before (A141843 has rows to n = 61), and the squares tried to n
= 45 (A140450). A new result is a new row. The terms in `nqbench/problems/published/sequences.py`
are not repeated here. The table for docs/sequences.md is in the report, first_solutions.md.
"""

from dataclasses import dataclass

from nqbench.problems.published.sequences import published

PRUNED = "pruned search"
COUNTED = (PRUNED, "plain count")
SAMPLED = (PRUNED, "6 prefixes")  # benchmarks/first/prefixes.py
BOTH = (*COUNTED, "6 prefixes")
CHAIN = "SAT chain"  # a complete one in results/first/
CORNER = [1, 3, 5, 2, 4]  # five queens on 5 x 5 squares, on the five diagonals in the middle
BELOW_CORNER = {18: 0, 19: 16, 20: 28, 21: 840}  # by n: the solutions that begin with them
METHODS = {
    PRUNED: "rejects all prefixes before the solution",
    "plain count": "counts all placements before it; none of them is a solution",
    "6 prefixes": "6 of the prefixes that it rejects, drawn at random, have no completion by "
                  "CP-SAT",
    CHAIN: "no prefix that leaves the solution for a smaller column has a completion by MiniSat or "
           "CP-SAT, without the pruned search (results/first/N.chain)",
}


@dataclass(frozen=True)
class FirstSolution:
    """The first solution for n, and how nqbench found it.

    Attributes
    ----------
    n, nodes, rejected
        the size of the board; nodes of the pruned search, and prefixes that it rejected.
    found_by
        the METHODS that found the solution or confirmed it.
    columns
        the solution, from column 1; empty if it is in our data of A141843.
    """

    n: int
    nodes: int
    rejected: int
    found_by: tuple[str, ...]
    columns: str = ""

    @property
    def solution(self) -> list[int] | None:
        """The columns of the solution, from 1; None if there is none.

        >>> FIRST_SOLUTIONS[8].solution, FIRST_SOLUTIONS[3].solution
        ([1, 5, 8, 6, 3, 7, 2, 4], None)
        """
        known: list[int] = published("A141843").get(self.n) or [*map(int, self.columns.split())]
        return known if any(known) else None

    @property
    def tried(self) -> int | None:
        """The squares that the plain search tries (A140450), None if they were not counted."""
        squares: int | None = published("A140450").get(self.n)
        return squares

    @property
    def placements(self) -> int | None:
        """The placements without completion that the plain search visits, None if not counted.

        >>> FIRST_SOLUTIONS[8].placements
        105
        """
        from nqbench.engine.first_solution import squares_tried

        if self.tried is None:
            return None
        path = [column - 1 for column in self.solution or ()]
        return (self.tried - squares_tried(self.n, tuple(path) or None, 0)) // self.n

    @property
    def known_from(self) -> str:
        """Who published the solution first, after the comments of A141843.

        >>> [FIRST_SOLUTIONS[n].known_from for n in (45, 46, 47, 53)]
        ['Pearson 2008', 'Engelhardt 2011', 'Pearson 2008', 'Schubert, about 2010']
        """
        if self.n == 46:
            return "Engelhardt 2011"
        return "Pearson 2008" if self.n <= 47 else "Schubert, about 2010"


FIRST_SOLUTIONS: dict[int, FirstSolution] = {row.n: row for row in (
    FirstSolution(1, 1, 0, COUNTED),
    FirstSolution(2, 2, 2, COUNTED),
    FirstSolution(3, 3, 3, COUNTED),
    FirstSolution(4, 6, 1, COUNTED),
    FirstSolution(5, 6, 0, COUNTED),
    FirstSolution(6, 22, 2, COUNTED),
    FirstSolution(7, 11, 1, COUNTED),
    FirstSolution(8, 71, 5, COUNTED),
    FirstSolution(9, 28, 2, COUNTED),
    FirstSolution(10, 47, 5, COUNTED),
    FirstSolution(11, 86, 4, COUNTED),
    FirstSolution(12, 148, 9, COUNTED),
    FirstSolution(13, 185, 7, COUNTED, columns=(
        "1 3 5 2 9 12 10 13 4 6 8 11 7")),
    FirstSolution(14, 305, 12, COUNTED, columns=(
        "1 3 5 7 12 10 13 4 14 9 2 6 8 11")),
    FirstSolution(15, 268, 7, COUNTED, columns=(
        "1 3 5 2 10 12 14 4 13 9 6 15 7 11 8")),
    FirstSolution(16, 954, 15, COUNTED, columns=(
        "1 3 5 2 13 9 14 12 15 6 16 7 4 11 8 10")),
    FirstSolution(17, 536, 8, COUNTED, columns=(
        "1 3 5 2 8 11 15 7 16 14 17 4 6 9 12 10 13")),
    FirstSolution(18, 2_660, 18, COUNTED, columns=(
        "1 3 5 2 8 15 12 16 13 17 6 18 7 4 11 9 14 10")),
    FirstSolution(19, 891, 9, COUNTED, columns=(
        "1 3 5 2 4 9 13 15 17 19 7 16 18 11 6 8 10 12 14")),
    FirstSolution(20, 8_743, 16, COUNTED, columns=(
        "1 3 5 2 4 13 15 12 18 20 17 9 16 19 8 10 7 14 6 11")),
    FirstSolution(21, 677, 21, COUNTED, columns=(
        "1 3 5 2 4 9 11 15 21 18 20 17 19 7 12 10 8 6 14 16 13")),
    FirstSolution(22, 70_743, 35, COUNTED, columns=(
        "1 3 5 2 4 10 14 17 20 13 19 22 18 8 21 12 9 6 16 7 11 15")),
    FirstSolution(23, 1_940, 18, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 18 20 22 19 21 10 8 6 23 7 16 12 15 17 14")),
    FirstSolution(24, 27_632, 27, COUNTED, columns=(
        "1 3 5 2 4 9 11 14 18 22 19 23 20 24 10 21 6 8 12 16 13 7 17 15")),
    FirstSolution(25, 1_250, 18, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 19 21 24 20 25 23 6 8 10 7 14 16 18 12 17 22")),
    FirstSolution(26, 23_533, 31, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 21 23 25 20 22 24 26 10 7 16 12 8 6 18 14 19 17")),
    FirstSolution(27, 3_481, 22, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 17 19 23 25 27 24 26 6 10 7 16 8 12 14 21 18 20 22")),
    FirstSolution(28, 47_258, 37, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 17 23 25 22 28 26 24 27 7 12 16 18 8 10 14 20 6 21 19")),
    FirstSolution(29, 14_734, 27, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 6 20 24 26 21 29 27 25 28 8 12 7 16 10 17 22 14 18 23 19")),
    FirstSolution(30, 362_108, 184, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 7 23 26 28 25 22 24 30 27 29 16 12 10 8 6 18 20 17 14 21 19")),
    FirstSolution(31, 34_180, 36, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 6 18 23 26 28 31 25 27 30 7 17 29 14 10 8 20 12 16 19 22 24 21")),
    FirstSolution(32, 179_301, 94, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 6 18 24 26 30 25 31 28 32 27 29 16 19 10 8 17 12 21 7 14 23 20 22")),
    FirstSolution(33, 194_702, 106, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 25 27 33 31 23 28 26 29 32 30 16 18 12 10 17 7 14 21 19 24 22 "
        "20")),
    FirstSolution(34, 3_355_217, 1_179, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 6 18 20 26 28 31 33 27 29 34 32 30 12 10 7 16 19 8 22 14 25 17 24 "
        "21 23")),
    FirstSolution(35, 284_932, 124, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 24 26 31 29 32 35 33 28 30 17 7 34 10 18 16 14 12 20 25 23 "
        "21 27 22")),
    FirstSolution(36, 25_739_136, 8_952, BOTH, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 22 27 32 30 33 24 29 35 28 34 31 14 36 17 12 16 7 10 20 25 19 "
        "26 18 23 21")),
    FirstSolution(37, 104_318, 79, (*COUNTED, CHAIN), columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 21 23 30 34 29 35 33 31 37 32 36 16 7 10 20 14 12 18 26 17 "
        "22 28 25 27 24")),
    FirstSolution(38, 3_817_418, 1_388, COUNTED, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 21 29 31 33 36 30 28 38 34 32 37 35 20 18 12 14 23 7 10 25 "
        "17 22 16 26 24 27")),
    FirstSolution(39, 113_010, 78, (*BOTH, CHAIN), columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 7 25 30 37 33 28 32 38 35 39 31 36 34 21 17 20 14 12 10 23 "
        "16 18 22 29 26 24 27")),
    FirstSolution(40, 50_007_299, 19_272, BOTH, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 21 23 30 32 34 36 38 40 31 33 35 37 39 20 22 14 18 10 12 24 "
        "17 7 28 26 16 29 27 25")),
    FirstSolution(41, 758_437, 386, (*BOTH, CHAIN), columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 7 22 25 30 32 37 39 33 38 40 34 36 41 35 18 23 10 12 16 20 "
        "17 14 21 28 26 31 29 27 24")),
    FirstSolution(42, 7_950_891_425, 2_352_606, BOTH, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 21 23 25 32 34 36 38 40 42 33 35 37 39 41 16 7 24 20 14 17 "
        "26 10 12 30 28 18 31 22 27 29")),
    FirstSolution(43, 2_274_742, 1_053, (*BOTH, CHAIN), columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 7 22 24 26 37 39 34 38 35 33 42 36 41 43 40 20 14 17 10 12 "
        "28 18 16 27 25 21 32 30 23 31 29")),
    FirstSolution(44, 128_658_188, 44_681, BOTH, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 7 22 24 32 35 38 41 33 42 37 34 43 39 36 44 40 21 25 18 14 "
        "12 20 16 29 10 23 27 30 17 31 26 28")),
    FirstSolution(45, 4_840_676, 1_720, BOTH, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 7 22 10 29 31 36 40 42 32 38 43 39 44 35 37 45 41 21 18 24 "
        "14 12 23 16 20 17 28 25 34 26 33 30 27")),
    FirstSolution(46, 1_340_834_424, 419_909, SAMPLED, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 7 22 24 26 34 37 39 41 36 44 46 35 43 38 40 42 45 23 21 16 "
        "14 10 27 18 12 25 17 20 30 33 29 32 28 31")),
    FirstSolution(47, 20_559_576, 7_746, SAMPLED, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 7 22 10 25 29 36 39 42 44 33 38 43 46 40 37 41 45 47 21 17 "
        "24 26 12 14 16 18 20 23 34 28 30 32 27 35 31")),
    FirstSolution(49, 14_841_550, 6_070, SAMPLED, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 7 22 10 25 27 29 37 40 45 41 44 38 48 39 49 43 46 42 47 16 "
        "12 24 20 28 17 14 30 21 18 35 31 26 23 33 36 34 32")),
    FirstSolution(51, 40_309_209, 17_168, SAMPLED, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 7 22 10 25 27 29 31 39 41 43 40 47 50 48 51 42 44 46 49 45 "
        "16 26 23 12 30 18 14 17 20 24 21 28 34 36 38 33 35 37 32")),
    FirstSolution(53, 70_667_212, 29_860, SAMPLED, columns=(
        "1 3 5 2 4 9 11 13 15 6 8 19 7 22 10 25 27 29 31 33 41 43 45 42 49 52 50 53 44 46 48 51 "
        "47 12 14 24 17 21 28 30 34 16 18 20 26 23 38 40 35 32 36 39 37")),
)}

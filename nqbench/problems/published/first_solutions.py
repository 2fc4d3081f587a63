"""First solutions of the n queens problem, and the cost of each search: research/first_solutions.

Others published all these solutions before (A141843 has rows to n = 61), and the squares tried to n
= 45 (A140450). A new result is a new line of first_solutions.json, which does not repeat the terms
in sequences.json. The table for docs/sequences.md is in the report, first_solutions.md.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from nqbench.problems.published.sequences import published

CORNER = [1, 3, 5, 2, 4]  # five queens on 5 x 5 squares, on the five diagonals in the middle


@dataclass(frozen=True)
class FirstSolution:
    """The first solution for n, and how research/first_solutions found it; its files are named.

    Attributes
    ----------
    n, nodes, rejected
        the size of the board; nodes of the pruned search, and prefixes that it rejected.
    found_by
        what found the solution or confirmed it: the "pruned search", which rejects all prefixes
        before it; a "plain count" of all placements before it, none of which is a solution;
        "6 prefixes" of those rejected, drawn at random, which have no completion by CP-SAT
        (prefixes.py); a "SAT chain": no prefix that leaves the solution for a
        smaller column has a completion by MiniSat or CP-SAT, without the pruned search
        (results/N.chain).
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
        if self.tried is None:
            return None
        path = self.n * (self.n + 1) // 2 if self.solution else 0
        return (self.tried - path) // self.n

    @property
    def known_from(self) -> str:
        """Who published the solution first, after the comments of A141843.

        >>> [FIRST_SOLUTIONS[n].known_from for n in (46, 47, 53, 56)]
        ['Engelhardt 2011', 'Pearson 2008', 'Schubert, about 2010', 'Fischetti and Salvagnin']
        """
        if self.n >= 56:
            return "Fischetti and Salvagnin"
        if self.n == 46:
            return "Engelhardt 2011"
        return "Pearson 2008" if self.n <= 47 else "Schubert, about 2010"


FIRST_SOLUTIONS: dict[int, FirstSolution] = {
    row["n"]: FirstSolution(**{**row, "found_by": tuple(row["found_by"])})
    for row in json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))}

"""What nqbench computed itself, and how: levels of the plain tree (profiles.json), and first
solutions (first_solutions.json).

A new count of levels is a line in `counts` of its n: rows, kernel, and the core-seconds; the levels
are there if they are not published (A319284, to n = 19). docs/sequences.md says how each was
counted; its tables are in the report, exact_trees.md and level_times.md.

Others published all first solutions before (A141843 has rows to n = 61), and the squares tried to n
= 45 (A140450). What each search costs is found by research/first_solutions. A new result is a new
line, which does not repeat the terms in sequences.json. The report has the table,
first_solutions.md.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nqbench.problems.published.sequences import published
from nqbench.search.algorithm import Algorithm, Tree

CORNER = [1, 3, 5, 2, 4]  # five queens on 5 x 5 squares, on the five diagonals in the middle

# The times of the counts and samples were taken on an AMD EPYC, 2 cores, busy with other programs
# (AVX-512: Zen 5, the rest: Zen 3), gcc 12.2.0.


@dataclass(frozen=True)
class Count:
    """A complete count of all levels: the order of its rows, its kernel, and the core-seconds
    (process time) that it took; None if they were not recorded.
    """

    rows: str
    kernel: str
    core_seconds: float | None = None


@dataclass(frozen=True)
class Profile:
    """The levels of the plain tree for n.

    Attributes
    ----------
    n, levels
        the size of the board; the placements on 0, 1, ... n adjacent rows.
    counts
        the complete counts by nqbench that found these levels.
    """

    n: int
    levels: tuple[int, ...]
    counts: tuple[Count, ...] = ()

    @property
    def nodes(self) -> int:
        """The nodes of the tree."""
        return sum(self.levels)

    @property
    def widest(self) -> int:
        """The first of the levels with the most nodes."""
        return self.levels.index(max(self.levels))

    def children(self, rows_left: int) -> float:
        """Return the mean number of children of a placement that leaves this number of rows.

        >>> round(PROFILES[20].children(4), 2), round(PROFILES[20].children(5), 2)
        (0.91, 1.22)
        """
        parents = self.n - rows_left
        return self.levels[parents + 1] / self.levels[parents]

    @property
    def searches(self) -> tuple[str, ...]:
        """The different searches that found the levels."""
        return tuple(dict.fromkeys(count.rows for count in self.counts))

    @property
    def kernels(self) -> tuple[str, ...]:
        """The different kernels that counted the levels."""
        return tuple(dict.fromkeys(count.kernel for count in self.counts))

    @property
    def published(self) -> bool:
        """Whether the levels are published."""
        return published("A319284").get(self.n) is not None

    @property
    def confirmed(self) -> bool:
        """Whether two searches found the same levels, or they are published."""
        return len(self.searches) > 1 or self.published

    @property
    def counted_by(self) -> str:
        """The searches in words; empty if nqbench did not count the levels.

        >>> PROFILES[20].counted_by, profiles()[8].counted_by
        ('outwards, downwards', '')
        """
        return ", ".join(self.searches) + (" only so far" if len(self.searches) == 1 else "")


_DATA = json.loads(Path(__file__).with_name("profiles.json").read_text("utf-8"))

# By n, the counts of all levels.
COUNTS: dict[int, tuple[Count, ...]] = {
    int(n): tuple(Count(*count) for count in entry["counts"]) for n, entry in _DATA.items()}

# By n, the levels that are not published.
PROFILES: dict[int, Profile] = {
    int(n): Profile(int(n), tuple(entry["levels"]), COUNTS[int(n)])
    for n, entry in _DATA.items() if "levels" in entry}


def profiles() -> dict[int, Profile]:
    """Return all exact profiles by n, the published ones and those that only nqbench computed.

    >>> profiles()[8].nodes, profiles()[8].widest, profiles()[16].widest
    (2057, 5, 12)
    """
    levels = published("A319284")
    return {n: Profile(n, tuple(known), COUNTS.get(n, ()))
            for n, known in levels.up_to(min(PROFILES) - 1)} | PROFILES


def find_empty(problem: str, instance: Any) -> int | None:
    """Return the n of an empty board, None for any other instance."""
    if problem == "instances":
        return int(instance.n) if instance == type(instance)(instance.n) else None
    return int(instance) if problem == "queens" else None


def known_of_tree(algorithm: Algorithm[Any, Any], instance: Any) -> dict[str, int]:
    """Return what is known of the tree of a search: its "answers", and the "nodes" of the plain
    tree; nothing of a board that is not empty, or of puzzles.

    >>> from nqbench.problems.queens import find
    >>> known_of_tree(find("bitmask"), 8), known_of_tree(find("marks_mirror"), 8)
    ({'answers': 92, 'nodes': 2057}, {'answers': 46})
    """
    n = find_empty(algorithm.problem, instance)
    if n is None:
        return {}
    known, solutions = {}, published("A000170").get(n)
    if solutions and algorithm.exhaustive:
        known["answers"] = solutions // (1 + algorithm.doubles(instance))
    if algorithm.tree == Tree.PLAIN and n in profiles():
        known["nodes"] = profiles()[n].nodes
    return known


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
    for row in json.loads(Path(__file__).with_name("first_solutions.json").read_text("utf-8"))}

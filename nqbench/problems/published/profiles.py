"""Levels of the plain tree that nqbench computed, and how each was counted: docs/sequences.md; and
published counts of n queens that took a month or a year, for comparison with a plan.

A new count is a line in `counts` of its n in profiles.json: rows, kernel, and the core-seconds; the
levels are there if they are not published (A319284, to n = 19). The tables for docs/sequences.md
are in the report, exact_trees.md and level_times.md.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from nqbench.problems.published.sequences import published

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


_DATA = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

# By n, the counts of all levels.
COUNTS: dict[int, tuple[Count, ...]] = {
    int(n): tuple(Count(*count) for count in entry["counts"]) for n, entry in _DATA.items()}

# By n, the levels that are not published.
PROFILES: dict[int, Profile] = {
    int(n): Profile(int(n), tuple(entry["levels"]), COUNTS[int(n)])
    for n, entry in _DATA.items() if "levels" in entry}

# By n, the levels of PROFILES that a later count is compared with.
COMPUTED: dict[int, tuple[int, ...]] = {
    n: profile.levels for n, profile in PROFILES.items() if len(profile.searches) > 1}


def profiles() -> dict[int, Profile]:
    """Return all exact profiles by n, the published ones and those that only nqbench computed.

    >>> profiles()[8].nodes, profiles()[8].widest, profiles()[16].widest
    (2057, 5, 12)
    """
    levels = published("A319284")
    return {n: Profile(n, tuple(known), COUNTS.get(n, ()))
            for n, known in levels.up_to(min(PROFILES) - 1)} | PROFILES

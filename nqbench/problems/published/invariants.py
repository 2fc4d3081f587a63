"""Invariants: what every total must agree with.

For n >= 2, Q(n) = 8 a + 4 b + 2 c. Here c is the number of orbits of two solutions, which a quarter
turn leaves unchanged; b of orbits of four, which only a half turn leaves unchanged; and a of orbits
of eight without symmetry. No placement is its own mirror image. The P(n) solutions that a half turn
leaves unchanged (A032522, counted in another way, see `nqbench.search.variants.half_turn`) are 4 b
+ 2 c. So Q(n) and P(n) have the same remainder modulo 8, and both are even.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from nqbench.problems.published.computed import PROFILES
from nqbench.problems.published.sequences import published

TOTALS = "A000170"  # Q(n), what every solver counts
MODULO = "modulo 8"  # how the names of properties of remainders begin


@dataclass(frozen=True)
class Invariant:
    """A known property of Q(n), and whether a total agrees with it."""

    name: str
    expected: int
    found: int

    @property
    def ok(self) -> bool:
        """Whether it agrees."""
        return self.expected == self.found


def invariants(n: int, total: int) -> list[Invariant]:
    """Return the known properties of Q(n), each with its value for `total`.

    >>> [(i.name, i.ok) for i in invariants(8, 92)]
    [('A000170', True), ('modulo 8, as A032522', True)]
    >>> [(i.name, i.expected, i.found) for i in invariants(30, 7)]
    [('modulo 8, as A032522', 0, 7)]
    """
    whole, turned = published(TOTALS).get(n), published("A032522").get(n)
    known = [] if whole is None else [Invariant(TOTALS, whole, total)]
    if n >= 2 and turned is not None:
        known.append(Invariant(f"{MODULO}, as A032522", turned % 8, total % 8))
    return known


def invariants_of_levels(n: int, levels: Sequence[int]) -> list[Invariant]:
    """Return the known properties of the levels of the plain tree, each with its value for
    `levels`.

    >>> [i.name for i in invariants_of_levels(4, [1, 4, 6, 4, 3]) if not i.ok]
    ['level 4 (A319284)', 'the sum of the levels (A319283)', 'level 4 (A000170)', ...]
    """
    exact, source = published("A319284").get(n), "A319284"
    if exact is None and n in PROFILES and PROFILES[n].confirmed:
        exact, source = PROFILES[n].levels, "computed by nqbench"
    known = [Invariant(f"level {rows} ({source})", expected, found)
             for rows, (expected, found) in enumerate(zip(exact or (), levels, strict=False))]
    for name, sequence, found in (
            ("the sum of the levels", "A319283", sum(levels)),
            ("the widest level", "A319288", levels.index(max(levels)))):
        expected = published(sequence).get(n)
        if expected is not None:
            known.append(Invariant(f"{name} ({sequence})", expected, found))
    return known + [Invariant(f"level {n} ({each.name})", each.expected, each.found)
                    for each in invariants(n, levels[n])]


def invariants_of_counters(n: int, counted: Mapping[str, Any], plain: bool) -> list[Invariant]:
    """Return the known properties of the counters of one search for all solutions, each with its
    value; `plain` says whether it searches the plain tree.

    >>> counted = {"solutions": 2, "nodes": 16, "levels": [1, 4, 6, 4, 2]}
    >>> [(i.name, i.expected, i.found) for i in invariants_of_counters(4, counted, True)
    ...  if not i.ok]
    [('nodes, the sum of levels', 17, 16), ('nodes (A319283)', 17, 16)]
    """
    known = invariants(n, counted["solutions"]) if "solutions" in counted else []
    known += [Invariant(f"{whole}, the sum of {parts}", sum(counted[parts]), counted[whole])
              for whole, parts in (("nodes", "levels"), ("dead_ends", "dead_levels"))
              if {whole, parts} <= counted.keys()]
    known += [Invariant(f"{part}, at most {whole}", min(counted[part], counted[whole]),
                        counted[part])
              for part, whole in (("nodes_to_first", "nodes"), ("tests_to_first", "tests"),
                                  ("dead_ends", "nodes"), ("pairs_excluded", "pairs"))
              if {part, whole} <= counted.keys()]
    if plain and "nodes" in counted and (nodes := published("A319283").get(n)) is not None:
        known.append(Invariant("nodes (A319283)", nodes, counted["nodes"]))
    if plain and len(counted.get("levels", ())) == n + 1:
        known += invariants_of_levels(n, counted["levels"])
        if "dead_levels" in counted:
            known += _dead_ends(n, counted["levels"], counted["dead_levels"])
    return known


def _dead_ends(n: int, levels: Sequence[int], dead: Sequence[int]) -> list[Invariant]:
    """Return the known properties of the dead ends of the plain tree: above the last level, each
    other node of a level has from one child to as many as there are columns left.
    """
    known = []
    for level, (nodes, found) in enumerate(zip(levels, dead, strict=True)):
        if level < n:
            below = levels[level + 1]
            least, most = nodes - min(nodes, below), nodes - ceil(below / (n - level))
        else:  # solutions
            least = most = 0
        known.append(Invariant(f"dead_levels, which level {level + 1} allows at level {level}",
                               min(max(found, least), most), found))
    return known

"""Invariants: what every total must agree with.

For n >= 2, Q(n) = 8 a + 4 b + 2 c. Here c is the number of orbits of two solutions, which a quarter
turn leaves unchanged; b of orbits of four, which only a half turn leaves unchanged; and a of orbits
of eight without symmetry. No placement is its own mirror image. The P(n) solutions that a half turn
leaves unchanged (A032522, counted in another way, see `nqbench.symmetry.half_turn`) are 4 b + 2 c.
So Q(n) and P(n) have the same remainder modulo 8, and both are even.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from nqbench.reference.first_solutions import FIRST_SOLUTIONS
from nqbench.reference.profiles import COMPUTED
from nqbench.reference.sequences import published


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
    known = [Invariant("A000170", whole, total)
             for whole in [published("A000170").get(n)] if whole is not None]
    turned = published("A032522").get(n)
    if n >= 2 and turned is not None:
        known.append(Invariant("modulo 8, as A032522", turned % 8, total % 8))
    return known


def invariants_of_levels(n: int, levels: Sequence[int]) -> list[Invariant]:
    """Return the known properties of the levels of the plain tree, each with its value for
    `levels`.

    >>> [i.name for i in invariants_of_levels(4, [1, 4, 6, 4, 3]) if not i.ok]
    ['level 4 (A319284)', 'the sum of the levels (A319283)', 'level 4 (A000170)', ...]
    """
    profile, source = published("A319284").get(n), "A319284"
    if profile is None:
        profile, source = COMPUTED.get(n), "computed by nqbench"
    known = [Invariant(f"level {rows} ({source})", expected, found)
             for rows, (expected, found) in enumerate(zip(profile or (), levels, strict=False))]
    for name, sequence, found in (
            ("the sum of the levels", "A319283", sum(levels)),
            ("the widest level", "A319288", levels.index(max(levels)))):
        expected = published(sequence).get(n)
        if expected is not None:
            known.append(Invariant(f"{name} ({sequence})", expected, found))
    return known + [Invariant(f"level {n} ({each.name})", each.expected, each.found)
                    for each in invariants(n, levels[n])]


def invariants_of_first(n: int, columns: Sequence[int] | None,
                        tried: int | None) -> list[Invariant]:
    """Return the known properties of the first solution, whose columns count from 0, and of the
    squares that are tried before it, each with its value for these; None means not known yet.

    >>> [i.name for i in invariants_of_first(6, (1, 3, 5, 0, 2, 4), 170) if not i.ok]
    ['the number of squares tried (A140450)']
    """
    known = FIRST_SOLUTIONS.get(n)
    if known is None:
        return []
    found = [] if None in (tried, known.tried) else [
        Invariant("the number of squares tried (A140450)", known.tried or 0, tried or 0)]
    by = "A141843" if published("A141843").get(n) else "computed by nqbench"
    solution = known.solution or []
    return found + [
        Invariant(f"the column in row {row} ({by})", expected, column + 1)
        for row, (column, expected) in enumerate(zip(columns or (), solution, strict=False), 1)]

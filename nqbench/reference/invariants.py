"""What a total must agree with, whoever counted it.

Q(n) = 8 a + 4 b + 2 c, with c pairs of solutions that a quarter turn leaves as they are, b
orbits of four that only a half turn does, and a of eight without symmetry, for n >= 2: no
placement is its own mirror image. The P(n) solutions that a half turn leaves as they are
(A032522, counted in another way, see `nqbench.symmetry.half_turn`) are 4 b + 2 c. So Q(n) and
P(n) leave the same remainder modulo 8, and both are even.
"""

from dataclasses import dataclass

from nqbench.reference.sequences import published


@dataclass(frozen=True)
class Invariant:
    """Something known of Q(n), and whether a total agrees with it."""

    name: str
    expected: int
    found: int

    @property
    def ok(self) -> bool:
        """Whether it agrees."""
        return self.expected == self.found


def invariants(n: int, total: int) -> list[Invariant]:
    """Return what is known of Q(n), each with what `total` says of it.

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

"""Count the orbits of two solutions, those that a quarter turn leaves unchanged."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences.A032522 import counts_turns
from nqbench.symmetry import quarter_turn


def pairs(algorithm: QueensAlgorithm, implementation: str, n: int) -> int:
    """Return the number of orbits of two solutions; the sequence counts the single queen, too."""
    return quarter_turn(n, implementation) // 2 if n > 1 else 1


SEQUENCE = Sequence(
    name="A260318",
    title="Number of orbits of n queens solutions with two elements",
    source="OEIS A260318",
    first_n=1,
    values=(
        1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0, 32, 64, 0, 0, 240, 352, 0, 0, 1664, 1632, 0,
        0,
    ),
    able=counts_turns,
    measure=pairs,
)

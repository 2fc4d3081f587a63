"""Count the solutions that a quarter turn leaves unchanged."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences.A032522 import counts_turns
from nqbench.symmetry import quarter_turn


def turned(algorithm: QueensAlgorithm, implementation: str, n: int) -> int:
    """Return the number of solutions that a quarter turn leaves unchanged."""
    return quarter_turn(n, implementation)


SEQUENCE = Sequence(
    name="A033148",
    title="Number of rotationally symmetric solutions to the n queens problem",
    source="OEIS A033148",
    first_n=0,
    values=(
        1, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0, 64, 128, 0, 0, 480, 704, 0, 0, 3328, 3264,
        0, 0, 32896, 43776, 0, 0, 406784,
    ),
    able=counts_turns,
    measure=turned,
)

"""Count the orbits of four solutions, those that only a half turn leaves unchanged."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences.A032522 import counts_turns
from nqbench.symmetry import half_turn, quarter_turn


def fours(algorithm: QueensAlgorithm, implementation: str, n: int) -> int:
    """Return the number of orbits of four solutions."""
    return (half_turn(n, implementation) - quarter_turn(n, implementation)) // 4


SEQUENCE = Sequence(
    name="A260319",
    title="Number of orbits of n queens solutions with four elements",
    source="OEIS A260319",
    first_n=1,
    values=(
        0, 0, 0, 0, 0, 1, 2, 1, 4, 3, 12, 18, 32, 105, 310, 734, 2006, 4526, 11046, 36035, 93740,
        312673, 895310, 2917938, 8532332, 28929567,
    ),
    able=counts_turns,
    measure=fours,
)

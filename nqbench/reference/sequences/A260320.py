"""Count the orbits of eight solutions, those without symmetry."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences.A032522 import counts_turns
from nqbench.symmetry import half_turn


def eights(algorithm: QueensAlgorithm, implementation: str, n: int) -> int:
    """Return the number of orbits of eight solutions."""
    return (algorithm.count(n, implementation) - half_turn(n, implementation)) // 8


SEQUENCE = Sequence(
    name="A260320",
    title="Number of orbits of n queens solutions with eight elements",
    source="OEIS A260320",
    first_n=1,
    values=(
        0, 0, 0, 0, 1, 0, 4, 11, 42, 89, 329, 1765, 9197, 45647, 284743, 1846189, 11975869,
        83259065, 621001708, 4878630533, 39333230881, 336375931369, 3029241762900, 28439270037332,
        275986675209470, 2789712437580722,
    ),
    able=counts_turns,
    measure=eights,
)

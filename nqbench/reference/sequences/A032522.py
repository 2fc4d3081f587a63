"""Count the solutions that a half turn leaves unchanged."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.reference.sequences import Sequence
from nqbench.symmetry import half_turn


def counts_turns(algorithm: QueensAlgorithm) -> bool:
    """Return whether the algorithm counts the solutions of each symmetry separately."""
    return algorithm.counts_turns


def turned(algorithm: QueensAlgorithm, implementation: str, n: int) -> int:
    """Return the number of solutions that a half turn leaves unchanged."""
    return half_turn(n, implementation)


SEQUENCE = Sequence(
    name="A032522",
    title="Number of point symmetric solutions to the n queens problem",
    source="OEIS A032522",
    first_n=1,
    values=(
        1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80, 136, 420, 1240, 3000, 8152, 18104, 44184, 144620,
        375664, 1250692, 3581240, 11675080, 34132592, 115718268, 320403024, 1250901440,
        3600075088, 14589438024, 43266334696, 181254386312,
    ),
    able=counts_turns,
    measure=turned,
)

"""Count the solutions."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.reference.sequences import Sequence


def count(algorithm: QueensAlgorithm, implementation: str, n: int) -> int:
    """Return the number of solutions."""
    return algorithm.count(n, implementation)


SEQUENCE = Sequence(
    name="A000170",
    title="Number of ways of placing n nonattacking queens on an n X n board",
    source="OEIS A000170",
    first_n=0,
    values=(
        1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512,
        95815104, 666090624, 4968057848, 39029188884, 314666222712, 2691008701644, 24233937684440,
        227514171973736, 2207893435808352, 22317699616364044, 234907967154122528,
    ),
    measure=count,
)

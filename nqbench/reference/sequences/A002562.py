"""Count the solutions up to symmetry."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.reference.sequences import Sequence


def unique(algorithm: QueensAlgorithm, implementation: str, n: int) -> int:
    """Return the number of solutions up to rotation and reflection."""
    return algorithm.unique(n, implementation)


SEQUENCE = Sequence(
    name="A002562",
    title="Number of ways to place n nonattacking queens up to symmetries of the square",
    source="OEIS A002562",
    first_n=1,
    values=(
        1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233, 45752, 285053, 1846955, 11977939,
        83263591, 621012754, 4878666808, 39333324973, 336376244042, 3029242658210, 28439272956934,
        275986683743434, 2789712466510289, 29363495934315694,
    ),
    measure=unique,
)

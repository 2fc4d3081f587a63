"""Count the maximal sets of nonattacking queens."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences._own import stands_in
from nqbench.sets import LARGEST_N, maximal_sets


def maximal(algorithm: QueensAlgorithm, implementation: str, n: int) -> int:
    """Return the number of sets to which no queen can be added."""
    return maximal_sets(n, implementation)


SEQUENCE = Sequence(
    name="A146303",
    title="Number of maximal sets of nonattacking queens on an n X n board",
    source="OEIS A146303",
    first_n=1,
    values=(
        1, 4, 9, 18, 58, 348, 1862, 10188, 57600, 376692, 2640422, 19469324, 151978440,
        1258451524, 10963084588, 100087600184,
    ),
    able=stands_in,
    measure=maximal,
    reach=LARGEST_N,
)

"""Count the sets of k nonattacking queens."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences._own import stands_in
from nqbench.sets import LARGEST_N, sets_by_size


def sizes(algorithm: QueensAlgorithm, implementation: str, n: int) -> list[int]:
    """Return the number of sets of k nonattacking queens, for k = 0 to n."""
    return sets_by_size(n, implementation)


SEQUENCE = Sequence(
    name="A348129",
    title="Number of ways to place k nonattacking queens on an n X n board, by rows",
    source="OEIS A348129",
    first_n=0,
    values=(
        [1],
        [1, 1],
        [1, 4, 0],
        [1, 9, 8, 0],
        [1, 16, 44, 24, 2],
        [1, 25, 140, 204, 82, 10],
        [1, 36, 340, 1024, 982, 248, 4],
        [1, 49, 700, 3628, 7002, 4618, 832, 40],
        [1, 64, 1288, 10320, 34568, 46736, 22708, 3192, 92],
        [1, 81, 2184, 25096, 131248, 310496, 312956, 119180, 13848, 352],
        [1, 100, 3480, 54400, 412596, 1535440, 2716096, 2119176, 636524, 56832, 724],
    ),
    able=stands_in,
    measure=sizes,
    reach=LARGEST_N,
)

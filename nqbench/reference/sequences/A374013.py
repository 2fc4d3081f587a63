"""Find how many queens can always be completed."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.instances import Board, solve
from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences._own import stands_in
from nqbench.sets import LARGEST_N, completion_threshold, sets_of_size


def threshold(algorithm: QueensAlgorithm, implementation: str, n: int) -> int:
    """Return the threshold: in Python by completing each set, compiled by covering the sets with
    the solutions.
    """
    if implementation != "python":
        return completion_threshold(n, algorithm.solutions(n))
    return next(size - 1 for size in range(1, n + 1)
                if any(not solve(Board(n, placed=queens), seconds=None).found
                       for queens in sets_of_size(n, size)))


SEQUENCE = Sequence(
    name="A374013",
    title="Largest k such that any k or fewer nonattacking queens can be completed to n",
    source="OEIS A374013",
    first_n=4,
    values=(
        0, 1, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4,
    ),
    able=stands_in,
    measure=threshold,
    reach=LARGEST_N,
)

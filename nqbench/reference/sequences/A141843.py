"""Find the first solution."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.first import LARGEST_N, find_first, search
from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences._own import stands_in


def first(algorithm: QueensAlgorithm, implementation: str, n: int) -> list[int]:
    """Return the columns of the first solution, from 1; zeros if there is none.

    The compiled search rejects prefixes; that in Python is the plain one.
    """
    columns = search(n)[0] if implementation == "python" else find_first(n, count=False).columns
    return [0] * n if columns is None else [column + 1 for column in columns]


SEQUENCE = Sequence(
    name="A141843",
    title="Lexicographically first solution of the n queens problem, by rows; zeros if none",
    source="OEIS A141843, by Colin S. Pearson (2008) and others; its rows go to n = 61",
    first_n=1,
    values=(
        [1],
        [0, 0],
        [0, 0, 0],
        [2, 4, 1, 3],
        [1, 3, 5, 2, 4],
        [2, 4, 6, 1, 3, 5],
        [1, 3, 5, 7, 2, 4, 6],
        [1, 5, 8, 6, 3, 7, 2, 4],
        [1, 3, 6, 8, 2, 4, 9, 7, 5],
        [1, 3, 6, 8, 10, 5, 9, 2, 4, 7],
        [1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10],
        [1, 3, 5, 8, 10, 12, 6, 11, 2, 7, 9, 4],
    ),
    able=stands_in,
    measure=first,
    reach=LARGEST_N,
    begins=1,
)

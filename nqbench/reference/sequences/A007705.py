"""Count the toroidal solutions on boards of 2 n + 1 squares a side."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences._own import stands_in
from nqbench.sets import toroidal


def on_torus(algorithm: QueensAlgorithm, implementation: str, n: int) -> int:
    """Return the number of toroidal solutions for 2 n + 1 queens."""
    return toroidal(2 * n + 1, implementation)


SEQUENCE = Sequence(
    name="A007705",
    title="Number of ways to place 2n+1 nonattacking queens on a toroidal board",
    source="OEIS A007705",
    first_n=0,
    values=(
        1, 0, 10, 28, 0, 88, 4524, 0, 140692, 820496, 0, 128850048, 1957725000, 0, 605917055356,
        13404947681712, 0,
    ),
    able=stands_in,
    measure=on_torus,
    reach=15,
)

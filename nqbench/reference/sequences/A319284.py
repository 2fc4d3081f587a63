"""Count the nodes of the plain tree by level."""

from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences.A319283 import ENGINES, plain, tree
from nqbench.tally import Tally


def levels(tally: Tally) -> list[int]:
    """Return the number of nodes of each level, from the root."""
    return tally.levels


SEQUENCE = Sequence(
    name="A319284",
    title="Profiles of the backtrack tree for the n queens problem, by rows",
    source="OEIS A319284, after Knuth, TAOCP 7.2.2",
    first_n=0,
    values=(
        [1],
        [1, 1],
        [1, 2, 0],
        [1, 3, 2, 0],
        [1, 4, 6, 4, 2],
        [1, 5, 12, 14, 12, 10],
        [1, 6, 20, 36, 46, 40, 4],
        [1, 7, 30, 76, 140, 164, 94, 40],
        [1, 8, 42, 140, 344, 568, 550, 312, 92],
        [1, 9, 56, 234, 732, 1614, 2292, 2038, 1066, 352],
        [1, 10, 72, 364, 1400, 3916, 7552, 9632, 7828, 4040, 724],
        [1, 11, 90, 536, 2468, 8492, 21362, 37248, 44148, 34774, 15116, 2680],
        [1, 12, 110, 756, 4080, 16852, 52856, 120104, 195270, 222720, 160964, 68264, 14200],
    ),
    able=plain,
    measure=tree,
    engines=ENGINES,
    value=levels,
)

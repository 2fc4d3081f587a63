"""Find the widest level of the plain tree."""

from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences.A319283 import ENGINES, plain, tree
from nqbench.tally import Tally


def widest(tally: Tally) -> int:
    """Return the first of the levels with the most nodes."""
    return tally.levels.index(max(tally.levels))


SEQUENCE = Sequence(
    name="A319288",
    title="First of the widest levels of the backtrack tree for the n queens problem",
    source="OEIS A319288, by Peter Luschny (2018), after Knuth, TAOCP 7.2.2",
    first_n=0,
    values=(0, 0, 1, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11, 11, 12, 13, 14, 15),
    able=plain,
    measure=tree,
    engines=ENGINES,
    value=widest,
)

"""Count all sets of nonattacking queens."""

from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences._own import stands_in
from nqbench.reference.sequences.A348129 import sizes
from nqbench.sets import LARGEST_N

SEQUENCE = Sequence(
    name="A287227",
    title="Number of sets of nonattacking queens on an n X n board, the empty one included",
    source="OEIS A287227",
    first_n=0,
    values=(
        1, 2, 5, 18, 87, 462, 2635, 16870, 118969, 915442, 7535369, 66807234, 633443407,
        6354135838, 67480769839, 754734433310, 8870886701401,
    ),
    able=stands_in,
    measure=sizes,
    value=sum,
    reach=LARGEST_N,
)

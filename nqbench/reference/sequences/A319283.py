"""Count the nodes of the plain tree."""

from functools import partial
from types import SimpleNamespace

from nqbench.algorithms import QueensAlgorithm, Tree
from nqbench.engine.levels import ROWS, count_levels
from nqbench.reference.sequences import Sequence
from nqbench.tally import Tally


def plain(algorithm: QueensAlgorithm) -> bool:
    """Return whether the algorithm searches the plain tree."""
    return algorithm.tree == Tree.PLAIN


def tree(algorithm: QueensAlgorithm, implementation: str, n: int) -> Tally:
    """Return the counters of a search for all solutions."""
    return algorithm.profile(n, implementation)


def nodes(tally: Tally) -> int:
    """Return the number of nodes."""
    return tally.nodes


def count(rows: str, n: int) -> SimpleNamespace:
    """Return the levels and the nodes, counted by the engine in this order of the rows."""
    levels = count_levels(n, rows=rows)
    return SimpleNamespace(levels=levels, nodes=sum(levels))


ENGINES = {f"levels {rows}": partial(count, rows) for rows in ROWS}

SEQUENCE = Sequence(
    name="A319283",
    title="Number of nodes of the backtrack tree for the n queens problem",
    source="OEIS A319283, by Peter Luschny (2018), after Knuth, TAOCP 7.2.2",
    first_n=0,
    values=(
        1, 2, 3, 6, 17, 54, 153, 552, 2057, 8394, 35539, 166926, 856189, 4674890, 27358553,
        171129072, 1141190303, 8017021932, 59365844491, 461939618824,
    ),
    able=plain,
    measure=tree,
    value=nodes,
    engines=ENGINES,
)

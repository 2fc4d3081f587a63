"""Random orders with restarts, each run one and a half times as long as the previous one.

The runs grow, so the search ends on every instance.

See `nqbench.problems.instances._restarting`.
"""

from itertools import count

from nqbench.problems.instances._restarting import UNIT, restarting
from nqbench.problems.instances.base import Board, Finds, Placements, Search, Tally, Tree

GROWTH = 1.5  # length of a run divided by that of the previous one


def solutions(board: Board, tally: Tally, seed: int = 0) -> Placements:
    return restarting(board, (int(UNIT * GROWTH**k) for k in count()), seed, tally)


ALGORITHM = Search(
    name="restarts_geometric", order=81, origin="Walsh, Search in a small world", year=1999,
    technique="random orders, forward checking, restarts after 32 x 1.5^k backtracks",
    keeps_marks=True, tree=Tree.OWN, finds=Finds.ONE, search=solutions)

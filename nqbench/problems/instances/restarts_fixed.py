"""Random orders with restarts after a fixed number of backtracks.

The search never ends on an instance without a solution if its tree is larger than a run: set a
limit. See `nqbench.problems.instances._restarting`.
"""

from itertools import repeat

from nqbench.problems.instances._restarting import UNIT, restarting
from nqbench.problems.instances.base import Board, Finds, Placements, Search, Tally, Tree


def solutions(board: Board, tally: Tally, seed: int = 0) -> Placements:
    return restarting(board, repeat(UNIT), seed, tally)


ALGORITHM = Search(
    name="restarts_fixed", order=80,
    origin="Gomes, Selman and Kautz, Boosting combinatorial search through randomization",
    year=1998, technique="random orders, forward checking, restarts after 32 backtracks",
    keeps_marks=True, tree=Tree.OWN, finds=Finds.ONE, search=solutions)

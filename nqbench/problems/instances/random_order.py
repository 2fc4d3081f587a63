"""Random orders without restarts: a single run, until it has found a solution or searched
everything.

See `nqbench.problems.instances._restarting`.
"""

from math import inf

from nqbench.problems.instances._restarting import restarting
from nqbench.problems.instances.base import Board, Finds, Placements, Search, Tally, Tree


def solutions(board: Board, tally: Tally, seed: int = 0) -> Placements:
    return restarting(board, [inf], seed, tally)


ALGORITHM = Search(
    name="random_order", order=75,
    origin="Gomes, Selman and Kautz, Boosting combinatorial search through randomization",
    year=1998, technique="random orders, forward checking, without restarts", keeps_marks=True,
    tree=Tree.OWN, finds=Finds.ONE, search=solutions)

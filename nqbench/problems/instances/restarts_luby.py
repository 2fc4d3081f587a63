"""Random orders with restarts after Luby's sequence: 1, 1, 2, 1, 1, 2, 4, ... times 32 backtracks.

Without knowledge of the run lengths, no other sequence is better by more than a constant and a
logarithmic factor. Luby, Sinclair and Zuckerman, Optimal speedup of Las Vegas algorithms (1993).

See `nqbench.problems.instances._restarting`.
"""

from itertools import count

from nqbench.problems.instances._restarting import UNIT, luby, restarting
from nqbench.problems.instances.base import Board, Finds, Placements, Search, Tally, Tree


def solutions(board: Board, tally: Tally, seed: int = 0) -> Placements:
    return restarting(board, (UNIT * luby(k) for k in count(1)), seed, tally)


ALGORITHM = Search(
    name="restarts_luby", order=82,
    origin="Luby, Sinclair and Zuckerman, Optimal speedup of Las Vegas algorithms", year=1993,
    technique="random orders, forward checking, restarts after Luby's sequence", keeps_marks=True,
    tree=Tree.OWN, finds=Finds.ONE, search=solutions)

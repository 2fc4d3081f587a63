"""Random orders, with and without restarts.

A run is a search with forward checking. The next row is the one with the fewest free squares, drawn
at random if there are several, and its squares are tried in a random order. A run ends when it has
backtracked more often than its cutoff, and the next run begins at the root. A run that ends earlier
has searched everything. The searches differ in their cutoffs alone.

Carla Gomes, Bart Selman and Henry Kautz, Boosting combinatorial search through randomization
(1998).
"""

from collections.abc import Iterable, Iterator
from itertools import count, repeat
from math import inf
from random import Random

from nqbench.problems.instances.base import (
    Board,
    Columns,
    Finds,
    Placements,
    Tally,
    Tree,
    bits,
    read_family,
)

UNIT = 32  # backtracks of the shortest run
GROWTH = 1.5  # length of a run divided by that of the previous one, if they grow


def run(board: Board, random: Random, cutoff: float, tally: Tally) -> Iterator[Columns | None]:
    """Yield a solution, or None if the run has backtracked `cutoff` times; nothing if there is no
    solution.
    """
    columns = board.begin()
    left = cutoff

    def queens(free: dict[int, int], level: int) -> Iterator[Columns | None]:
        nonlocal left
        tally.node(level)
        if not free:
            yield tuple(columns)
            return
        fewest = min(mask.bit_count() for mask in free.values())
        rows = [row for row, mask in free.items() if mask.bit_count() == fewest]
        row = rows[int(random.random() * len(rows))]
        squares = [*bits(free[row])]
        while squares:
            at = int(random.random() * len(squares))
            squares[at], squares[-1] = squares[-1], squares[at]
            column = squares.pop()
            tally.test(row, column)
            below = {}
            for other, mask in free.items():
                if other != row:
                    tally.scans += 1
                    below[other] = mask & ~board.attacked(row, column, other)
            if 0 not in below.values():
                columns[row] = column
                yield from queens(below, level + 1)
                if left < 0:
                    return
        tally.exhausted(level)
        left -= 1
        if left < 0:
            yield None

    return queens({row: board.free[row] for row in board.open_rows}, 0)


def restarting(board: Board, cutoffs: Iterable[float], seed: int,
               tally: Tally) -> Placements:
    """Yield the first solution that runs with these cutoffs find."""
    random = Random(seed)
    for cutoff in cutoffs:
        found = next(run(board, random, cutoff, tally), ())
        if found is not None:
            if found:
                tally.solution()
                yield found
            return


def luby(k: int) -> int:
    """Return the k-th term of the sequence of Luby, Sinclair and Zuckerman, from k = 1 on.

    >>> [luby(k) for k in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    while k & k + 1:
        k -= (1 << k.bit_length() - 1) - 1
    return k + 1 >> 1


def random_order(board: Board, tally: Tally, seed: int = 0) -> Placements:
    """A single run, until it has found a solution or searched everything."""
    return restarting(board, [inf], seed, tally)


def restarts_fixed(board: Board, tally: Tally, seed: int = 0) -> Placements:
    """Restarts after a fixed number of backtracks.

    The search never ends on an instance without a solution if its tree is larger than a run: set a
    limit.
    """
    return restarting(board, repeat(UNIT), seed, tally)


def restarts_geometric(board: Board, tally: Tally, seed: int = 0) -> Placements:
    """Restarts, each run one and a half times as long as the previous one.

    The runs grow, so the search ends on every instance.
    """
    return restarting(board, (int(UNIT * GROWTH**k) for k in count()), seed, tally)


def restarts_luby(board: Board, tally: Tally, seed: int = 0) -> Placements:
    """Restarts after Luby's sequence: 1, 1, 2, 1, 1, 2, 4, ... times 32 backtracks.

    Without knowledge of the run lengths, no other sequence is better by more than a constant and a
    logarithmic factor. Luby, Sinclair and Zuckerman, Optimal speedup of Las Vegas algorithms
    (1993).
    """
    return restarting(board, (UNIT * luby(k) for k in count(1)), seed, tally)


ALGORITHMS = read_family(
    __file__, (random_order, restarts_fixed, restarts_geometric, restarts_luby), keeps_marks=True,
    tree=Tree.OWN, finds=Finds.ONE)

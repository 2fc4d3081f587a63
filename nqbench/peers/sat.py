"""python-sat: a variable for each square, solved repeatedly by one CaDiCaL.

The condition of at most one queen in each line is encoded pairwise. The other encodings add
variables, so one placement could be several models. Each solution is excluded by a clause over its
queens, as the solver's own `enum_models` does over all variables.

https://pysathq.github.io
"""

from nqbench.algorithms.dancing_links import options
from nqbench.board import Columns
from nqbench.instances.algorithms.base import bits
from nqbench.instances.board import Board, Line
from nqbench.peers._peer import Peer

SOLVER = "cadical195"


def count(n: int) -> int:
    """Count all solutions."""
    from pysat.card import CardEnc, EncType
    from pysat.solvers import Solver

    lines: dict[int, list[int]] = {}  # the squares of each row, column and diagonal
    for square, (_, items) in enumerate(options(n), 1):
        for item in items:
            lines.setdefault(item, []).append(square)
    found = 0
    with Solver(SOLVER) as solver:
        for item, squares in lines.items():
            if item <= 2 * n:  # a row or a column
                solver.add_clause(squares)
            if len(squares) > 1:
                solver.append_formula(CardEnc.atmost(squares, 1, encoding=EncType.pairwise).clauses)
        while solver.solve():
            found += 1
            solver.add_clause([-square for square in solver.get_model() if square > 0])
    return found


def solve(board: Board) -> Columns | None:
    """Return a solution of an instance, None if there is none."""
    from pysat.card import CardEnc, EncType
    from pysat.solvers import Solver

    n = board.n
    lines: dict[Line, list[int]] = {
        (kind, line): [] for kind in ("row", "column") for line in range(n)}
    for row, mask in enumerate(board.free):
        for column in bits(mask):
            for line in board.lines(row, column):
                lines.setdefault(line, []).append(1 + row * n + column)
    with Solver(SOLVER) as solver:
        for (kind, _), squares in lines.items():
            if kind in ("row", "column"):
                solver.add_clause(squares)
            if len(squares) > 1:
                solver.append_formula(CardEnc.atmost(squares, 1, encoding=EncType.pairwise).clauses)
        if not solver.solve():
            return None
        free = {square for squares in lines.values() for square in squares}
        return tuple((square - 1) % n for square in sorted(free & {*solver.get_model()}))


PEER = Peer("python-sat", "python-sat",
            "clauses for CaDiCaL, each solution excluded by one more", count, order=20,
            solve=solve)

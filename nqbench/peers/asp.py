"""clingo: answer set programming; clingo itself counts the answer sets.

https://potassco.org/guide
"""

from nqbench.board import Columns
from nqbench.instances.algorithms.base import bits
from nqbench.instances.board import Board
from nqbench.peers._peer import Peer

PROGRAM = """
{ queen(R, 1..n) } = 1 :- R = 1..n.
{ queen(1..n, C) } = 1 :- C = 1..n.
:- S = 2..2*n, 2 { queen(R, S-R) }.
:- D = 1-n..n-1, 2 { queen(R, R-D) }.
"""
INSTANCE = """
{ queen(R, C) : free(R, C, S, D) } = 1 :- R = 0..n-1.
{ queen(R, C) : free(R, C, S, D) } = 1 :- C = 0..n-1.
:- free(_, _, S, _), 2 { queen(R, C) : free(R, C, S, D) }.
:- free(_, _, _, D), 2 { queen(R, C) : free(R, C, S, D) }.
#show queen/2.
"""


def count(n: int) -> int:
    """Count all solutions.

    Raises
    ------
    RuntimeError
        if the search ended before all were found.
    """
    import clingo

    control = clingo.Control(["--models=0", f"--const=n={n}"])
    control.add("base", [], PROGRAM)
    control.ground([("base", [])])
    if not control.solve().exhausted:
        raise RuntimeError("clingo ended before it had found all models")
    return int(control.statistics["summary"]["models"]["enumerated"])


def solve(board: Board) -> Columns | None:
    """Return a solution of an instance, None if there is none.

    Raises
    ------
    RuntimeError
        if the search ended without an answer.
    """
    import clingo

    n = board.n
    squares = "".join(
        f"free({', '.join(str(line) for _, line in board.lines(row, column))})."
        for row, mask in enumerate(board.free) for column in bits(mask))
    control = clingo.Control(["--models=1", f"--const=n={n}"])
    control.add("base", [], squares + INSTANCE)
    control.ground([("base", [])])
    columns: dict[int, int] = {}
    with control.solve(yield_=True) as models:
        for model in models:
            columns = {atom.arguments[0].number: atom.arguments[1].number
                       for atom in model.symbols(shown=True)}
        answer = models.get()
    if answer.satisfiable:
        return tuple(columns[row] for row in range(n))
    if not answer.unsatisfiable:
        raise RuntimeError("clingo ended without an answer")
    return None


PEER = Peer("clingo", "clingo", "a logic program of four rules", count, order=30,
            solve=solve)

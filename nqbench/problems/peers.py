"""The peers: other packages with which a Python user could count the solutions of n queens.

Each is used as its own documentation recommends for finding all solutions, with one thread and the
default settings. It is imported only when it is used. All peers are optional: `pip install
"nqbench[peers]"`.

>>> [peer.name for peer in PEERS]
['CP-SAT', 'python-sat', 'clingo', 'exact-cover', 'dlx-cython', 'numba']
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, cast

from nqbench.problems.queens.dancing_links import options


@dataclass(frozen=True)
class Peer:
    """A package that counts n queens. To add one, add its functions and its row of `PEERS`.

    Attributes
    ----------
    name
        its name in tables and plots.
    package
        the name of its distribution.
    what
        how it is used, in a few words.
    count
        a function that returns the number of all solutions for n >= 1, and builds its model again
        each time. A process that measures imports it by name.

    Examples
    --------
    The function and the row of walk, a peer from the standard library:

    >>> from nqbench.problems.peers import Peer
    >>> def count_walk(n):
    ...     from itertools import permutations
    ...
    ...     return sum(n == len({r + c for r, c in enumerate(columns)})
    ...                  == len({r - c for r, c in enumerate(columns)})
    ...                for columns in permutations(range(n)))
    >>> walk = Peer("itertools", "nqbench", "all permutations", count_walk)

    What a study does with it:

    >>> walk.count(6), walk.installed() is None
    (4, False)
    """

    name: str
    package: str
    what: str
    count: Callable[[int], int]

    def installed(self) -> str | None:
        """Return the version of its package, None if it is not installed."""
        return find_installed(self.package)


def find_installed(package: str) -> str | None:
    """Return the version of a package, None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def count_cp(n: int) -> int:
    """Count all solutions.

    CP-SAT of OR-Tools: a variable for the column of each row, and three constraints. It is asked
    for all solutions, which it finds only with one worker, and calls back for each of them.
    https://developers.google.com/optimization/cp/queens

    Raises
    ------
    RuntimeError
        if the search ended before all were found.
    """
    from ortools.sat.python import cp_model

    class Counter(cp_model.CpSolverSolutionCallback):
        def __init__(self) -> None:
            super().__init__()
            self.found = 0

        def on_solution_callback(self) -> None:
            self.found += 1

    solver, counter = cp_model.CpSolver(), Counter()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    model = cp_model.CpModel()
    columns = [model.new_int_var(0, n - 1, f"row {row}") for row in range(n)]
    for sign in (0, 1, -1):
        model.add_all_different([column + sign * row for row, column in enumerate(columns)])
    status = solver.solve(model, counter)
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise RuntimeError(f"CP-SAT ended with {solver.status_name(status)}")
    return counter.found


def count_sat(n: int) -> int:
    """Count all solutions.

    python-sat: a variable for each square, solved repeatedly by one CaDiCaL. The condition of at
    most one queen in each line is encoded pairwise: the other encodings add variables, so one
    placement could be several models. Each solution is excluded by a clause over its queens, as
    the solver's own `enum_models` does over all variables. https://pysathq.github.io
    """
    from pysat.card import CardEnc, EncType
    from pysat.solvers import Solver

    lines: dict[int, list[int]] = {}  # the variables of the squares of each row, column, diagonal
    for square, (_, items) in enumerate(options(n), 1):
        for line in items:
            lines.setdefault(line, []).append(square)
    found = 0
    with Solver("cadical195") as solver:
        for line, squares in lines.items():
            if line <= 2 * n:  # a row or a column
                solver.add_clause(squares)
            solver.append_formula(CardEnc.atmost(squares, 1, encoding=EncType.pairwise).clauses)
        while solver.solve():
            found += 1
            solver.add_clause([-square for square in solver.get_model() if square > 0])
    return found


PROGRAM = """
{ queen(R, 1..n) } = 1 :- R = 1..n.
{ queen(1..n, C) } = 1 :- C = 1..n.
:- S = 2..2*n, 2 { queen(R, S-R) }.
:- D = 1-n..n-1, 2 { queen(R, R-D) }.
"""


def count_asp(n: int) -> int:
    """Count all solutions.

    clingo: answer set programming; clingo itself counts the answer sets.
    https://potassco.org/guide

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


def matrix(n: int) -> Any:
    """Return a NumPy array of 0 and 1: a row for each square, then one for each diagonal.

    exact-cover and dlx-cython know only columns that must be covered. But a diagonal may stay free,
    so each diagonal has one more row, which covers nothing else. `nqbench.search.exact_cover` needs
    no such rows.

    >>> matrix(1).tolist()
    [[1, 1, 1, 1], [0, 0, 1, 0], [0, 0, 0, 1]]
    """
    import numpy

    lines, diagonals = 6 * n - 2, range(2 * n, 6 * n - 2)
    made = numpy.zeros((n * n + len(diagonals), lines), dtype=numpy.int32)
    for square, (_, items) in enumerate(options(n)):
        made[square, [item - 1 for item in items]] = 1
    for row, diagonal in enumerate(diagonals, n * n):
        made[row, diagonal] = 1
    return made


def count_cover(n: int) -> int:
    """Count all solutions with exact-cover.

    Dancing links in C. https://github.com/jwg4/exact_cover
    """
    from exact_cover import get_solution_count

    return int(get_solution_count(matrix(n)))


def count_dlx(n: int) -> int:
    """Count all solutions, of which dlx-cython makes a list.

    The matrix is that of exact-cover. https://github.com/robmbrooks/dlx
    """
    from dlxsolver import DLXSolver

    return len(DLXSolver(matrix(n)).solve(find_all=True))


def count_numba(n: int) -> int:
    """Count all solutions; the first call compiles, which takes seconds.

    The recursion was not copied from anywhere; anyone who knows `nqbench.problems.queens.bitmask`
    would write it so. https://numba.readthedocs.io
    """
    return int(_compiled()((1 << n) - 1, 0, 0, 0))


@cache
def _compiled() -> Callable[[int, int, int, int], int]:
    from numba import njit

    @njit
    def placed(board: int, columns: int, falling: int, rising: int) -> int:
        """Return the number of ways to fill the remaining rows, given the attacked squares of the
        next row.
        """
        if columns == board:
            return 1
        found = 0
        free = board & ~(columns | falling | rising)
        while free:
            queen = free & -free
            free ^= queen
            found += placed(board, columns | queen, (falling | queen) << 1, (rising | queen) >> 1)
        return found

    return cast(Callable[[int, int, int, int], int], placed)


PEERS = (
    Peer("CP-SAT", "ortools", "constraints: all columns, sums and differences different", count_cp),
    Peer("python-sat", "python-sat",
         "clauses for CaDiCaL, each solution excluded by one more", count_sat),
    Peer("clingo", "clingo", "a logic program of four rules", count_asp),
    Peer("exact-cover", "exact-cover", "an exact cover by dancing links in C", count_cover),
    Peer("dlx-cython", "dlx-cython", "an exact cover by dancing links in Cython", count_dlx),
    Peer("numba", "numba", "the recursion with bit masks, compiled at run time", count_numba),
)

"""CP-SAT of OR-Tools: a variable for the column of each row, and three constraints.

It is asked for all solutions, which it finds only with one worker, and calls back for each of them.

https://developers.google.com/optimization/cp/queens
"""

from typing import Any

from nqbench.board import Columns
from nqbench.instances.algorithms.base import bits
from nqbench.instances.board import Board
from nqbench.peers._peer import Peer


def count(n: int) -> int:
    """Count all solutions.

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

    model = cp_model.CpModel()
    columns = [model.new_int_var(0, n - 1, f"row {r}") for r in range(n)]
    model.add_all_different(columns)
    model.add_all_different(c + r for r, c in enumerate(columns))
    model.add_all_different(c - r for r, c in enumerate(columns))
    solver, counter = cp_model.CpSolver(), Counter()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    status = solver.solve(model, counter)
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise RuntimeError(f"CP-SAT ended with {solver.status_name(status)}")
    return counter.found


def solve(board: Board) -> Columns | None:
    """Return a solution of an instance, None if there is none.

    Raises
    ------
    RuntimeError
        if the search ended without an answer.
    """
    from ortools.sat.python import cp_model

    if 0 in board.free:  # CP-SAT accepts no variable without values
        return None
    n, model = board.n, cp_model.CpModel()
    columns = [model.new_int_var_from_domain(
        cp_model.Domain.from_values([*bits(mask)]), f"row {row}")
        for row, mask in enumerate(board.free)]
    model.add_all_different(columns)
    for sign in (1, -1):
        lines = [column + sign * row for row, column in enumerate(columns)]
        if board.torus:  # modulo n
            lines = [_reduce(model, line, n) for line in lines]
        model.add_all_different(lines)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise RuntimeError(f"CP-SAT ended with {solver.status_name(status)}")
    return tuple(solver.value(column) for column in columns)


def _reduce(model: Any, line: Any, n: int) -> Any:
    """Return a variable that is a diagonal modulo n."""
    found = model.new_int_var(0, n - 1, "")
    model.add_modulo_equality(found, line + n, n)
    return found


PEER = Peer("CP-SAT", "ortools", "constraints: all columns, sums and differences different", count,
            order=10, solve=solve)

"""CP-SAT of OR-Tools: a variable for the column of each row, and three constraints.

Asked for all solutions, which it finds with one worker only, and calls back for each.

https://developers.google.com/optimization/cp/queens
"""

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


PEER = Peer("CP-SAT", "ortools", "constraints: all columns, sums and differences different", count,
            order=10)

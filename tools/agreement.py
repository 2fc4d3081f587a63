"""Ask all searches in instances, and the peers CP-SAT, python-sat and clingo if they are installed,
whether random instances of each family have a solution; fail at the first two answers that differ.

    python tools/agreement.py --many 1000 --seed 1

The instances are near the point where half of them have a solution. 1,000 of each family take about
forty minutes.
"""

import argparse
from collections import Counter
from dataclasses import dataclass, field
from functools import partial

from nqbench.errors import MiscountError
from nqbench.problems import instances
from nqbench.problems.instances.base import bits
from nqbench.problems.peers import PEERS

HALF_SOLVABLE = {
    "completion": lambda random: instances.completion(14, 6, random),
    "blocked": lambda random: instances.blocked(12, 76, random),
    "excluded": lambda random: instances.excluded(11, 7, random),
    "torus": lambda random: instances.completion(11, 3, random, torus=True),
}
NODES = 20_000  # nodes after which a search gives up
INSTANCE = """
{ queen(R, C) : free(R, C, S, D) } = 1 :- R = 0..n-1.
{ queen(R, C) : free(R, C, S, D) } = 1 :- C = 0..n-1.
:- free(_, _, S, _), 2 { queen(R, C) : free(R, C, S, D) }.
:- free(_, _, _, D), 2 { queen(R, C) : free(R, C, S, D) }.
#show queen/2.
"""


def solve_cp(board):
    """Return a solution of an instance by CP-SAT, None if there is none."""
    from ortools.sat.python import cp_model

    def modulo(line):
        found = model.new_int_var(0, n - 1, "")
        model.add_modulo_equality(found, line + n, n)
        return found

    if 0 in board.free:  # CP-SAT accepts no variable without values
        return None
    n, model, solver = board.n, cp_model.CpModel(), cp_model.CpSolver()
    columns = [model.new_int_var_from_domain(
        cp_model.Domain.from_values([*bits(mask)]), f"row {row}")
        for row, mask in enumerate(board.free)]
    model.add_all_different(columns)
    for sign in (1, -1):
        lines = [column + sign * row for row, column in enumerate(columns)]
        model.add_all_different(map(modulo, lines) if board.torus else lines)
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise RuntimeError(f"CP-SAT ended with {solver.status_name(status)}")
    return tuple(solver.value(column) for column in columns)


def solve_sat(board):
    """Return a solution of an instance by CaDiCaL, None if there is none."""
    from pysat.card import CardEnc, EncType
    from pysat.solvers import Solver

    n = board.n
    lines = {(kind, line): [] for kind in ("row", "column") for line in range(n)}
    for row, mask in enumerate(board.free):
        for column in bits(mask):
            for line in board.lines(row, column):
                lines.setdefault(line, []).append(1 + row * n + column)
    free = {square for squares in lines.values() for square in squares}
    with Solver("cadical195") as solver:
        for (kind, _), squares in lines.items():
            if kind in ("row", "column"):
                solver.add_clause(squares)
            if len(squares) > 1:
                solver.append_formula(
                    CardEnc.atmost(squares, 1, encoding=EncType.pairwise).clauses)
        if not solver.solve():
            return None
        return tuple((square - 1) % n for square in sorted(free & {*solver.get_model()}))


def solve_asp(board):
    """Return a solution of an instance by clingo, None if there is none."""
    import clingo

    n = board.n
    squares = "".join(
        f"free({', '.join(str(line) for _, line in board.lines(row, column))})."
        for row, mask in enumerate(board.free) for column in bits(mask))
    control = clingo.Control(["--models=1", f"--const=n={n}"])
    control.add("base", [], squares + INSTANCE)
    control.ground([("base", [])])
    columns = {}
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


SOLVE = {"CP-SAT": solve_cp, "python-sat": solve_sat, "clingo": solve_asp}


def find_peers():
    """Return the peers that are installed and answer, each with its function."""
    return {peer.name: SOLVE[peer.name] for peer in PEERS
            if peer.name in SOLVE and peer.installed()}


@dataclass
class Agreement:
    """The answers to the instances of a family: how many have a solution, and how many none; the
    peers that answered too; and for each search, on how many instances it gave up. min_conflicts
    gives up on every instance without a solution.
    """

    family: str
    solvable: int = 0
    unsolvable: int = 0
    peers: list = field(default_factory=list)
    gave_up: Counter = field(default_factory=Counter)


def compare_answers(family, many, seed=0, nodes=NODES):
    """Ask all; raise a MiscountError with the instance if two answers differ, or if a solution is
    not valid.
    """
    asked = find_peers()
    found = Agreement(family, peers=[*asked])
    ways = {**{name: partial(_ask, solve) for name, solve in asked.items()},
            **{name: partial(_search, name, nodes) for name in instances.catalogue()}}
    for board in instances.generate(HALF_SOLVABLE[family], many, seed):
        answers = {}
        for name, way in ways.items():
            answer, solutions = way(board)
            if not all(map(board.is_solution, solutions)):
                raise MiscountError(f"{name} gives {solutions[0]}, which is no solution of "
                                    f"{instances.write(board)!r}")
            if answer is None:
                found.gave_up[name] += 1
            else:
                answers[name] = answer
        if len({*answers.values()}) > 1:
            wrong = ", ".join(f"{name} {'a' if answer else 'no'} solution"
                              for name, answer in answers.items())
            raise MiscountError(f"the answers to {instances.write(board)!r} differ: {wrong}")
        found.solvable += any(answers.values())
        found.unsolvable += not any(answers.values())
    return found


def _ask(solve, board):
    """Return whether a peer finds a solution, and the solution."""
    solution = solve(board)
    return solution is not None, [] if solution is None else [solution]


def _search(name, nodes, board):
    """Return whether a search finds a solution, None if it gives up, and the solution."""
    outcome = instances.find(name).solve(board, nodes=nodes)
    return outcome.solvable, outcome.solutions


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition(";")[0])
    parser.add_argument("--many", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for family in HALF_SOLVABLE:
        print(compare_answers(family, given.many, given.seed))

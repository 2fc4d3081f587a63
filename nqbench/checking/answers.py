"""Check that all searches in instances, and the peers that are installed, give the same answers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random

from nqbench.errors import MiscountError
from nqbench.problems import instances
from nqbench.problems.instances import Board
from nqbench.problems.peers import PEERS

# Families of instances near the point where half of them have a solution.
HALF_SOLVABLE: dict[str, Callable[[Random], Board]] = {
    "completion": lambda random: instances.completion(14, 6, random),
    "blocked": lambda random: instances.blocked(12, 76, random),
    "excluded": lambda random: instances.excluded(11, 7, random),
    "torus": lambda random: instances.completion(11, 3, random, torus=True),
}
NODES = 20_000  # nodes after which a search gives up


@dataclass
class Agreement:
    """The answers to the instances of a family.

    Attributes
    ----------
    solvable, unsolvable
        how many have a solution, and how many none.
    peers
        the names of the peers that answered too.
    gave_up
        for each search, on how many instances it gave up; min_conflicts gives up on every instance
        without a solution.
    """

    family: str
    solvable: int = 0
    unsolvable: int = 0
    peers: list[str] = field(default_factory=list)
    gave_up: dict[str, int] = field(default_factory=dict)


def compare_answers(family: str, many: int, seed: int = 0, nodes: int = NODES,
                    progress: Callable[[int], object] = bool) -> Agreement:
    """Ask all searches and all installed peers whether instances have a solution.

    Raises
    ------
    MiscountError
        if two answers contradict each other, or if a solution is not valid; the message has the
        instance.

    Examples
    --------
    >>> found = compare_answers("torus", 5)
    >>> found.solvable + found.unsolvable
    5
    """
    asked = {peer.name: peer.solve for peer in PEERS if peer.solve and peer.installed()}
    found = Agreement(family, peers=[*asked])
    for number, board in enumerate(instances.generate(HALF_SOLVABLE[family], many, seed)):
        progress(number)
        answers: dict[str, bool] = {}
        ways = {**{name: partial(_ask, solve) for name, solve in asked.items()},
                **{name: partial(_search, name, nodes) for name in instances.catalogue()}}
        for name, way in ways.items():
            answer, solutions = way(board)
            if not all(map(board.is_solution, solutions)):
                raise MiscountError(f"{name} gives {solutions[0]}, which is no solution of "
                                    f"{instances.write(board)!r}")
            if answer is None:
                found.gave_up[name] = found.gave_up.get(name, 0) + 1
            else:
                answers[name] = answer
        if len({*answers.values()}) > 1:
            wrong = ", ".join(f"{name} {'a' if answer else 'no'} solution"
                              for name, answer in answers.items())
            raise MiscountError(f"the answers to {instances.write(board)!r} differ: {wrong}")
        found.solvable += any(answers.values())
        found.unsolvable += not any(answers.values())
    return found


Answer = tuple[bool | None, list[tuple[int, ...]]]


def _ask(solve: Callable[[Board], tuple[int, ...] | None], board: Board) -> Answer:
    """Return whether a peer finds a solution, and the solution."""
    solution = solve(board)
    return solution is not None, [] if solution is None else [solution]


def _search(name: str, nodes: int, board: Board) -> Answer:
    """Return whether a search finds a solution, None if it gives up, and the solution."""
    outcome = instances.find(name).solve(board, nodes=nodes)
    return outcome.solvable, outcome.solutions

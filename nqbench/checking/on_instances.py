"""Check one algorithm of instances on small random boards of every family, in this process."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from nqbench.checking.findings import Decided, Fault, Findings
from nqbench.checking.placements import StopError, read_twice
from nqbench.checking.recount import pursue, recount
from nqbench.errors import BuildError, BuildsDifferError
from nqbench.explain.tree import Node
from nqbench.problems.instances import (
    Board,
    Search,
    blocked,
    catalogue,
    completion,
    excluded,
    write,
)
from nqbench.search.agreement import compare
from nqbench.search.algorithm import Tree
from nqbench.search.board import Columns
from nqbench.search.tally import GaveUpError, Tally

EACH = 6  # boards of each family and n
SEED = 1
NODES = 1000  # of a search for one solution, after which it gives up
LARGEST = 7  # queens; the trees of larger boards take too long
RIGHT = "bitmask"  # the reference search, whose tree is the plain one

# Up to the amount placed, blocked or excluded at which about half of the boards have a solution.
SMALL: dict[str, Callable[[int, Random], Board]] = {
    "completion": lambda n, random: completion(n, _up_to(n // 2, random), random),
    "blocked": lambda n, random: blocked(n, _up_to(n * n // 2, random), random, least=1),
    "excluded": lambda n, random: excluded(n, _up_to(n - 1, random), random, least=1),
    "torus": lambda n, random: completion(n, _up_to(n // 3, random), random, torus=True),
}


def _up_to(most: int, random: Random) -> int:
    """Return a whole number from 0 to `most`."""
    return int(random.random() * (most + 1))


def draw_boards(max_n: int) -> Iterator[tuple[str, Board]]:
    """Yield families and boards of at most `LARGEST` queens, the smallest first; they are the same
    in every check.

    >>> len({family for family, board in draw_boards(3)}), len([*draw_boards(3)])
    (4, 72)
    """
    for n in range(1, min(max_n, LARGEST) + 1):
        for family, make in SMALL.items():
            for k in range(EACH):
                yield family, make(n, Random(f"{SEED} {family} {n} {k}"))


def check_on_instances(algorithm: Search, max_n: int,
                       progress: Callable[[str], object] = bool) -> Findings:
    """Return what is wrong with an algorithm for instances, on boards of up to `max_n` queens, but
    at most `LARGEST`.

    `progress` gets a description of what is done next.
    """
    findings = Findings(algorithm.name, min(max_n, LARGEST))
    decided = {family: Decided(family) for family in SMALL}
    plain = own = 0
    right = catalogue()[RIGHT]
    try:
        for family, board in draw_boards(max_n):
            progress(f"at {write(board)}")
            counted = right.tally(board)
            solutions = [*right.python.follow(board, counted)]
            tally = _check_board(algorithm, board, solutions, decided[family], findings)
            plain, own = plain + counted.nodes, own + tally.nodes
        if algorithm.exhaustive and algorithm.tree != Tree.NONE:
            findings.nodes = plain, own
    except StopError as error:
        findings.add(replace(error.fault, instance=write(board)))
    findings.instances = [each for each in decided.values() if each.many]
    return findings


def _check_board(algorithm: Search, board: Board, right: list[Columns], decided: Decided,
                 findings: Findings) -> Tally:
    """Check one board; return the counters of its search."""
    text = write(board)
    make_tally = partial(algorithm.tally, board, nodes=None if algorithm.exhaustive else NODES)
    run: Any = partial(_follow, algorithm, board)
    decided.many += 1
    decided.solvable += bool(right)
    try:
        reached, tally = read_twice(run, make_tally, algorithm, board.n, text, findings)
    except GaveUpError:
        decided.gave_up += 1
        return make_tally()
    decided.solutions += len(reached)
    add = partial(_add, findings, text, board.n)
    if not findings.has("wrong", "missing"):
        for fault in _check_solutions(algorithm, board, reached, right):
            add(fault)
    if not findings.has("builds"):
        build = algorithm.python.run
        try:
            compare(algorithm.name, text, lambda: reached, {
                kind: partial(build, kind, board) for kind in ("plain", "bare")})
        except (BuildError, BuildsDifferError) as error:
            add(Fault("builds", str(error)))
    for fault in _check_counters(algorithm, board, tally, len(reached)):
        add(fault)
    return tally


def _add(findings: Findings, text: str, n: int, fault: Fault) -> None:
    findings.add(replace(fault, n=n, instance=text))


def _follow(algorithm: Search, board: Board, tally: Tally) -> Iterator[Any]:
    """Run the search itself, without a check of its answers."""
    assert algorithm.search is not None
    return algorithm.search(board, tally, *algorithm.values)


def _check_solutions(algorithm: Search, board: Board, reached: list[Columns],
                     right: list[Columns]) -> Iterator[Fault]:
    """Yield the first wrong and the first missing placement."""
    text = write(board)
    seen: dict[Columns, int] = {}
    for place, columns in enumerate(reached, 1):
        if columns in seen:
            yield Fault("wrong", f"{text}: solution {place} is solution {seen[columns]} again: "
                        f"{_show(board, columns)}", placement=columns)
            return
        if not board.is_solution(columns):
            yield Fault("wrong", f"{text}: solution {place}, {_show(board, columns)}, is no "
                        "solution of it", placement=columns)
            return
        seen[columns] = place
    missing = sorted({*right} - {*reached})
    if algorithm.exhaustive and missing:
        yield Fault("missing", f"{text}: {len(missing)} of {len(right)} solutions are missing, the "
                    f"first is {_show(board, missing[0])}"
                    f"{_find_loss(algorithm, board, missing[0])}", placement=missing[0])
    elif algorithm.complete and right and not reached:
        yield Fault("missing", f"{text}: it finds no solution, but {_show(board, right[0])} is one"
                    f"{_find_loss(algorithm, board, right[0])}", placement=right[0])


def _find_loss(algorithm: Search, board: Board, missing: Columns) -> str:
    """Return where a search loses a solution, in words; empty if it cannot be followed."""
    if algorithm.tree == Tree.NONE:
        return ""
    rows = board.open_rows
    pursuit = pursue(partial(_follow, algorithm, board), len(rows),
                     [frozenset((row, missing[row]) for row in rows)])
    if pursuit is None:
        return ""
    where = f"; below {Node(board.n, pursuit.deepest, given=board.placed).label}, "
    if len(pursuit.deepest) == len(rows):
        return f"{where}nothing is yielded"
    if pursuit.refused is None:
        return f"{where}its next queen is not tried"
    row, column = pursuit.refused
    return f"{where}row {row + 1}, column {column + 1} is refused"


def _show(board: Board, columns: Columns) -> str:
    """Return a placement as people read it, its columns counted from 1."""
    return Node(board.n, tuple(enumerate(columns)), given=board.placed).label


def _check_counters(algorithm: Search, board: Board, tally: Tally,
                    reached: int) -> Iterator[Fault]:
    """Yield the counters that contradict each other, or a recount."""
    text, last = write(board), len(board.open_rows)
    if tally.visits != reached:
        yield Fault("counter", f"{text}: tally.solution() was called {tally.visits} times, but "
                    f"{reached} placements were yielded", None, last, "visits", reached,
                    tally.visits)
    if algorithm.tree == Tree.NONE:
        return
    if not algorithm.exhaustive:  # which may restart, and so count a node again
        for level, least in (0, 1), (last, tally.visits):
            if tally.levels[level] < least:
                yield Fault("counter", f"{text}, level {level}: levels says {tally.levels[level]} "
                            f"nodes, but the search reached at least {least}", None, level,
                            "levels", least, tally.levels[level])
        return
    if tally.levels[0] != 1:
        yield Fault("counter", f"{text}, level 0: the root is counted {tally.levels[0]} times, not "
                    "once", None, 0, "levels", 1, tally.levels[0])
    if tally.levels[last] != tally.visits:
        yield Fault("counter", f"{text}, level {last}: levels says {tally.levels[last]} nodes, but "
                    f"{tally.visits} solutions were reached", None, last, "levels", tally.visits,
                    tally.levels[last])
    yield from recount(partial(_follow, algorithm, board), last, text)

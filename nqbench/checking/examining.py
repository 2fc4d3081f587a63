"""Check one algorithm, in this process."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from traceback import extract_tb, format_list
from typing import Any

from nqbench._arguments import require_whole
from nqbench._text import describe_error
from nqbench.algorithms import PART, QueensAlgorithm, Search, Tree, find
from nqbench.board import Columns, Placement, attacks, mirror
from nqbench.builds.comparing import compare
from nqbench.checking.findings import Fault, Findings
from nqbench.checking.recounting import pursue, recount
from nqbench.errors import BuildError, BuildsDifferError, InvalidValueError
from nqbench.plugins.decorating import is_placement
from nqbench.plugins.registering import home
from nqbench.reference import published
from nqbench.tally import Tally

RECOUNTED = 7  # larger boards are not recounted from their events, which takes longer
SHOWN = 3  # lines of a traceback


class _StopError(Exception):
    """A fault after which nothing else can be checked."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


def check(algorithm: str | QueensAlgorithm, max_n: int = 9,
          progress: Callable[[str], object] = bool) -> Findings:
    """Return what is wrong with an algorithm, for up to `max_n` queens.

    `progress` gets a description of what is done next.

    Raises
    ------
    TypeError, ValueError
        if there is no such algorithm, or if it has no search in Python.
    """
    chosen = find(algorithm)
    max_n = require_whole(max_n, "max_n")
    if not isinstance(chosen, Search):
        raise InvalidValueError(f"{chosen.name} has no search in Python, which is what is checked")
    findings = Findings(chosen.name, max_n)
    try:
        for n in range(min(max_n, chosen.largest_n) + 1):
            progress(f"at n = {n}")
            _check_board(chosen, n, findings)
        _compare_implementations(chosen, findings, progress)
    except _StopError as error:
        findings.add(error.fault)
    return findings


def _check_board(algorithm: Search, n: int, findings: Findings) -> None:
    tally = algorithm.tally(n)
    reached = _search(algorithm, n, tally)
    doubled = [image for columns in reached for image in
               ((columns, mirror(columns)) if algorithm.doubles(n) else (columns,))]
    expected: int | None = published("A000170").get(n) if algorithm.exhaustive else None
    findings.solutions.append((n, expected, len(doubled)))
    if algorithm.finds != PART and not findings.has("wrong", "missing"):
        _check_solutions(algorithm, n, doubled, findings)
    if not findings.has("builds"):
        run, follow = algorithm.python.run, algorithm.python.follow
        try:
            compare(algorithm.name, f"n = {n}", partial(follow, n, algorithm.tally(n)),
                    {"plain": partial(run, "plain", n), "bare": partial(run, "bare", n)})
        except (BuildError, BuildsDifferError) as error:
            findings.add(Fault("builds", str(error), n))
    _check_counters(algorithm, n, tally, len(reached), findings)
    profile = published("A319284").get(n)
    if n == findings.max_n and profile and algorithm.tree != Tree.NONE:
        findings.tree = list(zip(profile, tally.levels, strict=True))


def _search(algorithm: Search, n: int, tally: Tally) -> list[Columns]:
    """Return what the counting build yields, checked for its shape."""
    reached: list[Columns] = []
    last: tuple[Any, Columns] | None = None  # as it was yielded, and a copy
    partial_ones = algorithm.finds == PART

    def require_unchanged() -> None:
        if last is not None and tuple(last[0]) != last[1]:
            raise _StopError(Fault(
                "shape", f"n = {n}: it changes the list {list(last[1])} after yielding it; yield "
                "tuple(columns) instead", n, placement=last[1]))

    try:
        for answer in algorithm.python.follow(n, tally):
            require_unchanged()
            if not is_placement(answer, n, partial_ones):
                raise _StopError(Fault(
                    "shape", f"n = {n}: it yields {answer!r}, not a tuple of {n} columns from 0 to "
                    f"{n - 1}", n))
            last = answer, tuple(answer)
            reached.append(last[1])
        require_unchanged()
    except _StopError:
        raise
    except Exception as error:
        raise _StopError(_describe_failure(algorithm, n, error)) from error
    if n and last is not None and not isinstance(last[0], tuple):  # an empty list never changes
        raise _StopError(Fault(
            "shape", f"n = {n}: it yields a {type(last[0]).__name__}, {last[0]!r}; yield "
            "tuple(columns) instead", n, placement=last[1]))
    return reached


def _describe_failure(algorithm: Search, n: int, error: Exception) -> Fault:
    """Return the fault of a search that raises, with the last lines of its own file."""
    own = [frame for frame in extract_tb(error.__traceback__)
           if frame.filename == home(algorithm) or not Path(frame.filename).is_relative_to(
               Path(__file__).parent.parent)]
    lines = [line.rstrip() for text in format_list(own[-SHOWN:]) for line in text.splitlines()]
    where = f", line {own[-1].lineno}" if own else ""
    return Fault("raises", f"n = {n}{where}: {describe_error(error)}", n, lines=tuple(lines))


def _check_solutions(algorithm: Search, n: int, reached: list[Columns],
                     findings: Findings) -> None:
    """Find the first wrong and the first missing placement."""
    right = set(find("bitmask").solutions(n))
    seen: dict[Columns, int] = {}
    for place, columns in enumerate(reached, 1):
        if columns in seen or columns not in right:
            findings.add(_describe_wrong(n, columns, place, seen))
            break
        seen[columns] = place
    missing = sorted(right - set(reached)) if algorithm.exhaustive else []
    if missing:
        prefix, where = pursue(algorithm, n, missing[0])
        findings.add(Fault(
            "missing", f"n = {n}: {len(missing)} of {len(right)} solutions are missing, the first "
            f"is {missing[0]}" + (f"; {where}" if where else ""), n,
            None if prefix is None else len(prefix), placement=missing[0], prefix=prefix))
    if n and findings.has("wrong", "missing") and algorithm.exhaustive:
        expected, got = (Counter(columns[0] for columns in each) for each in (right, reached))
        findings.first_queen = [(c, expected[c], got[c]) for c in range(n)]


def _describe_wrong(n: int, columns: Columns, place: int, seen: Mapping[Columns, int]) -> Fault:
    if columns in seen:
        return Fault("wrong", f"n = {n}: solution {place} is solution {seen[columns]} again: "
                     f"{columns}", n, placement=columns)
    queens = list(enumerate(columns))
    (r, _), (s, _) = next((p, q) for q in queens for p in queens[:q[0]] if attacks(p, q))
    return Fault("wrong", f"n = {n}: solution {place}, {columns}, is wrong: the queens of rows "
                 f"{r + 1} and {s + 1} attack each other", n, placement=columns)


def _check_counters(algorithm: Search, n: int, tally: Tally, reached: int,
                    findings: Findings) -> None:
    """Compare the counters with each other, and with a recount."""
    if tally.visits != reached and not algorithm.uses_symmetry:  # which may yield several images
        findings.add(Fault(
            "counter", f"n = {n}: tally.solution() was called {tally.visits} times, but "
            f"{reached} placements were yielded", n, n, "visits", reached, tally.visits))
    if algorithm.tree == Tree.NONE:
        return
    if tally.levels[0] != 1:
        findings.add(Fault("counter", f"n = {n}, level 0: the root is counted {tally.levels[0]} "
                           "times, not once", n, 0, "levels", 1, tally.levels[0]))
    if algorithm.exhaustive and tally.levels[n] != tally.visits:
        findings.add(Fault("counter", f"n = {n}, level {n}: levels says {tally.levels[n]} nodes, "
                           f"but {tally.visits} solutions were reached", n, n, "levels",
                           tally.visits, tally.levels[n]))
    if tally.nodes != sum(tally.levels):
        findings.add(Fault("counter", f"n = {n}: nodes is {tally.nodes}, but the levels sum to "
                           f"{sum(tally.levels)}", n, None, "nodes", sum(tally.levels),
                           tally.nodes))
    profile = published("A319284").get(n)
    if algorithm.tree == Tree.PLAIN and profile:
        for level, (plain, own) in enumerate(zip(profile, tally.levels, strict=True)):
            if plain != own:
                findings.add(Fault(
                    "counter", f"n = {n}, level {level}: it says tree=\"plain\", but has {own} "
                    f"nodes, not {plain}", n, level, "tree", plain, own))
                break
    if n <= RECOUNTED:
        for fault in recount(algorithm, n):
            findings.add(fault)


def _compare_implementations(algorithm: Search, findings: Findings,
                             progress: Callable[[str], object]) -> None:
    """Compare the counts of the other implementations with the published or our own ones."""
    for name, implementation in algorithm.implementations.items():
        if name == "python":
            continue
        findings.implementations.append(name)
        for n, expected, own in findings.solutions:
            progress(f"at n = {n} of {name}")
            right = own if expected is None else expected
            if n > implementation.largest_n:
                break
            try:
                got = implementation.count(n) * (1 + algorithm.doubles(n))
            except Exception as error:
                findings.add(Fault("implementation",
                                   f"{name}, n = {n}: {describe_error(error.__cause__ or error)}",
                                   n, counter=name))
                break
            if got != right:
                findings.add(Fault("implementation", f"{name}, n = {n}: it counts {got} "
                                   f"solutions, not {right}", n, None, name, right, got))
                break


def draw(fault: Fault) -> str:
    """Return the placement of a fault as a drawing.

    >>> print(draw(Fault("wrong", "", placement=(1, 3, 0, 2))))
    . Q . .
    . . . Q
    Q . . .
    . . Q .
    """
    return Placement(fault.placement or ()).drawing()

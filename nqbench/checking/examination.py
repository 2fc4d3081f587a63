"""Check one algorithm, in this process or in a child; an algorithm of instances on small random
boards of every family.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, replace
from functools import partial
from math import inf
from random import Random
from time import monotonic, perf_counter, process_time
from typing import Any

from nqbench.checking import following
from nqbench.checking.findings import KINDS, FamilyResult, Fault, Findings
from nqbench.checking.following import StopError, find_loss, recount
from nqbench.errors import (
    BuildError,
    BuildsDifferError,
    InvalidValueError,
    PluginError,
    describe_error,
)
from nqbench.explain.trace import count_levels
from nqbench.explain.tree import Node
from nqbench.problems import PROBLEMS, instances
from nqbench.problems.forecast import Forecast
from nqbench.problems.instances import Board, blocked, completion, excluded
from nqbench.problems.instances.board import squares
from nqbench.problems.instances.families import below
from nqbench.problems.instances.lines import spared
from nqbench.problems.instances.parts import read_refusals
from nqbench.problems.plugins import find, find_all, is_outside
from nqbench.problems.plugins.children import Child, StoppedError
from nqbench.problems.plugins.functions import NUMBER_ALONE, find_mistake
from nqbench.problems.plugins.limits import MEMORY, STOPPED, TIME
from nqbench.problems.plugins.programs import FloodError, ProgramAlgorithm
from nqbench.problems.plugins.puzzles import LATE, PuzzleAlgorithm, PuzzleFunction, WrongAnswerError
from nqbench.problems.plugins.reading import find_hint
from nqbench.problems.published import published
from nqbench.problems.queens import PART, Finds, Search, Tree, catalogue
from nqbench.problems.queens.base import RECURSION
from nqbench.problems.sudoku import PROBLEM as SUDOKU
from nqbench.search.algorithm import Algorithm
from nqbench.search.board import Columns, Placement, are_peaceful, attacks, mirror
from nqbench.search.builds import BuildKind
from nqbench.search.implementations import Outcome, PythonBuilds, compare
from nqbench.search.metrics import STATEMENTS
from nqbench.search.refusals import EXAMINED_SECONDS, examine
from nqbench.search.tally import GaveUpError, Tally
from nqbench.util.arguments import require_whole

MOST_N = 64  # more than any published count is for
FLOOD = "too much was printed: "
FEW = 4  # queens, of which a user's function or program may have no answer for less
HINTED = 6  # queens up to which a wrong count is repeated, and compared with other sequences
CHECKED = 9  # queens of the largest board that is searched by default; beyond, totals are checked
SAFETY = 2  # times the predicted seconds of a count must be left
FORECAST = 3  # counts from which the time of the next one is predicted
MOST_IMAGES = 8  # of one placement
RECOUNTED = 7  # larger boards are not recounted from their events, which takes longer
PUZZLES = 5.0  # seconds in which a function solves puzzles of a data set
EACH = 6  # boards of each family and n
SEED = 1
COMPARED: tuple[BuildKind, ...] = "plain", "bare"
NO_QUEENS = "by convention there is one way to place none, which no study asks for"
READING = "as it ran for 5 and 6 queens"
COMPILED = "only compiled: its answers are compared"
MOST_SEEN = 10**6  # solutions of a board that are looked at one by one
MOST_ANSWERS, MOST_NODES = 100, 5000  # of an instance of another problem
NODE_LIMIT = 1000  # of a search for one solution in an instance, after which it gives up
LARGEST_INSTANCE = 7  # queens of an instance; the trees of larger boards take too long
RIGHT = "bitmask"  # the reference search in instances, whose tree is the plain one

# Up to the amount placed, blocked or excluded at which about half of the boards have a solution.
MAKERS: dict[str, Callable[[int, Random], Board]] = {
    "completion": lambda n, random: completion(n, below(n // 2 + 1, random), random),
    "blocked": lambda n, random: blocked(n, below(n * n // 2 + 1, random), random, least=1),
    "excluded": lambda n, random: excluded(n, below(n, random), random, least=1),
    "torus": lambda n, random: completion(n, below(n // 3 + 1, random), random, torus=True),
}


OnFinding = Callable[[Findings, str], object]  # what is known so far, and what is done next


def check(algorithm: str | Algorithm[Any, Any], max_n: int = CHECKED,
          progress: OnFinding = lambda findings, doing: None, seconds: float = 0.0,
          first_n: int = 0) -> Findings:
    """Return what is wrong with an algorithm: for queens or their instances, for `first_n` to
    `max_n` queens; for another problem, on small instances and on some of each data set.

    `progress` gets the findings so far and a description of what is done next. In what is left of
    `seconds`, the totals of larger boards are checked, as long as each count is predicted to end in
    time. A function or program that was not written for nqbench may give no answer for less than
    four queens, which is a warning.

    Raises
    ------
    TypeError, ValueError
        if there is no such algorithm, or if it cannot be checked for `first_n` to `max_n` queens.

    Examples
    --------
    >>> found = check("bitmask", 6)
    >>> found.verdict, found.solutions[-1]
    ('right', (6, 4, 4))
    """
    chosen = find(algorithm, None)
    max_n = require_whole(max_n, "max_n")
    if isinstance(chosen, instances.Search):
        findings = _check_in_instances(chosen, max_n, progress, first_n)
    elif isinstance(chosen, PuzzleAlgorithm):
        findings = _check_puzzles(chosen, progress)
    elif chosen.problem != "queens":
        findings = _check_elsewhere(chosen, progress)
    else:
        findings = _check_queens(chosen, max_n, progress, seconds, first_n)
    return _require_any(chosen, findings)


def _require_any(algorithm: Algorithm[Any, Any], findings: Findings) -> Findings:
    """Return the findings, with a fault if nothing was checked: no answer was given, or a search
    for one solution found none on any board that has some.
    """
    answered = [each for each in findings.instances if each.many > each.gave_up]
    found = [(got, published("A000170").get(n)) for n, _, got in findings.solutions] + [
        (each.solutions, each.solvable) for each in answered]
    none = algorithm.finds == Finds.ONE and any(right for _, right in found) and not any(
        got for got, _ in found)
    if findings.ok and (none or not found):
        findings.add(Fault("nothing", "it finds no solution where there is one" if none else
                           "it gives no answer"))
    return findings


def _check_queens(algorithm: Any, max_n: int, progress: OnFinding, seconds: float,
                  first_n: int) -> Findings:
    """Return what is wrong with an algorithm for `first_n` to `max_n` queens; see `check`."""
    counts = not isinstance(algorithm, Search) or (
        is_outside(algorithm) and algorithm.only_counts(next(iter(algorithm.implementations))))
    largest = max(published("A000170").up_to(MOST_N))[0] if counts else min(
        algorithm.largest_n, RECURSION)  # it is compared with the plain search
    if require_whole(first_n, "first_n") > largest:
        raise InvalidValueError(f"{algorithm.name} can be checked up to n = {largest}"
                                f"{', the largest with a published count' * counts}, "
                                f"not from {first_n} on")
    findings = Findings(algorithm.name, min(max_n, largest), first_n)
    end = perf_counter() + seconds
    if isinstance(algorithm, ProgramAlgorithm) and _is_unread(algorithm, findings, progress):
        return findings
    form = findings.form = algorithm.form_in_words
    findings.uncounted = [*STATEMENTS] if form else []
    if counts:
        findings.form = form or f"counts orbit by orbit; returns {NUMBER_ALONE}"
        for name in algorithm.implementations:
            _check_counts(algorithm, name, findings, progress, end)
        _check_builds(algorithm, findings)
        return findings
    findings.uncounted = sorted(algorithm.python.uncounted)
    try:
        for n in range(first_n, findings.max_n + 1):
            progress(findings, f"at n = {n}")
            if form and n < FEW and (fault := _find_fault(algorithm, n)):
                findings.warn(fault + f"; {NO_QUEENS}" * (n == 0))
            else:
                _check_board(algorithm, n, findings)
        _check_totals(algorithm, findings, progress, end)
        _examine_rules(algorithm, min(findings.max_n, RECOUNTED), int, findings)
    except StopError as error:
        findings.add(error.fault)
    if findings.has("shape", "missing"):
        counted = {n: got for n, _, got in findings.solutions if got is not None}
        mistake = find_hint(counted) + (f"; {find_mistake(algorithm.search)}".removesuffix("; "))
        findings.faults[0] = replace(findings.faults[0], text=f"{findings.faults[0].text}{mistake}")
    return findings


def _is_unread(program: ProgramAlgorithm, findings: Findings, progress: OnFinding) -> bool:
    """Return whether the count of a program cannot be found, and add why."""
    progress(findings, READING)
    try:
        findings.form = program.form_in_words
    except PluginError as error:
        findings.add(Fault("unread", str(error)))
    return not findings.ok


def _find_fault(algorithm: Search, n: int) -> str:
    """Return why there is no answer for a few queens, or what is wrong without queens; empty if
    nothing is.
    """
    found = Findings(algorithm.name, n)
    try:
        _check_board(algorithm, n, found)
    except StopError as error:
        found.add(error.fault)
    return found.worst if n == 0 or found.has("raises", "shape") else ""


def _check_builds(algorithm: Algorithm[Any, Any], findings: Findings) -> None:
    try:
        algorithm.compare_builds()
    except (BuildError, BuildsDifferError) as error:
        findings.add(Fault("builds", str(error)))


def _check_elsewhere(algorithm: Algorithm[Any, Any], progress: OnFinding) -> Findings:
    """Return what is wrong with an algorithm of another problem: compare every implementation with
    another algorithm of this problem.
    """
    problem, ways = PROBLEMS[algorithm.problem], algorithm.implementations
    findings = Findings(algorithm.name, 0, noun=problem.noun, implementations={
        way: 0 for way in ways if way != "python"}, form="" if algorithm.search else COMPILED)
    _check_builds(algorithm, findings)
    plain = algorithm.name.partition(":")[0]
    right = next((each for each in (*problem.defaults, *problem.catalogue) if each != plain
                  and problem.find(each).exhaustive and problem.find(each).implementations), None)
    if algorithm.search is not None:
        findings.uncounted = sorted(algorithm.python.uncounted)
    for family, listed in {"small": [*algorithm.small_instances().values()], **{
            name: make()[:EACH] for name, make in problem.data_sets.items()}}.items():
        decided = FamilyResult(family, many=len(listed))
        findings.instances.append(decided)
        for number, instance in enumerate(listed, 1):
            known = problem.solve(instance, right, None, MOST_ANSWERS, nodes=MOST_NODES) if (
                right) else None
            expected = None if known is None or known.gave_up else known.found
            decided.solvable += bool(expected)
            gave_up = False
            for way in ways:
                progress(findings, f"at {problem.noun} {number} of {family} in {way}")
                where = f"{family}, {problem.noun} {number}, {way}"
                try:
                    outcome = algorithm.solve(instance, way, MOST_ANSWERS, nodes=MOST_NODES)
                    if family == "small" and way == "python":
                        for fault in _count_again(algorithm, instance, where):
                            findings.add(fault)
                except Exception as error:  # whatever a plug-in raises
                    findings.add(Fault("wrong" if isinstance(error, PluginError) else "raises",
                                       f"{where}: {describe_error(error)}"))
                    continue
                gave_up = gave_up or outcome.gave_up is not None
                if wrong := _find_wrong_outcome(algorithm, instance, outcome, expected):
                    findings.add(Fault("implementation" if way != "python" and "python" in ways
                                       else "wrong", f"{where}: {wrong}"))
            decided.gave_up += gave_up
            decided.solutions += 0 if gave_up else expected or 0
    return findings


def _count_again(algorithm: Any, instance: Any, where: str) -> Iterator[Fault]:
    tally = algorithm.tally(instance)
    reached = sum(1 for _ in algorithm.python.follow(instance, tally))
    for fault in _find_wrong_counters(algorithm, tally, reached, tally.n, where):
        if fault.level != 0:  # a search may infer before its first node
            yield fault


def _find_wrong_outcome(algorithm: Algorithm[Any, Any], instance: Any, outcome: Outcome[Any],
                        expected: int | None) -> str:
    """Return what is wrong with the answers to an instance; empty if nothing is."""
    problem, found = PROBLEMS[algorithm.problem], outcome.solutions
    for number, answer in enumerate(found, 1):
        if not problem.is_solution(instance, answer):
            return f"solution {number}, {problem.show(answer)}, is none"
        if answer in found[:number - 1]:
            return f"solution {number}, {problem.show(answer)}, comes twice"
    if outcome.gave_up or expected is None:
        return ""
    least = expected if algorithm.exhaustive else min(expected, 1)
    return "" if least <= outcome.found <= expected else (
        f"it finds {outcome.found} solutions, not {expected}")


def _check_puzzles(solver: PuzzleAlgorithm, progress: OnFinding) -> Findings:
    """Return what is wrong with a solver of puzzles: a program gets all of the data sets, a
    function as many of each as it solves in some seconds.
    """
    findings = Findings(solver.name, 0, noun=SUDOKU.noun, form=solver.form_in_words)
    (implementation,) = solver.implementations.values()
    seconds = PUZZLES if isinstance(solver, PuzzleFunction) else inf
    try:
        for name, make in SUDOKU.data_sets.items():
            progress(findings, f"at {name}")
            puzzles = make()
            outcomes = implementation.search_all(puzzles, 1, seconds=seconds)
            missing = [number for number, outcome in enumerate(outcomes, 1)
                       if outcome.gave_up not in (None, LATE)]
            tried = sum(outcome.gave_up != LATE for outcome in outcomes)
            findings.instances.append(FamilyResult(name, tried, tried, len(missing),
                                                   tried - len(missing)))
            if tried < len(puzzles):
                findings.warnings.append(f"{name}: only {tried} of {len(puzzles)} puzzles were "
                                         f"tried, in {seconds:g} s")
            if missing:
                findings.add(Fault("unsolved", f"{name}: {len(missing)} of {len(puzzles)} puzzles "
                                   f"are not solved, the first is number {missing[0]}"))
    except PluginError as error:
        kind = "wrong" if isinstance(error, WrongAnswerError) else "raises"
        findings.add(Fault(kind, str(error)))
    return findings


class _Trial:
    """A search of queens on one board, and what is wrong with it there.

    Attributes
    ----------
    board
        an n, or an instance.
    instance
        the text of an instance; None for n queens.
    where
        the board in words.
    levels
        how many queens the search places.
    run
        the search itself with a tally, without a check of its answers.
    """

    def __init__(self, algorithm: Search | instances.Search, board: Any,
                 findings: Findings) -> None:
        self.algorithm, self.board, self.findings = algorithm, board, findings
        self.instance = instances.write(board) if isinstance(board, Board) else None
        self.n: int = board.n if isinstance(board, Board) else board
        self.where = self.instance or f"n = {self.n}"
        self.levels = count_levels(board)
        self.doubles = algorithm.doubles(board)
        self.run: Any = partial(PythonBuilds.follow, algorithm.python, board)
        self.has_tree = (algorithm.tree != Tree.NONE and "nodes" not in algorithm.python.uncounted)

    def check(self, right: Collection[Columns] | None) -> tuple[list[Columns], Tally]:
        """Search twice, and add what is wrong; return the placements, with the mirror images that
        they stand for, and the counters. The `right` placements are None for partial ones.
        """
        algorithm, findings = self.algorithm, self.findings
        bounded = self.instance is not None and not algorithm.exhaustive
        make_tally = partial(algorithm.tally, self.board, nodes=NODE_LIMIT if bounded else None)
        reached, tally = following.read_twice(
            self.run, make_tally, algorithm, self.n, self.where, findings, right is None)
        found = self.with_images(reached)
        if right is not None and not findings.has("wrong", "missing"):
            self.add(*self.find_wrong_answers(found, right))
        if not findings.has("builds"):
            # What is compared was checked: a search may do something else for those who count it.
            # That of no queens may be a list.
            counting = (lambda: reached) if self.n else partial(self.run, make_tally())
            builds: dict[str, Any] = {
                kind: partial(algorithm.python.run, kind, self.board) for kind in COMPARED}
            try:
                compare(algorithm.name, self.where, counting, builds)
            except (BuildError, BuildsDifferError) as error:
                self.add(Fault("builds", str(error)))
        several = algorithm.uses_symmetry and not self.doubles  # images for one placement
        self.add(*_find_wrong_counters(
            algorithm, tally, len(reached), self.levels, self.where, several))
        return found, tally

    def add(self, *faults: Fault) -> None:
        """Add faults of this board."""
        for fault in faults:
            self.findings.add(replace(fault, n=self.n, instance=self.instance))

    def with_images(self, placements: list[Columns]) -> list[Columns]:
        """Return placements with the mirror images that they stand for."""
        return [image for columns in placements for image in (
            (columns, mirror(columns)) if self.doubles else (columns,))]

    def recount(self, tally: Tally) -> None:
        """Recount a tree from its events, unless a counter is wrong: others may only follow."""
        if not self.findings.has("counter"):
            self.add(*recount(self.run, self.levels, self.where, tally.uncounted))

    def check_blame(self, right: Collection[Columns]) -> None:
        """Add the first refusal of a rule of one's own that does not follow from the lines that it
        names: a solution has the square, and all its squares in these lines are free.
        """
        search: Any = self.algorithm
        refuse: Any = getattr(search, "rule", None)

        def watch(board: Board, free: dict[int, int]) -> Iterator[Any]:
            for line, lost, named in read_refusals(refuse, board, free):
                tried = right if board is self.board and len(named) < len(free) else ()
                wrong = next((columns for columns in tried
                              if lost & free[line] & 1 << columns[line]
                              and all(free[each] >> columns[each] & 1 for each in named)), None)
                if wrong and not self.findings.has("blame"):
                    rows = ", ".join(str(each + 1) for each in named)
                    why = (f"for squares that are lost in rows {rows}, of which the solution "
                           f"{self.show(wrong)} has none" if named else
                           f"for no row, but the solution {self.show(wrong)} has it")
                    self.add(Fault("blame", f"{self.where}: it refuses row {line + 1}, column "
                                   f"{wrong[line] + 1} {why}; name all rows that show it",
                                   placement=wrong))
                yield line, lost, named

        if refuse and not self.findings.has("blame", "missing"):
            deque(search.with_rule(watch).solutions(self.board), maxlen=0)

    def find_wrong_answers(self, found: list[Columns],
                           right: Collection[Columns]) -> Iterator[Fault]:
        """Yield the first wrong and the first missing placement."""
        seen: dict[Columns, int] = {}
        for place, columns in enumerate(found, 1):
            if columns in seen or columns not in right:
                what = (f" is solution {seen[columns]} again: {self.show(columns)}"
                        if columns in seen else
                        f", {self.show(columns)}, is {self.explain(columns)}")
                yield Fault("wrong", f"{self.where}: solution {place}{what}", placement=columns)
                break
            seen[columns] = place
        missing = sorted({*right} - {*found})
        if missing and self.algorithm.exhaustive:
            yield self.describe_missing(missing[0], f"{len(missing)} of {len(right)} solutions are "
                                        f"missing, the first is {self.show(missing[0])}")
        elif right and not found and getattr(self.algorithm, "complete", False):
            yield self.describe_missing(missing[0], "it finds no solution, but "
                                        f"{self.show(missing[0])} is one")

    def show(self, columns: Columns) -> str:
        """Return a placement in words."""
        given = () if self.instance is None else self.board.placed
        return Node(self.n, tuple(enumerate(columns)), given=given).label

    def explain(self, columns: Columns) -> str:
        """Return what a wrong placement is."""
        if self.instance is not None:
            return "no solution of it"
        queens = tuple(enumerate(columns))
        (r, _), (s, _) = next((p, q) for q in queens for p in queens[:q[0]] if attacks(p, q))
        return f"wrong: the queens of rows {r + 1} and {s + 1} attack each other"

    def describe_missing(self, columns: Columns, text: str) -> Fault:
        """Return the fault of a missing placement, with where the search loses it."""
        board = None if self.instance is None else self.board
        prefix, lost = None, ""
        if self.has_tree:
            rows = range(self.n) if board is None else board.open_rows
            wanted = [[(row, image[row]) for row in rows] for image in self.with_images([columns])]
            prefix, lost = find_loss(self.run, self.levels, wanted, board)
        hint = ("; if it leaves out mirror images, say mirrors=True: symmetry is only a text"
                if board is None and "mirror" in self.algorithm.symmetry and not self.doubles
                else "")
        return Fault("missing", f"{self.where}: {text}{f'; {lost}' * bool(lost)}{hint}",
                     level=None if prefix is None else len(prefix), placement=columns,
                     prefix=prefix)


def _check_board(algorithm: Search, n: int, findings: Findings) -> None:
    """Check a search on the board of n."""
    trial, fresh = _Trial(algorithm, n, findings), not findings.has("wrong", "missing")
    right = None if algorithm.finds == PART else {*catalogue()["bitmask"].solutions(n)}
    found, tally = trial.check(right)
    expected = published("A000170").get(n) if algorithm.exhaustive else None
    findings.solutions.append((n, expected, len(found)))
    findings.seen = n
    if n and algorithm.exhaustive and right is not None and fresh and findings.has(
            "wrong", "missing"):
        known, got = (Counter(columns[0] for columns in each) for each in (right, found))
        findings.first_queen = [(c, known[c], got[c]) for c in range(n)]
    if not trial.has_tree:
        return
    profile = published("A319284").get(n)
    if algorithm.tree == Tree.PLAIN and algorithm.exhaustive and profile:
        for level, (plain, own) in enumerate(zip(profile, tally.levels, strict=True)):
            if plain != own:
                findings.add(Fault(
                    "counter", f'{trial.where}, level {level}: it says tree="plain", but has {own} '
                    f"nodes, not {plain}", n, level, "tree", plain, own))
                break
    if n <= RECOUNTED:
        trial.recount(tally)
    if n == findings.max_n and profile:
        findings.tree = list(zip(profile, tally.levels, strict=True))


def _find_wrong_counters(algorithm: Search | instances.Search, tally: Tally, reached: int,
                         last: int, where: str, several: bool = False) -> Iterator[Fault]:
    """Yield the counters of a search on `last` levels that contradict each other; `several` says
    whether a placement may have images.
    """
    uncounted = tally.uncounted
    visits = reached if "nodes_to_first" in uncounted else tally.visits
    if "nodes_to_first" not in uncounted and (
            reached > MOST_IMAGES * tally.visits if several else reached != tally.visits):
        yield Fault("counter", f"{where}: tally.solution() was called {tally.visits} times, but "
                    f"{reached} placements were yielded", None, last, "visits", reached,
                    tally.visits)
    if algorithm.tree == Tree.NONE or "nodes" in uncounted:
        return
    if isinstance(algorithm, instances.Search) and not algorithm.exhaustive:
        # It may restart, and so count a node again.
        for level, least in (0, 1), (last, visits):
            if tally.levels[level] < least:
                yield Fault("counter", f"{where}, level {level}: levels says {tally.levels[level]} "
                            f"nodes, but the search reached at least {least}", None, level,
                            "levels", least, tally.levels[level])
        return
    if tally.levels[0] != 1:
        yield Fault("counter", f"{where}, level 0: the root is counted {tally.levels[0]} times, "
                    "not once", None, 0, "levels", 1, tally.levels[0])
    if algorithm.exhaustive and (tally.levels[last] < visits if several  # others are images
                                 else tally.levels[last] != visits):
        yield Fault("counter", f"{where}, level {last}: levels says {tally.levels[last]} nodes, "
                    f"but {visits} solutions were reached", None, last, "levels",
                    visits, tally.levels[last])
    if tally.nodes != sum(tally.levels):
        yield Fault("counter", f"{where}: nodes is {tally.nodes}, but the levels sum to "
                    f"{sum(tally.levels)}", None, None, "nodes", sum(tally.levels), tally.nodes)


def _check_counts(algorithm: Any, name: str, findings: Findings,
                  progress: OnFinding, end: float) -> None:
    """Compare the counts of an algorithm that finds nothing else with the published ones, from
    `first_n` to `max_n`, without queens last, and then as long as there is time.
    """
    forecast, counted = Forecast(), dict[int, int]()
    count = algorithm.implementations[name].count
    for n, right in sorted(published("A000170").up_to(MOST_N),
                           key=lambda each: each[0] or findings.max_n + 0.5):
        if n < findings.first_n:
            continue
        if n > findings.max_n and SAFETY * forecast.predict(name, n) > end - perf_counter():
            return
        progress(findings, f"at n = {n}")
        start = perf_counter()
        with following.count_lines(n in following.TRACED and name == "python") as ran:
            got, why = _count(count, n)
        forecast.add(name, n, perf_counter() - start)
        if why.startswith(FLOOD) and n > findings.max_n:
            findings.stopped = why
            return
        counted |= {n: got} if got is not None else {}
        fault = Fault("raises", why, n) if got is None else None if got == right else Fault(
            "total", f"n = {n}: it counts {got:,} solutions, not {right:,}"
            + _find_hint(count, n, counted), n, None, name, right, got)
        if fault and (n == 0 or (n < FEW and why)):
            findings.warn(f"{fault.text}{f'; {NO_QUEENS}' * (n == 0)}")
            continue
        if fault:
            findings.add(fault)
        elif why:
            findings.warn(f"n = {n}: it {why}, though its count is right")
        if ran and got == right and not findings.warnings:
            with following.count_lines(True) as again:
                _count(count, n)
            if saving := following.describe_saving([len(ran), len(again)], what="call"):
                findings.warn(f"n = {n}: {saving}")
        if name != next(iter(algorithm.implementations)):
            findings.implementations[name] = max(n, findings.implementations.get(name, n))
        elif got is not None:
            findings.solutions.insert(len(findings.solutions) if n else 0, (n, right, got))
        if fault:
            return


def _find_hint(count: Callable[[int], int], n: int, counted: dict[int, int]) -> str:
    """Return what is counted instead, as far as a few more counts show it."""
    again = _count(count, n)[0] if n <= HINTED else None
    if None not in (again, counted.get(n)) and again != counted[n]:
        return f"; a second call counts {again:,}: {following.OUTLIVES}"
    more = {m: _count(count, m)[0] for m in range(n + 1, HINTED + 1)}
    return find_hint(counted | {m: got for m, got in more.items() if got is not None})


def _count(count: Callable[[int], int], n: int) -> tuple[int | None, str]:
    """Return a count, None if it fails, and why, or how its program ended."""
    try:
        got = count(n)
    except MemoryError:
        raise
    except PluginError as error:
        return None, FLOOD * isinstance(error, FloodError) + str(error)
    except Exception as error:
        return None, f"n = {n}: {describe_error(error.__cause__ or error)}"
    return got, str(getattr(got, "warning", ""))


def _check_totals(algorithm: Search, findings: Findings, progress: OnFinding, end: float) -> None:
    """Compare the totals of each implementation with the published ones, or with ours; those of
    larger boards if nothing is wrong, as long as there is time.
    """
    searched = {n: own if right is None else right for n, right, own in findings.solutions}
    most = max(searched, default=0)
    larger = published("A000170").up_to(algorithm.largest_n) if (
        algorithm.exhaustive and findings.ok) else ()
    forecast, able = Forecast(), dict(algorithm.implementations)
    findings.implementations = {name: -1 for name in able if name != "python"}
    for n, right in sorted({**{n: right for n, right in larger if n > most}, **searched}.items()):
        for name, implementation in [*able.items()]:
            left = end - perf_counter()
            if n > implementation.largest_n or (
                    n not in searched and (
                        not findings.ok or SAFETY * forecast.predict(name, n) > left)):
                del able[name]
            elif name != "python" or (left > 0 and n > findings.max_n - FORECAST):
                progress(findings, f"at n = {n} of {name}")
                start = perf_counter()
                fault = _check_total(algorithm, name, n, right, findings)
                forecast.add(name, n, perf_counter() - start)
                if fault:
                    findings.add(fault)
                    del able[name]
                elif name != "python":
                    findings.implementations[name] = n
                elif n not in searched:
                    findings.solutions.append((n, right, right))
                    findings.seen = n if right <= MOST_SEEN else findings.seen


def _check_total(algorithm: Search, name: str, n: int, right: int,
                 findings: Findings) -> Fault | None:
    """Return what is wrong with the total of an implementation, and in Python with each solution.
    Call it twice, unless it was read twice; warn if the second call does far less.
    """
    outside = name != "python"
    looked = not outside and n > findings.max_n and right <= MOST_SEEN
    place, lines, seconds = f"{f'{name}, ' * outside}n = {n}", [], []
    for again in range(1 + outside):
        start = process_time()
        try:
            with following.count_lines(outside and n in following.TRACED) as ran:
                got = (_count_solutions(algorithm, n) if looked else
                       algorithm.implementations[name].count(n)) * (1 + algorithm.doubles(n))
        except StopError as error:
            return error.fault
        except Exception as error:
            return Fault("implementation" if outside else "raises",
                         f"{place}: {describe_error(error.__cause__ or error)}", n, counter=name)
        if got != right:
            return Fault(
                "implementation" if outside else "missing" if got < right else "wrong",
                f"{place}: {'in a second call, ' * again}it counts {got:,} solutions, not "
                f"{right:,}{f'; {following.OUTLIVES}' * again}", n, None, name, right, got)
        seconds.append(process_time() - start)
        lines.append(len(ran))
    saving = outside and following.describe_saving(lines, seconds, "call")
    if saving and not any(text.startswith(f"{name}, ") for text in findings.warnings):
        findings.warnings.append(f"{place}: {saving}")
    return None


def _count_solutions(algorithm: Search, n: int) -> int:
    """Return how many solutions a search yields.

    Raises
    ------
    StopError
        at the first one that is none, or that comes twice.
    """
    seen = set[Columns]()
    for place, columns in enumerate(algorithm.python.visits(n), 1):
        if columns in seen or len(columns) != n or not are_peaceful(columns):
            label = Node(n, tuple(enumerate(columns))).label
            raise StopError(Fault("wrong", f"n = {n}: solution {place}, {label}, " + (
                "comes twice" if columns in seen else "is none"), n, placement=columns))
        seen.add(columns)
    return len(seen)


def draw_boards(max_n: int) -> Iterator[tuple[str, Board]]:
    """Yield families and boards of at most `LARGEST_INSTANCE` queens, the smallest first;
    they are the same in every check.

    >>> len({family for family, board in draw_boards(3)}), len([*draw_boards(3)])
    (4, 72)
    """
    for n in range(1, min(max_n, LARGEST_INSTANCE) + 1):
        for family, make in MAKERS.items():
            for k in range(EACH):
                yield family, make(n, Random(f"{SEED} {family} {n} {k}"))


def _check_in_instances(algorithm: instances.Search, max_n: int, progress: OnFinding,
                        first_n: int) -> Findings:
    """Return what is wrong with an algorithm for instances, on small random boards."""
    if first_n > LARGEST_INSTANCE or not max_n:
        raise InvalidValueError(f"{algorithm.name} can be checked for 1 to {LARGEST_INSTANCE} "
                                f"queens, not for {first_n or max_n}")
    findings = Findings(algorithm.name, min(max_n, LARGEST_INSTANCE),
                        uncounted=sorted(algorithm.python.uncounted))
    decided = {family: FamilyResult(family) for family in MAKERS}
    plain = own = 0
    reference = instances.catalogue()[RIGHT]
    try:
        for family, board in draw_boards(max_n):
            trial, family_decided = _Trial(algorithm, board, findings), decided[family]
            # nqbench keeps these: no first search may seem to take longer for them.
            spared(board.n, board.torus), board.turned.free
            progress(findings, f"at {trial.instance}")
            counted = reference.tally(board)
            right = [*reference.python.follow(board, counted)]
            family_decided.many += 1
            family_decided.solvable += bool(right)
            try:
                reached, tally = trial.check(right)
            except GaveUpError:
                family_decided.gave_up += 1
                continue
            family_decided.solutions += len(reached)
            if algorithm.exhaustive and trial.has_tree:  # others may restart
                trial.check_blame(right)
                trial.recount(tally)
                plain, own = plain + counted.nodes, own + tally.nodes
                findings.nodes = plain, own
    except StopError as error:
        findings.nodes = None
        findings.add(replace(error.fault, instance=trial.instance))
    findings.instances = [each for each in decided.values() if each.many]
    _examine_rules(algorithm, findings.max_n, Board, findings)
    return findings


def _examine_rules(algorithm: Search | instances.Search, n: int, board: Callable[[int], Any],
                   findings: Findings) -> None:
    """Add what the rules of a search do on a board of n queens, unless it does not end there."""
    if algorithm.python.rules and not findings.has("raises", "shape", "state", "builds"):
        findings.examined, instance = n, board(n)
        findings.rules = examine(algorithm.python, instance, algorithm.profile(instance),
                                 EXAMINED_SECONDS)


def draw(fault: Fault) -> str:
    """Return the placement of a fault as a drawing.

    >>> print(draw(Fault("wrong", "", placement=(1, 3, 0, 2))))
    . Q . .
    . . . Q
    Q . . .
    . . Q .
    """
    if fault.instance is None:
        return Placement(fault.placement or ()).drawing()
    return "\n".join(" ".join(row) for row in squares(instances.parse(fault.instance),
                                                      fault.placement))


def check_in_child(notation: str, sizes: tuple[int, int] | None,
                   limit: float, show: Callable[[str, float], object] = lambda doing, share: None
                   ) -> list[dict[str, Any]]:
    """Return the findings about each algorithm that a notation names, see `Findings.as_dict`, for
    the queens from the first size to the last. `show` gets what is done, and no share.

    Without sizes, totals of larger boards are checked as far as the limit allows. After `limit`
    seconds in all, an algorithm has a fault of kind "time" if it was not checked for all sizes, or,
    without sizes, for none that matters; else what it stopped at is told.

    Raises
    ------
    InvalidValueError
        if there is no such algorithm, or if its file cannot be loaded.
    """
    found: list[dict[str, Any]] = []
    name, doing, known = notation, "while loading", Findings(notation, 0).as_dict()

    def hear(told: tuple[str, str | None, dict[str, Any]]) -> None:
        nonlocal name, doing, known
        name, said, known = told
        show(f"{name} {said or ''}", 0.0)
        if said is None:
            found.append(known)
        else:
            doing = said

    try:
        with Child() as child:
            child.call(_check_named, notation, sizes, limit, seconds=limit, hear=hear)
        return found
    except StoppedError as error:
        why = (f"it was stopped {doing}, after {limit:g} s"
               + "; does it read n?" * (doing == READING) if error.outcome == TIME else
               f"it was {error}, {doing}" if error.outcome in STOPPED else f"{error} {doing}")
        kind = "memory" if error.outcome == MEMORY else "time"
        reached = max((each["n"] for each in known["solutions"]), default=-1)
        if known["ok"] and error.outcome in STOPPED and reached >= (sizes[1] if sizes else FEW):
            return [*found, known | {"stopped": why}]
    faults = [asdict(Fault(kind, why)), *known["faults"]]
    return [*found, known | {"algorithm": name, "ok": False, "faults": faults, "verdict": "; ".join(
        dict.fromkeys(KINDS[fault["kind"]] for fault in faults))}]


def _check_named(notation: str, sizes: tuple[int, int] | None, limit: float,
                 tell: Callable[[tuple[str, str | None, dict[str, Any]]], object]) -> None:
    """Check the algorithms that a notation names, and tell what is done and found."""
    end = monotonic() + limit
    algorithms = [*find_all(notation, None)]
    for each in algorithms:
        if sizes and each.problem not in ("queens", "instances"):
            raise InvalidValueError(f"-n is for queens and their instances; {each.name} solves "
                                    f"{each.problem}")
    for place, algorithm in enumerate(algorithms):
        # Each takes the same part of what is left.
        seconds = 0.0 if sizes else (end - monotonic()) / (len(algorithms) - place)
        first, last = sizes or (0, CHECKED)
        found = check(algorithm, last, lambda findings, doing: tell(
            (findings.algorithm, doing, findings.as_dict())), seconds, first)
        tell((algorithm.name, None, found.as_dict()))

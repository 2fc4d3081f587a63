"""What contradicts known values in the records: which search, at which n, and the right value.

The records are compared whenever they are read. A search that is wrong anywhere in a run is set
apart in the whole run: its points get the status `WRONG`, so they take part in no time, ratio,
verdict, rank or plot.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, count, islice, repeat
from typing import Any

from nqbench._version import __version__
from nqbench.problems.published.invariants import (
    MODULO,
    Invariant,
    invariants,
    invariants_of_counters,
)
from nqbench.problems.queens import catalogue
from nqbench.problems.solver import SolverKey
from nqbench.records.descriptions import METRIC, read_descriptions
from nqbench.search.algorithm import Finds, Tree
from nqbench.search.metrics import Kind, of_record, topic_metrics
from nqbench.util.text import format_seconds, spaced

TOTALS = "A000170"  # Q(n), what every solver counts
OURS = "nqbench"  # the package of our own searches among the peers
FAILED = "failed"  # of a time whose search found something else or ended its process, and of a peer
WRONG = "wrong"  # the status of what was measured of a wrong search
MEASURED = "measured"
QUEENS = "queens"
NAMED = 3  # solvers of one check
MOST_NAMED = 10  # counts where not all are named
LONGER, MOMENT = 3.0, 0.02  # times, and seconds, that a first search may take longer
# In every process: times as long, and seconds. In results/, no first search of 0.5 ms takes more
# than 13 times as long, and no first sample of a later process more than twice.
FAR_LONGER, INSTANT = 50.0, 0.001
# Seconds for a node or test. The fastest in results/ take 79 ns in Python (a test of marks_mirror),
# 2.9 ns compiled (a node of somers); 16 lanes take 0.13 ns for a node (docs/sequences.md).
FASTEST = {"python": 10e-9}
FASTEST_COMPILED = 0.05e-9
RECOUNTED = 6  # queens of the largest board whose counters are recounted: milliseconds
ANSWERS = {True: "solvable", False: "not solvable"}  # about an instance
Point = Mapping[Any, Any]  # the joined records of a point, or a row of their frame
Search = tuple[str, str, str]  # problem, algorithm, implementation


@dataclass(frozen=True)
class WrongCount:
    """A count that differs from a known value.

    Attributes
    ----------
    solvers
        the wrong solver; several if the records do not say which of them is wrong.
    n
        queens; None for a puzzle.
    sequence
        the published sequence, or what else was counted.
    expected, actual
        the known value, and that in the records; or none, and why a timed search failed.
    run, machine
        where it was counted.
    searches
        the algorithms with their implementations, or the peers, that are set apart.

    Examples
    --------
    >>> print(WrongCount(("recursive (python)",), 10, "A000170", "724", "725"))
    recursive (python) counted 725 instead of 724 at n = 10
    """

    solvers: tuple[str, ...]
    n: int | None
    sequence: str
    expected: str
    actual: str
    run: str = ""
    machine: str = ""
    searches: tuple[Search, ...] = ()

    @property
    def solver(self) -> str:
        """The wrong solver, in few words."""
        if len(self.solvers) < 2:
            return "".join(self.solvers)
        more = len(self.solvers) - NAMED
        return (f"one of {', '.join(self.solvers[:NAMED])}"
                + (f" and {more} more" if more > 0 else ""))

    def as_dict(self) -> dict[str, Any]:
        """Return the solver, n, the sequence and both values, for JSON."""
        return {"solver": self.solver, "n": self.n, "sequence": self.sequence,
                "expected": self.expected, "actual": self.actual}

    def __str__(self) -> str:
        if not self.expected:
            return f"{self.solver} at n = {self.n}: {self.actual}"
        said, of = ("answered", "for") if self.actual in ANSWERS.values() else ("counted", "of")
        what = "" if self.sequence == TOTALS else f" {of} {self.sequence}"
        at = "" if self.n is None else f" at n = {self.n}"
        return f"{self.solver} {said} {self.actual} instead of {self.expected}{what}{at}"


def summary(wrong: Sequence[WrongCount]) -> str:
    """Return one line that names the first wrong counts and failed searches.

    >>> summary([WrongCount(("recursive (python)",), 10, "A000170", "724", "725")])
    '1 wrong count: recursive (python) counted 725 instead of 724 at n = 10'
    """
    named = "; ".join(map(str, wrong[:MOST_NAMED]))
    more = f"; and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
    what = "wrong count" if all(one.expected for one in wrong) else "failure"
    return f"{len(wrong)} {what}{'s' if len(wrong) > 1 else ''}: {named}{more}"


def contradictions(points: Iterable[Point]) -> list[WrongCount]:
    """Return what contradicts published values, invariants, or the answers of other searches: one
    count of each search and n, or of each search and set of instances. Other packages among the
    peers are not included; `set_apart` marks them.
    """
    return list(dict.fromkeys(chain.from_iterable(
        _of_run(run, (OURS,)) for run in _by_run(points).values())))


def suspicions(points: Iterable[Point]) -> list[str]:
    """Return what is strange about searches, without being wrong, one line for each: what their
    check warns of, and, at their largest n, solutions without a test or node, a first search that
    takes much longer than the later ones, and steps faster than any program makes them.

    >>> head = {"run": "r", "machine": "m", "algorithm": "kth", "implementation": "python", "n": 8,
    ...         "status": "measured"}
    >>> suspicions([{**head, "metric": name, "samples": [many]} for name, many in (
    ...     ("solutions", 92), ("nodes", 1), ("tests", 0))])
    ['kth (python) finds 92 solutions of 8 queens with 1 node and 0 tests']
    """
    right = (point for point in points if point["status"] != WRONG)
    return list(dict.fromkeys(chain.from_iterable(
        chain(_warn(run), _find_without_work(run), _start_slowly(run), _step_too_fast(run))
        for run in _by_run(right).values())))


def _warn(run: Sequence[Point]) -> Iterator[str]:
    """Yield the warnings of the checks of external algorithms."""
    for name, described in read_descriptions(run).items():
        yield from (f"{name}, {text}" for text in described.warnings)


def _find_without_work(run: Sequence[Point]) -> Iterator[str]:
    """Yield the searches that find solutions without a test, or more of them than nodes."""
    known = read_descriptions(run)
    for solver, (n, counters) in _at_largest(run).items():
        described = known[solver.algorithm]
        solutions, nodes, tests = (counters.get(name) for name in ("solutions", "nodes", "tests"))
        if not solutions or described.tree == Tree.NONE:
            continue
        fewer = nodes is not None and nodes < solutions and not described.uses_symmetry
        if fewer or tests == 0:
            said = " and ".join(f"{many:,} {noun}{'s' * (many != 1)}" for many, noun in (
                (nodes, "node"), (tests, "test")) if many is not None)
            yield f"{solver} finds {solutions:,} solutions of {n} queens with {said}"


def _start_slowly(run: Sequence[Point]) -> Iterator[str]:
    """Yield the searches that take much longer at first, by more than `LONGER` times and a
    `MOMENT`, or far longer in every process.

    Ordinary warming up takes less: the process has searched a smaller board before, an interruption
    does not count, and what a search builds for each n, such as nested loops, takes a moment. The
    rest may come from what a search keeps for the next one. In a later process, the first search
    is part of the first sample.
    """
    for solver, point in _largest_times(run).items():
        each = len(point["samples"]) // (point.get("processes") or 1)
        slowest, first = max(point["samples"][:each]), point.get("first") or 0.0
        loops = point.get("loops") or 1
        firsts = [first, *(seconds * loops - slowest * (loops - 1)
                           for seconds in point["samples"][each::each])]
        if (first > max(LONGER * slowest, slowest + MOMENT)
                or min(firsts) > max(FAR_LONGER * slowest, INSTANT)):
            yield (f"the first search of {point['n']} queens by {solver} takes "
                   f"{format_seconds(first)}, the later ones at most {format_seconds(slowest)}: "
                   "it may keep what it finds")


def _step_too_fast(run: Sequence[Point]) -> Iterator[str]:
    """Yield the searches that take less for a test or node than any program does."""
    counted = _counted(run)
    for solver, point in _largest_times(run).items():
        counters = counted.get((solver, point["n"]), {})
        many, step = max((counters.get(name) or 0, name) for name in ("nodes", "tests"))
        seconds = min(point["samples"])
        least = FASTEST.get(solver.implementation, FASTEST_COMPILED) / solver.jobs
        if seconds < many * least:
            yield (f"{solver} takes {format_seconds(seconds)} for {many:,} {step} of {point['n']} "
                   f"queens: less than {format_seconds(least)} for each; it may do less when it is "
                   "timed")


def _at_largest(run: Sequence[Point]) -> dict[SolverKey, tuple[int, dict[str, Any]]]:
    """Return the largest n of each search, and its counters there."""
    return {solver: (n, counters) for (solver, n), counters in sorted(
        _counted(run).items(), key=lambda counted: counted[0][1])}


def _largest_times(run: Sequence[Point]) -> dict[SolverKey, Point]:
    """Return the times of each search at its largest n."""
    return {_solver(point): point for point in sorted(run, key=lambda point: point["n"])
            if point["metric"] == "seconds" and point["samples"]}


def set_apart(points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return points, those of wrong searches with the status `WRONG`. A peer has the status
    "failed" where its count is wrong, and `WRONG` where else it was measured.

    >>> head = {"run": "r", "machine": "m", "algorithm": "bitmask", "implementation": "python",
    ...         "status": "measured"}
    >>> [point["status"] for point in set_apart([
    ...     {**head, "metric": "solutions", "n": 8, "samples": [93]},
    ...     {**head, "metric": "seconds", "n": 9, "samples": [0.1]}])]
    ['wrong', 'wrong']
    """
    wrong = {key: list(_of_run(run)) for key, run in _by_run(points).items()}
    return [_judged(point, wrong[_run_of(point)]) for point in points]


def _judged(point: dict[str, Any], wrong: Sequence[WrongCount]) -> dict[str, Any]:
    """Return a point with its status, given what is wrong in its run."""
    peer, search = "total" in _compared(point), _search_of(point)
    mine = [one for one in wrong if search in one.searches or (  # or a sample of an engine
        not search[2] and search[:2] in [each[:2] for each in one.searches])]
    if not mine or (peer and point["status"] != MEASURED):
        return point
    here = [one for one in mine if peer and one.n == point["n"]]
    if point["status"] == FAILED:
        return point
    return {**point, "status": FAILED, "fault": (
        f"counted {here[0].actual} instead of {here[0].expected}")} if here else {
            **point, "status": WRONG}


def _run_of(point: Point) -> tuple[str, str]:
    """Return the run and the machine of a point."""
    return point["run"], point["machine"] if "machine" in point else point["context"]["machine"]


def _by_run(points: Iterable[Point]) -> dict[tuple[str, str], list[Point]]:
    found: dict[tuple[str, str], list[Point]] = defaultdict(list)
    for point in points:
        found[_run_of(point)].append(point)
    return found


def _search_of(point: Point) -> Search:
    """Return which search a point is of: its problem, algorithm and implementation, which is empty
    for a sample of an engine. Of a peer, its name.
    """
    if by := _compared(point).get("by"):
        return by, point[by], ""
    if point["metric"] == METRIC or not isinstance(point.get("algorithm"), str):
        return "", "", ""  # what describes, or has no algorithm
    problem, implementation = point.get("problem"), point.get("implementation")
    return (problem if isinstance(problem, str) else QUEENS, point["algorithm"],
            implementation if isinstance(implementation, str) else "")


def _compared(point: Point) -> Mapping[str, Any]:
    """Return how what a point found is compared, as its topic says."""
    found: Mapping[str, Any] = topic_metrics().get(point["metric"], {}).get("compared", {})
    return found


def _of_run(run: Sequence[Point], packages: Sequence[str] = ()) -> Iterator[WrongCount]:
    """Yield what is wrong in a run; of the peers only those of these packages, if there are any."""
    for one in chain(_of_checks(run), _of_searches(run), _of_times(run), _of_peers(run, packages),
                     compare_answers(run)):
        yield replace(one, run=run[0]["run"], machine=_run_of(run[0])[1])


def _of_checks(run: Sequence[Point]) -> Iterator[WrongCount]:
    """Yield the wrong answers of the checks that differ."""
    for check in run:
        if check["status"] == "differs":
            for solver, got in check["wrong"].items():
                name, _, implementation = solver.removesuffix(")").rpartition(" (")
                yield WrongCount(
                    (solver,), check["n"], check["sequence"], spaced(check["expected"]),
                    spaced(got), searches=((QUEENS, name, implementation),))


def _of_searches(run: Sequence[Point]) -> Iterator[WrongCount]:
    """Yield the first wrong counter of each search for n queens."""
    known = read_descriptions(run)
    same = run[0].get("context", run[0]).get("nqbench") == __version__
    for (solver, n), counters in _counted(run).items():
        described = known[solver.algorithm]
        if described.finds == Finds.ALL:
            expected = _recount(solver.algorithm, solver.implementation, n) if same else {}
            each_known = chain(
                invariants_of_counters(n, counters, described.tree == Tree.PLAIN),
                (Invariant(f"{name}, recounted", expected[name], found)
                 for name, found in counters.items() if name in expected))
            for each in islice((each for each in each_known if not each.ok), 1):
                yield _contradicted(each, str(solver), n, (
                    QUEENS, solver.algorithm, solver.implementation))


@cache
def _recount(name: str, implementation: str, n: int) -> dict[str, Any]:
    """Return the counters of a search of the catalogue on a small board; none if it is not in the
    catalogue, cannot be profiled here, or would take long.
    """
    algorithm = catalogue().get(name)
    if (algorithm is None or n > RECOUNTED - (algorithm.tree == Tree.NONE)
            or implementation not in algorithm.implementations
            or not algorithm.profiled(implementation)):
        return {}
    tally = algorithm.profile(n, implementation)
    return {"solutions": tally.solutions, **tally.counters()}


def _of_times(run: Sequence[Point]) -> Iterator[WrongCount]:
    """Yield the searches that found something else, or ended, while they were timed."""
    for point in run:
        if point["status"] == FAILED and (
                point["metric"] == "seconds" or _compared(point).get("timed")):
            search = _search_of(point)
            yield WrongCount((f"{search[1]} ({search[2]})",), point["n"], "the timed searches", "",
                             f"{point.get('fault', 'failed')}", searches=(search,))


def _counted(run: Sequence[Point]) -> dict[tuple[SolverKey, int], dict[str, Any]]:
    """Return the counters of each search and n."""
    found: dict[tuple[SolverKey, int], dict[str, Any]] = defaultdict(dict)
    for point in run:
        if of_record(point).kind == Kind.COUNTER and point["samples"]:
            found[_solver(point), point["n"]][point["metric"]] = point["samples"][0]
    return found


def _of_peers(run: Sequence[Point], packages: Sequence[str]) -> Iterator[WrongCount]:
    """Yield the wrong totals of the peers."""
    for point in run:
        total = point.get(_compared(point).get("total"))
        if isinstance(total, int) and (not packages or point["package"] in packages):
            search = _search_of(point)
            for each in islice((each for each in invariants(point["n"], total)
                                if not each.ok), 1):
                yield _contradicted(each, search[1], point["n"], search)


def _contradicted(known: Invariant, solver: str, n: int, search: Search) -> WrongCount:
    """Return a count that contradicts a known value."""
    total = known.name.startswith(MODULO)
    return WrongCount((solver,), n, TOTALS if total else known.name,
                      f"{known.expected}" + (f" ({known.name})" if total else ""),
                      f"{known.found}", searches=(search,))


def compare_answers(run: Sequence[Point]) -> Iterator[WrongCount]:
    """Yield for each set of instances the first answer of each search that contradicts others.

    A search that finds an instance solvable has shown a placement, so those that deny it are wrong,
    however many they are. Each puzzle of a set of the package has one solution: most searches are
    right, or, if as many give each answer, any of them may be.
    """
    sets: dict[tuple[str, int | None], dict[int, dict[Any, dict[Search, None]]]] = defaultdict(dict)
    for point in run:
        place, n, answers = _answers(point)
        search, given = _search_of(point), sets[place, n]
        for number, answer in answers:
            if answer is not None:
                given.setdefault(number, {}).setdefault(answer, {})[search] = None
    for (place, n), instances in sets.items():
        told = set()
        for number, by_answer in instances.items():
            right, *others = sorted(by_answer, key=lambda answer: (
                answer != ANSWERS[True], -len(by_answer[answer])))
            for actual in others:
                tied = right != ANSWERS[True] and len(by_answer[right]) == len(by_answer[others[0]])
                wrong = (*(by_answer[right] if tied else ()), *by_answer[actual])
                if wrong not in told:
                    told.add(wrong)
                    yield WrongCount(
                        tuple(f"{name} ({way})" for _, name, way in wrong), n,
                        f"{place} {number}", f"{right}", f"{actual}", searches=wrong)


def _answers(point: Point) -> tuple[str, int | None, Iterable[tuple[int, Any]]]:
    """Return the set of the instances of a point in words, their n, and the number of each with the
    number of its solutions, or with whether it has any; None where the search gave up.
    """
    told = _compared(point)
    answers, one = point.get(told.get("answers")), point.get(told.get("instance"))
    if not isinstance(answers, list):
        return "", None, ()
    return (told["of"].format_map(point), point["n"] if told.get("of_n", True) else None, zip(
        repeat(one + 1) if isinstance(one, int) else count(1),
        (ANSWERS[each] if isinstance(each, bool) else each for each in answers), strict=False))


def _solver(point: Point) -> SolverKey:
    kernel = point.get("kernel")
    return SolverKey(point["algorithm"], point["implementation"],
                     kernel if isinstance(kernel, str) else None, point.get("jobs") or 1)

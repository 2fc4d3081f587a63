"""What contradicts known values in the records: which search, at which n, and the right value.

Records are compared after they are read, by `judge`. A search that is wrong anywhere in a run is
set apart in the whole run: its points get the status `WRONG`, so they take part in no time, ratio,
verdict, rank or plot.
"""

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any

from nqbench._version import __version__
from nqbench.problems import SolverKey
from nqbench.problems.plugins.limits import ENDED
from nqbench.problems.published import invariants
from nqbench.problems.queens import catalogue
from nqbench.records.descriptions import METRIC, read_descriptions
from nqbench.records.record import Record, join, to_frame
from nqbench.search.algorithm import Finds, Tree
from nqbench.search.metrics import Kind, of_record, topic_metrics
from nqbench.util.text import plural, some, spaced

if TYPE_CHECKING:
    import pandas

OWN_PACKAGE = "nqbench"  # the package of our own searches among the peers
WRONG = "wrong"  # the status of what was measured of a wrong search
MEASURED = "measured"
QUEENS = "queens"
NAMED_SOLVERS = 3  # solvers of one check
MOST_NAMED = 10  # counts where not all are named
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
        return f"{'one of ' * (len(self.solvers) > 1)}{some(self.solvers, NAMED_SOLVERS)}"

    def as_dict(self) -> dict[str, Any]:
        """Return the solver, n, the sequence and both values, for JSON."""
        return {"solver": self.solver, "n": self.n, "sequence": self.sequence,
                "expected": self.expected, "actual": self.actual}

    def __str__(self) -> str:
        if not self.expected:
            return f"{self.solver} at n = {self.n}: {self.actual}"
        said, of = ("answered", "for") if self.actual in ANSWERS.values() else ("counted", "of")
        what = "" if self.sequence == invariants.TOTALS else f" {of} {self.sequence}"
        at = "" if self.n is None else f" at n = {self.n}"
        return f"{self.solver} {said} {self.actual} instead of {self.expected}{what}{at}"


def summary(wrong: Sequence[WrongCount]) -> str:
    """Return one line that names the first wrong counts and failed searches.

    >>> summary([WrongCount(("recursive (python)",), 10, "A000170", "724", "725")])
    '1 wrong count: recursive (python) counted 725 instead of 724 at n = 10'
    """
    what = "wrong count" if all(one.expected for one in wrong) else "failure"
    return (f"{len(wrong)} {plural(len(wrong), what)}: "
            + some([*map(str, wrong)], MOST_NAMED, "; ", "; "))


def contradictions(points: Iterable[Point]) -> list[WrongCount]:
    """Return what contradicts published values, invariants, or the answers of other searches: one
    count of each search and n, or of each search and set of instances. Other packages among the
    peers are not included; `judge` marks them.
    """
    return list(dict.fromkeys(chain.from_iterable(
        _of_run(run, (OWN_PACKAGE,)) for run in _by_run(points).values())))


def suspicions(points: Iterable[Point]) -> list[str]:
    """Return what the checks of external algorithms warn of, one line for each warning: what makes
    their times doubtful, without being wrong.
    """
    return [f"{name}, {text}" for name, described in read_descriptions(points).items()
            for text in described.warnings]


def refusals(points: Iterable[Point]) -> list[str]:
    """Return why external algorithms are not measured: one line for each, by its check."""
    return [point["fault"] for point in points
            if point["metric"] == "algorithm" and point["status"] == ENDED]


def judge(records: Iterable[Record], warn: Callable[[str], None] = warnings.warn) -> list[Record]:
    """Return the records of each point, joined; those of wrong searches have the status `WRONG`. A
    peer has the status "failed" where its count is wrong, and `WRONG` where else it was measured.

    >>> head = {"run": "r", "context": {"machine": "m"}, "algorithm": "bitmask",
    ...         "implementation": "python", "status": "measured"}
    >>> [point["status"] for point in judge([
    ...     {**head, "metric": "solutions", "n": 8, "samples": [93]},
    ...     {**head, "metric": "seconds", "n": 9, "samples": [0.1]}])]
    ['wrong', 'wrong']
    """
    points = join(records, warn)
    wrong = {key: list(_of_run(run)) for key, run in _by_run(points).items()}
    return [_judged(point, wrong[_run_of(point)]) for point in points]


def frame(records: Iterable[Record]) -> "pandas.DataFrame":
    """Return records, compared with what is known, as a DataFrame, with one row for each point and
    the context in columns, and the parameters of algorithms (see `add_parameters`).

    `samples` has the samples of all `processes`, ordered by process. Values of sequences can exceed
    64 bits, and levels are lists, so these columns hold Python objects.
    """
    return to_frame(judge(records))


def _judged(point: dict[str, Any], wrong: Sequence[WrongCount]) -> dict[str, Any]:
    """Return a point with its status, given what is wrong in its run."""
    peer, search = "by" in _compared(point), _search_of(point)
    mine = [one for one in wrong if search in one.searches or (  # or a sample of an engine
        not search[2] and search[:2] in [each[:2] for each in one.searches])]
    if not mine or point["status"] == ENDED or (peer and point["status"] != MEASURED):
        return point
    for one in mine:
        if peer and one.n == point["n"]:
            return {**point, "status": ENDED,
                    "fault": f"counted {one.actual} instead of {one.expected}"}
    return {**point, "status": WRONG}


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
    for one in chain(_of_checks(run), _of_searches(run), _of_times(run), _of_totals(run, packages),
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
                invariants.invariants_of_counters(n, counters, described.tree == Tree.PLAIN),
                (invariants.Invariant(f"{name}, recounted", expected[name], found)
                 for name, found in counters.items() if name in expected))
            yield from _first_contradicted(each_known, str(solver), n, (
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
    counted = {name: value for name, value in tally.counters().items() if value is not None}
    return {"solutions": tally.solutions, **counted}


def _of_times(run: Sequence[Point]) -> Iterator[WrongCount]:
    """Yield the searches that found something else, or ended, while they were timed."""
    for point in run:
        if point["status"] == ENDED and (
                point["metric"] == "seconds" or _compared(point).get("timed")):
            search = _search_of(point)
            yield WrongCount((f"{search[1]} ({search[2]})",), point["n"], "the timed searches", "",
                             f"{point.get('fault', 'failed')}", searches=(search,))


def _counted(run: Sequence[Point]) -> dict[tuple[SolverKey, int], dict[str, Any]]:
    """Return the counters of each search and n."""
    found: dict[tuple[SolverKey, int], dict[str, Any]] = defaultdict(dict)
    for point in run:
        if of_record(point).kind == Kind.COUNTER and point["samples"]:
            found[SolverKey.of(point), point["n"]][point["metric"]] = point["samples"][0]
    return found


def _of_totals(run: Sequence[Point], packages: Sequence[str]) -> Iterator[WrongCount]:
    """Yield the wrong totals of peers, and of searches in the empty board."""
    for point in run:
        total = point.get(_compared(point).get("total"))
        if isinstance(total, Mapping):  # all counters
            total = total.get("solutions")
        if isinstance(total, int) and (not packages or point.get("package") in (None, *packages)):
            search = _search_of(point)
            yield from _first_contradicted(
                invariants.invariants(point["n"], total), search[1], point["n"], search)


def _first_contradicted(known: Iterable[invariants.Invariant], solver: str, n: int,
                        search: Search) -> Iterator[WrongCount]:
    """Yield the first count that contradicts a known value."""
    for each in islice((each for each in known if not each.ok), 1):
        total = each.name.startswith(invariants.MODULO)
        yield WrongCount((solver,), n, invariants.TOTALS if total else each.name,
                         f"{each.expected}" + (f" ({each.name})" if total else ""),
                         f"{each.found}", searches=(search,))


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
    answers = point.get(told.get("answers"))
    if not isinstance(answers, list):
        return "", None, ()
    return (told["of"].format_map(point), point["n"] if told.get("of_n", True) else None, zip(
        count(1), (ANSWERS[each] if isinstance(each, bool) else each for each in answers),
        strict=False))

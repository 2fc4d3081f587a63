"""Rate solvers on data sets, on copies of their puzzles."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from random import Random
from statistics import median
from typing import Any

from nqbench.errors import BuildsDifferError, InvalidValueError, NqbenchError, PluginError
from nqbench.problems import Algorithm, DataSet, Outcome, Problem, SolverKey
from nqbench.problems.plugins.children import StoppedError
from nqbench.problems.plugins.limits import ENDED
from nqbench.records.record import Record, Samples, wall_of
from nqbench.search.implementations import quiet
from nqbench.study.experiments import LEAST
from nqbench.study.fields import PROCESSES
from nqbench.study.samples import STATE
from nqbench.study.worker import Search, Timed, Worker, leave_out
from nqbench.util.clocks import PROCESSOR, SHORTEST, WALL, calibrate, choose_loops, now, sample

HARDER = 10  # times the nodes of the first copy, or FEW_PUZZLES: the limit of a copy of an instance
FEW_PUZZLES = 1000


def permute_all(data_set: DataSet, seed: int | None, number: int = 0) -> DataSet:
    """Return the copy with this number; the data set itself without a seed, or if instances of its
    problem cannot be permuted.
    """
    permute = data_set.problem.permute
    if seed is None or permute is None:
        return data_set
    rng = Random(f"{seed} {number}")  # a text seeds equally in all versions of Python
    return replace(data_set, instances=[permute(one, rng) for one in data_set.instances])


def make_copies(data_set: DataSet, seed: int | None, numbers: Sequence[int],
                implementation: Any, limit: int, allowed: int,
                nodes: Sequence[int | None] | None, solutions: Sequence[int | None]) -> list[Any]:
    """Return the instances of these copies, one copy after the other, without the instances that
    were not answered: those whose `nodes` and `solutions`, counted in the first copy, are None.
    A program counts no nodes.

    If an instance takes many more nodes in a copy than in the first one, or more than are allowed,
    it is taken from the first. Some solvers depend so strongly on the order of rows and digits that
    a sample would not end.

    Raises
    ------
    BuildsDifferError
        if a copy has another number of solutions.
    """
    first = permute_all(data_set, seed)
    found = []
    for number in numbers:
        copy = permute_all(data_set, seed, number)
        for place, (base, one) in enumerate(zip(first.instances, copy.instances, strict=True)):
            if solutions[place] is None:
                continue
            counted = nodes[place] if number and nodes else None
            outcome = None if counted is None else implementation.search(
                one, limit, 0, min(allowed, max(FEW_PUZZLES, HARDER * counted)), None)
            if outcome and not outcome.gave_up and outcome.found != solutions[place]:
                raise BuildsDifferError(
                    f"{data_set.problem.noun} {place + 1} of {data_set.name} has {solutions[place]}"
                    f" of at most {limit} solutions, and {outcome.found} when it is permuted")
            found.append(base if outcome and outcome.gave_up else one)
    return found


METRIC = "rate"
LIMIT = 2
SEED = 0
NODES = 500_000  # for an instance; the textbook's listing solves all of easy50 within it
MOST_PUZZLES = 50_000  # of a file; from a larger one, this number is drawn at random
COUNTING = 0.25  # of the time of an algorithm, at most, for its counting pass
MORE = 2.0  # times the samples: with counting, copies and warm-ups
COUNTED = ("nodes", "guesses")  # what is recorded of each instance, if it is counted
ONCE = (*COUNTED, "solutions", "slowest")  # recorded by the first process alone
LONGER = 10  # times the seconds of a sample: then it is stopped
SHORT = 0.05  # seconds: of a pass that takes no longer, each instance is timed three times,
PART = 0.05  # unless this takes more than this share of the time of the algorithm


@dataclass
class Rated:
    """An algorithm in one implementation, and what was measured of it."""

    algorithm: str
    way: str
    implementation: Any
    outcomes: list[Outcome[Any]] = field(default_factory=list)
    allowed: float = 0.0  # seconds of its counting pass
    predicted: float | None = None
    loops: int = 1
    seconds: float = 0.0  # that a pass over the answered instances takes
    processes: int = 1
    rounds: int = 0  # in each process
    samples: list[float] = field(default_factory=list)
    slowest: Record = field(default_factory=dict)  # the number of the instance, from 1, and seconds
    state: Record = field(default_factory=dict)  # of its samples, and why there are none

    @property
    def solves_all(self) -> Any:
        """Return what solves all instances at once, if it is a program; it does not count."""
        return self.implementation.search_all

    @property
    def limit(self) -> int:
        """Return how many solutions it looks for: a program looks for one."""
        return 1 if self.solves_all else LIMIT


def rated_solvers(problem: Problem[Any]) -> list[tuple[str, str]]:
    """Return the algorithms and implementations that can be rated here."""
    return [(name, way) for name, algorithm in problem.catalogue.items() if algorithm.exhaustive
            for way, implementation in algorithm.implementations.items()
            if implementation.search is not None]


def rate(data_set: DataSet, chosen: Sequence[tuple[str, str]], worker: Worker,
         seconds: float = inf, samples: int = 2, nodes: int = NODES,
         processes: int = PROCESSES.default,
         say: Callable[[str], None] = lambda what: None,
         seed: int | None = SEED, total: float = inf) -> list[Record]:
    """Return a record's fields for each algorithm, with the samples of the first process; skip,
    with its prediction, what would take much longer than `seconds`, or its part of the `total`
    seconds of all. Without a `seed` the instances are taken as given.

    Each of the `processes` takes this number of `samples`, or fewer if there is no time for them.

    Raises
    ------
    InvalidValueError
        if an instance is not allowed: if the givens of a puzzle contradict each other.
    """
    problem, start, planned = data_set.problem, now(), 0.0
    if total > 0:
        data_set = check(problem.find(chosen[0][0]), data_set)

    def allow(done: int) -> float:
        left = total - planned - (now() - start)
        return min(seconds, max(0.0, left / MORE / (len(chosen) - done)))

    seed = None if problem.permute is None else seed
    instances = permute_all(data_set, seed).instances if total > 0 else data_set.instances
    found: list[Rated] = []
    for name, way in chosen:
        algorithm = problem.find(name)
        implementation: Any = algorithm.find_implementation(way)
        rated = Rated(algorithm.name, way, implementation, allowed=COUNTING * allow(len(found)))
        found.append(rated)
        if not rated.allowed:
            rated.predicted = 0.0
            continue
        algorithm.compare_builds()
        say(f"{data_set.name}, counting: {name} ({way})")
        with noting_failure(rated):
            count(rated, instances, nodes)
    timed = [rated for rated in found if rated.predicted is None and not rated.state]
    with quiet():
        for done, rated in enumerate(timed, len(chosen) - len(timed)):
            say(f"{data_set.name}, each alone: {rated.algorithm} ({rated.way})")
            with noting_failure(rated):
                prepare(rated, instances, allow(done), samples, processes)
            planned += rated.processes * rated.rounds * rated.loops * rated.seconds
    timed = [rated for rated in timed if rated.rounds]
    begin = now()
    searches = [timed_search(data_set, seed, 0, nodes, rated.rounds, {
        "algorithm": rated.algorithm, "implementation": rated.way, "loops": rated.loops,
        **counted(rated)}, rated.seconds) for rated in timed]
    worker.overhead += now() - begin  # later processes make other copies
    measured = worker.measure(searches, SHORTEST, lambda what: say(f"{data_set.name}, {what}"),
                              data_set.name)
    for rated, search, times in zip(timed, searches, measured, strict=True):
        rated.samples, rated.state = per_pass(rated.loops, search, times)
    text = "\n".join(map(problem.text, data_set.instances)).encode()
    shared = {"metric": METRIC, "unit": "s", "problem": problem.name,
              "n": max(map(problem.size, instances)), "data_set": data_set.name,
              "sha12": hashlib.sha256(text).hexdigest()[:12], "puzzles": len(instances),
              "nodes_allowed": nodes, "permuted": seed is not None}
    shared |= {name: value for name, value in (
        ("seed", seed), ("drawn_from", data_set.drawn_from), ("skipped", data_set.skipped or None),
    ) if value is not None}
    return [{**shared, **fields(rated, COUNTING * seconds)} for rated in found]


@contextmanager
def noting_failure(rated: Rated) -> Iterator[None]:
    """Keep why a program has no samples, so that it does not end the study of the others."""
    try:
        yield
    except PluginError as error:
        why = error.__cause__ if isinstance(error.__cause__, StoppedError) else error
        rated.state = {"samples": [], "status": getattr(why, "outcome", ENDED), "fault": str(why)}


def check(algorithm: Algorithm[Any, Any], data_set: DataSet) -> DataSet:
    """Return the data set with its instances checked.

    Raises
    ------
    InvalidValueError
        if it is empty, or naming an instance that is not allowed.
    """
    if not data_set.instances:
        raise InvalidValueError(f"data set {data_set.name!r} is empty")
    checked = []
    for number, instance in enumerate(data_set.instances, 1):
        try:
            checked.append(algorithm.check(instance))
        except NqbenchError as error:
            raise InvalidValueError(
                f"{data_set.problem.noun} {number} of {data_set.name}: {error}") from None
    return replace(data_set, instances=checked)


def timed_search(data_set: DataSet, seed: int | None, process: int, allowed: int, rounds: int,
                 record: Record, seconds: float) -> Search:
    """Return what a worker times: passes over the instances that were answered, one pass or, of
    permuted instances, all passes of a sample one after the other. A pass takes about so many
    `seconds`.
    """
    problem, loops = data_set.problem, record["loops"]
    solver = SolverKey(record["algorithm"], record["implementation"], problem=problem.name)
    # A list that is long enough by itself is the same copy, which was counted, in all processes.
    numbers = [0] if seed is None or loops == 1 else range(process * loops, (process + 1) * loops)
    implementation: Any = problem.find(solver.algorithm).find_implementation(solver.implementation)
    instances = make_copies(data_set, seed, numbers, implementation, LIMIT, allowed,
                            record.get("nodes"), record["solutions"])
    return Search(str(solver), solver, rounds, limit=LIMIT,
                  allowed=max(LEAST, LONGER * seconds * loops),
                  loops=loops if len(numbers) == 1 else 1,
                  predicted=seconds * (1 if len(numbers) == 1 else loops) * (
                      2 if implementation.search_all else 1),  # a program also warms up so long
                  instances=tuple(map(problem.text, instances)))


def per_pass(loops: int, search: Search, times: Timed) -> tuple[list[float], Record]:
    """Return the seconds of one pass in each sample, by the clock that the other fields of the
    record name; a sample consists of `loops` passes.
    """
    part = (search.loops or 1) / loops
    beside = {name: [None if each is None else part * each for each in times.state[name]]
              for name in (WALL, PROCESSOR) if name in times.state}
    return [part * each for each in times.samples], {**times.state, **beside, **times.why}


def rate_again(data_set: DataSet, records: Sequence[Record], process: int, worker: Worker,
               say: Callable[[str], None] = lambda what: None) -> list[Record]:
    """Return a record's fields for each algorithm that was rated by the first process, with the
    samples of a later one.
    """
    searches = [timed_search(data_set, record.get("seed"), process, record["nodes_allowed"],
                             len(record["samples"]), record, median(wall_of(record)))
                for record in records]
    measured = worker.measure(searches, SHORTEST, say, f"{process} {data_set.name}")
    return [{**{name: value for name, value in record.items() if name not in (*ONCE, *STATE)},
             "process": process, "samples": samples, **state}
            for record, search, times in zip(records, searches, measured, strict=True)
            for samples, state in [per_pass(record["loops"], search, times)]
            if not times.is_cut(search.rounds)]


def count(rated: Rated, instances: Sequence[Any], nodes: int) -> None:
    """Search every instance with the counting build, or predict the time that this would take at
    least."""
    if rated.solves_all:
        share = rated.allowed / COUNTING / 2  # it runs again before its samples
        rated.outcomes = rated.solves_all(instances, rated.limit, 0, share)
        return
    start, allowed = now(), rated.allowed
    for done, instance in enumerate(instances, 1):
        left = None if allowed == inf else max(1e-3, allowed - (now() - start))
        outcome = rated.implementation.search(instance, LIMIT, 0, nodes, left)
        rated.outcomes.append(replace(outcome, counters={
            name: outcome.counters[name] for name in COUNTED if name in outcome.counters}))
        gone = now() - start
        if gone > allowed and (done < len(instances) or outcome.gave_up):
            rated.predicted = gone / done * len(instances)
            return


def prepare(rated: Rated, instances: Sequence[Any], seconds: float, samples: int,
            processes: int) -> None:
    """Time each answered instance; see how many passes make a sample, and how many samples there is
    time for.
    """
    answered = [(number, instance, outcome.found) for number, (instance, outcome) in
                enumerate(zip(instances, rated.outcomes, strict=True), 1) if not outcome.gave_up]
    if not answered:
        return
    made = calibrate(rated.implementation.counter([instance for _, instance, _ in answered], LIMIT))
    rated.seconds, (rated.loops,) = made.wall, choose_loops([made])
    for (number, _, wanted), got in zip(answered, made.found, strict=True):
        if got != wanted:
            raise BuildsDifferError(
                f"the builds of {rated.algorithm} ({rated.way}) differ at instance {number}: the "
                f"one that is timed finds {got} of at most {LIMIT} solutions, the one that counts "
                f"{wanted}")
    asked = processes * samples
    affordable = asked if seconds == inf else max(1, int(seconds / rated.seconds))
    rated.processes = min(processes, affordable)
    rated.rounds = min(asked, affordable) // rated.processes
    if rated.solves_all:
        return
    repeats = 3 if rated.seconds < min(SHORT, PART * seconds) else 1
    times = []
    for number, instance, _ in answered:
        alone = rated.implementation.counter([instance], LIMIT)
        times.append((min(sample(alone).seconds() for _ in range(repeats)), number))
    longest, number = max(times)
    rated.slowest = {"puzzle": number, "seconds": longest}


def fields(rated: Rated, most: float) -> Record:
    """Return what is recorded of an algorithm; `most` are the seconds that counting may take, if
    there is time for it.
    """
    head = {"algorithm": rated.algorithm, "implementation": rated.way,
            "predicted": rated.predicted, "limit": rated.limit}
    if rated.predicted is not None:
        return head | leave_out(rated.predicted, rated.allowed, *(
            () if rated.allowed < most else ("too long",)))
    if "status" in rated.state:
        return {**head, **rated.state}
    if not rated.samples:  # it was run, and used up its nodes on every instance
        return {**head, "status": "timed out", "samples": []}
    return {**head, **counted(rated), "status": "measured", "samples": rated.samples,
            **rated.state, "loops": rated.loops, "process": 0, "processes": rated.processes,
            **({"slowest": rated.slowest} if rated.slowest else {})}


def counted(rated: Rated) -> dict[str, list[int | None]]:
    """Return what was counted of each instance, None where the search gave up."""
    found = {name: [None if outcome.gave_up else outcome.counters[name]
                    for outcome in rated.outcomes]
             for name in COUNTED if name in rated.outcomes[0].counters}
    return {**found, "solutions": [None if outcome.gave_up else outcome.found
                                   for outcome in rated.outcomes]}


def figures(record: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the figures in the joined record of a timed algorithm.

    puzzles per_second (`typical`), low and high (its 95 % interval, NaN if it has none), answered
    and unguessed (shares of all puzzles), guesses and nodes (for each answered puzzle), slowest
    (the number of a puzzle), slowest_seconds, samples (their number). A figure that was not counted
    is None.
    """
    from nqbench.analysis.uncertainty import interval, typical  # which loads pandas

    # in a frame, what one record lacks and another has is NaN
    found, nodes, guesses = ([x for x in each if x is not None] if isinstance(each, list) else []
                             for each in map(record.get, ("solutions", "nodes", "guesses")))
    many, puzzles = len(found), record["puzzles"]
    slowest = record["slowest"] if isinstance(record.get("slowest"), Mapping) else {}
    rates = Samples([many / seconds for seconds in record["samples"]], record["processes"])
    low, high = interval(rates)
    return {"per_second": typical(rates), "low": low, "high": high, "answered": many / puzzles,
            "unguessed": guesses.count(0) / puzzles if guesses else None,
            "guesses": sum(guesses) / many if guesses else None,
            "nodes": sum(nodes) / many if nodes else None, "slowest": slowest.get("puzzle"),
            "slowest_seconds": slowest.get("seconds"), "samples": len(rates)}

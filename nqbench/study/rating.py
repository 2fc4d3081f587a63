"""Solvers of Sudoku side by side: puzzles a second, guesses, and the slowest puzzle.

Each puzzle is searched for two solutions, which proves that there is only one. First the
counting builds, each puzzle with a budget of nodes, the same for all solvers; then the
plain builds are timed over the puzzles that were answered, solver by solver in turns, in several
processes one after the other.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

from nqbench.errors import BuildsDifferError, InvalidValueError
from nqbench.records import store
from nqbench.records.context import context
from nqbench.records.record import SCHEMA, Record, append, join
from nqbench.solver import SolverKey
from nqbench.study.measure import SHORTEST, calibrate, quiet, sample
from nqbench.study.presets import PATIENCE, PROCESSES
from nqbench.study.repeating import of_first
from nqbench.study.session import now
from nqbench.study.worker import Search, Worker
from nqbench.sudoku import Grid, Implementation, Outcome, catalogue, choose

METRIC = "rate"
LIMIT = 2
NODES = 500_000  # for a puzzle; the textbook's listing solves all of easy50 within it
COUNTING = 0.25  # of the time of a solver, at most, for its counting pass
ONCE = ("nodes", "guesses", "solutions", "slowest")  # recorded by the first process alone
SHORT = 0.05  # seconds: of a pass that takes no longer, each puzzle is timed three times,
PART = 0.05  # unless these are more than so large a part of the time of the solver


@dataclass
class Rated:
    """A solver, and what was measured of it."""

    algorithm: str
    way: str
    implementation: Implementation
    outcomes: list[Outcome] = field(default_factory=list)
    predicted: float | None = None
    loops: int = 1
    seconds: float = 0.0  # that a pass over the answered puzzles takes
    processes: int = 1
    rounds: int = 0  # in each process
    samples: list[float] = field(default_factory=list)
    slowest: tuple[int, float] = 0, 0.0  # the number of the puzzle, from 1, and seconds


def every_solver() -> list[tuple[str, str]]:
    """All solvers and their implementations here."""
    return [(name, way) for name, algorithm in catalogue().items()
            for way in algorithm.implementations]


def rate(puzzles: Sequence[Grid], data_set: str, chosen: Sequence[tuple[str, str]],
         worker: Worker, seconds: float = inf, samples: int = 2, nodes: int = NODES,
         processes: int = PROCESSES,
         say: Callable[[str], None] = lambda what: None) -> list[Record]:
    """Return a record's fields for each solver, with the samples of the first process; skip, with
    its prediction, what would take much longer than `seconds`.

    Each of so many `processes` takes so many `samples`, or fewer if there is no time for them.

    Raises
    ------
    InvalidValueError
        if the givens of a puzzle contradict each other.
    """
    for number, grid in enumerate(puzzles, 1):
        if grid.contradiction:
            raise InvalidValueError(
                f"puzzle {number} of {data_set} has no solution: {grid.contradiction}")
    found = []
    for name, way in chosen:
        algorithm, way, implementation = choose(name, way)
        rated = Rated(algorithm.name, way, implementation)
        say(f"{data_set}, counting: {name} ({way})")
        count(rated, puzzles, seconds, nodes)
        found.append(rated)
    timed = [rated for rated in found if rated.predicted is None]
    with quiet():
        for rated in timed:
            say(f"{data_set}, each puzzle: {rated.algorithm} ({rated.way})")
            prepare(rated, puzzles, seconds, samples, processes)
    timed = [rated for rated in timed if rated.rounds]
    measured = worker.measure([
        Search(f"{rated.algorithm} ({rated.way})", SolverKey(rated.algorithm, rated.way),
               rated.rounds, puzzles=_answered(puzzles, rated.outcomes), limit=LIMIT,
               loops=rated.loops)
        for rated in timed],
        SHORTEST, lambda what: say(f"{data_set}, {what}"))
    for rated, times in zip(timed, measured, strict=True):
        rated.samples = times.samples
    text = "\n".join(map(str, puzzles)).encode()
    shared = {"metric": METRIC, "unit": "s", "n": 9, "data_set": data_set,
              "sha12": hashlib.sha256(text).hexdigest()[:12], "puzzles": len(puzzles),
              "limit": LIMIT, "nodes_allowed": nodes}
    return [{**shared, **fields(rated, COUNTING * seconds)} for rated in found]


def rate_again(puzzles: Sequence[Grid], records: Sequence[Record], process: int, worker: Worker,
               say: Callable[[str], None] = lambda what: None) -> list[Record]:
    """Return a record's fields for each solver that was rated by the first process, with the
    samples of a later one.
    """
    measured = worker.measure([
        Search(f"{record['algorithm']} ({record['implementation']})",
               SolverKey(record["algorithm"], record["implementation"]), len(record["samples"]),
               puzzles=tuple(_digits(grid) for grid, nodes in
                             zip(puzzles, record["nodes"], strict=True) if nodes is not None),
               limit=LIMIT, loops=record["loops"])
        for record in records], SHORTEST, say)
    return [{**{name: value for name, value in record.items() if name not in ONCE},
             "process": process, "samples": times.samples}
            for record, times in zip(records, measured, strict=True)]


def _answered(puzzles: Sequence[Grid], outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    return tuple(_digits(grid) for grid, outcome in zip(puzzles, outcomes, strict=True)
                 if not outcome.gave_up)


def _digits(grid: Grid) -> str:
    return "".join(map(str, grid.digits))


def count(rated: Rated, puzzles: Sequence[Grid], seconds: float, nodes: int) -> None:
    """Search every puzzle, counting; or predict what that would take at least."""
    start = perf_counter()
    allowed = COUNTING * seconds
    for done, grid in enumerate(puzzles, 1):
        left = None if allowed == inf else max(1e-3, allowed - (perf_counter() - start))
        outcome = rated.implementation.search(grid.digits, LIMIT, 0, nodes, left)
        rated.outcomes.append(outcome)
        gone = perf_counter() - start
        if gone > allowed and (done < len(puzzles) or outcome.gave_up):
            rated.predicted = gone / done * len(puzzles)
            return


def prepare(rated: Rated, puzzles: Sequence[Grid], seconds: float, samples: int,
            processes: int) -> None:
    """Time each answered puzzle; see how many passes make a sample, and how many samples there is
    time for.
    """
    answered = [(number, grid.digits) for number, (grid, outcome) in
                enumerate(zip(puzzles, rated.outcomes, strict=True), 1) if not outcome.gave_up]
    if not answered:
        return
    rated.seconds, rated.loops, counts = calibrate(
        rated.implementation.counter([digits for _, digits in answered], LIMIT))
    expected = [outcome.found for outcome in rated.outcomes if not outcome.gave_up]
    for (number, _), got, wanted in zip(answered, counts, expected, strict=True):
        if got != wanted:
            raise BuildsDifferError(
                f"the builds of {rated.algorithm} ({rated.way}) differ at puzzle {number}: the one "
                f"that is timed finds {got} of at most {LIMIT} solutions, the one that counts "
                f"{wanted}")
    asked = processes * samples
    affordable = asked if seconds == inf else max(1, int(seconds / rated.seconds))
    rated.processes = min(processes, affordable)
    rated.rounds = min(asked, affordable) // rated.processes
    times = []
    for number, digits in answered:
        alone = rated.implementation.counter([digits], LIMIT)
        repeats = 3 if rated.seconds < min(SHORT, PART * seconds) else 1
        times.append((min(sample(alone, 1) for _ in range(repeats)), number))
    slowest = max(times)
    rated.slowest = slowest[1], slowest[0]


def fields(rated: Rated, allowed: float) -> Record:
    """Return what is recorded of a solver; `allowed` are the seconds that counting may take."""
    head = {"algorithm": rated.algorithm, "implementation": rated.way,
            "predicted": rated.predicted}
    if rated.predicted is not None:
        return {**head, "status": "left out", "samples": [], "reason": "too long",
                "cost": rated.predicted, "allowed": allowed}
    if not rated.samples:  # it was run, and used up its nodes on every puzzle
        return {**head, "status": "timed out", "samples": []}
    lists = {name: [None if outcome.gave_up else outcome.counters[name]
                    for outcome in rated.outcomes] for name in ("nodes", "guesses")}
    return {**head, **lists, "status": "measured", "samples": rated.samples, "loops": rated.loops,
            "process": 0, "processes": rated.processes,
            "solutions": [None if outcome.gave_up else outcome.found
                          for outcome in rated.outcomes],
            "slowest": {"puzzle": rated.slowest[0], "seconds": rated.slowest[1]}}


def rate_file(grids: Sequence[Grid], data_set: str, chosen: Sequence[tuple[str, str]],
              results: str | Path, seconds: float, samples: int, nodes: int,
              say: Callable[[str], None], processes: int = PROCESSES) -> list[Record]:
    """Rate solvers of Sudoku on puzzles, in so many processes one after the other; write the
    records to a new file in `results` and return those of each solver, joined.
    """
    folder = Path(results)
    with store.locked(folder):
        started, here = now(), context()
        head = {"schema": SCHEMA, "run": started, "preset": "rate", "context": here}
        path = store.begin(folder, "rate", started, here["machine"])
        records: list[Record] = []
        with store.remove_if_empty(path):
            for process in range(processes):
                fields = _rated(grids, data_set, chosen, records, process, say,
                                seconds=seconds, samples=samples, nodes=nodes, processes=processes)
                batch = [{**head, "time": now(), **found} for found in fields]
                append(path, batch)
                records += batch
    return join(records)


def _rated(grids: Sequence[Grid], data_set: str, chosen: Sequence[tuple[str, str]],
           records: Sequence[Record], process: int, say: Callable[[str], None],
           **amounts: Any) -> list[Record]:
    """Rate in a new process and end it; a later one repeats what the first one recorded."""
    measuring = Worker(PATIENCE * amounts["seconds"] * len(chosen))
    try:
        if process == 0:
            return rate(grids, data_set, chosen, measuring, say=say, **amounts)
        again = of_first(records, METRIC, process)
        return rate_again(grids, again, process, measuring, say)
    finally:
        measuring.stop()

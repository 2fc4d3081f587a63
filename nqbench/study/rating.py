"""Solvers of Sudoku side by side: puzzles a second, guesses, and the slowest puzzle.

Each puzzle is searched for two solutions, which proves that there is only one. First the
counting builds, each puzzle with a budget of nodes, the same for all solvers; then the
plain builds are timed over the puzzles that were answered, solver by solver in turns.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from statistics import median
from time import perf_counter
from typing import Any

from nqbench.study.measure import calibrate, quiet, sample
from nqbench.study.records import Record
from nqbench.sudoku import Grid, Implementation, Outcome, catalogue, choose

LIMIT = 2
NODES = 500_000  # for a puzzle; the textbook's listing solves all of easy50 within it
COUNTING = 0.25  # of the time of a solver, at most, for its counting pass
SHORT = 0.05  # seconds: of a pass that takes no longer, each puzzle is timed three times


@dataclass
class Rated:
    """A solver, and what was measured of it."""

    algorithm: str
    way: str
    implementation: Implementation
    outcomes: list[Outcome] = field(default_factory=list)
    predicted: float | None = None
    run: Callable[[], list[int]] = list
    loops: int = 1
    turns: int = 0
    samples: list[float] = field(default_factory=list)
    slowest: tuple[int, float] = 0, 0.0  # the number of the puzzle, from 1, and seconds


def every_solver() -> list[tuple[str, str]]:
    """All solvers and their implementations here."""
    return [(name, way) for name, algorithm in catalogue().items()
            for way in algorithm.implementations]


def rate(puzzles: Sequence[Grid], data_set: str, chosen: Sequence[tuple[str, str]],
         seconds: float = inf, samples: int = 9, nodes: int = NODES,
         say: Callable[[str], None] = lambda what: None) -> list[Record]:
    """Return a record's fields for each solver; what would take much longer than `seconds` is
    left out, with its prediction.

    Raises
    ------
    ValueError
        if the givens of a puzzle contradict each other.
    """
    for number, grid in enumerate(puzzles, 1):
        if grid.contradiction:
            raise ValueError(f"puzzle {number} of {data_set} has no solution: {grid.contradiction}")
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
            prepare(rated, puzzles, seconds, samples)
        for turn in range(samples):
            for rated in timed:
                if turn < rated.turns:
                    say(f"{data_set}, round {turn + 1} of {samples}: {rated.algorithm} "
                        f"({rated.way})")
                    rated.samples.append(sample(rated.run, rated.loops))
    text = "\n".join(map(str, puzzles)).encode()
    shared = {"metric": "rate", "unit": "s", "n": 9, "data_set": data_set,
              "sha12": hashlib.sha256(text).hexdigest()[:12], "puzzles": len(puzzles),
              "limit": LIMIT, "nodes_allowed": nodes}
    return [{**shared, **fields(rated)} for rated in found]


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


def prepare(rated: Rated, puzzles: Sequence[Grid], seconds: float, samples: int) -> None:
    """Time each answered puzzle, and see how many passes a sample takes."""
    answered = [(number, grid.digits) for number, (grid, outcome) in
                enumerate(zip(puzzles, rated.outcomes, strict=True), 1) if not outcome.gave_up]
    if not answered:
        return
    rated.run = rated.implementation.counter([digits for _, digits in answered], LIMIT)
    a_pass, rated.loops, counts = calibrate(rated.run)
    expected = [outcome.found for outcome in rated.outcomes if not outcome.gave_up]
    if counts != expected:
        raise AssertionError(f"the builds of {rated.algorithm} ({rated.way}) disagree")
    rated.turns = samples if seconds == inf else max(1, min(samples, int(seconds / a_pass)))
    times = []
    for number, digits in answered:
        alone = rated.implementation.counter([digits], LIMIT)
        times.append((min(sample(alone, 1) for _ in range(3 if a_pass < SHORT else 1)), number))
    slowest = max(times)
    rated.slowest = slowest[1], slowest[0]


def fields(rated: Rated) -> Record:
    """What is recorded of a solver."""
    head = {"algorithm": rated.algorithm, "implementation": rated.way,
            "predicted": rated.predicted}
    if not rated.samples:
        # Without a prediction it was run, and used up its nodes on every puzzle.
        status = "timed out" if rated.predicted is None else "left out"
        return {**head, "status": status, "samples": []}
    lists = {name: [None if outcome.gave_up else outcome.counters[name]
                    for outcome in rated.outcomes] for name in ("nodes", "guesses")}
    return {**head, **lists, "status": "measured", "samples": rated.samples, "loops": rated.loops,
            "solutions": [None if outcome.gave_up else outcome.found
                          for outcome in rated.outcomes],
            "slowest": {"puzzle": rated.slowest[0], "seconds": rated.slowest[1]}}


def figures(record: Mapping[Any, Any]) -> dict[str, Any]:
    """What a record says of a solver that was timed: puzzles per_second (median, low and
    high: the least and the most), answered and unguessed (shares of all puzzles), guesses and
    nodes (for each answered puzzle), slowest (the number of a puzzle), slowest_seconds,
    samples (how many).
    """
    nodes, guesses = ([x for x in record[name] if x is not None] for name in ("nodes", "guesses"))
    many, puzzles = len(nodes), record["puzzles"]
    rates = [many / seconds for seconds in record["samples"]]
    return {"per_second": median(rates), "low": min(rates), "high": max(rates),
            "answered": many / puzzles, "unguessed": guesses.count(0) / puzzles,
            "guesses": sum(guesses) / many, "nodes": sum(nodes) / many,
            "slowest": record["slowest"]["puzzle"],
            "slowest_seconds": record["slowest"]["seconds"], "samples": len(rates)}

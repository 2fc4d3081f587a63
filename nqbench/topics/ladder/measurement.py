"""Count and time the searches in instances on the empty board, in turns."""

from collections.abc import Callable
from functools import partial
from time import perf_counter

from nqbench.problems.instances import Board, Search, catalogue
from nqbench.problems.queens import Tree
from nqbench.records.record import Record
from nqbench.search.metrics import METRICS
from nqbench.study.experiments import Experiment, Step
from nqbench.study.samples import Reference, calibrate

METRIC = METRICS["ladder"]
ROUNDS = 7  # samples of each search


class Ladder(Experiment):
    """Search the board of each n by every search that finds all solutions; a search that would
    exceed the budget is left out.
    """

    name = metric_name = "ladder"
    problem = "instances"

    def measure(self, step: Step) -> list[Record]:
        """Return a record for each search."""
        board, session = Board(step.number), self.session
        reference = Reference(patience=session.waiting)
        measured: dict[str, tuple[Callable[[], int], int, Record]] = {}
        for search in searches():
            session.say(f"ladder, n = {step.number}: {search.name}")
            start = perf_counter()
            tally = search.profile(board)
            counting = perf_counter() - start
            if ROUNDS * counting > session.preset.budget - session.elapsed:
                continue
            count = partial(search.python.count, board)
            _, loops, found, _ = calibrate(count)
            assert found == tally.solutions, search.name
            measured[search.name] = count, loops, {
                "counters": {name: value for name, value in tally.counters().items()
                             if isinstance(value, int)}}
        samples: dict[str, list[float]] = {name: [] for name in measured}
        for _ in range(ROUNDS):
            for name, (search_all, loops, _) in measured.items():
                samples[name].append(reference.sample(search_all, loops).seconds)
        return [{**session.head(), **METRIC.fields, "status": "measured", "problem": "instances",
                 "algorithm": name, "implementation": "python", "n": step.number, "loops": loops,
                 **counted, "samples": samples[name]}
                for name, (_, loops, counted) in measured.items()]


def searches() -> list[Search]:
    """Return the searches that are compared."""
    return [search for search in catalogue().values()
            if search.exhaustive and search.tree != Tree.NONE]


EXPERIMENTS = (Ladder,)

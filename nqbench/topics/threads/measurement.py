"""Count by one thread and by one for each core.

In an interpreter with the global lock (GIL), threads take turns; in a free-threaded one, they run
at once.
"""

import sys
from time import perf_counter

from nqbench.engine import cores
from nqbench.problems.queens import find
from nqbench.records.record import Record
from nqbench.search.metrics import METRICS
from nqbench.study.experiments import Experiment, Step

METRIC = METRICS["shared"]
ALGORITHM = "threads"


class Threads(Experiment):
    """Count by one thread and by one for each core in turns, for each n."""

    name, metric_name = "threads", METRIC.name

    def measure(self, step: Step) -> list[Record]:
        """Take the samples, as many as the budget allows but at least one; return a record."""
        session, n, jobs = self.session, step.number, cores()
        session.say(f"n = {n}, {ALGORITHM}")
        count_seconds(n, 1)  # builds the search
        samples: list[list[float]] = []
        while len(samples) < max(1, session.preset.samples):
            samples.append([count_seconds(n, many) for many in (1, jobs)])
            if session.elapsed > session.preset.budget:
                break
        return [{**session.head(), **METRIC.fields, "algorithm": ALGORITHM,
                 "implementation": "python", "n": n, "jobs": jobs, "gil": has_gil(),
                 "status": "measured", "samples": samples}]


def count_seconds(n: int, jobs: int) -> float:
    """Return the seconds of one count."""
    algorithm, start = find(ALGORITHM), perf_counter()
    algorithm.count(n, "python", jobs=jobs)
    return perf_counter() - start


def has_gil() -> bool:
    """Return whether the threads of this process take turns."""
    return bool(getattr(sys, "_is_gil_enabled", lambda: True)())


EXPERIMENTS = (Threads,)

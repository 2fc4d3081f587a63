"""Estimate the plain tree from random probes."""

from collections import deque
from functools import partial
from time import perf_counter

from nqbench.problems.queens import find
from nqbench.records.record import LARGEST_ESTIMATE, PLAIN_SEARCH, SMALL, Record
from nqbench.search.estimates import METHODS, Estimate, Quantity, sample
from nqbench.search.metrics import METRICS
from nqbench.study.experiments import Experiment, Session, Step, now
from nqbench.study.fields import BUDGET, Field
from nqbench.study.worker import leave_out
from nqbench.util.arguments import require_whole

METRIC = METRICS["estimate"]
FIRST_N, EVERY = 4, 4
SEED = 1  # of the random probes: the same in every study, so its estimates can be reproduced
SHARE = 0.1  # of the budget, which experiments before this one leave
LEAST_PROBES = 32  # probes of an estimate
PROBES = Field("probes", "random probes for each estimate of a tree, if there is time for them; "
               "none if 0", 0, partial(require_whole, least=2), most=10**12, needed=True)
GROWTH = 2  # a probe of n + 4 rows takes at most this many times as long as one of n


class Estimates(Experiment):
    """Estimate the tree of every fourth n by each method, by as many probes as time allows."""

    reads = (PROBES,)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.probed: dict[str, float] = {}  # seconds that a probe of a method took last
        for record in session.records:
            if record["metric"] == METRIC.name:
                for sample in record["samples"]:
                    self.probed[record["method"]] = sample["seconds"] / record["probes"]

    def steps(self) -> list[Step]:
        """Return a step for each n, or none if the preset has no probes."""
        if not self.session.plan[PROBES]:
            return []
        return [Step(n) for n in range(FIRST_N, LARGEST_ESTIMATE + 1, EVERY)]

    def is_complete(self, step: Step) -> bool:
        """Return whether each method has its record."""
        return {record["method"] for record in self.session.records
                if record["metric"] == METRIC.name and record["n"] == step.number
                } == set(METHODS)

    def measure(self, step: Step) -> list[Record]:
        """Estimate the tree of n by each method; return a record each."""
        return [self.estimate(step.number, method) for method in METHODS]

    def to_reserve(self) -> float:
        """Return the seconds of all estimates."""
        return SHARE * self.session.plan[BUDGET] * bool(self.steps())

    def estimate(self, n: int, method: str) -> Record:
        """Estimate with the wanted probes, or as many as there is time for; return a record."""
        self.session.say(f"estimate, n = {n}, {method}")
        wanted = self.session.plan[PROBES]
        least, allowed = min(LEAST_PROBES, wanted), self.allowance(n, method)
        if method not in self.probed and allowed > 0:
            self.probe(n, method, LEAST_PROBES)
        predicted = GROWTH * self.probed.get(method, 0.0)
        fitting = allowed > 0 and (n <= SMALL or least * predicted <= allowed)
        made = max(least, min(wanted, int(allowed / predicted) // LEAST_PROBES * LEAST_PROBES)
                   ) if fitting else least
        head = {**self.session.head(METRIC), "n": n, "method": method, "probes": made,
                "seed": SEED, "predicted": predicted * made}
        if not fitting:
            return {**head, **leave_out(predicted * least, allowed)}
        found, seconds = self.probe(n, method, made)
        return {**head, "time": now(),
                "status": "measured", "samples": [{
                    "reached": found.reached, "reach": found.nodes.reach, "seconds": seconds,
                    "nodes": found.nodes.pair,
                    "levels": [level.pair for level in found.levels]}]}

    def probe(self, n: int, method: str, probes: int) -> tuple[Estimate, float]:
        """Return an estimate and its seconds; note how long a probe takes."""
        start = perf_counter()
        untimed = Quantity(1.0, 0.0)
        found = deque(sample(find(PLAIN_SEARCH), n, probes, SEED, method, untimed), maxlen=1).pop()
        seconds = perf_counter() - start
        self.probed[method] = seconds / probes
        return found, seconds

    def allowance(self, n: int, method: str) -> float:
        """Return the seconds that an estimate may take: an equal part of what is left for it and
        all that follow.
        """
        every = [(step.number, name) for step in self.steps() for name in METHODS]
        left = self.session.left - self.session.reserve
        return max(0.0, left) / (len(every) - every.index((n, method)))

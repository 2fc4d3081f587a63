"""Sample the parts of counts by both engines."""

from dataclasses import asdict

from nqbench.engine import engines, kernels
from nqbench.engine.plans import sample
from nqbench.records.record import Record
from nqbench.search.metrics import METRICS
from nqbench.study.experiments import Experiment, Step, find_cores
from nqbench.study.fields import BUDGET
from nqbench.study.plan import Plan

SEED = 1
PLANNED = range(18, 25)
LONGEST, SHORTEST = 150.0, 20.0  # seconds of a sample, if there is time for it and if not
RESERVED = 300.0  # seconds of the budget, if it has twice as many: all took 110 with AVX2


class Engines(Experiment):
    """Sample counts by both engines."""

    reads = ()
    least = 150.0  # for all samples at their shortest

    @classmethod
    def missing(cls, plan: Plan) -> str:
        """Return what is missing: the compiled engines."""
        return find_cores()

    def steps(self) -> list[Step]:
        """Return a step for each n."""
        return [Step(n) for n in PLANNED]

    def is_complete(self, step: Step) -> bool:
        """Return whether the step has a record for each engine."""
        return {record["algorithm"] for record in self.session.records
                if record["metric"] == "plan" and record["n"] == step.number} == set(engines())

    def to_reserve(self) -> float:
        """Return the seconds that samples may need."""
        return min(RESERVED, max(self.least, self.session.plan[BUDGET] / 2))

    def measure(self, step: Step) -> list[Record]:
        """Run a step; its samples share the time that is left with those of the steps after it."""
        n = step.number
        records = []
        left = len(engines()) * len([later for later in PLANNED if later >= n])
        for done, name in enumerate(engines()):
            self.session.say(f"parts for n = {n} by {name}")
            rest = self.session.left
            if rest <= 0:
                break
            share = rest / (left - done)
            taken = sample(n, SEED, algorithm=name, limit=min(
                rest, max(SHORTEST, min(LONGEST, share))))
            records.append({
                **self.session.head(METRICS["plan"], name), "n": n, "implementation": "cython",
                "kernel": kernels()[0], "jobs": 1, "status": "measured",
                "samples": [asdict(taken)]})
        return records

"""Predict counts beyond one machine: sample the parts of some n."""

from dataclasses import asdict

from nqbench.engine.plans import sample
from nqbench.records.record import Record
from nqbench.search.metrics import METRICS
from nqbench.study.experiments import Experiment, Step
from nqbench.study.presets import UNCOMPILED, Preset, is_compiled

SEED = 1
PLANNED = (20, 24, 27, 28)


class Clusters(Experiment):
    """Sample the parts of counts by the cross."""

    name, metric_name = "clusters", "plan"
    least = 300.0  # for the samples

    @classmethod
    def missing(cls, preset: Preset) -> str:
        """Return what is missing: the compiled engine."""
        return "" if is_compiled() else UNCOMPILED

    def steps(self) -> list[Step]:
        """Return a step for each n."""
        return [Step(n) for n in PLANNED]

    def measure(self, step: Step) -> list[Record]:
        """Sample the parts of n; return a record."""
        self.session.say(f"parts for n = {step.number}")
        return [{**self.session.head(), **METRICS["plan"].fields, "n": step.number,
                 "status": "measured", "samples": [asdict(sample(step.number, SEED))]}]


EXPERIMENTS = (Clusters,)

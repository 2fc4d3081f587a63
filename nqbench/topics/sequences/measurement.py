"""Compare our counts with published values."""

from functools import partial

from nqbench.checking.verification import Check, verify
from nqbench.problems.published import SEQUENCES
from nqbench.records.record import Record
from nqbench.search.metrics import METRICS
from nqbench.study.experiments import Experiment, Step
from nqbench.study.fields import BUDGET, YEAR, Field, parse_seconds
from nqbench.util.arguments import require_whole

METRIC = METRICS["check"]
SHARE = 0.1  # of the budget, which experiments before this one leave
LEAST_BUDGET = 1e-3  # seconds of a budget
CHECKS = Field("checks", "seconds for published values; none if 0", 0.0, parse_seconds, YEAR,
               of_budget=True, needed=True)
CHECK_N = Field("check_n", "their largest n", 0, partial(require_whole, least=1), most=1000,
                needed=True)


class Checks(Experiment):
    """Check published values up to the preset's `check_n`, for `checks` seconds."""

    reads = (CHECKS, CHECK_N)

    def steps(self) -> list[Step]:
        """Return one step, or none if the preset has no seconds for it."""
        plan = self.session.plan
        return [Step(plan[CHECK_N])] if plan[CHECKS] else []

    def to_reserve(self) -> float:
        """Return the seconds of most checks."""
        return min(SHARE * self.session.plan[BUDGET], self.session.plan[CHECKS])

    def is_complete(self, step: Step) -> bool:
        """Return whether each value has its record."""
        found = {(record["sequence"], record["n"]) for record in self.session.records
                 if record["metric"] == METRIC.name}
        return all((name, n) in found for name, sequence in SEQUENCES.items()
                   for n, _ in sequence.up_to(step.number))

    def measure(self, step: Step) -> list[Record]:
        """Check all values, as far as the budget allows; return a record each."""
        session = self.session
        budget = min(session.plan[CHECKS], session.left - session.reserve)
        verification = verify(
            step.number, budget=max(LEAST_BUDGET, budget),
            progress=lambda check, solver: session.say(f"check {check.sequence}, n = {check.n}"))
        if verification.interrupted:
            raise KeyboardInterrupt
        return [self.record(check) for check in verification.checks]

    def record(self, check: Check) -> Record:
        """Return the record of a check."""
        return {**self.session.head(METRIC), "n": check.n,
                "status": check.status, "samples": [], "sequence": check.sequence,
                "expected": check.expected, "got": check.got,
                "answered_by": list(check.answers),
                **({"wrong": check.wrong} if check.wrong else {})}

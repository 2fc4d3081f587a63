"""The cost of counts beyond one machine."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from nqbench import analysis
from nqbench._text import format_float
from nqbench.reference import EFFORTS, Effort
from nqbench.report import plots
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section

HOURS = 365.25 * 24  # of a year


@dataclass(frozen=True)
class Facts:
    """The plans, and the best of the simulated runs.

    known, covered: the number of plans with known totals, and of intervals that contain them; n,
    years, years_low, years_high: the largest plan, for one core; best: the best run with the most
    failures, None if none was simulated; one_in: the number of workers of which one fails per hour
    in this run, None if none fails.
    """

    plans: pd.DataFrame
    kernel: str
    known: int
    covered: int
    n: int
    years: float
    years_low: float
    years_high: float
    best: pd.Series | None
    one_in: float | None
    efforts: Sequence[Effort] = EFFORTS

    @property
    def finding(self) -> str:
        """The time of the largest plan."""
        low, high = map(format_float, (self.years_low, self.years_high))
        return f"{self.n} queens would take {low} to {high} years of one core"


def build(frames: Frames) -> Part | None:
    """Return the plans and the simulated runs of the newest run that has them."""
    plans, schedules = analysis.plans(frames.plans), analysis.schedules(frames.plans)
    if plans.empty:
        return None
    figures = {"efficiency": lambda: plots.efficiency(schedules)} if len(schedules) else {}
    made = _facts(plans, schedules)
    return Part(made, {"plans": plans, "schedules": schedules}, figures, {
        "plans": "Plans of counts on a cluster: parts, seconds of a part, and core hours.",
        "schedules": "Simulated runs: the share of their time that the workers work.",
    }, frames.plans, made.finding)


def _facts(plans: pd.DataFrame, schedules: pd.DataFrame) -> Facts:
    """Return the facts of the tables of plans and of simulated runs."""
    known, largest = plans[plans["known"].notna()], plans.iloc[-1]
    failing = schedules[schedules["failures"] == schedules["failures"].max()]
    best = failing.sort_values("efficiency").iloc[-1] if len(failing) else None
    return Facts(
        plans=_in_seconds(plans.drop(columns=["kernel", "slices", "median", "longest"])),
        kernel=plans["kernel"].iloc[0], known=len(known), covered=int((
            (known["solutions_low"] <= known["known"])
            & (known["known"] <= known["solutions_high"])).sum()),
        n=largest["n"], years=largest["core_hours"] / HOURS, years_low=largest["low"] / HOURS,
        years_high=largest["high"] / HOURS, best=best,
        one_in=1 / best["failures"] if best is not None and best["failures"] else None)


def _in_seconds(plans: pd.DataFrame) -> pd.DataFrame:
    """Return plans with the time of one core in seconds, which the page shows in a fitting unit."""
    hours = ["core_hours", "low", "high"]
    return plans.assign(**3600 * plans[hours]).rename(columns={"core_hours": "one core"})


SECTION = Section("clusters", "Plans for clusters", 150, build, requires=("plans",),
                  chapter="Beyond one machine")

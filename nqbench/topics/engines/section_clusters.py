"""The predicted cost of counts beyond one machine.

    records = nqbench.analysis.load("results")
    section = nqbench.topics.engines.section_clusters
    section.plans(section.latest_plans(records))
"""

import pandas as pd

from nqbench.engine.plans import Sample
from nqbench.problems.published import EFFORTS, published
from nqbench.report.frames import Frames
from nqbench.report.sections import Facts, Part, Section
from nqbench.util.text import format_float

HOUR = 3600.0
HOURS = 365.25 * 24  # of a year


def latest_plans(records: pd.DataFrame, machine: str | None = None) -> pd.DataFrame:
    """Return the plans of the run of the preset `cluster` with the most of them, the newest of
    equals; only of `machine`, if it is given. Plans that name their engine are those of `joins`.
    """
    found = records[(records["metric"] == "plan") & (records["status"] == "measured")
                    & records["algorithm"].isna()]
    if machine is not None:
        found = found[found["machine"] == machine]
    best = max(((many, run) for run, many in found.groupby("run").size().items()),
               default=(0, None))[1]
    return found[found["run"] == best].reset_index(drop=True)


def plans(run: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each n that was planned: n, kernel, parts, slices (of a batch of jobs),
    mean, median, most (95 % take no longer), longest: seconds of a part on one core; core_hours,
    low, high (95 % interval); checkpoint (bytes); solutions, solutions_low, solutions_high by the
    sample, and known, those published.
    """
    rows = []
    for record in run[run["metric"] == "plan"].sort_values("n").to_dict("records"):
        sample = Sample.of(record["samples"][0])
        rows.append((sample.n, sample.kernel, sample.parts, sample.slices, sample.mean,
                     sample.longest(0.5), sample.longest(0.95), sample.longest(),
                     *(seconds / HOUR for seconds in sample.seconds), sample.checkpoint,
                     *sample.solutions, published("A000170").get(sample.n)))
    return pd.DataFrame(rows, columns=[
        "n", "kernel", "parts", "slices", "mean", "median", "most", "longest", "core_hours", "low",
        "high", "checkpoint", "solutions", "solutions_low", "solutions_high", "known"]).assign(
            known=pd.Series([row[-1] for row in rows], dtype=object))


def make_clusters(frames: Frames) -> Part | None:
    """Return the plans of this machine; None without one."""
    run = latest_plans(frames.records, frames.machine["machine"])
    planned = plans(run)
    if planned.empty:
        return None
    made = _facts(planned)
    low, high = map(format_float, (made.years_low, made.years_high))
    return Part(made, {"plans": planned}, records=run, finding=(
        f"{made.n} queens would take {low} to {high} years of one core"))


def _facts(plans: pd.DataFrame) -> Facts:
    """Return the facts of the table of plans.

    plans: with the time of one core in seconds, which the page shows in a fitting unit; known,
    covered: the number of plans with known totals, and of intervals that contain them; n, years,
    years_low, years_high: the largest plan, for one core.
    """
    known, largest = plans[plans["known"].notna()], plans.iloc[-1]
    hours = ["core_hours", "low", "high"]
    return Facts(
        efforts=EFFORTS, plans=plans.assign(**HOUR * plans[hours]).rename(
            columns={"core_hours": "one core"}).drop(
            columns=["kernel", "slices", "median", "longest"]),
        kernel=plans["kernel"].iloc[0], known=len(known), covered=int((
            (known["solutions_low"] <= known["known"])
            & (known["known"] <= known["solutions_high"])).sum()),
        n=largest["n"], years=largest["core_hours"] / HOURS, years_low=largest["low"] / HOURS,
        years_high=largest["high"] / HOURS)


SECTIONS = (
    Section("clusters", "Plans for clusters", 150, make_clusters, chapter="Beyond one machine",
            names_run=True),
)

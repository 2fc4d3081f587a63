"""The predicted cost of counts beyond one machine, and the scheduling of their tasks.

    records = nqbench.analysis.load("results")
    section = nqbench.topics.clusters.section
    section.plans(section.latest_plans(records))
"""

import pandas as pd
from matplotlib.figure import Figure

from nqbench.engine.plans import Sample
from nqbench.engine.tasks import LONGEST
from nqbench.problems.published import EFFORTS, published
from nqbench.report.frames import Frames
from nqbench.report.marks import tell
from nqbench.report.sections import Facts, Part, Section
from nqbench.report.style import figure
from nqbench.util.text import format_float

HOUR = 3600.0
HOURS = 365.25 * 24  # of a year
COLOURS = ("#0072b2", "#009e73", "#e69f00", "#d55e00")
MARKERS = "osD^"


def latest_plans(records: pd.DataFrame, machine: str | None = None) -> pd.DataFrame:
    """Return the records of the run of the preset `cluster` with the most records, the newest of
    equals; only of `machine`, if it is given. Plans that name their engine are those of `joins`.
    """
    found = records[records["metric"].isin(["dispatch", "plan", "schedule"])
                    & records["algorithm"].isna() & (records["status"] == "measured")]
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


def schedules(run: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each simulated run: workers, dispatch (seconds of the scheduler for a task),
    task_seconds, failures (of a worker in an hour), tasks, efficiency, wall (seconds), failed
    (tasks that were lost at work).
    """
    found = run[run["metric"] == "schedule"]
    names = ["workers", "dispatch", "task_seconds", "failures", "tasks"]
    outcomes = pd.DataFrame([sample[0] for sample in found["samples"]], index=found.index,
                            columns=["efficiency", "wall", "failed"])
    return (found.reindex(columns=names).join(outcomes).sort_values(["failures", "task_seconds"])
            .reset_index(drop=True).astype(dict.fromkeys(
                ["dispatch", "task_seconds", "failures", "efficiency", "wall"], float)))


def efficiency(found: pd.DataFrame) -> Figure:
    """Draw the share of their time that the workers work against the length of a task, with a line
    for each failure rate.
    """
    with figure(7.2, 3.4) as (made, (axes,)):
        for failures, colour, marker in zip(sorted(found["failures"].unique()), COLOURS, MARKERS,
                                            strict=False):
            rows = found[found["failures"] == failures]
            label = f"once in {1 / failures:,.0f} hours" if failures else "never"
            axes.plot(rows["task_seconds"], 100 * rows["efficiency"], marker=marker, color=colour,
                      linewidth=1.2, label=label)
            tell(axes, label, rows[["workers", "task_seconds", "failures", "efficiency"]],
                 "task_seconds", 100 * rows["efficiency"])
        axes.axvline(LONGEST, color="#8a8a8a", linestyle=(0, (4, 2)), linewidth=0.9)
        axes.annotate(f"tasks of nqbench: up to {LONGEST:g} s", (LONGEST, 4), xytext=(5, 0),
                      textcoords="offset points", fontsize=8, color="#5a5a5a")
        axes.set_xscale("log")
        ticks = sorted(found["task_seconds"].unique())
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.set_ylim(0, 100)
        axes.set_xlabel("mean time of a task, in seconds")
        axes.set_ylabel("% of the workers' time at work")
        axes.legend(title="A worker fails", frameon=False, loc=(0.5, 0.1))
    return made


def make_clusters(frames: Frames) -> Part | None:
    """Return the plans and the simulated runs of this machine; None without a plan."""
    run = latest_plans(frames.records, frames.machine["machine"])
    planned, simulated = plans(run), schedules(run)
    if planned.empty:
        return None
    figures = {"efficiency": lambda: efficiency(simulated)} if len(simulated) else {}
    made = _facts(planned, simulated)
    low, high = map(format_float, (made.years_low, made.years_high))
    return Part(made, {"plans": planned, "schedules": simulated}, figures, {
        "plans": "Plans of counts on a cluster: parts, seconds of a part, and core hours.",
        "schedules": "Simulated runs: the share of their time that the workers work.",
    }, run, f"{made.n} queens would take {low} to {high} years of one core")


def _facts(plans: pd.DataFrame, schedules: pd.DataFrame) -> Facts:
    """Return the facts of the tables of plans and of simulated runs.

    plans: with the time of one core in seconds, which the page shows in a fitting unit; known,
    covered: the number of plans with known totals, and of intervals that contain them; n, years,
    years_low, years_high: the largest plan, for one core; best: the best run with the most
    failures, None if none was simulated; one_in: the number of workers of which one fails per hour
    in this run, None if none fails.
    """
    known, largest = plans[plans["known"].notna()], plans.iloc[-1]
    failing = schedules[schedules["failures"] == schedules["failures"].max()]
    best = failing.sort_values("efficiency").iloc[-1] if len(failing) else None
    hours = ["core_hours", "low", "high"]
    return Facts(
        efforts=EFFORTS, plans=plans.assign(**HOUR * plans[hours]).rename(
            columns={"core_hours": "one core"}).drop(
            columns=["kernel", "slices", "median", "longest"]),
        kernel=plans["kernel"].iloc[0], known=len(known), covered=int((
            (known["solutions_low"] <= known["known"])
            & (known["known"] <= known["solutions_high"])).sum()),
        n=largest["n"], years=largest["core_hours"] / HOURS, years_low=largest["low"] / HOURS,
        years_high=largest["high"] / HOURS, best=best,
        one_in=1 / best["failures"] if best is not None and best["failures"] else None)


SECTIONS = (
    Section("clusters", "Plans for clusters", 150, make_clusters, chapter="Beyond one machine",
            names_run=True),
)

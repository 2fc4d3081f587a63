"""The predicted cost of counts beyond one machine, and the scheduling of their tasks.

    records = nqbench.analysis.load("results")
    nqbench.analysis.plans(nqbench.analysis.latest_plans(records))
"""

import pandas as pd

from nqbench.engine.planning import Sample
from nqbench.reference import published

HOUR = 3600.0


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
    return (found[names].join(outcomes).sort_values(["failures", "task_seconds"])
            .reset_index(drop=True).astype(dict.fromkeys(
                ["dispatch", "task_seconds", "failures", "efficiency", "wall"], float)))

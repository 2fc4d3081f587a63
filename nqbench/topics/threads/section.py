"""What threads gain in Python, with the GIL and without it.

    records = nqbench.analysis.load("results")
    nqbench.topics.threads.section.thread_gains(records)
"""

from statistics import median

import pandas as pd

from nqbench.analysis.ratios import ratio
from nqbench.report.frames import Frames
from nqbench.report.sections import Facts, Part, Section
from nqbench.util.text import format_justified

WITH, WITHOUT = "with the GIL", "without the GIL"
COLUMNS = ["python", "gil", "n", "jobs", "alone", "shared", "times", "low", "high", "samples",
           "processor", "machine"]
BY = ["machine", "python", "gil", "n"]


def thread_gains(records: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each machine, interpreter and n, from its newest record: COLUMNS.

    `alone` and `shared` are the median seconds of one thread and of `jobs` threads; `times` is the
    median of their ratios, round by round, with its 95 % interval; `gil` says whether the
    interpreter had its global lock.
    """
    found = records[(records["metric"] == "shared") & (records["status"] == "measured")]
    if found.empty:
        return pd.DataFrame(columns=COLUMNS)
    rows = []
    for record in found.sort_values("run", kind="stable").drop_duplicates(
            BY, keep="last").sort_values(BY, kind="stable").to_dict("records"):
        alone, shared = zip(*record["samples"], strict=True)
        times = ratio(alone, shared)
        rows.append((record["python"], bool(record["gil"]), int(record["n"]), int(record["jobs"]),
                     median(alone), median(shared), *times[:3], len(alone),
                     record["processor"], record["machine"]))
    return pd.DataFrame(rows, columns=COLUMNS)


def make_threads(frames: Frames) -> Part | None:
    """Return what threads gain in each interpreter, and whether both kinds of interpreter were
    measured; None if none was.
    """
    found = thread_gains(frames.records)
    if found.empty:
        return None
    shown = found.drop(columns=["machine", "samples"]).assign(
        gil=found["gil"].map({True: "yes", False: "no"}))
    best = _largest(found)
    return Part(Facts(shown=shown, both=len(best) == 2), {"thread_gains": found}, captions={
        "thread_gains": "Seconds of one count by one thread (alone) and by jobs threads (shared), "
                        "medians, and their ratio round by round, with its 95 % interval."},
                records=frames.records[frames.records["metric"] == "shared"], finding=find(best))


def _largest(found: pd.DataFrame) -> dict[str, pd.Series]:
    """Return the gain without the GIL and with it, each at the largest n and in the newest Python.
    """
    order = found.sort_values(["n", "python"], kind="stable")
    return {way: rows.iloc[-1] for way, has in ((WITHOUT, False), (WITH, True))
            if len(rows := order[order["gil"] == has])}


def find(best: dict[str, pd.Series]) -> str:
    """Return what the threads gain, in a sentence."""
    jobs = " and ".join(str(jobs) for jobs in sorted({row["jobs"] for row in best.values()}))
    (way, first), *others = [
        (way, f"{format_justified(row['times'], row['low'], row['high'])} times as fast"
         if row["low"] > 1 else "no gain") for way, row in best.items()]
    return f"{jobs} Python threads: {first} {way}" + "".join(f", {gain} with it"
                                                             for _, gain in others)


SECTIONS = (
    Section("threads", "Python threads", 175, make_threads, named=False, chapter="How fast"),
)

"""What threads gain in Python, with the GIL and without it."""

from dataclasses import dataclass

import pandas as pd

from nqbench._text import format_justified
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section

WITH, WITHOUT = "with it", "without the GIL"


@dataclass(frozen=True)
class Facts:
    """The gains as they are shown, and the ways of running that were measured: WITH, WITHOUT."""

    shown: pd.DataFrame
    ways: list[str]


def build(frames: Frames) -> Part | None:
    """Return what threads gain in each interpreter; None if it was not measured."""
    found = frames.thread_gains
    if found.empty:
        return None
    shown = found.drop(columns=["machine", "samples"]).assign(
        gil=found["gil"].map({True: "yes", False: "no"}))
    best = _largest(found)
    return Part(Facts(shown, list(best)), {"thread_gains": found}, captions={
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
    gains = [f"{format_justified(row['times'], row['low'], row['high'])} times {way}"
             for way, row in best.items()]
    if WITHOUT not in best:
        gains = [gains[0].replace(WITH, "with the GIL")]
    gains[0] = gains[0].replace("times", "times as fast")
    return f"{jobs} Python threads count {', '.join(gains)}"


SECTION = Section("threads", "Python threads", 175, build, requires=("thread_gains",), named=False,
                  chapter="How fast")

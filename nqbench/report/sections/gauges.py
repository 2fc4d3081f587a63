"""What was measured beside the times: events of the processor, memory, energy."""

from dataclasses import dataclass

import pandas as pd

from nqbench import analysis
from nqbench.metrics import METRICS, Metric
from nqbench.metrics import gauges as known_gauges
from nqbench.report import tables
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section


@dataclass(frozen=True)
class Facts:
    """The gauges at one n, 0 if none was measured; what they are; and which are not available."""

    n: int
    shown: pd.DataFrame
    metrics: list[Metric]
    absent: list[tuple[str, str]]


def build(frames: Frames) -> Part | None:
    """Return the gauges of the main run; None if its study names none."""
    gauges, missing = analysis.gauges(frames.main), analysis.not_available(frames.main)
    if gauges.empty and missing.empty:
        return None
    n = tables.largest_common(gauges) if len(gauges) else 0
    names = [metric.name for metric in known_gauges() if gauges[metric.name].notna().any()]
    shown = gauges[gauges["n"] == n][["algorithm", "implementation", "kernel", *names]]
    absent = missing.drop_duplicates(["metric", "reason"])
    return Part(Facts(n, shown.dropna(axis=1, how="all"), [METRICS[name] for name in names],
                      list(zip(absent["metric"], absent["reason"], strict=True))),
                {"gauges": gauges.dropna(axis=1, how="all"), "not_available": missing})


SECTION = Section("gauges", "Instructions, memory, energy", 67, build, named=False,
                  chapter="How fast")

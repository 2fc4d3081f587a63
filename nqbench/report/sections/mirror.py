"""What mirroring saves."""

from dataclasses import dataclass

import pandas as pd

from nqbench.analysis import NOT_SIGNIFICANT, POINT, ratios
from nqbench.report import plots
from nqbench.report.frames import ENOUGH, Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken, gained

# A search without mirror and its counterpart with it.
MIRROR_PAIRS = (
    (("bitmask", "python"), ("bitmask_even_mirror", "python")),
    (("flat_marks", "python"), ("marks_mirror", "python")),
    (("bitmask", "python"), ("somers", "python")),
    (("bitmask", "cython"), ("somers", "cython")),
)

HALVED = 1.9, 2.1  # times as many nodes without the mirror


@dataclass(frozen=True)
class Facts:
    """The gains at the largest n of each pair at which it mirrors, each `doubtful` if chance may
    explain the difference in time.
    """

    gains: pd.DataFrame
    taken: Taken

    @property
    def nodes(self) -> float:
        """The median of the gains in nodes."""
        return float(self.gains["nodes"].median())

    @property
    def finding(self) -> str:
        """By how much nodes and time fall; empty if the nodes are not halved, or if the time may be
        halved, too.
        """
        other = (self.gains["time_low"] > 2) | (self.gains["time_high"] < 2)
        if not (self.halved and other.any()):
            return ""
        low, high = (f"{time:.2g}" for time in self.time)
        return ("Mirroring halves the nodes; the time falls by a factor of "
                f"{low if low == high else f'{low} to {high}'}")

    @property
    def halved(self) -> bool:
        """Whether every pair halves the nodes."""
        return bool(self.gains["nodes"].between(*HALVED).all())

    @property
    def time(self) -> tuple[float, float]:
        """The least and the largest gain in time."""
        return self.gains["time"].min(), self.gains["time"].max()


def build(frames: Frames) -> Part | None:
    """Return the gains of the main run; None if no pair was both counted and timed."""
    found = mirror_gains(frames.counters, frames.timings)
    if found.empty:
        return None
    made = Facts(largest(found), frames.taken)
    return Part(made, {"mirror": found},
                {"mirror": lambda: plots.mirror(found)}, {
                    "mirror": "Nodes and time without the mirror over those with it: medians of "
                    "{samples}, with 95 % bootstrap intervals (low, high)."},
                finding=made.finding)


def mirror_gains(counters: pd.DataFrame, timings: pd.DataFrame) -> pd.DataFrame:
    """Return nodes and time without the mirror divided by those with it, for n >= ENOUGH: plain,
    mirrored, implementation, n, nodes, time, time_low, time_high, verdict.
    """
    nodes = counters.set_index(POINT)["nodes"].to_dict()
    rows = [
        {"plain": plain[0], "mirrored": mirrored[0], "implementation": plain[1], "n": n,
         "nodes": nodes[*plain, n] / nodes[*mirrored, n],
         "time": time, "time_low": low, "time_high": high, "chance": chance}
        for plain, mirrored in MIRROR_PAIRS
        for n, time, low, high, chance, *_ in ratios(timings, plain, mirrored).to_numpy()
        if n >= ENOUGH and {(*plain, n), (*mirrored, n)} <= set(nodes)
    ]
    found = pd.DataFrame(rows, columns=["plain", "mirrored", "implementation", "n", "nodes",
                                        "time", "time_low", "time_high", "chance"])
    return gained(found.astype({"n": int}), "time")


def largest(gains: pd.DataFrame) -> pd.DataFrame:
    """Return the rows at the largest n of each pair at which it mirrors, and whether each is
    `doubtful`.
    """
    mirrored = gains[gains["nodes"] > 1]
    found = mirrored.groupby(["plain", "mirrored", "implementation"], sort=False).tail(1)
    return found.assign(doubtful=found["verdict"] == NOT_SIGNIFICANT)


SECTION = Section("mirror", "The mirror", 100, build, requires=("counters", "timings"),
                  chapter="What symmetry saves")

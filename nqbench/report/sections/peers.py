"""The same count by other packages."""

from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

import pandas as pd

from nqbench import analysis
from nqbench._text import format_justified
from nqbench.records.names import BASELINE, IN_PYTHON
from nqbench.report import by_n, plots
from nqbench.report.choices import by_scale
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken, largest_common, taken


@dataclass(frozen=True)
class Facts:
    """The peers at the n where most were measured.

    seconds: the time of the baseline there; nearest, farthest: the fastest and the slowest of the
    others, whose number is `others`; slower_than_python: how many of these are slower than our
    search in Python; quicker: by solver the largest n at which it is faster than the baseline;
    absent, ended: those that are not installed, and those that failed or timed
    out; table, by_n, marks: the table for n, that by n, and the meaning of its marks.
    """

    n: int
    baseline: str
    seconds: float | None
    nearest: pd.Series | None
    farthest: pd.Series | None
    others: int
    slower_than_python: int
    quicker: dict[str, int]
    absent: list[str]
    ended: list[dict[Any, Any]]
    taken: Taken
    table: pd.DataFrame
    by_n: pd.DataFrame
    marks: dict[str, str]

    @property
    def finding(self) -> str:
        """How much slower the fastest other package is; empty if it is not significantly slower."""
        if self.nearest is None or not self.nearest["times_low"] > 1:
            return ""
        times = format_justified(*self.nearest[["times", "times_low", "times_high"]])
        return (f"At n = {self.n} the fastest other package takes {times} times as long "
                "as the engine")


def build(frames: Frames) -> Part | None:
    """Return the peers of the newest run that has them."""
    found = analysis.against_peers(frames.peers)
    if found.empty:
        return None
    by_peer = peers_by_n(frames.peers, found)
    measured = (found["status"] == "measured").any()
    made = _facts(found, by_peer)
    return Part(made, {"peers": found, "peers_by_n": by_peer},
                {"peers": by_scale(partial(plots.peers, found))} if measured else {}, {
                    "peers": "Seconds to count all solutions with other packages: medians of "
                             "{samples}, with 95 % bootstrap intervals (low, high).",
                    "peers_by_n": "Seconds by n, and how many times as long as the first solver: "
                                  "medians of {samples}; letters are marks for no time.",
                }, frames.peers, made.finding)


def _facts(found: pd.DataFrame, by_peer: pd.DataFrame) -> Facts:
    """Return the facts of the table of peers and of the table by n. A peer that failed does not
    affect the choice of n.
    """
    measured = found[found["status"] == "measured"]
    gone = ["failed", "timed out", "out of memory"]
    ended = found[found["status"].isin(gone)].drop_duplicates("peer")
    failed = ended[ended["status"] == "failed"]["peer"]
    sound = measured[~measured["peer"].isin(failed)]
    absent = list(found[found["status"] == "not installed"]["peer"].unique())
    n = largest_common(sound) if len(sound) else 0
    there = found[(found["n"] == n) & ~found["peer"].isin(absent)].sort_values(
        "seconds", kind="stable")
    others = there[(there["package"] != "nqbench") & there["times"].notna()]
    reached = measured.groupby("peer")["n"].max()
    in_python = there.set_index("peer")["high"].get(IN_PYTHON, inf)
    return Facts(
        n=n, baseline=BASELINE, seconds=there.set_index("peer")["seconds"].get(BASELINE),
        nearest=others.iloc[0] if len(others) else None,
        farthest=others.iloc[-1] if len(others) else None,
        others=len(others), slower_than_python=int((others["low"] > in_python).sum()),
        quicker=dict(found[found["verdict"] == "faster"].groupby("peer")["n"].max()),
        absent=absent, ended=ended.to_dict("records"), taken=taken(measured),
        table=there.drop(columns=["package", "n", "samples", "processes", "solutions",
                                  "fault"]).assign(to_n=there["peer"].map(reached)),
        by_n=by_n.shown(by_peer), marks=by_n.legend(by_peer))


def peers_by_n(run: pd.DataFrame, peers: pd.DataFrame) -> pd.DataFrame:
    """Return the peers by n, against `cross`; `run` has their records, in the order of `peers`."""
    samples = [found if status == "measured" else []
               for found, status in zip(run["samples"], peers["status"], strict=True)]
    return by_n.by_n(pd.DataFrame({
        "solver": peers["peer"], "n": peers["n"], "status": peers["status"], "samples": samples,
    }), BASELINE)


SECTION = Section("peers", "The peers", 140, build, requires=("peers",), timed=True,
                  names_run=True, chapter="How fast")

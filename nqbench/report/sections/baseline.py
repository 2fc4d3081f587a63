"""The solvers of a study against the baseline that it names."""

from dataclasses import dataclass

import pandas as pd

from nqbench import analysis
from nqbench.analysis import NOT_SIGNIFICANT
from nqbench.analysis.uncertainty import NOT_KNOWN
from nqbench.report import plots, style
from nqbench.report.formats import plural
from nqbench.report.frames import ENOUGH, Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken, at_largest_common
from nqbench.solver import SolverKey

# The words for each verdict on a solver.
WORDS = {"faster": "significantly faster", "slower": "significantly slower",
         NOT_SIGNIFICANT: "not significantly faster or slower",
         NOT_KNOWN: "measured in {few}, which allows no verdict"}


@dataclass(frozen=True)
class Facts:
    """The solvers against the baseline at n, the largest n that most of them reached.

    over: the baseline; rows: the others there, the fastest first.
    """

    n: int
    over: SolverKey
    rows: pd.DataFrame
    taken: Taken

    @property
    def shown(self) -> pd.DataFrame:
        """The table at n."""
        return self.rows.drop(columns="n").dropna(axis="columns", how="all")

    @property
    def groups(self) -> list[tuple[str, pd.DataFrame]]:
        """The solvers by their verdict, in words."""
        found = [(words, self.rows[self.rows["verdict"] == verdict])
                 for verdict, words in WORDS.items()]
        return [(words.format(few=self.taken.few), rows) for words, rows in found if len(rows)]

    @property
    def finding(self) -> str:
        """The number of solvers that are faster."""
        faster = int((self.rows["verdict"] == "faster").sum())
        return (f"{faster or 'None'} of {len(self.rows)} {plural(len(self.rows), 'solver')} "
                f"{plural(faster or 1, 'is', 'are')} significantly faster than {self.over}")

    @property
    def costly(self) -> pd.DataFrame:
        """The solvers that save nodes and lose time."""
        return self.rows[(self.rows["nodes"] > 1) & (self.rows["verdict"] == "slower")]


def build(frames: Frames) -> Part | None:
    """Return the solvers of the main run against the baseline of its study; None if it has none
    that was timed, or nothing to compare with it.
    """
    over = analysis.baseline(frames.main)
    timings = frames.timings[frames.timings["n"] >= ENOUGH]
    if over is None:
        return None
    found = analysis.against_baseline(timings, frames.counters, over)
    if found.empty:
        return None
    rows = at_largest_common(found).sort_values("ratio", ascending=False, kind="stable")
    key = SolverKey(*over)
    made = Facts(int(rows["n"].iloc[0]), key, rows, frames.taken)
    return Part(
        made, {"baseline": found.assign(baseline=str(key))},
        {"baseline": lambda: plots.against_baseline(found, style.solver(*over))}, {
            "baseline": f"Time and nodes of the baseline, {key}, divided by those of each "
                        "solver; above 1 is a gain: medians of {samples}, with 95 % bootstrap "
                        "intervals (low, high)."}, finding=made.finding)


SECTION = Section("baseline", "Against the baseline", 15, build, requires=("timings",), timed=True,
                  chapter="How fast")

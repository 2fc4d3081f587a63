"""What each use of the symmetry of the board saves."""

from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from nqbench._text import format_justified
from nqbench.report import plots
from nqbench.report.choices import by_size
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken, at_largest_common

# Ways to use the symmetry of the board, each in Python, and the algorithms that use them.
SYMMETRIES = {
    "none": "bitmask", "mirror, even n only": "bitmask_even_mirror", "mirror": "somers",
    "all eight, compared at the leaf": "canonical", "all eight, by the cross": "cross",
}


@dataclass(frozen=True)
class Facts:
    """The savings at n; loses: the largest n at which the use of symmetry with the fewest nodes is
    slower than none, None if there is none.
    """

    n: int
    saved: pd.DataFrame
    taken: Taken
    loses: int | None = None

    @property
    def best(self) -> pd.Series:
        """The use of symmetry with the fewest nodes."""
        return self.saved.sort_values("nodes", kind="stable").iloc[-1]

    @property
    def finding(self) -> str:
        """The saving of the use of symmetry with the fewest nodes; empty if it is not significantly
        faster, or saves as much time as nodes.
        """
        best = self.best
        if best["verdict"] != "faster" or best["high"] >= best["nodes"]:
            return ""
        times = format_justified(best["time"], best["low"], best["high"])
        return (f"{best['algorithm']} has {best['nodes']:.3g} times fewer nodes, but is only "
                f"{times} times as fast")


def build(frames: Frames) -> Part | None:
    """Return the gains of the run that is closest to symmetry; None if it has none in Python."""
    found = symmetry(frames.symmetry.gains)
    if found.empty:
        return None
    even = found[found["n"] % 2 == 0]  # every use of symmetry has a row
    common = at_largest_common(even if len(even) else found)
    made = Facts(int(common["n"].iloc[0]), common.drop(columns="n"), frames.symmetry.taken)
    slower = found[(found["algorithm"] == made.best["algorithm"]) & (found["verdict"] == "slower")]
    made = replace(made, loses=int(slower["n"].max()) if len(slower) else None)
    return Part(made, {"symmetry": found}, {"symmetry": by_size(
                    partial(_draw_savings, found), found["n"].unique(), made.n)}, {
                    "symmetry": "Times fewer nodes and less time by uses of symmetry: medians of "
                                "{samples}, with 95 % bootstrap intervals (low, high)."},
                frames.symmetry.run, made.finding)


def symmetry(gains: pd.DataFrame) -> pd.DataFrame:
    """Return the gain of each use of symmetry compared with none: symmetry, algorithm, n, nodes,
    time, low, high, verdict, as in `nqbench.analysis.gains`.
    """
    in_python = gains[gains["implementation"] == "python"]
    found = [in_python[in_python["algorithm"] == name].assign(symmetry=what)
             for what, name in SYMMETRIES.items()]
    return pd.concat(found)[["symmetry", "algorithm", "n", "nodes", "time", "low", "high",
                             "verdict"]]


def _draw_savings(found: pd.DataFrame, n: int) -> Figure:
    """Draw the gain of each use of symmetry at one n."""
    rows = found[found["n"] == n]
    return plots.savings(rows, "no use of symmetry", list(rows["symmetry"]))


SECTION = Section("symmetry", "Symmetry", 90, build, requires=("symmetry",), names_run=True,
                  chapter="What symmetry saves")

"""The steps from brute force to the counting engine, each with its idea and its factor."""

from dataclasses import dataclass
from functools import partial

import pandas as pd

from nqbench._text import format_justified
from nqbench.analysis import POINT, ratio
from nqbench.report import plots
from nqbench.report.choices import by_scale
from nqbench.report.formats import format_first, plural
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section

STEPS = {
    ("brute_force", "python"): "brute force",
    ("permutations", "python"): "one queen for each row and column",
    ("recursive", "python"): "stop at the first attack",
    ("flat_marks", "python"): "mark the attacked lines",
    ("bitmask", "python"): "lines as bits of a word",
    ("somers", "python"): "half of the board, explicit stack",
}
SOMERS = "Somers' program, compiled"
VECTORS = {"avx512": "sixteen boards at once", "avx2": "eight boards at once",
           "sse4": "four boards at once", "neon": "four boards at once"}
COLUMNS = ["n", "step", "solver", "seconds", "low", "high", "times", "times_low", "times_high"]


@dataclass(frozen=True)
class Facts:
    """The steps in Python at one n; the compiled one and those of the engine at others, which may
    be empty.

    whole: how many times as fast as the first step the last one in Python is, with the interval.
    """

    steps: pd.DataFrame
    compiled: pd.DataFrame
    engine: pd.DataFrame
    whole: tuple[float, float, float]

    @property
    def n(self) -> int:
        """The largest n that all steps in Python were measured at."""
        return int(self.steps["n"].iloc[0])

    @property
    def finding(self) -> str:
        """What the ideas save together in Python, and what compiling does; empty if the ideas are
        not significantly faster.
        """
        if not self.whole[1] > 1:
            return ""
        ideas = len(self.steps) - 1
        more = "".join(
            f"; compiling makes counting {row['n']} queens "
            f"{format_justified(*row[['times', 'times_low', 'times_high']])} times as fast"
            for _, row in self.compiled.iterrows() if row["times_low"] > 1)
        return (f"{format_first(ideas)} {plural(ideas, 'idea makes', 'ideas make')} counting "
                f"{self.n} queens in Python {format_justified(*self.whole)} times as fast{more}")


def build(frames: Frames) -> Part | None:
    """Return the steps of the main run; None if no two in Python were measured at one n."""
    timings = frames.timings
    known = {(*point[:2],): None for point in timings[POINT].to_numpy()}
    names = [name for name in STEPS if name in known]
    samples = {tuple(point): each for *point, each in timings[[*POINT, "samples"]].to_numpy()}
    common = [n for n in timings["n"].unique() if all((*name, n) in samples for name in names)]
    if len(names) < 2 or not common:
        return None
    n = max(common)
    found = steps(timings[timings["n"] == n], names)
    whole = ratio(samples[(*names[0], n)], samples[(*names[-1], n)])
    made = Facts(found, compiled_step(timings), engine_steps(frames.kernels),
                 (whole.times, whole.low, whole.high))
    table = pd.DataFrame([row for each in (found, made.compiled, made.engine)
                          for row in each.to_dict("records")], columns=COLUMNS)
    table = table.drop_duplicates(["n", "solver"])
    return Part(made, {"steps": table}, {"steps": by_scale(partial(plots.steps, table))}, {
        "steps": "Steps from brute force to the engine: seconds, and how many times as fast as the "
                 "step above at the same n; medians of {samples}, with 95 % intervals (low, high).",
    }, finding=made.finding)


def steps(timings: pd.DataFrame, names: list[tuple[str, str]]) -> pd.DataFrame:
    """Return the steps at one n, each compared with the previous one: COLUMNS."""
    points = {(row["algorithm"], row["implementation"]): row
              for row in timings.to_dict("records")}
    rows, before = [], None
    for name in names:
        row = points[name]
        gain = ratio(before["samples"], row["samples"])[:3] if before else (None,) * 3
        rows.append((row["n"], STEPS.get(name, "compiled"), f"{name[0]} ({name[1]})",
                     row["median"], row["low"], row["high"], *gain))
        before = row
    return pd.DataFrame(rows, columns=COLUMNS)


def compiled_step(timings: pd.DataFrame) -> pd.DataFrame:
    """Return Somers' program in Python and compiled, at the largest n that both were measured at:
    on a small board a sample repeats so short a search that the processor learns its branches.
    Empty if there is no such n.
    """
    names = [("somers", "python"), ("somers", "cython")]
    sizes = [{*timings[(timings["algorithm"] == name) & (timings["implementation"] == built)]["n"]}
             for name, built in names]
    common = set.intersection(*sizes)
    return steps(timings[timings["n"] == max(common)], names) if common else pd.DataFrame(
        columns=COLUMNS)


def engine_steps(kernels: pd.DataFrame) -> pd.DataFrame:
    """Return the steps of the engine at its largest n: Somers' program, the ideas of the portable
    kernel, vectors, and threads; the last two are compared with the previous one by the ends of
    both intervals, which are wider than those of a ratio taken round by round.
    """
    rows = kernels[kernels["n"] == kernels["n"].max()] if len(kernels) else kernels
    alone = rows[rows["jobs"] == 1].sort_values("ratio") if len(rows) else rows
    chosen = [(row, "all eight symmetries, two rows ahead" if row["kernel"] == "portable" else
               f"vectors: {VECTORS.get(row['kernel'], 'several boards at once')}")
              for row in alone.iloc[[0, -1]].drop_duplicates("kernel").to_dict("records")
              ] if len(alone) else []
    if not chosen or chosen[0][0]["kernel"] != "portable":
        return pd.DataFrame(columns=COLUMNS)
    fastest = rows.sort_values("ratio").iloc[-1].to_dict()
    if fastest["jobs"] > 1:
        chosen.append((fastest, f"{fastest['jobs']} threads"))
    first = chosen[0][0]
    found = [(first["n"], SOMERS, "somers (cython)", first["seconds"] * first["ratio"],
              None, None, None, None, None)]
    low, middle, high = 1.0, 1.0, 1.0
    for row, step in chosen:
        found.append((row["n"], step, f"cross ({row['kernel']})", row["seconds"], None, None,
                      row["ratio"] / middle, row["low"] / high, row["high"] / low))
        low, middle, high = row["low"], row["ratio"], row["high"]
    return pd.DataFrame(found, columns=COLUMNS)


SECTION = Section("steps", "From brute force to the engine", 5, build, requires=("timings",),
                  timed=True, named=False, chapter="Start")

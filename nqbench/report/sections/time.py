"""The time of every search."""

from collections import Counter
from dataclasses import dataclass
from functools import partial
from math import nan

import pandas as pd

from nqbench import analysis
from nqbench._text import format_seconds
from nqbench.analysis import NOT_SIGNIFICANT, POINT, ratio, verdicts, verdicts_by_n
from nqbench.analysis.ratios import Names
from nqbench.analysis.savings import PLAIN
from nqbench.analysis.uncertainty import Doubt, doubts
from nqbench.report import by_n, plots, style
from nqbench.report.choices import by_scale
from nqbench.report.frames import ENOUGH, Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import ENGINE, Taken, largest_common

ASKED_N = 12  # the header names the fastest at this n, or at the largest measured below it
RATIOS = ["times", "times_low", "times_high", "verdict"]


@dataclass(frozen=True)
class Lead:
    """How many times as long as the first of some solvers the second one takes, round by round,
    with the ends of the interval, and whether the difference is significant.
    """

    first: pd.Series
    then: pd.Series
    times: float
    low: float
    high: float
    verdict: str

    @property
    def doubtful(self) -> bool:
        """Whether chance may explain the difference."""
        return self.verdict == NOT_SIGNIFICANT

    @property
    def single(self) -> bool:
        """Whether there are too few samples, so nothing is known about chance."""
        return self.verdict == "not known"


@dataclass(frozen=True)
class Fastest:
    """The fastest solver at n, and the fastest in Python; each with its lead over the next, None
    if there is no next.
    """

    n: int
    first: pd.Series
    lead: Lead | None
    first_in_python: pd.Series | None
    lead_in_python: Lead | None

    @property
    def leads(self) -> list[Lead]:
        """The leads that are known."""
        return [lead for lead in (self.lead, self.lead_in_python) if lead]


@dataclass(frozen=True)
class Facts:
    """The times at the largest n that most pruning algorithms reached, and the warnings.

    asked, common: the fastest at the n of the header, and at that n; slowest: of those that prune,
    there, in Python if any is; rows: the table of times there; compared: whether it has ratios;
    compiled: the algorithms with times in Cython; points, noisy, warnings: the number of times, of
    those with a warning, and of those with each reason to doubt them; by_n, marks: the table by n,
    and the meaning of its marks; one_panel: whether the plot has only one panel.
    """

    asked: Fastest
    common: Fastest
    slowest: pd.Series
    rows: pd.DataFrame
    compared: bool
    compiled: list[str]
    points: int
    noisy: int
    warnings: Counter[Doubt]
    taken: Taken
    by_n: pd.DataFrame
    marks: dict[str, str]
    one_panel: bool

    @property
    def n(self) -> int:
        """The largest n that most pruning algorithms reached."""
        return self.common.n

    @property
    def finding(self) -> str:
        """The fastest and the slowest in Python at that n; of all if none is in Python."""
        python = self.common.first_in_python
        fastest, slowest = (format_seconds(row["seconds"]) for row in (
            self.common.first if python is None else python, self.slowest))
        return (f"At n = {self.n} the fastest search{'' if python is None else ' in Python'} takes "
                f"{fastest}, the slowest {slowest}")

    @property
    def engine(self) -> bool:
        """Whether the counting engine is among the compiled algorithms."""
        return ENGINE in self.compiled


def build(frames: Frames) -> Part | None:
    """Return the times of the main run; None if no search in it prunes."""
    timings = frames.timings
    if analysis.pruning(timings).empty:
        return None
    found, by_solver = times(timings), times_by_n(analysis.outcomes(frames.main), ENOUGH)
    made = _facts(found, by_solver, frames)
    return Part(made, {"times": found, "times_by_n": by_solver},
                {"time": by_scale(partial(plots.time, timings))}, {
                    "times": "Seconds to find all solutions: medians of {samples}, "
                             "with 95 % bootstrap intervals (low, high).",
                    "times_by_n": "Seconds by n, and how many times as long as the plain tree in "
                                  "Python: medians of {samples}; letters are marks for no time.",
                }, finding=made.finding)


def _facts(found: pd.DataFrame, by_solver: pd.DataFrame, frames: Frames) -> Facts:
    """Return the facts of the table of times and of the table by n."""
    n = largest_common(analysis.pruning(found))
    at_n = found[found["n"] == n].sort_values("seconds", kind="stable")
    trees = analysis.pruning(at_n)
    python = trees[trees["implementation"] == "python"]
    compared = bool(at_n["times"].notna().any())
    return Facts(
        asked=asked(found, frames.timings), common=fastest(trees, frames.timings),
        slowest=(python if len(python) else trees).iloc[-1],
        rows=at_n.drop(columns=["n", "loops", "processes", *([] if compared else RATIOS)]),
        compared=compared,
        compiled=sorted(set(found[found["implementation"] == "cython"]["algorithm"])),
        points=len(found), noisy=int((found["warning"] != "").sum()), warnings=Counter(
            doubt for samples, loops in zip(
                frames.timings["samples"], frames.timings["loops"], strict=True)
            for doubt in doubts(samples, loops)),
        taken=frames.taken, by_n=by_n.shown(by_solver), marks=by_n.legend(by_solver),
        one_panel=len(plots.families(found)) == 1)


def times(timings: pd.DataFrame, base: Names = PLAIN) -> pd.DataFrame:
    """Return seconds by point: median, low, high; how many times as long as `base`: times,
    times_low, times_high, verdict; number of samples, loops a sample, processes, warning.
    """
    found = timings[[*POINT, "median", "low", "high"]].rename(columns={"median": "seconds"})
    under = {point[2]: samples for *point, samples in zip(
        *(timings[c] for c in [*POINT, "samples"]), strict=True) if (*point[:2],) == base}
    against = [ratio(samples, under[n]) if n in under else (nan,) * 4
               for n, samples in zip(timings["n"], timings["samples"], strict=True)]
    found[["times", "times_low", "times_high", "chance"]] = pd.DataFrame(
        against, index=found.index, columns=["times", "times_low", "times_high", "chance"])
    others = found["times"].notna() & (
        (found["algorithm"] != base[0]) | (found["implementation"] != base[1]))
    found["verdict"] = verdicts_by_n(found[others])
    found = found.drop(columns="chance").fillna({"verdict": ""})
    found["samples"] = [len(samples) for samples in timings["samples"]]
    return found.join(timings[["loops", "processes", "warning"]])


def times_by_n(outcomes: pd.DataFrame, first: int) -> pd.DataFrame:
    """Return the solvers by n from `first` on, against the plain tree."""
    rows = outcomes[outcomes["n"] >= first]
    solvers = list(map(style.solver, rows["algorithm"], rows["implementation"]))
    return by_n.by_n(rows.assign(solver=solvers), style.solver(*PLAIN))


def asked(found: pd.DataFrame, timings: pd.DataFrame) -> Fastest:
    """Return the fastest at n = ASKED_N, or at the nearest n that was measured."""
    rows = found[found["n"] <= ASKED_N]
    rows = rows if len(rows) else found[found["n"] == found["n"].min()]
    return fastest(rows[rows["n"] == rows["n"].max()], timings)


def fastest(rows: pd.DataFrame, timings: pd.DataFrame) -> Fastest:
    """Return the fastest of the rows of one n and its lead; the same for Python."""
    ranked = rows.sort_values("seconds", kind="stable")
    python = ranked[ranked["implementation"] == "python"]
    return Fastest(int(ranked["n"].iloc[0]), ranked.iloc[0], _lead(ranked, timings),
                   python.iloc[0] if len(python) else None, _lead(python, timings))


def _lead(rows: pd.DataFrame, timings: pd.DataFrame) -> Lead | None:
    """Return the lead of the first of rows that are sorted by their time; None if it is alone. The
    verdict is corrected for all rows, which are compared with the first.
    """
    if len(rows) < 2:
        return None
    points = zip(*(timings[c] for c in POINT), strict=True)
    samples = dict(zip(points, timings["samples"], strict=True))
    under, *over = (samples[point] for point in zip(*(rows[c] for c in POINT), strict=True))
    first, then = rows.iloc[0], rows.iloc[1]
    behind = [ratio(each, under) for each in over]
    said = verdicts([one.times for one in behind], [one.chance for one in behind])
    return Lead(first, then, behind[0].times, behind[0].low, behind[0].high, said[0])


SECTION = Section("time", "Time", 40, build, requires=("timings",), timed=True, chapter="How fast")

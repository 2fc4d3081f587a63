"""What asv measured across commits."""

import hashlib
import re
from dataclasses import dataclass
from functools import partial
from math import inf, isfinite
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nqbench.analysis.across import NOTABLE, SERIES, changes
from nqbench.report.formats import TIMES, format_amount, plural
from nqbench.report.frames import Frames
from nqbench.report.marks import tell
from nqbench.report.sections import UNMEASURED, Facts, Part, Section
from nqbench.report.style import figure, one_two_five, plain


def make_commits(frames: Frames) -> Part:
    """Return the history and its changes, with a plot for each machine."""
    rows = frames.history
    found = changes(rows)
    figures = {f"commits-{file_name(str(machine))}": partial(across_commits, group, found)
               for machine, group in rows.groupby("machine")}
    made = _facts(rows, found)
    return Part(made, {"history": history(rows), "changes": found}, figures, {
        "history": "Benchmarks over the commits of the project: medians of the samples of asv.",
        "changes": "What became better or worse, and with which commit.",
    }, UNMEASURED, commits_finding(made))


def commits_finding(facts: Facts) -> str:
    """Return whether a count has changed, and how often other figures became better or worse."""
    if facts.changed:
        return f"Counts changed {facts.changed} {plural(facts.changed, 'time')}"
    return (f"No count changed over {facts.commits} commits; other figures became better "
            f"{facts.improvements} {plural(facts.improvements, 'time')}, worse "
            f"{facts.regressions} {plural(facts.regressions, 'time')}" if facts.counts else "")


def _facts(rows: pd.DataFrame, changes: pd.DataFrame) -> Facts:
    """Return the facts of the history and its changes.

    machines: the names of the files of their plots by machine; series, counts: the number of lines,
    and of those that are counts with more than one value; changed, regressions, improvements: the
    number of changes of each kind; failed: the number of failed results; changes: a table, changed
    counts first.
    """
    counts = rows[rows["exact"] & (rows["status"] == "measured")]
    verdicts = changes["verdict"].value_counts()
    return Facts(
        notable=NOTABLE, commits=rows["commit"].nunique(),
        since=f"{rows['date'].min():%Y-%m-%d}", until=f"{rows['date'].max():%Y-%m-%d}",
        machines={machine: file_name(machine) for machine in rows["machine"].unique()},
        series=len(rows.drop_duplicates(SERIES)),
        counts=int((counts.groupby(SERIES).size() > 1).sum()),
        changed=int(verdicts.get("count changed", 0)),
        regressions=int(verdicts.get("regression", 0)),
        improvements=int(verdicts.get("improvement", 0)),
        failed=int((rows["status"] == "failed").sum()),
        changes=changes.assign(other=changes["verdict"] != "count changed").sort_values(
            ["other", "date", "benchmark"], kind="stable"))


def history(rows: pd.DataFrame) -> pd.DataFrame:
    """Return what asv measured: a row for each series, a column for each commit, oldest first. If
    there is no value, the cell says why: failed, not available, or never run.
    """
    cells = rows.assign(
        commit=rows["commit"].str[:8],
        value=rows["value"].where(rows["status"] == "measured", rows["status"]))
    commits = list(cells["commit"].drop_duplicates())
    wide = cells.pivot_table(index=[*SERIES, "unit"], columns="commit", values="value",
                             aggfunc="last", sort=False)
    wide = wide.reindex(columns=commits).astype(object)
    wide[wide.isna()] = "never run"
    return wide.reset_index()


def file_name(name: str) -> str:
    """Return an external name as part of a file name; different names stay different.

    >>> file_name("epyc-2"), file_name("my/machine")
    ('epyc-2', 'my-machine-08b6')
    """
    plain = re.sub(r"[^\w-]+", "-", name, flags=re.ASCII)[:80]
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:4]}"


VERDICT = {"improvement": "#009e73", "regression": "#d55e00"}
GREY = "#9a9a9a"
FEW = 8  # unchanged lines that a panel shows; more are shown by their range


@dataclass(frozen=True)
class Line:
    """A series: its parameters in words, and by commit its value, the ends of its interval, both as
    multiples of the first value, the verdict on it, and the row that the page shows at it. The
    values are NaN where there is none.
    """

    name: str
    values: Any
    low: Any
    high: Any
    verdicts: list[str | None]
    told: pd.DataFrame

    @property
    def last_verdict(self) -> str | None:
        """The last verdict, None if the series never changed."""
        return next(filter(None, reversed(self.verdicts)), None)


def across_commits(rows: pd.DataFrame, marked: pd.DataFrame) -> Figure:
    """Draw each benchmark of one machine over its commits: a line for each series, as a multiple of
    its first value, with the 99 % interval of the median, and a dot where `marked` says that it
    became better (green) or worse (red).

    The series that changed have colours; the others are grey. More than FEW of these are drawn as
    one line, their median, and their range.
    """
    found = rows[~rows["exact"] & (rows["status"] == "measured")]
    names = sorted(found["benchmark"].unique())
    commits = list(rows["commit"].drop_duplicates())
    across = 3
    down = max(1, -(-len(names) // across))
    verdicts = marked.set_index([*SERIES, "commit"])["verdict"].to_dict()
    with figure(10.4, 1.4 * down + 0.6, across, down, sharex=True) as (made, panels):
        for axes, name in zip(panels, names, strict=False):
            lines = [_line(key, series, commits, verdicts) for key, series in found[
                found["benchmark"] == name].groupby(SERIES, sort=False)]
            axes.set_title(plain(name), fontsize=8)
            _draw(axes, [line for line in lines if np.isfinite(line.values).any()], commits)
        for axes in panels[len(names):]:
            axes.set_axis_off()
        for axes in panels[:len(names)][-across:]:
            axes.tick_params("x", labelbottom=True)
            axes.set_xticks(range(len(commits)), [plain(c[:8]) for c in commits], rotation=60,
                            ha="right", rotation_mode="anchor", fontsize=7)
        made.supylabel("multiple of the value at the first commit measured\n"
                       "shaded: 99 % interval of the median, or the range of many lines",
                       fontsize=9)
    return made


def _line(key: Any, series: pd.DataFrame, commits: list[str], verdicts: dict[Any, str]) -> Line:
    """Return a series over all commits."""
    value, low, high = (np.full(len(commits), np.nan) for _ in range(3))
    at = [commits.index(commit) for commit in series["commit"]]
    value[at] = series["value"].to_numpy(dtype=float)
    value[~(np.isfinite(value) & (value > 0))] = np.nan
    low[at], high[at] = series["low"].to_numpy(), series["high"].to_numpy()
    known = value[np.isfinite(value)]
    first = known[0] if len(known) else 1.0
    unit, found = series["unit"].iloc[-1], [verdicts.get((*key, commit)) for commit in commits]
    told = pd.DataFrame({
        "commit": [commit[:8] for commit in commits],
        "value": [format_amount(one, unit) for one in value.tolist()],
        "99 % interval": [
            f"{format_amount(ends[0], unit)} to {format_amount(ends[1], unit)}" if isfinite(
                sum(ends)) else "" for ends in zip(low.tolist(), high.tolist(), strict=True)],
        "verdict": [verdict or "" for verdict in found]})
    return Line(
        str(series["parameters"].iloc[0]), value / first,
        np.where(np.isfinite(low), low, value) / first,
        np.where(np.isfinite(high), high, value) / first,
        found, told)


def _draw(axes: Axes, lines: list[Line], commits: list[str]) -> None:
    """Draw the lines of a benchmark into its panel."""
    changed = [line for line in lines if line.last_verdict]
    unchanged = [line for line in lines if not line.last_verdict]
    if len(unchanged) > FEW:
        values = pd.DataFrame([line.values for line in unchanged])
        middle, low, high = (getattr(values, name)() for name in ("median", "min", "max"))
        told = pd.DataFrame({
            "commit": [commit[:8] for commit in commits], "times the first value": middle,
            "range": [f"{least:.3g}× to {most:.3g}×" for least, most in zip(
                low, high, strict=True)]})
        unchanged = [Line(
            f"median of {len(unchanged)} lines that did not change",
            middle.to_numpy(), low.to_numpy(), high.to_numpy(), [], told)]
    for line in [*unchanged, *changed]:
        last = line.last_verdict
        colour = VERDICT.get(last or "", GREY)
        known = np.isfinite(line.values)
        axes.fill_between(range(len(commits)), line.low, line.high, known, color=colour,
                          alpha=0.15, linewidth=0)
        places = np.flatnonzero(known)
        axes.plot(range(places[0], places[-1] + 1), line.values[places[0]:places[-1] + 1],
                  color=colour, linewidth=1, marker=".", zorder=3 if last else 2,
                  label=line.name or None)
        tell(axes, line.name or axes.get_title(loc="left"), line.told,
             range(len(commits)), line.values, {"times the first value": TIMES})
        for place, verdict in enumerate(line.verdicts):
            if verdict:
                axes.plot(place, line.values[place], "o", color=VERDICT[verdict], markersize=6,
                          zorder=4, label=", ".join(filter(None, (line.name, verdict))))
    heights = np.concatenate([[1.0], *(line.values for line in lines)])
    heights = heights[(heights > 0) & (heights < inf)]  # a quotient can be too small or too large
    _multiples(axes, float(heights.min()), float(heights.max()))


def _multiples(axes: Axes, low: float, high: float) -> None:
    """Scale the y axis by the lines alone, because a wide interval would flatten them."""
    if high > 3 * low:
        axes.set_yscale("log")
        one_two_five(axes.yaxis)
    room = max((high / low) ** 0.15, 1.05)
    axes.set_ylim(low / room, high * room)
    axes.yaxis.set_major_formatter("{x:.3g}")


SECTIONS = (
    Section("commits", "Across commits", 198, make_commits, requires=("history",), chapter="Trust"),
)

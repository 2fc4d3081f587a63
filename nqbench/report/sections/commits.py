"""What asv measured across commits."""

import hashlib
import re
from dataclasses import dataclass
from functools import partial

import pandas as pd

from nqbench import analysis
from nqbench.analysis import SERIES
from nqbench.analysis.across import NOTABLE
from nqbench.report import plots, sparklines
from nqbench.report.formats import plural
from nqbench.report.frames import Frames
from nqbench.report.sections import UNMEASURED, Part, Section


@dataclass(frozen=True)
class Facts:
    """The history and its changes.

    machines: the names of the files of their plots by machine; series, counts: the number of lines,
    and of those that are counts with more than one value; changed, regressions, improvements: the
    number of changes of each kind; failed: the number of failed results; changes: a table, changed
    counts first; lines: the sparklines.
    """

    commits: int
    since: str
    until: str
    machines: dict[str, str]
    series: int
    counts: int
    changed: int
    regressions: int
    improvements: int
    failed: int
    changes: pd.DataFrame
    lines: dict[str, dict[str, list[sparklines.Line]]]
    notable: float = NOTABLE

    @property
    def finding(self) -> str:
        """Whether a count has changed, and how often other figures became better or worse."""
        if self.changed:
            return f"Counts changed {self.changed} {plural(self.changed, 'time')}"
        return (f"No count changed over {self.commits} commits; other figures became better "
                f"{self.improvements} {plural(self.improvements, 'time')}, worse "
                f"{self.regressions} {plural(self.regressions, 'time')}" if self.counts else "")


def build(frames: Frames) -> Part:
    """Return the history and its changes, with a plot for each machine."""
    rows = frames.history
    changes = analysis.changes(rows)
    figures = {f"commits-{file_name(str(machine))}": partial(plots.across_commits, group, changes)
               for machine, group in rows.groupby("machine")}
    made = _facts(rows, changes)
    return Part(made, {"history": history(rows), "changes": changes}, figures, {
        "history": "Benchmarks over the commits of the project: medians of the samples of asv.",
        "changes": "What became better or worse, and with which commit.",
    }, UNMEASURED, made.finding)


def _facts(rows: pd.DataFrame, changes: pd.DataFrame) -> Facts:
    """Return the facts of the history and its changes."""
    counts = rows[rows["exact"] & (rows["status"] == "measured")]
    verdicts = changes["verdict"].value_counts()
    return Facts(
        commits=rows["commit"].nunique(),
        since=f"{rows['date'].min():%Y-%m-%d}", until=f"{rows['date'].max():%Y-%m-%d}",
        machines={machine: file_name(machine) for machine in rows["machine"].unique()},
        series=len(rows.drop_duplicates(SERIES)),
        counts=int((counts.groupby(SERIES).size() > 1).sum()),
        changed=int(verdicts.get("count changed", 0)),
        regressions=int(verdicts.get("regression", 0)),
        improvements=int(verdicts.get("improvement", 0)),
        failed=int((rows["status"] == "failed").sum()),
        changes=changes.assign(other=changes["verdict"] != "count changed").sort_values(
            ["other", "date", "benchmark"], kind="stable"),
        lines=sparklines.lines(rows, changes))


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


SECTION = Section("commits", "Across commits", 198, build, requires=("history",), chapter="Trust")

"""What asv measured across commits."""

import pandas as pd

from nqbench.analysis.across import NOTABLE, SERIES, changes
from nqbench.report.formats import plural
from nqbench.report.frames import Frames
from nqbench.report.sections import UNMEASURED, Facts, Part, Section


def make_commits(frames: Frames) -> Part:
    """Return the history and its changes. `asv publish` draws them."""
    rows = frames.history
    found = changes(rows)
    made = _facts(rows, found)
    return Part(made, {"history": history(rows), "changes": found}, {}, {
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

    machines: their number; series, counts: the number of lines,
    and of those that are counts with more than one value; changed, regressions, improvements: the
    number of changes of each kind; failed: the number of failed results; changes: a table, changed
    counts first.
    """
    counts = rows[rows["exact"] & (rows["status"] == "measured")]
    verdicts = changes["verdict"].value_counts()
    return Facts(
        notable=NOTABLE, commits=rows["commit"].nunique(),
        since=f"{rows['date'].min():%Y-%m-%d}", until=f"{rows['date'].max():%Y-%m-%d}",
        machines=rows["machine"].nunique(),
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


SECTIONS = (
    Section("commits", "Across commits", 198, make_commits, requires=("history",), chapter="Trust"),
)

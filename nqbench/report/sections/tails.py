"""How long searches in random orders run, and what restarts save."""

from dataclasses import dataclass
from functools import partial

import pandas as pd

from nqbench import analysis
from nqbench.analysis.run_lengths import FIGURES, PLAIN, RUNS
from nqbench.instances.families import FAMILIES
from nqbench.report import plots
from nqbench.report.formats import format_number
from nqbench.report.frames import Frames
from nqbench.report.plots.run_lengths import describe
from nqbench.report.sections import Part, Section

BOARDS = ["family", "n", "amount"]
SHOWN = [*BOARDS, "instance", "algorithm"]
FITTED = 0.1  # share of the runs in the tail that the sentence and the plot show


@dataclass(frozen=True)
class Finding:
    """The results of runs on boards of one kind: over instances, or on the first instance.

    limit: the limit of nodes; runs: their instances and seeds, in words; tail: the row of the tail
    FITTED, without restarts, None if it is not known; lowest, highest: the index over all tails
    without restarts; best: the rows of the restarts that save the most, by their figures, None
    without restarts; means: the rows of the means that all restarts save.
    """

    plot: str
    n: int
    amount: str
    limit: int
    runs: str
    tail: pd.Series | None
    lowest: float
    highest: float
    best: dict[str, pd.Series] | None
    means: pd.DataFrame


@dataclass(frozen=True)
class Facts:
    """The findings, and the tables of tails without restarts and of savings, as the page has them.

    share: the share of the runs in the tail of the findings.
    """

    findings: list[Finding]
    tails: pd.DataFrame
    saved: pd.DataFrame
    share: float = FITTED

    @property
    def finding(self) -> str:
        """What restarts save on average on the first boards, least and most; empty if a kind of
        restarts does not save significantly.
        """
        means = self.findings[0].means
        if means.empty or not (means["low"] > 1).all():
            return ""
        low, high = (f"{times:.2g}" for times in (means["saved"].min(), means["saved"].max()))
        return (f"Restarts take {low if low == high else f'{low} to {high}'} times fewer nodes "
                "on average")


def build(frames: Frames) -> Part:
    """Return a figure for each kind of boards, the tails, and what restarts save."""
    found = frames.run_lengths
    tails, saved = analysis.tail_indices(found), analysis.saved_by_restarts(found)
    findings, figures = [], {}
    for boards, runs in found.groupby(BOARDS, sort=False):
        name = "run_lengths_" + "_".join(map(str, boards))
        findings.append(find(name, runs, _among(tails, runs), _among(saved, runs)))
        figures[name] = partial(plots.run_survival, runs, FITTED)
    shown = tails[tails["algorithm"] == PLAIN].drop(columns=["algorithm", "over"])
    made = Facts(findings, name_instances(shown), name_instances(shorten(saved)))
    return Part(
        made, {"tail_indices": tails, "saved_by_restarts": saved}, figures,
        {"tail_indices": "Tail indices of the nodes of runs in random orders: estimates of Hill, "
                         "censored runs kept, for several shares of the runs.",
         "saved_by_restarts": "What restarts save: figures of the nodes without restarts over "
                              "those with them, with 95 % bootstrap intervals."},
        frames.records[frames.records["metric"] == "run_length"], made.finding)


def _among(rows: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the boards that runs are on."""
    return rows[(rows[BOARDS] == runs.iloc[0][BOARDS]).all(axis=1)]


def find(name: str, runs: pd.DataFrame, tails: pd.DataFrame, saved: pd.DataFrame) -> Finding:
    """Return the finding of boards of a kind."""
    first = runs.iloc[0]
    known = tails[(tails["algorithm"] == PLAIN) & tails["alpha"].notna()]
    here = known[(known["over"] == first["over"]) & (known["share"] == FITTED)]
    best = None
    if len(saved):
        rows = saved[saved["over"] == first["over"]]
        rows = rows[rows["instance"].isna() | (rows["instance"] == rows["instance"].min())]
        means = rows[rows["figure"] == "mean"]
        if len(means):
            chosen = means.loc[means["saved"].idxmax(), "algorithm"]
            best = {row["figure"]: row for _, row in rows[rows["algorithm"] == chosen].iterrows()}
    return Finding(
        name, int(first["n"]), f"{first['amount']} {FAMILIES[first['family']].amount}",
        int(first["limit"]), describe(first), here.iloc[0] if len(here) else None,
        known["alpha"].min(), known["alpha"].max(), best,
        saved[saved["figure"] == "mean"])


def name_instances(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with their instance as text: "all" if the runs are over instances."""
    return rows.assign(instance=[
        "all" if pd.isna(instance) else str(instance) for instance in rows["instance"]])


def shorten(saved: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each search with restarts: its savings with their intervals, as text."""
    rows = []
    for _, figures in saved.groupby([*RUNS, "algorithm"], dropna=False, sort=False):
        first = figures.iloc[0]
        rows.append({
            **first[SHOWN],
            **{row["figure"]: f"{format_number(row['saved'])} ({format_number(row['low'])} to "
                              f"{format_number(row['high'])})" for _, row in figures.iterrows()}})
    return pd.DataFrame(rows, columns=[*SHOWN, *FIGURES])


SECTION = Section("tails", "Heavy tails and restarts", 87, build, requires=("run_lengths",),
                  chapter="What pruning saves")

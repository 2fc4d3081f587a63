"""Heavy tails of runs in random orders, and restarts."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nqbench.problems.instances.families import FAMILIES
from nqbench.report.choices import Choice
from nqbench.report.formats import format_number
from nqbench.report.frames import Frames
from nqbench.report.marks import name as named
from nqbench.report.marks import series, tell
from nqbench.report.sections import Facts, Part, Section
from nqbench.report.style import grid
from nqbench.topics.instances import frames as instances
from nqbench.topics.instances.frames import FIGURES, PLAIN, RUNS, run_lengths

BOARDS = ["family", "n", "amount"]
SHOWN = [*BOARDS, "instance", "algorithm"]
FITTED = 0.1  # share of the runs in the tail that the sentence and the plot show


def make_tails(frames: Frames) -> Part:
    """Return a figure with a choice of boards, a finding for each, and what restarts save; share:
    the share of the runs in the tail of the findings.
    """
    found = frames.of(run_lengths)
    tails, saved = instances.tail_indices(found), instances.saved_by_restarts(found)
    findings, figures = [], {}
    for _, runs in found.groupby(BOARDS, sort=False):
        findings.append(tails_finding(runs, _among(tails, runs), _among(saved, runs)))
        figures[f"{findings[-1].n} queens, {findings[-1].amount}"] = partial(
            run_survival, runs, FITTED)
    made = Facts(findings=findings, share=FITTED, saved=shorten(saved))
    return Part(
        made, {"tail_indices": tails, "saved_by_restarts": saved},
        {"run_lengths": Choice("Boards", figures, next(iter(figures)))},
        frames.records[frames.records["metric"] == "run_length"], _saving(findings[0].means))


def _saving(means: pd.DataFrame) -> str:
    """Return what restarts save on average on the first boards, least and most; empty if a kind of
    restarts does not save significantly.
    """
    if means.empty or not (means["low"] > 1).all():
        return ""
    low, high = (f"{times:.2g}" for times in (means["saved"].min(), means["saved"].max()))
    return f"Restarts cut the average search {low if low == high else f'{low}- to {high}'}-fold"


def _among(rows: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the boards that runs are on."""
    return rows[(rows[BOARDS] == runs.iloc[0][BOARDS]).all(axis=1)]


def tails_finding(runs: pd.DataFrame, tails: pd.DataFrame, saved: pd.DataFrame) -> Facts:
    """Return the results of runs on boards of one kind: over instances, or on the first instance.

    limit: the limit of nodes; runs: their instances and seeds, in words; tail: the row of the tail
    FITTED, without restarts, None if it is not known; best: the rows of the restarts that save the
    most, by their figures, None without restarts; means: the rows of the means that all restarts
    save.
    """
    first = runs.iloc[0]
    known = tails[(tails["algorithm"] == PLAIN) & tails["alpha"].notna()]
    here = known[(known["over"] == first["over"]) & (known["share"] == FITTED)]
    best, means = None, saved[saved["figure"] == "mean"]
    rows = saved[saved["over"] == first["over"]]
    rows = rows[rows["instance"].isna() | (rows["instance"] == rows["instance"].min())]
    if (rows["figure"] == "mean").any():
        chosen = rows.loc[rows.loc[rows["figure"] == "mean", "saved"].idxmax(), "algorithm"]
        best = {row["figure"]: row for _, row in rows[rows["algorithm"] == chosen].iterrows()}
    return Facts(
        n=int(first["n"]), limit=int(first["limit"]), runs=describe(first), best=best,
        amount=f"{first['amount']} {FAMILIES[first['family']].amount}", means=means,
        tail=here.iloc[0] if len(here) else None)


def shorten(saved: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each search with restarts: its savings with their intervals, as text; its
    instance is "all" if the runs are over instances.
    """
    rows = []
    for _, figures in saved.groupby([*RUNS, "algorithm"], dropna=False, sort=False):
        first = figures.iloc[0]
        rows.append({
            **first[SHOWN],
            "instance": "all" if pd.isna(first["instance"]) else str(first["instance"]),
            **{row["figure"]: f"{format_number(row['saved'])} ({format_number(row['low'])} to "
                              f"{format_number(row['high'])})" for _, row in figures.iterrows()}})
    return pd.DataFrame(rows, columns=[*SHOWN, *FIGURES])


LOOKS = {PLAIN: ("#d55e00", "o"), "restarts_fixed": ("#0072b2", "s"),
         "restarts_geometric": ("#009e73", "D"), "restarts_luby": ("#cc79a7", "^")}
OTHER = ("#7f7f7f", "v")
MARKED = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)  # shares of the runs
ACROSS = 2


def run_survival(found: pd.DataFrame, share: float) -> Figure:
    """Draw the share of runs that take more than a number of nodes, on logarithmic axes, with a
    panel for each distribution. A dashed line is fitted to the tail: a `share` of the runs without
    restarts.
    """
    groups = [rows for _, rows in found.groupby(["over", "instance"], dropna=False, sort=False)]
    with grid(len(groups), ACROSS, 5.2, 2.8, (0, 0.4), sharex=True, sharey=True) as (made, drawn):
        for axes, rows in zip(drawn, groups, strict=True):
            axes.set_xscale("log")
            axes.set_yscale("log")
            for row in rows.to_dict("records"):
                with series(axes, named(row["algorithm"])):
                    _draw(axes, row, share)
            axes.set_title(describe(rows.iloc[0]))
            axes.tick_params("x", labelbottom=True)
            axes.legend(frameon=False, fontsize=8)
        made.supxlabel("nodes", fontsize=9)
        made.supylabel("share of runs that take more", fontsize=9)
    return made


def describe(row: "pd.Series[Any]") -> str:
    """Return the instances and seeds of runs, in words."""
    runs = f"{len(row['lengths']):,}"
    return (f"{runs} instances, a seed each" if row["over"] == "instances" else
            f"instance {row['instance']}, {runs} seeds")


def _draw(axes: Axes, row: dict[Any, Any], share: float) -> None:
    """Draw the runs of a search: a line, marks at some shares, and the tail of PLAIN."""
    name = row["algorithm"]
    colour, marker = LOOKS.get(name, OTHER)
    nodes, left = instances.survival_of_runs(row["lengths"], row["ended"])
    nodes, left = nodes[left > 0], left[left > 0]
    axes.plot(nodes, left, color=colour, drawstyle="steps-post")
    places = sorted({int(np.argmax(left <= mark)) for mark in MARKED if (left <= mark).any()})
    axes.plot(nodes[places], left[places], marker, color=colour, label=name)
    told = pd.DataFrame({"nodes": nodes[places], "share of runs that take more": left[places]})
    tell(axes, name, told, nodes[places], left[places])
    tail = instances.fit_tail(row["lengths"], row["ended"], share)
    if name == PLAIN and tail.known:
        ends = np.array([tail.start, row["limit"]])
        axes.plot(ends, tail.runs / len(row["lengths"]) * (ends / tail.start) ** -tail.alpha,
                  color="#1b1b1b", linestyle="--", linewidth=1)


SECTIONS = (
    Section("tails", "Heavy tails and restarts", 87, make_tails, requires=(run_lengths,),
            chapter="What pruning saves"),
)

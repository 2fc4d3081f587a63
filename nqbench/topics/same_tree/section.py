"""Solvers on the same tree: their nodes and failures beside those of our textbook equivalent.

    records = nqbench.analysis.load("results")
    nqbench.topics.same_tree.section.same_trees(records)
"""

from collections.abc import Mapping, Sequence
from math import nan
from statistics import median
from typing import Any

import pandas as pd

from nqbench.analysis.frames import newest_run
from nqbench.analysis.uncertainty import interval
from nqbench.problems.plugins.limits import ENDED, STOPPED
from nqbench.report.frames import Frames, read_context, taken
from nqbench.report.sections import Facts, Part, Section, claim

Tree = dict[int, dict[str, int]]  # the counters of a solver, by n

COUNTERS = ("solutions", "nodes", "failures")
YES, ALONE = "yes", "nothing to compare with"
NODES = {"Gecode": "nodes", "Choco": "backtracks"}  # what a node is called
OURS = "2 (failures + solutions) - 1"
COLUMNS = ["solver", "version", "propagation", "node", "n", "solutions", "nodes", "failures",
           "agree", "seconds_per_node", "low", "high", "samples", "processes"]


def same_trees(run: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each solver, level of propagation and n of a run: COLUMNS.

    `agree` is "yes" if the solver agrees with the first one of its level at each n, else the first
    difference; of the first one, whether any other agrees. Only then are there seconds per node
    (median), with their 95 % interval.
    """
    measured = run[run["status"] == "measured"]
    rows: list[dict[str, Any]] = []
    for _, level in measured.groupby("propagation", sort=False):
        trees: dict[str, Tree] = {}
        for row in level.to_dict("records"):
            trees.setdefault(row["peer"], {})[int(row["n"])] = {
                name: int(row[name]) for name in COUNTERS}
        first, *others = trees
        agree = {name: compare(trees[name], trees[first]) for name in others}
        agree[first] = YES if YES in agree.values() else (
            f"no: {'; '.join(agree)}" if agree else ALONE)
        rows += [_row(row, agree[row["peer"]]) for row in level.to_dict("records")]
    return pd.DataFrame(rows, columns=COLUMNS)


def compare(tree: Tree, other: Tree) -> str:
    """Return "yes" if two trees have the same counters at each n, else the first difference.

    >>> some, more = ({4: {"nodes": 11}, 5: {"nodes": many}} for many in (27, 1029))
    >>> compare(some, some), compare(some, more)
    ('yes', 'n = 5: 27 nodes, not 1,029')
    """
    common = sorted({*tree} & {*other})
    return next((f"n = {n}: {value:,} {name}, not {other[n][name]:,}"
                 for n in common for name, value in tree[n].items()
                 if value != other[n][name]), YES if common else ALONE)


def _row(row: Mapping[Any, Any], agree: str) -> dict[str, Any]:
    solver = row["peer"].partition(" (")[0]
    each: Sequence[float] = row["samples"]
    low, high = interval(each) if agree == YES else (nan, nan)
    nodes = int(row["nodes"])
    return {**row, "solver": solver, "node": NODES.get(solver, OURS), "agree": agree,
            "seconds_per_node": median(each) / nodes if agree == YES else nan,
            "low": low / nodes, "high": high / nodes, "samples": len(each)}


def make_same_tree(frames: Frames) -> Part | None:
    """Return the trees of the solvers at the largest n; None without records.

    run, here: where they were measured, and whether that is the machine at the top; ended, absent:
    what failed or was stopped, and what is not installed, with its package.
    """
    run = newest_run(frames.records[frames.records["metric"] == "same_tree"],
                     frames.machine["machine"])
    if run.empty:
        return None
    found = same_trees(run)
    largest = found[found["n"] == found["n"].max()]
    ended = run[run["status"].isin([*STOPPED, ENDED])].drop_duplicates("peer")
    absent = run[run["status"] == "not installed"].drop_duplicates("package")
    context = read_context(run)
    facts = Facts(
        run=context, here=context["machine"] == frames.machine["machine"],
        n=found["n"].max(), taken=taken(found),
        table=largest.drop(columns=["n", "solutions", "samples", "processes"]),
        ended=ended.to_dict("records"),
        absent=[f"{peer.partition(' (')[0]} ({package})"
                for peer, package in zip(absent["peer"], absent["package"], strict=True)])
    return Part(facts, {"same_tree": found}, records=run,
                finding=claim(say_agreement(found), n=found["n"].max(), processes=None))


def say_agreement(found: pd.DataFrame) -> str:
    """Return which solvers explore the same trees; empty if any differs, or none was compared."""
    if set(found["agree"]) != {YES}:
        return ""
    *names, last = found["solver"].unique()
    return f"The nodes and failures of {', '.join(names)} and {last} agree to the digit"


SECTIONS = (
    Section("same_tree", "Other solvers on the same tree", 141, make_same_tree, timed=True,
            chapter="How fast"),
)

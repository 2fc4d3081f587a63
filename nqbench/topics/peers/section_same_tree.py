"""Solvers on the same tree: their nodes and failures beside those of our textbook equivalent.

    records = nqbench.analysis.load("results")
    nqbench.topics.peers.section_same_tree.same_trees(records)
"""

from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from nqbench.analysis.frames import figures, newest_run
from nqbench.problems.plugins.limits import ENDED, STOPPED
from nqbench.report import style
from nqbench.report.formats import SECONDS
from nqbench.report.frames import Frames, origin_of, taken
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.util.text import format_seconds

Tree = dict[int, dict[str, int]]  # the counters of a solver, by n

COUNTERS = ("solutions", "nodes", "failures")
YES, ALONE = "yes", "nothing to compare with"
NODES = {"Gecode": "nodes", "Choco": "backtracks"}  # what a node is called
OUR_NODES = "2 (failures + solutions) - 1"
COLUMNS = ["solver", "version", "propagation", "node", "n", "solutions", "nodes", "failures",
           "agree", "seconds_per_node", "low", "high", "samples", "processes"]


def same_trees(run: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each solver, level of propagation and n of a run: COLUMNS.

    `agree` is "yes" if the solver agrees with the first one of its level at each n, else the first
    difference; of the first one, whether any other agrees. Only then are there seconds per node
    with their 95 % interval.
    """
    found = figures(run[run["status"] == "measured"]).sort_values(
        "propagation", kind="stable", key=lambda levels: pd.factorize(levels)[0])
    agree: dict[str, str] = {}
    for _, level in found.groupby("propagation", sort=False):
        trees: dict[str, Tree] = {}
        for row in level.to_dict("records"):
            trees.setdefault(row["peer"], {})[int(row["n"])] = {
                name: int(row[name]) for name in COUNTERS}
        first, *others = trees
        own = {name: compare(trees[name], trees[first]) for name in others}
        agree |= own | {first: YES if YES in own.values() else
                        f"no: {'; '.join(own)}" if own else ALONE}
    found["agree"] = found["peer"].map(agree)
    found["solver"] = found["peer"].map(lambda name: name.partition(" (")[0])
    found[["seconds_per_node", "low", "high"]] = found[["seconds", "low", "high"]].div(
        found["nodes"].astype(float), axis="index").where(found["agree"] == YES)
    return found.assign(node=found["solver"].map(lambda name: NODES.get(name, OUR_NODES)),
                        samples=found["samples"].map(len))[COLUMNS].infer_objects()


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


def make_same_tree(frames: Frames) -> Part | None:
    """Return the trees of the solvers at the largest n; None without records.

    run, here: their origin; ended, absent: what failed or was stopped, and what is not installed,
    with its package.
    """
    run = newest_run(frames.records[frames.records["metric"] == "same_tree"],
                     machine=frames.machine["machine"])
    if run.empty:
        return None
    found = same_trees(run)
    largest = found[found["n"] == found["n"].max()]
    ended = run[run["status"].isin([*STOPPED, ENDED])].drop_duplicates("peer")
    absent = run[run["status"] == "not installed"].drop_duplicates("package")
    facts = Facts(
        **origin_of(run, frames), n=found["n"].max(), taken=taken(found),
        table=largest.drop(columns=["n", "solutions", "samples", "processes"]),
        ended=ended.to_dict("records"),
        absent=[f"{peer.partition(' (')[0]} ({package})"
                for peer, package in zip(absent["peer"], absent["package"], strict=True)])
    timed = facts.table.dropna(subset="seconds_per_node")
    return Part(facts, {"same_tree": found},
                {"same_tree": partial(draw, timed)} if len(timed) else {}, run,
                finding=claim(say_agreement(found), n=found["n"].max(), processes=None))


def say_agreement(found: pd.DataFrame) -> str:
    """Return which solvers explore the same trees; empty if any differs, or none was compared."""
    if set(found["agree"]) != {YES}:
        return ""
    *names, last = found["solver"].unique()
    return f"The nodes and failures of {', '.join(names)} and {last} agree to the digit"


def draw(found: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw the seconds of each solver for a node, by level of propagation."""
    levels = list(found.groupby("propagation", sort=False))
    solvers = [list(map(style.plain, rows["solver"])) for _, rows in levels]
    with style.rows_of_dots(width, *solvers) as (made, panels):
        for axes, (level, rows), labels in zip(panels, levels, solvers, strict=True):
            style.dots(axes, rows, "seconds_per_node", labels, [
                style.BLUE if name == "nqbench" else style.GREY for name in labels],
                texts=[format_seconds(each) for each in rows["seconds_per_node"]],
                told=rows[["nodes", "failures", "seconds_per_node", "low", "high"]],
                units={"seconds_per_node": SECONDS})
            axes.set(xscale="log", title=f"Time for a node, propagation: {level}")
        style.write_times(panels[-1].xaxis)
    return made


SECTIONS = (
    Section("same_tree", "Other solvers on the same tree", 141, make_same_tree, timed=True,
            chapter="How fast"),
)

"""What pruning and symmetry save."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.records.record import PLAIN
from nqbench.report import style
from nqbench.report.choices import by_size
from nqbench.report.formats import TIMES
from nqbench.report.frames import Frames
from nqbench.report.marks import OWN, SEPARATOR, mark, name_ticks, tell
from nqbench.report.marks import name as named
from nqbench.report.sections import Facts, Part, Section
from nqbench.report.style import MEDIAN, figure, label_lines, one_two_five, short
from nqbench.report.tables import at_largest_common
from nqbench.util.text import format_justified


def make_pruning(frames: Frames) -> Part:
    """Return the gains of the run that is closest to pruning.

    saved: the gains at n, most nodes first; costly: the algorithms that save nodes and lose time;
    widest: the level of the plain tree with the most nodes, which are `widest_share` of all; None
    if the levels at n are not known.
    """
    run = frames.pruning
    survival = analysis.survival(analysis.profiles(run.run))
    common = at_largest_common(run.gains)
    n = int(common["n"].iloc[0])
    sizes = run.gains["n"].unique()
    figures = {"gains": by_size(partial(_draw_savings, run.gains), sizes, n)}
    known = set(sizes) & set(survival["n"])
    if n in known:
        figures |= {name: by_size(partial(_draw_at, draw, survival), known, n) for name, draw in (
            ("profiles", profile_curves), ("survival", heat))}
    saved = common.sort_values("nodes", ascending=False, kind="stable")
    costly = [name for name in saved[(saved["nodes"] > 1) & (saved["high"] < 1)]["algorithm"]
              if not frames.descriptions[name].uses_symmetry]
    plain = survival[(survival["algorithm"] == PLAIN) & (survival["n"] == n)].drop_duplicates(
        "level").sort_values("nodes", kind="stable")
    return Part(
        Facts(n=n, costly=costly, taken=run.taken,
              widest=plain.iloc[-1] if len(plain) else None,
              widest_share=float((plain["nodes"] / plain["nodes"].sum()).max()),
              saved=saved.drop(columns="n").dropna(axis="columns", how="all")),
        {"gains": run.gains, "survival": survival,
         "shapes": analysis.shapes(run.counters, run.timings)}, figures, {
            "gains": "Times fewer nodes and less time than the plain tree in Python: medians of "
                     "{samples}, with 95 % bootstrap intervals (low, high).",
            "survival": "Nodes, dead ends and children of a node by level; exact.",
            "shapes": "The shape of the trees: branching factor, and what a node takes.",
        }, run.run, "Fewer nodes do not always take less time" if costly else "")


def _draw_savings(gains: pd.DataFrame, n: int) -> Figure:
    """Draw the gains of all solvers at one n."""
    rows = gains[gains["n"] == n]
    names = list(map(style.solver, rows["algorithm"], rows["implementation"]))
    return savings(rows, "the plain tree", names)


def _draw_at(draw: Callable[[pd.DataFrame], Figure], survival: pd.DataFrame, n: int) -> Figure:
    """Draw the trees of one n."""
    return draw(survival[survival["n"] == n])


MIRROR = "mirror"
HALVED = 1.9, 2.1  # times as many nodes without the mirror
# Ways to use the symmetry of the board, each in Python, and the algorithms that use them.
SYMMETRIES = {
    "none": "bitmask", "mirror, even n only": "bitmask_even_mirror", MIRROR: "somers",
    "all eight, compared at the leaf": "canonical", "all eight, by the cross": "cross",
}


def make_symmetry(frames: Frames) -> Part | None:
    """Return the gains of the run that is closest to symmetry; None if it has none in Python.

    saved: the gains at n; best: the use of symmetry with the fewest nodes there; loses: the largest
    n at which it is slower than none, None if there is none; mirror: the gain of the mirror, None
    if it was not measured; halved: whether it halves the nodes.
    """
    found = symmetry(frames.symmetry.gains)
    if found.empty:
        return None
    even = found[found["n"] % 2 == 0]  # every use of symmetry has a row
    common = at_largest_common(even if len(even) else found)
    n, best = int(common["n"].iloc[0]), common.sort_values("nodes", kind="stable").iloc[-1]
    slower = found[(found["algorithm"] == best["algorithm"]) & (found["verdict"] == "slower")]
    mirror = common[common["symmetry"] == MIRROR]
    made = Facts(n=n, saved=common.drop(columns="n"), best=best, taken=frames.symmetry.taken,
                 mirror=mirror.iloc[0] if len(mirror) else None,
                 halved=bool(mirror["nodes"].between(*HALVED).all()),
                 loses=int(slower["n"].max()) if len(slower) else None)
    return Part(made, {"symmetry": found}, {"symmetry": by_size(
                    partial(_draw_symmetry, found), found["n"].unique(), n)}, {
                    "symmetry": "Times fewer nodes and less time by uses of symmetry: medians of "
                                "{samples}, with 95 % bootstrap intervals (low, high)."},
                frames.symmetry.run, symmetry_finding(best))


def symmetry_finding(best: "pd.Series[Any]") -> str:
    """Return the saving of the use of symmetry with the fewest nodes; empty if it is not
    significantly faster, or saves as much time as nodes.
    """
    if best["verdict"] != "faster" or best["high"] >= best["nodes"]:
        return ""
    times = format_justified(best["time"], best["low"], best["high"])
    return (f"{best['algorithm']} has {best['nodes']:.3g} times fewer nodes, but is only "
            f"{times} times as fast")


def symmetry(gains: pd.DataFrame) -> pd.DataFrame:
    """Return the gain of each use of symmetry compared with none: symmetry, algorithm, n, nodes,
    time, low, high, verdict, as in `nqbench.analysis.gains`.
    """
    in_python = gains[gains["implementation"] == "python"]
    found = [in_python[in_python["algorithm"] == name].assign(symmetry=what)
             for what, name in SYMMETRIES.items()]
    return pd.concat(found)[["symmetry", "algorithm", "n", "nodes", "time", "low", "high",
                             "verdict"]]


def _draw_symmetry(found: pd.DataFrame, n: int) -> Figure:
    """Draw the gain of each use of symmetry at one n."""
    rows = found[found["n"] == n]
    return savings(rows, "no use of symmetry", list(rows["symmetry"]))


def savings(gains: pd.DataFrame, over: str, names: list[str]) -> Figure:
    """Draw for one n how many times smaller each tree is, and how many times faster each search is,
    than the plain one in Python. Bars to the right are gains, bars to the left losses. Each row of
    `gains` has a name.
    """
    rows = gains.assign(label=names).sort_values("nodes", kind="stable")
    ways = rows.get("implementation", pd.Series("python", rows.index))
    solvers = list(map(named, rows["algorithm"], ways))
    with figure(7.2, 0.34 * len(rows) + 1.4) as (made, (axes,)):
        places = np.arange(len(rows))
        for shift, name, colour in ((0.19, "nodes", "#0072b2"), (-0.19, "time", "#d55e00")):
            bars = axes.barh(places + shift, rows[name] - 1, 0.36, left=1, color=colour,
                             label=name)
            for bar, own in zip(bars, solvers, strict=True):
                mark(bar, f"{OWN}{name}", own)
            told = rows[["n", name, *(["low", "high"] if name == "time" else [])]]
            tell(axes, list(rows["label"]), told, name, places + shift, {"nodes": TIMES})
        axes.hlines(places - 0.19, rows["low"], rows["high"], color="#1b1b1b", linewidth=0.8)
        axes.axvline(1, color="#1b1b1b", linewidth=0.8)
        axes.set_xscale("log")
        one_two_five(axes.xaxis)
        axes.set_yticks(range(len(rows)), rows["label"])
        name_ticks(axes, solvers)
        axes.set_title(f"Saved against {over}, n = {rows['n'].iloc[0]}")
        axes.set_xlabel(f"times fewer nodes, times less time (left of 1: more)\ntime: {MEDIAN}")
        axes.legend(frameon=False, loc="lower right")
    return made


def _trees(survival: pd.DataFrame, column: str) -> list[tuple[list[str], Any]]:
    """Return the algorithms in groups with the same tree, with a column for each level, from
    profiles of one n.
    """
    wide = {name: survival.pivot_table(index="algorithm", columns="level", values=name,
                                       aggfunc="first", sort=False, dropna=False)
            for name in dict.fromkeys(("nodes", column))}
    groups: dict[tuple[int, ...], list[str]] = {}
    for name, row in wide["nodes"].iterrows():
        groups.setdefault(tuple(row), []).append(str(name))
    return [(members, wide[column].loc[members[0]].to_numpy(dtype=float))
            for members in groups.values()]


def profile_curves(survival: pd.DataFrame) -> Figure:
    """Draw for one n the nodes by level and the share of dead ends among them, with a line for each
    tree.
    """
    n = survival["n"].iloc[0]
    with figure(10.4, 4.4, 2) as (made, (left, right)):
        for axes, column in ((left, "nodes"), (right, "dead_share")):
            ends = []
            for members, values in _trees(survival, column):
                shown = np.flatnonzero(np.isfinite(values) & (values > 0))
                if not len(shown):
                    continue
                ends.append(style.line(
                    axes, map(named, members), short(members, 2), style.look_of(members[0]),
                    pd.DataFrame({"n": n, "level": shown, column: values[shown]}), "level", column))
            axes.set_xlabel("queens placed")
            axes.set_xticks(range(n + 1))
            if axes is left:
                axes.set_yscale("log")
                axes.set_title(f"Nodes by level, n = {n}")
                label_lines(axes, ends, 0.34)
            else:
                axes.yaxis.set_major_formatter("{x:.0%}")
                axes.set_title("Dead ends among them")
    return made


def heat(survival: pd.DataFrame) -> Figure:
    """Draw for one n the children of each node by level, a row for each different tree; a level
    whose nodes have none has no colour.
    """
    trees = _trees(survival, "children")
    values: Any = np.array([row for _, row in trees])
    positive = values[values > 0]
    middle = np.sqrt(positive.min() * positive.max())  # of the colours
    with figure(7.2, 0.32 * len(values) + 1.3) as (made, (axes,)):
        axes.pcolormesh(np.ma.masked_invalid(values), cmap="cividis", norm="log", linewidth=0)
        axes.invert_yaxis()
        for place, ((members, _), row) in enumerate(zip(trees, values, strict=True)):
            told = pd.DataFrame({"n": survival["n"].iloc[0], "level": range(len(row)),
                                 "children": row})
            tell(axes, short(members, 2), told, told["level"] + 0.5, np.where(
                np.isfinite(row), place + 0.5, np.nan))
        for place, value in enumerate(values.flat):
            y, x = divmod(place, values.shape[1])
            if value == value:
                dark = 0 < value < middle
                axes.text(x + 0.5, y + 0.5, f"{value:.2g}", ha="center", va="center", fontsize=7,
                          color="#ffffff" if dark else "#1b1b1b")
        axes.grid(visible=False)
        axes.set_yticks(np.arange(len(values)) + 0.5, [short(members, 2) for members, _ in trees])
        name_ticks(axes, [SEPARATOR.join(map(named, members)) for members, _ in trees])
        axes.set_xticks(np.arange(values.shape[1]) + 0.5, map(str, range(values.shape[1])))
        axes.set_xlabel("queens placed")
        axes.set_title(f"Children of a node, level by level, n = {survival['n'].iloc[0]}")
    return made


SECTIONS = (
    Section("pruning", "Pruning", 80, make_pruning, requires=("pruning",), names_run=True,
            chapter="What pruning saves"),
    Section("symmetry", "Symmetry", 90, make_symmetry, requires=("symmetry",), names_run=True,
            chapter="What symmetry saves"),
)

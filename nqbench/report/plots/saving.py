"""What mirrors, symmetry and pruning save, and at which level."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from nqbench.report.cells import TIMES
from nqbench.report.pointing import tell
from nqbench.report.series import OWN, SEPARATOR, mark, name_ticks, series
from nqbench.report.series import name as named
from nqbench.report.style import (
    COLOUR,
    MARKER,
    MEDIAN,
    figure,
    label_lines,
    one_two_five,
    short,
    sizes,
)


def mirror(gains: pd.DataFrame) -> Figure:
    """Draw what the mirror saves: nodes and time without it, divided by those with it."""
    pairs = list(gains.groupby(["plain", "mirrored", "implementation"], sort=False))
    with figure(2.9 * max(len(pairs), 1), 3.4, max(len(pairs), 1), sharey=True) as (made, panels):
        for axes, ((plain, mirrored, way), rows) in zip(panels, pairs, strict=False):
            axes.axhline(1, color="#8a8a8a", linewidth=0.8)
            axes.fill_between(rows["n"], rows["time_low"], rows["time_high"], color="#d55e00",
                              alpha=0.2, linewidth=0)
            axes.plot(rows["n"], rows["nodes"], color="#0072b2", marker="o", label="nodes")
            axes.plot(rows["n"], rows["time"], color="#d55e00", marker="s", label="time")
            name = f"{plain} / {mirrored} ({way})"
            tell(axes, name, rows[["n", "nodes"]], "n", "nodes", {"nodes": TIMES})
            tell(axes, name, rows[["n", "time", "time_low", "time_high"]], "n", "time")
            axes.set_title(f"{plain}\n/ {mirrored}\n({way})", fontsize=8.5)
            sizes(axes, rows["n"])
            axes.legend(frameon=False, fontsize=8, loc="lower right")
        panels[0].set_ylabel(f"times as much without mirror\n{MEDIAN}")
        panels[0].set_ylim(bottom=0)
    return made


def levels(profiles: pd.DataFrame, n: int) -> Figure:
    """Draw the profile of the tree for one n: nodes at each level, with and without mirror."""
    with figure(7.2, 3.8) as (made, (axes,)):
        shown = [("bitmask", "all first columns"), ("somers", "mirror")]
        width = 0.4
        for place, (name, text) in enumerate(shown):
            rows = profiles[(profiles["algorithm"] == name) & (profiles["n"] == n)]
            rows = rows.drop_duplicates("level")
            with series(axes, named(name)):
                bars = axes.bar(rows["level"] + (place - 0.5) * width,
                                rows["nodes"].to_numpy(dtype=float), width, color=COLOUR[name],
                                label=f"{name}: {text}")
            tell(axes, f"{name}: {text}", rows[["n", "level", "nodes"]],
                 rows["level"] + (place - 0.5) * width, "nodes")
            if n <= 12:
                axes.bar_label(bars, [f"{v:,}" for v in rows["nodes"]], fontsize=6.5, rotation=60,
                               padding=2)
        axes.set_title(f"Levels of the tree, n = {n}")
        axes.set_xlabel("queens placed")
        axes.set_ylabel("nodes")
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.margins(y=0.18)
        axes.set_xticks(range(n + 1))
        axes.legend(frameon=False, loc="upper left")
    return made


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
                first, label = members[0], short(members, 2)
                with series(axes, *map(named, members)):
                    axes.plot(shown, values[shown], color=COLOUR[first], marker=MARKER[first],
                              label=label)
                told = pd.DataFrame({"n": n, "level": shown, column: values[shown]})
                tell(axes, label, told, "level", column)
                ends.append((float(shown[-1]), float(values[shown[-1]]), label, COLOUR[first]))
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

"""Sudoku: how fast the solvers are, and what makes a puzzle hard for them."""

from collections.abc import Mapping
from itertools import cycle
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench.report.cells import format_value
from nqbench.report.pointing import tell
from nqbench.report.series import name as named
from nqbench.report.series import name_ticks, series
from nqbench.report.style import MEDIAN, figure, foreign, label_lines, plain, solver
from nqbench.sudoku import NAMES

LOOKS = (("#7f7f7f", "o"), ("#0072b2", "s"), ("#009e73", "D"), ("#cc79a7", "^"), ("#d55e00", "v"))
LOOK: Mapping[str, tuple[str, str]] = dict(zip(NAMES, cycle(LOOKS), strict=False))
ACROSS = 3


def look(algorithm: str) -> tuple[str, Any]:
    """Return colour and marker of an algorithm of Sudoku; a value of its parameter changes nothing.
    """
    return LOOK.get(algorithm.partition(":")[0]) or foreign(algorithm)


def named_puzzles(algorithm: str, implementation: str = "") -> str:
    """Return the name of an algorithm of Sudoku as a series; an algorithm for queens may have the
    same name.
    """
    return named(f"sudoku:{algorithm}", implementation)


def puzzle_rates(rates: pd.DataFrame) -> Figure:
    """Draw the puzzles per second of each solver on each data set: median, and its 95 % bootstrap
    interval; markers are hollow if not every puzzle was answered. A solver without any rate has no
    row.
    """
    sets = list(rates["data_set"].drop_duplicates())
    measured = rates[rates["per_second"].notna()]
    names = list(dict.fromkeys(map(solver, measured["algorithm"], measured["implementation"])))
    solvers = dict.fromkeys(map(named_puzzles, measured["algorithm"], measured["implementation"]))
    across = min(len(sets), ACROSS)
    down = -(-len(sets) // across)
    with figure(3.0 * across + 1.2, (0.3 * len(names) + 0.9) * down, across, down,
                sharey=True, sharex=True) as (made, panels):
        for axes in panels[len(sets):]:
            axes.set_axis_off()
        for axes, data_set in zip(panels, sets, strict=False):
            rows = measured[measured["data_set"] == data_set]
            for row in rows.to_dict("records"):
                place = names.index(solver(row["algorithm"], row["implementation"]))
                colour, marker = look(row["algorithm"])
                whole = row["answered"] == 1
                with series(axes, named_puzzles(row["algorithm"], row["implementation"])):
                    axes.plot([row["low"], row["high"]], [place, place], color=colour, linewidth=3,
                              alpha=0.35, solid_capstyle="butt")
                    axes.plot(row["per_second"], place, marker, color=colour, markersize=6,
                              markerfacecolor=colour if whole else "#ffffff")
            shown = list(map(solver, rows["algorithm"], rows["implementation"]))
            tell(axes, shown, rows[["per_second", "low", "high", "answered"]], "per_second",
                 [*map(names.index, shown)])
            puzzles = rates[rates["data_set"] == data_set]["puzzles"].iloc[0]
            axes.set_title(f"{plain(data_set)}, {puzzles} puzzles")
            axes.tick_params("x", labelbottom=True)
        made.supxlabel(f"puzzles per second\n{MEDIAN}; hollow: not every puzzle answered",
                       fontsize=9)
        panels[0].set_xscale("log")
        panels[0].set_yticks(range(len(names)), names)
        name_ticks(panels[0], solvers)
        panels[0].invert_yaxis()
    return made


def puzzle_difficulty(found: pd.DataFrame) -> Figure:
    """Draw nodes against published difficulty: median and quartiles, with a line for each search
    tree.
    """
    trees = found.drop_duplicates(["algorithm", "difficulty"])
    with figure(7.2, 4.2) as (made, (axes,)):
        ends = []
        for name, rows in trees.groupby("algorithm", sort=False):
            colour, marker = look(str(name))
            with series(axes, named_puzzles(str(name))):
                axes.fill_between(rows["difficulty"], rows["low"], rows["high"], color=colour,
                                  alpha=0.15, linewidth=0)
                axes.plot(rows["difficulty"], rows["median"], color=colour, marker=marker,
                          label=plain(str(name)))
            told = rows[["difficulty", "median"]].assign(
                quartiles=[f"{format_value(low)} to {format_value(high)}" for low, high in zip(
                    rows["low"], rows["high"], strict=True)])
            tell(axes, plain(str(name)), told.rename(columns={"median": "nodes"}), "difficulty",
                 "nodes")
            last = rows.iloc[-1]
            ends.append((float(last["difficulty"]), float(last["median"]), plain(str(name)),
                         colour))
        axes.set_yscale("log")
        label_lines(axes, ends, 0.22)
        axes.set_title("Nodes by difficulty")
        axes.set_xlabel("rating of the puzzle, from its hardest step for people")
        axes.set_ylabel("nodes\nmedian and quartiles")
    return made

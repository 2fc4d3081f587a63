"""Exact trees, two of them not published elsewhere, what they say about the estimates, and first
solutions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import comb
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.estimation import NORMAL
from nqbench.reference.first_solutions import (
    BELOW_CORNER,
    CORNER,
    FIRST_SOLUTIONS,
    METHODS,
    FirstSolution,
)
from nqbench.reference.profiles import MACHINE, SAMPLES, Profile, profiles
from nqbench.report import plots
from nqbench.report.choices import by_scale
from nqbench.report.frames import Frames
from nqbench.report.sections import UNMEASURED, Part, Section

FIRST_N = 4  # the trees of smaller boards are too small
SMALL_N = 8  # the tree that the largest is compared with
PROMISED = 0.95  # share of the intervals that should contain the exact number


@dataclass(frozen=True)
class Trees:
    """The largest exact tree, a small one, and those that are not confirmed.

    new: the n whose trees are not published elsewhere as far as is known;
    growth: of the nodes, up to the small tree and up to the largest; last_free, widest_free: the
    children of a placement over the rows that are left in the largest tree, with one row left and
    just above the widest level.
    """

    largest: Profile
    small: Profile
    new: list[int]
    growth: list[float]
    last_free: float
    widest_free: float
    unconfirmed: list[Profile]
    machine: str = MACHINE


@dataclass(frozen=True)
class Held:
    """The number of 95 % intervals of the estimates that contain the exact numbers of nodes and of
    levels.

    chance: the probability that this number or fewer contain the nodes if the intervals are valid;
    farthest: the row of the worst estimate.
    """

    held: int
    intervals: int
    chance: float
    farthest: pd.Series
    levels_held: int
    levels: int


@dataclass(frozen=True)
class Firsts:
    """The first solutions.

    largest_counted: the largest n whose squares were counted; uncounted: the n beyond it; up_to:
    the last even n whose squares are compared with those of n + 1; exceptions: the even n that take
    fewer; stairs: the n whose first solution is 1 3 5 ... 2 4 6 ...; corner_from: the n from which
    all begin with `CORNER`; best: where pruning saves the most; methods: how they were found and
    checked; below_corner: the number of solutions that begin with `CORNER`, by n.
    """

    largest_counted: int
    uncounted: list[int]
    up_to: int
    exceptions: list[int]
    stairs: list[int]
    corner_from: int
    best: FirstSolution
    rows: dict[int, FirstSolution]
    methods: dict[str, str]
    below_corner: dict[int, int]


@dataclass(frozen=True)
class Facts:
    """The facts of all parts; held: None without estimates."""

    trees: Trees
    held: Held | None
    firsts: Firsts


def build(frames: Frames) -> Part:
    """Return the exact trees and the first solutions, and the estimates of the records if any."""
    known, found = profiles(), first_solutions()
    errors = analysis.errors_of_estimates(frames.records)
    trees = {n: tree for n, tree in known.items() if n >= FIRST_N}
    figures: dict[str, Callable[[], Figure]] = {
        "exact_profiles": lambda: plots.exact_profiles(trees),
        "squares_tried": by_scale(partial(plots.squares_tried, found))}
    if len(errors):
        figures["estimate_errors"] = lambda: plots.estimate_errors(errors)
    largest = trees[max(trees)]
    return Part(
        Facts(_trees(trees), _held(errors) if len(errors) else None, _firsts()),
        {"exact_trees": exact_trees(trees), "exact_levels": exact_levels(trees),
         "level_times": level_times(trees), "estimate_errors": errors,
         "tree_forecasts": tree_forecasts(trees, frames.estimates),
         "first_solutions": found, "first_columns": first_columns()},
        figures, {
            "exact_trees": "Nodes and widest level of the plain tree, exact.",
            "exact_levels": "Nodes of the plain tree by level, exact, and the children of one.",
            "level_times": "Core-seconds of complete counts of the levels.",
            "estimate_errors": "Estimated nodes against the exact tree, in standard errors.",
            "tree_forecasts": "Nodes beyond the published trees, estimated, with 95 % intervals.",
            "first_solutions": "Squares tried before the first solution, and nodes of the pruned "
                               "search.",
            "first_columns": "First solutions by rows, columns from 1."}, UNMEASURED,
        f"The tree of {largest.n} queens has {largest.nodes:,} nodes" + (
            ", by one search so far" if largest.counts and not largest.confirmed else ""))


def exact_trees(trees: dict[int, Profile]) -> pd.DataFrame:
    """Return n, nodes, growth (nodes divided by those of n - 1), widest_level, over_n (widest level
    / n), widest_nodes, published (yes or no), counted_by, kernels.
    """
    return pd.DataFrame([{
        "n": n, "nodes": tree.nodes,
        "growth": tree.nodes / trees[n - 1].nodes if n - 1 in trees else None,
        "widest_level": tree.widest, "over_n": tree.widest / n,
        "widest_nodes": max(tree.levels),
        "published": "yes" if tree.published else "no",
        "counted_by": tree.counted_by, "kernels": ", ".join(tree.kernels),
    } for n, tree in trees.items()])


def exact_levels(trees: dict[int, Profile]) -> pd.DataFrame:
    """Return each level: n, level, nodes, children (the mean of those of a node)."""
    return pd.DataFrame([(n, level, nodes, tree.children(n - level) if level < n else 0.0)
                         for n, tree in trees.items() for level, nodes in enumerate(tree.levels)],
                        columns=["n", "level", "nodes", "children"])


def level_times(trees: dict[int, Profile]) -> pd.DataFrame:
    """Return the counts whose times were recorded: n, rows, kernel, core_seconds,
    nodes_per_second.
    """
    return pd.DataFrame([(n, count.rows, count.kernel, count.core_seconds,
                          tree.nodes / count.core_seconds)
                         for n, tree in trees.items() for count in tree.counts
                         if count.core_seconds is not None],
                        columns=["n", "rows", "kernel", "core_seconds", "nodes_per_second"])


def tree_forecasts(trees: dict[int, Profile], estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the nodes beyond the published trees by all estimates: n, by, nodes, low, high, exact
    (None if not counted), core_hours (None for probes).
    """
    rows: list[Any] = [(each.n, f"sample of {each.parts} parts", *each.nodes, each.core_hours[0])
                       for each in SAMPLES]
    largest = max(each.n for each in SAMPLES)
    probed = estimates[(estimates["quantity"] == "nodes") & (estimates["n"] <= largest)
                       & estimates["known"].isna()]
    rows += [(row.n, f"{row.method}, {row.probes:,} probes", row.mean, row.low, row.high, None)
             for row in probed.itertuples()]
    found = pd.DataFrame(rows, columns=["n", "by", "nodes", "low", "high", "core_hours"])
    exact = [trees[n].nodes if n in trees else None for n in found["n"]]
    found.insert(2, "exact", pd.Series(exact, dtype=object))
    return found.sort_values("n", kind="stable").reset_index(drop=True)


def first_solutions() -> pd.DataFrame:
    """Return n, squares_tried, placements (without completion), nodes and rejected prefixes of the
    pruned search, ratio (placements / nodes), known_from (who published the solution first),
    checked_by.
    """
    return pd.DataFrame([{
        "n": n, "squares_tried": row.tried, "placements": row.placements, "nodes": row.nodes,
        "rejected": row.rejected,
        "ratio": None if row.placements is None else row.placements / row.nodes,
        "known_from": row.known_from, "checked_by": ", ".join(row.found_by[1:]),
    } for n, row in FIRST_SOLUTIONS.items()],
        dtype=object).astype({"n": int, "nodes": int, "rejected": int, "ratio": float})


def first_columns() -> pd.DataFrame:
    """Return n and the columns of the first solution, from 1."""
    return pd.DataFrame([(n, " ".join(map(str, row.solution)))
                         for n, row in FIRST_SOLUTIONS.items() if row.solution],
                        columns=["n", "columns"])


def _trees(trees: dict[int, Profile]) -> Trees:
    """Return the facts of the exact trees."""
    small, largest = trees[SMALL_N], trees[max(trees)]
    above = largest.n - largest.widest + 1
    growth = [tree.nodes / trees[tree.n - 1].nodes for tree in (small, largest)]
    new = [n for n, tree in trees.items() if not tree.published]
    return Trees(largest, small, new, growth, largest.children(1), largest.children(above) / above,
                 [tree for tree in trees.values() if tree.counts and not tree.confirmed])


def _held(errors: pd.DataFrame) -> Held:
    """Return how many intervals contain the exact numbers."""
    held, many = int((errors["off"].abs() <= NORMAL).sum()), len(errors)
    chance = sum(comb(many, k) * PROMISED ** k * (1 - PROMISED) ** (many - k)
                 for k in range(held + 1))
    return Held(held, many, chance, errors.iloc[int(errors["off"].abs().argmax())],
                int(errors["held"].sum()), int(errors["levels"].sum()))


def _firsts() -> Firsts:
    """Return the facts of the first solutions."""
    rows = {n: row for n, row in FIRST_SOLUTIONS.items() if n >= FIRST_N}
    pairs = [(n, row.tried, rows[n + 1].tried) for n, row in rows.items()
             if n % 2 == 0 and n + 1 in rows]
    compared = [(n, even, odd) for n, even, odd in pairs if even and odd]
    counted = [row for row in rows.values() if row.placements is not None]
    other = max(n for n, row in rows.items() if (row.solution or [])[:5] != CORNER)
    return Firsts(
        max(row.n for row in counted), [n for n, row in rows.items() if row.tried is None],
        compared[-1][0],
        [n for n, even, odd in compared if even < odd],
        [n for n, row in rows.items() if row.solution == [*range(1, n + 1, 2),
                                                          *range(2, n + 1, 2)]],
        min(n for n in rows if n > other),
        max(counted, key=lambda row: (row.placements or 0) / row.nodes), rows, METHODS,
        BELOW_CORNER)


SECTION = Section("new_numbers", "Exact trees and first solutions", 165, build, named=False,
                  chapter="Beyond one machine")

"""The ladder of pruning: which search visits a part of the tree of which, what that costs, and what
grows with n.
"""

import json
from math import hypot, log
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.analysis.frames import measured, newest_run
from nqbench.analysis.uncertainty import ratio, typical
from nqbench.problems.published import Sequence, published
from nqbench.report.drawings import tell
from nqbench.report.frames import Frames, origin_of
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.report.style import figure
from nqbench.search.estimates import quantile
from nqbench.util.text import format_float

SIMKIN = 1.942  # of the number of solutions, ((1 + o(1)) n e^-1.942)^n: Simkin 2022
FIRST_N = 6  # of a growth
LARGEST_N = 100  # n; no sequence is known so far
LATTICE = json.loads(Path(__file__).with_name("lattice.json").read_text("utf-8"))
# Which search accepts, and tries, only nodes that another one does, in row order, and who says so,
# if each row has a free square at first. Forward checking with conflicts is mostly within conflict-
# directed backjumping, but not always: another row fails first, and its conflict set may be larger.
WITHIN: list[tuple[str, str, str]] = [*map(tuple, LATTICE["within"])]
PLACES = LATTICE["places"]  # of each search in the drawing: across, down


def of_ladder(records: pd.DataFrame, machine: str) -> pd.DataFrame:
    """Return the records of the newest run of the ladder, of this machine if it has one."""
    return newest_run(records[records["metric"] == "ladder"], machine=machine)


def ladder(records: pd.DataFrame, machine: str = "") -> pd.DataFrame:
    """Return the newest run of the ladder, of this machine if it has one: n, algorithm, nodes,
    tests, seconds, samples, and the counters that not all have.
    """
    run = measured(of_ladder(records, machine), "ladder").reset_index(drop=True)
    if run.empty:
        return run
    counted = pd.DataFrame(run["counters"].tolist()).drop(columns=["comparisons", "exhaustions"])
    return pd.concat([run[["n", "algorithm"]].astype({"n": int}), counted,
                      run["samples"].map(typical).rename("seconds"), run["samples"]], axis=1)


def make_ladder(frames: Frames) -> Part:
    """Return the ladder at its largest n.

    n: that n; edges: the table of edges; many: the samples of a search; run, here: their origin.
    """
    found = frames.here(ladder)
    at_n = found[found["n"] == found["n"].max()].set_index("algorithm")
    edges = compare_edges(at_n)
    smaller = edges[edges["fewer_nodes"] > 1]
    costly = int((smaller["times_as_long_low"] > 1).sum())
    n = int(found["n"].max())
    records = frames.here(of_ladder)
    return Part(
        Facts(n=n, edges=edges, many=len(at_n["samples"].iloc[0]), **origin_of(records, frames)),
        {"ladder": found.drop(columns="samples"), "ladder_edges": edges},
        {"lattice": lambda: lattice(edges, at_n)},
        records, claim(f"{costly} of {len(smaller)} smaller trees take longer at n = {n}", n=n,
                       processes=len(at_n["samples"].iloc[0])))


def compare_edges(at_n: pd.DataFrame) -> pd.DataFrame:
    """Return for each search and one that visits all its nodes: smaller, larger, why, fewer_nodes,
    times_as_long (the time of the smaller tree over that of the larger one), its interval.
    """
    rows = []
    for smaller, larger, why in WITHIN:
        if smaller in at_n.index and larger in at_n.index:
            times = ratio(at_n["samples"][smaller], at_n["samples"][larger])
            rows.append((smaller, larger, why, at_n["nodes"][larger] / at_n["nodes"][smaller],
                         *times[:3]))
    return pd.DataFrame(rows, columns=["smaller", "larger", "why", "fewer_nodes", "times_as_long",
                                       "times_as_long_low", "times_as_long_high"])


def lattice(edges: pd.DataFrame, at_n: pd.DataFrame) -> Figure:
    """Draw each search above those that visit a part of its nodes, and on each edge how many times
    fewer these are and how many times as long they take.
    """
    with figure(10.4, 5.6) as (made, (axes,)):
        for row in edges.to_dict("records"):
            (x, y), (to_x, to_y) = PLACES[row["smaller"]], PLACES[row["larger"]]
            colour = ("#d55e00" if row["times_as_long_low"] > 1 else
                      "#0072b2" if row["times_as_long_high"] < 1 else "#6b6b6b")
            axes.plot([x, to_x], [-y, -to_y], color=colour, linewidth=1, zorder=1)
            axes.text(x + 0.4 * (to_x - x), -y - 0.45 * (to_y - y),
                      f"÷{format_float(row['fewer_nodes'])} nodes\n"
                      f"×{format_float(row['times_as_long'])} time", ha="center", va="center",
                      fontsize=8, color=colour, zorder=2,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
        for name, (x, y) in PLACES.items():
            if name in at_n.index:
                axes.text(x, -y, f"{name}\n{int(at_n['nodes'][name]):,}", ha="center", va="center",
                          zorder=3, bbox={"facecolor": "#f4ead8", "edgecolor": "#8a8a8a"})
        shown = at_n[at_n.index.isin(PLACES)].reset_index()
        places = [PLACES[name] for name in shown["algorithm"]]
        tell(axes, [*shown["algorithm"]], shown[["nodes", "tests", "seconds"]],
             [x for x, _ in places], [-y for _, y in places])
        axes.set(xlim=(0.4, 3.9), ylim=(-4.4, 0.4))
        axes.set_axis_off()
    return made


def make_growth(frames: Frames) -> Part | None:
    """Return how what an idea saves grows with n; None without estimates of large trees.

    rows: the table; base: the fitted constant of the plain tree, with its interval; simkin: that
    of the solutions in the limit.
    """
    gains = analysis.estimated_gains(frames.records)
    found = growths(frames.pruning.gains, gains[gains["implementation"] == "python"])
    if found.empty:
        return None
    grows = (found["verdict"] == GROWS).sum()
    return Part(
        Facts(rows=found, base=fit_base(published("A319283")), simkin=SIMKIN),
        {"growths": found}, {},
        frames.records[frames.records["metric"] == "tree"],
        claim(f"What {grows} of {len(found)} ideas save grows up to n = {found['to_n'].max()}",
              n=int(found["exact_n"].max()), processes=None))


GROWS, STAYS = "grows", "a factor"


def growths(gains: pd.DataFrame, estimated: pd.DataFrame) -> pd.DataFrame:
    """Return by algorithm: exact_n and to_n (the largest n of an exact tree, and of an estimated
    one), fewer_nodes and fewer_nodes_estimated there, per_queen (the factor by which this grows
    with each queen, from the line through the logarithms from FIRST_N on, with the 95 % interval of
    both the line and the estimate), verdict.
    """
    rows = []
    for row in estimated.to_dict("records"):
        own = gains[(gains["algorithm"] == row["algorithm"]) & (gains["n"] >= FIRST_N)
                    & (gains["implementation"] == "python")].sort_values("n")
        if len(own) < 3:
            continue
        n = np.array([*own["n"], row["n"]], float)
        saved = np.log(np.array([*own["nodes"], row["nodes"]], float))
        (slope, _), covariance = np.polyfit(n, saved, 1, cov=True)
        reach = hypot(quantile(len(n) - 2) * covariance[0, 0] ** 0.5,
                      log(row["nodes_high"] / row["nodes"]) / (row["n"] - n[:-1].mean()))
        rows.append((row["algorithm"], int(own["n"].iloc[-1]), float(own["nodes"].iloc[-1]),
                     row["n"], row["nodes"], *np.exp([slope, slope - reach, slope + reach]),
                     GROWS if slope > reach else STAYS))
    return pd.DataFrame(rows, columns=[
        "algorithm", "exact_n", "fewer_nodes", "to_n", "fewer_nodes_estimated", "per_queen",
        "per_queen_low", "per_queen_high", "verdict"])


def fit_base(values: Sequence, first: int = 12) -> tuple[float, float, float]:
    """Return c, with its 95 % interval, of the fit log a(n) = n log n - c n + a log n + b.

    >>> c, low, high = fit_base(published("A319283"))
    >>> f"{c:.3f}", low < SIMKIN < high
    ('1.941', True)
    """
    known = {n: log(value) for n, value in values.up_to(LARGEST_N) if n >= first}
    n = np.array([*known], float)
    design = np.stack([-n, np.log(n), np.ones(len(n))], 1)
    wanted = np.array([*known.values()]) - n * np.log(n)
    found, *_ = np.linalg.lstsq(design, wanted, rcond=None)
    left = wanted - design @ found
    free = len(n) - design.shape[1]
    error = (np.linalg.inv(design.T @ design)[0, 0] * (left @ left) / free) ** 0.5
    reach = quantile(free) * error
    return float(found[0]), float(found[0] - reach), float(found[0] + reach)


SECTIONS = (
    Section("ladder", "The ladder", 83, make_ladder, requires=(ladder,), timed=True),
    Section("growth", "Growth", 84, make_growth, requires=("pruning",), named=False),
)

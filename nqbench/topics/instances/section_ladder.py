"""The ladder of pruning: which search visits a part of the tree of which, what that costs, and what
grows with n.
"""

from collections.abc import Iterable
from math import hypot, log
from statistics import fmean

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.analysis.frames import measured, newest_run
from nqbench.analysis.uncertainty import ratio, typical
from nqbench.problems.instances import catalogue
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


def of_ladder(records: pd.DataFrame, machine: str) -> pd.DataFrame:
    """Return the records of the newest run of the ladder, of this machine if it has one."""
    return newest_run(records[records["metric"] == "ladder"], machine=machine)


def ladder(records: pd.DataFrame, machine: str = "") -> pd.DataFrame:
    """Return the newest run of the ladder, of this machine if it has one: n, algorithm, nodes,
    tests, seconds, samples, within, and the counters that not all have.
    """
    run = measured(of_ladder(records, machine), "ladder").reset_index(drop=True)
    if run.empty:
        return run
    counted = pd.DataFrame(run["counters"].tolist()).drop(
        columns=["comparisons", "exhaustions"], errors="ignore")
    return pd.concat([run[["n", "algorithm"]].astype({"n": int}), counted,
                      run["samples"].map(typical).rename("seconds"),
                      run.reindex(columns=["samples", "within"])], axis=1)


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
        {"ladder": found.drop(columns=["samples", "within"]), "ladder_edges": edges},
        {"lattice": lambda: lattice(edges, at_n)} if len(edges) else {},
        records, claim(f"{costly} of {len(smaller)} smaller trees take longer at n = {n}"
                       * bool(len(smaller)), n=n,
                       processes=len(at_n["samples"].iloc[0])))


def compare_edges(at_n: pd.DataFrame) -> pd.DataFrame:
    """Return for each search and one that visits all its nodes: smaller, larger, why, fewer_nodes,
    times_as_long (the time of the smaller tree over that of the larger one), its interval.
    """
    rows, nodes, samples = [], at_n["nodes"].to_dict(), at_n["samples"].to_dict()
    for smaller, own in at_n["within"].items():
        for larger, why in own if isinstance(own, list) else within(str(smaller)):
            if larger in at_n.index:
                times = ratio(samples[smaller], samples[larger])
                rows.append((smaller, larger, why, nodes[larger] / nodes[smaller],
                             *times[:3]))
    return pd.DataFrame(rows, columns=["smaller", "larger", "why", "fewer_nodes", "times_as_long",
                                       "times_as_long_low", "times_as_long_high"])


def within(name: str) -> Iterable[tuple[str, str]]:
    """Return the searches that visit all nodes of a search of the catalogue, with who says so."""
    return catalogue()[name].within if name in catalogue() else ()


def place(edges: Iterable[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """Return where searches are drawn, across from 0 to 1 and down, given the pairs of a smaller
    and a larger tree: each below all that are larger, in the order of their middles. What goes
    round in a circle is drawn in one row.

    >>> place([("b", "a"), ("c", "a"), ("d", "c")])
    {'a': (0.5, 0), 'b': (0.25, 1), 'c': (0.75, 1), 'd': (0.5, 2)}
    >>> place([("b", "a"), ("a", "b")])
    {'a': (0.25, 0), 'b': (0.75, 0)}
    """
    above: dict[str, list[str]] = {larger: [] for _, larger in edges}
    for smaller, larger in edges:
        above.setdefault(smaller, []).append(larger)
    places: dict[str, tuple[float, float]] = {}
    while left := above.keys() - places.keys():
        ready = [name for name in left if places.keys() >= {*above[name]}] or left
        row = sorted((fmean([places[each][0] for each in above[name] if each in places] or [0.5]),
                      name) for name in ready)
        level = max((y for _, y in places.values()), default=-1) + 1
        places |= {name: ((at + 0.5) / len(row), level) for at, (_, name) in enumerate(row)}
    return places


def lattice(edges: pd.DataFrame, at_n: pd.DataFrame) -> Figure:
    """Draw each search above those that visit a part of its nodes, and on each edge how many times
    fewer these are and how many times as long they take.
    """
    places = place([*zip(edges["smaller"], edges["larger"], strict=True)])
    nodes = at_n["nodes"].astype(int).to_dict()
    with figure(10.4, 5.6) as (made, (axes,)):
        for row in edges.to_dict("records"):
            (x, y), (to_x, to_y) = places[row["smaller"]], places[row["larger"]]
            colour = ("#d55e00" if row["times_as_long_low"] > 1 else
                      "#0072b2" if row["times_as_long_high"] < 1 else "#6b6b6b")
            axes.plot([x, to_x], [-y, -to_y], color=colour, linewidth=1, zorder=1)
            axes.text(x + 0.4 * (to_x - x), -y - 0.45 * (to_y - y),
                      f"÷{format_float(row['fewer_nodes'])} nodes\n"
                      f"×{format_float(row['times_as_long'])} time", ha="center", va="center",
                      fontsize=8, color=colour, zorder=2,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
        for name, (x, y) in places.items():
            axes.text(x, -y, f"{name}\n{nodes[name]:,}", ha="center", va="center",
                      zorder=3, bbox={"facecolor": "#f4ead8", "edgecolor": "#8a8a8a"})
        shown = at_n.loc[[*places]].reset_index()
        tell(axes, [*shown["algorithm"]], shown[["nodes", "tests", "seconds"]],
             [x for x, _ in places.values()], [-y for _, y in places.values()])
        axes.set(xlim=(0, 1), ylim=(-0.4 - max(y for _, y in places.values()), 0.4))
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

"""Random instances of queens: which have a solution, and what each idea saves."""

from functools import cache, partial
from math import inf, log, nan, sqrt
from statistics import median
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from nqbench.analysis.frames import measured, most_sampled
from nqbench.analysis.uncertainty import verdicts
from nqbench.problems.instances.families import FAMILIES
from nqbench.problems.published import published
from nqbench.report import style
from nqbench.report.drawings import Choice, series, tell
from nqbench.report.frames import Frames
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.search.estimates import NORMAL
from nqbench.util.text import format_float, format_justified

ALGORITHM = "fewest_lines"
COLUMNS = ["family", "n", "amount", "density", "instances", "solvable", "gave_up", "share", "low",
           "high", "nodes"]
POINTS = ["family", "n", "density", "low", "high", "kappa", "kappa_low", "kappa_high"]


def transitions(records: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each family, n and amount, from the record of the most instances that
    ALGORITHM decided: COLUMNS.

    `share` is the share of solvable instances among those that were decided, and `low` to `high`
    its 95 % interval (Wilson, 1927). If a search gave up, its instance counts as unsolvable for
    `low` and as solvable for `high`. `nodes` is the median over all instances: infinite if half of
    the searches gave up; `share` is NaN if all did.

    The figures depend only on family, n, amount, seed and the allowed nodes, not on the machine.
    """
    found = most_sampled(measured(records[records["algorithm"] == ALGORITHM], "transition"),
                         ["family", "n", "amount"])
    rows = []
    for record in found[found["family"].isin(FAMILIES)].to_dict("records"):
        n, amount, answers = record["n"], record["amount"], record["solvable"]
        many, solvable, gave_up = len(answers), answers.count(True), answers.count(None)
        low, high = _wilson(solvable, many)[0], _wilson(solvable + gave_up, many)[1]
        nodes = median(inf if answer is None else count for answer, count in zip(
            answers, record["samples"], strict=True))
        share = solvable / (many - gave_up) if gave_up < many else nan
        rows.append((record["family"], n, amount, FAMILIES[record["family"]].density(n, amount),
                     many, solvable, gave_up, share, low, high, nodes))
    return pd.DataFrame(rows, columns=COLUMNS).sort_values(
        ["family", "n", "density"], kind="stable").reset_index(drop=True)


@cache
def _wilson(many: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by the method of Wilson."""
    from scipy.stats import binomtest

    low, high = binomtest(many, of).proportion_ci(method="wilson")
    return float(low), float(high)


def half_points(found: pd.DataFrame) -> pd.DataFrame:
    """Return the density at which half of the instances have a solution: POINTS, a row for each
    family and n where the share crosses one half. Too few points give an interval that leaves the
    densities of instances with a solution: such a row is omitted.

    A logistic curve is fitted to the decided instances by maximum likelihood; the 95 % interval
    comes from the delta method. `kappa`, with the same interval, is that density as a
    `constrainedness`.
    """
    rows: list[Any] = []
    for _, points in found.groupby(["family", "n"], sort=False):
        family, n = points["family"].iloc[0], int(points["n"].iloc[0])
        if points["share"].max() > 0.5 > points["share"].min():
            middle, error = _fit(points)
            ends = (middle - NORMAL * error, middle + NORMAL * error)
            of = FAMILIES[family]
            low, high = sorted(of.density(n, amount) for amount in (0, of.most(n)))
            if low <= ends[0] <= ends[1] <= high:
                kappas = [constrainedness(family, n, density) for density in (middle, *ends)]
                rows.append((family, n, middle, *ends, kappas[0], *sorted(kappas[1:])))
    return pd.DataFrame(rows, columns=POINTS)


def constrainedness(family: str, n: int, density: float) -> float:
    """Return kappa: 0 on the empty board, 1 where one solution is expected; NaN if the probability
    that a solution survives has no simple form for the family, or if Q(n) is not published.

    kappa = -log P / log Q(n), where Q(n) counts the solutions of the empty board, and P is the
    probability that one of them is a solution of a random instance. Gent, MacIntyre, Prosser and
    Walsh, The constrainedness of search (1996); Gent, Jefferson and Nightingale (2017) write n! /
    2.54^n for Q(n).

    >>> round(constrainedness("blocked", 8, 5.0), 3)  # 92 * (5/8)^8 = 2.14 are expected
    0.832
    """
    survives, solutions = FAMILIES[family].survives, published("A000170").get(n)
    if survives is None or solutions is None or solutions < 2:
        return nan
    return abs(survives(n, density)) / log(solutions)


def _fit(points: pd.DataFrame, steps: int = 50) -> tuple[float, float]:
    """Return where a logistic curve through shares is one half, and its standard error, by Newton's
    method.
    """
    at = points["density"].to_numpy(float)
    centre, scale = at.mean(), at.std() or 1.0
    x = np.column_stack([np.ones(len(at)), (at - centre) / scale])
    decided = (points["instances"] - points["gave_up"]).to_numpy(float)
    solvable = points["solvable"].to_numpy(float)
    a = np.zeros(2)
    for _ in range(steps):
        share = 1 / (1 + np.exp(-np.clip(x @ a, -30, 30)))
        information = x.T @ (x * (decided * share * (1 - share))[:, None]) + 1e-9 * np.eye(2)
        step = np.linalg.solve(information, x.T @ (solvable - decided * share))
        a += np.clip(step, -5, 5)
        if np.abs(step).max() < 1e-10:
            break
    covariance = np.linalg.inv(information)
    slope = np.array([-1 / a[1], a[0] / a[1] ** 2])
    return (float(centre - scale * a[0] / a[1]),
            float(scale * sqrt(max(0.0, slope @ covariance @ slope))))


# Each idea, and the search that differs from it by this idea alone.
WITHOUT = {"bitmask": "row_by_row", "forward_checking": "bitmask",
           "fewest_rows": "forward_checking", "fewest_lines": "fewest_rows",
           "arc_consistency": "fewest_rows", "dancing_links": "fewest_lines"}
BOARDS = ["family", "n"]
PAIRS = [*BOARDS, "amount", "idea", "without", "nodes", "nodes_without", "ended", "ended_without",
         "least", "most"]
SAVINGS = [*BOARDS, "idea", "without", "instances", "gave_up", "gave_up_without", "fewer", "equal",
           "more", "ratio", "at_most", "low", "high", "p", "verdict"]
SAVES, COSTS, SAME_TREE = "saves", "costs", "same tree"


def searches_in_pairs(records: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each random instance and each idea: PAIRS.

    `nodes` are those of the search with the idea, `nodes_without` those of the search without it,
    each at most the limit of both; `ended` says whether the search did not give up. The ratio of
    the nodes without the idea to those with it is between `least` and `most`. If an algorithm has
    several records, the one with the most instances counts.
    """
    boards = [*BOARDS, "amount", "seed"]
    found = most_sampled(measured(records, "transition"), [*boards, "algorithm"])[
        [*boards, "algorithm", "nodes_allowed", "samples", "solvable"]]
    each = found.explode(["samples", "solvable"])
    each["place"] = each.groupby([*boards, "algorithm"]).cumcount()
    both = pd.DataFrame(WITHOUT.items(), columns=["idea", "without"]).merge(
        each, left_on="idea", right_on="algorithm").merge(
        each, left_on=["without", *boards, "place"], right_on=["algorithm", *boards, "place"],
        suffixes=("", "_without")).sort_values(boards, kind="stable", ignore_index=True)
    limit = both[["nodes_allowed", "nodes_allowed_without"]].min(axis=1)
    for end in ("", "_without"):
        nodes = both[f"samples{end}"].astype(float)
        both[f"nodes{end}"] = np.minimum(nodes, limit).astype(int)
        both[f"ended{end}"] = both[f"solvable{end}"].notna() & (nodes <= limit)
    ratio = both["nodes_without"] / both["nodes"]
    return both.assign(least=ratio.where(both["ended"], 0.0),
                       most=ratio.where(both["ended_without"], inf))[PAIRS]


def savings_by_instance(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each family, n and idea: SAVINGS.

    `fewer`, `equal` and `more` are the numbers of instances on which the idea takes fewer nodes,
    the same number, or more. `ratio` is the median of the nodes without the idea divided by those
    with it. If searches gave up, `ratio` is its lower bound and `at_most` its upper bound. `low` to
    `high` is its 95 % interval, from order statistics; it is valid for any values of the ratios
    that are not known. `p` is the p-value of the signed-rank test of Wilcoxon, with zeros split
    between both signs. The verdict has the sign of the ranks, as the median may be 1 all the same;
    it is corrected for all ideas of the same boards by the method of Holm.
    """
    rows = [_compare(rows) for _, rows in pairs.groupby([*BOARDS, "idea"], sort=False)]
    found = pd.DataFrame(rows, columns=[*SAVINGS[:-1], "ranks"])
    for _, boards in found.groupby(BOARDS, sort=False):
        found.loc[boards.index, "verdict"] = verdicts(
            [*boards["ranks"] + 1], [*boards["p"]], SAVES, COSTS)
    found = found.reindex(columns=SAVINGS)
    ended = found[["gave_up", "gave_up_without"]].max(axis=1) < found["instances"]
    return found.assign(verdict=found["verdict"].mask(
        ended & (found["instances"] == found["equal"]), SAME_TREE))


def _compare(found: pd.DataFrame) -> tuple[Any, ...]:
    """Return the row of an idea, with the sum of the signed ranks in the place of its verdict."""
    from scipy.stats import quantile_test, rankdata, wilcoxon

    log = np.log(found["nodes_without"] / found["nodes"])
    fewer, more = int((log > 0).sum()), int((log < 0).sum())
    p = wilcoxon(log, zero_method="zsplit", method="approx").pvalue if fewer or more else 1.0
    low = quantile_test(found["least"], p=0.5).confidence_interval().low
    high = quantile_test(found["most"], p=0.5).confidence_interval().high
    first = found.iloc[0]
    return (*first[BOARDS], first["idea"], first["without"], len(found),
            int((~found["ended"]).sum()), int((~found["ended_without"]).sum()), fewer,
            len(found) - fewer - more, more, float(found["least"].median()),
            float(found["most"].median()), float(low), float(high), float(p),
            float((np.sign(log) * rankdata(np.abs(log))).sum()))


ABOUT_HALF = 0.25, 0.75  # shares of instances with a solution


def make_transitions(frames: Frames) -> Part:
    """Return a figure for each family, the table of all points, and the table of the half points.

    findings: those of each family; instances, most: the least and the largest number of instances
    for a point; gave_up: the number of searches that did.
    """
    found = frames.of(transitions)
    middles = half_points(found)
    families = list(found["family"].drop_duplicates())
    findings = [of_family(name, found, middles) for name in families]
    made = Facts(findings=findings, instances=int(found["instances"].min()),
                 most=int(found["instances"].max()), gave_up=int(found["gave_up"].sum()))
    return Part(
        made, {"transitions": found, "half_points": middles},
        {"transitions": Choice("Boards", {
            FAMILIES[name].amount: partial(transition, found[found["family"] == name])
            for name in families}, FAMILIES[families[0]].amount)},
        frames.records[frames.records["metric"] == "transition"],
        claim(transitions_finding(findings), n=int(found["n"].max()), processes=None))


def transitions_finding(findings: list[Facts]) -> str:
    """Return where the first family is hardest, if about half of these instances have a solution,
    or else where half of them have one; empty if no shares cross one half.
    """
    for each in findings:
        if each.near_half:
            return (f"Random boards of {each.n} queens are hardest at about "
                    f"{format_float(each.at)} {each.axis}")
        if each.half is not None:
            middle = format_justified(*each.half[["density", "low", "high"]])
            return f"Half of the boards of {each.n} queens have a solution at {middle} {each.axis}"
    return ""


def of_family(name: str, found: pd.DataFrame, middles: pd.DataFrame) -> Facts:
    """Return the finding of a family, at n, the largest whose shares cross one half.

    name, amount, axis: those of the family; half: the row of n in the table of these points, None
    if there is none; at: the density with the largest median of nodes; near_half: whether about
    half of the instances there have a solution.
    """
    family = FAMILIES[name]
    head = {"name": name, "amount": family.amount, "axis": family.axis}
    crossing = middles[middles["family"] == name].sort_values("n")
    if crossing.empty:
        return Facts(**head, n=None, half=None, near_half=False)
    half = crossing.iloc[-1]
    points = found[(found["family"] == name) & (found["n"] == half["n"])]
    hardest = points.loc[points["nodes"].astype(float).idxmax()]
    at, share, easiest = hardest["density"], hardest["share"], points["nodes"].min()
    return Facts(**head, n=int(half["n"]), half=half, at=at, near_half=(
        hardest["nodes"] > easiest and ABOUT_HALF[0] <= share <= ABOUT_HALF[1]))


LOOKS = ((style.SKY, "o", "-"), (style.BLUE, "s", "-"), (style.GREEN, "D", "-"),
         (style.ORANGE, "^", "-"), (style.RED, "v", "-"),
         ("#1b1b1b", "P", "-"))


def transition(found: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw for one family the share of solvable instances and the median of the nodes against the
    density, a line for each n, with 95 % intervals of the shares.
    """
    family = FAMILIES[found["family"].iloc[0]]
    with style.figure(width, 3.4, 2) as (made, (shares, nodes)):
        ends, finite = [], found[np.isfinite(found["nodes"].astype(float))]
        for k, (n, rows) in enumerate(found.groupby("n")):
            look, label = LOOKS[k % len(LOOKS)], f"n = {n}"
            known = finite[finite["n"] == n]
            with series(shares, label):
                shares.vlines(rows["density"], rows["low"], rows["high"], color=look[0],
                              linewidth=1, alpha=0.6)
            style.line(shares, [label], label, look, rows[
                ["density", "share", "low", "high", "instances"]], "density", "share")
            if len(known):  # else most searches gave up at each density
                top = known[["density", "nodes"]].iloc[int(known["nodes"].astype(float).argmax())]
                ends.append(style.line(nodes, [label], label, look, known[
                    ["density", "nodes", "instances"]], "density", "nodes"))
        shares.set(title="Share of boards with a solution", xlabel=family.axis,
                   ylim=(-0.03, 1.03))
        nodes.set(title="Nodes to decide one, median", xlabel=family.axis, yscale="log")
        nodes.margins(y=0.15)
        if ends:
            nodes.annotate(f"{top['nodes']:,.0f} nodes at {top['density']:.3g}", (*top,), (0, 6),
                           textcoords="offset points", ha="center")
            style.label_lines(nodes, ends)
    return made


def make_by_instance(frames: Frames) -> Part:
    """Return a figure and a finding for each family, and the table of all ideas."""
    pairs = frames.of(searches_in_pairs)
    found = savings_by_instance(pairs)
    findings, figures = [], {}
    for name, rows in found.groupby("family", sort=False):
        most = rows[rows["instances"] == rows["instances"].max()]
        here = rows[rows["n"] == most["n"].max()]
        findings.append(by_instance_finding(str(name), here))
        shown = pairs[(pairs[BOARDS] == here.iloc[0][BOARDS]).all(axis=1) & pairs["idea"].isin(
            here.loc[here["verdict"] != SAME_TREE, "idea"])]
        if len(shown):
            figures[FAMILIES[str(name)].amount] = partial(by_instance, shown)
    return Part(
        Facts(findings=findings, rows=found), {"savings_by_instance": found},
        {"by_instance": Choice("Boards", figures, next(iter(figures)))} if figures else {},
        frames.records[frames.records["metric"] == "transition"],
        claim(_largest_saving(findings[0].best), n=findings[0].n, processes=None))


def _largest_saving(best: "pd.Series[Any] | None") -> str:
    """Return the largest saving on the median board of the first family, in words."""
    if best is None or not best["low"] > 1:
        return ""
    times = format_justified(best["ratio"], best["low"], best["high"])
    return f"{best['idea']} takes {times} times fewer nodes than {best['without']} on random boards"


def by_instance_finding(name: str, rows: pd.DataFrame) -> Facts:
    """Return what the ideas save on the boards of a family, for the n with the most instances.

    best: the row of the idea that saves the most, None if none does significantly; same: those with
    the same tree.
    """
    saving = rows[rows["verdict"] == SAVES].sort_values("ratio", ascending=False, kind="stable")
    return Facts(amount=FAMILIES[name].amount, n=int(rows["n"].iloc[0]),
                 instances=int(rows["instances"].max()),
                 best=saving.iloc[0] if len(saving) else None,
                 same=rows[rows["verdict"] == SAME_TREE])


ROOM = 1.3  # times the nodes, around all points


def by_instance(pairs: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw the nodes of each instance with an idea against those without it, with a panel for each
    idea; an instance on which a search gave up is an orange triangle at the limit.
    """
    panels = [rows for _, rows in pairs.groupby(["idea", "without"], sort=False)]
    with style.figure(width, 3.1, len(panels)) as (made, drawn):
        for axes, rows in zip(drawn, panels, strict=True):
            both = rows["ended"] & rows["ended_without"]
            axes.set(xscale="log", yscale="log")
            for some, colour, marker in ((both, style.BLUE, "o"),
                                         (~both & rows["ended"], style.ORANGE, ">"),
                                         (~rows["ended"], style.ORANGE, "^")):
                axes.scatter(rows["nodes_without"][some], rows["nodes"][some], color=colour,
                             s=6 if marker == "o" else 22, marker=marker, alpha=0.6, linewidths=0)
            axes.plot(rows["nodes_without"].median(), rows["nodes"].median(), "P", markersize=8,
                      color="#1b1b1b", label="medians")
            middle = rows[["nodes_without", "nodes"]].median().to_frame().T
            tell(axes, "medians", middle, "nodes_without", "nodes")
            nodes = rows[["nodes", "nodes_without"]].to_numpy(dtype=float)
            ends = [nodes.min() / ROOM, nodes.max() * ROOM]
            axes.plot(ends, ends, color="#7f7f7f", linewidth=0.8)
            idea, without = rows[["idea", "without"]].iloc[0]
            axes.set(xlim=ends, ylim=ends, title=f"Nodes of {idea}", xlabel=f"nodes of {without}")
    return made


SECTIONS = (
    Section("transitions", "Random instances", 85, make_transitions, requires=(transitions,),
            chapter="What pruning saves"),
    Section("by_instance", "Savings per instance", 86, make_by_instance,
            requires=(searches_in_pairs,)),
)

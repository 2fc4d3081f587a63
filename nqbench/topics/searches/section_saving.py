"""What pruning and symmetry save, and the parameters of an algorithm."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.analysis import interval, typical
from nqbench.analysis.solvers import varied
from nqbench.records.record import PLAIN_SEARCH
from nqbench.report import style
from nqbench.report.drawings import OWN, Choice, by_size, mark, name_ticks, named, tell
from nqbench.report.formats import TIMES
from nqbench.report.frames import Frames, at_largest_common, by_solver, origin_of, taken_of_timings
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.report.style import INTERVAL, figure, label_lines, one_two_five, short
from nqbench.search.refusals import RULES
from nqbench.util.text import format_justified


def make_pruning(frames: Frames) -> Part:
    """Return the gains of the run that is closest to pruning.

    saved: the gains at n, most nodes first; costly: the algorithms that save nodes and lose time;
    best: the largest gain of nodes on a board that is too large to search, None without estimates;
    run, here: the origin of these; rules: what the rules of each search do on its largest board.
    """
    run, trees = frames.pruning, frames.records[frames.records["metric"] == "tree"]
    estimated = analysis.estimated_gains(trees)
    drawn = pd.concat([run.gains, estimated]) if len(estimated) else run.gains
    common, ruled = at_largest_common(run.gains), rules(run.run)
    n = int(common["n"].iloc[0])
    saved = common.sort_values("nodes", ascending=False, kind="stable")
    costly = [name for name in saved[(saved["nodes"] > 1) & (saved["high"] < 1)]["algorithm"]
              if not frames.descriptions[name].uses_symmetry]
    return Part(
        Facts(n=n, costly=costly, taken=run.taken,
              best=estimated.sort_values(["nodes", "time"]).iloc[-1] if len(estimated) else None,
              **(origin_of(trees, frames) if len(trees) else {}),
              rules=ruled[ruled["n"] == ruled.groupby("algorithm")["n"].transform("max")],
              saved=saved.drop(columns="n").dropna(axis="columns", how="all")),
        {"gains": run.gains, "estimated_gains": estimated, "rules": ruled},
        {"gains": by_size(partial(savings, drawn, "the plain tree"), drawn["n"].unique(), n)},
        pd.concat([run.run, trees]) if len(trees) else run.run,
        claim("Fewer nodes do not always take less time" if costly else "", n=n,
              processes=run.taken.processes))


def rules(records: pd.DataFrame) -> pd.DataFrame:
    """Return what the rules of each search refuse, save and take: algorithm, n, rule, level,
    refused, nodes_saved, one standard error away from it, and times_as_long: the time of the search
    with the rule over that without it, with its 95 % interval, for all levels.
    """
    rows = []
    for record in records[records["metric"] == RULES].to_dict("records"):
        for row in record["samples"][0]:
            level = "all" if row["level"] is None else row["level"]
            saved, error, cost = row["nodes_saved"], row["nodes_saved_error"], row.get("cost")
            rows.append((record["algorithm"], record["n"], row["rule"], level, row["refused"],
                         *((saved, saved - error, saved + error) if saved is not None else
                           (None,) * 3),
                         *((typical(cost), *interval(cost)) if cost else (None,) * 3)))
    return pd.DataFrame(rows, columns=[
        "algorithm", "n", "rule", "level", "refused", "nodes_saved", "nodes_saved_low",
        "nodes_saved_high", "times_as_long", "times_as_long_low", "times_as_long_high"])


def make_levels(frames: Frames) -> Part | None:
    """Return where the trees of the run that is closest to pruning are cut; None if their levels
    were not counted.

    level: the level of the plain tree with the most nodes at n, which are `share` of all.
    """
    run = frames.pruning
    survival = analysis.survival(analysis.profiles(run.run))
    plain = survival[survival["algorithm"] == PLAIN_SEARCH]
    if plain.empty:
        return None
    n = int(plain[plain["n"].isin(run.gains["n"])]["n"].max())
    levels = plain[plain["n"] == n].drop_duplicates("level").sort_values("nodes", kind="stable")
    widest, nodes = levels.iloc[-1], levels["nodes"].sum()
    return Part(
        Facts(n=n, level=widest["level"], nodes=widest["nodes"],
              share=float(widest["nodes"] / nodes)), {"survival": survival},
        {"profiles": by_size(
            partial(profile_curves, survival), {*plain["n"]} & {*run.gains["n"]}, n)}, run.run,
        claim(f"The tree of {n} queens is widest at level {widest['level']}", n=n, processes=None))


NORMALS = "lines: 95 % intervals"  # of estimates
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
                    partial(savings, found, "no use of symmetry"), found["n"].unique(), n)},
                frames.symmetry.run, claim(symmetry_finding(best), n=n,
                                           processes=made.taken.processes))


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


def savings(gains: pd.DataFrame, over: str, n: int) -> Figure:
    """Draw for one n how many times smaller each tree is, and how many times faster each search is,
    than the plain one in Python, with the interval of the time: of each use of symmetry, or else of
    each solver.
    """
    rows = gains[gains["n"] == n].sort_values("nodes", kind="stable")
    estimated = "nodes_low" in rows and bool(rows["nodes_low"].notna().all())
    ways = rows.get("implementation", pd.Series("python", rows.index))
    rows = rows.assign(label=rows.get("symmetry", [*map(style.solver, rows["algorithm"], ways)]))
    solvers = list(map(named, rows["algorithm"], ways))
    with figure(7.2, 0.22 * len(rows) + 1.4) as (made, (axes,)):
        places = np.arange(len(rows))
        for shift, name, colour, marker in ((0.15, "nodes", "#0072b2", "o"),
                                            (-0.15, "time", "#d55e00", "s")):
            for place, own, value in zip(places + shift, solvers, rows[name], strict=True):
                (dot,) = axes.plot(value, place, marker, color=colour, markersize=5)
                mark(dot, f"{OWN}{name}", own)
            axes.plot([], [], marker, color=colour, label=name)
            ends = ["low", "high"] if name == "time" else ["nodes_low", "nodes_high"] * estimated
            told = rows[["n", name, *ends]].rename(columns=lambda each: each.replace("nodes_", ""))
            tell(axes, list(rows["label"]), told, name, places + shift, {"nodes": TIMES})
            if ends:
                axes.hlines(places + shift, rows[ends[0]], rows[ends[1]], color=colour,
                            linewidth=1.2)
        axes.axvline(1, color="#1b1b1b", linewidth=0.8)
        one_two_five(axes, "x")
        axes.set_yticks(range(len(rows)), rows["label"])
        name_ticks(axes, solvers)
        axes.set_title(f"Improvement over {over}, n = {n}{', estimated' * estimated}")
        axes.set_xlabel("improvement (times; left of 1 is worse)\n"
                        + (NORMALS if estimated else f"time: {INTERVAL}"))
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


def profile_curves(survival: pd.DataFrame, n: int) -> Figure:
    """Draw for one n the nodes by level and the share of dead ends among them, with a line for each
    tree.
    """
    survival = survival[survival["n"] == n]
    with figure(10.4, 3.8, 2) as (made, (left, right)):
        for axes, column in ((left, "nodes"), (right, "dead_share")):
            ends = []
            for members, values in _trees(survival, column):
                shown = np.flatnonzero(np.isfinite(values) & (values > 0))
                if not len(shown):
                    continue
                ends.append(style.line(
                    axes, map(named, members), short(members, 2), style.look_of(members[0]),
                    pd.DataFrame({"n": n, "level": shown, column: values[shown]}), "level", column))
            axes.set(xlabel="queens placed", xticks=range(n + 1))
            if axes is left:
                axes.set(yscale="log", title=f"Nodes by level, n = {n}")
                label_lines(axes, ends, 0.34)
            else:
                axes.yaxis.set_major_formatter("{x:.0%}")
                axes.set_title("Dead ends among them")
    return made


LOOKS = (("nodes", "nodes", 0.16, "#0072b2", "o"), ("seconds", "time", -0.16, "#d55e00", "s"))
MOST_TERMS = 20  # terms of a kind in a plot; the table has all


def make_effects(frames: Frames) -> Part:
    """Return the effects in the newest run that varied parameters.

    solvers: the algorithms that it varied; nodes, times: the effects, those on nodes at the first
    and the last n; sizes: these n; estimated: whether the trees of the last are; taken: the
    samples, None without times; most: the effects of a kind in the plot.
    """
    found, run = frames.of(analysis.effects), frames.of(varied)
    by_size = frames.of(analysis.effects_by_size)
    timings = analysis.timings(run)
    samples = taken_of_timings(timings) if len(timings) else None
    groups = {style.solver(*key): rows for key, rows in by_solver(found)}
    sizes = int(found["first_n"].min()), int(found["last_n"].max())
    return Part(
        Facts(solvers=[*groups], nodes=over_sizes(by_size), times=shown(found, "seconds"),
              most=MOST_TERMS, sizes=sizes, taken=samples,
              estimated=bool(by_size[by_size["n"] == sizes[1]]["low"].notna().any())),
        {"effects": found, "effects_by_size": by_size},
        {"effects": Choice("Algorithm", {name: partial(draw_effects, rows, name)
                                         for name, rows in groups.items()}, next(iter(groups)))},
        run, claim(effects_finding(found), n=None,
                   processes=samples.processes if samples else None))


def over_sizes(by_size: pd.DataFrame) -> pd.DataFrame:
    """Return each effect on the nodes at the smallest n, as `at_first_n`, and at the largest one,
    with its interval.
    """
    words = ["algorithm", "implementation", "term", "against"]
    first = by_size.groupby(words, sort=False)[["n", "factor"]].first()
    last = by_size.groupby(words, sort=False).last().drop(columns=["kind"])
    return last.assign(first_n=first["n"], at_first_n=first["factor"]).rename(
        columns={"n": "last_n", "factor": "at_last_n"}).reset_index()[[
            *words, "first_n", "at_first_n", "last_n", "at_last_n", "low", "high", "per_queen"]
        ].dropna(axis="columns", how="all")


def shown(found: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the effects on a metric as the page shows them: of nodes, no interval but a range."""
    rows = found[found["metric"] == metric].drop(columns=["metric", "first_n", "last_n"])
    return rows.rename(columns={"low": "least", "high": "greatest"} if metric == "nodes" else {})


def effects_finding(found: pd.DataFrame) -> str:
    """Return the value of a parameter that saves the most time; empty if none surely saves any."""
    sure = found[(found["metric"] == "seconds") & (found["kind"] == "effect") & (found["high"] < 1)]
    if sure.empty:
        return ""
    best = sure.sort_values("factor", kind="stable").iloc[0]
    return (f"{best['term']} saves the most: it takes "
            f"{format_justified(*best[['factor', 'low', 'high']])} times as long as "
            f"{best['against']}")


def draw_effects(found: pd.DataFrame, name: str) -> Figure:
    """Draw the effects, and beside them the interactions, of the parameters of an algorithm: those
    that are the farthest from 1.
    """
    far = np.log(found["factor"]).abs().groupby([found["kind"], found["term"]]).max()
    kept = far.sort_values(ascending=False, kind="stable").groupby("kind").head(MOST_TERMS).index
    panels = [rows[rows["term"].isin(kept.get_level_values("term"))]
              for _, rows in found.groupby("kind")]
    most = max(rows["term"].nunique() for rows in panels)
    with figure(5.2 * len(panels), 0.34 * most + 1.3, len(panels), sharex=True) as (made, drawn):
        for axes, rows in zip(drawn, panels, strict=True):
            _draw_panel(axes, rows)
        drawn[0].set_title(f"Effects, {name}")
        drawn[0].set_xlabel("times as many, or as long (left of 1 saves)\n"
                            f"time: {INTERVAL}; nodes: range over n")
        drawn[0].legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 0.97), ncols=2)
        for axes in drawn[1:]:
            axes.set(title="Interactions", xlabel="times the effect without the other\n"
                     "(1: neither changes the other)")
    return made


def _draw_panel(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw the effects of one kind, a line for each term."""
    labels = {row["term"]: f"{row['term']}\nagainst {row['against']}" if row["kind"] == "effect"
              else row["term"].replace(",", "\nand ") for row in rows.to_dict("records")}
    for metric, label, shift, colour, marker in LOOKS:
        own = rows[rows["metric"] == metric].set_index("term").reindex([*labels])
        if own["factor"].isna().all():  # not measured
            continue
        places = np.arange(len(labels)) - shift
        lines = axes.hlines(places, own["low"], own["high"], color=colour, linewidth=1.2)
        (dots,) = axes.plot(own["factor"], places, marker, color=colour, markersize=5, label=label)
        mark(lines, f"{OWN}{label}")
        mark(dots, f"{OWN}{label}")
        tell(axes, [f"{label}, {term}" for term in labels],
             shown(own, metric).drop(columns=["algorithm", "implementation", "kind"]), "factor",
             places)
    axes.axvline(1, color="#1b1b1b", linewidth=0.8)
    one_two_five(axes, "x")
    axes.set_yticks(range(len(labels)), list(labels.values()))
    axes.set_ylim(len(labels) - 0.5, -0.5)


SECTIONS = (
    Section("pruning", "Pruning", 80, make_pruning, requires=("pruning",), names_run=True,
            chapter="What pruning saves"),
    Section("levels", "Levels", 81, make_levels, requires=("pruning",)),
    Section("effects", "Parameters", 82, make_effects, requires=(analysis.effects,),
            names_run=True),
    Section("symmetry", "Symmetry", 90, make_symmetry, requires=("symmetry",), names_run=True,
            chapter="What symmetry saves"),
)

"""The searches: their trees, their work and their rates; how and where they were measured, and how
to watch them.
"""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nqbench.analysis import POINT, definitions, descriptions, left_out, pruning, study
from nqbench.analysis.comparison import measure_precision
from nqbench.explain.recordings import MOST_EVENTS
from nqbench.problems.queens import PUBLISHED, Tree, catalogue
from nqbench.records.descriptions import Description, describe, presets, to_study_file
from nqbench.records.record import PLAIN_SEARCH, SMALL
from nqbench.report import player, style
from nqbench.report.drawings import by_scale, name_ticks, named, series, tell
from nqbench.report.formats import MILLION, format_first
from nqbench.report.frames import Frames, at_largest_common, by_solver
from nqbench.report.sections import UNMEASURED, Facts, Part, Section, claim
from nqbench.report.style import INTERVAL, label_lines, set_scale, sizes, solver
from nqbench.search.metrics import STATEMENTS
from nqbench.util.clocks import WALL
from nqbench.util.text import format_justified, format_seconds

HASH_DIGITS = 12  # digits of the hash of a source


def make_algorithms(frames: Frames) -> Part:
    """Return the whole catalogue, and the external algorithms that were measured; their number, and
    that of those that come from the documents of docs/sources.md.
    """
    found = algorithms({**frames.deciding, **frames.descriptions})
    number, published = len(found), int(found["algorithm"].isin(PUBLISHED).sum())
    return Part(Facts(number=number, published=published), tables={"algorithms": found},
                records=UNMEASURED, finding=claim(
                    f"{format_first(number)} algorithms: {published} from five documents, "
                    f"{number - published} further ideas", n=None, processes=None))


def algorithms(outside: Mapping[str, Description]) -> pd.DataFrame:
    """Return all algorithms: name, year, technique, symmetry, implementations, origin."""
    return pd.DataFrame([{
        "algorithm": each.name, "year": "no date given" if each.year is None else str(each.year),
        "technique": each.technique, "symmetry": each.symmetry,
        "implementations": ", ".join(each.implementations), "origin": each.origin + (
            f"; SHA-256 {each.source[:HASH_DIGITS]}" if each.source else ""),
    } for each in (*map(describe, catalogue().values()), *outside.values())])


def make_nodes(frames: Frames) -> Part | None:
    """Return the nodes of the main run; None if no search in it prunes.

    same_tree: the algorithms with the same tree; largest: the counters of the largest such tree,
    None if it was not counted; smallest: those of the smallest tree at the n that most reached.
    """
    counters = frames.counters
    trees = pruning(counters)
    if trees.empty:
        return None
    plain = counters[counters["algorithm"] == PLAIN_SEARCH].drop_duplicates("n").tail(1)
    same = [name for name in trees["algorithm"].unique()
            if frames.descriptions[name].tree == Tree.PLAIN]
    many = len(same)
    reached = trees[trees["algorithm"].isin(same)].groupby("algorithm")["n"].max().min()
    return Part(
        Facts(same_tree=same, largest=plain.to_dict("records")[0] if len(plain) else None,
              smallest=at_largest_common(trees).sort_values("nodes").iloc[0].to_dict()),
        figures={"nodes": by_scale(partial(nodes, counters))},
        finding=claim(f"{format_first(many)} algorithms search the same tree" if many > 1 else "",
                      n=reached, processes=None))


SHOWN_N = 8  # the counters are shown for this n, or for the nearest measured, below it if possible


def make_work(frames: Frames) -> Part | None:
    """Return the counters of the main run, and those at one n; None if no search in it prunes.

    drawn: whether there is a figure, which needs both counters.
    """
    counters = frames.counters.dropna(axis=1, how="all")
    if pruning(counters).empty:
        return None
    n = max(filter(SHOWN_N.__ge__, counters["n"]), default=int(counters["n"].min()))
    drawn = {"tests", "comparisons"} <= set(counters) and bool(
        counters[["tests", "comparisons"]].any(axis=None))
    at_n = counters[counters["n"] == n]
    own = definitions(frames.main)
    said = {name: at_n[name].astype(object).where(at_n[name].notna(), "not counted")
            for name in (*STATEMENTS, *own["counter"]) if name in at_n}
    return Part(Facts(n=n, drawn=drawn, counters=at_n.assign(**said).drop(columns="n"), own=own),
                {"counters": counters},
                {"work": by_scale(partial(work, counters))} if drawn else {},
                finding=claim(work_finding(pruning(at_n)), n=n, processes=None))


def work_finding(counters: pd.DataFrame) -> str:
    """Return by how much the tests differ between equal trees at one n; empty if they do not."""
    nodes = counters["nodes"].mode()
    same = counters[counters["nodes"].isin(nodes[:1])]
    if "tests" not in same or not same["tests"].max() > same["tests"].min() > 0:
        return ""
    return (f"Searches of one tree differ by a factor of up to "
            f"{same['tests'].max() / same['tests'].min():.2g} in their tests")


def make_rate(frames: Frames) -> Part | None:
    """Return the rates of the main run; None if no search in it was both counted and timed."""
    found = rates(frames.counters, frames.timings)
    if found.empty:
        return None
    slowest, fastest = (rate_in_words(*found[["nodes_per_second", "low", "high"]].iloc[place])
                        for place in (-1, 0))
    return Part(Facts(taken=frames.taken), {"rates": found},
                {"rate": by_scale(partial(rate, found))},
                finding=claim(f"From {slowest} to {fastest} nodes per second",
                              n=int(found["n"].iloc[[0, -1]].min()),
                              processes=frames.taken.processes))


def rates(counters: pd.DataFrame, timings: pd.DataFrame) -> pd.DataFrame:
    """Return nodes per second at the largest n of each pruning solver, with low and high, as of its
    time.
    """
    both = pruning(counters.merge(timings, on=POINT))
    both = both.sort_values("n").groupby(["algorithm", "implementation"], sort=False).tail(1)
    nodes = both["nodes"].astype(float)
    found = both[[*POINT, "nodes"]].assign(
        nodes_per_second=nodes / both["seconds"], low=nodes / both["high"],
        high=nodes / both["low"])
    return found.sort_values("nodes_per_second", ascending=False).reset_index(drop=True)


def rate_in_words(rate: float, low: float, high: float) -> str:
    """Return a rate with the digits that its interval justifies, a large one in millions."""
    if rate < MILLION:
        return format_justified(rate, low, high)
    return f"{format_justified(rate / MILLION, low / MILLION, high / MILLION)} million"


def same_lines(counters: pd.DataFrame, metric: str) -> list[tuple[list[str], pd.Series]]:
    """Return the algorithms in groups of equal values, with these values by n.

    Algorithms that were measured up to different n are in one group if they agree up to the smaller
    n; the longest line represents all.
    """
    known = counters.dropna(subset=metric).drop_duplicates(["algorithm", "n"]).sort_values("n")
    lines = dict(list(known.set_index("n").groupby("algorithm")[metric]))
    groups: list[tuple[list[str], pd.Series]] = []
    for name in dict.fromkeys([*catalogue(), *counters["algorithm"]]):
        line = lines.get(name)
        if line is None or not line.any():
            continue
        for number, (members, shared) in enumerate(groups):
            common = line.index.intersection(shared.index)
            if len(common) >= 4 and (line[common] == shared[common]).all():
                members.append(name)
                groups[number] = members, max(line, shared, key=len)
                break
        else:
            groups.append(([name], line))
    return groups


def _grow(axes: Axes, counters: pd.DataFrame, metric: str, most: int) -> list[style.End]:
    """Draw a counter against n, a line for each group of algorithms, with at most so many names;
    return the ends of the lines.
    """
    ends = []
    for members, line in same_lines(counters, metric):
        line = line[line > 0]
        ends.append(style.line(
            axes, map(named, members), style.short(members, most), style.look_of(members[0]),
            pd.DataFrame({"n": line.index, metric: line.values}), "n", metric))
    return ends


def nodes(counters: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw nodes against n, with the leaves of searches that prune nothing."""
    trees = pruning(counters)
    with style.figure(7.2, 4.0) as (made, (axes,)):
        largest = int(trees["n"].max())
        every = range(1, largest + 1)
        references = [("nⁿ leaves", [n**n for n in every]),
                      ("n! leaves", [math.factorial(n) for n in every])]
        top = float(trees["nodes"].astype(float).max()) * (30 if scale == "log" else 1)
        for text, values in references:
            kept = [(n, v) for n, v in zip(every, values, strict=True) if v <= top]
            axes.plot(*zip(*kept, strict=True), color="#8a8a8a", linestyle=(0, (4, 2)),
                      label=text)
            tell(axes, text, pd.DataFrame(kept, columns=["n", "leaves"], dtype=object), "n",
                 "leaves")
            axes.annotate(text, kept[-1], xytext=(4, 0), textcoords="offset points",
                          color="#5a5a5a", fontsize=8, va="center")
        ends = _grow(axes, trees, "nodes", 2)
        set_scale(axes, "y", scale)
        axes.set(title="Nodes of the search tree", ylabel="nodes, the root included")
        label_lines(axes, ends, 0.24)
        sizes(axes, trees["n"])
    return made


def work(counters: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw tests and comparisons against n; a counter that no search has is skipped."""
    titles = {"tests": "Squares tested for conflict", "comparisons": "Single comparisons"}
    shown = [name for name in titles if counters[name].any()]
    with style.figure(5.2 * len(shown), 4.2, len(shown)) as (made, panels):
        for axes, name in zip(panels, shown, strict=True):
            ends = _grow(axes, counters, name, 3)
            set_scale(axes, "y", scale)
            axes.set_title(titles[name])
            label_lines(axes, ends, 0.34)
            sizes(axes, range(1, max(int(n) for n, *_ in ends) + 1))
    return made


GREY = "#9a9a9a"
TIMED = ("seconds", "low", "high")
PANEL_LINES = 8  # lines that one panel can hold
FEWEST, ALIKE = 4, 2.0  # lines, and their largest ratio where they end, that are drawn as a band


def time(found: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw seconds for all solutions against n >= 4: with its 95 % interval.

    First come the published algorithms that look at rows or squares again for every test, then
    those that keep marks or masks, then further ideas, and last the compiled searches, with dashed
    lines. `bitmask` is grey in the other panels. Lines that end close together are a band.
    """
    rows = found.loc[(found["n"] >= FEWEST) & found["seconds"].notna(), [*POINT, *TIMED]]
    plain = rows[(rows["algorithm"] == PLAIN_SEARCH) & (rows["implementation"] == "python")]
    parts, edge = families(rows), float(rows["n"].max())
    with style.grid(len(parts), 2, 5.2, 3.2, (2.0 * (len(parts) == 1), 0), sharex=True,
                    sharey=True) as (made, panels):
        drawn = []
        for axes, (title, shown) in zip(panels, parts, strict=True):
            if not shown.isin(plain.to_dict("list")).all(axis=1).any() and len(parts) > 1:
                axes.plot(plain["n"], plain["seconds"], color=GREY, linewidth=1, zorder=1)
            groups = by_solver(shown)
            alike = _alike(groups)
            ends = [_band(axes, [each for each in groups if each[0] in alike])] if alike else []
            ends += [style.line(axes, [named(*key)], solver(*key), style.look_of(*key),
                                points[["n", *TIMED]], "n", "seconds", 0.18)
                     for key, points in groups if key not in alike]
            set_scale(axes, "y", scale)
            axes.set_title(title)
            drawn.append((axes, ends))
        for axes, ends in drawn:  # after all panels have their common scale
            axes.tick_params("x", labelbottom=True)
            label_lines(axes, ends, 0.32, edge)
            sizes(axes, rows["n"])
        style.write_times(panels[0].yaxis)
        made.supylabel(f"time for all solutions\n{INTERVAL}", fontsize=9)
    return made


def families(found: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the rows of solvers in up to four groups, each with its title; few solvers form one
    group. An algorithm that is not in the catalogue is a further idea.
    """
    if len(found[["algorithm", "implementation"]].drop_duplicates()) <= PANEL_LINES:
        return [("All solvers", found)]
    known = catalogue()
    keeps = found["algorithm"].map(
        lambda name: name in known and known[name].keeps_marks).astype(bool)
    compiled = found["implementation"] == "cython"
    published = found["algorithm"].isin(PUBLISHED) & ~compiled
    return [(title, found[chosen]) for title, chosen in (
        ("Rescan earlier rows", published & ~keeps),
        ("Keep marks or bit masks", published & keeps),
        ("Further ideas", ~published & ~compiled), ("Compiled", compiled))
        if chosen.any()]


def _alike(groups: list[tuple[tuple[str, str], pd.DataFrame]]) -> list[tuple[str, str]]:
    """Return the solvers of the most lines that end at one n within a factor of ALIKE; none if they
    are fewer than FEWEST.
    """
    last = pd.DataFrame([(key, *points[["n", "seconds"]].iloc[-1]) for key, points in groups],
                        columns=["key", "n", "seconds"]).sort_values("seconds")
    found = [list(rows.loc[rows["seconds"].between(least, ALIKE * least), "key"])
             for _, rows in last.groupby("n") for least in rows["seconds"]]
    best = max(found, key=len)
    return best if FEWEST <= len(best) < len(groups) else []


def _band(axes: Axes, groups: list[tuple[tuple[str, str], pd.DataFrame]]) -> style.End:
    """Draw the range of lines as a band, whose values the page shows; return its labelled end."""
    points = pd.concat([rows.assign(name=solver(*key)) for key, rows in groups])
    ends = points.groupby("n")["seconds"].agg(["min", "max"])
    colour = style.look_of(groups[0][0][0])[0]
    with series(axes, *(named(*key) for key, _ in groups)):
        axes.fill_between(ends.index, ends["min"], ends["max"], color=colour, alpha=0.35,
                          linewidth=0.5)
    for name, rows in points.groupby("name", sort=False):
        axes.plot(rows["n"], rows["seconds"], color=colour, linewidth=0.3)
        tell(axes, str(name), rows[["n", *TIMED]], "n", "seconds")
    n, (low, high) = ends.index[-1], ends.iloc[-1]
    return (float(n), math.sqrt(low * high), f"{len(groups)} alike: {format_seconds(low)} to "
            f"{format_seconds(high)}", colour)


def rate(rates: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw nodes per second of each solver at the largest n it was measured at."""
    rows = rates.sort_values("nodes_per_second")
    with style.figure(7.2, 0.2 * len(rows) + 1.0) as (made, (axes,)):
        names = []
        for place, row in enumerate(rows.to_dict("records")):
            key = row["algorithm"], row["implementation"]
            colour, marker, _ = style.look_of(*key)
            names.append(f"{solver(*key)}, n = {row['n']}")
            with series(axes, named(*key)):
                axes.plot([row["low"], row["high"]], [place, place], color=colour,
                          linewidth=3, alpha=0.35, solid_capstyle="butt")
                axes.plot(row["nodes_per_second"], place, color=colour, marker=marker, markersize=6)
        told = rows[["n", "nodes_per_second", "low", "high"]]
        tell(axes, list(map(solver, rows["algorithm"], rows["implementation"])), told,
             "nodes_per_second", range(len(rows)))
        axes.set_yticks(range(len(names)), names)
        name_ticks(axes, map(named, rows["algorithm"], rows["implementation"]))
        set_scale(axes, "x", scale)
        axes.set(title="Nodes per second", xlabel=f"nodes per second\n{INTERVAL}")
    return made


def make_how(frames: Frames) -> Part:
    """Return the machine, how the times were taken, and what the run named at the top skipped.

    left_out: the number of points skipped to stay within the budget; sha256: the hash of the
    records that the page is made from; study_file: the study of the run at the top, empty if it is
    a preset; unchecked: whether one of its algorithms was not checked; programs: what is known of
    each program, by name; clocks: by which the main run was timed; precision: of its times; mhz:
    the least and the greatest frequency of its cores.
    """
    run = frames.main.reindex(columns=[*frames.main, *{"clock", "mhz"} - {*frames.main}])
    timed = run[(run["metric"] == "seconds") & run["samples"].astype(bool)]
    mhz = timed["mhz"].dropna().astype(float)
    points: Any = timed.to_dict("records")
    skipped, told = left_out(frames.newest), study(frames.newest)
    described = descriptions(frames.newest)
    return Part(Facts(
        machine=frames.machine, machines=frames.records["machine"].nunique(), taken=frames.taken,
        left_out=len(skipped), sha256=frames.sha256, small=SMALL,
        study_file=(to_study_file(told, described)
                    if told.get("name") not in (None, *presets()) else ""),
        unchecked=not all(each.checked for each in described.values()),
        programs={name: each.program for name, each in described.items() if each.program},
        clocks=sorted({each if isinstance(each, str) else WALL for each in timed["clock"]}),
        precision=measure_precision(points),
        mhz=(round(mhz.min()), round(mhz.max())) if len(mhz) else None,
        memory_gib=round(float(frames.machine["memory_bytes"]) / 2**30, 1)),
        {"left_out": skipped})


def make_watch(frames: Frames) -> Part:
    """Return the player: the searches of the catalogue, recorded now, and those of external
    algorithms, which the study recorded.

    still: the step that is shown without JavaScript; recordings: the searches, as JSON; untraced:
    the algorithms that cannot be watched.
    """
    outside = frames.descriptions.values()
    recordings = player.recordings(outside)
    traced = {algorithm["name"] for algorithm in recordings["algorithms"]}
    return Part(Facts(
        still=player.still(), recordings=recordings, most_steps=MOST_EVENTS,
        untraced=[name for name in (*catalogue(), *(each.name for each in outside))
                  if name not in traced]))


SECTIONS = (
    Section("algorithms", "Algorithms", 30, make_algorithms, named=False,
            chapter="Published algorithms"),
    Section("nodes", "Nodes", 50, make_nodes, requires=("counters",),
            chapter="Published algorithms"),
    Section("work", "Tests and comparisons", 60, make_work, requires=("counters",)),
    Section("rate", "Nodes per second", 125, make_rate, requires=("counters", "timings"),
            chapter="How fast"),
    Section("how", "How and where", 200, make_how, named=False, chapter="Trust"),
    Section("watch", "Watch the search", 10, make_watch, named=False),
)

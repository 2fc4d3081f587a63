"""The searches: their trees, their work and their rates; how and where they were measured, and how
to watch them.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench.analysis import POINT, definitions, descriptions, left_out, pruning, study
from nqbench.analysis.comparison import measure_precision
from nqbench.explain.recordings import MOST_EVENTS
from nqbench.problems.published import published
from nqbench.problems.published.computed import profiles
from nqbench.problems.queens import PUBLISHED, Tree, catalogue
from nqbench.records.descriptions import Description, describe, presets, to_study_file
from nqbench.records.record import PLAIN_SEARCH, SMALL
from nqbench.report import player, style
from nqbench.report.drawings import named
from nqbench.report.formats import format_first, format_rate
from nqbench.report.frames import Frames, at_largest_common
from nqbench.report.sections import UNMEASURED, Facts, Part, Section, claim
from nqbench.search.metrics import STATEMENTS
from nqbench.util.clocks import WALL

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
    None if it was not counted; smallest: those of the smallest tree at the n that most reached,
    None if all have as many nodes.
    """
    counters = frames.counters
    trees = pruning(counters)
    if trees.empty:
        return None
    plain = counters[counters["algorithm"] == PLAIN_SEARCH].drop_duplicates("n").tail(1)
    same = [name for name in trees["algorithm"].unique()
            if frames.descriptions[name].tree == Tree.PLAIN]
    many = len(same)
    common = at_largest_common(trees).sort_values("nodes", kind="stable")
    reached = trees[trees["algorithm"].isin(same)].groupby("algorithm")["n"].max().min()
    return Part(
        Facts(same_tree=same, largest=plain.to_dict("records")[0] if len(plain) else None,
              smallest=common.iloc[0].to_dict() if common["nodes"].nunique() > 1 else None),
        figures={"nodes": partial(nodes, counters)},
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
                {"work": partial(work, at_n)} if drawn else {},
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
    slowest, fastest = (format_rate(*found[["nodes_per_second", "low", "high"]].iloc[place])
                        for place in (-1, 0))
    return Part(Facts(taken=frames.taken), {"rates": found},
                {"rate": partial(rate, found)},
                finding=claim(f"From {slowest} to {fastest} nodes per second" * (len(found) > 1),
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


FIRST_N = 4  # the trees of smaller boards have too few solutions, or none


def nodes(counters: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw the nodes for each solution against n, a line for each tree; that of the plain tree goes
    as far as it is known.
    """
    exact = pd.Series({n: tree.nodes for n, tree in profiles().items()})
    with style.figure(width, 4.4) as (made, (axes,)):
        ends: list[style.End] = []
        reached, longest = [FIRST_N], pd.DataFrame()
        for members, line in same_lines(pruning(counters), "nodes"):
            if PLAIN_SEARCH in members:
                members = [PLAIN_SEARCH, *(name for name in members if name != PLAIN_SEARCH)]
                line = pd.concat([line, exact[exact.index > line.index.max()]])
            line = line[line.index >= FIRST_N]
            found = pd.DataFrame({"n": line.index, "nodes": line.values})
            found["for_each"] = found["nodes"] / found["n"].map(published("A000170").get)
            if len(found):
                reached.append(int(found["n"].iloc[-1]))
                longest = max(found, longest, key=len)
                ends.append(style.line(
                    axes, map(named, members), style.short(members), style.look_of(members[0]),
                    found, "n", "for_each", told=found[["n", "nodes"]]))
        axes.set(title="Nodes of the search tree for each solution", yscale="log")
        if ends:
            style.sizes(axes, reached)
            style.label_lines(axes, _aligned(ends, longest))
    return made


def _aligned(ends: list[style.End], longest: pd.DataFrame) -> list[style.End]:
    """Return the ends of lines, those of all but the longest at one n, and an end without a label
    where the longest line passes them.
    """
    n = sorted(int(x) for x, *_ in ends)[-2:][0]
    passing = longest.loc[longest["n"] == n + 1, "for_each"]
    return [(x if x > n else float(n), y, text, colour) for x, y, text, colour in ends] + [
        (float(n), float(y), "", style.GREY) for y in passing]


def work(counters: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw the tests and comparisons of each search at one n."""
    rows = counters.drop_duplicates("algorithm").sort_values("tests", kind="stable")
    same = rows[rows["nodes"].isin(rows["nodes"].mode()[:1])]["algorithm"]
    extremes = {*same[:1], *same[-1:]}  # of the searches of one tree
    labels, names = list(map(style.plain, rows["algorithm"])), list(map(named, rows["algorithm"]))
    with style.rows_of_dots(width, labels, names=names) as (made, (axes,)):
        for name, colour, marker in (("tests", style.BLUE, "o"),
                                     ("comparisons", style.ORANGE, "s")):
            found = rows.assign(**{name: rows[name].astype(float).where(rows[name] > 0)})
            style.dots(axes, found, name, labels, colour, names, marker, name, texts=[
                f"{row['tests']:,}" if name == "tests" and row["algorithm"] in extremes else ""
                for row in rows.to_dict("records")], told=rows[["n", name]])
        axes.set(xscale="log",
                 title=f"Squares tested, and single comparisons, n = {rows['n'].iloc[0]}")
        style.legend(axes)
    return made


def time(found: pd.DataFrame, n: int, width: float = style.WIDE) -> Figure:
    """Draw the seconds of each solver for all solutions of n queens, with their 95 % interval."""
    return style.ranking_of_times(found, n, width)


def rate(rates: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw nodes per second of each solver at the largest n it was measured at."""
    solvers, _ = style.solvers(rates)
    labels = [f"{name}, n = {n}" for name, n in zip(solvers, rates["n"], strict=True)]
    texts = [format_rate(*row) if place in (0, len(rates) - 1) else "" for place, row in enumerate(
        rates[["nodes_per_second", "low", "high"]].to_numpy())]
    return style.ranking(rates, "nodes_per_second", labels, texts, "Nodes per second", width)


def make_how(frames: Frames) -> Part:
    """Return the machine, how the times were taken, and what the run named at the top skipped.

    left_out: the number of points skipped to stay within the budget; sha256: the hash of the
    records that the page is made from; study_file: the study of the run at the top, empty if it is
    a preset with its own algorithms; unchecked: whether one of its algorithms was not checked;
    programs: what is known of each program, by name; clocks: by which the main run was timed;
    precision: of its times; mhz: the least and the greatest frequency of its cores.
    """
    run = frames.main.reindex(columns=[*frames.main, *{"clock", "mhz"} - {*frames.main}])
    timed = run[(run["metric"] == "seconds") & run["samples"].astype(bool)]
    mhz = timed["mhz"].dropna().astype(float)
    points: Any = timed.to_dict("records")
    skipped, told = left_out(frames.newest), study(frames.newest)
    usual = presets().get(told.get("name", ""))
    described = descriptions(frames.newest)
    return Part(Facts(
        machine=frames.machine, machines=frames.records["machine"].nunique(), taken=frames.taken,
        left_out=len(skipped), sha256=frames.sha256, small=SMALL,
        study_file="" if "name" not in told or (usual is not None and told.get(
            "algorithms") == usual.get("algorithms")) else to_study_file(told, described),
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

"""The tables of docs/ that are computed: `python docs/_site/tables.py` writes them, those of
measured figures from the published records.

A table stands below a comment that names its function: <!-- table: peers -->
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pandas as pd

from nqbench import analysis
from nqbench.engine.plans import Survey
from nqbench.problems.instances.families import FAMILIES
from nqbench.problems.published import published
from nqbench.report.formats import format_rate
from nqbench.search.metrics import METRICS, Kind
from nqbench.topics.engines.section import SAMPLED, engine_ratios, latest_engines
from nqbench.topics.instances.section import (
    half_points,
    savings_by_instance,
    searches_in_pairs,
    transitions,
)
from nqbench.topics.peers.measurement import BASELINE
from nqbench.topics.peers.section import against_peers, latest_peers
from nqbench.topics.peers.section_same_tree import same_trees
from nqbench.topics.sudoku.section import rates_of_solvers
from nqbench.util.text import format_bytes, format_float, format_range, format_seconds

DOCS = Path(__file__).parents[1]
PAGES = sorted(page for page in DOCS.glob("*.md") if "<!-- table: " in page.read_text("utf-8"))
BETTER = {True: "less", False: "more", None: ""}
N = 10  # queens of a table of times
WHOLE = 16  # queens that all kernels and Somers' program count
LEVELS = "value", "bounds", "domain"
KERNELS = "fast:avx512", "fast:avx2", "fast:portable"


def metrics(kind: Kind) -> Iterator[tuple[object, ...]]:
    """A metric of this kind in each row."""
    yield "metric", "unit", "meaning", "better"
    for each in METRICS.values():
        if each.kind == kind:
            yield f"`{each.name}`", each.unit, each.meaning, BETTER[each.less_is_better]


def peers(records: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """A peer in each row, with its time for `N` queens, and times that of the engine."""
    yield "", "version", f"n = {N}", "times"
    found = against_peers(latest_peers(records))
    for row in found[found["n"] == N].to_dict("records"):
        yield (row["peer"], row["version"], format_seconds(row["seconds"]), "1" if row[
            "peer"] == BASELINE else in_range(row, "times", "times_low", "times_high"))


def same_tree(records: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """A solver in each row, with the time of a node at each level of consistency."""
    found = same_trees(records[records["metric"] == "same_tree"])
    yield "", "version", *LEVELS
    for solver, rows in found[found["n"] == N].groupby("solver", sort=False):
        of = rows.set_index("propagation").to_dict("index")
        yield (solver, rows["version"].iloc[0], *(
            in_range(of[level], "seconds_per_node", unit="seconds") if level in of else ""
            for level in LEVELS))


def failures(records: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """The nodes and failures of Gecode at each level."""
    found = same_trees(records[records["metric"] == "same_tree"])
    yield "n", "solutions", *LEVELS
    for n, rows in found[(found["solver"] == "Gecode") & found["n"].isin([8, N])].groupby("n"):
        of = rows.set_index("propagation")
        yield n, f"{of['solutions'].iloc[0]:,}", *(
            f"{of['nodes'][level]:,}, {of['failures'][level]:,}" for level in LEVELS)


def savings(records: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """An idea in each row that differs from another by one idea, the largest saving first."""
    yield "idea", "against", "fewer nodes on", "times fewer nodes"
    found = savings_by_instance(searches_in_pairs(records[records["preset"] == "savings"]))
    for row in found.sort_values("ratio", ascending=False).to_dict("records"):
        if row["verdict"] == "saves":
            least, most = in_range(row, "ratio"), in_range(row, "at_most")
            yield (f"`{row['idea']}`", f"`{row['without']}`", f"{row['fewer']} of "
                   f"{row['instances']}", "at least " * (most != least) + least)


def halves(records: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """Where half of the random boards have a solution, and the most nodes (medians over the boards
    of a density), for the smallest and the largest n of each family.
    """
    yield "family", "n", "half have a solution at", "", "nodes, median, at most"
    found = transitions(records)
    for row in half_points(found).to_dict("records"):
        of = found[found["family"] == row["family"]]
        if row["n"] in (of["n"].min(), of["n"].max()):
            nodes = of.loc[of["n"] == row["n"], "nodes"].max()
            yield (f"`{row['family']}`", row["n"], in_range(row, "density"),
                   FAMILIES[row["family"]].axis, f"{nodes:,g}")


def engines(records: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """The seconds of both engines for each n, and their ratio."""
    yield "n", "by", "cross", "join", "ratio"
    for row in engine_ratios(latest_engines(records, "")).to_dict("records"):
        yield (row["n"], "a sample of parts" if row["by"] == SAMPLED else "whole counts",
               format_float(row["cross"]), format_float(row["join"]),
               in_range(row, "cross_over_join"))


def kernels(records: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """A kernel in each row, with the seconds of both engines for `WHOLE` queens."""
    yield "kernel", "cross", "join", "cross / join", "Somers' program / cross"
    run, found = latest_engines(records, ""), analysis.kernels(records)
    for row in found[(found["n"] == WHOLE) & (found["jobs"] == 1)].to_dict("records"):
        ratios = engine_ratios(run[run["kernel"].isna() | (run["kernel"] == row["kernel"])])
        (both,) = ratios[ratios["n"] == WHOLE].to_dict("records")
        yield (f"`{row['kernel']}`", format_seconds(both["cross"]), format_seconds(both["join"]),
               in_range(both, "cross_over_join"), in_range(row, "ratio"))


def plans(records: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """The plan of the cross for each even n from 20 on."""
    yield ("n", "core-hours (95 %)", "on 1,000 cores", "parts",
           "time of a part: mean, 95 % quantile, longest of 120", "checkpoint",
           "solutions by the sample (95 %)", "A000170")
    found = records[(records["metric"] == "plan") & (records["algorithm"] == "cross")]
    for n, (fields,) in zip(found["n"], found["samples"], strict=True):
        if n in (20, 22, 24):
            of = Survey.of(fields)
            yield (n, format_range(*(each / 3600 for each in of.seconds)),
                   format_seconds(of.seconds[0] / 1000), f"{of.parts:,}", ", ".join(map(
                       format_seconds, (of.mean, of.longest(0.95), of.longest()))),
                   format_bytes(of.checkpoint), format_range(*of.solutions),
                   f"{published('A000170')[n]:,}")


def sudoku_kernels(records: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """The puzzles that each kernel of `fast` solves in a second."""
    yield "puzzles", "AVX-512", "AVX2", "portable"
    run = records.loc[records["algorithm"] == KERNELS[-1], "run"]
    found = rates_of_solvers(records[(records["metric"] == "rate") & records["run"].isin(run)
                                     & records["algorithm"].isin(KERNELS)])
    for name, rows in found.groupby("data_set", sort=False):
        of = rows.set_index("algorithm").to_dict("index")
        if {*KERNELS} <= {*of}:
            yield name, *(format_rate(*(of[kernel][figure] for figure in (
                "per_second", "low", "high"))) for kernel in KERNELS)


def in_range(row: dict[str, float], value: str, low: str = "low", high: str = "high",
             unit: str = "") -> str:
    """A figure of a row with its interval."""
    return format_range(row[value], row[low], row[high], unit)


# The preset or the study file whose run each table shows.
MEASURED: dict[str, tuple[str, Callable[[pd.DataFrame], Iterable[tuple[object, ...]]]]] = {
    each.__name__: (preset, each) for preset, each in (
        ("peers", peers), ("same_tree", same_tree), ("same_tree", failures), ("savings", savings),
        ("blocked", halves), ("engine", engines), ("engine", kernels), ("engine", plans),
        ("kernels", sudoku_kernels))}


def origin(records: pd.DataFrame, preset: str) -> str:
    """Where the newest run of a preset was measured, and with what."""
    of = records[records["preset"] == preset].sort_values("run").iloc[-1]
    return (f"Run of `{preset}`, {of['run'][:10]}: {of['processor']}, {of['python']}, "
            f"{of['compiler']}, commit {of['commit'][:8]}.\n\n")


def fill(text: str, records: pd.DataFrame) -> str:
    """Return a page with its tables; those of measured figures follow their origin."""
    def table(found: re.Match[str]) -> str:
        preset, rows = MEASURED.get(found[2], ("", None))
        head, *body = rows(records) if rows else metrics(Kind(found[2]))
        rule = f"|{'|'.join(['---'] * len(head))}|"
        lines = [f"| {' | '.join(map(str, row))} |" for row in (head, *body)]
        return "\n".join([found[1], (origin(records, preset) if preset else "")
                          + lines[0].replace("|  |", "| |"), rule, *lines[1:], "\n"])

    return re.sub(r"(<!-- table: (.+) -->)\n+(?:Run of .*\n+)?(?:\|.*\n)*\n*", table,
                  text).rstrip("\n") + "\n"


if __name__ == "__main__":
    known = analysis.load(DOCS.parent / "results", published=True)
    for page in PAGES:
        page.write_text(fill(page.read_text("utf-8"), known), "utf-8")

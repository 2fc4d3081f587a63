"""Solvers of Sudoku: their rates, and the nodes by difficulty."""

from collections.abc import Mapping
from functools import partial
from itertools import cycle
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench.analysis.uncertainty import warnings
from nqbench.problems.plugins.limits import LEFT_OUT, TIME
from nqbench.problems.sudoku import DATA_SETS, catalogue, difficulties
from nqbench.report import style
from nqbench.report.drawings import named
from nqbench.report.formats import format_rate, format_value
from nqbench.report.frames import Frames, at_largest_common
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.topics.sudoku.rates import figures
from nqbench.util.text import format_float

SOLVER = ["algorithm", "implementation"]
FIGURES = dict.fromkeys(("per_second", "low", "high", "answered", "unguessed", "guesses", "nodes"),
                        "float") | {
    "slowest": "Int64", "slowest_seconds": "float", "samples": "Int64", "warning": "object"}


def latest_rates(records: pd.DataFrame, machine: str | None = None,
                 problem: str = "sudoku") -> pd.DataFrame:
    """Return for each data set of a problem the rates of one run: the run that measured the most
    solvers on it, the newest of equals.

    If a machine is named, its runs come first, and of other machines only those with permuted
    puzzles: these come before puzzles as given, which the branch predictor learns.

    If sets of the same name have different puzzles, the beginning of their SHA-256 distinguishes
    them.
    """
    rates = records[records["metric"] == "rate"]
    rates = rates[rates["problem"].fillna("sudoku") == problem].copy()
    rates["rank"] = 0
    if machine is not None:
        rates["rank"] = 2 * rates["permuted"].eq(True) + (rates["machine"] == machine)
        rates = rates[rates["rank"] > 0]
    if rates.empty:
        return rates
    kinds = rates.groupby("data_set")["sha12"].transform("nunique")
    rates["data_set"] = rates["data_set"].where(
        kinds == 1, rates["data_set"] + " (" + rates["sha12"].str[:4] + ")")
    measured = (rates["status"] == "measured").astype(int)
    rates["solvers"] = measured.groupby(
        [rates[name] for name in ("data_set", "run", "machine")]).transform("sum")
    best = rates.sort_values(["rank", "solvers", "run"], kind="stable").groupby("data_set").tail(1)
    chosen = rates.merge(best[["data_set", "run", "machine"]]).drop(columns=["rank", "solvers"])
    order = [*DATA_SETS, *sorted({*chosen["data_set"]} - {*DATA_SETS})]
    return chosen.sort_values("data_set", kind="stable", ignore_index=True,
                              key=lambda names: names.map(order.index))


def rates_of_solvers(rates: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each solver and data set: data_set, algorithm, implementation, puzzles,
    status, per_second (`typical`), low, high (its 95 % interval), answered and unguessed
    (shares of all puzzles), guesses and nodes (for each answered puzzle), slowest (its number),
    slowest_seconds, samples, warning. Solvers that were not measured have no figures.
    """
    head = ["data_set", *SOLVER, "puzzles", "status"]
    rows = [{name: record[name] for name in head}
            | (figures(record) | {"warning": "; ".join(warnings(
                record["samples"], record["loops"], record.get("disturbed")))}
               if record["status"] == "measured" else {})
            for record in rates.to_dict("records")]
    return pd.DataFrame(rows, columns=[*head, *FIGURES]).astype(FIGURES)


def nodes_by_difficulty(rates: pd.DataFrame) -> pd.DataFrame:
    """Return the nodes of puzzles by their published difficulty: data_set, algorithm,
    implementation, difficulty (rounded down to a half), puzzles, answered, median, low, high (the
    quartiles of the nodes of the answered puzzles).
    """
    rows = []
    for record in rates[rates["status"] == "measured"].to_dict("records"):
        known = difficulties(record["data_set"]) if record["data_set"] in DATA_SETS else None
        if known is None or not isinstance(record.get("nodes"), list) or (
                len(known) != len(record["nodes"])):
            continue
        halves = [int(2 * x) / 2 for x in known]
        for difficulty, nodes in pd.Series(record["nodes"], dtype=float).groupby(halves):
            rows.append((record["data_set"], record["algorithm"], record["implementation"],
                         difficulty, len(nodes), nodes.count(), nodes.median(),
                         nodes.quantile(0.25), nodes.quantile(0.75)))
    return pd.DataFrame(rows, columns=["data_set", *SOLVER, "difficulty", "puzzles", "answered",
                                       "median", "low", "high"])


def make_sudoku(frames: Frames) -> Part | None:
    """Return the rates of the solvers of Sudoku; None if none was measured.

    rated: the runs, each with its `data_sets`, and `here`: whether it was on the machine named at
    the top; left_out: how many solvers were left out or timed out on a data set; seeds: the seeds
    of the permuted data sets, by name; as_given: the others.
    """
    records = frames.here(latest_rates)
    rates = rates_of_solvers(records)
    if not rates["per_second"].notna().any():
        return None
    first = records.drop_duplicates("data_set").to_dict("records")
    seeds = {str(row["data_set"]): int(row["seed"]) for row in first if row.get("permuted") is True}
    known = records.astype(object).where(records.notna(), None)
    return Part(Facts(
        rated=[{**rows.iloc[0], "data_sets": ", ".join(rows["data_set"].unique()),
                "here": rows["machine"].iat[0] == frames.machine["machine"]}
               for _, rows in known.groupby("run", sort=False)],
        nodes_allowed=sorted(map(int, records["nodes_allowed"].unique())),
        left_out=int(rates["status"].isin([LEFT_OUT, TIME]).sum()), seeds=seeds,
        as_given=[str(row["data_set"]) for row in first if row["data_set"] not in seeds],
        known=", ".join(DATA_SETS)), {"sudoku": rates}, {"sudoku": partial(puzzle_rates, rates)},
        records, claim(sudoku_finding(rates), n=None,
                       processes=int(records.loc[records["samples"].astype(bool),
                                                 "processes"].min())))


def make_sudoku_difficulty(frames: Frames) -> Part | None:
    """Return the nodes by the difficulty of the puzzles; None if no data set has it.

    hardness: the least and the greatest rating; cut: how many times fewer nodes a search with the
    fewest candidates first has, least and most; queens: n, and the same for queens.
    """
    records = frames.here(latest_rates)
    hard = nodes_by_difficulty(records)
    if hard.empty:
        return None
    trees = hard.dropna(subset="median").drop_duplicates(["algorithm", "difficulty"])
    medians = {str(name): rows.set_index("difficulty")["median"]
               for name, rows in trees.groupby("algorithm", sort=False)}
    harder = {name: nodes.iloc[-1] / nodes.iloc[0] for name, nodes in medians.items()}
    least, most = (format_value(float(each)) for each in (min(harder.values()),
                                                          max(harder.values())))
    return Part(
        Facts(cut=_cut(medians), queens=_queens(frames.pruning.gains),
              hardness=(hard["difficulty"].min(), hard["difficulty"].max())),
        {"sudoku_difficulty": hard}, {"sudoku_difficulty": partial(puzzle_difficulty, trees)},
        records, claim(f"What is hard for people takes {least} to {most} times the nodes"
                       if len(harder) > 1 else "", n=None, processes=None))


def sudoku_finding(rates: pd.DataFrame) -> str:
    """Return the rate of the fastest solver; empty if it is not the same on all data sets."""
    measured = rates.dropna(subset="per_second").sort_values("per_second")
    fastest = measured.groupby("data_set").tail(1)
    names = fastest[SOLVER].drop_duplicates()
    if len(names) > 1:
        return ""
    low, high = (format_rate(*fastest[["per_second", "low", "high"]].iloc[place])
                 for place in (0, -1))
    rate = low if len(fastest) == 1 else f"{low} to {high}"
    return f"Our fastest solver, {style.solver(*names.iloc[0])}, solves {rate} puzzles per second"


def _cut(medians: dict[str, pd.Series]) -> tuple[float, float] | None:
    """Return how many times fewer nodes a search with the fewest candidates first has, least and
    most.
    """
    if not {"textbook_bitmask", "fewest_first"} <= set(medians):
        return None
    cut = (medians["textbook_bitmask"] / medians["fewest_first"]).dropna()
    return (cut.min(), cut.max()) if len(cut) else None


def _queens(gains: pd.DataFrame) -> tuple[int, float] | None:
    """Return n, and how many times fewer nodes a search with the fewest free squares first has
    there.
    """
    common = gains if gains.empty else at_largest_common(gains)
    fewest = common[common["algorithm"] == "fewest_first"]
    return (int(fewest["n"].iloc[0]), fewest["nodes"].max()) if len(fewest) else None


LOOKS = ((style.GREY, "o"), (style.BLUE, "s"), (style.GREEN, "D"), (style.ORANGE, "^"),
         (style.RED, "v"))
LOOK: Mapping[str, tuple[str, str]] = dict(zip(catalogue(), cycle(LOOKS), strict=False))


def look(algorithm: str) -> tuple[str, Any]:
    """Return colour and marker of an algorithm of Sudoku; a value of its parameter changes nothing.
    """
    return LOOK.get(algorithm.partition(":")[0]) or style.foreign(algorithm)


def named_puzzles(algorithm: str, implementation: str = "") -> str:
    """Return the name of an algorithm of Sudoku as a series; an algorithm for queens may have the
    same name.
    """
    return named(f"sudoku:{algorithm}", implementation)


def puzzle_rates(rates: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw the puzzles per second of each solver on each data set, with the 95 % interval; markers
    are hollow if not every puzzle was answered. A solver without any rate has no row.
    """
    measured = rates[rates["per_second"].notna()].assign(
        place=lambda rows: list(map(style.solver, rows["algorithm"], rows["implementation"])))
    solvers = measured.drop_duplicates("place")
    labels, names = list(solvers["place"]), list(map(
        named_puzzles, solvers["algorithm"], solvers["implementation"]))
    sets = list(rates.groupby("data_set", sort=False))
    height = style.height_of(len(names), width)
    with style.figure(width, height, len(sets), sharex=True) as (made, panels):
        for number, (axes, (data_set, own)) in enumerate(zip(panels, sets, strict=True)):
            rows = measured[measured["data_set"] == data_set].set_index("place").reindex(labels)
            style.dots(axes, rows, "per_second", labels, style.BLUE, names,
                       hollow=list(rows["answered"] < 1),
                 texts=[format_rate(*each) if each[0] == rows["per_second"].max() else ""
                        for each in rows[["per_second", "low", "high"]].to_numpy()],
                 told=rows[["per_second", "low", "high", "answered"]])
            style.name_rows(axes, labels, names)
            axes.set(xscale="log",
                     title=f"{style.plain(str(data_set))}, {own['puzzles'].iloc[0]:,} puzzles")
            axes.tick_params("x", labelbottom=True)
            if number % 2 and not style.is_narrow(axes):
                axes.tick_params("y", labelleft=False)
        panels[-1].set_xlabel("puzzles per second")
    return made


def puzzle_difficulty(found: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw nodes against published difficulty: median and quartiles, with a line for each search
    tree.
    """
    with style.figure(width, 3.6) as (made, (axes,)):
        ends = []
        for name, rows in found.groupby("algorithm", sort=False):
            told = rows[["difficulty", "median"]].rename(columns={"median": "nodes"}).assign(
                quartiles=[f"{format_value(low)} to {format_value(high)}" for low, high in zip(
                    rows["low"], rows["high"], strict=True)])
            times = rows["median"].iloc[-1] / rows["median"].iloc[0]
            ends.append(style.line(axes, [named_puzzles(str(name))],
                                   f"{style.plain(str(name))}: {format_float(times)}x",
                             (*look(str(name)), "-"), rows, "difficulty", "median", 0.15, told))
        axes.set(yscale="log", title="Nodes, median and quartiles",
                 xlabel="rating, from the hardest step for people")
        style.label_lines(axes, ends)
    return made


SECTIONS = (
    Section("sudoku", "Sudoku", 180, make_sudoku, timed=True, chapter="Sudoku"),
    Section("sudoku_difficulty", "What makes a puzzle hard", 182, make_sudoku_difficulty),
)

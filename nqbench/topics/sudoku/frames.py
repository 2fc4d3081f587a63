"""Rates of the solvers of Sudoku as DataFrames."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from nqbench.analysis.uncertainty import interval, warnings
from nqbench.problems.sudoku import DATA_SETS, difficulties
from nqbench.records.record import Samples
from nqbench.topics.sudoku.rates import figures

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
    order = {name: place for place, name in enumerate(DATA_SETS)}
    return chosen.sort_values(
        "data_set", kind="stable", key=lambda names: names.map(
            lambda name: (order.get(name, len(order)), name))).reset_index(drop=True)


def rates_of_solvers(rates: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each solver and data set: data_set, algorithm, implementation, puzzles,
    status, per_second (median), low, high (its 95 % bootstrap interval), answered and unguessed
    (shares of all puzzles), guesses and nodes (for each answered puzzle), slowest (its number),
    slowest_seconds, samples, warning. Solvers that were not measured have no figures.
    """
    head = ["data_set", *SOLVER, "puzzles", "status"]
    rows = [{name: record[name] for name in head}
            | (_figures(record) if record["status"] == "measured" else {})
            for record in rates.to_dict("records")]
    return pd.DataFrame(rows, columns=[*head, *FIGURES]).astype(FIGURES)


def _figures(record: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the figures of a record, with the interval of its rate and the reasons to doubt it."""
    found = figures(record)
    many = round(found["answered"] * record["puzzles"])
    low, high = interval(Samples(
        [many / seconds for seconds in record["samples"]], record["processes"]))
    return found | {"low": low, "high": high,
                    "warning": "; ".join(warnings(
                        record["samples"], record["loops"], record.get("disturbed")))}


def nodes_by_difficulty(rates: pd.DataFrame) -> pd.DataFrame:
    """Return the nodes of puzzles by their published difficulty: data_set, algorithm,
    implementation, difficulty (rounded down to a half), puzzles, answered, median, low, high (the
    quartiles of the nodes of the answered puzzles).
    """
    rows = []
    for record in rates[rates["status"] == "measured"].to_dict("records"):
        known = (difficulties(record["data_set"]) if record["data_set"] in DATA_SETS else None)
        if known is None or not isinstance(record.get("nodes"), list) or (
                len(known) != len(record["nodes"])):
            continue
        frame = pd.DataFrame({"difficulty": [int(2 * x) / 2 for x in known],
                              "nodes": pd.Series(record["nodes"], dtype=float)})
        for difficulty, group in frame.groupby("difficulty"):
            answered = group["nodes"].dropna()
            rows.append((record["data_set"], record["algorithm"], record["implementation"],
                         difficulty, len(group), len(answered), answered.median(),
                         answered.quantile(0.25), answered.quantile(0.75)))
    return pd.DataFrame(rows, columns=["data_set", *SOLVER, "difficulty", "puzzles", "answered",
                                       "median", "low", "high"])

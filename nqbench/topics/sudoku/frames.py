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
                    "warning": "; ".join(warnings(record["samples"], record["loops"]))}


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

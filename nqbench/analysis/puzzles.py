"""Solvers of Sudoku: rates, guesses, and nodes by the difficulty of a puzzle.

    records = nqbench.analysis.load("results")
    nqbench.analysis.rates_of_solvers(nqbench.analysis.latest_rates(records))
"""

import pandas as pd

from nqbench.study.plans import PRESETS
from nqbench.sudoku import DATA_SETS, difficulties

SOLVER = ["algorithm", "implementation"]


def latest_rates(records: pd.DataFrame, machine: str | None = None) -> pd.DataFrame:
    """Return the rates of the newest study that has some on the data sets of the package, on one
    machine, and for every other set of puzzles those of the newest run on it.
    """
    rates = records[records["metric"] == "rate"]
    if machine is not None:
        rates = rates[rates["machine"] == machine]
    studied = rates["preset"].isin(PRESETS)
    study = rates[studied & (rates["status"] == "measured")]["run"].max()
    others = rates[~studied & ~rates["data_set"].isin(DATA_SETS)]
    newest = others.groupby("data_set")["run"].transform("max")
    both: pd.DataFrame = pd.concat([rates[studied & (rates["run"] == study)],
                      others[others["run"] == newest]])
    return both.reset_index(drop=True)


def rates_of_solvers(rates: pd.DataFrame) -> pd.DataFrame:
    """Return one row a solver and data set: data_set, algorithm, implementation, puzzles,
    per_second (median), low, high, answered and unguessed (shares of all puzzles), guesses and
    nodes (for each answered puzzle), slowest (its number), slowest_seconds, samples. Solvers
    that were left out have no figures.
    """
    rows = []
    for record in rates.to_dict("records"):
        head = (record["data_set"], record["algorithm"], record["implementation"],
                record["puzzles"])
        if record["status"] != "measured":
            rows.append((*head, *[None] * 10))
            continue
        nodes, guesses = ([x for x in record[name] if x is not None]
                          for name in ("nodes", "guesses"))
        many = len(nodes)
        per_second = pd.Series([many / seconds for seconds in record["samples"]])
        rows.append((*head, per_second.median(), per_second.min(), per_second.max(),
                     many / record["puzzles"], sum(g == 0 for g in guesses) / record["puzzles"],
                     sum(guesses) / many, sum(nodes) / many, record["slowest"]["puzzle"],
                     record["slowest"]["seconds"], len(per_second)))
    figures = ["per_second", "low", "high", "answered", "unguessed", "guesses", "nodes"]
    found = pd.DataFrame(rows, columns=["data_set", *SOLVER, "puzzles", *figures, "slowest",
                                        "slowest_seconds", "samples"])
    return found.astype(dict.fromkeys([*figures, "slowest_seconds"], float) | dict.fromkeys(
        ["slowest", "samples"], "Int64"))


def nodes_by_difficulty(rates: pd.DataFrame) -> pd.DataFrame:
    """Return the nodes of puzzles by their published difficulty: data_set, algorithm,
    implementation, difficulty (rounded down to a half), puzzles, answered, median, low, high
    (the quartiles of the nodes of those answered).
    """
    rows = []
    for record in rates[rates["status"] == "measured"].to_dict("records"):
        known = difficulties(record["data_set"]) if record["data_set"] in DATA_SETS else None
        if known is None or len(known) != len(record["nodes"]):
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

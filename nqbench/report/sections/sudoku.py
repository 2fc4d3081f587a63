"""The same ideas on Sudoku."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from nqbench import analysis
from nqbench._text import format_justified
from nqbench.report import plots, style
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import at_largest_common
from nqbench.sudoku import DATA_SETS

NAMED = ["algorithm", "implementation"]


@dataclass(frozen=True)
class Facts:
    """The solvers by data set, and the nodes by difficulty.

    fastest, fastest_in_python: the fastest solver of each data set; rated: the runs, each with its
    `data_sets`, and `here`: whether it was on the machine named at the top; left_out: how many
    solvers have no rate on a data set; harder: by solver how many times the nodes grow over the
    ratings of `hardness`; cut: how many times fewer nodes a search with the fewest candidates first
    has, least and most; queens: n, and the same for queens; seeds: the seeds of the permuted data
    sets, by name; as_given: the others.
    """

    data_sets: dict[str, pd.DataFrame]
    fastest: pd.DataFrame
    fastest_in_python: pd.DataFrame
    rated: list[dict[Any, Any]]
    nodes_allowed: list[int]
    left_out: int
    harder: dict[str, float]
    hardness: tuple[float, float]
    cut: tuple[float, float] | None
    queens: tuple[int, float] | None
    seeds: dict[str, int]
    as_given: list[str]
    known: str = ", ".join(DATA_SETS)

    @property
    def best(self) -> pd.DataFrame:
        """The fastest solver of each data set, and the fastest in Python."""
        rows = self.fastest[["data_set", *NAMED, "per_second", "low", "high"]].copy()
        python = self.fastest_in_python.set_index("data_set")
        rows.insert(1, "solver", list(map(style.solver, *(rows.pop(name) for name in NAMED))))
        rows["in Python"] = rows["data_set"].map(python["algorithm"])
        for name, column in (("rate", "per_second"), ("rate_low", "low"), ("rate_high", "high")):
            rows[name] = rows["data_set"].map(python[column])
        return rows.dropna(axis="columns", how="all")

    @property
    def finding(self) -> str:
        """The rate of the fastest solver; empty if it is not the same on all data sets."""
        names = self.fastest[["algorithm", "implementation"]].drop_duplicates()
        if len(names) > 1:
            return ""
        rates = self.fastest.sort_values("per_second")[["per_second", "low", "high"]]
        low, high = (format_justified(*rates.iloc[place]) for place in (0, -1))
        solver = style.solver(*names.iloc[0])
        if len(self.fastest) == 1:
            return f"{solver} solves {low} puzzles per second"
        return f"{solver} solves {low} to {high} puzzles per second"


def build(frames: Frames) -> Part | None:
    """Return the solvers of Sudoku; None if no rate was measured."""
    rates, hard = (analysis.rates_of_solvers(frames.rates),
                   analysis.nodes_by_difficulty(frames.rates))
    if not rates["per_second"].notna().any():
        return None
    figures = {"sudoku": lambda: plots.puzzle_rates(rates)}
    if len(hard):
        figures["sudoku_difficulty"] = lambda: plots.puzzle_difficulty(hard)
    found = {"sudoku": rates, "sudoku_difficulty": hard}
    made = _facts(rates, hard, frames)
    return Part(made, found, figures, {
        "sudoku": "Solvers of Sudoku by data set: puzzles per second, medians of {samples}, "
                  "with 95 % bootstrap intervals (low, high).",
        "sudoku_difficulty": "Nodes by the published difficulty of the puzzles: median and "
                             "quartiles (low, high) of what was answered; exact.",
    }, frames.rates, made.finding)


def _facts(rates: pd.DataFrame, hard: pd.DataFrame, frames: Frames) -> Facts:
    """Return the facts of the tables of rates and of nodes by difficulty."""
    trees = hard.drop_duplicates(["algorithm", "difficulty"]).groupby("algorithm", sort=False)
    medians = {str(name): rows.set_index("difficulty")["median"] for name, rows in trees}
    measured = rates[rates["per_second"].notna()]
    return Facts(
        data_sets={name: rows.drop(columns="data_set") for name, rows in _by(rates, "data_set")},
        fastest=_fastest(measured),
        fastest_in_python=_fastest(measured[measured["implementation"] == "python"]),
        rated=[{**rows.iloc[0], "data_sets": ", ".join(rows["data_set"].unique()),
                "here": rows["machine"].iat[0] == frames.machine["machine"]}
               for _, rows in _by(frames.rates, "run")],
        nodes_allowed=sorted(map(int, frames.rates["nodes_allowed"].unique())),
        left_out=int(rates["per_second"].isna().sum()),
        harder={name: nodes.iloc[-1] / nodes.iloc[0] for name, nodes in medians.items()},
        hardness=(hard["difficulty"].min(), hard["difficulty"].max()),
        cut=_cut(medians), queens=_queens(frames.pruning.gains), **_orders(frames.rates))


def _orders(rates: pd.DataFrame) -> dict[str, Any]:
    """Return which data sets were permuted, with the seed, and which were taken as given."""
    first = rates.drop_duplicates("data_set").to_dict("records")
    seeds = {str(row["data_set"]): int(row["seed"]) for row in first if row.get("permuted") is True}
    return {"seeds": seeds, "as_given": [
        str(row["data_set"]) for row in first if row["data_set"] not in seeds]}


def _by(rows: pd.DataFrame, column: str) -> list[tuple[str, pd.DataFrame]]:
    """Return groups of rows by a column, with None for what is not known."""
    found = rows.astype(object).where(rows.notna(), None)
    return [(str(name), group) for name, group in found.groupby(column, sort=False)]


def _fastest(rates: pd.DataFrame) -> pd.DataFrame:
    """Return the fastest solver of each data set."""
    return rates.sort_values("per_second").groupby("data_set").tail(1).sort_index()


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
    if gains.empty:
        return None
    common = at_largest_common(gains)
    fewest = common[common["algorithm"] == "fewest_first"]
    return (int(fewest["n"].iloc[0]), fewest["nodes"].max()) if len(fewest) else None


SECTION = Section("sudoku", "Sudoku", 180, build, requires=("rates",), timed=True,
                  chapter="Sudoku")

"""What each idea saves on each of many random instances of queens."""

from dataclasses import dataclass
from functools import partial

import pandas as pd

from nqbench import analysis
from nqbench._text import format_justified
from nqbench.analysis.by_instance import BOARDS, SAME_TREE, SAVES
from nqbench.instances.families import FAMILIES
from nqbench.report import plots
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section


@dataclass(frozen=True)
class Finding:
    """What the ideas save on the boards of a family, for the n with the most instances.

    best: the row of the idea that saves the most, None if none does significantly; others: the rows
    of the other ideas that save nodes; same: those with the same tree; rest: all other rows.
    """

    name: str
    amount: str
    n: int
    instances: int
    best: pd.Series | None
    others: pd.DataFrame
    same: pd.DataFrame
    rest: pd.DataFrame


@dataclass(frozen=True)
class Facts:
    """The findings, and the table of all ideas."""

    findings: list[Finding]
    rows: pd.DataFrame

    @property
    def finding(self) -> str:
        """The largest saving on the median board of the first family."""
        best = self.findings[0].best
        if best is None:
            return ""
        times = format_justified(best["ratio"], best["low"], best["high"])
        return (f"{best['idea']} takes {times} times fewer nodes than {best['without']} on random "
                "boards")


def build(frames: Frames) -> Part:
    """Return a figure for each family, and the table of all ideas."""
    pairs = frames.searches_in_pairs
    found = analysis.savings_by_instance(pairs)
    findings, figures = [], {}
    for name, rows in found.groupby("family", sort=False):
        most = rows[rows["instances"] == rows["instances"].max()]
        here = rows[rows["n"] == most["n"].max()]
        findings.append(find(str(name), here))
        shown = pairs[(pairs[BOARDS] == here.iloc[0][BOARDS]).all(axis=1) & pairs["idea"].isin(
            here.loc[here["verdict"] != SAME_TREE, "idea"])]
        if len(shown):
            figures[f"by_instance_{name}"] = partial(plots.by_instance, shown)
    made = Facts(findings, found)
    return Part(
        made, {"savings_by_instance": found}, figures,
        {"savings_by_instance": "Random instances of queens: in how many an idea takes fewer nodes "
                                "than the same search without it, and the median of the ratios."},
        frames.records[frames.records["metric"] == "transition"], made.finding)


def find(name: str, rows: pd.DataFrame) -> Finding:
    """Return the finding of the boards of a family and an n."""
    saving = rows[rows["verdict"] == SAVES].sort_values("ratio", ascending=False, kind="stable")
    same = rows[rows["verdict"] == SAME_TREE]
    first = rows.iloc[0]
    return Finding(name, FAMILIES[name].amount, int(first["n"]), int(rows["instances"].max()),
                   saving.iloc[0] if len(saving) else None, saving[1:], same,
                   rows.drop([*saving.index, *same.index]))


SECTION = Section("by_instance", "Savings per instance", 86, build,
                  requires=("searches_in_pairs",), chapter="What pruning saves")

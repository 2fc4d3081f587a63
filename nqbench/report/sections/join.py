"""How the join counts, and how much faster it is than the cross and Somers' program."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from nqbench import analysis
from nqbench._text import format_justified
from nqbench.reference import published
from nqbench.report import halves, plots
from nqbench.report.choices import by_scale
from nqbench.report.frames import Frames, read_context
from nqbench.report.halves import Picture
from nqbench.report.sections import Part, Section


@dataclass(frozen=True)
class Facts:
    """The drawings, the run and its kernel, and the rows that the text names.

    ratios, phases: tables; first, last: their rows of the smallest and largest n; somers: the last
    row with a time of Somers' program; sampled: from which n on parts were sampled, None if
    none were; here: whether it was measured on the machine named at the top.
    """

    run: dict[Any, Any]
    kernel: str
    here: bool
    ratios: pd.DataFrame
    phases: pd.DataFrame
    somers: dict[Any, Any] | None
    sampled: int | None
    pictures: tuple[Picture, Picture]

    @property
    def finding(self) -> str:
        """How much faster the join is at the largest n; empty if it is not."""
        if not self.last["low"] > 1:
            return ""
        times = format_justified(*(self.last[name] for name in ("cross_over_join", "low", "high")))
        return f"Joining halves counts {self.last['n']} queens {times} times as fast as the cross"

    @property
    def shown_phases(self) -> pd.DataFrame:
        """The table of phases as the page shows it."""
        return self.phases.rename(columns={"moments": "samples of the profiler"})

    @property
    def per_cent(self) -> dict[str, str]:
        """The units of its columns with shares."""
        return dict.fromkeys(self.phases.columns.difference(["n", "moments"]), " %")

    def cost(self, algorithm: str, row: dict[Any, Any]) -> float:
        """Return the nanoseconds that an algorithm needs for a solution in a row of the ratios."""
        return float(1e9 * row[algorithm] / published("A000170")[row["n"]])

    @property
    def first(self) -> dict[Any, Any]:
        """The row of the smallest n."""
        return self.ratios.iloc[0].to_dict()

    @property
    def last(self) -> dict[Any, Any]:
        """The row of the largest n."""
        return self.ratios.iloc[-1].to_dict()


def build(frames: Frames) -> Part | None:
    """Return the join against the cross; None if the run has no n that both counted."""
    run = frames.engines
    costs, ratios = analysis.costs(run), analysis.engine_ratios(run)
    if ratios.empty:
        return None
    phases = analysis.join_phases(run)
    made = _facts(frames, costs, ratios, phases)
    return Part(made, {"join": ratios, "solution_costs": costs, "join_phases": phases},
                {"solution_costs": by_scale(partial(plots.solution_costs, costs))}, {
                    "join": "Seconds of one core by the join, the cross and Somers' program, and "
                            "how many times faster the join is, with 95 % intervals (low, high).",
                    "solution_costs": "Nanoseconds of one core for a solution, with 95 % intervals "
                                      "(low, high).",
                    "join_phases": "Where the join spends its time, in per cent.",
                }, run, made.finding)


def _facts(frames: Frames, costs: pd.DataFrame, ratios: pd.DataFrame,
           phases: pd.DataFrame) -> Facts:
    """Return the facts of the tables."""
    run = frames.engines
    with_somers = ratios[ratios["somers"].notna()]
    sampled = ratios[ratios["by"] == analysis.SAMPLED]
    return Facts(
        run=read_context(run),
        kernel=costs[costs["algorithm"] == "join"]["kernel"].iloc[0],
        here=bool(run["machine"].iat[0] == frames.machine["machine"]), ratios=ratios,
        phases=phases, somers=with_somers.iloc[-1].to_dict() if len(with_somers) else None,
        sampled=int(sampled["n"].min()) if len(sampled) else None, pictures=halves.pictures())


SECTION = Section("join", "Joining halves", 135, build, requires=("engines",), timed=True,
                  chapter="How fast")

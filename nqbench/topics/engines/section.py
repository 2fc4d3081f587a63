"""The engines: kernels, and counts by joining halves."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from nqbench.problems.published import published
from nqbench.report.choices import by_scale
from nqbench.report.frames import Frames, read_context
from nqbench.report.marks import series, tell
from nqbench.report.sections import Facts, Part, Section
from nqbench.report.style import COLOUR, figure, label_lines, one_two_five, set_scale, sizes
from nqbench.report.tables import taken
from nqbench.search.board import QUEEN, SQUARE, Columns, Placement, Square, attacks
from nqbench.topics.engines.frames import SAMPLED, costs, engine_ratios, join_phases
from nqbench.util.text import format_justified

FEW = 6  # with fewer samples, an interval is from the smallest to the largest


SOLUTION: Columns = (1, 5, 0, 6, 3, 7, 2, 4)
OTHER: Columns = (1, 7, 0, 6, 3, 5, 2, 4)  # another eastern half
Point = tuple[float, float]
Ray = tuple[Point, Point]  # from the centre of a square to an edge of the board


@dataclass(frozen=True)
class Picture:
    """A board with both halves filled, in units of `square`.

    western: the rows whose queens stand in the west; queens: (row, column, its side, whether it
    attacks a queen of the other side); rays: (the line, whether it meets a queen) of each diagonal
    of a western queen that reaches the east.
    """

    columns: Columns
    western: tuple[int, ...]
    square: int = SQUARE
    queen: str = QUEEN

    @property
    def n(self) -> int:
        """The size of the board."""
        return len(self.columns)

    @property
    def rows(self) -> str:
        """The western rows, counted from 1."""
        return ", ".join(str(row + 1) for row in self.western)

    @property
    def is_solution(self) -> bool:
        """Whether the halves share no diagonal."""
        return Placement(self.columns).is_solution

    @property
    def queens(self) -> list[tuple[int, int, str, bool]]:
        """The queens, from the top."""
        return [(row, column, "west" if row in self.western else "east",
                 any(attacks((row, column), other) for other in self._across(row)))
                for row, column in enumerate(self.columns)]

    @property
    def rays(self) -> list[tuple[Ray, bool]]:
        """The diagonals that western queens send into the east."""
        return [(ray, any(attacks((row, self.columns[row]), other) and (
            (other[0] > row) == (down > 0)) for other in self._across(row)))
            for row in self.western for down in (1, -1)
            for ray in self._reach(row, self.columns[row], down)]

    def _across(self, row: int) -> list[Square]:
        """Return the queens of the other side."""
        return [(other, column) for other, column in enumerate(self.columns)
                if (other in self.western) != (row in self.western)]

    def _reach(self, row: int, column: int, down: int) -> Iterator[Ray]:
        """Yield the line from a square to the edge, down or up to the right, if it reaches the
        east.
        """
        steps = min(self.n - column, self.n - row if down > 0 else row + 1) - 0.5
        if column + 0.5 + steps > self.n / 2:
            yield ((column + 0.5, row + 0.5), (column + 0.5 + steps, row + 0.5 + down * steps))


def pictures() -> tuple[Picture, Picture]:
    """Return a solution, and a pair of halves that is not a solution, with the same western half.
    """
    western = tuple(row for row, column in enumerate(SOLUTION) if column < len(SOLUTION) // 2)
    return Picture(SOLUTION, western), Picture(OTHER, western)


def kernels_finding(found: pd.DataFrame) -> str:
    """Return how much faster the fastest kernel is on one core, at the largest n; empty if it is
    not significantly faster.
    """
    alone = found[(found["n"] == found["n"].max()) & (found["jobs"] == 1)]
    best = alone.sort_values("ratio", ascending=False).head(1)
    if not (best["low"] > 1).any():
        return ""
    times = format_justified(*best[["ratio", "low", "high"]].iloc[0])
    return f"On one core the engine counts {times} times as fast as Somers' program"


def make_kernels(frames: Frames) -> Part:
    """Return the kernels against Somers' program; few: whether the intervals are from the smallest
    to the largest sample.
    """
    found = frames.kernels
    made = Facts(taken=taken(found), few=bool(found["samples"].max() < FEW))
    return Part(made, {"kernels": found}, captions={
        "kernels": "The kernels of the counting engine against Somers' program: medians of "
                   "{samples}, with 95 % bootstrap intervals (low, high)."}, records=frames.engine,
                finding=kernels_finding(found))


def make_join(frames: Frames) -> Part | None:
    """Return the join against the cross; None if the run has no n that both counted."""
    run = frames.engines
    found, ratios = costs(run), engine_ratios(run)
    if ratios.empty:
        return None
    phases = join_phases(run)
    return Part(_facts(frames, found, ratios, phases),
                {"join": ratios, "solution_costs": found, "join_phases": phases},
                {"solution_costs": by_scale(partial(solution_costs, found))}, {
                    "join": "Seconds of one core by the join, the cross and Somers' program, and "
                            "how many times faster the join is, with 95 % intervals (low, high).",
                    "solution_costs": "Nanoseconds of one core for a solution, with 95 % intervals "
                                      "(low, high).",
                    "join_phases": "Where the join spends its time, in per cent.",
                }, run, join_finding(ratios))


def join_finding(ratios: pd.DataFrame) -> str:
    """Return how much faster the join is at the largest n; empty if it is not."""
    last = ratios.iloc[-1]
    if not last["low"] > 1:
        return ""
    times = format_justified(*last[["cross_over_join", "low", "high"]])
    return f"Joining halves counts {last['n']} queens {times} times as fast as the cross"


def _facts(frames: Frames, costs: pd.DataFrame, ratios: pd.DataFrame,
           phases: pd.DataFrame) -> Facts:
    """Return the drawings, the run and its kernel, and the rows that the text names.

    first, last: the rows of the ratios of the smallest and largest n; somers: the last row with a
    time of Somers' program; sampled: from which n on parts were sampled, None if none were; here:
    whether it was measured on the machine named at the top; shown_phases, per_cent: the table of
    phases as the page shows it, and the units of its columns with shares; cost: the nanoseconds
    that an algorithm needs for a solution in a row of the ratios.
    """
    run, solutions = frames.engines, published("A000170")
    with_somers = ratios[ratios["somers"].notna()]
    sampled = ratios[ratios["by"] == SAMPLED]
    return Facts(
        run=read_context(run), first=ratios.iloc[0].to_dict(), last=ratios.iloc[-1].to_dict(),
        cost=lambda algorithm, row: float(1e9 * row[algorithm] / solutions[row["n"]]),
        shown_phases=phases.rename(columns={"moments": "samples of the profiler"}),
        per_cent=dict.fromkeys(phases.columns.difference(["n", "moments"]), " %"),
        kernel=costs[costs["algorithm"] == "join"]["kernel"].iloc[0],
        here=bool(run["machine"].iat[0] == frames.machine["machine"]), ratios=ratios,
        somers=with_somers.iloc[-1].to_dict() if len(with_somers) else None,
        sampled=int(sampled["n"].min()) if len(sampled) else None, pictures=pictures())


MARKERS = {"somers": "o", "cross": "s", "join": "D"}  # each can be hollow
LABELS = {"somers": "Somers (Cython)", "cross": "cross", "join": "join"}
SERIES = {"somers": "somers/cython", "cross": "cross/cython", "join": "join"}


def solution_costs(costs: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw the nanoseconds of one core for a solution against n, with a line for each search;
    samples have hollow markers, and the bars are 95 % intervals.
    """
    with figure(7.2, 4.2) as (made, (axes,)):
        ends = []
        for name, rows in costs.groupby("algorithm", sort=False):
            colour, label = COLOUR[str(name)], LABELS[str(name)]
            sampled = rows[rows["by"] == "sample"]
            with series(axes, SERIES[str(name)]):
                axes.plot(rows["n"], rows["nanoseconds"], color=colour, marker=MARKERS[str(name)],
                          label=label)
                axes.vlines(rows["n"], rows["low"], rows["high"], color=colour, linewidth=1.0)
                axes.plot(sampled["n"], sampled["nanoseconds"], color=colour, linestyle="none",
                          marker=MARKERS[str(name)], markerfacecolor="white", zorder=3)
            tell(axes, label, rows[["n", "by", "nanoseconds", "low", "high"]], "n", "nanoseconds")
            last = rows.iloc[-1]
            ends.append((last["n"], last["nanoseconds"], label, colour))
        set_scale(axes, "y", scale)
        if scale == "log":
            one_two_five(axes.yaxis)
        axes.set_ylabel("nanoseconds of one core for a solution\n(hollow: from a sample; 95 %)")
        label_lines(axes, ends, 0.2)
        sizes(axes, costs["n"])
    return made


SECTIONS = (
    Section("kernels", "The engine", 130, make_kernels, requires=("kernels",), timed=True,
            names_run=True, chapter="How fast"),
    Section("join", "Joining halves", 135, make_join, requires=("engines",), timed=True,
            chapter="How fast"),
)

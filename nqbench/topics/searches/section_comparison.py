"""Two sides, compared: the section of a report with the records of several commits or machines, and
the page of `nqbench compare`.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from nqbench.analysis.comparison import Comparison, compare_runs
from nqbench.records.record import FEWEST
from nqbench.records.runs import PLACE, Run, describe
from nqbench.report import style
from nqbench.report.builder import cleaned, from_outside, to_frame, write
from nqbench.report.formats import COUNTS, SECONDS
from nqbench.report.frames import Frames
from nqbench.report.sections import Contents, Facts, Part, Section, claim
from nqbench.search.implementations import quiet
from nqbench.util.text import plural

MOST = 40  # rows of the plot: those that differ most
COLOURS = {"slower": style.ORANGE, "faster": style.BLUE}  # of other verdicts: grey
UNITS = {"A": SECONDS, "B": SECONDS, "nodes": COUNTS, "tests": COUNTS}
SHOWN = ["solver", "n", "A", "B", "ratio", "low", "high", "verdict", "nodes", "tests", "warning"]


def make_comparison(frames: Frames) -> Part | None:
    """Return how the run at the top differs from the newest run of another commit or machine with
    times of the same points; None if all runs are of one commit and machine.

    runs: all of them, the newest first; main: that at the top.
    """
    runs = sorted(frames.all_runs, key=lambda run: run.started, reverse=True)
    if len({_place(run) for run in runs}) < 2:
        return None
    main = next(run for run in runs if (run.machine, run.started) == (
        frames.machine["machine"], frames.machine["run"]))
    others = (compare_runs([run], [main]) for run in runs
              if _place(run) != _place(main) and _timed(run) & _timed(main))
    made = next((each for each in others if len(each.rows)), None)
    part = of_comparison(made) if made else Part(Facts(made=None))
    part.facts.runs, part.facts.main = runs, main
    return part


def of_comparison(made: Comparison, names: tuple[str, str] = ("", "")) -> Part:
    """Return what the page says of a comparison, whose sides have these names; its table calls a
    side without one by start and commit of its run.

    made: the comparison; rows: its table, with units; drawn: how many of these the plot has; runs:
    those of a report, none here.
    """
    rows = made.rows.assign(
        solver=[describe(tuple(place)) for place in made.rows[PLACE].to_numpy(dtype=object)],
        A=made.rows["a_seconds"], B=made.rows["b_seconds"])
    return Part(
        Facts(made=made, rows=rows[SHOWN].dropna(axis="columns", how="all"), units=UNITS, runs=(),
              names=names, drawn=min(MOST, len(rows))),
        {"comparison": made.rows.assign(**{
            side: name or f"{runs[-1].name} {(runs[-1].commit or '')[:8]}".rstrip()
            for side, name, runs in zip("ab", names, (made.a, made.b), strict=True)})},
        {"comparison": partial(draw, rows)} if len(rows) else {},
        finding=claim(say_difference(made), n=rows["n"].max(), processes=(
            FEWEST if made.verdicts else 0)))


def write_page(made: Comparison, out: str | Path, names: tuple[str, str]) -> list[Path]:
    """Write the page, the table and the plot of a comparison whose sides have these names; return
    and raise what `nqbench.report.build` does.
    """
    made = replace(made, rows=made.rows.map(from_outside), a=cleaned(made.a), b=cleaned(made.b))
    with quiet():
        frames = Frames(to_frame(made.b))
    return write(Contents(frames, {"comparison": of_comparison(made, names)}), out)


def say_difference(made: Comparison) -> str:
    """Return how many points of B are slower, and faster, beyond chance, and whose counts differ.
    """
    slower, faster = ((made.rows["verdict"] == each).sum() for each in COLOURS)
    counted = len({(one.what, one.n) for one in made.differing})
    many = (f"{made.verdicts} {plural(made.verdicts, 'point')}"
            + " with a verdict" * (made.verdicts < len(made.rows)))
    return (f"Of {many}, B is slower at {slower} and faster at {faster}"
            if slower or faster else f"No difference beyond chance at {many}"
            ) + f"; counts differ at {counted}" * bool(counted)


def draw(rows: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw the ratio of B over A at each point, sorted: the time with its interval, and the nodes,
    if they were counted.
    """
    both = rows[["ratio", "nodes"]].fillna(1)
    far = (both - 1 / both).abs().sum(axis=1).sort_values(kind="stable")
    shown = rows.loc[far.index[-MOST:]].sort_values("ratio", kind="stable")
    labels = [f"{style.plain(name.removesuffix(' (python)'))}, {n}"
              for name, n in zip(shown["solver"], shown["n"], strict=True)]
    colours = list(shown["verdict"].map(COLOURS).fillna(style.GREY))
    with style.rows_of_dots(width, labels) as (made, (axes,)):
        style.dots(axes, shown, "ratio", labels, colours, told=shown[SHOWN[2:9]], units=UNITS)
        if (shown["nodes"].fillna(1) != 1).any():
            style.dots(axes, shown[["nodes"]], "nodes", labels, "#1b1b1b", marker="s", kind="nodes",
                       told=shown[SHOWN[2:9]], units=UNITS)
            style.legend(axes)
        style.ratios(axes, "B is faster", "B is slower")
        axes.set_title("B / A: time" + ", and nodes" * bool(axes.get_legend_handles_labels()[0]))
    return made


def _timed(run: Run) -> set[tuple[str, str, int]]:
    """Return the algorithms with their implementations and n of the times of a run."""
    return {(record["algorithm"], record["implementation"], record["n"])
            for record in run.records if record["metric"] == "seconds" and record["samples"]}


def _place(run: Run) -> tuple[str, str | None, bool | None]:
    """Return the machine and the source of a run."""
    return run.machine, run.commit, run.context["dirty"]


SECTIONS = (
    Section("comparison", "Comparison", 195, make_comparison, chapter="Trust",
            named=False),
)

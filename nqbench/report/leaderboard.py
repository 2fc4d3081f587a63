"""The page of a race: who is right, who is fast at which n, and the first mistake of each."""

from collections.abc import Mapping
from itertools import cycle
from statistics import median, median_low
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench.checking.race import AGAINST, CHECKED_N, CONSTANT, NOT_ISOLATED, Entrant, Race
from nqbench.report import builder, page, style
from nqbench.util.text import format_float, format_seconds, plural


def to_page(race: Race, context: Mapping[str, Any], command: str) -> str:
    """Return the page of a race in HTML; `context` says where it was, `command` how."""
    right = [each for each in race.entries if each.samples and not each.mistake]
    entered = [each for each in race.entries if each.origin]
    common = common_n(right)
    ranked = rank(race, common)
    doubts = [(each.name, each.mistake or each.remark) for each in ranked]
    winner = find_winner(ranked, common)
    many = sum(not each.mistake for each in entered)
    drawings = tuple(builder.drawing(draw_times(right, width))
                     for width in (style.WIDE, style.NARROW))
    return page.fill("race", title="A race", finding=(
        f"{many} of {len(entered)} {plural(len(entered), 'program')} "
        f"{plural(many, 'is', 'are')} right"
        + f"; {winner} is the fastest at n = {common}" * (many > 1 and bool(winner))),
        rows=to_table(ranked, common), medians=to_medians(ranked), race=race, machine=context,
        checked=CHECKED_N, not_isolated=NOT_ISOLATED, left_out=race.left_out,
        remarks=[(name, text) for name, text in doubts if text],
        rounds=max((len(each) for entry in right for each in entry.samples.values()), default=0),
        plot=page.plot(drawings, "race"), command=command,
        **page.looks(("tables", "pointing", "highlighting"), drawings)) + "\n"


def common_n(right: list[Entrant]) -> int:
    """Return the largest n that at least half of the right entries counted in time."""
    entered = [each for each in right if each.origin] or right
    return median_low([each.largest for each in entered] or [1])


def rank(race: Race, n: int) -> list[Entrant]:
    """Return the entries: the right ones first, of these those without a remark, and of these the
    fastest at n.
    """
    return sorted(race.entries, key=lambda each: (
        bool(each.mistake), bool(each.remark), n not in each.samples, -each.largest,
        median(each.samples.get(n, [0.0])), each.name))


def find_winner(ranked: list[Entrant], n: int) -> str:
    """Return the name of the fastest entry at n; empty if another one took no longer in some round
    than it did in some other.
    """
    timed = [each for each in ranked
             if each.origin and n in each.samples and not (each.mistake or each.remark)]
    apart = all(min(each.samples[n]) > max(timed[0].samples[n]) for each in timed[1:])
    return timed[0].name if timed and apart else ""


def to_table(ranked: list[Entrant], n: int) -> pd.DataFrame:
    """Return a row for each entry; times are medians, from the least to the most."""
    def spread(values: list[float], write: Any) -> str:
        return (f"{write(median(values))} ({write(min(values))} to {write(max(values))})"
                if values else "")

    baseline = {each.name: each.samples.get(n, []) for each in ranked}.get(AGAINST[0], [])
    rows = []
    for each in ranked:
        samples = [] if each.mistake else each.samples.get(n, [])
        ratios = [one / other for one, other in zip(samples, baseline, strict=False)]
        rows.append({
            "entry": each.name, "language": each.language, "answers": each.form,
            "result": ("wrong" if each.mistake else
                       f"right, {CONSTANT}" if each.remark else "right"),
            "largest n": "" if each.mistake or not each.samples else each.largest,
            f"time at n = {n}": spread(samples, format_seconds) or each.stopped,
            f"times {AGAINST[0]}": spread(ratios, format_float)})
    return pd.DataFrame(rows)


def to_medians(ranked: list[Entrant]) -> pd.DataFrame:
    """Return a row for each right entry, and a column for each n: its median time."""
    sizes = sorted({n for each in ranked for n in each.samples})
    return pd.DataFrame([{"entry": each.name} | {
        f"n = {n}": format_seconds(median(each.samples[n])) if n in each.samples else ""
        for n in sizes} for each in ranked if each.samples and not each.mistake])


def draw_times(right: list[Entrant], width: float = style.WIDE) -> Figure:
    """Draw the medians against n, with bands from the least to the most."""
    with style.figure(width, 4.5) as (made, (axes,)):
        axes.set_yscale("log")
        ends, colours = [], cycle(style.COLOURS)
        for each in right:
            rows = pd.DataFrame([(n, median(samples), min(samples), max(samples))
                                 for n, samples in sorted(each.samples.items()) if n > 1],
                                columns=["n", "seconds", "least", "most"])
            if len(rows):
                look = (next(colours), "o", "-") if each.origin else (
                    style.look_of(*each.name.split("@")))
                axes.fill_between(rows["n"], rows["least"], rows["most"], color=look[0], alpha=0.2,
                                  linewidth=0)
                ends.append(style.line(axes, [each.name], style.plain(each.name), look, rows, "n",
                                       "seconds"))
        style.write_times(axes.yaxis)
        if ends:
            style.sizes(axes, [n for each in right for n in each.samples if n > 1])
            style.label_lines(axes, ends)
        axes.set_title("Median time, of a process or a call")
    return made

"""Sparklines: the values of a series over the commits, small enough for a cell of a table."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import pandas as pd

from nqbench.analysis import SERIES

WIDTH, HEIGHT, MARGIN = 150, 30, 4  # in pixels of the page


@dataclass
class Line:
    """A series as the page shows it: x and y are pixels, y downwards; `ratio` is the last value
    divided by the first.
    """

    parameters: str
    unit: str
    first: Any
    last: Any
    ratio: float
    points: list[tuple[float, float]]
    band: list[tuple[float, float]]
    marks: list[dict[Any, Any]]
    missing: str


def lines(rows: pd.DataFrame, marked: pd.DataFrame) -> dict[str, dict[str, list[Line]]]:
    """Return by "machine, environment" and benchmark the lines of all series except counts."""
    places = {commit: place for place, commit in enumerate(rows["commit"].drop_duplicates())}
    verdicts: dict[Any, list[Mapping[Any, Any]]] = {}
    for change in marked.to_dict("records"):
        verdicts.setdefault(tuple(change[name] for name in SERIES), []).append(change)
    found: dict[str, dict[str, list[Line]]] = {}
    shown = rows[~rows["exact"]]
    for key, series in shown.groupby(SERIES, sort=False):
        machine, environment, benchmark, parameters = map(str, key)
        found.setdefault(f"{machine}, {environment}", {}).setdefault(benchmark, []).append(
            _line(parameters, series, places, verdicts.get(key, [])))
    return {where: dict(sorted(benchmarks.items())) for where, benchmarks in found.items()}


def _line(parameters: str, series: pd.DataFrame, places: dict[str, int],
          changes: list[Mapping[Any, Any]]) -> Line:
    measured = series[series["status"] == "measured"]
    values = list(measured["value"])
    low, high = ([at if isfinite(at) else v for at, v in zip(measured[name], values, strict=True)]
                 for name in ("low", "high"))
    bottom, top = min(low, default=0), max(high, default=1)
    step = (WIDTH - 2 * MARGIN) / max(1, len(places) - 1)

    def x(commit: str) -> float:
        return round(MARGIN + places[commit] * step, 1)

    def y(value: float) -> float:
        height = HEIGHT - 2 * MARGIN
        return round(MARGIN + height * ((top - value) / (top - bottom) if top > bottom else 0.5), 1)

    across = [x(commit) for commit in measured["commit"]]
    return Line(
        parameters, series["unit"].iloc[-1],
        values[0] if values else None, values[-1] if values else None,
        values[-1] / values[0] if values and values[0] else float("nan"),
        points=[(at, y(value)) for at, value in zip(across, values, strict=True)],
        band=[(at, y(value)) for at, value in zip(across, high, strict=True)]
        + [(at, y(value)) for at, value in zip(across[::-1], low[::-1], strict=True)],
        marks=[{**change, "x": x(change["commit"]), "y": y(change["after"])}
               for change in changes],
        missing=_missing(series["status"]))


def _missing(statuses: Iterable[str]) -> str:
    """Return why the line lacks points, in words.

    >>> _missing(["not available", "measured", "failed"])
    '1 failed, 1 not available'
    """
    counts = Counter(status for status in statuses if status != "measured")
    return ", ".join(f"{number} {status}" for status, number in sorted(counts.items()))

"""What asv measured across commits: what changed with which commit, and the section about it.

asv need not be installed: its files are read here, by tools/across.py too.
"""

import json
from collections.abc import Iterator
from functools import partial
from itertools import product, repeat
from math import isfinite, nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import ticker
from matplotlib.figure import Figure

from nqbench.errors import InvalidValueError
from nqbench.report.drawings import series, tell
from nqbench.report.frames import Frames
from nqbench.report.sections import UNMEASURED, Facts, Part, Section, claim
from nqbench.report.style import BLUE, GREEN, ORANGE, WIDE, figure, plain
from nqbench.util.text import printable

LIMITS = {"counts": 0.0, "compiled": 0.02}  # a smaller change is noise, by the module; else:
LIMIT = 0.1
EXACT = "count changed"
SERIES = ["machine", "environment", "benchmark", "chosen"]
COLUMNS = [*SERIES, "commit", "date", "value", "low", "high", "title", "unit"]
PANELS, ALIKE = 6, 3
COLOURS = {"better": GREEN, "worse": ORANGE}  # of a change; also that of a count
UNITS = {"seconds": "s", "bytes": "B"}  # of an axis; others have none
MILESTONES = "milestones.txt"  # beside the results: lines with a commit and what it is


def read(folder: Path) -> pd.DataFrame:
    """Return what asv measured successfully, by the date of the commit.

    Parameters
    ----------
    folder
        asv's `results_dir`.

    Returns
    -------
    pandas.DataFrame
        one row a value: machine, environment, benchmark, chosen (its parameters, as asv writes
        them), commit, date, value, low and high (the 99 % interval; NaN if it has none), title
        and unit of the benchmark. Empty if there are no results.

    Raises
    ------
    InvalidValueError
        if a file is damaged.

    Examples
    --------
    >>> list(read(Path("nowhere")).columns[:5])
    ['machine', 'environment', 'benchmark', 'chosen', 'commit']
    """
    rows: list[tuple[Any, ...]] = []
    paths, path = sorted(folder.glob("*/????????-*.json")), folder / "benchmarks.json"
    try:
        known = json.loads(path.read_text("utf-8")) if paths else {}
        for path in paths:
            rows += _values(json.loads(path.read_text("utf-8")), known)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError,
            ValueError, OSError) as error:
        raise InvalidValueError(f"{path} is not what asv writes ({printable(str(error)):.60}): "
                                "restore it from git, or delete it and measure again") from None
    return pd.DataFrame(rows, columns=COLUMNS).astype({"date": "datetime64[ms]"}).sort_values(
        "date", kind="stable", ignore_index=True)


def _values(stored: dict[str, Any], known: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a file of results; what has failed, or another version, is skipped."""
    params, commit = stored["params"], printable(stored["commit_hash"])
    date = pd.Timestamp(int(stored["date"]), unit="ms")
    machine = printable(f"{params['machine']} ({params.get('cpu', 'unknown processor')}, "
                        f"{params.get('num_cpu', '?')} cores, Python {stored['python']})")
    environment = printable(stored["env_name"])
    for name, row in stored["results"].items():
        found = dict(zip(stored["result_columns"], row, strict=False))
        if name not in known or found["version"] != known[name]["version"]:
            continue
        about = (printable(known[name].get("pretty_name") or name),
                 printable(known[name].get("unit", "")))
        cells = zip(product(*found["params"]), found["result"] or repeat(None),
                    *(found.get(f"stats_ci_99_{end}") or repeat(None) for end in "ab"),
                    strict=False)
        for chosen, value, low, high in cells:
            if value is not None and isfinite(value):
                yield (machine, environment, name, ", ".join(chosen), commit, date, float(value),
                       *(nan if end is None else float(end) for end in (low, high)), *about)


def changes(found: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that differ from the row before of the same series beyond the noise.

    That is asv's judgement: their intervals are disjoint, and they differ by more than `LIMITS`.
    Columns are added: before, verdict ("better", "worse" or `EXACT`).

    Examples
    --------
    >>> row = {"machine": "m", "environment": "e", "benchmark": "counts.A", "chosen": "8",
    ...        "low": None, "high": None}
    >>> found = pd.DataFrame([{**row, "value": 2057.0}, {**row, "value": 2056.0}])
    >>> changes(found)[["before", "value", "verdict"]].to_dict("records")
    [{'before': 2057.0, 'value': 2056.0, 'verdict': 'count changed'}]
    """
    before = found.groupby(SERIES, sort=False)[["value", "low", "high"]].shift()
    factor = 1 + found["benchmark"].map(lambda name: LIMITS.get(name.partition(".")[0], LIMIT))
    worse = found["value"] > before["value"] * factor
    better = before["value"] > found["value"] * factor
    alike = (found["low"] <= before["high"]) & (before["low"] <= found["high"])
    verdict = np.select([factor == 1, worse], [EXACT, "worse"], "better")
    return found.assign(before=before["value"], verdict=verdict)[(worse | better) & ~alike]


def make_across(frames: Frames) -> Part | None:
    """Return what changed on the machine with most commits; None if it has fewer than two.

    machine: its description; commits: how many; first, last: the days of the first and last one;
    changed: how many of them changed something; counts: how many counts several commits have;
    different: how many of these changed.
    """
    if frames.history is None:
        return None
    found = read(frames.history)
    machines = found.groupby("machine")["commit"].nunique()
    if machines.empty or machines.max() < 2:
        return None
    found = found[found["machine"] == machines.idxmax()]
    words = _milestones(frames.history / MILESTONES)
    found = found.assign(milestone=[words.get(commit[:8], "") for commit in found["commit"]])
    changed, panels = changes(found), telling(found)
    days = found["date"].dt.strftime("%d %B %Y").str.lstrip("0")
    counts = found[found["benchmark"].str.startswith("counts.")].groupby(SERIES).size()
    facts = Facts(machine=machines.idxmax(), commits=int(machines.max()), first=days.iloc[0],
                  last=days.iloc[-1], changed=changed["commit"].nunique(),
                  counts=int((counts > 1).sum()),
                  different=len(changed[changed["verdict"] == EXACT].groupby(SERIES)))
    return Part(facts, {"across": summarise(changed)},
                {"across": partial(draw, found, panels)} if panels else {}, UNMEASURED,
                claim(say_fall(panels, facts.commits), n=None, processes=None))


def _milestones(path: Path) -> dict[str, str]:
    """Return what each commit of a file is, by the first eight digits."""
    text = path.read_text("utf-8", errors="replace") if path.is_file() else ""
    return {line[:8]: printable(line[8:].strip()) for line in text.splitlines()}


def telling(found: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the series that changed most, at most `PANELS` and `ALIKE` of one benchmark, none of
    the same search or core.
    """
    series_of = found.groupby(SERIES, sort=False)["value"].agg(["max", "min", "size"])
    known = series_of[(series_of["min"] > 0) & (series_of["size"] > 1)].reset_index()
    known = known.assign(ratio=known["max"] / known["min"],
                         subject=known["chosen"].str.partition(", ")[0])
    known = known[known["ratio"] > 1 + LIMIT].sort_values("ratio", ascending=False, kind="stable")
    known = known.drop_duplicates(["benchmark", "subject"]).groupby("benchmark").head(ALIKE)
    rows: dict[Any, pd.DataFrame] = dict(iter(found.groupby(SERIES, sort=False)))
    return [rows[tuple(each)] for each in known[SERIES].head(PANELS).to_numpy()]


def name_of(chosen: str) -> str:
    """Return the search or core of a series, and its other parameters."""
    return printable(", ".join(text.strip("'") for text in chosen.split(", ")))


def say_fall(panels: list[pd.DataFrame], commits: int) -> str:
    """Return which of the series fell most from the first commit to the last; empty if none did."""
    shares = [rows["value"].iloc[-1] / rows["value"].iloc[0] for rows in panels]
    share = min(shares, default=1.0)
    if share >= 1:
        return ""
    title, chosen = panels[shares.index(share)][["title", "chosen"]].iloc[0]
    about = f" ({name_of(chosen)})" * bool(name_of(chosen))
    return (f"{title}{about} fell to {share:.0%} in {commits} commits").replace(
        "%", " %")


def summarise(changed: pd.DataFrame) -> pd.DataFrame:
    """Return what changed by commit and benchmark: commit, milestone, benchmark, verdict, changes
    (how many of its values changed so), largest (which changed most), before, after, unit, ratio.
    """
    value, before = changed["value"], changed["before"]
    kinds = ["commit", "title", "verdict"]
    ranked = changed.assign(
        ratio=(value / before).where(before > 0), far=(value - before).abs() / (value + before),
        changes=changed.groupby(kinds)["value"].transform("size"),
        largest=changed["chosen"].map(name_of)
    ).sort_values(["date", "far"], ascending=[True, False], kind="stable").drop_duplicates(kinds)
    return ranked.assign(commit=ranked["commit"].str[:8])[[
        "commit", "milestone", "title", "verdict", "changes", "largest", "before", "value", "unit",
        "ratio"]].rename(columns={"title": "benchmark", "value": "after"})


def draw(found: pd.DataFrame, panels: list[pd.DataFrame], width: float = WIDE) -> Figure:
    """Draw series over the commits, which are equally far apart: changes are dots in colour."""
    commits = found.drop_duplicates("commit")
    places = dict(zip(commits["commit"], range(len(commits)), strict=True))
    days = commits["date"].dt.strftime("%d %b").str.lstrip("0").iloc[[0, -1]]
    with figure(width, 1.9, len(panels), 3, sharex=True) as (made, drawn):
        for axes, rows in zip(drawn, panels, strict=True):
            title, unit, chosen = rows[["title", "unit", "chosen"]].iloc[0]
            x, about = rows["commit"].map(places), name_of(chosen)
            name = ": ".join(filter(None, (title, about)))
            with series(axes, name):
                axes.plot(x, rows["value"], color=BLUE)
                for verdict, dots in changes(rows).groupby("verdict"):
                    axes.plot(dots["commit"].map(places), dots["value"], "o",
                              color=COLOURS.get(str(verdict), COLOURS["worse"]))
            tell(axes, name, rows[["commit", "milestone", "value"]], x, "value")
            share = f"{rows['value'].iloc[-1] / rows['value'].iloc[0]:.0%}".replace(
                "%", "\N{NO-BREAK SPACE}%")
            axes.set_title(": ".join(filter(None, (plain(title), plain(about), share))))
            axes.set(ylim=(0, 1.1 * rows["value"].max()), xticks=[0, len(places) - 1])
            axes.set_xticklabels(days)
            axes.yaxis.set_major_locator(ticker.MaxNLocator(3))
            axes.yaxis.set_major_formatter(ticker.EngFormatter(UNITS.get(unit, ""), sep=" "))
            axes.tick_params(labelbottom=True)
        for axes in drawn:
            for label in axes.get_xticklabels():
                first = label is axes.get_xticklabels()[0]
                label.set_horizontalalignment("left" if first else "right")
    return made


SECTIONS = (
    Section("across", "Across commits", 196, make_across, chapter="Trust", named=False),
)

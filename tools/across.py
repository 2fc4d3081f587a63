"""Print what became better or worse by the results of asv, and with which commit; fail if a count
changed.

    python tools/across.py [FOLDER]
"""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import product
from math import inf, isclose, nan
from pathlib import Path
from typing import Any

import pandas as pd
from asv.benchmarks import Benchmarks
from asv.config import Config
from asv.results import Results, iter_results

SERIES = ["machine", "environment", "benchmark", "parameters"]
_COLUMNS = [*SERIES, "unit", "better", "exact", "commit", "date", "subject", "status", "value",
            "low", "high"]
NOTABLE = 1.1  # a time that changed by a smaller factor is unchanged


def history(folder: str | Path = "results/asv") -> pd.DataFrame:
    """Return what asv measured: a row for each series and commit, the oldest commit first.

    SERIES, unit, better ("lower", "higher"), exact (a count, which must never change),
    commit, date (of the commit), subject (empty outside of a clone), status
    ("measured", "failed", "not available" at that commit), value (the median), and
    low and high, the 99 % interval of the median: infinite where there were too few
    samples, and the value itself where asv takes no samples.

    Commits are in the order of the clone, or of their dates if it does not know all of them.
    Results of a benchmark that now measures something else (asv's `version`) are skipped.
    """
    benchmarks = Benchmarks.load(Config.from_json({"repo": ".", "results_dir": str(folder)}))
    every = sorted(iter_results(str(folder)),
                   key=lambda results: (results.params["machine"], results.env_name))
    found = [row for results in every for row in _measured(results, benchmarks)]
    rows = pd.DataFrame(found, columns=_COLUMNS).astype(
        {"low": float, "high": float, "exact": bool})
    rows["value"] = pd.Series([row["value"] for row in found], dtype=object)  # ints stay ints
    known = subjects()
    rows["subject"] = [known.get(commit, "") for commit in rows["commit"]]
    places = {commit: place for place, commit in enumerate(known)}
    order = (rows["commit"].map(places) if set(rows["commit"]) <= set(places) else rows["date"])
    return rows.iloc[order.argsort(kind="stable")].reset_index(drop=True)


def subjects() -> dict[str, str]:
    """Return the first line of the message of every commit of this clone, the oldest first."""
    listed = subprocess.run(["git", "-C", str(Path(__file__).parent), "log", "--topo-order",
                             "--reverse", "--format=%H %s"], text=True, capture_output=True)
    return dict(line.split(" ", 1) for line in listed.stdout.splitlines())


def _measured(results: Results, known: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for name in sorted(results.get_result_keys(known)):  # a set, in another order each time
        benchmark = known[name]
        params = results.get_result_params(name) or []
        values = results.get_result_value(name, params)
        spreads = results.get_result_stats(name, params)
        for chosen, value, spread in zip(product(*params), values, spreads, strict=True):
            low, high = _interval(value, spread)
            yield {
                "machine": results.params["machine"], "environment": results.env_name,
                "benchmark": name,
                "parameters": _label(benchmark["param_names"], chosen),
                "unit": benchmark.get("unit", ""), "better": benchmark.get("better", "lower"),
                "exact": benchmark.get("exact", False),
                "commit": results.commit_hash, "date": pd.Timestamp(results.date, unit="ms"),
                "status": ("failed" if value is None else
                           "not available" if value != value else "measured"),
                "value": value, "low": low, "high": high,
            }


def _interval(value: float | None, spread: dict[str, float] | None) -> tuple[float, float]:
    """Return the interval of the value by asv's statistics."""
    if value is None:
        return nan, nan
    if not spread:
        return float(value), float(value)
    low, high = spread.get("ci_99_a", -inf), spread.get("ci_99_b", inf)
    return (-inf if low != low else low), (inf if high != high else high)


def _label(names: list[str], chosen: tuple[str, ...]) -> str:
    """Return parameters as text for people; asv stores the repr of each.

    >>> _label(["kernel", "n"], ("'avx2'", "12"))
    'avx2, n = 12'
    """
    return ", ".join(value[1:-1] if value[0] in ("'", '"') else f"{name} = {value}"
                     for name, value in zip(names, chosen, strict=True))


def changes(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the changes and their commits: SERIES, unit, commit, date, subject, before, after,
    ratio (after / before) and verdict.

    A count that differs from the previous one is a "count changed". Any other value is compared
    with the previous one, and with the last one that changed, or the first, to find slow drifts,
    too. If the intervals do not overlap and the values differ by more than NOTABLE, it is a
    "regression" or an "improvement". The commit is the first measured one with the change; the
    cause may be an earlier commit that was not measured.
    """
    found = []
    by_series: dict[Any, list[dict[Any, Any]]] = {}
    for row in rows[rows["status"] == "measured"].to_dict("records"):
        by_series.setdefault(tuple(row[name] for name in SERIES), []).append(row)
    for base, *points in by_series.values():
        last = base
        for point in points:
            for before in (last, base):
                if verdict := _verdict(before, point):
                    found.append({
                        **point, "before": before["value"], "after": point["value"],
                        "ratio": point["value"] / before["value"] if before["value"] else inf,
                        "verdict": verdict})
                    base = point
                    break
            last = point
    rows = pd.DataFrame(found, columns=[*SERIES, "unit", "commit", "date", "subject", "before",
                                        "after", "ratio", "verdict"])
    for name in ("before", "after"):  # ints stay ints beside floats
        rows[name] = pd.Series([change[name] for change in found], dtype=object)
    return rows


def _verdict(base: Mapping[Any, Any], point: Mapping[Any, Any]) -> str:
    before, after = base["value"], point["value"]
    if point["exact"]:
        same = (before == after if isinstance(before, int) and isinstance(after, int) else
                isclose(before, after, rel_tol=1e-9))  # shares may differ by the libm
        return "" if same else "count changed"
    if max(before, after) <= NOTABLE * min(before, after):
        return ""
    if base["low"] <= point["high"] and point["low"] <= base["high"]:
        return ""
    return "improvement" if (after > before) == (point["better"] == "higher") else "regression"


def main(folder: str = "results/asv") -> int:
    """Print a line for each change; return the exit status."""
    rows = history(folder)
    found = changes(rows)
    for row in found.to_dict("records"):
        print(f"{row['verdict']}: {row['benchmark']} ({row['parameters']}), {row['before']:.6g} to "
              f"{row['after']:.6g} {row['unit']} at {row['commit'][:8]} {row['subject']}")
    print(f"{rows['commit'].nunique()} commits, {len(rows.drop_duplicates(SERIES))} lines, "
          f"{len(found)} changes")
    return int("count changed" in set(found["verdict"]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""What asv measured from commit to commit, read by asv's own classes.

A series is one benchmark with one set of parameters, on one machine, in one
environment. Series are never put together.
"""

import warnings
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from nqbench.study.context import subjects

if TYPE_CHECKING:
    from asv.results import Results

SERIES = ["machine", "environment", "benchmark", "parameters"]
_COLUMNS = [*SERIES, "unit", "better", "exact", "commit", "date", "subject", "status", "value",
            "low", "high"]
NOTABLE = 1.1  # a time that changed by less is called unchanged


def history(folder: str | Path = "results/asv") -> pd.DataFrame:
    """Return what asv measured: a row for each series and commit, the oldest commit first.

    SERIES, unit, better ("lower", "higher"), exact (a count, which must never change),
    commit, date (of the commit), subject (empty outside of a clone), status
    ("measured", "failed", "not available" at that commit), value (the median), and
    low and high, the 99 % interval of the median, where there were samples enough.

    Results of a benchmark that measures something else by now (asv's `version`) are left
    out, and so are damaged files, each named in a warning. Nothing measured, or no asv
    installed: no rows.

    Raises
    ------
    OSError
        if the folder cannot be read.
    """
    folder = Path(folder)
    found: list[dict[str, Any]] = []
    if (folder / "benchmarks.json").is_file():
        try:
            import asv  # noqa: F401
        except ImportError:
            warnings.warn(f"{folder}: asv is not installed and its results are passed over; "
                          "pip install 'nqbench[bench]'", stacklevel=2)
        else:
            found = list(_rows(folder))
    rows = pd.DataFrame(found, columns=_COLUMNS).astype({"low": float, "high": float})
    rows["value"] = pd.Series([row["value"] for row in found], dtype=object)  # ints stay ints
    known = subjects() if found else {}
    place = {commit: number for number, commit in enumerate(known)}
    rows["subject"] = [known.get(commit, "") for commit in rows["commit"]]
    rows["place"] = [place.get(commit, -1) for commit in rows["commit"]]
    return rows.sort_values(["date", "place"], kind="stable").drop(columns="place").reset_index(
        drop=True)


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    from asv.benchmarks import Benchmarks
    from asv.config import Config
    from asv.results import Results, iter_results_paths
    from asv.util import UserError

    try:
        known = Benchmarks.load(Config.from_json({"repo": ".", "results_dir": str(folder)}))
    except (UserError, AttributeError, KeyError, TypeError) as error:
        warnings.warn(f"{folder / 'benchmarks.json'}: is passed over, with all results of asv "
                      f"({error})", stacklevel=3)
        return
    for root, name, machine in sorted(iter_results_paths(str(folder))):
        path = Path(root, name)
        try:
            yield from list(_measured(Results.load(str(path), machine), known))
        except (UserError, AttributeError, KeyError, TypeError, ValueError) as error:
            warnings.warn(f"{path}: is damaged or of another asv, and passed over ({error})",
                          stacklevel=3)


def _measured(results: "Results", known: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for name in results.get_result_keys(known):
        benchmark = known[name]
        params = results.get_result_params(name) or []
        values = results.get_result_value(name, params)
        spreads = results.get_result_stats(name, params)
        for chosen, value, spread in zip(product(*params), values, spreads, strict=True):
            interval = spread or {}
            yield {
                "machine": results.params["machine"], "environment": results.env_name,
                "benchmark": name, "parameters": _label(benchmark["param_names"], chosen),
                "unit": benchmark["unit"], "better": benchmark.get("better", "lower"),
                "exact": benchmark.get("exact", False),
                "commit": results.commit_hash, "date": pd.Timestamp(results.date, unit="ms"),
                "status": ("failed" if value is None else
                           "not available" if value != value else "measured"),
                "value": value,
                "low": _finite(interval.get("ci_99_a")), "high": _finite(interval.get("ci_99_b")),
            }


def _finite(bound: float | None) -> float | None:
    return None if bound is None or abs(bound) == float("inf") else bound


def _label(names: list[str], chosen: tuple[str, ...]) -> str:
    """Parameters as people read them; asv keeps the repr of each.

    >>> _label(["kernel", "n"], ("'avx2'", "12"))
    'avx2, n = 12'
    """
    texts = []
    for place, value in enumerate(chosen):
        name = names[place] if place < len(names) else f"parameter {place + 1}"
        texts.append(value[1:-1] if value[:1] in ("'", '"') else f"{name} = {value}")
    return ", ".join(texts)


def changes(rows: pd.DataFrame) -> pd.DataFrame:
    """Return what changed, and with which commit: SERIES, unit, commit, date, subject,
    before, after, ratio (after / before) and verdict.

    A count that is not what it was is a "count changed". Of the others, one is compared
    with the last that changed, or the first, so that a slow drift is found too: where the
    99 % intervals lie apart and the medians differ by more than NOTABLE, it is a
    "regression" or an "improvement". The commit is the first one measured with the change.
    """
    found = []
    for _, series in rows[rows["status"] == "measured"].groupby(SERIES, sort=False):
        points = series.to_dict("records")
        base = points[0]
        for point in points[1:]:
            verdict = _verdict(base, point)
            if verdict:
                found.append({**point, "before": base["value"], "after": point["value"],
                              "ratio": point["value"] / base["value"] if base["value"] else
                              float("inf"), "verdict": verdict})
                base = point
    return pd.DataFrame(found, columns=[*SERIES, "unit", "commit", "date", "subject", "before",
                                        "after", "ratio", "verdict"])


def _verdict(base: Mapping[Any, Any], point: Mapping[Any, Any]) -> str:
    before, after = base["value"], point["value"]
    if point["exact"]:
        # Equal shares can differ in the last digit from one libm to the next.
        return "count changed" if abs(after - before) > 1e-9 * abs(before) else ""
    if max(before, after) <= NOTABLE * min(before, after):
        return ""
    if base["low"] <= point["high"] and point["low"] <= base["high"]:  # False where unknown
        return ""
    return "improvement" if (after > before) == (point["better"] == "higher") else "regression"

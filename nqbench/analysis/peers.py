"""The peers beside the searches of nqbench: times, and how many times slower than the cross.

    records = nqbench.analysis.load("results")
    nqbench.analysis.against_peers(nqbench.analysis.latest_peers(records))
"""

from collections.abc import Mapping
from statistics import median
from typing import Any

import pandas as pd

from nqbench.analysis.frames import one_run
from nqbench.analysis.ratios import ratio
from nqbench.analysis.uncertainty import interval, verdicts_by_n, warnings
from nqbench.records.names import BASELINE

COMPARED_N = 8  # a run that reached this n is preferred
_FIGURES = ["seconds", "low", "high", "times", "times_low", "times_high"]
_COLUMNS = ["peer", "package", "version", "n", "status", *_FIGURES, "verdict",
            "samples", "processes", "warning", "solutions", "fault"]


def latest_peers(records: pd.DataFrame, machine: str | None = None) -> pd.DataFrame:
    """Return the records of one run of the preset `peers`: the run that measured the most peers at
    n = COMPARED_N, the newest of equals; only of `machine`, if it is given.
    """
    found = records[records["metric"] == "peer"]
    if machine is not None:
        found = found[found["machine"] == machine]
    compared = (found["n"] == COMPARED_N) & (found["status"] == "measured")
    many = compared.groupby([found["machine"], found["run"]]).transform("sum")
    best = found.assign(many=many).sort_values(["many", "run"], kind="stable").tail(1)
    return one_run(found, best).reset_index(drop=True)


def against_peers(run: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each peer and n of a run: peer, package, version, n, status, seconds
    (median), low, high (its 95 % bootstrap interval), times (how many times as long as
    `BASELINE`, median of the rounds), times_low, times_high, verdict (against it), samples and
    processes (how many), warning, solutions (what it counted), fault (why it failed or was
    stopped).

    A wrong count is a failure, and the other times of that peer are "wrong". A peer that was not
    measured or is wrong has no figures.
    """
    rows = run.to_dict("records")
    baseline = {row["n"]: row["samples"] for row in rows
                if row["peer"] == BASELINE and row["status"] == "measured"}
    found = pd.DataFrame([_row(row, baseline) for row in rows],
                         columns=[*_COLUMNS, "chance"]).astype(
        dict.fromkeys(_FIGURES, float) | {"samples": int, "solutions": "Int64"})
    compared = found[found["times"].notna() & (found["peer"] != BASELINE)]
    return found.assign(verdict=verdicts_by_n(compared)).fillna({"verdict": ""})[_COLUMNS]


def _row(row: Mapping[Any, Any], baseline: Mapping[int, list[float]]) -> dict[str, Any]:
    found = {name: row[name] for name in ("peer", "package", "version", "n", "solutions", "fault")}
    found |= {"status": row["status"], "verdict": "", "warning": ""}
    samples = row["samples"] if found["status"] == "measured" else []
    found |= {"samples": len(samples), "processes": row["processes"]}
    if samples:
        low, high = interval(samples)
        found |= {"seconds": median(samples), "low": low, "high": high,
                  "warning": "; ".join(warnings(samples, row["loops"]))}
        if row["n"] in baseline:
            times, low, high, chance = ratio(samples, baseline[row["n"]])
            found |= {"times": times, "times_low": low, "times_high": high, "chance": chance}
    return found

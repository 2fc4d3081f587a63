"""The peers beside our own searches: times, and how many times slower than the cross.

    records = nqbench.analysis.load("results")
    nqbench.analysis.against_peers(nqbench.analysis.latest_peers(records))
"""

import pandas as pd

from nqbench.analysis.ratios import ratio
from nqbench.study.peering import BASELINE

COMPARED_N = 8  # a run that did not come so far gives way to one that did
_COLUMNS = ["peer", "package", "version", "n", "status", "seconds", "low", "high", "times",
            "times_low", "times_high", "solutions", "fault"]


def latest_peers(records: pd.DataFrame, machine: str | None = None) -> pd.DataFrame:
    """Return the records of one run of the preset `peers`: that which measured the most of them
    at n = COMPARED_N, the newest of equals; on one machine, if it is named.
    """
    found = records[records["metric"] == "peer"]
    if machine is not None:
        found = found[found["machine"] == machine]
    compared = (found["n"] == COMPARED_N) & (found["status"] == "measured")
    best = max(((many, run) for run, many in compared.groupby(found["run"]).sum().items()),
               default=(0, None))[1]
    return found[found["run"] == best].reset_index(drop=True)


def against_peers(run: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each peer and n of a run: peer, package, version, n, status, seconds
    (median), low, high, times (how many times as long as `BASELINE`, median of the rounds),
    times_low, times_high, solutions (what it counted), fault (why it failed or was stopped).

    What was not measured has no figures.
    """
    rows = run.to_dict("records")
    baseline = {row["n"]: row["samples"] for row in rows
                if row["peer"] == BASELINE and row["samples"]}
    found = []
    for row in rows:
        figures: list[float | None] = [None] * 6
        if row["samples"]:
            series = pd.Series(row["samples"], dtype=float)
            figures[:3] = series.median(), series.min(), series.max()
            if row["n"] in baseline:
                figures[3:] = ratio(row["samples"], baseline[row["n"]])
        found.append((*(row[name] for name in _COLUMNS[:5]), *figures, row["solutions"],
                      row["fault"]))
    return pd.DataFrame(found, columns=_COLUMNS).astype(
        dict.fromkeys(_COLUMNS[5:11], float) | {"solutions": "Int64"})

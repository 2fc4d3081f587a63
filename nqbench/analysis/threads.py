"""What Python threads gain.

    records = nqbench.analysis.load("results")
    nqbench.analysis.thread_gains(records)
"""

from statistics import median

import pandas as pd

from nqbench.analysis.ratios import ratio

COLUMNS = ["python", "gil", "n", "jobs", "alone", "shared", "times", "low", "high", "samples",
           "processor", "machine"]
BY = ["machine", "python", "gil", "n"]


def thread_gains(records: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each machine, interpreter and n, from its newest record: COLUMNS.

    `alone` and `shared` are the median seconds of one thread and of `jobs` threads; `times` is the
    median of their ratios, round by round, with its 95 % interval; `gil` says whether the
    interpreter had its global lock.
    """
    found = records[(records["metric"] == "shared") & (records["status"] == "measured")]
    if found.empty:
        return pd.DataFrame(columns=COLUMNS)
    rows = []
    for record in found.sort_values("run", kind="stable").drop_duplicates(
            BY, keep="last").sort_values(BY, kind="stable").to_dict("records"):
        alone, shared = zip(*record["samples"], strict=True)
        times = ratio(alone, shared)
        rows.append((record["python"], bool(record["gil"]), int(record["n"]), int(record["jobs"]),
                     median(alone), median(shared), *times[:3], len(alone),
                     record["processor"], record["machine"]))
    return pd.DataFrame(rows, columns=COLUMNS)

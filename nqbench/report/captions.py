"""The captions of LaTeX tables: what a table shows, and where it was measured."""

import pandas as pd

from nqbench.metrics import points
from nqbench.records.names import SMALL
from nqbench.report.formats import plural

SAMPLES = "{samples}"  # in a caption: how many samples its times are medians of
SECONDS = "s"  # the unit of times that are medians of samples


def caption(what: str, records: pd.DataFrame) -> str:
    """Return a caption: what the table shows, and the machines and commits of its records."""
    said = what.replace(SAMPLES, count_samples(records))
    return " ".join([said, *(f"Measured on {where}." for where in places(records))])


def count_samples(records: pd.DataFrame) -> str:
    """Return how many samples the times of records have, except for the smallest n.

    >>> records = pd.DataFrame({"metric": ["seconds"] * 2, "status": "measured", "n": 9,
    ...                         "samples": [[0.1, 0.2], [0.3]]})
    >>> count_samples(records), count_samples(records[1:])
    ('1 to 2 samples', '1 sample')
    """
    timed = records[records["metric"].isin(points(SECONDS)) & (records["status"] == "measured")]
    usual = timed[timed["n"] > SMALL]
    many = (usual if len(usual) else timed)["samples"].map(len)
    least, most = (int(many.min()), int(many.max())) if len(many) else (0, 0)
    return f"{f'{least} to ' if least < most else ''}{most} {plural(most, 'sample')}"


def places(records: pd.DataFrame) -> list[str]:
    """Return the machines that records were made on, each with its commits."""
    found = []
    for _, own in records.groupby("machine", sort=False):
        last = own.iloc[-1]
        commits = dict.fromkeys(
            f"{commit[:8]}{' (changed since)' if dirty is True else ''}"
            for commit, dirty in zip(own["commit"], own["dirty"], strict=True)
            if isinstance(commit, str))
        known = ", ".join(commits) or "unknown"
        cores = int(last["cores"])
        found.append(f"{last['processor']} with {cores} {plural(cores, 'core')}, commit {known}")
    return found

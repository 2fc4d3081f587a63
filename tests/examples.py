"""Examples of records, and a folder that holds some."""

import pandas as pd

from nqbench.records import frame
from nqbench.records.context import context
from nqbench.records.record import SCHEMA, append
from nqbench.records.runs import begin
from nqbench.search.metrics import METRICS

NOW = "2026-11-21T08:00:00.000+00:00"
GOOD = {"schema": SCHEMA, "run": NOW, "preset": "quick", "budget": 5.0, "time": NOW,
        "context": context(), "algorithm": "bitmask", "implementation": "python", "n": 8,
        "metric": "nodes", "unit": "nodes", "status": "measured", "samples": [2057],
        "loops": None, "predicted": None}
FIRST, SECOND = "2026-11-21T08:00:00.000+00:00", "2026-11-22T09:30:00.000+00:00"


def store(folder, started, machine="0123456789ab"):
    folder.mkdir(parents=True, exist_ok=True)
    path = begin(folder, "quick", started, machine)
    append(path, [GOOD | {"run": started}])
    return path


def timed(algorithm="bitmask", n=8, samples=(0.01, 0.01), *, machine="aaaa0000", label=None,
          run=FIRST, commit="a" * 40, process=0, processes=1, **more):
    """A record of times, by default of one process."""
    where = GOOD["context"] | {"machine": machine, "label": label, "commit": commit}
    return GOOD | {"run": run, "context": where, "algorithm": algorithm, "n": n,
                   "metric": "seconds", "unit": "s", "samples": list(samples), "loops": 1,
                   "kernel": None, "jobs": 1, "process": process, "processes": processes} | more


def head(record):
    """What all records of a run have in common."""
    return {name: record[name] for name in (
        "schema", "run", "preset", "budget", "time", "context")}


def counted(first, metric, value):
    """A record of a counter at the point of a record of times."""
    return {name: first[name] for name in GOOD} | {
        **METRICS[metric].fields, "samples": [value], "loops": None, "kernel": None, "jobs": 1}


def checked(n, got, expected=None, run=FIRST):
    """A record of the check of a published total."""
    expected = got if expected is None else expected
    return head(timed(run=run)) | {
        "n": n, "metric": "check", "unit": "", "samples": [], "sequence": "A000170",
        "status": "ok" if got == expected else "differs", "expected": expected, "got": got,
        "answered_by": ["bitmask (python)"],
        **({} if got == expected else {"wrong": {"bitmask (python)": got}})}


def write(path, *records):
    path.parent.mkdir(parents=True, exist_ok=True)
    append(path, records)
    return path


def decided(nodes, solvable, algorithm="fewest_lines", *, allowed=50_000, amount=20, seed=1,
            run=FIRST, n=8, **more):
    """A record of random boards with blocked squares that were decided."""
    return head(timed(run=run, **more)) | {
        "metric": "transition", "unit": "nodes", "problem": "instances", "algorithm": algorithm,
        "implementation": "python", "n": n, "family": "blocked", "amount": amount, "seed": seed,
        "nodes_allowed": allowed, "predicted": None, "status": "measured", "samples": nodes,
        "solvable": solvable}


def outcomes(algorithm, nodes, limit=100, **more):
    """A row of random boards with blocked squares: the nodes of each search, None or more than the
    limit where it gave up.
    """
    ended = [each is not None and each <= limit for each in nodes]
    return {"metric": "transition", "time": "", "status": "measured", "family": "blocked", "n": 8,
            "amount": 20, "seed": 1, "run": "1", "algorithm": algorithm, "nodes_allowed": limit,
            "samples": [int(each) if end else limit for each, end in zip(
                nodes, ended, strict=True)],
            "solvable": [True if end else None for end in ended]} | more


NOISE = [1.0, 1.01, 0.99, 1.02, 0.98]


def point(algorithm, n=8, factor=1.0, nodes=None, rounds=NOISE, implementation="python"):
    """The records of a point: the times, and the nodes if they were counted."""
    first = timed(algorithm, n, [factor * one for one in rounds], implementation=implementation)
    return [first] if nodes is None else [first, counted(first, "nodes", nodes) | {
        "implementation": implementation}]


def of_study(*points, baseline="bitmask"):
    """The records of a run, and its study, which names a baseline."""
    found = frame(record for records in points for record in records)
    study = found.iloc[0].to_dict() | {
        "metric": "study", "n": 0, "samples": [], "algorithm": None, "implementation": None,
        "study": {"n": [8], "processes": 5, "baseline": baseline}}
    return pd.concat([found.assign(study=None), pd.DataFrame([study], dtype=object)],
                     ignore_index=True).astype({"n": int})

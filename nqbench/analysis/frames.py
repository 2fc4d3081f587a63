"""From records to DataFrames.

`load` returns one row for each record: the fields of the record, and a column for each key of the
context (machine, processor, commit, ...). The other functions select from it. A solver is an
algorithm with an implementation.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from nqbench.analysis.uncertainty import interval, typical, warnings
from nqbench.problems import SolverKey
from nqbench.problems.plugins.limits import LEFT_OUT, STOPPED
from nqbench.problems.queens import Tree
from nqbench.records import frame
from nqbench.records.contradictions import MEASURED, WRONG
from nqbench.records.descriptions import METRIC, Descriptions, presets, read_descriptions
from nqbench.records.record import add_parameters
from nqbench.records.runs import find_study, locate
from nqbench.search.metrics import counters as known_counters
from nqbench.search.metrics import of_record

POINT = ["algorithm", "implementation", "n"]
LONG = ["solver", *POINT[:2], "parameters", "problem", "n", "metric", "unit", "process", "round",
        "order", "value", "run", "machine", "commit"]


def load(results: str | Path = "results", published: bool = False) -> pd.DataFrame:
    """Return the records of a folder.

    A file with damaged or foreign lines is named in a warning.

    Parameters
    ----------
    results
        folder of the records.
    published
        whether to skip its subfolder `local`.

    Returns
    -------
    pandas.DataFrame
        one row a point.

    Raises
    ------
    InvalidValueError
        if there is no such folder.
    """
    return frame(record for _, record in locate(results, published))


def samples(records: pd.DataFrame) -> pd.DataFrame:
    """Return the long table: one row for each sample.

    Parameters
    ----------
    records
        those of `load`; what is wrong is left out.

    Returns
    -------
    pandas.DataFrame
        solver, algorithm, implementation (empty for a peer, which stands as an algorithm), problem
        (or its data set), n, metric, unit, process, round (of the process), order (its place in the
        round, in which the solvers take turns, from 0), value, run, machine, commit, and each
        parameter of an algorithm. Values are floats, or Python's numbers if a float would round
        one. A count has one sample. Values by level are in `profiles`, random instances and what
        has several values in frames of their topics.
    """
    taken = records[records["samples"].astype(bool)]  # what is wrong had its turn, too
    order = taken.groupby(["machine", "run", "metric", "problem", "data_set", "n"],
                          dropna=False).cumcount()
    rows: list[tuple[Any, ...]] = []
    for place, record in zip(order, taken.to_dict("records"), strict=True):
        known = {name: value for name, value in record.items()
                 if value is not None and value == value}  # without NaN
        many = len(record["samples"]) // int(known.get("processes", 1))
        algorithm = known.get("algorithm", known.get("peer"))
        if record["status"] != MEASURED or algorithm is None or "family" in known:
            continue
        key = SolverKey.of({"algorithm": algorithm, "implementation": "", **known})
        head = (str(key) if key.implementation else algorithm, algorithm, key.implementation,
                known.get("parameters"), known.get("data_set", known.get("problem", "queens")),
                record["n"], record["metric"], known.get("unit", ""))
        places = known.get("place") or [place] * len(record["samples"])
        rows += [(*head, k // many, k % many, places[k], value, record["run"], record["machine"],
                  known.get("commit", "")) for k, value in enumerate(record["samples"])
                 if isinstance(value, int | float)]
    found, values = pd.DataFrame(rows, columns=LONG), [row[LONG.index("value")] for row in rows]
    found["value"] = pd.Series(values, dtype=object if any(
        float(value) != value for value in values) else float)
    return add_parameters(found).drop(columns="parameters")


def latest(records: pd.DataFrame, machine: str | None = None, reached: int = 1,
           about: str = "algorithms") -> pd.DataFrame:
    """Return the records of the newest run on one machine.

    Times of different machines or runs are never mixed. Only runs of all algorithms, or of
    chosen ones, are considered.

    Parameters
    ----------
    records
        those of `load`.
    machine
        identity of the machine. Default: that which measured last.
    reached
        the run got at least as far as this n.
    about
        "pruning" or "symmetry" selects the newest run of these algorithms instead, if it has as
        many of their times as the newest of all; "engine" selects only such a run.

    Returns
    -------
    pandas.DataFrame
        the records of that run, one row a point.
    """
    if records.empty:
        return records
    if machine is not None:
        records = records[records["machine"] == machine]
    records = records.reset_index(drop=True)
    subjects = _subjects(records)
    timed = records[(records["metric"] == "seconds") & records["samples"].astype(bool)]

    def newest(subject: str, reached: int, points: int = 1) -> pd.DataFrame:
        mine = timed[subjects[timed.index] == subject]
        runs = mine.groupby(["run", "machine"])["n"]
        return newest_run(mine[(runs.transform("max") >= reached)
                               & (runs.transform("size") >= points)], records)

    if about in ("algorithms", "engine"):
        return newest(about, reached)
    general, solver = newest("algorithms", reached), ["algorithm", "implementation"]
    own = timed.loc[subjects[timed.index] == about, solver].drop_duplicates()
    points = timed.loc[general.index.intersection(timed.index), solver].merge(own)
    closer = newest(about, reached, len(points))
    return general if closer.empty else closer


def _subjects(records: pd.DataFrame) -> pd.Series:
    """Return the kind of solvers that the run of each record measures: the one in the record, or
    its preset.
    """
    by_preset = {name: fields.get("solvers", "") for name, fields in presets().items()}
    found = records["preset"].map(by_preset).fillna("algorithms")
    for (run, machine), rows in records[records["metric"] == "study"].groupby(["run", "machine"]):
        solvers = study(rows).get("solvers")
        if solvers is not None:
            found[(records["run"] == run) & (records["machine"] == machine)] = solvers
    return found


def study(records: pd.DataFrame) -> dict[str, Any]:
    """Return what the study of these records measures: the keys of a study file, none if the
    records do not have them.
    """
    studies = records[records["metric"] == "study"].reindex(columns=["metric", "study"])
    rows: Any = studies.to_dict("records")
    return find_study(rows) or {}


def measured(records: pd.DataFrame, *metrics: str) -> pd.DataFrame:
    """Return the records of these metrics that were measured, and are not wrong."""
    return records[records["metric"].isin(metrics) & (records["status"] == MEASURED)]


def newest_run(chosen: pd.DataFrame, records: pd.DataFrame | None = None, machine: str = "",
               first: tuple[str, ...] = ()) -> pd.DataFrame:
    """Return the newest run that has one of the records `chosen`, of this machine if it has such a
    run: its part of `records`, by default of the chosen ones. A run with a larger value in the
    columns `first` is preferred. Two machines may begin a run at the same moment.
    """
    here = chosen[chosen["machine"] == machine]
    newest = (here if len(here) else chosen).sort_values([*first, "run"], kind="stable").tail(1)
    records = chosen if records is None else records
    return records[records["machine"].isin(newest["machine"]) & records["run"].isin(newest["run"])]


def most_sampled(found: pd.DataFrame, by: list[str], size: str = "") -> pd.DataFrame:
    """Return the records that have the most samples, or the largest value in the column `size`, the
    newest of equals: one for each value of the columns `by`.
    """
    many = found[size] if size else found["samples"].map(len)
    return found.assign(many=many).sort_values(
        ["many", "run"], kind="stable").drop_duplicates(by, keep="last").drop(columns="many")


def timings(records: pd.DataFrame) -> pd.DataFrame:
    """Return the times of searches.

    Parameters
    ----------
    records
        those of a run, see `latest`.

    Returns
    -------
    pandas.DataFrame
        POINT, samples (a list of seconds, process by process), loops, processes, seconds (the
        geometric mean of the medians of the processes), low, high (its 95 % interval), warning
        (reasons to doubt it) and each parameter of an algorithm.
    """
    found = figures(measured(records, "seconds").reindex(
        columns=[*POINT, "samples", "loops", "processes", "disturbed"]))
    return _by_point(_with_parameters(found.drop(columns="disturbed"), records))


def _with_parameters(found: pd.DataFrame, records: pd.DataFrame) -> pd.DataFrame:
    """Return rows of one run with the parameters of their algorithms, if the run has some."""
    given = records.reindex(columns=["algorithm", "parameters"]).dropna()
    known = dict(zip(given["algorithm"], given["parameters"], strict=True))
    return add_parameters(found.assign(parameters=found["algorithm"].map(known.get))).drop(
        columns="parameters")


def figures(found: pd.DataFrame) -> pd.DataFrame:
    """Add seconds, low, high and warning to rows with samples and loops."""
    intervals = [interval(samples) for samples in found["samples"]]
    return found.copy().assign(  # in one piece: parameters have made many columns
        seconds=[typical(samples) for samples in found["samples"]],
        low=[low for low, _ in intervals], high=[high for _, high in intervals],
        warning=pd.Series(["; ".join(warnings(*row)) for row in found.reindex(columns=[
            "samples", "loops", "disturbed"]).itertuples(index=False)], found.index, dtype=str))


def counters(records: pd.DataFrame) -> pd.DataFrame:
    """Return the counters of searches, except those by level.

    Parameters
    ----------
    records
        those of a run, see `latest`.

    Returns
    -------
    pandas.DataFrame
        one row for each point that has some: POINT, solutions and every counter, those that one
        algorithm alone has at the end, and each parameter of an algorithm. If a record is older
        than a counter, its value is None: not measured.
    """
    names = _names(records, by_level=False)
    points = {point: values for point, values in _values(records, ["solutions", *names]).items()
              if values.keys() & set(names)}
    columns = {name: [values.get(name) for values in points.values()]
               for name in ("solutions", *names)}
    found = pd.DataFrame(list(points), columns=POINT).assign(**{
        name: pd.Series(column, dtype=object if None in column else None)
        for name, column in columns.items()})  # a missing count makes floats of the others
    return _by_point(_with_parameters(found, records))


def profiles(records: pd.DataFrame) -> pd.DataFrame:
    """Return the levels of the trees in long form: POINT, level, nodes, dead_ends and every other
    counter by level, under its name; None where the record is older than that counter.
    """
    by_level = _names(records, by_level=True)
    rows = [(*point, level, *counts) for point, values in _values(records, by_level).items()
            if "levels" in values for level, counts in enumerate(zip(*(
                values.get(name, [None] * len(values["levels"])) for name in by_level),
                strict=True))]
    names = [{"levels": "nodes", "dead_levels": "dead_ends"}.get(name, name) for name in by_level]
    found = pd.DataFrame(rows, columns=[*POINT, "level", *names],
                         dtype=object)  # counts may exceed 2^53, and a missing one makes floats
    return _by_point(found.astype({"n": int, "level": int}))


def definitions(records: pd.DataFrame) -> pd.DataFrame:
    """Return what the counters mean that one algorithm alone has: counter, algorithm, unit,
    definition.
    """
    own = records[records["definition"].notna()].rename(columns={"metric": "counter"})
    names = ["counter", "algorithm", "unit", "definition"]
    return own[names].drop_duplicates().sort_values(names, kind="stable").reset_index(drop=True)


def _names(records: pd.DataFrame, by_level: bool) -> list[str]:
    """Return the names of all counters that are by level, or of all that are not."""
    own: Any = records[records["definition"].notna()].sort_values("metric", kind="stable")
    every = *known_counters(), *map(of_record, own.to_dict("records"))
    return list(dict.fromkeys(each.name for each in every if each.by_level == by_level))


def _values(records: pd.DataFrame, metrics: Sequence[str]) -> dict[Any, dict[str, Any]]:
    """Return the values of these metrics for each point that has some and is not wrong."""
    chosen = records[records["metric"].isin(metrics) & (records["status"] != WRONG)]
    found: dict[Any, dict[str, Any]] = {}
    for *point, metric, samples in chosen[[*POINT, "metric", "samples"]].itertuples(index=False):
        found.setdefault((*point,), {})[metric] = samples[0]
    return found


def checks(records: pd.DataFrame) -> pd.DataFrame:
    """Return the checks of published values: sequence, n, expected, got, status,
    answered_by (a list of solvers), wrong (the answer of each solver that was wrong, if any was).
    """
    found = records[records["metric"] == "check"]
    shown = ["sequence", "n", "expected", "got", "status", "answered_by", "wrong"]
    return found[shown].sort_values(["sequence", "n"], kind="stable").reset_index(drop=True)


def descriptions(records: pd.DataFrame) -> Descriptions:
    """Return the descriptions of algorithms; those of external algorithms come from the records."""
    rows: Any = records[records["metric"] == METRIC].sort_values("time", kind="stable")
    return read_descriptions(rows.to_dict("records"))


def pruning(found: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of algorithms that prune, and so have a tree; of records, those without an
    algorithm are left out. The records have no nodes of an external algorithm without a tree.

    >>> pruning(pd.DataFrame({"algorithm": ["bitmask", "brute_force", None]})).index.tolist()
    [0]
    """
    known = descriptions(found) if "metric" in found else Descriptions()
    prunes = found["algorithm"].map(
        lambda name: isinstance(name, str) and known[name].tree != Tree.NONE)
    return found[prunes.astype(bool)]


def left_out(records: pd.DataFrame) -> pd.DataFrame:
    """Return what was skipped to stay within the budget, or stopped: POINT, predicted (seconds of
    one search), reason ("too long", "no time left"; of what was stopped, why), cost (seconds of all
    its rounds) and allowed (the seconds allowed for them). The name of an estimate says so, with
    its method.
    """
    found = records[records["status"].isin([LEFT_OUT, *STOPPED])
                    & records["metric"].isin(["seconds", "estimate"])]
    found = found.assign(reason=found["reason"].where(
        found["status"] == LEFT_OUT, found["status"] + ": " + found["fault"].astype(str)))
    estimates = found["metric"] == "estimate"
    names = found["algorithm"].where(~estimates, "estimate, " + found["method"].astype(str))
    return _by_point(found.assign(algorithm=names)[
        [*POINT, "predicted", "reason", "cost", "allowed"]].copy())


def _by_point(found: pd.DataFrame) -> pd.DataFrame:
    """Keep the order of the catalogue, and n rising."""
    return found.sort_values("n", kind="stable").reset_index(drop=True)

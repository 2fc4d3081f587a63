"""The solvers of a study compared with its baseline.

    records = nqbench.analysis.latest(nqbench.analysis.load("results/local"))
    over = nqbench.analysis.baseline(records)
    nqbench.analysis.against_baseline(nqbench.analysis.timings(records),
                                      nqbench.analysis.counters(records), over)
"""

import pandas as pd

from nqbench.analysis.frames import POINT, study
from nqbench.analysis.ratios import Names, ratios
from nqbench.analysis.uncertainty import verdicts_by_n


def baseline(records: pd.DataFrame) -> Names | None:
    """Return the baseline that the study of these records names, NAME or NAME@IMPLEMENTATION, if
    it was timed: algorithm and implementation; without one, Python or the first that was measured.
    """
    named = study(records).get("baseline")
    timed = records[(records["metric"] == "seconds") & (records["status"] == "measured")]
    solvers = list(dict.fromkeys(zip(timed["algorithm"], timed["implementation"], strict=True)))
    fitting = [(name, way) for name, way in solvers if named in (name, f"{name}@{way}")]
    return min(fitting, key=lambda solver: solver[1] != "python", default=None)


def against_baseline(timings: pd.DataFrame, counters: pd.DataFrame, over: Names) -> pd.DataFrame:
    """Compare the solvers with a baseline, for each n that both have: POINT, ratio (the time of the
    baseline divided by that of the solver, round by round), low, high, verdict, and nodes (the same
    ratio for the nodes; missing unless both have counted the nodes of a tree).

    Above 1 is a gain: the solver is faster, or has fewer nodes.
    """
    solvers = timings[POINT[:2]].drop_duplicates().itertuples(index=False, name=None)
    parts = [ratios(timings, over, (name, way)).assign(algorithm=name, implementation=way)
             for name, way in solvers if (name, way) != over]
    columns = [*POINT, "ratio", "low", "high", "chance"]
    found = pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)
    found["chance"] = verdicts_by_n(found.rename(columns={"ratio": "times"}), "faster", "slower")
    nodes = {(*point,): nodes for *point, nodes in zip(
        *(counters[name] for name in [*POINT, "nodes"]), strict=True)
        if nodes is not None and nodes > 1}  # without a tree there is only the root
    found["nodes"] = [nodes[*over, n] / nodes[name, way, n]
                      if {(*over, n), (name, way, n)} <= nodes.keys() else None
                      for name, way, n in zip(*(found[name] for name in POINT), strict=True)]
    return found.astype({"nodes": float}).rename(columns={"chance": "verdict"})

"""The five questions that most readers come with, answered from the tables."""

from typing import Any

import pandas as pd

from nqbench.reference import ERRATA
from nqbench.report.contents import Contents
from nqbench.report.tables import fastest, largest

ASKED_N = 12  # or the largest below it that was measured


def answers(made: Contents) -> dict[str, Any]:
    """Return what the page answers first: which algorithm is the fastest at n = ASKED_N, and by how
    much; what mirroring saves, in nodes (the median of the pairs) and in time (least and most), at
    the largest n of each pair; where the tree is widest; what the textbooks get wrong. Whether
    the counts are right, the page says from the checks. What no table answers is not answered.
    """
    found: dict[str, Any] = {
        "faults": len(ERRATA),
        "faulty": len({name for erratum in ERRATA for name in erratum.listings})}
    if "times" in made.tables:
        found |= _fastest(made.tables["times"], made.timings)
    if "mirror" in made.tables and len(last := largest(made.tables["mirror"])):
        found |= {"mirror_nodes": last["nodes"].median(),
                  "mirror_time": (last["time"].min(), last["time"].max())}
    if "levels" in made.tables:
        found |= _widest(made.tables["levels"], made.n_levels)
    return found


def _fastest(times: pd.DataFrame, timings: pd.DataFrame) -> dict[str, Any]:
    """At the n asked for: the fastest, and the fastest in Python, each with the next."""
    asked = times[times["n"] <= ASKED_N]
    asked = asked if len(asked) else times[times["n"] == times["n"].min()]
    n = int(asked["n"].max())
    return {"asked_n": n, **fastest(asked[asked["n"] == n], timings)}


def _widest(levels: pd.DataFrame, n: int) -> dict[str, Any]:
    """The level of the plain tree that has most nodes."""
    plain = levels[levels["algorithm"] == "bitmask"].iloc[0]
    nodes = [int(plain[f"level {k}"]) for k in range(n + 1)]
    level = nodes.index(max(nodes))
    return {"widest": level, "widest_nodes": nodes[level],
            "widest_share": nodes[level] / sum(nodes)}

"""The five questions that most readers come with, answered from the tables."""

from typing import Any

import pandas as pd

from nqbench.reference import ERRATA
from nqbench.report.contents import Contents
from nqbench.report.tables import fastest, largest

ASKED_N = 12  # or the largest below it that was measured


def answers(made: Contents) -> dict[str, Any]:
    """Return what the page answers first: which algorithm is the fastest at n = ASKED_N, and by how
    much; what mirroring saves; where the tree is widest; what the textbooks get wrong. Whether
    the counts are right, the page says from the checks.
    """
    return {**_fastest(made.tables["times"], made.timings), **_mirror(made.tables["mirror"]),
            **_widest(made.tables["levels"], made.n_levels), "faults": len(ERRATA),
            "faulty": len({name for erratum in ERRATA for name in erratum.listing.split(", ")})}


def _fastest(times: pd.DataFrame, timings: pd.DataFrame) -> dict[str, Any]:
    """At the n asked for: the fastest, and the fastest in Python, each with the next."""
    asked = times[times["n"] <= ASKED_N]
    n = int(asked["n"].max())
    return {"asked_n": n, **fastest(asked[asked["n"] == n], timings)}


def _mirror(gains: pd.DataFrame) -> dict[str, Any]:
    """The nodes (the median of the pairs) and the time (least and most) without the mirror as a
    multiple of those with it, at the largest n of each pair.
    """
    last = largest(gains)
    return {"mirror_nodes": last["nodes"].median(),
            "mirror_time": (last["time"].min(), last["time"].max())}


def _widest(levels: pd.DataFrame, n: int) -> dict[str, Any]:
    """The level of the plain tree that has most nodes."""
    plain = levels[levels["algorithm"] == "bitmask"].iloc[0]
    nodes = [int(plain[f"level {k}"]) for k in range(n + 1)]
    level = nodes.index(max(nodes))
    return {"widest": level, "widest_nodes": nodes[level],
            "widest_share": nodes[level] / sum(nodes)}

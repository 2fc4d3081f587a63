"""What each pruning idea saves, and at what cost: shapes of trees, survival, gains.

    records = nqbench.analysis.latest(nqbench.analysis.load("results"))
    counters, timings = nqbench.analysis.counters(records), nqbench.analysis.timings(records)
    nqbench.analysis.gains(counters, timings)
"""

from math import exp, factorial, hypot, nan
from statistics import median

import pandas as pd

from nqbench.analysis.frames import POINT, pruning
from nqbench.analysis.ratios import Names, ratio
from nqbench.analysis.uncertainty import verdicts_by_n
from nqbench.records import record

PLAIN: Names = (record.PLAIN, "python")  # the fastest search of the plain tree in Python


def branching_factor(nodes: int, n: int) -> float:
    """Return the b for which a uniform tree with n levels below its root has this number of nodes:
    nodes = 1 + b + b^2 + ... + b^n.

    >>> round(branching_factor(1 + 2 + 4 + 8, 3), 9)
    2.0
    """
    low, high = 0.0, float(max(nodes, 1)) ** (1 / max(n, 1))  # b^n is less than the nodes
    while low < (middle := (low + high) / 2) < high:
        if sum(middle**level for level in range(n + 1)) < nodes:
            low = middle
        else:
            high = middle
    return low


def shapes(counters: pd.DataFrame, timings: pd.DataFrame) -> pd.DataFrame:
    """Return the shape of each tree and the cost of its nodes: POINT, nodes, branching_factor,
    tests, scans, comparisons and dead_ends for each node, and the microseconds of a node (the
    median time divided by the nodes; missing if it was not timed).
    """
    found = pruning(counters)[[*POINT, "nodes"]].copy()
    nodes = found["nodes"].astype(float)
    found["branching_factor"] = [branching_factor(int(nodes), int(n))
                                 for nodes, n in zip(found["nodes"], found["n"], strict=True)]
    for name in ("tests", "scans", "comparisons", "dead_ends"):
        found[f"{name}_a_node"] = counters.loc[found.index, name].astype(float) / nodes
    seconds = found.merge(timings, on=POINT, how="left")["median"]
    found = found.reset_index(drop=True)
    found["microseconds_a_node"] = seconds * 1e6 / found["nodes"].astype(float)
    return found


def survival(profiles: pd.DataFrame) -> pd.DataFrame:
    """Return how each level leads to the next: POINT, level, nodes, dead_ends, children (the nodes
    of the next level for each node of this one) and dead_share (the share of the level's nodes that
    are dead ends; missing where they were not counted by level).
    """
    found = pruning(profiles).reset_index(drop=True).copy()
    nodes = found["nodes"].astype(float)
    below = nodes.groupby([found[name] for name in POINT], sort=False).shift(-1)
    found["children"] = (below / nodes).where(nodes > 0)
    found["dead_share"] = (found["dead_ends"].astype(float) / nodes).where(nodes > 0)
    return found


def gains(counters: pd.DataFrame, timings: pd.DataFrame, plain: Names = PLAIN) -> pd.DataFrame:
    """Return what each solver gains: POINT, leaves (n^n over its nodes), permutations (n!
    over its nodes), nodes (those of `plain` over its own) and time, low, high (the time
    of `plain` over its own, round by round) with its verdict; leaves_time and
    permutations_time, the time of `brute_force` and of `permutations` over its own, where these
    were timed.

    Above 1 is a gain. An idea with nodes above 1 and time below saves nodes and loses time.
    """
    both = counters.merge(timings, on=POINT)
    known = {(algorithm, implementation, int(n)): (nodes, samples)
             for algorithm, implementation, n, nodes, samples in zip(
                 *(both[c] for c in [*POINT, "nodes", "samples"]), strict=True)}

    def time_over(algorithm: str, n: int, samples: list[float]) -> float:
        _, over = known.get((algorithm, "python", n), (None, None))
        return nan if over is None else median(a / b for a, b in zip(over, samples, strict=False))

    rows = []
    for *point, n, nodes, samples in zip(
            *(pruning(both)[c] for c in [*POINT, "nodes", "samples"]), strict=True):
        if (*plain, n) in known and nodes:
            time = ratio(known[*plain, n][1], samples)
            rows.append((*point, n, n**n / nodes, factorial(n) / nodes,
                         known[*plain, n][0] / nodes, *time,
                         time_over("brute_force", n, samples),
                         time_over("permutations", n, samples)))
    found = pd.DataFrame(rows, columns=[*POINT, "leaves", "permutations", "nodes", "times", "low",
                                        "high", "chance", "leaves_time", "permutations_time"])
    others = (found["algorithm"] != plain[0]) | (found["implementation"] != plain[1])
    found["chance"] = verdicts_by_n(found[others], above="faster", below="slower")
    return found.rename(columns={"times": "time", "chance": "verdict"}).fillna({"verdict": ""})


def estimated_gains(records: pd.DataFrame, plain: str = record.PLAIN) -> pd.DataFrame:
    """Return what each search in Python gains on boards that are too large to search, by its
    estimated tree: algorithm, implementation, n, nodes, nodes_low, nodes_high, time, low, high (the
    estimates of `plain` over its own, with 95 % intervals), probes.

    The intervals are those of the logarithm, by the standard errors of both. Of several estimates,
    the one from the most probes counts, the newest of equals; both searches are of one run.
    """
    found = records[records["metric"] == "tree"].sort_values(["probes", "run"], kind="stable")
    known = {(row["run"], row["n"], row["algorithm"]): row["samples"][0]
             for row in found.to_dict("records")}
    rows = []
    for row in found.drop_duplicates(["algorithm", "n"], keep="last").to_dict("records"):
        base, own = known.get((row["run"], row["n"], plain)), row["samples"][0]
        if base is None or row["algorithm"] == plain:
            continue
        gain: list[float] = []
        for name in ("nodes", "seconds"):
            (over, error), (mean, own_error) = base[name], own[name]
            wide = exp(base["reach"] * hypot(error / over, own_error / mean))
            gain += [over / mean, over / mean / wide, over / mean * wide]
        rows.append((row["algorithm"], row["implementation"], row["n"], *gain, row["probes"]))
    return pd.DataFrame(rows, columns=["algorithm", "implementation", "n", "nodes", "nodes_low",
                                       "nodes_high", "time", "low", "high", "probes"])

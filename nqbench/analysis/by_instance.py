"""What each idea saves, instance by instance: two searches on the same random boards of queens.

    records = nqbench.analysis.load("results")
    nqbench.analysis.savings_by_instance(nqbench.analysis.searches_in_pairs(records))

Searches that gave up are censored, and stay in the data. Both searches of a pair have the same
limit of nodes. So a search that gave up counts as the limit, which is more than any other search,
and an instance on which both gave up counts as a tie. If an idea saved nothing, exchanging the two
searches would not change the distribution of these numbers. So a test that looks at signs and ranks
stays valid. If a search gave up, only a bound of the ratio is known, and so only a bound of the
median.

Frank Wilcoxon, Individual comparisons by ranking methods (1945); Sture Holm, A simple sequentially
rejective multiple test procedure (1979).
"""

from math import inf
from typing import Any

import numpy as np
import pandas as pd

from nqbench.analysis.frames import most_sampled
from nqbench.analysis.uncertainty import verdicts

# Each idea, and the search that differs from it by this idea alone.
WITHOUT = {"bitmask": "row_by_row", "forward_checking": "bitmask",
           "fewest_rows": "forward_checking", "fewest_lines": "fewest_rows",
           "arc_consistency": "fewest_rows", "dancing_links": "fewest_lines"}
BOARDS = ["family", "n"]
PAIRS = [*BOARDS, "amount", "idea", "without", "nodes", "nodes_without", "ended", "ended_without",
         "least", "most"]
SAVINGS = [*BOARDS, "idea", "without", "instances", "gave_up", "gave_up_without", "fewer", "equal",
           "more", "ratio", "at_most", "low", "high", "p", "verdict"]
SAVES, COSTS, SAME_TREE = "saves", "costs", "same tree"


def searches_in_pairs(records: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each random instance and each idea: PAIRS.

    `nodes` are those of the search with the idea, `nodes_without` those of the search without it,
    each at most the limit of both; `ended` says whether the search did not give up. The ratio of
    the nodes without the idea to those with it is between `least` and `most`. If an algorithm has
    several records, the one with the most instances counts.
    """
    found = most_sampled(records, "transition", [*BOARDS, "amount", "seed", "algorithm"])
    parts = []
    for _, rows in found[[*BOARDS, "amount", "seed", "algorithm", "nodes_allowed", "samples",
                          "solvable"]].groupby([*BOARDS, "amount", "seed"]):
        known = {row["algorithm"]: row for row in rows.to_dict("records")}
        parts += [_pair(known[idea], known[without])
                  for idea, without in WITHOUT.items() if idea in known and without in known]
    return pd.concat(parts, ignore_index=True)[PAIRS] if parts else pd.DataFrame(columns=PAIRS)


def _pair(idea: dict[Any, Any], without: dict[Any, Any]) -> pd.DataFrame:
    """Return the rows of two records, for the instances that both have."""
    many = min(len(idea["samples"]), len(without["samples"]))
    limit = min(idea["nodes_allowed"], without["nodes_allowed"])

    def read(record: dict[Any, Any]) -> tuple[Any, Any]:
        nodes = np.array(record["samples"][:many], dtype=float)
        ended = np.array([answer is not None for answer in record["solvable"][:many]])
        return np.minimum(nodes, limit), ended & (nodes <= limit)

    (nodes, ended), (nodes_without, ended_without) = read(idea), read(without)
    ratio = nodes_without / nodes
    return pd.DataFrame({
        **{name: idea[name] for name in (*BOARDS, "amount")}, "idea": idea["algorithm"],
        "without": without["algorithm"], "nodes": nodes.astype(int),
        "nodes_without": nodes_without.astype(int), "ended": ended, "ended_without": ended_without,
        "least": np.where(ended, ratio, 0.0),
        "most": np.where(ended_without, ratio, inf)})


def savings_by_instance(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each family, n and idea: SAVINGS.

    `fewer`, `equal` and `more` are the numbers of instances on which the idea takes fewer nodes,
    the same number, or more. `ratio` is the median of the nodes without the idea divided by those
    with it. If searches gave up, `ratio` is its lower bound and `at_most` its upper bound. `low` to
    `high` is its 95 % interval, from order statistics; it is valid for any values of the ratios
    that are not known. `p` is the p-value of the signed-rank test of Wilcoxon, with zeros split
    between both signs. The verdict is corrected for all ideas of the same boards by the method of
    Holm.
    """
    rows = [_compare(rows) for _, rows in pairs.groupby([*BOARDS, "idea"], sort=False)]
    found = pd.DataFrame(rows, columns=SAVINGS[:-1])
    for _, boards in found.groupby(BOARDS, sort=False):
        found.loc[boards.index, "verdict"] = verdicts(
            [*boards["ratio"]], [*boards["p"]], SAVES, COSTS)
    found = found.reindex(columns=SAVINGS)
    return found.assign(verdict=found["verdict"].mask(
        found["instances"] == found["equal"], SAME_TREE))


def _compare(found: pd.DataFrame) -> tuple[Any, ...]:
    """Return the row of an idea, all but its verdict."""
    from scipy.stats import quantile_test, wilcoxon

    def test() -> float:
        return float(wilcoxon(log, zero_method="zsplit", method="approx").pvalue)

    log = np.log(found["nodes_without"] / found["nodes"])
    fewer, more = int((log > 0).sum()), int((log < 0).sum())
    low = quantile_test(found["least"], p=0.5).confidence_interval().low
    high = quantile_test(found["most"], p=0.5).confidence_interval().high
    first = found.iloc[0]
    return (*first[BOARDS], first["idea"], first["without"], len(found),
            int((~found["ended"]).sum()), int((~found["ended_without"]).sum()), fewer,
            len(found) - fewer - more, more, float(found["least"].median()),
            float(found["most"].median()), float(low), float(high),
            test() if fewer or more else 1.0)

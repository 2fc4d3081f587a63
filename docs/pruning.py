"""What does each idea of pruning save? A worked example, to be run or read cell by cell.

    python docs/pruning.py [RESULTS]

Measures for about half a minute, or takes what was measured in the folder RESULTS.
"""

# %% Measure: every algorithm, counted exactly and timed in turns.
import sys
import tempfile

import pandas as pd

import nqbench
from nqbench import analysis
from nqbench.problems.queens import find
from nqbench.search.estimates import estimate

if len(sys.argv) > 1:
    records = analysis.latest(analysis.load(sys.argv[1]))
else:
    records = nqbench.study.run("quick", results=tempfile.mkdtemp())
counters, timings = analysis.counters(records), analysis.timings(records)

# %% Which tree is the smallest? All find the same solutions.
gains = analysis.gains(counters, timings)
n = 8
here = gains[(gains["n"] == n) & (gains["implementation"] == "python")]
print(f"n = {n}: times fewer nodes, and times less time, than the plain tree")
print(here.sort_values("nodes", ascending=False)[["algorithm", "nodes", "time"]].round(2)
      .to_string(index=False))

# %% Fewer nodes and more time: what a node costs.
both = analysis.pruning(counters.merge(timings, on=analysis.POINT))
costs = both[(both["n"] == n) & (both["implementation"] == "python")]
nodes = costs["nodes"].astype(float)
print(pd.DataFrame({
    "algorithm": costs["algorithm"], "tests_a_node": costs["tests"].astype(float) / nodes,
    "comparisons_a_node": costs["comparisons"].astype(float) / nodes,
    "microseconds_a_node": 1e6 * costs["seconds"] / nodes}).round(2).to_string(index=False))

# %% Where is the tree cut? Children of a node, level by level.
levels = analysis.survival(analysis.profiles(records))
cut = levels[(levels["n"] == n) & levels["algorithm"].isin(["bitmask", "forward_checking",
                                                            "fewest_first", "fewest_lines"])]
print(cut.pivot_table(index="algorithm", columns="level", values="children", aggfunc="first",
                      sort=False).round(2).to_string())

# %% And a tree that nobody can search, from random probes.
found = estimate(find("bitmask"), 30, probes=160, seed=1)
low, high = found.nodes.interval
print(f"30 queens: {low:.3g} to {high:.3g} nodes in the plain tree (95 %)")

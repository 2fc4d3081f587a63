"""Random instances of queens: how many have a solution, and how hard they are."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from nqbench.instances.families import FAMILIES
from nqbench.report.pointing import tell
from nqbench.report.series import series
from nqbench.report.style import figure, one_two_five

LOOKS = (("#56b4e9", "o"), ("#0072b2", "s"), ("#009e73", "D"), ("#e69f00", "^"), ("#d55e00", "v"),
         ("#882255", "P"))


def transition(found: pd.DataFrame) -> Figure:
    """Draw for one family the share of solvable instances and the median of the nodes against the
    density, a line for each n, with 95 % intervals of the shares.
    """
    family = FAMILIES[found["family"].iloc[0]]
    with figure(10.4, 4.0, 2) as (made, (shares, nodes)):
        for k, (n, rows) in enumerate(found.groupby("n")):
            colour, marker = LOOKS[k % len(LOOKS)]
            known = rows[np.isfinite(rows["nodes"].astype(float))]
            with series(shares, f"n = {n}"), series(nodes, f"n = {n}"):
                shares.vlines(rows["density"], rows["low"], rows["high"], color=colour,
                              linewidth=1, alpha=0.6)
                shares.plot(rows["density"], rows["share"], color=colour, marker=marker,
                            label=f"n = {n}")
                nodes.plot(known["density"], known["nodes"], color=colour, marker=marker)
            tell(shares, f"n = {n}", rows[["density", "share", "low", "high", "instances"]],
                 "density", "share")
            tell(nodes, f"n = {n}", known[["density", "nodes", "instances"]], "density", "nodes")
        shares.set_ylim(-0.03, 1.03)
        shares.set_title("Share of instances with a solution")
        shares.legend(frameon=False)
        nodes.set_yscale("log")
        one_two_five(nodes.yaxis)
        nodes.set_title("Nodes to decide an instance, median")
        for axes in (shares, nodes):
            axes.set_xlabel(family.axis)
        made.supylabel("lines: 95 % intervals", fontsize=9)
    return made

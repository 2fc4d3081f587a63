"""What each idea saves on each random instance of queens."""

import pandas as pd
from matplotlib.figure import Figure

from nqbench.report.pointing import tell
from nqbench.report.style import figure

DECIDED, CENSORED = "#0072b2", "#d55e00"
ACROSS = 2
ROOM = 1.3  # times the nodes, around all points


def by_instance(pairs: pd.DataFrame) -> Figure:
    """Draw the nodes of each instance with an idea against those without it, with a panel for each
    idea; an instance on which a search gave up is an orange triangle at the limit.
    """
    panels = [rows for _, rows in pairs.groupby(["idea", "without"], sort=False)]
    down = -(-len(panels) // ACROSS)
    with figure(8.4, 3.6 * down + 0.4, ACROSS, down) as (made, drawn):
        for axes in drawn[len(panels):]:
            axes.remove()
        for axes, rows in zip(drawn, panels, strict=False):
            both = rows["ended"] & rows["ended_without"]
            axes.set_xscale("log")
            axes.set_yscale("log")
            for some, colour, marker in ((both, DECIDED, "o"), (~both & rows["ended"], CENSORED,
                                         ">"), (~rows["ended"], CENSORED, "^")):
                axes.scatter(rows["nodes_without"][some], rows["nodes"][some], color=colour,
                             s=9 if marker == "o" else 22, marker=marker, alpha=0.6, linewidths=0)
            axes.plot(rows["nodes_without"].median(), rows["nodes"].median(), "P", markersize=8,
                      color="#1b1b1b", label="medians")
            middle = rows[["nodes_without", "nodes"]].median().to_frame().T
            tell(axes, "medians", middle, "nodes_without", "nodes")
            nodes = rows[["nodes", "nodes_without"]].to_numpy(dtype=float)
            ends = [nodes.min() / ROOM, nodes.max() * ROOM]
            axes.plot(ends, ends, color="#7f7f7f", linewidth=0.8)
            axes.set_xlim(*ends)
            axes.set_ylim(*ends)
            axes.set_title(rows["idea"].iloc[0])
            axes.set_xlabel(f"nodes of {rows['without'].iloc[0]}")
            axes.set_ylabel(f"nodes of {rows['idea'].iloc[0]}")
        made.supxlabel("a point is an instance; below the line the idea takes fewer nodes; "
                       "triangles: gave up; cross: medians", fontsize=9)
    return made

"""The sizes of the search trees."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from nqbench import analysis
from nqbench.algorithms import Tree
from nqbench.records.names import PLAIN
from nqbench.report import plots
from nqbench.report.choices import by_scale
from nqbench.report.formats import format_first
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section


@dataclass(frozen=True)
class Facts:
    """The algorithms with the same tree, and the counters of the largest such tree, None if it was
    not counted.
    """

    same_tree: list[str]
    largest: dict[Any, Any] | None

    @property
    def finding(self) -> str:
        """The number of algorithms that search the same tree; empty if no two do."""
        many = len(self.same_tree)
        return f"{format_first(many)} algorithms search the same tree" if many > 1 else ""


def build(frames: Frames) -> Part | None:
    """Return the nodes of the main run; None if no search in it prunes."""
    counters = frames.counters
    pruning = analysis.pruning(counters)
    if pruning.empty:
        return None
    plain = counters[counters["algorithm"] == PLAIN].drop_duplicates("n").tail(1)
    made = Facts(
        [name for name in pruning["algorithm"].unique()
         if frames.descriptions[name].tree == Tree.PLAIN],
        plain.to_dict("records")[0] if len(plain) else None,
    )
    return Part(made, figures={"nodes": by_scale(partial(plots.nodes, counters))},
                finding=made.finding)


SECTION = Section("nodes", "Nodes", 50, build, requires=("counters",),
                  chapter="Published algorithms")

"""The nodes on each level of the tree."""

from dataclasses import dataclass
from functools import partial

import pandas as pd

from nqbench.analysis import pruning
from nqbench.reference import published
from nqbench.report import plots
from nqbench.report.choices import by_size
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section

SHOWN_N = 12  # the levels are shown for this n, or for the largest measured below it


@dataclass(frozen=True)
class Facts:
    """The level of the plain tree with the most nodes, for n, with its share of all nodes; and this
    level for n = 8.
    """

    n: int
    widest: int
    widest_nodes: int
    widest_share: float
    widest_8: int

    @property
    def finding(self) -> str:
        """Where the tree is widest."""
        return f"The tree of {self.n} queens is widest at level {self.widest}"


def build(frames: Frames) -> Part | None:
    """Return the levels of the main run; None unless it has both the tree and its half."""
    profiles = frames.profiles
    sizes = shown_sizes(profiles)
    n = max(sizes, default=0)
    found = levels(profiles, n)
    if not n or found.empty:
        return None
    made = facts(found, n)
    return Part(made, {"levels": found},
                {"levels": by_size(partial(plots.levels, profiles), sizes, n)}, {
                    "levels": f"Nodes by level for n = {n}, with and without the mirror; exact."},
                finding=made.finding)


def facts(found: pd.DataFrame, n: int) -> Facts:
    """Return the facts of the table of levels for n."""
    plain = found[found["algorithm"] == "bitmask"].iloc[0]
    nodes = [int(plain[f"level {k}"]) for k in range(n + 1)]
    level = nodes.index(max(nodes))
    eight = published("A319284")[8]
    return Facts(n, level, nodes[level], nodes[level] / sum(nodes), eight.index(max(eight)))


def shown_sizes(profiles: pd.DataFrame) -> list[int]:
    """Return every n up to SHOWN_N at which the tree and its mirrored half are known."""
    both = [set(profiles[profiles["algorithm"] == a]["n"]) for a in ("bitmask", "somers")]
    return sorted(int(n) for n in both[0] & both[1] if n <= SHOWN_N)


def levels(profiles: pd.DataFrame, n: int) -> pd.DataFrame:
    """Return nodes by level for one n: a row for each algorithm that prunes, a column for each
    level.
    """
    chosen = pruning(profiles[profiles["n"] == n])
    wide = chosen.drop_duplicates(["algorithm", "level"]).pivot_table(
        index="algorithm", columns="level", values="nodes", aggfunc="first", sort=False)
    wide.columns = [f"level {level}" for level in wide.columns]
    return wide.reset_index()


SECTION = Section("levels", "Levels", 81, build, requires=("profiles",),
                  chapter="What pruning saves")

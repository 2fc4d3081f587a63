"""What the tables of several sections have in common."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from nqbench.records.record import SMALL

ENGINE = "cross"  # the algorithm whose compiled implementation is the counting engine


@dataclass(frozen=True)
class Taken:
    """The number of samples of the times, and of their processes."""

    samples: int = 0
    processes: int = 0

    @property
    def few(self) -> str:
        """Why there is no verdict, in words.

        >>> Taken(8, 2).few, Taken(1, 1).few
        ('two processes, too few for an interval', 'a single sample')
        """
        return ("two processes, too few for an interval" if self.processes == 2 else
                "two samples, too few for an interval" if self.samples == 2 else "a single sample")


def taken(rows: pd.DataFrame) -> Taken:
    """Return the least number of samples and of processes of the points in these rows, except for
    the smallest n, which have fewer; 0 without rows.
    """
    usual = rows[rows["n"] > SMALL]
    chosen = usual if len(usual) else rows
    return Taken(*(int(chosen[name].min()) for name in ("samples", "processes"))
                 ) if len(chosen) else Taken()


def taken_of_timings(timings: pd.DataFrame) -> Taken:
    """Return the same for timings, which have the samples themselves."""
    return taken(timings.assign(samples=timings["samples"].map(len)))


def largest_common(found: pd.DataFrame) -> int:
    """Return the largest n that most algorithms reached."""
    sizes = found.groupby("n").size()
    return int(sizes[sizes == sizes.max()].index.max())


def at_largest_common(found: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of this n."""
    return found[found["n"] == largest_common(found)]


def by_solver(found: pd.DataFrame) -> list[tuple[tuple[str, str], pd.DataFrame]]:
    """Return the rows of each algorithm in each implementation, in their order."""
    groups: Any = found.groupby(["algorithm", "implementation"], sort=False)
    return list(groups)

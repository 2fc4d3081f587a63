"""The conditions of a sample: the cores that its search may use, and the state of the machine."""

import os
from contextlib import suppress
from functools import cache
from typing import Any, Self

import psutil

from nqbench.problems.plugins.limits import Limits, explain_unlimited
from nqbench.util.clocks import WALL

# Of a record: see nqbench/records/record.json.
STATE: dict[str, Any] = {"clock": WALL, "wall": [], "processor": [], "waited": [], "losses": [],
                         "place": [], "pinned": None, "repeated": 0, "disturbed": 0, "load": None,
                         "mhz": None}


@cache
def rank_cores() -> list[int]:
    """Return the cores that this process may use, first those that were the least busy since it
    began; with their numbers, or all where they have none.
    """
    if "cores" in explain_unlimited():
        return list(range(psutil.cpu_count() or 1))
    busy = dict(enumerate(psutil.cpu_percent(percpu=True)))
    return sorted(os.sched_getaffinity(0), key=lambda core: busy.get(core, 0.0))


class Conditions:
    """The cores of this thread and of what it starts. `Limits.cores` of
    `nqbench.problems.plugins.limits` says how many a search has. In a with statement, the thread
    gets all its cores back.

    Attributes
    ----------
    cores
        the cores that it may use.

    Examples
    --------
    >>> with Conditions() as conditions:
    ...     conditions.pin(1)
    ...     len(conditions.cores)
    1
    """

    def __init__(self) -> None:
        self.cores = rank_cores()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.pin(0)

    def pin(self, threads: int) -> None:
        """Keep to the cores that were the least busy, as many as this process allows a search, or
        as it has threads; 0 threads stand for all cores.
        """
        cores = rank_cores()[:(threads and Limits.kept and max(Limits.kept, threads)) or None]
        if cores != self.cores and "cores" not in explain_unlimited():
            os.sched_setaffinity(0, cores)
            self.cores = cores

    def describe(self) -> dict[str, Any]:
        """Return the state of the machine, as fields of a record."""
        load = mhz = None
        with suppress(AttributeError, OSError):
            load = round(os.getloadavg()[0], 2)
        with suppress(AttributeError, NotImplementedError, OSError):
            each = psutil.cpu_freq(percpu=True)
            mhz = each[self.cores[0] % len(each)].current if each else None
        pinned = None if "cores" in explain_unlimited() else sorted(self.cores)
        return {"pinned": pinned, "load": load, "mhz": mhz or None}

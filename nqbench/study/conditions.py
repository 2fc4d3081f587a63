"""The conditions of a sample: the cores that its search may use, and what the machine does besides.
"""

import os
from contextlib import suppress
from functools import cache
from math import isnan, nan
from time import perf_counter
from typing import Any, Self

import psutil

from nqbench.problems.plugins.limits import Limits, explain_unlimited

WINDOW = 0.25  # seconds at least for the share of others: the system counts in hundredths
BUSY = ("user", "nice", "system", "irq", "softirq", "steal", "interrupt", "dpc")  # of a core
# Of a record: see nqbench/records/record.json.
STATE: dict[str, Any] = {"pinned": None, "others": [], "repeated": 0, "disturbed": 0,
                         "load": None, "mhz": None}


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
    """The cores of this thread and of what it starts, and how much of them others take.
    `Limits.cores` of `nqbench.problems.plugins.limits` says how many a search has.

    Others are all processes that this one has not started, and other virtual machines where the
    system says how much these take. In a with statement, the thread gets all its cores back.

    Attributes
    ----------
    cores
        the cores that it may use.
    others
        the share of their time that others took, in the last window; None if it is not known yet.

    Examples
    --------
    >>> with Conditions() as conditions:
    ...     conditions.pin(1)
    ...     len(conditions.cores), conditions.judge()
    (1, None)
    """

    def __init__(self) -> None:
        self.cores = rank_cores()
        self.others: float | None = None
        self.window = self._read()

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
            self.cores, self.others = cores, None
            self.window = self._read()

    def begin(self) -> None:
        """Begin a window, unless the last one has just begun: a short sample is a part of it."""
        if perf_counter() - self.window[0] >= WINDOW:
            self.window = self._read()

    def judge(self) -> float | None:
        """Return the share of others, until now if the window is long enough."""
        if perf_counter() - self.window[0] >= WINDOW:
            (start, before), self.window = self.window, self._read()
            passed = (self.window[0] - start) * len(self.cores)
            share = (self.window[1] - before) / passed
            self.others = None if isnan(share) else round(min(1.0, max(0.0, share)), 3)
        return self.others

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

    def _read(self) -> tuple[float, float]:
        """Return the seconds now, and those of the cores that others have taken."""
        times = psutil.cpu_times(percpu=True)
        busy = nan if max(self.cores) >= len(times) else sum(
            getattr(times[core], name, 0.0) for core in self.cores for name in BUSY)
        return perf_counter(), busy - _read_own()


def _read_own() -> float:
    """Return the processor seconds of this process, and of those that it started."""
    seconds = sum(os.times()[:4])
    with suppress(AttributeError, ChildProcessError):  # of Windows; if none runs
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                seconds += sum(child.cpu_times()[:4])
    return seconds

"""Limit what a search may take beside its time: memory, the size of a file, processes, and cores.

Memory and file size are limits of each process, by setrlimit(2). RLIMIT_NPROC is not used: root is
exempt from it, and it counts every process and thread of the user, also those of other programs and
of other containers. Instead the supervisor of a child counts what the child has started. BenchExec
(Beyer, Löwe and Wendler, 2019) uses cgroups for all of this; research/intervals compares.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from math import nan
from pathlib import Path
from typing import ClassVar

from nqbench.util.text import format_bytes

TIME, MEMORY, ENDED = "timed out", "out of memory", "failed"  # as records say it
LEFT_OUT = "left out"  # the outcome of what the budget ended, or did not allow
FORKS, FILE = "too many processes", "too large a file"
STOPPED = (TIME, MEMORY, FORKS, FILE)  # what became of a search that reached a limit
MEMORY_SHARE = 0.5  # of the machine's, that a child may take besides what Python takes at first
RESOURCES = {"memory": "RLIMIT_AS", "file_size": "RLIMIT_FSIZE"}
CREATED = Path("/proc/loadavg")  # its last number is that of the newest process


def memory_allowed() -> int:
    """Return the bytes of memory that a call in a child may take by default.

    >>> memory_allowed() > 10**8
    True
    """
    from psutil import virtual_memory

    total = virtual_memory().total
    with suppress(OSError, ValueError):  # of a container; "max" if there is no limit
        total = min(total, int(Path("/sys/fs/cgroup/memory.max").read_text("ascii")))
    return int(MEMORY_SHARE * total)


@dataclass(frozen=True)
class Limits:
    """What a child may take.

    Attributes
    ----------
    memory
        bytes of each process besides what Python takes at first.
    processes
        how many processes that it started may be there at once.
    file_size
        bytes of each file that it writes.
    cores
        how many a search may use while it is timed, unless it has more threads; 0 for all.
    kept
        the cores of the limits that were applied to this process; see `nqbench.study.samples`.

    Examples
    --------
    >>> Limits(processes=4).explain(FORKS)
    'stopped, as it had more than 4 processes'
    """

    memory: int = field(default_factory=memory_allowed)
    processes: int = 512
    file_size: int = 1 << 30
    cores: int = 1
    kept: ClassVar[int] = cores

    def explain(self, outcome: str) -> str:
        """Return why a search was stopped, if it was by one of these limits."""
        return {MEMORY: f"stopped, as it needs more than {format_bytes(self.memory)} of memory",
                FORKS: f"stopped, as it had more than {self.processes:,} processes",
                FILE: f"stopped, as it wrote a file of more than {format_bytes(self.file_size)}",
                }.get(outcome, "")

    def apply(self) -> None:
        """Let allocations and files of this process, and of what it starts, fail beyond these
        limits, where the system has them.
        """
        from psutil import Process

        Limits.kept = self.cores
        wanted = {"memory": Process().memory_info().vms + self.memory, "file_size": self.file_size}
        for name in RESOURCES.keys() - explain_unlimited().keys():
            _keep(name, wanted[name])


@cache
def explain_unlimited() -> dict[str, str]:
    """Return which of these limits this system cannot set, each with the reason."""
    found = {}
    attempts: dict[str, Callable[[], object]] = {
        "cores": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
        "processes": lambda: os.fork, **{name: partial(_keep, name) for name in RESOURCES}}
    for name, attempt in attempts.items():
        try:
            attempt()
        except (AttributeError, ImportError, OSError, ValueError) as error:
            found[name] = str(error)
    return found | ({"memory": "macOS ignores RLIMIT_AS"} if sys.platform == "darwin" else {})


def _keep(name: str, wanted: int | None = None) -> None:
    """Set a limit to what is wanted, as far as this process may, or to what it is."""
    import resource

    kind = getattr(resource, RESOURCES[name])
    soft, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (soft if wanted is None else wanted if hard == resource.RLIM_INFINITY
                              else min(wanted, hard), hard))


class ProcessTree:
    """The processes below this one, of which one was there before.

    Listing all processes of a machine takes milliseconds. Linux numbers them in their order, so
    they are listed only once so many are new that the limit may be exceeded.
    """

    def __init__(self) -> None:
        self.known, self.newest = 1, self._read_newest()

    def _read_newest(self) -> float:
        with suppress(OSError, ValueError, IndexError):  # of other systems
            return int(CREATED.read_text("ascii").split()[-1])
        return nan

    def exceeds(self, most: int) -> bool:
        """Return whether more than `most` were added that are still there."""
        from psutil import Process

        newest = self._read_newest()
        if not 0 <= newest - self.newest <= 1 + most - self.known:
            self.known, self.newest = len(Process().children(recursive=True)), newest
        return self.known > 1 + most

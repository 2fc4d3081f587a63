"""Sources of what is measured beside the time of a search.

A source names its metrics, says whether they can be measured here, and measures one of them in
searches that are not timed.
"""

import errno
import gc
import os
import platform
import struct
import sys
import tracemalloc
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from nqbench.problems import SolverKey
from nqbench.search.implementations import quiet
from nqbench.search.metrics import METRICS, Kind, Metric
from nqbench.util.clocks import sample

if TYPE_CHECKING:
    from nqbench.study.worker import Search

SLOWER = 25  # times, at most: a search whose allocations are traced
EVENTS = {"cycles": 0, "instructions": 1, "cache_misses": 3, "branch_misses": 5}  # PERF_COUNT_HW_
HARDWARE = 0  # PERF_TYPE_HARDWARE
CALLS = {"x86_64": 298, "i686": 336, "aarch64": 241, "riscv64": 241, "ppc64le": 319, "s390x": 331}
SIZE = 64  # of the oldest perf_event_attr, which every kernel knows
TIMES = 1 | 2  # PERF_FORMAT_TOTAL_TIME_ENABLED and _RUNNING
DISABLED, INHERIT, NO_KERNEL, NO_HYPERVISOR = 1, 1 << 1, 1 << 5, 1 << 6
ENABLE, DISABLE = 0x2400, 0x2401  # PERF_EVENT_IOC_
PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")


class UnavailableError(Exception):
    """A metric cannot be measured; the message says why."""


class Source(ABC):
    """A way to measure some metrics of a search.

    Attributes
    ----------
    metrics
        their names.
    once
        whether one sample in each process is enough, as all are alike.
    """

    metrics: ClassVar[tuple[str, ...]]
    once: ClassVar[bool] = False

    def explain_absence(self, metric: str) -> str:
        """Return why the metric cannot be measured on this machine; by default, it can."""
        return ""

    def explain_refusal(self, solver: SolverKey) -> str:
        """Return why it cannot be measured of this solver; by default, it can of every one."""
        return ""

    @abstractmethod
    def measure(self, metric: str, search: Callable[[], object], loops: int) -> float:
        """Return the value for one search, from `loops` of them where one is too short.

        Raises
        ------
        UnavailableError
            if it cannot be measured after all.
        """

    def cost(self, seconds: float, shortest: float) -> float:
        """Return the seconds that measuring takes, for a search of `seconds` whose samples last
        `shortest` seconds at least.
        """
        return max(seconds, shortest)


class ProcessorTime(Source):
    """Seconds in which the process, with the threads that a search starts, had a processor: other
    programs change it less than the time.
    """

    metrics = ("cpu_seconds",)

    def measure(self, metric: str, search: Callable[[], object], loops: int) -> float:
        return sample(search, loops).processor or nan


class Memory(Source):
    """Bytes at the peak of one search above those at its start; the garbage collector is on.

    It is counted with tracemalloc what Python's allocators hand out: lists, integers, frames,
    generators. Memory that compiled code takes elsewhere cannot be seen, so only searches in Python
    are measured, in the build that is timed. The memory of the process would be no measure: it
    grows by whole pages, and by none if Python reuses what it has.
    """

    metrics = ("peak_memory",)
    once = True

    def explain_refusal(self, solver: SolverKey) -> str:
        return "" if solver.implementation == "python" else (
            "only searches in Python: compiled code takes its memory elsewhere")

    def measure(self, metric: str, search: Callable[[], object], loops: int) -> float:
        gc.collect()
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            search()
            return tracemalloc.get_traced_memory()[1] - before
        finally:
            tracemalloc.stop()

    def cost(self, seconds: float, shortest: float) -> float:
        return SLOWER * seconds


def open_event(config: int, kind: int = HARDWARE) -> int:
    """Return the file descriptor of a stopped counter of this process and of its new threads.

    Raises
    ------
    OSError
        if the kernel refuses it.
    """
    import ctypes

    attributes = bytearray(SIZE)
    struct.pack_into("=IIQQQQQ", attributes, 0, kind, SIZE, config, 0, 0, TIMES,
                     DISABLED | INHERIT | NO_KERNEL | NO_HYPERVISOR)
    call = ctypes.CDLL(None, use_errno=True).syscall
    found: int = call(CALLS[platform.machine()], (ctypes.c_char * SIZE).from_buffer(attributes),
                      0, -1, -1, 0)
    if found < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return found


def count_events(descriptor: int, search: Callable[[], object], loops: int) -> float:
    """Return how many events a counter counts while `loops` searches run.

    Raises
    ------
    UnavailableError
        if it did not run at all.
    """
    from fcntl import ioctl

    with quiet():
        ioctl(descriptor, ENABLE, 0)
        for _ in range(loops):
            search()
        ioctl(descriptor, DISABLE, 0)
    value, enabled, running = struct.unpack("=QQQ", os.read(descriptor, 24))
    if not running:
        raise UnavailableError("the processor had no free counter for this event")
    return float(value * enabled / running)


@cache
def try_event(event: int) -> str:
    """Return why an event cannot be counted here; empty if it can."""
    if sys.platform != "linux":
        return "only Linux has perf_event"
    if platform.machine() not in CALLS:
        return f"perf_event_open is not known for the processor {platform.machine()}"
    try:
        os.close(open_event(event))
    except OSError as error:
        return explain_refused(error)
    return ""


def explain_refused(error: OSError) -> str:
    """Return why the kernel refuses a counter.

    >>> explain_refused(OSError(errno.ENOENT, ""))
    'the processor, or the virtual machine, offers no such event'
    """
    if error.errno in (errno.EACCES, errno.EPERM):
        level = "unknown"
        with suppress(OSError):
            level = PARANOID.read_text("ascii").strip()
        return (f"no permission: {PARANOID} is {level}, and must be 2 or less; a container may "
                "forbid perf_event_open, too")
    if error.errno == errno.ENOSYS:
        return "this kernel has no perf_event_open"
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.EOPNOTSUPP, errno.EINVAL):
        return "the processor, or the virtual machine, offers no such event"
    return f"perf_event_open failed: {error.strerror}"


class PerfEvent(Source):
    """Hardware events of the searches of a sample, divided by their number, in user space only.

    perf_event_open of Linux counts those of this process and of the threads that it starts
    meanwhile, from just before the first search of a sample to just after the last; the loop around
    the searches is part of it. If other counters share the hardware, the kernel counts a part of
    the time, and the value is extrapolated.
    """

    metrics = tuple(EVENTS)

    def explain_absence(self, metric: str) -> str:
        return try_event(EVENTS[metric])

    def measure(self, metric: str, search: Callable[[], object], loops: int) -> float:
        try:
            descriptor = open_event(EVENTS[metric])
        except OSError as error:
            raise UnavailableError(explain_refused(error)) from None
        try:
            return count_events(descriptor, search, loops) / loops
        finally:
            os.close(descriptor)


SOURCES: Mapping[str, Source] = {"memory": Memory(), "perf_event": PerfEvent(),
                                 "processor_time": ProcessorTime()}


def find_source(metric: Metric) -> Source:
    """Return what measures a gauge.

    >>> find_source(METRICS["peak_memory"]) is SOURCES["memory"]
    True
    """
    return next(source for source in SOURCES.values() if metric.name in source.metrics)


def explain_absence(metric: Metric, solver: SolverKey | None = None) -> str:
    """Return why a metric cannot be measured here, or not of this solver; empty if it can.

    >>> explain_absence(METRICS["seconds"])
    ''
    """
    if metric.kind != Kind.GAUGE:
        return ""
    source = find_source(metric)
    return source.explain_absence(metric.name) or (source.explain_refusal(solver) if solver else "")


def reader(metric: str, search: "Search") -> Callable[[], float]:
    """Return a function that measures a search once, and raises UnavailableError if the value is
    no number.
    """
    source, function = find_source(METRICS[metric]), search.function()

    def read() -> float:
        value = source.measure(metric, function, search.loops or 1)
        if not isfinite(value):
            raise UnavailableError(f"it measured {value}")
        return value

    return read

"""Count events of the processor with perf_event_open of Linux, in user space only.

The events of this process and of the threads that it starts meanwhile are counted, from just
before the first search of a sample to just after the last; the loop around the searches is part
of it. If other counters share the hardware, the kernel counts a part of the time, and the value is
extrapolated.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from nqbench.builds.comparing import quiet
from nqbench.study.gauges import Source, UnavailableError

EVENTS = {"cycles": 0, "instructions": 1, "cache_misses": 3, "branch_misses": 5}  # PERF_COUNT_HW_
HARDWARE = 0  # PERF_TYPE_HARDWARE
CALLS = {"x86_64": 298, "i686": 336, "aarch64": 241, "riscv64": 241, "ppc64le": 319, "s390x": 331}
SIZE = 64  # of the oldest perf_event_attr, which every kernel knows
TIMES = 1 | 2  # PERF_FORMAT_TOTAL_TIME_ENABLED and _RUNNING
DISABLED, INHERIT, NO_KERNEL, NO_HYPERVISOR = 1, 1 << 1, 1 << 5, 1 << 6
ENABLE, DISABLE = 0x2400, 0x2401  # PERF_EVENT_IOC_
PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")


def open_event(config: int, kind: int = HARDWARE) -> int:
    """Return the file descriptor of a stopped counter of this process and of its new threads.

    Raises
    ------
    OSError
        if the kernel refuses it.
    """
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
        return explain(error)
    return ""


def explain(error: OSError) -> str:
    """Return why the kernel refuses a counter.

    >>> explain(OSError(errno.ENOENT, ""))
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
    """Hardware events of the searches of a sample, divided by their number."""

    metrics = tuple(EVENTS)

    def explain_absence(self, metric: str) -> str:
        return try_event(EVENTS[metric])

    def measure(self, metric: str, search: Callable[[], object], loops: int) -> float:
        try:
            descriptor = open_event(EVENTS[metric])
        except OSError as error:
            raise UnavailableError(explain(error)) from None
        try:
            return count_events(descriptor, search, loops) / loops
        finally:
            os.close(descriptor)


SOURCE = PerfEvent()

"""What counts here: the compiled core, the kernels that the processor can run, its cores."""

import os
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any

core: ModuleType | None = None
with suppress(ImportError):  # built without a C compiler
    core = import_module("nqbench._engine")


def available() -> bool:
    """Whether the engine was compiled."""
    return core is not None


def kernels() -> list[str]:
    """Return the kernels that this processor can run, the fastest first."""
    return [] if core is None else list(core.kernels())


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def completions(memory: Any, engine: Any, part: int, stop: bytearray) -> int:
    """Return the completions of one part, counted with the memory of a kernel; 0 if another thread
    has set stop[0] before the end.
    """
    ((ways, *_),) = memory.complete(engine, [part], stop) or [(0,)]
    return int(ways)


def chosen_kernel(kernel: str | None = None) -> str:
    """Return the kernel of that name, if it can be run here; the fastest for None.

    Raises
    ------
    ValueError
        if there is no such kernel, the processor cannot run it, or nothing was compiled.
    """
    if core is None:
        raise ValueError("the counting engine was not compiled here: there was no C compiler")
    able = kernels()
    if kernel is None:
        return able[0]
    if kernel not in core.NAMES:
        raise ValueError(f"there is no kernel {kernel!r}, only {', '.join(core.NAMES)}")
    if kernel not in able:
        raise ValueError(f"this processor cannot run the kernel {kernel}, only "
                         f"{' and '.join(able)}")
    return kernel

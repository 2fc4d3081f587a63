"""The compiled core, the kernels that this processor can run, and the cards of NVIDIA here.

Cards are optional: `pip install "nqbench[cuda]"`. They are named cuda:0, cuda:1 and so on; cuda
names all of them. `nqbench.engine.devices` counts on one.
"""

import os
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from nqbench.errors import NOT_COMPILED, InvalidValueError, describe_error
from nqbench.util import cores
from nqbench.util.arguments import require_text
from nqbench.util.files import try_lock

ENGINES = ("cross", "join")
CUDA = "cuda"

core, join = map(cores.find_core, ("nqbench._engine", "nqbench._join"))


def available() -> bool:
    """Return whether the engine was compiled."""
    return core is not None


def engines() -> list[str]:
    """Return the algorithms that were compiled as engines: cross and join, or neither."""
    return [name for name, module in (("cross", core), ("join", join)) if module is not None]


def find_core(algorithm: str) -> Any:
    """Return the compiled core of an engine.

    Raises
    ------
    ValueError
        if there is no such engine, or it is not compiled.
    """
    if require_text(algorithm, "algorithm") not in ENGINES:
        raise InvalidValueError(f"there is no engine {algorithm!r}, only {', '.join(ENGINES)}")
    found = {"cross": core, "join": join}[algorithm]
    if found is None:
        raise InvalidValueError(f"the counting engine is not available: {NOT_COMPILED}")
    return found


def kernels() -> list[str]:
    """Return the kernels that this processor can run, the fastest first."""
    return [] if core is None else list(core.kernels())


def count_part(memory: Any, engine: Any, part: int, stop: bytearray) -> int:
    """Return what one part counts, with the memory of a kernel: its completions.

    Return zero if another thread sets stop[0] before the end.
    """
    counts = memory.complete(engine, [part], stop)
    return counts[0][0] if counts else 0


def choose_kernel(kernel: str | None = None) -> str:
    """Return the kernel of this name, or the device, if it can run here; the fastest kernel for
    None.

    Raises
    ------
    ValueError
        if there is no such kernel or device, the processor cannot run it, or the engine is not
        compiled.
    """
    core = find_core("cross")
    supported = kernels()
    if kernel is None:
        return supported[0]
    if is_device(require_text(kernel, "kernel")):
        find_devices(kernel)
        return kernel
    if kernel not in core.NAMES:
        raise InvalidValueError(f"there is no kernel {kernel!r}, only {', '.join(core.NAMES)}")
    if kernel not in supported:
        raise InvalidValueError(
            f"this processor cannot run the kernel {kernel}, only "
            f"{', '.join(supported)}")
    return kernel


def is_device(kernel: str | None) -> bool:
    """Return whether a kernel is named that runs on a card.

    >>> is_device("cuda:1"), is_device("avx2")
    (True, False)
    """
    return kernel is not None and kernel.partition(":")[0] == CUDA


def find_devices(name: str = CUDA) -> dict[str, str]:
    """Return the cards of a name: what each is called, by its own name.

    Raises
    ------
    ValueError
        if there is none here, or CuPy is not installed.
    """
    try:
        runtime = import_module("cupy").cuda.runtime
    except ImportError:
        raise InvalidValueError(f"{name} needs cupy: pip install 'nqbench[cuda]'") from None
    except Exception as error:  # of its libraries
        raise InvalidValueError(
            f"{name} needs cupy, which cannot be imported: {describe_error(error)}") from None
    try:
        found = range(runtime.getDeviceCount())
    except runtime.CUDARuntimeError:  # there is no driver
        found = range(0)
    every = {f"{CUDA}:{device}": runtime.getDeviceProperties(device)["name"].decode()
             for device in found}
    if not every:
        raise InvalidValueError(f"there is no device {name}: it needs a graphics processor with "
                                "the driver of NVIDIA")
    if name == CUDA:
        return every
    if name not in every:
        raise InvalidValueError(f"there is no device {name}, only " + ", ".join(
            f"{key} ({title})" for key, title in every.items()))
    return {name: every[name]}


@cache
def claim(name: str) -> str:
    """Return a card of this name that no other process of this user has claimed on this machine,
    until this one ends.

    Raises
    ------
    ValueError
        if there is none.
    """
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    for each in find_devices(name):
        path = Path(gettempdir()) / f"nqbench-{user}-{each.replace(':', '-')}.lock"
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        if try_lock(file):
            _claimed.append(file)
            return each
        file.close()
    raise InvalidValueError(f"each device {name} of a worker's machine has another worker; start "
                            "one worker for each device")


_claimed: list[Any] = []  # files that stay open

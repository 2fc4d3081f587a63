"""The compiled core, and the kernels that this processor can run."""

from typing import Any

from nqbench.engine.devices import find_devices, is_device
from nqbench.errors import NOT_COMPILED, InvalidValueError
from nqbench.util import cores
from nqbench.util.arguments import require_text

ENGINES = ("cross", "join")

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

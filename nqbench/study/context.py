"""Where a figure was measured: machine, versions, commit."""

import hashlib
import os
import platform
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from nqbench.algorithms import catalogue
from nqbench.algorithms._algorithm import CythonBuilds

_SOURCE = Path(__file__).resolve().parents[2]


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(_SOURCE), *arguments], capture_output=True,
                              text=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def commit() -> tuple[str | None, bool | None]:
    """Return the commit of the running source and whether it was changed since.

    Both are None outside a clone. Measured results and made reports are no change.
    """
    root = _git("rev-parse", "--show-toplevel")
    if root is None or Path(root) != _SOURCE:
        return None, None
    changes = _git("status", "--porcelain", "--", ".", ":!results", ":!reports")
    return _git("rev-parse", "HEAD"), bool(changes)


def subjects() -> dict[str, str]:
    """Return the first line of the message of every commit behind the running source, the
    oldest first; nothing outside a clone.
    """
    head, _ = commit()
    listed = _git("log", "--topo-order", "--reverse", "--format=%H %s") if head else None
    return dict(line.split(" ", 1) for line in (listed or "").splitlines())


def _built_with() -> dict[str, str]:
    """Compiler and Cython of the cores, as the cores themselves report."""
    for algorithm in catalogue().values():
        compiled = algorithm.implementations.get("cython")
        if isinstance(compiled, CythonBuilds):
            found: dict[str, str] = compiled.core.built_with()
            return found
    return {"compiler": "none", "cython": "none"}


@cache
def context() -> dict[str, Any]:
    """Return the context of this process.

    Keys: commit, dirty, nqbench, python, compiler, cython, platform, processor,
    cores, memory_bytes, machine. `machine` is a short name made from processor,
    cores, memory and system, the same for equal machines; no host name is kept.
    """
    import psutil
    from cpuinfo import get_cpu_info

    import nqbench

    head, dirty = commit()
    processor = get_cpu_info().get("brand_raw") or platform.processor() or platform.machine()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = psutil.virtual_memory().total
    key = f"{processor}|{cores}|{memory >> 30}|{platform.system()}|{platform.machine()}"
    return {
        "commit": head,
        "dirty": dirty,
        "nqbench": nqbench.__version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **_built_with(),
        "platform": f"{platform.system()} {platform.machine()}",
        "processor": processor,
        "cores": cores,
        "memory_bytes": memory,
        "machine": hashlib.sha256(key.encode()).hexdigest()[:8],
    }

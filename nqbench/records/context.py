"""Describe where a figure was measured: machine, versions, commit."""

import os
import platform
import subprocess
import sysconfig
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from nqbench._version import __version__
from nqbench.algorithms import catalogue
from nqbench.algorithms._implementations import CythonBuilds
from nqbench.engine import cores
from nqbench.records import identity

_SOURCE = Path(__file__).resolve().parents[2]


def _git(*arguments: str) -> str | None:
    """Return what git says about the folder of the source; variables may name another clone."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(["git", "-C", str(_SOURCE), *arguments], capture_output=True,
                              text=True, check=True, timeout=10, env=environment)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def commit() -> tuple[str | None, bool | None]:
    """Return the commit of the running source and whether it was changed since.

    Both are None outside a clone. Results and reports do not count as changes.
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
    """Return the compiler and the Cython version of the cores."""
    for algorithm in catalogue().values():
        compiled = algorithm.implementations.get("cython")
        if isinstance(compiled, CythonBuilds):
            found: dict[str, str] = compiled.core.built_with()
            return found
    return {"compiler": "none", "cython": "none"}


def _python() -> str:
    """Return the interpreter and its version, with a t if it is free-threaded: CPython 3.14.0t."""
    free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return f"{platform.python_implementation()} {platform.python_version()}{free}"


def _processor() -> str:
    """Return the name of the processor; outside Linux, py-cpuinfo needs a second for it."""
    with suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name.strip() == "model name" and value.strip():
                return value.strip()
    from cpuinfo import get_cpu_info

    return get_cpu_info().get("brand_raw") or platform.processor() or platform.machine()


@cache
def _hardware() -> dict[str, Any]:
    """Return processor, cores and memory of this machine."""
    import psutil

    return {
        "platform": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": cores(),
        "memory_bytes": psutil.virtual_memory().total,
    }


def _kind() -> str:
    """Return the kind of hardware, in one line."""
    found = _hardware()
    return (f"{found['processor']}|{found['cores']}|{found['memory_bytes'] >> 30}|"
            f"{found['platform']}")


def relabel(label: str) -> None:
    """Store a label of this installation for people; see `nqbench.records.identity`."""
    identity.relabel(_kind(), label)
    context.cache_clear()


@cache
def context() -> dict[str, Any]:
    """Return the context of this process.

    Keys: commit, dirty, nqbench, python, compiler, cython, platform, processor,
    cores, memory_bytes, machine, label. `machine` is the identity of this installation, see
    `nqbench.records.identity`. No host name is kept.
    """
    head, dirty = commit()
    known = identity.identity(_kind())
    return {
        "commit": head,
        "dirty": dirty,
        "nqbench": __version__,
        "python": _python(),
        **_built_with(),
        **_hardware(),
        "machine": known.machine,
        "label": known.label,
    }

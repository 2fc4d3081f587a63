"""Describe where a figure was measured: machine, versions, commit.

A machine is identified by a random number for this installation, and by a label. The number is
drawn once and stored in the user's configuration folder, one for each kind of hardware, since nodes
of a cluster may share a home folder. It contains no host name.
"""

import hashlib
import json
import os
import platform
import re
import secrets
import subprocess
import sysconfig
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from nqbench._version import __version__
from nqbench.errors import InvalidValueError
from nqbench.util import files
from nqbench.util.cores import cores, find_core
from nqbench.util.versions import git

IDENTITY_DIGITS = 12  # hexadecimal digits of an identity
LONGEST_LABEL = 60  # the most characters of a label
_PROCESSOR = re.compile(r"^\s*(?:model name|machdep.cpu.brand_string|ProcessorNameString *REG_SZ)"
                        r"[ \t:]+(?![ \t:])(.*\S)", re.IGNORECASE | re.MULTILINE)
_TOOLS = {"Linux": "env LC_ALL=C lscpu", "Darwin": "sysctl machdep.cpu.brand_string",
          "Windows": rf"{os.environ.get('SYSTEMROOT')}\System32\reg.exe query "
                     r"HKLM\HARDWARE\DESCRIPTION\System\CentralProcessor\0"}  # name the processor
_DRAWN = re.compile(f"[0-9a-f]{{{IDENTITY_DIGITS}}}")


@dataclass(frozen=True)
class Identity:
    """The identity of this installation and, if the user gave one, its label."""

    machine: str
    label: str | None = None


def identity(hardware: str) -> Identity:
    """Return the identity of this installation on such hardware; draw one the first time.

    If it cannot be stored, warn and use one for this process only.
    """
    path = Path("~")
    try:
        path = _path(hardware)
        files.require_regular(path)  # nothing else is read or replaced
        for new in (True, False):  # one of another process stays, and a damaged one is replaced
            with suppress(OSError, ValueError, TypeError):  # none yet, or damaged
                return _read(path)
            with suppress(InvalidValueError, FileExistsError):
                _write(path, Identity(secrets.token_hex(IDENTITY_DIGITS // 2)), new)
        return _read(path)
    except (OSError, InvalidValueError) as error:
        return _draw_unsaved(path, getattr(error, "strerror", None) or str(error))


def relabel(label: str, hardware: str | None = None) -> None:
    """Store a label for this installation, for people; by default on the hardware that is here.

    Raises
    ------
    InvalidValueError
        if the label is empty, too long, or not printable, or if its file is no regular file.
    OSError
        if it cannot be stored.
    """
    text, hardware = clean_label(label), hardware or _kind()
    path = _path(hardware)
    files.require_regular(path)
    _write(path, Identity(identity(hardware).machine, text))
    context.cache_clear()


def clean_label(label: str) -> str:
    """Return a label without spaces around it.

    Raises
    ------
    InvalidValueError
        if it is empty, too long, or not printable.
    """
    if not label.strip() or len(label) > LONGEST_LABEL or not label.isprintable():
        raise InvalidValueError(
            f"a label must have 1 to {LONGEST_LABEL} printable characters, not {label!r:.90}")
    return label.strip()


def _path(hardware: str) -> Path:
    kind = hashlib.sha256(hardware.encode()).hexdigest()[:8]
    return files.find_user_folder("config") / f"machine-{kind}.json"


def _read(path: Path) -> Identity:
    found = Identity(**files.parse_json(files.read_bounded(path)))
    if not (_DRAWN.fullmatch(found.machine)
            and (found.label is None or clean_label(str(found.label)) == found.label)):
        raise ValueError
    return found


def _write(path: Path, found: Identity, new: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_whole(path, json.dumps(asdict(found)), new)


@cache
def _draw_unsaved(path: Path, reason: str) -> Identity:
    warnings.warn(f"{path}: cannot be written ({reason}); this study counts as one of another "
                  "machine than the next", stacklevel=3)
    return Identity(secrets.token_hex(IDENTITY_DIGITS // 2))


_SOURCE = Path(__file__).resolve().parents[2]


def commit() -> tuple[str | None, bool | None]:
    """Return the commit of the running source and whether it was changed since.

    Both are None outside a clone. Results and reports do not count as changes.
    """
    root = git(_SOURCE, "rev-parse", "--show-toplevel")
    if root is None or Path(root) != _SOURCE:
        return None, None
    changes = git(_SOURCE, "status", "--porcelain", "-unormal", "--", ".", ":!results", ":!reports")
    return git(_SOURCE, "rev-parse", "HEAD"), bool(changes)


def _built_with() -> dict[str, str]:
    """Return the compiler and the Cython version of the cores."""
    core = find_core("nqbench._bitmask")  # all are built at once
    found: dict[str, str] = core.built_with() if core else {"compiler": "none", "cython": "none"}
    return found


def _python() -> str:
    """Return the interpreter and its version, with a t if it is free-threaded: CPython 3.14.0t."""
    free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return f"{platform.python_implementation()} {platform.python_version()}{free}"


def _processor() -> str:
    """Return the name of the processor, as the first text that has it says."""
    named = next(filter(None, map(_PROCESSOR.search, _read_processor())), None)
    return named[1] if named else platform.processor() or platform.machine()


def _read_processor() -> Iterator[str]:
    """Yield what the system says of the processor; only on x86 is its name in /proc."""
    with suppress(OSError):
        yield Path("/proc/cpuinfo").read_text("utf-8", "replace")
    with suppress(KeyError, OSError, subprocess.SubprocessError):
        yield subprocess.run(_TOOLS[platform.system()].split(), capture_output=True, timeout=10,
                             encoding="utf-8", errors="replace").stdout


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


@cache
def context() -> dict[str, Any]:
    """Return the context of this process.

    Keys: commit, dirty, nqbench, python, compiler, cython, platform, processor,
    cores, memory_bytes, machine, label. `machine` is the identity of this installation, see
    `nqbench.records.context`. No host name is kept.
    """
    head, dirty = commit()
    known = identity(_kind())
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

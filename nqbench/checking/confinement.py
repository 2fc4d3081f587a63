"""Confine a process to its own files, with Landlock of Linux (landlock(7), since version 5.13)."""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # system calls, on every architecture
NO_NEW_PRIVILEGES = 38  # an option of prctl(2)
VERSION, BENEATH = 1, 1  # a flag of the first call, and the kind of a rule
READ = 0b1101  # execute, read a file, list a folder
BITS = {1: 13, 2: 14, 3: 15, 4: 15}  # kinds of access by version; 16 in later ones
BINARIES = ("bin", "sbin", "shims")
PACKAGES = ("site-packages", "dist-packages")
SYSTEM = ("/bin", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/opt", "/proc", "/sbin", "/snap",
          "/sys", "/usr")


def tools() -> Iterator[str]:
    """Yield the folders of the programs in PATH: of one called bin, the folder that it is in."""
    homes = {Path("/"), Path.home()}
    for name in filter(None, os.environ.get("PATH", "").split(os.pathsep)):
        folder = Path(name).resolve()
        inside = folder.name in BINARIES and folder.parent not in homes
        yield str(folder.parent if inside else folder)


def confine(own: Path, readable: Iterable[str] = ()) -> bool:
    """Let this thread, and all that it starts, read the folders of the system, of the programs in
    PATH and of Python, and some others, and write only below its `own` folder; return False where
    that is not possible.
    """
    if not sys.platform.startswith("linux"):
        return False
    call = ctypes.CDLL(None, use_errno=True).syscall
    version = call(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION)
    if version < 1:
        return False
    every = (1 << BITS.get(version, 16)) - 1
    asked = ctypes.create_string_buffer(struct.pack("Q", every), 8)
    rules = call(CREATE_RULESET, asked, ctypes.c_size_t(8), 0)
    if rules < 0:
        return False
    python = {sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]), *(
        path for path in sys.path if path.endswith(PACKAGES))}
    allowed = dict.fromkeys((*SYSTEM, *tools(), *python, *readable), READ) | {
        "/dev": every, str(own): every}
    for folder, access in allowed.items():
        with suppress(OSError):
            opened = os.open(folder, os.O_PATH | os.O_DIRECTORY)
            rule = ctypes.create_string_buffer(struct.pack("=Qi", access, opened), 12)
            call(ADD_RULE, rules, BENEATH, rule, 0)
            os.close(opened)
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    done = bool(call(RESTRICT_SELF, rules, 0) == 0)
    os.close(rules)
    return done

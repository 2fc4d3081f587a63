"""Keep a program from all but a copy of its own files, by bubblewrap (bwrap(1) of Linux)."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nqbench.problems.plugins.programs import Program
from nqbench.util.clocks import Reading

HOMES = {"RUSTUP_HOME": "~/.rustup", "PYENV_ROOT": "~/.pyenv"}  # of tools that stand in the home
BINARIES = ("bin", "sbin", "shims")
BESIDE = ("lib", "libexec", "pkg", "versions")  # what a tool has beside its binaries
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix", "/snap",
          "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
MEMORY = f"{1 << 28}"  # bytes of each folder in which a program can write
INSIDE, SOURCE = "/entry", "/source"  # where a program runs, and the copy that it is made of
EMPTY = "--size", MEMORY, "--perms", "1777", "--tmpfs"  # before the name of a folder
BWRAP = ("bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
         "--unshare-cgroup-try", "--as-pid-1", "--die-with-parent", "--new-session",
         "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev", *EMPTY, "/dev/shm",
         "--remount-ro", "/dev", *EMPTY, "/tmp")
# A program of root becomes a user that nobody is: root may start any number of processes.
USER = f"{(1 << 30) + os.getpid()}"
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
BECOME = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID") if IS_ROOT else (
    "--unshare-user", "--uid", USER, "--gid", USER)
THEN = (*("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups",
           "--inh-caps=-all")
        * IS_ROOT, "prlimit", "--nproc=1024", "--core=0")


@dataclass(frozen=True, kw_only=True)
class Confined(Program):
    """A program that runs in a new copy of its folder each time. Its time is the processor's, or
    what passed if that is more: a process can hide the first.

    Attributes
    ----------
    file
        the name of its source.
    before
        the words that confine it, see `confine`; if there are none, it runs in its folder itself.
    """

    file: str
    before: tuple[str, ...] = ()

    def arguments(self, text: str, **numbers: int) -> list[str]:
        words = super().arguments(text, **numbers)
        if not self.before:
            return words
        if text == self.build:
            own, copy = ["--bind", f"{self.folder}", INSIDE], ""
        else:
            own = ["--ro-bind", f"{self.folder}", SOURCE, *EMPTY, INSIDE]
            copy = f"cp -R {SOURCE}/. . && "
        # The shell is the first process: all others end with it, and bwrap waits for it, so that
        # the kernel knows what they took.
        return [*self.before, *own, "--remount-ro", "/", "--chdir", INSIDE, *THEN,
                "sh", "-c", f'{copy}"$@"; exit $?', "sh", *words]

    def _finish(self, text: str, lines: Sequence[str] = (), **numbers: int) -> Any:
        for _ in range(2):  # something else may kill it once
            begin = Reading.take(last=True).children
            run = super()._finish(text, lines, **numbers)
            spent = Reading.take(last=False).children - begin
            status = 128 - run.status if self.before and run.status > 128 else run.status
            if status >= 0 or run.exceeded:
                break
        left = 0 if self.before else run.left  # where all end with the first one
        return replace(run, status=status, left=left, seconds=max(run.seconds, spent))


def tools() -> Iterator[Path]:
    """Yield the folders of the programs in PATH: of bin, the one that it is in, if that has what
    they need.
    """
    homes = {Path(each).expanduser() for each in ("/", "~", "~/.cargo", "~/.local")}
    for name in filter(None, os.environ.get("PATH", "").split(os.pathsep)):
        folder = Path(name).resolve()
        inside = folder.name in BINARIES and folder.parent not in homes and any(
            (folder.parent / each).is_dir() for each in BESIDE)
        yield folder.parent if inside else folder


def confine(hidden: Path) -> tuple[str, ...]:
    """Return the words before a command with which it sees the system, the programs in PATH and
    Python, but not the `hidden` folder, nor the network, nor other processes, and writes nothing
    that stays; no words where that does not work.
    """
    homes = {name: os.environ.get(name, str(Path(usual).expanduser()))
             for name, usual in HOMES.items()}
    python = {sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]), *(
        path for path in sys.path if path.endswith(("site-packages", "dist-packages")))}
    seen = *SYSTEM, *map(str, Path("/etc").glob("java*")), *sorted(
        {*map(str, tools()), *python, *homes.values()})
    above = sorted({each for path in seen for each in Path(path).parents if each != each.parent})
    kept = {"PATH": os.environ.get("PATH", os.defpath), "HOME": "/tmp", "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1", **homes}
    words = (  # the mark of a run stays in the environment, by which all its processes are found
        *BWRAP, *BECOME, *(word for name in os.environ for word in ("--unsetenv", name)),
        *(word for name, value in kept.items() for word in ("--setenv", name, value)),
        *(word for each in above for word in ("--perms", "755", "--dir", str(each))),
        *(word for each in seen for word in ("--ro-bind-try", each, each)),
        *("--tmpfs", str(hidden.resolve())) * any(map(hidden.resolve().is_relative_to, seen)))
    try:
        subprocess.run([*words, *THEN, "true"], capture_output=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ()
    return words

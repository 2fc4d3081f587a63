"""Run the commands of the README where they were not written, each time in a fresh clone.

    python tools/anywhere.py                                  every condition, every command
    python tools/anywhere.py 'busy machine' --commands test   one of each
    python tools/anywhere.py 'Python 3.13+odd path'           two conditions together

Takes a quarter of an hour for each condition, and prints a table. What HEAD has is cloned to
build/anywhere, where the output of each command stays; the clone of a condition stays if something
failed. A condition that this machine cannot have is skipped by name. `make anywhere` is the same.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from time import perf_counter

from aarch64 import TESTS

HOME = Path(__file__).parents[1]
BUILD = HOME / "build/anywhere"
COMMANDS = ("report", "test", "docs", "dist")
LOOPS = 2  # busy processes
NOBODY = 65533  # a user without a name
OPTIONAL = ("bwrap", "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
            "c++", "fzn-gecode", "g++", "java", "minizinc", "node", "npm", "unshare", "valgrind")
EMULATOR = "qemu-x86_64-static"
OLD = "Nehalem"  # the oldest processor that runs NumPy's wheels: no AVX
READ_ONLY = 'mount -t tmpfs -o ro none "$0" && exec "$@"'


class UnavailableError(Exception):
    """What a condition needs is not here."""


@dataclass
class Setting:
    """Where commands run: the name of the clone's folder, the Python that they use, words before
    each, changes of the environment, and the commands by name, if they are not those of the
    Makefile.
    """

    clone: str = "clone"
    python: str = sys.executable
    before: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    commands: dict[str, Sequence[str]] = field(default_factory=dict)


@contextmanager
def usual(folder: Path) -> Iterator[Setting]:
    """As on any machine."""
    yield Setting()


@contextmanager
def older_processor(folder: Path) -> Iterator[Setting]:
    """The cores ask the processor for nothing above SSE4, so neither AVX2 nor AVX-512 is used."""
    yield Setting(environment={"CFLAGS": "-DMOST_KERNEL=SSE4"})


@contextmanager
def emulated_processor(folder: Path) -> Iterator[Setting]:
    """The cores are tested by an emulator of a processor that has neither AVX2 nor AVX-512."""
    python = require(EMULATOR), "-cpu", OLD, ".venv/bin/python"
    # NumPy's OpenBLAS takes this one for a processor with AVX, on some hosts, and dies.
    yield Setting(environment={"OPENBLAS_CORETYPE": OLD}, commands={
        "compile": ("make", ".venv/tested"),
        "kernels": (*python, "tools/installed.py"),
        "cores": (*python, "-m", "pytest", *TESTS)})


def another_python(version: str) -> Callable[[Path], Iterator[Setting]]:
    """Return the condition that Python has this version."""
    @contextmanager
    def condition(folder: Path) -> Iterator[Setting]:
        done = subprocess.run(
            [require(f"python{version}"), "-c", "import sys; print(sys.executable)"],
            capture_output=True, text=True, check=False)
        if done.returncode:
            raise UnavailableError(f"python{version} does not run")
        yield Setting(python=done.stdout.strip())

    return condition


@contextmanager
def read_only_home(folder: Path) -> Iterator[Setting]:
    """No file can be written below the user's home."""
    home = folder / "home"
    home.mkdir()
    before: tuple[str, ...] = ()
    if os.geteuid():
        home.chmod(0o555)
    else:  # who may write everywhere
        before = require("unshare"), "-m", "sh", "-c", READ_ONLY, str(home)
        if subprocess.run([*before, "true"], capture_output=True, check=False).returncode:
            raise UnavailableError("unshare fails to give a process mounts of its own")
    yield Setting(before=before, environment={"HOME": str(home)})


@contextmanager
def odd_path(folder: Path) -> Iterator[Setting]:
    """The path has blanks and a letter that is not ASCII."""
    yield Setting("ein Häuschen auf dem Land")


@contextmanager
def busy_machine(folder: Path) -> Iterator[Setting]:
    """Other processes are busy all the time."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(LOOPS)]
    try:
        yield Setting()
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@contextmanager
def fewer_tools(folder: Path) -> Iterator[Setting]:
    """No tool is in PATH that is optional: npm, Chromium, valgrind and others."""
    tools = folder / "tools"
    tools.mkdir()
    for place in map(Path, os.environ["PATH"].split(os.pathsep)):
        for tool in place.iterdir() if os.access(place, os.R_OK | os.X_OK) else ():
            if tool.name not in OPTIONAL and not (tools / tool.name).is_symlink():
                (tools / tool.name).symlink_to(tool)
    yield Setting(environment={"PATH": str(tools)})


@contextmanager
def broken_tools(folder: Path) -> Iterator[Setting]:
    """Each optional tool is in PATH, and fails."""
    tools = folder / "tools"
    tools.mkdir()
    for name in OPTIONAL:
        (tools / name).write_text("#!/bin/sh\necho it is broken >&2\nexit 1\n")
        (tools / name).chmod(0o755)
    yield Setting(environment={
        "PATH": os.pathsep.join((str(tools), os.environ["PATH"]))})


@contextmanager
def other_user(folder: Path) -> Iterator[Setting]:
    """The user is not root, and has no name."""
    if os.geteuid():
        yield Setting()  # this one is not root either
        return
    home = folder / "home"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    before = require("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"
    if subprocess.run([*before, "test", "-w", home], check=False).returncode:
        raise UnavailableError(f"other users cannot reach {folder}")
    # By a shell, as setpriv itself still may what root may.
    python = next((python for python in (sys.executable, "/usr/bin/python3") if not
                   subprocess.run([*before, "sh", "-c", '"$0" -c "import ensurepip"', python],
                                  stderr=subprocess.DEVNULL, check=False).returncode), "")
    if not python:
        raise UnavailableError("no Python here with venv may be run by other users")
    yield Setting(python=python, before=before,
                  environment={"HOME": str(home)})


CONDITIONS: dict[str, Callable[[Path], Iterator[Setting]]] = {
    "usual": usual, "older processor": older_processor, "emulated processor": emulated_processor,
    **{f"Python 3.{minor}": another_python(f"3.{minor}") for minor in (12, 13, 14, 15)},
    "read-only home": read_only_home, "odd path": odd_path, "busy machine": busy_machine,
    "fewer tools": fewer_tools, "broken tools": broken_tools, "other user": other_user}


def require(tool: str) -> str:
    """Return the path of a tool.

    Raises
    ------
    UnavailableError
        if it is not in PATH.
    """
    found = shutil.which(tool)
    if not found:
        raise UnavailableError(f"{tool} is not in PATH")
    return found


@contextmanager
def meet_all(names: Sequence[str], folder: Path) -> Iterator[Setting]:
    """Meet some conditions together."""
    whole = Setting()
    with ExitStack() as stack:
        for name in names:
            own = folder / name.replace(" ", "-")
            own.mkdir()
            one = stack.enter_context(CONDITIONS[name](own))
            for each in fields(Setting):
                mine, found = (getattr(setting, each.name) for setting in (whole, one))
                if isinstance(mine, dict):
                    mine.update(found)
                elif isinstance(mine, tuple):
                    whole.before = mine + found
                elif found != each.default:
                    setattr(whole, each.name, found)
        yield whole


def clone(setting: Setting, folder: Path, source: Path) -> Path:
    """Clone what a repository has committed, for the user of the setting."""
    made = folder / setting.clone
    subprocess.run(["git", "clone", "--quiet", source, made], check=True)
    if any(word.startswith("--reuid") for word in setting.before):
        for path in (made, *made.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    return made


def run(words: Sequence[str], setting: Setting, folder: Path, log: Path) -> str:
    """Run a command in a folder, and return how it ended and after how many seconds, in words."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("MAKE", "MFLAGS", "XDG_", "VIRTUAL_ENV"))}
    start = perf_counter()
    with log.open("w") as output, subprocess.Popen(
            [*setting.before, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, start_new_session=True,
            env=environment | setting.environment) as process:
        try:
            status = process.wait()
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    ended = "passed" if status == 0 else f"failed, see {log}"
    return f"{ended} ({perf_counter() - start:.0f} s)"


def meet(name: str, commands: Sequence[str], source: Path = HOME,
         build: Path = BUILD) -> dict[str, str]:
    """Run commands under a condition, or several with + between them; return how each ended."""
    folder = build / name.replace(" ", "-")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    logs = build / "logs"
    logs.mkdir(exist_ok=True)
    try:
        with meet_all(name.split("+"), folder) as setting:
            made = clone(setting, folder, source)
            chosen = setting.commands or {
                each: ("make", f"PYTHON={setting.python}", each) for each in commands}
            found = {each: run(words, setting, made, logs / f"{folder.name}-{each}.txt")
                     for each, words in chosen.items()}
            changed = subprocess.run(
                ["git", "-c", "safe.directory=*", "status", "--porcelain"], cwd=made,
                capture_output=True, text=True, check=True).stdout
    except UnavailableError as error:
        return {"": f"skipped: {error}"}
    if changed:
        found["git status"] = f"failed: {' '.join(changed.split())}"
    if not any(ended.startswith("failed") for ended in found.values()):
        shutil.rmtree(folder)
    return found


def main() -> None:
    """Print a row for each command under each condition; exit with 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("conditions", nargs="*", metavar="CONDITION",
                        help=f"Of {', '.join(CONDITIONS)}. Default: all.")
    parser.add_argument("--commands", default=",".join(COMMANDS),
                        help="Targets of the Makefile. Default: %(default)s.")
    given = parser.parse_args()
    if unknown := [name for names in given.conditions for name in names.split("+")
                   if name not in CONDITIONS]:
        parser.error(f"there is no condition {unknown[0]!r}, only {', '.join(CONDITIONS)}")
    failed = False
    print("| condition | command | result |\n|---|---|---|", flush=True)
    for name in given.conditions or CONDITIONS:
        for command, ended in meet(name, given.commands.split(",")).items():
            print(f"| {name} | {command} | {ended} |", flush=True)
            failed |= ended.startswith("failed")
    sys.exit(failed)


if __name__ == "__main__":
    main()

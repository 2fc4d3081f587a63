"""A race: every program of a folder is checked and timed, in rounds. Each runs in processes of its
own, which bubblewrap (bwrap(1) of Linux) keeps from all but a copy of its own files.
"""

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from operator import itemgetter
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from typing import Any

from nqbench.checking import runner
from nqbench.checking.examination import FEW, check
from nqbench.errors import InvalidValueError, NqbenchError, PluginError, describe_error
from nqbench.problems.plugins import resolve
from nqbench.problems.plugins.children import Child, StoppedError
from nqbench.problems.plugins.functions import NUMBER_ALONE, adapt
from nqbench.problems.plugins.limits import ENDED, TIME
from nqbench.problems.plugins.notation import LANGUAGES as BUILDS
from nqbench.problems.plugins.programs import Program, to_word
from nqbench.problems.plugins.reading import INPUT_HINT
from nqbench.problems.published import published
from nqbench.util.clocks import Reading, orders, sample
from nqbench.util.files import FILE_TYPES, parse_json
from nqbench.util.text import format_bytes, format_seconds, printable

CHECKED_N = 7
CHECKING, LEAST_SECONDS = 4, 40.0  # times the seconds of a count, of a check; the least of them
LARGEST_ENTRY = 1 << 26  # bytes of its files
HEAD = 200  # bytes that tell what a file is
MAIN = "main"
MOST_WAYS = 8  # ways to count that are tried
AGAINST = ("bitmask@python", "cross@cython")
CONSTANT = "constant time in n"
# Seconds, and the share of a start, that do not matter, and times these that do; samples of a time
# that seems to matter, as the least of them counts; the most queens that are asked for; and times
# as long as for n - 1 that a search takes at most on a busy machine: up to ten queens, where it may
# try all placements, and beyond.
MOMENT, START_SHARE, SLOW, LOOKS, PROBE, EARLY_GROWTH, LATE_GROWTH = 0.005, 1 / 8, 4, 5, 16, 100, 20
NOT_ISOLATED = "not isolated: run only what you trust (bubblewrap, bwrap, does not work here)"

BINARIES, BESIDE = ("bin", "sbin", "shims"), ("lib", "libexec", "pkg", "versions")  # of a tool
RUST = os.path.expanduser(os.environ.get("RUSTUP_HOME") or "~/.rustup")  # noqa: PTH111 - or as is
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix", "/snap", RUST,
          "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
EMPTY = "--size", f"{1 << 28}", "--perms", "1777", "--tmpfs"  # before a folder to write in
BWRAP = ("bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
         "--unshare-cgroup-try", "--as-pid-1", "--die-with-parent", "--new-session",
         "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev", *EMPTY, "/dev/shm",
         "--remount-ro", "/dev", *EMPTY, "/tmp")
KEPT = {"PATH": os.environ.get("PATH", os.defpath), "HOME": "/tmp", "LANG": "C.UTF-8",
        "RUSTUP_HOME": RUST}
# A program of root becomes a user that nobody is: root may start any number of processes.
USER = f"{(1 << 30) + os.getpid()}"
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
BECOME = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID") if IS_ROOT else (
    "--unshare-user", "--uid", USER, "--gid", USER)
THEN = (*("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", "--inh-caps=-all")
        * IS_ROOT, "prlimit", "--nproc=1024", "--core=0")

PYTHON = to_word(sys.executable)
RUNNER = f"{PYTHON} -P {to_word(runner.__file__)} ./{MAIN}.py"
# By the end of a name: the language, the build, and the command of a file; {} is its name.
LANGUAGES = BUILDS | {".py": ["Python", "", f"{PYTHON} {{}} {{n}}"]}


@dataclass(frozen=True, kw_only=True)
class Confined(Program):
    """A program that runs in a new copy of its folder each time, behind the words `before`, see
    `confine`; if there are none, it runs in its folder itself. Its time is the processor's, or what
    passed if that is more: a process can hide the first.
    """

    before: tuple[str, ...] = ()

    def arguments(self, text: str, **numbers: int) -> list[str]:
        words = super().arguments(text, **numbers)
        if not self.before:
            return words
        own, copy = ["--bind", f"{self.folder}", "/entry"], ""
        if text != self.build:
            own, copy = ["--ro-bind", f"{self.folder}", "/own", *EMPTY, "/entry"], "cp -R /own/. ."
        # The shell is the first process: all others end with it, and bwrap waits for it, so that
        # the kernel knows what they took.
        return [*self.before, *own, "--remount-ro", "/", "--chdir", "/entry", *THEN,
                "sh", "-c", f'{copy}\n"$@"; exit $?', "sh", *words]

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


def _find_tools() -> Iterator[str]:
    """Yield the folders in PATH, or what a folder bin is in if its programs need more of that."""
    homes = {*map(os.path.realpath, map(os.path.expanduser, ("/", "~", "~/.local")))}
    for folder in map(Path, filter(os.path.isabs, os.get_exec_path())):
        above = folder.resolve().parent
        whole = folder.name in BINARIES and str(above) not in homes and any(
            map(os.path.isdir, map(above.joinpath, BESIDE)))
        yield str(above if whole else folder)


def confine(hidden: Path) -> tuple[str, ...]:
    """Return the words before a command with which it sees the system, the programs in PATH and
    Python, but not the `hidden` folder, nor the network, nor other processes, and writes nothing
    that stays; no words where that does not work.
    """
    seen = [*filter(os.path.exists, (  # where this user may look
        *SYSTEM, *map(str, Path("/etc").glob("java*")), *_find_tools(), sys.prefix, sys.base_prefix,
        str(Path(__file__).parents[1]),
        *(path for path in sys.path if path.endswith(("site-packages", "dist-packages")))))]
    above = sorted({str(each) for path in seen for each in Path(path).parents})[1:]  # all but /
    words = (*BWRAP, *BECOME,  # by the mark in the environment of a run, its processes are found
             *(word for name in os.environ for word in ("--unsetenv", name)),
             *(word for name, value in KEPT.items() for word in ("--setenv", name, value)),
             *(word for each in above for word in ("--perms", "755", "--dir", each)),
             *(word for each in seen for word in ("--ro-bind-try", each, each)),
             *("--tmpfs", str(hidden.resolve())) * any(map(hidden.resolve().is_relative_to, seen)))
    try:
        subprocess.run([*words, *THEN, "true"], capture_output=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ()
    return words


@dataclass
class Entrant:
    """One program of a race, and what became of it.

    It has a `name` on the page, and the name of its file or folder, which is its `origin`: none for
    an algorithm of nqbench, whose `program` is its name. `form` says how its answers were read. Its
    first `mistake`, why it was `stopped` before larger n, and a `remark` on doubtful times may be
    empty. By n, `samples` are the seconds of its counts, each of a process or of a call of nqbench,
    and `spent` are the least seconds of processors of these.
    """

    name: str
    language: str
    origin: str = ""
    form: str = ""
    mistake: str = ""
    stopped: str = ""
    remark: str = ""
    samples: dict[int, list[float]] = field(default_factory=dict)
    spent: dict[int, float] = field(default_factory=dict)
    program: Confined | str = ""

    @property
    def largest(self) -> int:
        """The largest n that it counted within the limit, -1 if there is none."""
        return max(self.samples, default=-1)


@dataclass(frozen=True)
class Race:
    """All entries, those of nqbench last; whether they reached nothing but a copy of their own
    files; the seconds of a count; and the names of what was not entered, each with the reason.
    """

    entries: list[Entrant]
    isolated: bool
    limit: float
    left_out: list[tuple[str, str]] = field(default_factory=list)


@contextmanager
def _asking() -> Iterator[Callable[..., Any]]:
    """Yield a function that returns what others return in a process of nqbench, which starts the
    entries. It asks again if something ends that process.
    """
    child = Child()

    def ask(*call: Any, seconds: float, again: bool = True) -> Any:
        nonlocal child
        child = Child() if child.ended else child
        try:
            return child.call(*call, seconds=seconds)
        except StoppedError as error:
            if error.outcome == ENDED and again:
                return ask(*call, seconds=seconds, again=False)
            raise

    try:
        yield ask
    finally:
        child.kill()


def race(folder: str | Path, sizes: Sequence[int], limit: float = 5.0, rounds: int = 3,
         against: Sequence[str] = AGAINST, anonymous: bool = False,
         say: Callable[[str, float], object] = lambda what, share: None) -> Race:
    """Check and time all programs of a folder, for these numbers of queens, and for one if it can.

    A file is an entry if its first line names an interpreter, if its name has an end of
    `LANGUAGES`, or if it is a binary that can be executed; so is a folder with one such file, or
    one that is called main. An `anonymous` entry is called by a number, in an order by chance.

    Raises
    ------
    InvalidValueError
        if there is no folder, or no entry in it.
    """
    references = [Entrant(name, "of nqbench", program=name, form=(
        resolve(name)[0].form_in_words or "yields placements")) for name in against]
    found, left_out = _find_entries(Path(folder))
    if anonymous:
        SystemRandom().shuffle(found)
    entries = [Entrant(f"entry {number}" if anonymous else printable(path.name), way[1], path.name)
               for number, (path, _, way) in enumerate(found, 1)]
    before, every = confine(Path(folder)), [*entries, *references]
    turns = [(n, every[place]) for n in (1, *sizes)
             for order in orders(len(every), rounds, f"{n}") for place in order]
    with TemporaryDirectory(prefix="nqbench-race-", ignore_cleanup_errors=True) as scratch, \
            _asking() as ask:
        for place, (entry, files) in enumerate(zip(entries, found, strict=True)):
            say(f"check of {entry.name}", 0.3 * place / len(entries))
            with _containing(entry, "while it was built"):
                program = _copy(*files, Path(scratch, f"{place}"), before)
                seconds = max(LEAST_SECONDS, CHECKING * limit)
                ways = ask(_find_ways, program, entry.language == "Python", seconds=seconds)
                tried = partial(ask, _try, program, min(sizes), seconds=seconds / 2)
                name, entry.form, mistake = _choose(ways, tried)
                if mistake:
                    raise PluginError(mistake)
                entry.program = _call(program, f"{to_word(name)} {{n}}") if name else program
        for place, (n, entry) in enumerate(turns):
            if not entry.mistake and not entry.stopped:
                say(f"n = {n}: {entry.name}", 0.3 + 0.7 * place / len(turns))
                asked = entry if n in sizes else replace(entry)  # it need not count one queen
                with _containing(asked, f"at n = {n}"):
                    _take(asked, n, limit, ask)
        for entry in entries:
            if not entry.mistake and len(entry.samples) > 1:
                with _containing(entry, "when it was asked for more queens"):
                    entry.remark = _find_remark(entry, entry.program, limit, ask)
    return Race(every, bool(before), limit, left_out)


@contextmanager
def _containing(entry: Entrant, where: str) -> Iterator[None]:
    """Make of any error the first mistake of an entry; one of nqbench makes none."""
    try:
        yield
    except Exception as error:  # whatever an entry makes happen
        text = f"{error} {where}" if isinstance(error, StoppedError) else describe_error(error)
        text, hint, _ = text.removeprefix("program").lstrip(": ").partition(INPUT_HINT)
        setattr(entry, "mistake" if entry.origin else "stopped",
                printable(text + "; n is its argument, not its input" * bool(hint)))


def _take(entry: Entrant, n: int, seconds: float, ask: Callable[..., Any]) -> None:
    """Take a sample for n queens, within these seconds."""
    before, right = entry.samples.pop(n, []), published("A000170").get(n)
    try:
        taken, spent, found = ask(_count, entry.program, n, seconds=seconds)
    except StoppedError as error:
        if error.outcome != TIME:
            raise
        entry.stopped = f"more than {seconds:g} s at n = {n}"
    else:
        if right not in (None, found):
            raise PluginError(f"n = {n}: it counts {found:,} solutions, not {right:,}")
        entry.samples[n] = [*before, taken]
        entry.spent[n] = min(spent, entry.spent.get(n, inf))


Way = Sequence[str]  # the end of a name, the language, the build and the command


def _find_entries(folder: Path) -> tuple[list[tuple[Path, Path, Way]], list[tuple[str, str]]]:
    """Return the programs of a folder in the order of their names, each with its source and its
    way, and what is none, with the reason.
    """
    if not folder.is_dir():
        raise InvalidValueError(f"FOLDER must be a folder of programs, not {str(folder)!r}")
    found, left_out = [], []
    for path in sorted(folder.iterdir()):
        try:
            found.append((path, *_find_source(path)))
        except (InvalidValueError, OSError) as error:
            left_out.append((printable(path.name), getattr(error, "strerror", "") or str(error)))
    if not found:
        raise InvalidValueError(f"{folder} has no program" + "".join(
            f"; {name}: {why}" for name, why in left_out[:3]))
    return found, left_out


def _find_source(path: Path, inside: bool = False) -> tuple[Path, Way]:
    """Return the file of an entry, with its way by its first line or its name: of a folder, that
    called main, or the only one. Raise InvalidValueError with the reason why it is no program.
    """
    mode, suffix, found = path.lstat().st_mode, path.suffix.lower(), []
    if path.name.startswith((".", "__")):
        raise InvalidValueError("its name begins with . or __")
    if stat.S_ISDIR(mode) and not inside:
        for each in sorted(path.iterdir()):
            with suppress(InvalidValueError, OSError):
                found.append(_find_source(each, inside=True))
        named = [each for each in found if each[0].stem.lower() == MAIN] or found
        if len(named) == 1:
            return named[0]
        raise InvalidValueError(f"it has several programs; name one of them {MAIN}" if named else
                                "no file in it is a program")
    if not stat.S_ISREG(mode):
        raise InvalidValueError(f"{FILE_TYPES.get(stat.S_IFMT(mode), 'a link')}, not a file")
    with path.open("rb") as file:
        head = file.read(HEAD)
    if first := re.match(rb"#![ \t]*(/[^\r\n]*)", head):
        words = first[1].decode("utf-8", "replace").split()
        tool = next((word for word in map(os.path.basename, words)
                     if word != "env" and not word.startswith("-")), "")
        if shutil.which(tool) is None and suffix in LANGUAGES:
            return path, (suffix, *LANGUAGES[suffix])
        if not tool.startswith("python"):
            return path, ("", tool, "", f"{' '.join(map(to_word, words))} {{}} {{n}}")
        suffix = ".py"
    if suffix in LANGUAGES:
        return path, (suffix, *LANGUAGES[suffix])
    if b"\0" in head and mode & stat.S_IXUSR:
        return path, ("", "a program", "", "{} {n}")
    raise InvalidValueError("no program: its first line names no interpreter, it is no binary that "
                            f"can be executed, and its name does not end in {', '.join(LANGUAGES)}")


def _copy(path: Path, source: Path, way: Way, own: Path, before: tuple[str, ...]) -> Confined:
    """Copy an entry to its own folder, and return its program: its source, or all of its folder but
    links, also hard ones, FIFOs and the like. The name of the copy does not tell whose it is.
    """
    size = 0

    def leave_out(where: str, names: list[str]) -> set[str]:
        nonlocal size
        left_out = {*names}
        for name in names if source != path else [source.name]:
            status = Path(where, name).lstat()
            if stat.S_ISDIR(status.st_mode) or (stat.S_ISREG(status.st_mode) and (
                    status.st_nlink == 1 or name == source.name)):
                left_out.remove(name)
                size += status.st_size
        if size > LARGEST_ENTRY:
            raise InvalidValueError(f"its files have more than {format_bytes(LARGEST_ENTRY)}")
        return left_out

    shutil.copytree(source.parent, own, ignore=leave_out)
    for each in (own, *own.rglob("*")):
        each.chmod(0o777)  # another user reads it, and builds here
    suffix, _, build, command = way
    file = f"./{MAIN}{suffix}"
    (own / source.name).rename(own / file)
    return Confined(name="program", build=build.replace("{}", file), folder=own, before=before,
                    command=command.replace("{}", file))


def _call(program: Confined, words: str) -> Confined:
    """Return the program that runs a file in Python by the runner."""
    return replace(program, command=f"{RUNNER} {words}")


def _ask_runner(program: Confined, name: str, sizes: Sequence[int] = ()) -> list[Any]:
    """Return how a file may count, or what its function of this name returns for these n."""
    lines, _ = _call(program, " ".join([to_word(name), *map(str, sizes)])).pipe([], None)
    if len(lines) != (len(sizes) or 1):
        raise PluginError("it ended before its answer")
    return [*map(parse_json, lines)]


_programs: dict[Confined, Confined] = {}  # in a child: with what was found of them


def _find_ways(program: Confined, python: bool, tell: object) -> list[str]:
    """Build a program, and return the ways in which it may count."""
    program.make()
    return _ask_runner(program, "")[0] if python else [runner.PROGRAM]


def _choose(ways: Sequence[str], tried: Callable[..., Any]) -> tuple[str, str, str]:
    """Return what `_try` finds of the first right way to count, or else of the one that is right
    for most n.
    """
    best: Any = (-1, "", "", "")
    for way in ways[:MOST_WAYS]:
        try:
            found = tried(way)
        except StoppedError as error:
            found = 0, way, "", f"{error} while it was checked"
        best = max(best, found, key=itemgetter(0))
        if not best[-1]:
            break
    return best[1], best[2], best[3]


def _try(program: Confined, first: int, name: str, tell: object) -> tuple[int, str, str, str]:
    """Return for how many n, from the first one, a function of a file in Python, or the program if
    it has no name, is right, its name, the form of its answers, and its first mistake.
    """
    program, first = _programs.setdefault(program, program), max(1, min(first, FEW))
    sizes = range(first, CHECKED_N + 1)
    try:
        answers = dict(zip(sizes, _ask_runner(program, name, sizes) if name else
                           [int(program.run(n)) for n in sizes], strict=True))
        algorithm = adapt(lambda n: answers[n], "program", "")
    except NqbenchError as error:
        return 0, name, "", str(error)
    findings = check(algorithm, CHECKED_N, first_n=first)
    right = sum(expected == got for _, expected, got in findings.solutions)
    form = algorithm.form_in_words if name else f"prints {NUMBER_ALONE}"
    return right, name, form, "".join(fault.text for fault in findings.faults[:1])


def _count(program: Confined | str, n: int, tell: object) -> tuple[float, float, int]:
    """Return the seconds of a count that passed, those of processors, and the solutions: of a
    process, or of a call of an algorithm of nqbench.
    """
    if isinstance(program, Confined):
        count = _programs.setdefault(program, program).run
    else:
        algorithm, way = resolve(program)
        way = way or next(iter(algorithm.implementations))
        count = partial(algorithm.count, implementation=way)
    taken = sample(partial(count, n))
    return taken.wall, taken.seconds(), int(taken.found)


def _find_remark(entry: Entrant, program: Any, limit: float, ask: Callable[..., Any]) -> str:
    """Return a remark on an entry that may know its answers; empty if it seems to search.

    Beyond its start, the time of a search grows until it matters, by no more than by some factor.
    That of a table does not grow up to 16 queens, or it jumps where the table ends, or nothing
    comes after it; then its last count is in the files of the entry.
    """
    first, start = min(entry.spent.items(), key=itemgetter(1))
    last, before, then = 1, 0.0, "which no search does"
    noise = MOMENT + START_SHARE * start
    for n in (*(n for n in sorted(entry.samples) if n > 1), *range(entry.largest + 1, PROBE + 1)):
        asked = replace(entry, stopped="", samples={}, spent={})
        taken = entry.spent.get(n, inf) - start
        while (taken > noise and not asked.mistake and not asked.stopped
               and len(asked.samples.get(n, ())) < LOOKS):
            with _containing(asked, ""):
                _take(asked, n, limit, ask)
                _take(asked, first, limit, ask)  # in turns: the machine may be slower than it was
            taken = asked.spent.get(n, limit) - asked.spent.get(first, start)
        if asked.mistake:  # it need not count so many
            number = re.compile(rb"\b%d\b" % published("A000170")[last])
            known = last > CHECKED_N and before <= noise and any(
                number.search(each.read_bytes())
                for each in program.folder.rglob("*") if each.is_file() and not each.is_symlink())
            then = f"nothing for {n}, and that count is in its files" if known else ""
            break
        if taken > SLOW * noise:
            most = (before + noise) * (EARLY_GROWTH if last < 10 else LATE_GROWTH) ** (n - last)
            then = f"{format_seconds(taken)} for {n}" if taken > most else ""
            break
        last, before = n, max(0.0, taken)
    took = format_seconds(before) if before else "no time"
    return then and (f"{CONSTANT}: beyond its start, it takes {took} for {last} queens, {then}")

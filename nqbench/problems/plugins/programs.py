"""Programs: commands in any language that count the solutions of n queens.

A program is started anew for each count, without a terminal and with an empty standard input. It
prints the number of solutions (`nqbench.problems.plugins.reading` finds it); it may also print its
own time, and counters. It runs in a child process of nqbench
(`nqbench.problems.plugins.children`), which limits its memory and ends with it all processes that
it started.
"""

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from errno import EACCES, EFBIG, ENOENT, ENOEXEC
from functools import cached_property
from hashlib import sha256
from itertools import count
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from shutil import which
from string import Formatter
from tempfile import TemporaryFile
from threading import Thread
from time import perf_counter
from typing import Any, Self
from uuid import uuid4

from nqbench.errors import InvalidValueError, PluginError
from nqbench.problems import PROBLEMS
from nqbench.problems.plugins import reading
from nqbench.problems.plugins.children import Child, describe_end, die_with_parent
from nqbench.problems.plugins.functions import NUMBER_ALONE, UNREPORTED
from nqbench.problems.plugins.notation import split_words
from nqbench.problems.plugins.parcels import remove_mark
from nqbench.problems.plugins.reading import Place
from nqbench.problems.plugins.registry import known, register, sources
from nqbench.problems.queens.base import MEMORY, QueensAlgorithm
from nqbench.search.algorithm import Tree
from nqbench.search.implementations import Counting
from nqbench.search.metrics import counters
from nqbench.util.arguments import require_whole
from nqbench.util.files import is_file
from nqbench.util.text import both_ends, unknown

LAUNCHERS = frozenset(["java", "lein", "mono", "ruby", "node", "go", "python", "python3"])
PLACEHOLDERS = ("n", "threads")
PLACE_N = (5, 6, 7, 8, 9, 10)  # queens for which a program is run to find where its count is
PLACES = 4  # of these
LOCATING = 60.0  # seconds for them
MOST_PRINTED, MOST_EACH = 1 << 24, 1 << 9  # bytes of each stream, and more for each line given
READ_ENDS = 1 << 16  # characters at each end of a stream in which the count may be
CHUNK = 1 << 16  # bytes that are read at once
SHOWN_OUTPUT = 200  # characters of an output in a message
START_RUNS = 5  # for one queen, whose time is the start-up
MARK = "NQBENCH_RUN"  # of the environment of a program and of all that it starts
TOO_LARGE, TOO_LARGE_TEXT = getattr(signal, "SIGXFSZ", None), os.strerror(EFBIG)  # a file
NO_MEMORY = re.compile(r"MemoryError|bad_alloc|[Cc]annot allocate memory|memory allocation of \d+ "
                       r"bytes failed|runtime: out of memory|not enough memory")
SHELL = set("|&;<>()$`*?~\n")  # need a shell, unless they are quoted


def to_word(text: str) -> str:
    """Return a text as a word of a command."""
    return shlex.quote(text).replace("{", "{{").replace("}", "}}")


class FloodError(PluginError):
    """A program printed more than is read."""


class NoMemoryError(PluginError, MemoryError):
    """A program got no more memory."""


class Counted(int):
    """The number of solutions that a program printed, the `counters` that it printed, by name, and
    the `seconds` from its start to its end, which are the `whole` time, or by its own clock if it
    has a pattern for that; the `warning` says how it ended, if with another status than 0.

    >>> Counted(92, 0.25) + 0, Counted(92, 0.25).seconds
    (92, 0.25)
    """

    seconds: float
    counters: Mapping[str, int]
    whole: bool
    warning: str

    def __new__(cls, count: int, seconds: float = 0.0, counters: Mapping[str, int] | None = None,
                whole: bool = False, warning: str = "") -> Self:
        made = super().__new__(cls, count)
        made.seconds, made.counters, made.whole = seconds, counters or {}, whole
        made.warning = warning
        return made


@dataclass(frozen=True, kw_only=True)
class Program:
    r"""A command that counts the solutions of n queens.

    Attributes
    ----------
    name
        what it is called in tables.
    command
        how to start it; `{n}` and `{threads}` stand for numbers, `{{` for a brace.
    build
        a command that is run once before, if any.
    count, seconds
        patterns whose first group is the number of solutions, and its own time in seconds. Default:
        the place that `find_place` finds; the time from its start to its end.
    sources
        files whose contents identify it.
    threads
        the number for which `{threads}` stands, unless a count chooses another.
    folder
        where they run.

    Raises
    ------
    InvalidValueError
        naming what is wrong with a field.

    Examples
    --------
    >>> eight = Program(name="eight", command="echo 92 solutions of {n} queens", count=r"^(\d+)")
    >>> eight.run(8)
    92
    >>> Program(name="pipe", command="echo {n} | rev")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: pipe: '|' in its command needs a shell; put it into ...
    """

    name: str
    command: str
    build: str = ""
    count: str = ""
    seconds: str = ""
    sources: tuple[str, ...] = ()
    threads: int = 1
    folder: Path = Path()

    def __post_init__(self) -> None:
        require_whole(self.threads, f"{self.name}: threads", 1)
        for what, text in (("command", self.command), ("build", self.build)):
            if text or what == "command":
                self._check_command(what, text)
        for what, pattern in (("count", self.count), ("seconds", self.seconds)):
            try:
                groups = re.compile(pattern).groups
            except re.error as error:
                raise self._wrong(f"the pattern of {what}, {pattern!r}, is not valid: {error}")\
                    from None
            if pattern and not groups:
                raise self._wrong(f"the pattern of {what}, {pattern!r}, has no group; put what is "
                                  "wanted in parentheses")

    def _wrong(self, why: str) -> InvalidValueError:
        return InvalidValueError(f"{self.name}: {why}")

    def _check_command(self, what: str, text: str) -> None:
        """Reject placeholders that do not exist, and what needs a shell."""
        allowed = PLACEHOLDERS if what == "command" else ()
        try:
            named = [field for _, field, _, _ in Formatter().parse(text) if field is not None]
            words = shlex.split(text)
        except ValueError as error:
            raise self._wrong(f"its {what} {text!r} is not valid: {error}; {{{{ stands for a brace"
                              ) from None
        for field in named:
            if field not in allowed:
                raise self._wrong(
                    f"its {what} has the placeholder {{{field}}}; there "
                    + ("are {n} and {threads}" if allowed else "is none")
                    + "; {{ stands for a brace")
        if not words:
            raise self._wrong(f"its {what} is empty")
        unquoted = re.sub(r"'[^']*'|\"[^\"$`]*\"|\\.", "", text)
        found = [sign for sign in unquoted if sign in SHELL] or [
            word for word in words[:1] if "=" in word]
        if found:
            raise self._wrong(f"{found[0]!r} in its {what} needs a shell; put it into sh -c '...'")

    def arguments(self, text: str, **numbers: int) -> list[str]:
        """Return the words of a command with these numbers in their places.

        >>> Program(name="a", command="./a {n} '{threads} x'").arguments("./a {n} 'x y'", n=8)
        ['./a', '8', 'x y']
        """
        return shlex.split(text.format(**numbers))

    def make(self) -> None:
        """Build it.

        Raises
        ------
        PluginError
            with the line of the output that says why, if that fails.
        """
        if self.build:
            self._finish(self.build).require_success(f"{self.name}: its build")

    def run(self, n: int, threads: int | None = None) -> Counted:
        """Count once, with these threads if the command takes their number.

        Raises
        ------
        PluginError
            naming why there is no count.
        """
        where = f"{self.name} at n = {n}"
        run = self._finish(self.command, n=n, threads=threads or self.threads)
        if run.left and not run.exceeded:  # else they were ended together
            raise PluginError(f"{where} left {run.left} process{'es' * (run.left > 1)} behind, "
                              f"which {'were' if run.left > 1 else 'was'} ended")
        told = reading.read_told(run.out)
        count = told.get("solutions") if not self.count else None
        if run.killed:
            run.require_success(where)
        elif count is None:
            count = self.place.read(run.text)
        if count is None:
            run.require_success(where)
            raise PluginError(f"{where} printed nothing at the place of the count, "
                              f"{self.place.words}: {run.text[-SHOWN_OUTPUT:]!r}")
        own = reading.find_last(self.seconds, run.text) if self.seconds else ""
        if own is None:
            raise PluginError(f"{where} printed nothing that matches {self.seconds!r}")
        try:
            seconds = float(own) if self.seconds else run.seconds
        except ValueError:
            raise PluginError(f"{where} printed {own!r}, which is no number of seconds") from None
        names = {counter.name for counter in counters()}
        return Counted(count, seconds, {
            name: value for name, value in told.items() if name in names}, not self.seconds,
            run.describe_end() * bool(run.status))

    @cached_property
    def place(self) -> Place:
        """Find where it prints the number of solutions; see `nqbench.problems.plugins.reading`.

        Raises
        ------
        PluginError
            naming why there is no such place.
        """
        if self.count:
            return Place(f"what matches {self.count!r}", (self.count,))
        outputs: dict[int, str] = {}
        failed: tuple[int, _Run] | None = None
        for n in PLACE_N:
            run = self._finish(self.command, n=n, threads=self.threads)
            if "solutions" in reading.read_told(run.out):
                return Place(reading.TOLD)
            if run.killed or (run.status and not re.search(r"\d", run.out)):
                failed = failed or (n, run)
                if run.exceeded:
                    break
                continue
            outputs[n] = run.text
            if place := reading.find_place(outputs):
                return place
            if run.status:
                failed = failed or (n, run)
            if len(outputs) == PLACES or len({*outputs.values()}) < len(outputs):
                break
        if failed and (failed[1].err.strip() or len({*outputs.values()}) == len(outputs)):
            n, run = failed
            run.require_success(f"{self.name} at n = {n}",
                                reading.find_input_hint(run.text[-READ_ENDS:], self.command))
        if len(outputs) > 1 and (place := reading.find_wrong_place(outputs)):
            return place
        raise PluginError(f"{self.name}: {reading.explain(outputs, self.command)}")

    def pipe(self, lines: Sequence[str], tell: object) -> tuple[list[str], float]:
        """Return the lines that it prints for lines of its standard input, without empty ones, and
        the seconds from its start to its end; a child calls it.

        Raises
        ------
        PluginError
            if it ends with another status than 0.
        """
        run = self._finish(self.command, lines, n=0, threads=self.threads)
        run.require_success(self.name)
        return [line for line in run.out.splitlines() if line.strip()], run.seconds

    def version(self, tool: str) -> str:
        """Return the first line that a tool says of its version, empty if it says nothing."""
        with suppress(PluginError):
            run = self._finish(f"{shlex.quote(tool)} --version")
            if not run.status:
                return run.out.strip().partition("\n")[0][:SHOWN_OUTPUT]
        return ""

    def _finish(self, text: str, lines: Sequence[str] = (), **numbers: int) -> "_Run":
        """Run a command to its end, with these lines as its standard input."""
        arguments = self.arguments(text, **numbers)
        mark = uuid4().hex
        try:
            with TemporaryFile() as given:
                given.write("".join(f"{line}\n" for line in lines).encode())
                given.seek(0)
                start = perf_counter()
                process = subprocess.Popen(
                    arguments, cwd=self.folder, stdin=given, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, start_new_session=True, env={**os.environ, MARK: mark},
                    preexec_fn=die_with_parent())
        except OSError as error:
            raise PluginError(f"{self.name}: {describe_start(arguments[0], self.folder, error)}"
                              ) from None
        most = MOST_PRINTED + MOST_EACH * len(lines)
        ended: list[tuple[float, int]] = []

        def wait() -> None:
            """Note when it ends, and then end what it left behind, which may hold its output open.
            """
            with suppress(ChildProcessError):  # after an interrupt
                if hasattr(os, "waitid"):
                    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
                else:  # macOS before Python 3.13
                    process.wait()
                seconds = perf_counter() - start
                ended.append((seconds, end_session(process.pid, mark)))

        waiting = Thread(target=wait, daemon=True)
        with process:
            try:
                waiting.start()
                printed = _read(process, most, mark)
                waiting.join()  # before anything else waits for the process
            finally:
                if process.poll() is None:
                    end_session(process.pid, mark)
            exceeded = most if most < max(map(len, printed)) else 0
            out, err = (text.decode("utf-8", "replace") for text in printed)
            return _Run(process.wait(), out, err, exceeded, *ended[0])


def _read(process: "subprocess.Popen[bytes]", most: int, mark: str) -> list[bytearray]:
    """Return what a process prints, on both streams; one of more than `most` bytes ends it. Ctrl-C
    interrupts that, also while a process that escaped holds the streams open.
    """
    printed: dict[Any, bytearray] = {each: bytearray() for each in (process.stdout, process.stderr)}
    with DefaultSelector() as selector:
        for stream in printed:
            selector.register(stream, EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                got = os.read(key.fd, CHUNK)
                if not got:
                    selector.unregister(key.fileobj)
                elif len(printed[key.fileobj]) > most:
                    end_session(process.pid, mark)
                else:
                    printed[key.fileobj] += got
    return [*printed.values()]


@dataclass(frozen=True)
class _Run:
    """What is known of a process that has ended: its `status`, what it printed on both streams, the
    bytes of each that it may print if it `exceeded` them and so was ended, else 0, the `seconds`
    from its start to its end, and how many processes it `left`, which were ended.
    """

    status: int
    out: str
    err: str
    exceeded: int
    seconds: float
    left: int

    @property
    def killed(self) -> bool:
        """Return whether it was ended, by a signal or for what it printed."""
        return bool(self.status < 0 or self.exceeded)

    @property
    def text(self) -> str:
        """What it printed, as a terminal shows it, its errors last; of a long stream the ends."""
        return "\n".join(reading.clean(both_ends(each, READ_ENDS, "\n"))
                         for each in (self.out, self.err)).strip("\n")

    def require_success(self, what: str, hint: str = "") -> None:
        """Raise a PluginError, with the line of its errors that says why and a hint, if its status
        is not 0.
        """
        if self.exceeded:
            raise FloodError(f"{what} {self.describe_end()}{hint}")
        if self.status:
            why = reading.find_reason(both_ends(
                self.err if self.err.strip() else self.out, READ_ENDS, "\n"))
            # A program is killed, or ignores the signal, as Python does, and says why it ends.
            too_large = TOO_LARGE in (-self.status, self.status - 128) or TOO_LARGE_TEXT in why
            said = f": {why}" * bool(why) + hint
            kind = NoMemoryError if NO_MEMORY.search(why) else PluginError
            raise kind(f"{what} {self.describe_end()}{said}") from (
                OSError(EFBIG, TOO_LARGE_TEXT) if too_large else None)

    def describe_end(self) -> str:
        if self.exceeded:
            return f"printed more than {self.exceeded:,} bytes, and was ended"
        return describe_end(self.status)


def end_session(leader: int, mark: str) -> int:
    """Kill all processes of a session, and those that left it but have the mark of a program in
    their environment; return how many there were beside the leader, without those that had ended.
    """
    import psutil

    left: dict[int, bool] = {}
    for pid in psutil.pids():
        with suppress(OSError, psutil.Error):
            # One that left the session was started after the leader.
            if os.getsid(pid) == leader or (
                    pid > leader and psutil.Process(pid).environ().get(MARK) == mark):
                left[pid] = pid != leader and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    for pid in left:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    return sum(left.values())


def _count(program: Program, n: int) -> int | None:
    """Return a count, None if there is none."""
    with suppress(PluginError):
        return program.run(n)
    return None


def _locate(program: Program, tell: object) -> Place:
    return program.place


PROCESS, OWN_TIME = "process", "own_time"


@dataclass(frozen=True, kw_only=True)
class ProgramAlgorithm(QueensAlgorithm):
    """A program as an algorithm of queens. The name of its only implementation says what is timed:
    `process`, from start to end, or `own_time`, what the program prints.

    Examples
    --------
    >>> table = from_command("sh -c 'set -- {n} 1 0 0 2 10 4; shift {n}; echo there are $1'")
    >>> table.count(4, "process"), table.form_in_words
    (2, "prints the number of solutions: the number after 'there are'")
    """

    program: Program
    no_tree = UNREPORTED

    @property
    def form_in_words(self) -> str:
        return f"prints {NUMBER_ALONE}: {self.program.place.words}"

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        return {OWN_TIME if self.program.seconds else PROCESS: Counting(
            self.program.run, MEMORY, only_counts=True)}

    def count(self, n: int, implementation: str = "", jobs: int | None = None,
              **choices: Any) -> int:
        return super().count(n, implementation, jobs, **choices)

    def counting(self, n: int, implementation: str = "", jobs: int | None = None,
                 **choices: Any) -> Iterator[tuple[float, int]]:
        chosen, n = self.implementation(implementation or next(iter(self.implementations)), n)
        self.no_choices(choices)
        if "{threads}" not in self.program.command:
            self.one_job(implementation, jobs)
        yield 1.0, chosen.count(n, jobs)  # type: ignore[call-arg]

    def prepare(self) -> None:
        """Build the program, take what it is made of then as its source, and find the place of its
        count in a child process; raise what `Program.make` and `Program.place` raise.
        """
        self.program.make()
        sources[remove_mark(self.name)] = self.digest()
        with Child() as child:
            vars(self.program)["place"] = child.call(
                _locate, self.program, seconds=LOCATING, read=lambda found: Place(
                    **found | {"patterns": tuple(found["patterns"])}))

    def report(self) -> dict[str, Any]:
        """Return what a report says of the program: its fields, the SHA-256 of its sources, the
        version of its compiler, the place of its count, and its start-up: the seconds of some runs
        for one queen, or for the fewest that it takes.
        """
        program = self.program
        found = {each.name: value for each in fields(Program)
                 if each.name not in ("name", "folder")
                 and (value := getattr(program, each.name)) != each.default}
        found["sources"] = {name: sha256((program.folder / name).read_bytes()).hexdigest()
                            for name in program.sources}
        if program.build:
            found["compiler"] = program.version(shlex.split(program.build)[0])
        found["read"] = program.place.words
        fewest = next(n for n in (1, 4, *PLACE_N) if _count(self.program, n) is not None)
        found["startup"] = [self.program.run(fewest).seconds for _ in range(START_RUNS)]
        return found

    def digest(self) -> str:
        """Return the SHA-256 of what identifies the program: its command, its build, and its
        sources, or else the file that the command starts.
        """
        program = self.program
        found = sha256(f"{program.command}\n{program.build}\n".encode())
        for name in program.sources or shlex.split(program.command)[:1]:
            path = find_source(program, name)
            if path is not None:
                found.update(path.read_bytes())
        return found.hexdigest()


def from_command(notation: str) -> ProgramAlgorithm:
    """Return the algorithm of a command, the same one each time, registered under the name of the
    file that it starts.

    Raises
    ------
    InvalidValueError
        if the command is not valid, or if its name is taken.
    """
    folder = Path.cwd()
    for each in known.values():
        if isinstance(each, ProgramAlgorithm) and (
                each.program.command, each.program.folder) == (notation, folder):
            return each
    names = (_name(notation, folder) + f"_{number}" * (number > 1) for number in count(1))
    name = next(each for each in names
                if each not in known and each not in PROBLEMS["queens"].catalogue)
    return register(to_algorithm(Program(name=name, command=notation, folder=folder)))


def read_program(name: str, given: object, folder: Path) -> ProgramAlgorithm:
    """Return the algorithm of a program that a study file in a folder describes, and register it.
    It is built by `ProgramAlgorithm.prepare`.

    Raises
    ------
    InvalidValueError
        if a field is not known, missing, or of another type, or if the name is taken.

    Examples
    --------
    >>> four = {"command": "echo 2 ways, {n} queens", "count": "(.*) ways"}
    >>> read_program("four", four, Path()).count(4)
    2
    >>> read_program("pipe", {"cmd": "echo {n}"}, Path())
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: pipe: there is no field of a program 'cmd'; did you ...
    """
    if not isinstance(given, Mapping):
        raise InvalidValueError(f"{name} must be a table, [programs.{name}], not {given!r:.80}")
    types = {each.name: each.type for each in fields(Program)
             if each.name not in ("name", "folder")}
    for key, value in given.items():
        if key not in types:
            raise InvalidValueError(f"{name}: {unknown('field of a program', key, types)}")
        if type(value) is not types[key] and not (
                key == "sources" and isinstance(value, list) and {*map(type, value)} <= {str}):
            kind = {"sources": "a list of texts", "threads": "a whole number"}.get(key, "a text")
            raise InvalidValueError(f"{name}: {key} must be {kind}, not {value!r:.80}")
    if "command" not in given:
        raise InvalidValueError(f"{name}: its command is missing")
    values: dict[str, Any] = {
        key: tuple(value) if key == "sources" else value for key, value in given.items()}
    return register(to_algorithm(Program(name=name, folder=folder.resolve(), **values)))


def find_source(program: Program, name: str) -> Path | None:
    """Return the path of a source; None if that is no regular file, or the name of none."""
    path = program.folder / name
    return path if is_file(str(path)) and path.is_file() else None


def to_algorithm(program: Program) -> ProgramAlgorithm:
    """Return a program as an algorithm.

    Raises
    ------
    InvalidValueError
        if its sources are not there.
    """
    for name in program.sources:
        if find_source(program, name) is None:
            raise InvalidValueError(f"{program.name}: its source {name!r} is no file in "
                                    f"{str(program.folder)!r}")
    return ProgramAlgorithm(
        name=program.name, program=program, origin=program.command,
        technique="a program", tree=Tree.NONE)


def _name(command: str, folder: Path) -> str:
    """Return a name for a command: that of the file that it starts, not of an interpreter.

    >>> here = Path()
    >>> _name("./my-queens {n}", here), _name("/bin/sh -e fast.sh {n}", here)
    ('my_queens', 'fast')
    >>> _name("sh -c 'echo {n} | ./q.out'", here), _name("sh -c 'echo {n} | java Queens'", here)
    ('q', 'Queens')
    >>> _name("'./my folder/q.out' {n}", here)
    'q'
    """
    words = [word for text in split_words(command)
             for word in ([text] if SHELL.isdisjoint(text) and "{" not in text else
                          re.split(r"[\s'\"|;&()<>]+", text))  # a command in a command
             if word and not re.match(r"[-.{$]*$|-|.*\{|\w+=", word)]
    files = [word for word in words[1:] if Path(word).suffix or is_file(str(folder / word))]
    own = [word for word in words[:1] if "/" in word and not which(word)]
    classes = [word for place, word in enumerate(words)
               if word.isidentifier() and not LAUNCHERS.isdisjoint(words[:place])]
    name = re.sub(r"\W", "_", Path((own or files or classes or words or ["program"])[0]).stem)
    return name if name.isidentifier() else f"program_{name}"


def describe_start(word: str, folder: Path, error: OSError) -> str:
    """Return why a process cannot be started by this word, and what may help."""
    path = which(word) or folder / word
    if error.errno == ENOEXEC or (error.errno == ENOENT and Path(path).is_file()):
        with suppress(OSError), Path(path).open("rb") as file:
            line = file.readline(SHOWN_OUTPUT).decode("utf-8", "replace").strip()
            return (f"the interpreter of {word!r}, {line[2:].strip()!r}, is not found"
                    if line.startswith("#!") else
                    f"{word!r} is no program; name its interpreter before it, as in python3 {word}")
    if (error.errno == ENOENT and folder.is_dir()) or (  # or a folder of PATH must not be read
            error.errno == EACCES and Path(word).name == word and not which(word, os.F_OK)):
        return f"{word!r} is not found; is it installed, or built, or in another folder?"
    return f"{word!r} cannot be started in {str(folder)!r}: {error.strerror}" + (
        "; chmod +x makes it a program" if error.errno == EACCES else "")

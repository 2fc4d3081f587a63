"""Programs: commands in any language that count the solutions of n queens, or solve Sudoku.

A program is started anew for each count, without a terminal and with an empty standard input. It
prints the number of solutions; it may also print its own time, and counters. It runs in a child
process of nqbench (`nqbench.problems.plugins.children`), which limits its memory and ends with it
all processes that it started.

A program that solves Sudoku reads puzzles from standard input, one per line, with . for an empty
cell, and prints a line for each, with the 81 digits of its solution or with none.
"""

import json
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from errno import EFBIG
from functools import cached_property, partial
from hashlib import sha256
from math import inf
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from string import Formatter
from tempfile import TemporaryFile
from threading import Thread
from time import perf_counter
from typing import Any, Self
from uuid import uuid4

from nqbench.errors import InvalidValueError, LostError, PluginError
from nqbench.problems import sudoku
from nqbench.problems.plugins.children import Child, describe_end
from nqbench.problems.plugins.functions import NUMBER_ALONE
from nqbench.problems.plugins.notation import PUZZLES
from nqbench.problems.plugins.parcels import remove_mark
from nqbench.problems.plugins.registry import known, register, sources
from nqbench.problems.queens.base import MEMORY, QueensAlgorithm
from nqbench.problems.sudoku.grid import Digits, Grid
from nqbench.search.algorithm import Algorithm, Finds, Outcome, Tree
from nqbench.search.implementations import Counting, Implementation
from nqbench.search.metrics import counters
from nqbench.util.arguments import require_whole
from nqbench.util.files import is_file
from nqbench.util.text import unknown

PLACEHOLDERS = ("n", "threads")
NUMBER = r"(?<![\w.])(\d+)(?![\w.]|\.\d|-[a-z])"  # a whole number that stands alone
SOLUTIONS = r"(?<![\w.])(\d+) +(?:[a-z]+ +)?solutions?\b"
NO_COUNT = r"\b\d[\d.]*(?:e[-+]?\d+|(?:e[-+]?\d+)? *(?:[mnuµ]?s|sec|seconds?)\b)"  # 8e-08, 12 ms
MOST_PRINTED, MOST_EACH = 1 << 20, 1 << 9  # bytes of each stream, and more for each line given
CHUNK = 1 << 16  # bytes that are read at once
SHOWN_OUTPUT = 200  # characters of an output in a message
RUNS = 5  # for one queen, whose time is the start-up
BUILD_LINES = 5  # of the output of a build that failed
MARK = "NQBENCH_RUN"  # of the environment of a program and of all that it starts
TOO_LARGE, TOO_LARGE_TEXT = getattr(signal, "SIGXFSZ", None), os.strerror(EFBIG)  # a file
SHELL = set("|&;<>()$`*?~\n")  # need a shell, unless they are quoted
SOLVED = re.compile(r"(?<!\d)[1-9]{81}(?!\d)")


class Counted(int):
    """The number of solutions that a program printed.

    Attributes
    ----------
    seconds
        from its start to its end, or by its own clock if the program has a pattern for that.
    counters
        the counters that it printed, by name.
    whole
        whether the seconds are from its start to its end.

    Examples
    --------
    >>> Counted(92, 0.25) + 0, Counted(92, 0.25).seconds
    (92, 0.25)
    """

    seconds: float
    counters: Mapping[str, int]
    whole: bool

    def __new__(cls, count: int, seconds: float = 0.0,
                counters: Mapping[str, int] | None = None, whole: bool = False) -> Self:
        made = super().__new__(cls, count)
        made.seconds, made.counters, made.whole = seconds, counters or {}, whole
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
        the last whole number printed that is no time; the time from its start to its end.
    language
        in which it is written, for people.
    sources
        files whose contents identify it.
    threads
        the number for which `{threads}` stands, unless a count chooses another.
    shell
        whether a shell runs the commands.
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
    language: str = ""
    sources: tuple[str, ...] = ()
    threads: int = 1
    shell: bool = False
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
        """Reject placeholders that do not exist, and what needs a shell unless there is one."""
        try:
            named = [field for _, field, _, _ in Formatter().parse(text) if field is not None]
        except ValueError as error:
            raise self._wrong(f"its {what} {text!r} is not valid: {error}; {{{{ stands for a brace"
                              ) from None
        allowed = PLACEHOLDERS if what == "command" else ()
        for field in named:
            if field not in allowed:
                raise self._wrong(
                    f"its {what} has the placeholder {{{field}}}; there "
                    + ("are {n} and {threads}" if allowed else "is none")
                    + "; {{ stands for a brace")
        if self.shell:
            return
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise self._wrong(f"its {what} {text!r} is not valid: {error}") from None
        if not words:
            raise self._wrong(f"its {what} is empty")
        unquoted = re.sub(r"'[^']*'|\"[^\"$`]*\"|\\.", "", text)
        found = [sign for sign in unquoted if sign in SHELL] or [
            word for word in words[:1] if "=" in word]
        if found:
            raise self._wrong(f"{found[0]!r} in its {what} needs a shell; put it into "
                              "sh -c '...', or say shell = true in a study file")

    def arguments(self, text: str, **numbers: int) -> list[str]:
        """Return the words of a command with these numbers in their places.

        >>> Program(name="a", command="./a {n} '{threads} x'").arguments("./a {n} 'x y'", n=8)
        ['./a', '8', 'x y']
        """
        filled = text.format(**numbers)
        return ["/bin/sh", "-c", filled] if self.shell else shlex.split(filled)

    def make(self) -> None:
        """Build it.

        Raises
        ------
        PluginError
            with the last lines of the output, if that fails.
        """
        if not self.build:
            return
        run = self._finish(self.build)
        if run.status:
            lines = (run.err or run.out).strip().splitlines()
            wrong = [line for line in lines if "error" in line][:BUILD_LINES]
            raise PluginError(f"{self.name}: its build {run.describe_end()}: "
                              + " / ".join(wrong or lines[-BUILD_LINES:]))

    def run(self, n: int, threads: int | None = None) -> Counted:
        """Count once, with these threads if the command takes their number.

        Raises
        ------
        PluginError
            naming why there is no count.
        """
        where = f"{self.name} at n = {n}"
        run = self._finish(self.command, n=n, threads=threads or self.threads)
        run.require_success(where)
        if run.left:
            raise PluginError(f"{where} left {run.left} process{'es' * (run.left > 1)} behind, "
                              f"which {'were' if run.left > 1 else 'was'} ended")
        told, rest = _counters(run.out)
        count = _find(self.count, rest) if self.count else (
            str(told["solutions"]) if "solutions" in told else _last_number(rest))
        if count is None or not count.isdecimal():
            what = f"nothing that matches {self.count!r}" if self.count else "no whole number"
            raise PluginError(f"{where} printed {what}: {rest.strip()[-SHOWN_OUTPUT:]!r}")
        own = _find(self.seconds, run.out) if self.seconds else None
        if self.seconds and own is None:
            raise PluginError(f"{where} printed nothing that matches {self.seconds!r}")
        try:
            seconds = run.seconds if own is None else float(own)
        except ValueError:
            raise PluginError(f"{where} printed {own!r}, which is no number of seconds") from None
        names = {counter.name for counter in counters()}
        return Counted(int(count), seconds, {
            name: value for name, value in told.items() if name in names}, own is None)

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
                    stderr=subprocess.PIPE, start_new_session=True, env={**os.environ, MARK: mark})
        except OSError as error:
            raise PluginError(f"{self.name}: {arguments[0]!r} cannot be started in "
                              f"{str(self.folder)!r}: {error.strerror}") from None
        most = MOST_PRINTED + MOST_EACH * len(lines)
        ended: list[tuple[float, int]] = []

        def wait() -> None:
            """Note when it ends, and then end what it left behind, which may hold its output open.
            """
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
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


def _find(pattern: str, text: str) -> str | None:
    """Return the first group of the last match of a pattern, None if there is none."""
    found = [match[1] for match in re.finditer(pattern, text, re.MULTILINE)]
    return found[-1] if found else None


def _last_number(text: str) -> str | None:
    """Return the last whole number that stands alone, and is no time; commas may group its digits.

    The last one before the word "solutions" is taken first.

    >>> _last_number("8 queens, 0.5 s: 92"), _last_number("1,234 found in 2 ms")
    ('92', '1234')
    >>> _last_number("There are 92 solutions of the 8-queens problem on 64 squares")
    '92'
    """
    text = re.sub(rf"(?<=\d),(?=\d{{3}}(?!\d))|{NO_COUNT}", "", text)
    found = re.findall(SOLUTIONS, text, re.IGNORECASE) or re.findall(NUMBER, text)
    return found[-1] if found else None


def _counters(text: str) -> tuple[dict[str, int], str]:
    """Return the counters of the last line, if that is a JSON object, and the text before it."""
    lines = text.rstrip().splitlines()
    if lines and lines[-1].lstrip().startswith("{"):
        with suppress(ValueError):
            told = json.loads(lines[-1])
            return {name: value for name, value in told.items()
                    if type(value) is int and value >= 0}, "\n".join(lines[:-1])
    return {}, text


@dataclass(frozen=True)
class _Run:
    """What is known of a process that has ended.

    Attributes
    ----------
    status
        how it ended.
    out, err
        what it printed.
    exceeded
        the bytes of each that it may print, if it printed more and so was ended; else 0.
    seconds
        from its start to its end.
    left
        how many processes it left behind, which were ended.
    """

    status: int
    out: str
    err: str
    exceeded: int
    seconds: float
    left: int

    def require_success(self, what: str) -> None:
        """Raise a PluginError, with the last line of its errors, if its status is not 0."""
        if self.status:
            last = self.err.strip().rpartition("\n")[2][:SHOWN_OUTPUT]
            # A program is killed, or ignores the signal, as Python does, and says why it ends.
            too_large = TOO_LARGE in (-self.status, self.status - 128) or TOO_LARGE_TEXT in last
            raise PluginError(f"{what} {self.describe_end()}{f': {last}' if last else ''}") from (
                OSError(EFBIG, TOO_LARGE_TEXT) if too_large else None)

    def describe_end(self) -> str:
        if self.exceeded:
            return f"printed more than {self.exceeded:,} bytes, and was ended"
        return describe_end(self.status)


def end_session(leader: int, mark: str) -> int:
    """Kill all processes of a session, and those that left it but have the mark of a program in
    their environment; return how many there were beside the leader.
    """
    import psutil

    found = []
    for pid in psutil.pids():
        with suppress(OSError, psutil.Error):
            # One that left the session was started after the leader.
            if os.getsid(pid) == leader or (
                    pid > leader and psutil.Process(pid).environ().get(MARK) == mark):
                found.append(pid)
    for pid in found:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    return len([pid for pid in found if pid != leader])


PROCESS, OWN_TIME = "process", "own_time"


@dataclass(frozen=True, kw_only=True)
class ProgramAlgorithm(QueensAlgorithm):
    """A program as an algorithm of queens. The name of its only implementation says what is timed:
    `process`, from start to end, or `own_time`, what the program prints.

    Examples
    --------
    >>> echo = from_command("echo {n}")
    >>> echo.name, echo.count(4, "process")
    ('echo', 4)
    """

    program: Program
    form_in_words = f"prints {NUMBER_ALONE}"

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        return {OWN_TIME if self.program.seconds else PROCESS: Counting(
            self.program.run, MEMORY, only_counts=True)}

    def count(self, n: int, implementation: str = "", jobs: int | None = None,
              **choices: Any) -> int:
        return super().count(n, implementation or next(iter(self.implementations)), jobs, **choices)

    def counting(self, n: int, implementation: str = "", jobs: int | None = None,
                 **choices: Any) -> Iterator[tuple[float, int]]:
        chosen, n = self.implementation(implementation or next(iter(self.implementations)), n)
        self.no_choices(choices)
        if "{threads}" not in self.program.command:
            self.one_job(implementation, jobs)
        yield 1.0, chosen.count(n, jobs)  # type: ignore[call-arg]

    def prepare(self) -> None:
        """Build the program, and take what it is made of then as its source; raise what
        `Program.make` raises.
        """
        self.program.make()
        sources[remove_mark(self.name)] = self.digest()

    def report(self) -> dict[str, Any]:
        """Return what a report says of the program: its fields, the SHA-256 of its sources, the
        version of its compiler, and its start-up: the seconds of some runs for one queen.
        """
        program = self.program
        found = {each.name: value for each in fields(Program)
                 if each.name not in ("name", "folder")
                 and (value := getattr(program, each.name)) != each.default}
        found["sources"] = {name: sha256((program.folder / name).read_bytes()).hexdigest()
                            for name in program.sources}
        if program.build and not program.shell:
            found["compiler"] = program.version(shlex.split(program.build)[0])
        found["startup"] = [self.count(1).seconds for _ in range(RUNS)]  # type: ignore[attr-defined]
        return found

    def digest(self) -> str:
        """Return the SHA-256 of what identifies the program: its command, its build, and its
        sources, or else the file that the command starts.
        """
        program = self.program
        found = sha256(f"{program.command}\n{program.build}\n".encode())
        words = program.command.split() if program.shell else shlex.split(program.command)
        for name in program.sources or words[:1]:
            path = find_source(program, name)
            if path is not None:
                found.update(path.read_bytes())
        return found.hexdigest()


class Found(list[int]):
    """The number of solutions found of each puzzle, 0 or 1, and the seconds of the process."""

    seconds = 0.0
    whole = False  # nobody here knows the processor time of a process of a child


class _Lines(Implementation):
    """The implementation of a program: all puzzles are solved by one process."""

    def __init__(self, program: Program) -> None:
        self.program, self.child = program, Child()

    def answers(self, puzzles: Sequence[Digits],
                seconds: float = inf) -> tuple[list[Digits | None], float]:
        """Return the solutions, None for a puzzle without one, and the seconds of the process.

        Raises
        ------
        PluginError
            naming the first puzzle whose line is wrong, or why there are not all lines.
        """
        name, texts = self.program.command, [str(Grid(puzzle)) for puzzle in puzzles]
        if self.child.ended:
            self.child = Child()
        try:
            lines, taken = self.child.call(Program.pipe, self.program, texts, seconds=seconds)
        except LostError as error:
            raise PluginError(f"{name}: {error}") from None
        if len(lines) != len(texts):
            raise PluginError(f"{name} printed {len(lines):,} lines for {len(texts):,} puzzles")
        found: list[Digits | None] = []
        for number, (givens, line) in enumerate(zip(puzzles, lines, strict=True), 1):
            told = SOLVED.findall(line)
            found.append(tuple(map(int, told[-1])) if told else None)
            if told and not sudoku.is_solution(givens, tuple(map(int, told[-1]))):
                raise PluginError(f"{name}: puzzle {number}, {texts[number - 1]}, is not solved by "
                                  f"{told[-1]}")
        return found, taken

    def search_all(self, puzzles: Sequence[Digits], limit: int, keep: int = 1,
                   seconds: float = inf) -> list[Outcome[Digits]]:
        """Return what is found of each puzzle."""
        return [Outcome(limit, 1, [answer][:keep], {}, exhaustive=False) if answer else
                Outcome(limit, 0, [], {}, "the program printed no solution")
                for answer in self.answers(puzzles, seconds)[0]]

    def search(self, givens: Digits, limit: int, keep: int, nodes: int | None = None,
               seconds: float | None = None) -> Outcome[Digits]:
        return self.search_all([givens], limit, keep, seconds or inf)[0]

    def counter(self, puzzles: Sequence[Digits], limit: int) -> Callable[[], list[int]]:
        return partial(self._count, puzzles)

    def _count(self, puzzles: Sequence[Digits]) -> Found:
        answers, seconds = self.answers(puzzles)
        found = Found(answer is not None for answer in answers)
        found.seconds = seconds
        return found


@dataclass(frozen=True, kw_only=True)
class PuzzleProgram(sudoku.Search):
    """A program that solves Sudoku as an algorithm; it finds one solution of a puzzle.

    >>> from_command("./solver < {puzzles}").technique
    'a program'
    """

    program: Program

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        return {PROCESS: _Lines(self.program)}


def from_command(notation: str) -> Algorithm[Any, Any]:
    """Return the algorithm of a command, the same one each time: of queens, registered under the
    name of the file that it starts, or of Sudoku if it ends in `< {puzzles}`.

    Raises
    ------
    InvalidValueError
        if the command is not valid, or if its name is taken.
    """
    folder = Path.cwd()
    if notation.endswith(PUZZLES):
        command = notation.removesuffix(PUZZLES).strip()
        return PuzzleProgram(
            name=notation, program=Program(name=command, command=command, folder=folder),
            origin=command, year=None, technique="a program", tree=Tree.NONE, finds=Finds.ONE)
    same = (each for each in known.values() if isinstance(each, ProgramAlgorithm)
            and (each.program.command, each.program.folder) == (notation, folder))
    return next(same, None) or register(to_algorithm(
        Program(name=_name(notation), command=notation, folder=folder)))


def read_program(name: str, given: object, folder: Path) -> ProgramAlgorithm:
    """Return the algorithm of a program that a study file in a folder describes, and register it.
    It is built by `ProgramAlgorithm.prepare`.

    Raises
    ------
    InvalidValueError
        if a field is not known, missing, or of another type, or if the name is taken.

    Examples
    --------
    >>> read_program("pipe", {"command": "echo {n} | tr 4 2", "shell": True}, Path()).count(4)
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
            kind = {"sources": "a list of texts", "shell": "true or false",
                    "threads": "a whole number"}.get(key, "a text")
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
        technique=f"a program{f' in {program.language}' if program.language else ''}",
        tree=Tree.NONE)


def _name(command: str) -> str:
    """Return a name for a command: that of the first word that names a file, not an interpreter.

    >>> _name("./my-queens {n}"), _name("python3 -O fast.py {n}"), _name("sh -c 'echo {n}'")
    ('my_queens', 'fast', 'sh')
    """
    words = [word for word in command.split() if not word.startswith("-") and "{" not in word]
    named = [word for word in words if Path(word).suffix or "/" in word] or words or ["program"]
    name = re.sub(r"\W", "_", Path(named[0].strip("'\"")).stem)
    return name if name.isidentifier() else f"program_{name}"

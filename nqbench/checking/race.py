"""A race: every program of a folder is checked and timed, in rounds, each in processes of its own
that are kept from all else (`nqbench.checking.isolation`).
"""

import json
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import inf
from pathlib import Path
from random import SystemRandom
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Any

from nqbench.checking import runner
from nqbench.checking.examination import check
from nqbench.checking.isolation import Confined, confine
from nqbench.errors import InvalidValueError, NqbenchError, PluginError
from nqbench.problems.plugins import resolve
from nqbench.problems.plugins.children import Child, StoppedError
from nqbench.problems.plugins.functions import NUMBER_ALONE, adapt, is_number
from nqbench.problems.plugins.limits import ENDED, TIME
from nqbench.problems.plugins.notation import LANGUAGES as BUILDS
from nqbench.problems.published import published
from nqbench.problems.queens import catalogue
from nqbench.util.clocks import orders, sample
from nqbench.util.files import KINDS, parse_json
from nqbench.util.text import describe_error, format_bytes, format_seconds, printable

CHECKED_N = 7
CHECKING = 4  # times the seconds of a count: of the build, and of the check
LEAST_SECONDS = 20.0  # seconds of these, at least
MOMENT, START = 0.005, 1 / 8  # seconds, and the share of a start, that do not matter
PROBE = 16  # queens up to which a program that does not slow down is asked once more
CONSTANT = "constant time in n"  # what the remark on such a program begins with
# Times as long as for n - 1 that a count takes at most, on a busy machine: of a search that counts
# ten queens in no time, and of any other, such as one that tries all placements.
SEARCHES, FASTEST, ANY = 10, 20, 100
SLOW = 4  # times what does not matter: what takes longer, without such a jump, is a search
ENGINE = "cross@cython"
AGAINST = ("bitmask@python", ENGINE)
MAIN = "main"
NOT_ISOLATED = "not isolated: run only what you trust (bubblewrap, bwrap, does not work here)"
# Names of files that no tool takes for something else, and ends of names.
SAFE, SAFE_END = re.compile(r"\w[\w.+-]*", re.ASCII), re.compile(r"^\.\w+$", re.ASCII)
LARGEST = 1 << 26  # bytes of the files of an entry
HEAD, BLOCK = 200, 1 << 12  # bytes that tell what a file is, and that a file takes at least


def _word(text: object) -> str:
    """Return a text as a word of the command of a program."""
    return quote(str(text)).replace("{", "{{").replace("}", "}}")


PYTHON = f"{_word(sys.executable)} -P"
RUNNER = f"{PYTHON} {_word(runner.__file__)}"
# By the end of a name: the language, the build, and the command of a file; {} is its name.
LANGUAGES = BUILDS | {".py": ["Python", "", f"{_word(sys.executable)} {{}} {{n}}"]}


@dataclass
class Entry:
    """One program of a race, and what became of it.

    Attributes
    ----------
    name
        what it is called on the page.
    language
        in which it is written, or that it is one of the package's.
    path
        its file or folder; None for one of the package.
    origin
        the name of its file or folder; empty for one of the package.
    form
        how its answers were read.
    mistake
        the first thing that is wrong; empty if nothing is.
    stopped
        why it did not go on to larger n, if that is no mistake.
    remark
        what makes its times doubtful.
    samples
        the seconds of its counts, by n: of a process, or of a call of one of the package.
    spent
        the least seconds of processors of these, by n.
    """

    name: str
    language: str
    path: Path | None = None
    origin: str = ""
    form: str = ""
    mistake: str = ""
    stopped: str = ""
    remark: str = ""
    samples: dict[int, list[float]] = field(default_factory=dict)
    spent: dict[int, float] = field(default_factory=dict)

    @property
    def sound(self) -> bool:
        """Return whether nothing is wrong, nor doubtful."""
        return not self.mistake and not self.remark

    @property
    def largest(self) -> int:
        """The largest n that it counted within the limit, -1 if there is none."""
        return max(self.samples, default=-1)


@dataclass(frozen=True)
class Race:
    """A race.

    Attributes
    ----------
    entries
        all, those of the package last.
    isolated
        whether they could reach nothing but a copy of their own files.
    limit
        the seconds of a count.
    left_out
        the names of what was not entered, each with the reason.
    """

    entries: list[Entry]
    isolated: bool
    limit: float
    left_out: list[tuple[str, str]] = field(default_factory=list)


class _Process:
    """A process of nqbench that starts the entries, and counts by the algorithms of the package."""

    child: Child | None = None

    def ask(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Any:
        """Return what a function returns there. Ask again if something ends the process."""
        for again in (True, False):
            if self.child is None or self.child.ended:
                self.child = Child()
            try:
                return self.child.call(function, *arguments, seconds=seconds)
            except StoppedError as error:
                if error.outcome != ENDED or not again:
                    raise
        raise AssertionError

    def probe(self, program: Confined | str, n: int, seconds: float) -> float | None:
        """Return the processors' seconds of a right count that is no sample, those given if it
        takes more, None if there is none: an entry need not count so many queens.
        """
        try:
            found = [self.ask(_count, program, n, seconds=seconds)[1:] for _ in range(2)]
        except NqbenchError as error:
            return seconds if getattr(error, "outcome", "") == TIME else None
        right = all(count == published("A000170")[n] for _, count in found)
        return min(spent for spent, _ in found) if right else None


def race(folder: str | Path, sizes: Sequence[int], limit: float = 5.0, rounds: int = 3,
         against: Sequence[str] = AGAINST, anonymous: bool = False,
         say: Callable[[str, float], object] = lambda what, share: None) -> Race:
    """Check and time all programs of a folder, for one queen and for these numbers of queens.

    A file is an entry if its first line names an interpreter, if its name has an end of
    `LANGUAGES`, or if it is a binary that can be executed; so is a folder with one such file, or
    one that is called main. An `anonymous` entry is called by a number, in an order by chance.

    Raises
    ------
    InvalidValueError
        if there is no folder, or no entry in it.
    """
    for name in against:
        resolve(name)
    found, left_out = _find_entries(Path(folder))
    if anonymous:
        SystemRandom().shuffle(found)
    entries = [Entry(f"entry {number}" if anonymous else printable(path.name), way[0], path,
                     path.name) for number, (path, _, way) in enumerate(found, 1)]
    references = [Entry(str(name), "of nqbench", form=(
        resolve(name)[0].form_in_words or "yields placements")) for name in against]
    programs: list[Confined | str] = [*against]
    before, process = confine(Path(folder)), _Process()
    with TemporaryDirectory(prefix="nqbench-race-", ignore_cleanup_errors=True) as scratch:
        try:
            for place, (entry, (_, source, way)) in enumerate(zip(entries, found, strict=True)):
                say(f"check of {entry.name}", 0.3 * place / len(entries))
                programs.insert(place, "")
                with _containing(entry):
                    programs[place] = _enter(entry, source, way, Path(scratch, f"{place}"), before,
                                             process, max(LEAST_SECONDS, CHECKING * limit))
            every = [*entries, *references]
            steps = [(n, turn, order) for n in (1, *sizes) for turn, order in enumerate(
                orders(len(every), rounds, f"{n}"))]
            for step, (n, turn, order) in enumerate(steps):
                for entry, program in ((every[each], programs[each]) for each in order):
                    if not entry.mistake and not entry.stopped:
                        say(f"n = {n}, round {turn + 1}: {entry.name}",
                            0.3 + 0.7 * step / len(steps))
                        with _containing(entry):
                            _take(entry, n, limit, partial(process.ask, _count, program, n))
            for entry, program in zip(entries, programs, strict=False):
                if not entry.mistake and len(entry.samples) > 1:
                    with _containing(entry):
                        entry.remark = _find_remark(entry, program, process, limit)
        finally:
            if process.child:
                process.child.kill()
    return Race(every, bool(before), limit, left_out)


@contextmanager
def _containing(entry: Entry) -> Iterator[None]:
    """Make of any error the first mistake of an entry; one of the package makes none."""
    try:
        yield
    except Exception as error:  # whatever an entry makes happen
        text = str(error) if isinstance(error, NqbenchError) else describe_error(error)
        text = printable(text.removeprefix("program").lstrip(": "))
        if entry.path:
            entry.mistake = text
        else:
            entry.stopped = text


def _enter(entry: Entry, source: Path, way: Sequence[str], own: Path, before: tuple[str, ...],
           process: _Process, seconds: float) -> Confined:
    """Copy an entry to its own folder, build and check it; return how it is started."""
    file = source.name if SAFE.fullmatch(source.name) and entry.name == entry.origin else (
        f"entry{''.join(SAFE_END.findall(source.suffix))}")  # which does not tell whose it is
    _copy(entry.path, source, own, file)
    _, build, command = (each.replace("{}", f"./{file}") for each in way)
    program = Confined(name="program", build=build, command=command, file=file, folder=own,
                       before=before)
    try:
        name, entry.form, mistake = process.ask(
            _examine, program, entry.language == "Python", seconds=seconds)
    except StoppedError as error:
        raise PluginError(f"{error} while it was built or checked") from None
    if mistake:
        raise PluginError(mistake)
    return _call(program, name) if name else program


def _take(entry: Entry, n: int, seconds: float, count: Callable[..., Any]) -> None:
    """Take a sample for n queens, within these seconds."""
    before, right = entry.samples.pop(n, []), published("A000170").get(n)
    try:
        taken, spent, found = count(seconds=seconds)
    except StoppedError as error:
        if error.outcome != TIME:
            raise PluginError(f"{error} at n = {n}") from None
        entry.stopped = f"more than {seconds:g} s at n = {n}"
    else:
        if right not in (None, found):
            raise PluginError(f"n = {n}: it counts {found:,} solutions, not {right:,}")
        entry.samples[n] = [*before, taken]
        entry.spent[n] = min(spent, entry.spent.get(n, inf))


Found = tuple[Path, Path, Sequence[str]]  # an entry, its source, and its way of `LANGUAGES`


def _find_entries(folder: Path) -> tuple[list[Found], list[tuple[str, str]]]:
    """Return the programs of a folder in the order of their names, and what is none, with the
    reason.
    """
    if not folder.is_dir():
        raise InvalidValueError(f"FOLDER must be a folder of programs, not {str(folder)!r}")
    found, left_out = [], []
    for path in sorted(folder.iterdir()):
        try:
            source, way = _find_source(path)
            found.append((path, source, way))
        except (InvalidValueError, OSError) as error:
            left_out.append((printable(path.name), getattr(error, "strerror", "") or str(error)))
    if not found:
        raise InvalidValueError(f"{folder} has no program" + "".join(
            f"; {name}: {why}" for name, why in left_out[:3]))
    return found, left_out


def _find_source(path: Path) -> tuple[Path, Sequence[str]]:
    """Return the file of an entry and its way: of a folder, that called main, or the only one; the
    folder and no way if there are several.
    """
    if path.name.startswith((".", "__")):
        raise InvalidValueError("its name begins with . or __")
    if not path.is_dir() or path.is_symlink():
        return path, _find_way(path)
    inside = []
    for each in sorted(path.iterdir()):
        with suppress(InvalidValueError, OSError):
            inside.append((each, _find_way(each)))
    if not inside:
        raise InvalidValueError("no file in it is a program")
    named = [(each, way) for each, way in inside if each.stem.lower() == MAIN] or inside
    return named[0] if len(named) == 1 else (path, ("a folder", "", ""))


def _find_way(path: Path) -> Sequence[str]:
    """Return the language, the build and the command of a file, by its first line or its name.

    Raises
    ------
    InvalidValueError
        saying why it is no program.
    """
    status = path.lstat()
    if why := _explain_kind(status):
        raise InvalidValueError(why)
    with path.open("rb") as file:
        head = file.read(HEAD)
    suffix = path.suffix.lower()
    if words := re.match(rb"#![ \t]*(/[^\r\n]*)", head):
        line = words[1].decode("utf-8", "replace").split()
        tool = next((word for word in map(os.path.basename, line)
                     if word != "env" and not word.startswith("-")), "")
        if not tool.startswith("python"):
            language = next((language for language, _, command in LANGUAGES.values()
                             if command.split()[0] == tool), tool)
            return language, "", f"{' '.join(map(_word, line))} {{}} {{n}}"
        suffix = ".py"
    if suffix in LANGUAGES:
        return LANGUAGES[suffix]
    if b"\0" in head and status.st_mode & stat.S_IXUSR:
        return "a program", "", "{} {n}"
    raise InvalidValueError("no program: its first line names no interpreter, it is no binary that "
                            f"can be executed, and its name does not end in {', '.join(LANGUAGES)}")


def _explain_kind(status: os.stat_result) -> str:
    """Return why a file is not copied; empty if it is."""
    if stat.S_ISLNK(status.st_mode):
        return "a link; put the file itself here"
    if not stat.S_ISREG(status.st_mode):
        return f"{KINDS.get(stat.S_IFMT(status.st_mode), 'a device')}, not a file"
    return "" if status.st_size <= LARGEST else f"it has more than {format_bytes(LARGEST)}"


def _copy(path: Path | None, source: Path, own: Path, file: str) -> None:
    """Copy the source of an entry, or all of its folder but links, also hard ones, FIFOs and the
    like, to its own folder, where the source is called `file`.
    """
    size = 0

    def leave_out(where: str, names: list[str]) -> list[str]:
        nonlocal size
        found = {name: Path(where, name).lstat() for name in names}
        size += sum(BLOCK + status.st_size for status in found.values())
        if size > LARGEST:
            raise InvalidValueError(f"its files have more than {format_bytes(LARGEST)}")
        return [name for name, status in found.items() if not stat.S_ISDIR(status.st_mode) and (
            _explain_kind(status) or (status.st_nlink > 1 and name != source.name))]

    if source == path and source.is_dir():
        raise InvalidValueError(f"it has several programs; name one of them {MAIN}")
    if source == path:
        own.mkdir()
        shutil.copy2(source, own)
    else:
        shutil.copytree(source.parent, own, ignore=leave_out)
    (own / source.name).rename(own / file)
    own.chmod(0o777)  # a build writes here


def _call(program: Confined, *name: str) -> Confined:
    """Return the program that calls this function of a file in Python, or lists its functions."""
    return replace(program, command=" ".join(
        [RUNNER, f"./{program.file}", *map(_word, name), *["{n}"] * len(name)]))


def _answer(program: Confined, request: object, where: str) -> Any:
    """Return what the runner answers to a request."""
    lines, _ = replace(program, name=f"program{where}").pipe([json.dumps(request)], None)
    if len(lines) != 1:
        raise PluginError(f"program{where} ended before its answer")
    return parse_json(lines[0])


_programs: dict[Confined, Confined] = {}  # in a child: with what was found of them


def _examine(program: Confined, python: bool, tell: object) -> tuple[str, str, str]:
    """Build a program and check it: return which function of a file in Python counts, empty if it
    is a program, the form of its answers, and its first mistake. Of several ways, the first one is
    taken that is right, or else the one that is right up to the largest n.
    """
    program = _programs.setdefault(program, program)
    program.make()
    found: list[tuple[int, str, str, str]] = []
    for name, blocked in _answer(_call(program), "", "") if python else [(runner.PROGRAM, False)]:
        right, form, mistake = _try(program, str(name), bool(blocked))
        found.append((right, name, form, mistake))
        if not mistake:
            break
    return max(found, key=lambda each: (not each[3], each[0]))[1:]


def _try(program: Confined, name: str, blocked: bool) -> tuple[int, str, str]:
    """Return up to which n a program or a function of it is right, the form of its answers, and its
    first mistake.

    A function with a parameter `blocked` is also asked for a board that no table of the published
    numbers knows.
    """
    if name:
        program = _call(program, name)

    @cache
    def ask(n: int) -> Any:
        return _answer(program, {"n": n}, f" at n = {n}") if name else int(program.run(n))

    n = 0
    try:
        for n in range(1, CHECKED_N + 1):
            ask(n)
        n = 0
        algorithm = adapt(ask, "program", "")
    except NqbenchError as error:
        return n, "", str(error.__cause__ or error)
    form = algorithm.form_in_words if name not in ("", runner.DECORATED) else (
        "yields placements" if name else f"prints {NUMBER_ALONE}")
    findings = check(algorithm, CHECKED_N)
    right = sum(expected in (None, got) for _, expected, got in findings.solutions)
    if blocked and not findings.faults:
        row, column = (SystemRandom().randrange(CHECKED_N) for _ in range(2))
        where = f"n = {CHECKED_N}, with row {row + 1}, column {column + 1} blocked"
        found = _answer(program, {"n": CHECKED_N, "blocked": [(row, column)]}, f" at {where}")
        if not is_number(found) and not isinstance(found, list):
            return right, form, f"{where}: it returns {found!r:.80}"
        count = found if is_number(found) else len(found)
        wanted = sum(columns[row] != column for columns in catalogue()["bitmask"].solutions(
            CHECKED_N))
        if count != wanted:
            return right, form, f"{where}: it counts {count:,} solutions, not {wanted:,}"
    return right, form, "".join(fault.text for fault in findings.faults[:1])


def _count(program: Confined | str, n: int, tell: object) -> tuple[float, float, int]:
    """Return the seconds of a count, those of the processors alone, and the solutions: of a
    process, or of a call of an algorithm of the package.
    """
    if isinstance(program, Confined):
        taken = sample(partial(_programs.setdefault(program, program).run, n))
        return taken.wall, taken.seconds(), int(taken.found)
    algorithm, way = resolve(program)
    taken = sample(partial(
        algorithm.implementations[way or next(iter(algorithm.implementations))].count, n))
    return taken.seconds(), taken.seconds(), int(taken.found) * (1 + algorithm.doubles(n))


def _find_remark(entry: Entry, program: Confined | str, process: _Process, limit: float) -> str:
    """Return a remark on an entry that may know its answers; empty if it seems to search.

    The time of a search grows with n, by no more than by some factor. That of a table does not
    grow, or jumps where the table ends. Where nothing comes after it, the last count of a table is
    in the files of the entry.
    """
    known, last, before, start = entry.spent, 1, 0.0, entry.spent[1]
    noise = MOMENT + START * start
    for n in (*sorted(entry.samples)[1:], *range(entry.largest + 1, PROBE + 1)):
        least = known[n] if n in entry.samples else process.probe(program, n, limit)
        if least is None:
            number = re.compile(rb"(?<!\d)%d(?!\d)" % published("A000170")[last])
            return f"{CONSTANT} up to n = {last}, whose count is in its files" * (
                before <= noise and last > CHECKED_N and isinstance(program, Confined) and any(
                    number.search(path.read_bytes()) for path in program.folder.rglob("*")
                    if path.is_file()))
        taken = max(0.0, least - start)
        if taken > (before + noise) * (FASTEST if last >= SEARCHES else ANY) ** (n - last):
            return (f"{CONSTANT} up to n = {last}: beyond its start, it takes "
                    f"{format_seconds(before)} for {last} queens, {format_seconds(taken)} for {n}")
        if taken > SLOW * noise:
            return ""
        last, before = n, taken
    engine = process.probe(ENGINE, PROBE, LEAST_SECONDS) or 0.0
    return (f"{CONSTANT}: beyond its start, it takes {format_seconds(before)} for {last} queens, "
            f"the engine {format_seconds(engine)}") * (last == PROBE and before < engine / 4)

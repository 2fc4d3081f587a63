"""A race: every program of a folder is checked and timed, in rounds, each in a process that sees
only its own copy.
"""

import ast
import ctypes
import os
import shutil
import stat
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from pathlib import Path
from random import SystemRandom
from shlex import quote
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, TypeGuard

from nqbench.checking.examination import check
from nqbench.errors import InvalidValueError, NqbenchError
from nqbench.problems.plugins import find, resolve
from nqbench.problems.plugins.children import Child, StoppedError
from nqbench.problems.plugins.functions import Undecorated, is_number
from nqbench.problems.plugins.limits import TIME
from nqbench.problems.plugins.notation import LANGUAGES as BUILDS
from nqbench.problems.plugins.programs import read_program
from nqbench.problems.published import published
from nqbench.problems.queens import catalogue
from nqbench.util.clocks import LONG, calibrate, choose_loops, orders, sample
from nqbench.util.text import format_seconds

CHECKED_N = 7
CHECKING = 4  # times the seconds of a count: of the build, and of the check
LEAST_SECONDS = 10.0  # seconds of these, at least
MOMENT = 0.005  # seconds that a sample of a function lasts at least, and that do not matter
PROBE = 16  # queens at which a program that does not slow down is asked once more
CONSTANT = "constant time in n"  # what the remark on such a program begins with
ENGINE = "cross@cython"
AGAINST = ("bitmask@python", ENGINE)
# Tools that stand in the home.
HOMES = {"RUSTUP_HOME": "~/.rustup", "CARGO_HOME": "~/.cargo", "PYENV_ROOT": "~/.pyenv"}
MAIN = "main"
USUAL = ("queens", "n_queens", "nqueens", "solve", "solve_n_queens", "solutions", "count",
         "Solution.solveNQueens", "Solution.totalNQueens")  # names of functions, in this order

# By the end of a name: the language, the build, and the command of a file; {} is its name.
LANGUAGES: dict[str, list[str]] = {
    **BUILDS,
    ".py": ["Python", "", f"{quote(sys.executable).replace('{', '{{')} {{}} {{n}}"]}

# Landlock of Linux (landlock(7), since version 5.13) confines a process to its own files.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # system calls, on every architecture
NO_NEW_PRIVILEGES = 38  # an option of prctl(2)
VERSION, BENEATH = 1, 1  # a flag of the first call, and the kind of a rule
READ = 0b1101  # execute, read a file, list a folder
BITS = {1: 13, 2: 14, 3: 15, 4: 15}  # kinds of access by version; 16 in later ones
BINARIES = ("bin", "sbin", "shims")
PACKAGES = ("site-packages", "dist-packages")
SYSTEM = ("/bin", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/opt", "/proc", "/sbin", "/snap",
          "/sys", "/usr")


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
        its file, then that of its copy; None for one of the package.
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
        the processor seconds of its counts, by n; those of its own clock, if it has one.
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
    separated
        whether they could not see each other's files.
    limit
        the seconds of a count.
    """

    entries: list[Entry]
    separated: bool
    limit: float


class _Lane:
    """The process of an entry."""

    def __init__(self, entry: Entry, notations: list[str], folder: Path | None) -> None:
        self.entry, self.notations, self.folder = entry, notations, folder
        self.child = Child()
        self.runs = True

    def ask(self, function: Callable[..., Any], *arguments: Any, seconds: float,
            where: str = "") -> Any:
        """Return what a function returns in the process; None after a mistake, or after the time.
        """
        try:
            return self.child.call(function, *arguments, seconds=seconds)
        except StoppedError as error:
            if error.outcome == TIME and where.startswith(" at n"):
                self.entry.stopped = f"more than {seconds:g} s{where}"
            else:
                self.entry.mistake = f"{error}{where}"
        except NqbenchError as error:
            self.entry.mistake = f"{error}"
        self.runs = False
        self.child.kill()
        return None

    def enter(self, limit: float) -> bool:
        """Load and check the entry; return whether it was confined."""
        seconds = max(LEAST_SECONDS, CHECKING * limit)
        name = self.entry.path.name if self.entry.path else ""
        found = self.ask(_enter, self.folder and str(self.folder), self.notations, name,
                         seconds=seconds, where=" while it was made")
        if found is None:
            return True
        confined, self.entry.form = found
        if self.folder:
            self.entry.mistake = (self.ask(
                _find_mistake, seconds=seconds, where=" in its check")
                or self.entry.mistake).removeprefix("program ")
            self.runs = not self.entry.mistake
        return bool(confined)

    def count(self, n: int, seconds: float) -> None:
        """Take a sample for n queens, within these seconds."""
        found = self.ask(_count, n, seconds=seconds, where=f" at n = {n}")
        right = published("A000170").get(n)
        if found is not None and right not in (None, found[1]):
            self.entry.mistake = f"n = {n}: it counts {found[1]:,} solutions, not {right:,}"
            self.runs = False
        if self.runs:
            self.entry.samples.setdefault(n, []).append(found[0])
        else:
            self.entry.samples.pop(n, None)

    def probe(self, seconds: float) -> float:
        """Return the seconds of a right count of a larger board, which is no sample; 0 if it takes
        more, or is wrong: an entry need not count so many queens.
        """
        found = self.ask(_count, PROBE, seconds=seconds)
        self.entry.stopped = self.entry.mistake = ""
        self.runs = found is not None and found[1] == published("A000170")[PROBE]
        return float(found[0]) if self.runs else 0.0


def race(folder: str | Path, sizes: Sequence[int], limit: float = 5.0, rounds: int = 3,
         against: Sequence[str] = AGAINST, anonymous: bool = False,
         say: Callable[[str, float], object] = lambda what, share: None) -> Race:
    """Check and time all programs of a folder, for one queen and for these numbers of queens.

    A file is an entry if its name has an end of `LANGUAGES` or if it can be executed; so is a
    folder with one such file, or one that is called main. An `anonymous` entry is called by a
    number, in an order by chance.

    Raises
    ------
    InvalidValueError
        if there is no folder, or no entry in it.
    """
    paths = _entries(Path(folder))
    if anonymous:
        SystemRandom().shuffle(paths)
    sources = [*map(_source, paths)]
    entries = [Entry(f"entry {number}" if anonymous else path.name,
                     LANGUAGES.get(source.suffix, ("a program",))[0], path, path.name)
               for number, (path, source) in enumerate(zip(paths, sources, strict=True), 1)]
    references = [Entry(str(name), "of nqbench") for name in against]
    for name in against:
        resolve(name)
    with TemporaryDirectory(prefix="nqbench-race-") as scratch:
        lanes = []
        try:
            separated = True
            for place, entry in enumerate([*entries, *references]):
                say(f"check of {entry.name}", 0.3 * place / len(entries))
                own, notations = None, [entry.name]
                if entry.path is not None:
                    if sources[place].is_dir():
                        entry.mistake = f"it has several programs; name one of them {MAIN}"
                        continue
                    own = Path(scratch, str(place))
                    notations = _copy(entry, sources[place], own, entry.name if anonymous else "")
                lanes.append(_Lane(entry, notations, own))
                separated &= lanes[-1].enter(limit)
                if entry.path is not None and anonymous:
                    entry.mistake = entry.mistake.replace(entry.path.name, entry.name)
            steps = [(n, turn, order) for n in (1, *sizes) for turn, order in enumerate(
                orders(len(lanes), rounds, f"{n}"))]
            for step, (n, turn, order) in enumerate(steps):
                for lane in map(lanes.__getitem__, order):
                    if lane.runs:
                        say(f"n = {n}, round {turn + 1}: {lane.entry.name}",
                            0.3 + 0.7 * step / len(steps))
                        lane.count(n, limit)
            _remark_constant(lanes, limit)
        finally:
            for lane in lanes:
                lane.child.kill()
    return Race([*entries, *references], separated, limit)


def _entries(folder: Path) -> list[Path]:
    """Return the programs of a folder in the order of their names."""
    if not folder.is_dir():
        raise InvalidValueError(f"FOLDER must be a folder of programs, not {str(folder)!r}")
    found = [path for path in sorted(folder.iterdir()) if not path.name.startswith((".", "__"))
             and (any(map(_is_entry, path.iterdir())) if path.is_dir() else _is_entry(path))]
    if not found:
        raise InvalidValueError(f"{folder} has no program: no file that can be executed, and none "
                                f"whose name ends in {', '.join(LANGUAGES)}")
    return found


def _source(path: Path) -> Path:
    """Return the file of an entry: of a folder, that called main, or the only one; the folder if
    there is none.
    """
    inside = [each for each in sorted(path.iterdir()) if _is_entry(each)] if path.is_dir() else []
    named = [each for each in inside if each.stem.lower() == MAIN] or inside
    return named[0] if len(named) == 1 else path


def _is_entry(path: Path) -> bool:
    return path.is_file() and (path.suffix in LANGUAGES
                               or bool(path.stat().st_mode & stat.S_IXUSR))


def _copy(entry: Entry, source: Path, own: Path, name: str) -> list[str]:
    """Copy an entry with its source to its own folder; return how it may be named there in the
    notation of algorithms, nothing if it is a program.
    """
    if source != entry.path:  # which is a folder
        shutil.copytree(source.parent, own)
        entry.path = own / source.name
    else:
        own.mkdir()
        # A neutral name does not tell whose it is.
        entry.path = Path(shutil.copy2(
            source, own / (name.replace(" ", "_") + source.suffix if name else source.name)))
    return _notations(entry.path) if entry.path.suffix == ".py" else []


def _notations(path: Path) -> list[str]:
    """Return the functions of a file in Python that may count, in notation, the likely ones first;
    none if it is a program.
    """
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return [path.name]
    if "argv" in ast.dump(tree) and any(map(_runs, tree.body)):
        return []
    if any(isinstance(node, ast.FunctionDef) and node.decorator_list and "nqbench" in ast.dump(tree)
           for node in tree.body):
        return [path.name]
    names = [f"{node.name}.{each.name}" for node in tree.body if isinstance(node, ast.ClassDef)
             for each in node.body if _takes(each, 1)]
    names += [node.name for node in reversed(tree.body) if _takes(node)]
    names.sort(key=lambda name: USUAL.index(name) if name in USUAL else len(USUAL))
    return [f"{path.name}::{name}" for name in names] or [path.name]


def _takes(node: ast.stmt, own: int = 0) -> TypeGuard[ast.FunctionDef]:
    """Return whether this is a function that can be called with one argument besides its own."""
    if not isinstance(node, ast.FunctionDef):
        return False
    many = len(node.args.posonlyargs + node.args.args) - own
    return many > 0 and many - len(node.args.defaults) <= 1


def _runs(statement: ast.stmt) -> bool:
    """Return whether a statement of a module calls something when the module is imported."""
    return not isinstance(statement, ast.FunctionDef | ast.ClassDef) and (
        not isinstance(statement, ast.If) or "__name__" not in ast.dump(statement.test)) and any(
            isinstance(each, ast.Call) for each in ast.walk(statement))


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


_entered: list[tuple[Any, str]] = []  # in the process of an entry: its algorithm, and how it is run


def _enter(folder: str | None, notations: list[str], file: str,
           tell: object) -> tuple[bool, str]:
    """Load an entry in its own process, after it was confined; return whether it was, and the form
    of its answers. Of several functions, the first is taken whose answers can be read.
    """
    confined = True
    if folder is None:
        algorithm, way = resolve(notations[0])
    else:
        for name, usual in HOMES.items():
            os.environ.setdefault(name, str(Path(usual).expanduser()))
        confined = confine(Path(folder), map(os.environ.__getitem__, HOMES))
        os.chdir(folder)
        os.environ.update(HOME=folder, TMPDIR=folder)
        silent, way = os.open(os.devnull, os.O_WRONLY), None
        for stream in (1, 2):  # what an entry prints says whose it is
            os.dup2(silent, stream)
        faults = []
        for notation in notations:
            try:
                algorithm = find(notation, None)
                break
            except NqbenchError as error:
                faults.append(error)
        else:
            if faults:
                raise faults[0]
            _, build, command = LANGUAGES.get(Path(file).suffix, ("", "", "./{} {n}"))
            algorithm = read_program("program", {
                "command": command.replace("{}", file), "build": build.replace("{}", file)},
                Path(folder))
            algorithm.prepare()
    if algorithm.problem != "queens":
        raise InvalidValueError(f"{algorithm.name} is an algorithm of {algorithm.problem}; a race "
                                "is on n queens")
    _entered.append((algorithm, way or next(iter(algorithm.implementations))))
    return confined, algorithm.form_in_words or "yields placements"


def _find_mistake(tell: object) -> str:
    """Return the first mistake of the entry, empty if there is none.

    A function with a parameter `blocked` is also asked for a board that no table of the published
    numbers knows.
    """
    algorithm, _ = _entered[0]
    faults = check(algorithm, CHECKED_N).faults
    if faults:
        return faults[0].text
    function: Any = algorithm.function if isinstance(algorithm, Undecorated) else None
    if function is not None and "blocked" in signature(function).parameters:
        found = function(CHECKED_N, blocked=[(0, 0)])
        count = found if is_number(found) else sum(1 for _ in found)
        right = sum(columns[0] != 0 for columns in catalogue()["bitmask"].solutions(CHECKED_N))
        if count != right:
            return (f"n = {CHECKED_N}, with row 1, column 1 blocked: it counts {count:,} "
                    f"solutions, not {right:,}")
    return ""


_loops: dict[int, int] = {}  # there, of a sample, by n


def _count(n: int, tell: object) -> tuple[float, int]:
    """Return the processor seconds of a count, and the solutions."""
    algorithm, way = _entered[0]
    search = partial(algorithm.implementations[way].count, n)
    if n not in _loops:
        made = calibrate(search, MOMENT)
        (_loops[n],) = choose_loops([made], MOMENT)
        if made.least >= LONG * MOMENT:  # the first count is a sample
            return made.least, int(made.found) * (1 + algorithm.doubles(n))
    taken = sample(search, _loops[n])
    return taken.seconds(), int(taken.found) * (1 + algorithm.doubles(n))


def _remark_constant(lanes: Sequence[_Lane], limit: float) -> None:
    """Remark which entries do not slow down with n: they may know the answers. The engine says how
    long the count of a larger board takes at least.
    """
    engine = next((lane for lane in lanes if lane.entry.name == ENGINE and lane.runs), None)
    for lane in lanes:
        known = lane.entry.samples
        if not (engine and engine.runs and lane.folder and lane.runs and len(known) > 1):
            continue
        start, last = median(known[1]), median(known[max(known)])
        if last > 2 * start + MOMENT:
            continue
        least = engine.probe(limit)
        taken = lane.probe(start + least)
        if lane.runs and taken - start < least / 4:
            lane.entry.remark = (
                f"{CONSTANT}: {PROBE} queens take {format_seconds(max(taken - start, 0.0))} beyond "
                f"its start, the engine {format_seconds(least)}")

"""Solvers of Sudoku that were not written for nqbench: functions that take a puzzle, unchanged,
whatever form of a puzzle they take, and whether they return the solution or change the puzzle; and
programs.

The form is the first in which a function solves an easy puzzle. A method gets a puzzle as one of
queens gets n. A program reads puzzles from standard input, one per line, with . for an empty cell,
and prints a line for each, with the 81 digits of its solution or with none.
"""

import re
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from inspect import signature
from itertools import islice
from math import inf
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any

from nqbench.errors import InvalidValueError, LostError, PluginError
from nqbench.problems import sudoku
from nqbench.problems.plugins.children import Child
from nqbench.problems.plugins.functions import takes_only_n
from nqbench.problems.plugins.notation import PUZZLES
from nqbench.problems.plugins.programs import PROCESS, Program
from nqbench.problems.plugins.registry import describe, describe_failure
from nqbench.problems.sudoku.grid import Digits, Grid
from nqbench.search.algorithm import Finds, Tree
from nqbench.search.implementations import Implementation, Outcome

EASY = sudoku.data_set("easy50")[0].digits
TRIED, TRYING = 5.0, 12.0  # seconds for a puzzle in one form, and in all
HARD = 5  # puzzles of many that may share all of the time that is left
LATE = "it was stopped, as its time was over"
ONE_EACH = ("; let it print a line with 81 digits for each, or start it for each: "
            """sh -c 'while read p; do {} "$p" | tr -dc 1-9; echo; done' """ f"{PUZZLES}")
PUZZLE = re.compile("(?!.*(size|len|num|count)).*(sudoku|puzzle|board|grid|given|cells)", re.I)
DIGITS = re.compile(r"(?<![\w.])(?:[1-9]{81}|[1-9]{9}|[1-9]{3}|[1-9])(?![\w.])")
SOLVED = re.compile(r"(?<!\d)[1-9]{81}(?!\d)")
# The forms of a puzzle, in words, and what makes it of the digits.
FORMS: Mapping[str, Callable[[Digits], Any]] = {
    "lists of numbers": lambda givens: _rows([*givens]),
    "lists of characters": lambda givens: _rows([*str(Grid(givens))]),
    "a text": lambda givens: str(Grid(givens)),
    "a text with zeros": lambda givens: "".join(map(str, givens)),
    "81 numbers": lambda givens: [*givens],
    "9 texts": lambda givens: _rows(str(Grid(givens))),
    "an array": lambda givens: import_module("numpy").reshape(givens, (9, 9)),
    "lists of characters with zeros": lambda givens: _rows([*map(str, givens)]),
    "81 characters": lambda givens: [*str(Grid(givens))],
    "81 characters with zeros": lambda givens: [*map(str, givens)],
    "lists of numbers and None": lambda givens: _rows([digit or None for digit in givens])}


def _rows(cells: Any) -> list[Any]:
    return [cells[k:k + 9] for k in range(0, 81, 9)]


class WrongAnswerError(PluginError):
    """An answer of a solver is no solution."""


class PuzzleSolver(Implementation):
    """An implementation that finds one solution of each puzzle."""

    def answers(self, puzzles: Sequence[Digits], seconds: float) -> list[Digits | str]:
        """Return the solution of each puzzle, or why there is none.

        Raises
        ------
        PluginError
            naming the first puzzle whose answer is wrong, or why there are not all answers.
        """
        raise NotImplementedError

    def search_all(self, puzzles: Sequence[Digits], limit: int, keep: int = 1,
                   seconds: float = inf) -> list[Outcome[Digits]]:
        """Return what is found of each puzzle."""
        return [Outcome(limit, 0, [], {}, answer) if isinstance(answer, str) else
                Outcome(limit, 1, [answer][:keep], {}, exhaustive=False)
                for answer in self.answers(puzzles, seconds)]

    def search(self, givens: Digits, limit: int, keep: int, nodes: int | None = None,
               seconds: float | None = None) -> Outcome[Digits]:
        return self.search_all([givens], limit, keep, seconds or inf)[0]

    def counter(self, puzzles: Sequence[Digits], limit: int) -> Callable[[], list[int]]:
        return partial(self.count_all, puzzles)

    def count_all(self, puzzles: Sequence[Digits]) -> list[int]:
        return [int(not isinstance(answer, str)) for answer in self.answers(puzzles, inf)]


@dataclass(frozen=True, kw_only=True)
class PuzzleAlgorithm(sudoku.Search):
    """A solver that was not written for nqbench; it finds one solution of a puzzle."""

    year: int | None = None
    tree: Tree = Tree.NONE
    finds: Finds = Finds.ONE


class TimeUpError(BaseException):
    """The time of a function is over; no `except Exception` of its own catches this."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TimeUpError after so many seconds, where signals can do that."""
    def stop(number: int, frame: object) -> None:
        raise TimeUpError

    if seconds == inf or not hasattr(signal, "setitimer") or current_thread() != main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def read_digits(answer: Any) -> Digits | None:
    """Return the first 81 digits of an answer in any form: a text, nested lists, an array, a
    mapping of squares, or several of these; None if it has fewer.

    >>> read_digits("12" * 40 + "\\n3"), read_digits((True, [[1] * 9] * 9))[:2]
    (None, (1, 1))
    """
    if isinstance(answer, Mapping):
        answer = [value for _, value in sorted(answer.items())]
    elif isinstance(answer, Iterator):
        answer = [*islice(answer, 81)]
    found = "".join(DIGITS.findall(str(answer)))
    return tuple(map(int, found[:81])) if len(found) >= 81 else None


def call(function: Callable[[Any], Any], form: str, givens: Digits,
         seconds: float) -> tuple[str, str, Digits | None]:
    """Return whether a function solves a puzzle in a form, what it does, and the solution: "right",
    "wrong", "none", "late", or "fails", whatever it raises.
    """
    puzzle = FORMS[form](givens)
    try:
        with at_most(seconds):
            answer = function(puzzle)
            found = [("returns the solution", read_digits(answer)),
                     ("changes the puzzle", read_digits(puzzle))]
    except TimeUpError:
        return "late", f"takes more than {seconds:g} s", None
    except (Exception, SystemExit) as error:
        return "fails", f"fails: {describe_failure(error)}", None
    for does, digits in found:
        if digits and sudoku.is_solution(givens, digits):
            return "right", does, digits
    for digits in filter(None, dict(found).values()):
        return "wrong", f"gives {Grid(digits)}, which is no solution", None
    return "none", f"returns {answer!r:.80}, and there is no solution", None


@dataclass(frozen=True, kw_only=True)
class PuzzleFunction(PuzzleAlgorithm):
    """A function of a puzzle in one of `FORMS` as an algorithm; `place` is its notation."""

    function: Callable[[Any], Any]
    form: str
    place: str
    form_in_words: str = ""

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        return {"python": _Calls(self)}

    @property
    def __wrapped__(self) -> Callable[[Any], Any]:
        """Return the function, whose source identifies the algorithm."""
        return self.function


@dataclass
class _Calls(PuzzleSolver):
    """A function that is called for each puzzle."""

    solver: PuzzleFunction

    def answers(self, puzzles: Sequence[Digits], seconds: float) -> list[Digits | str]:
        end, found = perf_counter() + seconds, list[Digits | str]()
        for number, givens in enumerate(puzzles, 1):
            left = (end - perf_counter()) / min(HARD, len(puzzles) - number + 1)
            kind, does, digits = call(self.solver.function, self.solver.form, givens,
                                      left) if left > 0 else ("late", "", None)
            if kind in ("wrong", "fails"):
                raise (WrongAnswerError if kind == "wrong" else PluginError)(
                    f"{self.solver.name}: puzzle {number}, {Grid(givens)}: it {does}")
            found.append(digits or (LATE if kind == "late" else "it gave no solution"))
        return found


def takes_puzzle(function: Callable[..., Any]) -> bool:
    """Return whether the names of a function and its parameter are about a puzzle.

    >>> takes_puzzle(lambda board: board), takes_puzzle(lambda n: n), takes_puzzle(sorted)
    (True, False, False)
    """
    try:
        first = next(iter(signature(function).parameters), "")
    except (TypeError, ValueError):  # no function of Python
        return False
    name = getattr(function, "__name__", "").lower()
    return "queen" not in name and bool(PUZZLE.match(first) or (
        first != "n" and "sudoku" in name))


def adapt(function: Callable[[Any], Any], name: str, place: str) -> PuzzleFunction:
    """Return an algorithm that calls a function of a puzzle, which stands at a place in notation.

    Raises
    ------
    InvalidValueError
        if it needs other arguments, or if it solves an easy puzzle in no form.

    Examples
    --------
    >>> def fill(board):
    ...     for k in range(81):
    ...         board[k // 9][k % 9] = sudoku.solve(Grid(EASY)).solutions[0][k]
    >>> adapt(fill, "fill", "here.py::fill").form_in_words
    'takes lists of numbers, and changes the puzzle'
    """
    if not takes_only_n(function):
        raise InvalidValueError(f"{name} must be a function of a puzzle alone; write one that "
                                "calls it")
    tried: dict[str, tuple[str, str]] = {}  # the first form of each kind
    end = perf_counter() + TRYING
    for form in FORMS:
        kind, does, _ = call(function, form, EASY, min(TRIED, end - perf_counter()))
        tried.setdefault(kind, (form, does))
        if kind == "right":
            break
    kinds = ("right", "wrong") if takes_puzzle(function) else ("right",)  # a check finds the wrong
    found = next((tried[kind] for kind in kinds if kind in tried), None)
    form, does = found or next(iter(tried.values()))
    if found is None:
        raise InvalidValueError(f"{name} cannot be used: it solves an easy puzzle in no form; "
                                f"given {form}, it {does}")
    return PuzzleFunction(
        name=name, function=function, form=form, place=place,
        form_in_words=f"takes {form}, and {does}", **describe(function))


class Found(list[int]):
    """The number of solutions found of each puzzle, 0 or 1, and the seconds of the process."""

    seconds = 0.0
    whole = False  # nobody here knows the processor time of a process of a child


class _Lines(PuzzleSolver):
    """The implementation of a program: all puzzles are solved by one process."""

    def __init__(self, program: Program) -> None:
        self.program, self.child, self.seconds = program, Child(), 0.0

    def answers(self, puzzles: Sequence[Digits], seconds: float) -> list[Digits | str]:
        name, texts = self.program.command, [str(Grid(puzzle)) for puzzle in puzzles]
        if self.child.ended:
            self.child = Child()
        try:
            lines, self.seconds = self.child.call(Program.pipe, self.program, texts,
                                                  seconds=seconds)
        except LostError as error:
            raise PluginError(f"{name}: {error}") from error
        if len(lines) != len(texts):
            raise PluginError(f"{name} printed {len(lines):,} lines for {len(texts):,} puzzles"
                              + ONE_EACH.replace("{}", name) * ("'" not in name))
        found: list[Digits | str] = []
        for number, (givens, line) in enumerate(zip(puzzles, lines, strict=True), 1):
            told = SOLVED.findall(line)
            digits = tuple(map(int, told[-1])) if told else None
            if digits and not sudoku.is_solution(givens, digits):
                raise WrongAnswerError(f"{name}: puzzle {number}, {texts[number - 1]}, is not "
                                       f"solved by {told[-1]}")
            found.append(digits or "the program printed no solution")
        return found

    def count_all(self, puzzles: Sequence[Digits]) -> Found:
        found = Found(super().count_all(puzzles))
        found.seconds = self.seconds
        return found


@dataclass(frozen=True, kw_only=True)
class PuzzleProgram(PuzzleAlgorithm):
    """A program that solves Sudoku as an algorithm.

    >>> from_command("./solver < {puzzles}").technique
    'a program'
    """

    program: Program
    form_in_words = "solves puzzles, one per line"

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        return {PROCESS: _Lines(self.program)}


def from_command(notation: str) -> PuzzleProgram:
    """Return the algorithm of a command that ends in `< {puzzles}`; raise InvalidValueError if it
    is not valid.
    """
    command = notation.removesuffix(PUZZLES).strip()
    return PuzzleProgram(
        name=notation, program=Program(name=command, command=command, folder=Path.cwd()),
        origin=command, technique="a program")

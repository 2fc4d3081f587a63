"""Functions that take a puzzle of Sudoku and were not written for nqbench, as solvers: unchanged,
whatever form of a puzzle they take, and whether they return the solution or change the puzzle.

The form is the first in which a function solves an easy puzzle.
"""

import re
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from inspect import signature
from itertools import islice
from math import inf
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any

from nqbench.errors import InvalidValueError, PluginError
from nqbench.problems import sudoku
from nqbench.problems.plugins.functions import takes_only_n
from nqbench.problems.plugins.programs import PuzzleAlgorithm, PuzzleSolver
from nqbench.problems.plugins.registry import describe_failure, describe_home, home
from nqbench.problems.sudoku.grid import Digits, Grid
from nqbench.search.algorithm import Finds, Tree

EASY = sudoku.data_set("easy50")[0].digits
TRIED = 5.0  # seconds for a puzzle in one form
HARD = 5  # puzzles of many that may share all of the time that is left
LATE = "it was stopped, as its time was over"
PUZZLE = re.compile("(?!.*(size|len|num|count)).*(sudoku|puzzle|board|grid|given|cells)", re.I)
DIGITS = re.compile(r"(?<![\w.])(?:[1-9]{81}|[1-9]{9}|[1-9]{3}|[1-9])(?![\w.])")
# The forms of a puzzle, in words, and what makes it of the digits.
FORMS: Mapping[str, Callable[[Digits], Any]] = {
    "lists of numbers": lambda givens: [[*givens[k:k + 9]] for k in range(0, 81, 9)],
    "lists of characters": lambda givens: [[*str(Grid(givens))[k:k + 9]] for k in range(0, 81, 9)],
    "a text": lambda givens: str(Grid(givens)),
    "a text with zeros": lambda givens: "".join(map(str, givens)),
    "81 numbers": lambda givens: [*givens],
    "9 texts": lambda givens: [str(Grid(givens))[k:k + 9] for k in range(0, 81, 9)],
    "an array": lambda givens: import_module("numpy").reshape(givens, (9, 9))}


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
    except Exception as error:
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
                raise PluginError(f"{self.solver.name}: puzzle {number}, {Grid(givens)}: it {does}")
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
    return bool(PUZZLE.match(first) or (
        first != "n" and "sudoku" in getattr(function, "__name__", "").lower()))


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
        raise InvalidValueError(f"{name} must be a function of a puzzle alone")
    tried: dict[str, tuple[str, str]] = {}  # the first form of each kind
    for form in FORMS:
        kind, does, _ = call(function, form, EASY, TRIED)
        tried.setdefault(kind, (form, does))
        if kind == "right":
            break
    form, does = next(iter(tried.values()))
    if "right" in tried or ("wrong" in tried and takes_puzzle(function)):  # which a check finds
        form, does = tried["right" if "right" in tried else "wrong"]
    else:
        raise InvalidValueError(f"{name} cannot be used: it solves an easy puzzle in no form; "
                                f"given {form}, it {does}")
    title = (function.__doc__ or "").strip().partition("\n")[0]
    return PuzzleFunction(
        name=name, function=function, form=form, place=place, year=None,
        form_in_words=f"takes {form}, and {does}",
        technique=title or "not described", origin=describe_home(home(function)),
        tree=Tree.NONE, finds=Finds.ONE)

"""Functions that take a puzzle of Sudoku and were not written for nqbench, as solvers: unchanged,
whatever form of a puzzle they take, and whether they return the solution or change the puzzle.

The form is the first in which a function solves an easy puzzle.
"""

import re
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from inspect import signature
from itertools import islice
from math import inf
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any

from nqbench.errors import InvalidValueError, PluginError
from nqbench.problems import sudoku
from nqbench.problems.plugins.functions import takes_only_n
from nqbench.problems.plugins.registry import describe_failure, describe_home, home
from nqbench.problems.sudoku.grid import Digits, Grid
from nqbench.search.algorithm import Finds, Outcome, Tree
from nqbench.search.implementations import Implementation

EASY = Grid.of("..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
               ).digits
TRIED = 5.0  # seconds for a puzzle in one form
HARD = 5  # puzzles of many that may share all of the time that is left
NINE = frozenset("123456789")
LATE = "it was stopped, as its time was over"
PUZZLE = re.compile("sudoku|puzzle|board|grid|givens|cells|matrix", re.IGNORECASE)
SIZE = re.compile("size|len|num|count|^n$", re.IGNORECASE)


def _rows(cells: Sequence[Any]) -> list[Any]:
    return [cells[k:k + 9] for k in range(0, 81, 9)]


def _array(givens: Digits) -> Any:
    from numpy import array

    return array(givens).reshape(9, 9)


# The forms of a puzzle, in words, and what makes it of the digits.
FORMS: Mapping[str, Callable[[Digits], Any]] = {
    "lists of numbers": lambda givens: _rows([*givens]),
    "lists of characters": lambda givens: _rows([*str(Grid(givens))]),
    "a text": lambda givens: str(Grid(givens)),
    "a text with zeros": lambda givens: "".join(map(str, givens)),
    "81 numbers": lambda givens: [*givens],
    "9 texts": lambda givens: _rows(str(Grid(givens))),
    "lists of characters with zeros": lambda givens: _rows([*map(str, givens)]),
    "an array": _array}


class TimeUpError(BaseException):
    """The time of a function is over; no `except Exception` of its own catches this."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TimeUpError after so many seconds, where signals can do that.

    >>> with at_most(0.01):
    ...     while True: pass
    Traceback (most recent call last):
        ...
    nqbench.problems.plugins.puzzles.TimeUpError
    """
    if seconds == inf or not hasattr(signal, "setitimer") or current_thread() != main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TimeUpError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def read_digits(answer: Any) -> Digits | None:
    """Return the 81 digits of an answer in any form: a text, nested lists, an array, a mapping of
    squares, or the first of several; None if it has none.

    >>> read_digits("12" * 40 + "\\n3")[-2:], read_digits((True, [[1] * 9] * 9))[:2]
    ((2, 3), (1, 1))
    >>> read_digits([[1] * 9] * 8), read_digits(None), read_digits("." * 81)
    (None, None, None)
    """
    if hasattr(answer, "tolist"):
        answer = answer.tolist()
    if isinstance(answer, str):
        found = re.findall("[1-9]", answer)
        return tuple(map(int, found)) if len(found) == 81 and "0" not in answer else None
    if isinstance(answer, Mapping):
        answer = [value for _, value in sorted(answer.items())]
    elif isinstance(answer, Iterator):
        answer = [*islice(answer, 81)]
    if not isinstance(answer, list | tuple):
        return None
    cells = [cell for part in answer for cell in (part if isinstance(part, list | tuple | str) else
                                                  part.tolist() if hasattr(part, "tolist") and
                                                  hasattr(part, "__len__") else [part])]
    if len(cells) == 81 and all(map(NINE.__contains__, map(str, cells))):
        return tuple(map(int, cells))
    return next(filter(None, map(read_digits, answer)), None)


def call(function: Callable[[Any], Any], form: str, givens: Digits,
         seconds: float) -> tuple[Any, list[Digits | None]]:
    """Return what a function returns for a puzzle in a form, and the digits that it returns, and
    that it leaves in the puzzle.
    """
    puzzle = FORMS[form](givens)
    with at_most(seconds):
        answer = function(puzzle)
        return answer, [read_digits(answer), read_digits(puzzle)]


class PuzzleSolver(Implementation):
    """An implementation that finds one solution of each puzzle."""

    def answers(self, puzzles: Sequence[Digits],
                seconds: float) -> tuple[list[Digits | str], float]:
        """Return the solution of each puzzle, or why there is none, and the seconds of a process.
        """
        raise NotImplementedError

    def search_all(self, puzzles: Sequence[Digits], limit: int, keep: int = 1,
                   seconds: float = inf) -> list[Outcome[Digits]]:
        """Return what is found of each puzzle."""
        return [Outcome(limit, 0, [], {}, answer) if isinstance(answer, str) else
                Outcome(limit, 1, [answer][:keep], {}, exhaustive=False)
                for answer in self.answers(puzzles, seconds)[0]]

    def search(self, givens: Digits, limit: int, keep: int, nodes: int | None = None,
               seconds: float | None = None) -> Outcome[Digits]:
        return self.search_all([givens], limit, keep, seconds or inf)[0]

    def counter(self, puzzles: Sequence[Digits], limit: int) -> Callable[[], list[int]]:
        return partial(self.count_all, puzzles)

    def count_all(self, puzzles: Sequence[Digits]) -> list[int]:
        return [int(not isinstance(answer, str)) for answer in self.answers(puzzles, inf)[0]]


class _Calls(PuzzleSolver):
    """A function that is called for each puzzle."""

    def __init__(self, name: str, function: Callable[[Any], Any], form: str) -> None:
        self.name, self.function, self.form = name, function, form

    def answers(self, puzzles: Sequence[Digits],
                seconds: float) -> tuple[list[Digits | str], float]:
        """Return the solution of each puzzle, or why there is none; the process is this one.

        Raises
        ------
        PluginError
            naming the first puzzle at which it fails, or whose answer is wrong.
        """
        end, found = perf_counter() + seconds, list[Digits | str]()
        for number, givens in enumerate(puzzles, 1):
            where = f"{self.name}: puzzle {number}, {Grid(givens)}"
            left = (end - perf_counter()) / min(HARD, len(puzzles) - number + 1)
            both: list[Digits | None] = []
            try:
                if left > 0:
                    both = call(self.function, self.form, givens, left)[1]
            except TimeUpError:
                pass
            except Exception as error:
                raise PluginError(f"{where}: {describe_failure(error)}") from error
            digits = [*filter(None, both)]
            right = next((each for each in digits if sudoku.is_solution(givens, each)), None)
            if digits and not right:
                raise PluginError(f"{where}, is not solved by {Grid(digits[0])}")
            found.append(right or ("it gave no solution" if both else LATE))
        return found, 0.0


@dataclass(frozen=True, kw_only=True)
class PuzzleAlgorithm(sudoku.Search):
    """A solver that was not written for nqbench; it finds one solution of a puzzle."""


@dataclass(frozen=True, kw_only=True)
class PuzzleFunction(PuzzleAlgorithm):
    """A function that takes a puzzle as an algorithm.

    Attributes
    ----------
    function
        what is called.
    form
        the form of the puzzle, one of `FORMS`.
    words
        the form of the puzzle and of the answer, for people.
    place
        its notation.
    """

    function: Callable[[Any], Any]
    form: str
    words: str
    place: str

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        return {"python": _Calls(self.name, self.function, self.form)}

    @property
    def form_in_words(self) -> str:
        """Return what was recognised in its answers."""
        return self.words

    @property
    def __wrapped__(self) -> Callable[[Any], Any]:
        """Return the function, whose source identifies the algorithm."""
        return self.function


def takes_puzzle(function: Callable[..., Any]) -> bool:
    """Return whether the names of a function and its parameter are about a puzzle.

    >>> takes_puzzle(lambda board: board), takes_puzzle(lambda n: n), takes_puzzle(sorted)
    (True, False, False)
    """
    try:
        first = next(iter(signature(function).parameters), "")
    except (TypeError, ValueError):  # no function of Python
        return False
    name = getattr(function, "__name__", "")
    return not SIZE.search(first) and bool(PUZZLE.search(first) or "sudoku" in name.lower())


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
    def make(form: str, words: str) -> PuzzleFunction:
        title = (function.__doc__ or "").strip().partition("\n")[0]
        return PuzzleFunction(
            name=name, function=function, form=form, words=words, place=place, year=None,
            technique=title or "not described", origin=describe_home(home(function)),
            tree=Tree.NONE, finds=Finds.ONE)

    wrong: tuple[str, str] | None = None
    first = ""
    for form in FORMS:
        try:
            answer, both = call(function, form, EASY, TRIED)
        except TimeUpError:
            why = f"takes more than {TRIED:g} s"
        except Exception as error:  # whatever it raises
            why = f"fails: {describe_failure(error)}"
        else:
            does = "returns the solution" if both[0] else "changes the puzzle"
            words = f"takes {form}, and {does}"
            if any(digits and sudoku.is_solution(EASY, digits) for digits in both):
                return make(form, words)
            if any(both) and takes_puzzle(function):  # which a check finds
                wrong = wrong or (form, words)
            why = f"returns {answer!r:.80}, and there is no solution"
        first = first or f"given {form}, it {why}"
    if wrong:
        return make(*wrong)
    raise InvalidValueError(f"{name} cannot be used: it solves an easy puzzle in no form; {first}")

"""What a function of n returns, recognised: the number of solutions, or the solutions in one of the
forms that textbooks and contests use.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from nqbench.errors import InvalidValueError, PluginError
from nqbench.search.board import Columns

SIZES = (4, 5, 6)  # boards on which the form is recognised: those of a search that loses solutions
NUMBER_ALONE = "the number of solutions"  # what is found, in words, where nothing else is
ACCEPTED = ("a number of solutions, nor a list of solutions: columns as lists, tuples, arrays or "
            "texts, squares (row, column), or boards whose rows are texts or lists")


@dataclass(frozen=True)
class Form:
    """The form of answers.

    Attributes
    ----------
    kind
        a name of `READERS`; empty for a number of solutions.
    base
        whether columns are counted from 0 or from 1.
    queen
        what stands for a queen on a board.
    words
        the form in a few words for people.
    """

    kind: str
    base: int = 0
    queen: Any = None
    words: str = f"returns {NUMBER_ALONE}"

    def columns(self, answer: Any, n: int) -> Columns:
        """Return an answer as columns, by rows, from 0.

        Raises
        ------
        ValueError, TypeError
            if it does not have this form.
        """
        found = tuple(int(column) - self.base
                      for column in READERS[self.kind](answer, n, self.queen))
        if len(found) != n or not all(0 <= column < n for column in found):
            raise ValueError(f"not {n} columns from {self.base} to {n - 1 + self.base}")
        return found


def recognise(function: Callable[[int], Any]) -> Form:
    """Return the form in which a function of n gives its answers.

    Raises
    ------
    PluginError, InvalidValueError
        if it gives something else, one solution, or no solution of the first boards that have one.

    Examples
    --------
    >>> recognise(lambda n: iter([[2, 4, 1, 3], [3, 1, 4, 2]])).words
    'yields lists, counted from 1'
    >>> recognise(lambda n: [[".Q..", "...Q", "Q...", "..Q."]]).words
    "returns boards, a queen is 'Q'"
    >>> recognise(lambda n: 2).words
    'returns the number of solutions'
    """
    for n in SIZES:
        found = function(n)
        if is_number(found):
            return Form("")
        if not isinstance(found, Iterable) or isinstance(found, str | bytes | Mapping):
            raise PluginError(f"it returns {found!r:.80} at n = {n}, which is not {ACCEPTED}")
        if answers := list(found):
            return _recognise(answers, n, "yields" if isinstance(found, Iterator) else "returns")
    raise PluginError(f"it gives no solution for {SIZES[0]} to {SIZES[-1]} queens, so the form of "
                      "its solutions is not known")


def is_number(found: object) -> bool:
    """Return whether an answer is a whole number, also one of NumPy."""
    return hasattr(found, "__index__") and not isinstance(found, bool)


def _recognise(answers: list[Any], n: int, verb: str) -> Form:
    """Return the form that all these answers have."""
    first = answers[0]
    if len(answers) > 1 and all(answer is first for answer in answers):
        raise PluginError(f"it {verb} the same {type(first).__name__} {len(answers)} times at "
                          f"n = {n}, and changes it in between: copy it")
    if len(answers) == n and verb == "returns":
        with suppress(PluginError):
            _recognise([answers], n, "")
            raise InvalidValueError(f"it returns one solution at n = {n}, {answers!r:.80}; return "
                                    "a list of all, or yield each")
    queen = _find_queen(first)
    for kind, read in READERS.items():
        try:
            every = [column for answer in answers for column in read(answer, n, queen)]
            base = int(min(every) > 0)
            what = "boards, a queen is " + repr(queen) if kind == "board" else (
                f"{'squares' if kind == 'squares' else NAMES.get(type(first), 'arrays')}, "
                f"counted from {base}")
            form = Form(kind, base, queen, f"{verb} {what}")
            for answer in answers:
                form.columns(answer, n)
        except (ValueError, TypeError, IndexError):
            continue
        return form
    raise PluginError(f"it {verb} {first!r:.80} as a solution at n = {n}, which is not {ACCEPTED}")


def _find_queen(answer: Any) -> Any:
    """Return what stands exactly once in each row of a square board, if only one thing does."""
    rows = _rows(answer)
    marks = [mark for mark in rows[0] if all(row.count(mark) == 1 for row in rows)] if (
        rows and all(len(row) == len(rows) for row in rows)) else []
    return marks[0] if len(marks) == 1 else None


def _rows(answer: Any) -> list[list[Any]]:
    """Return the rows of a board, none if the answer is no list of rows."""
    if isinstance(answer, str):
        answer = answer.split("\n") if "\n" in answer.strip() else []
    elif hasattr(answer, "tolist"):
        answer = answer.tolist()
    if not isinstance(answer, list | tuple) or not all(
            isinstance(row, str | list | tuple) for row in answer):
        return []
    rows = [row.split() if isinstance(row, str) and " " in row.strip() else list(row)
            for row in answer]
    return [row for row in rows if row]


def _read_board(answer: Any, n: int, queen: Any) -> list[int]:
    rows = _rows(answer)
    if queen is None or any(row.count(queen) != 1 or len(row) != n for row in rows):
        raise ValueError("no board with a queen in each row")
    return [row.index(queen) for row in rows]


def _read_columns(answer: Any, n: int, queen: Any) -> list[int]:
    if isinstance(answer, str | bytes | Mapping | set) or not all(map(is_number, answer)):
        raise ValueError("no sequence of whole numbers")
    return list(answer)


def _read_text(answer: Any, n: int, queen: Any) -> list[int]:
    found = re.findall(r"\d+", answer)
    return [*map(int, found[0] if len(found) == 1 and n < 10 else found)]


def _read_squares(answer: Any, n: int, queen: Any) -> list[int]:
    squares = sorted(answer.items() if isinstance(answer, Mapping) else map(tuple, answer))
    if [row for row, _ in squares] not in ([*range(n)], [*range(1, n + 1)]):
        raise ValueError("no square in each row")
    return [column for _, column in squares]


NAMES: Mapping[type, str] = {list: "lists", tuple: "tuples", str: "texts"}
READERS: Mapping[str, Callable[[Any, int, Any], list[int]]] = {
    "board": _read_board, "columns": _read_columns, "text": _read_text, "squares": _read_squares}

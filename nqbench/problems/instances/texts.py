"""Instances from text and as text, one per line.

    n=8 placed=0:3,2:5          a board of 8 x 8 with queens on (0, 3) and (2, 5)
    n=8 blocked=0:0,1:1         two squares are blocked
    n=8 sums=4,7 differences=-2 three diagonals are excluded
    n=7 torus                   the torus
    {"n": 8, "placed": [[0, 3]]}

Empty lines and lines that begin with # are skipped. Files are read line by line, so they may have
any length.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from nqbench.errors import InvalidValueError, NqbenchError
from nqbench.problems.instances.board import Board
from nqbench.util.files import LONGEST_LINE, parse_json, read_lines

ALLOWED = "n=N, placed=R:C,..., blocked=R:C,..., sums=S,..., differences=D,... and torus"


def parse(line: str) -> Board:
    """Return the instance of a line.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        naming what is wrong and what is allowed.

    Examples
    --------
    >>> parse("n=8 placed=0:3,2:5").placed
    ((0, 3), (2, 5))
    >>> parse('{"n": 5, "torus": true}') == parse("n=5 torus")
    True
    >>> parse("n=8 queens=1:2")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: an instance has no 'queens', only n=N, placed=R:C,..., ...
    """
    if line.lstrip().startswith("{"):
        try:
            found = parse_json(line)
        except InvalidValueError as error:
            raise InvalidValueError(f"an instance that begins with {{ must be a JSON object "
                                    f"({error})") from None
        return Board.from_json(found)
    fields: dict[str, Any] = {}
    for word in line.split():
        key, equals, value = word.partition("=")
        if key not in ("n", "placed", "blocked", "sums", "differences", "torus"):
            raise InvalidValueError(f"an instance has no {key!r:.40}, only {ALLOWED}")
        if key in fields:
            raise InvalidValueError(f"an instance must have {key} once")
        fields[key] = _value(key, equals, value)
    return Board.from_json(fields)


def _value(key: str, equals: str, value: str) -> Any:
    """Return the value of a field as in JSON."""
    if key == "torus":
        if equals:
            raise InvalidValueError(f"torus takes no value, but got {value!r:.40}")
        return True
    if key == "n":
        return _number(value, "n")
    items = value.split(",") if value else []
    if key in ("placed", "blocked"):
        pairs = [item.split(":") for item in items]
        wrong = next((pair for pair in pairs if len(pair) != 2), None)
        if wrong is not None:
            raise InvalidValueError(f"a square must be ROW:COLUMN, not {':'.join(wrong)!r:.40}")
        return [[_number(row, "a row"), _number(column, "a column")] for row, column in pairs]
    return [_number(item, f"a diagonal of {key}") for item in items]


def _number(text: str, name: str) -> int:
    if not re.fullmatch("-?[0-9]{1,9}", text):
        raise InvalidValueError(f"{name} must be a whole number, not {text!r:.40}")
    return int(text)


def write(board: Board) -> str:
    """Return the line of an instance.

    >>> write(Board(8, placed=((0, 3),), sums=(4,)))
    'n=8 placed=0:3 sums=4'
    """
    words = [f"n={board.n}"]
    words += [f"{name}={','.join(f'{row}:{column}' for row, column in squares)}"
              for name, squares in (("placed", board.placed), ("blocked", board.blocked))
              if squares]
    words += [f"{name}={','.join(map(str, lines))}"
              for name, lines in (("sums", board.sums), ("differences", board.differences))
              if lines]
    return " ".join([*words, *(["torus"] if board.torus else [])])


def parse_lines(lines: Iterable[str]) -> Iterator[Board]:
    """Yield the instances of lines as they are read.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        naming the line that is wrong, and what is allowed.
    """
    for number, line in enumerate(lines, 1):
        text = line.removeprefix("\ufeff") if number == 1 else line
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        try:
            yield parse(text)
        except NqbenchError as error:
            raise type(error)(f"line {number}: {error}") from None


def parse_stream(text: TextIO) -> Iterator[Board]:
    """Yield the instances of an open text like `parse_lines`, with one line of it in memory."""
    return parse_lines(read_lines(text, LONGEST_LINE, "an instance"))

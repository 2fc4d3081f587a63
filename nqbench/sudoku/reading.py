"""Puzzles from text, in the forms that are common.

    one puzzle a line       81 characters, `.` or `0` for an empty cell; or a field of a line
                            of comma-separated values, the first that is a puzzle
    nine lines              of 9 characters, with or without blanks, bars and rules
    a list of lists         as LeetCode has it, JSON: one board, or a list of boards

Lines that are empty or begin with # are passed over, and so is a first line that names the
fields.
"""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from os import fspath
from pathlib import Path
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.sudoku.grid import Grid

_PUZZLES = files("nqbench.sudoku") / "puzzles"
_FIRST = ("easy50", "top95", "hardest", "diabolical")  # the others follow by name
_FOUND = {file.name.removesuffix(".txt") for file in _PUZZLES.iterdir()
          if file.name.endswith(".txt") and "LICENSE" not in file.name}
# The data sets: each file of puzzles in that folder.
DATA_SETS = (*_FIRST, *sorted(_FOUND - set(_FIRST)))
_RULE = re.compile(r"[-+=| ]+")


def parse(text: str) -> list[Grid]:
    """Return the puzzles of a text.

    Raises
    ------
    ValueError
        naming the line that is none, and what is allowed.

    Examples
    --------
    >>> len(parse("# two\\n" + "." * 81 + "\\n" + "0" * 81 + ",easy\\n"))
    2
    >>> parse("12345")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: line 1: a grid has 81 cells (9 x 9), not 5: other ...
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("["):
        return [_listed(board) for board in _boards(text)]
    found: list[Grid] = []
    rows: list[str] = []  # of a grid in nine lines, so far
    begun = False
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if not line or line.startswith("#") or _RULE.fullmatch(line):
            continue
        header, begun = not begun and _names_fields(line), True
        if header:
            continue
        try:
            _line(line, rows, found)
        except InvalidValueError as error:
            raise InvalidValueError(f"line {number}: {error}") from None
    if rows:
        raise InvalidValueError(f"the last grid has {len(rows)} of 9 lines")
    return found


def _names_fields(line: str) -> bool:
    """Return whether a line has words, and nothing that looks like a puzzle.

    >>> _names_fields("puzzle,rating"), _names_fields("O" * 81), _names_fields("1" * 80 + ",easy")
    (True, False, False)
    """
    return bool(re.search("[A-Za-z]", line)) and not re.search("[.0-9]{9}", line) and all(
        len(field) != 81 for field in line.split(","))


def _line(line: str, rows: list[str], found: list[Grid]) -> None:
    cells = re.sub(r"[| ]", "", line)
    if len(cells) == 9 and "," not in cells:
        Grid.of(cells + "." * 72)  # raises for what is no cell
        rows.append(cells)
        if len(rows) == 9:
            found.append(Grid.of("".join(rows)))
            rows.clear()
        return
    if rows:
        raise InvalidValueError(
            f"a line of 9 cells must follow, {len(rows)} of 9 are there, "
            f"not {line!r:.40}")
    fields = [field.strip().strip('"') for field in line.split(",")]
    puzzle = next((f for f in fields if re.fullmatch(r"[.0-9]{81}", f)), None)
    found.append(Grid.of(fields[0] if puzzle is None else puzzle))


def _boards(text: str) -> Iterator[Any]:
    """Yield the boards of a JSON text, one after the other or in a list."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        try:
            found, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            raise InvalidValueError(
                "a text that begins with [ must be a list of 9 lists of 9 cells, or "
                "a list of such boards, in JSON") from None
        first = found[0] if isinstance(found, list) and found else None
        row = first[0] if isinstance(first, list) and first else None
        yield from found if isinstance(row, list | str) and len(row) > 1 else [found]


def _listed(board: Any) -> Grid:
    """Return the grid of a list of 9 lists of 9 characters, or of numbers.

    >>> _listed([["5"] + ["."] * 8] + [["."] * 9] * 8).digits[:2]
    (5, 0)
    """
    rows = board if isinstance(board, list) else []
    if [len(row) if isinstance(row, list | str) else 0 for row in rows] != [9] * 9:
        raise InvalidValueError("a board must be 9 lists of 9 cells")
    cells = [str(cell) for row in rows for cell in row]
    wrong = next((cell for cell in cells if cell not in (*"0123456789.",)), None)
    if wrong is not None:
        raise InvalidValueError(f"a cell of a board must be a digit or '.', not {wrong!r}")
    return Grid.of("".join(cells))


def data_set(name: str) -> list[Grid]:
    """Return the puzzles of a set that comes with the package.

    >>> len(data_set("easy50"))
    50
    >>> data_set("easy51")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no data set 'easy51', only easy50, top95, ...
    """
    return parse(_text(name))


def difficulties(name: str) -> list[float] | None:
    """Return the published difficulty of each puzzle of a set; None if it has none.

    >>> difficulties("diabolical")[0], difficulties("easy50")
    (5.0, None)
    """
    lines = [line for line in _text(name).splitlines() if "," in line and line[0] != "#"]
    return [float(line.split(",")[1]) for line in lines] or None


def _text(name: str) -> str:
    if name not in DATA_SETS:
        raise InvalidValueError(f"there is no data set {name!r}, only {', '.join(DATA_SETS)}")
    return _PUZZLES.joinpath(f"{name}.txt").read_text("utf-8")


def read(source: str | Path) -> list[Grid]:
    """Return the puzzles of a file, of the name of a data set, or of a puzzle itself.

    Raises
    ------
    ValueError
        if there is none, or a line of it is none.
    """
    source = fspath(source)
    try:
        there = Path(source).exists() and not Path(source).is_dir()
    except (OSError, ValueError):  # no name of a file: too long, or with a zero byte
        there = False
    if not there:
        if source in DATA_SETS:
            return data_set(source)
        if re.fullmatch(r"[.0-9]{81}", source):
            return [Grid.of(source)]
        raise InvalidValueError(
            f"there is no file {source!r:.90}; nor is it one of the data sets "
            f"{', '.join(DATA_SETS)}, or a puzzle of 81 characters")
    try:
        text = Path(source).read_text("utf-8")
    except UnicodeDecodeError:
        raise InvalidValueError(f"{source} is no text in UTF-8") from None
    found = parse(text)
    if not found:
        raise InvalidValueError(f"{source} holds no puzzle")
    return found

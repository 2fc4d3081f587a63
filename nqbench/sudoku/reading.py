"""Puzzles from text, in the common formats.

    one puzzle a line       81 characters, `.` or `0` for an empty cell; or a field of a line
                            of comma-separated values, the first that is a puzzle
    nine lines              of 9 characters, with or without blanks, bars and rules
    a list of lists         as LeetCode has it, JSON: one board, or a list of boards

Lines that are empty or begin with # are skipped, and so is a first line that names the fields.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib.resources import files
from io import StringIO
from itertools import chain, islice
from os import fspath
from pathlib import Path
from typing import Any, TextIO

from nqbench._files import read_lines
from nqbench.errors import InvalidValueError
from nqbench.sudoku.grid import Grid

_PUZZLES = files("nqbench.sudoku") / "puzzles"
_FIRST = ("easy50", "top95", "hardest", "diabolical")  # the others follow by name
_FOUND = {file.name.removesuffix(".txt") for file in _PUZZLES.iterdir()
          if file.name.endswith(".txt") and "LICENSE" not in file.name}
# The data sets: each file of puzzles in that folder.
DATA_SETS = (*_FIRST, *sorted(_FOUND - set(_FIRST)))
_RULE = re.compile(r"[-+=| ]+")
_BLANK = re.compile(r"\s*")
# A list, and what its first element begins with: if that is a list, another list or a whole text.
_BEGIN = re.compile(
    r'\[\s*(?:[^\s[]|\[\s*(?:(\[)|("(?:[^"\\]|\\.)*")|[^\s["]))', re.DOTALL)
_DECODER = json.JSONDecoder()
CHUNK = 1 << 16  # characters of a line, or of JSON that are read at once
LONGEST = 1 << 20  # the most characters of a board in JSON, with all blanks
NO_BOARDS = ("a text that begins with [ must be a list of 9 lists of 9 cells, or "
             "a list of such boards, in JSON")


def parse(text: str) -> list[Grid]:
    """Return the puzzles of a text.

    Raises
    ------
    ValueError
        naming the invalid line, and what is allowed.

    Examples
    --------
    >>> len(parse("# two\\n" + "." * 81 + "\\n" + "0" * 81 + ",easy\\n"))
    2
    >>> parse("12345")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: line 1: a grid has 81 cells (9 x 9), not 5: other ...
    """
    return list(parse_stream(StringIO(text)))


def parse_stream(text: TextIO) -> Iterator[Grid]:
    """Yield the puzzles of an open text like `parse`, with only a part of it in memory.

    >>> from io import StringIO
    >>> next(parse_stream(StringIO("." * 81 + "\\n and what is not read yet"))).empty
    81
    """
    rows: list[str] = []  # the rows so far of a grid in nine lines
    begun, fields = False, True  # whether there was a puzzle; whether a line may name the fields
    number = 0
    for many, beginning in enumerate(read_lines(text, CHUNK)):
        part = beginning.removeprefix("\ufeff") if many == 0 else beginning
        if not begun and part.lstrip().startswith("["):
            yield from map(_listed, Boards(chain([part], iter(partial(text.read, CHUNK), ""))))
            return
        if len(beginning) > CHUNK and not part.endswith("\n"):
            raise InvalidValueError(f"line {many + 1}: a line must have at most {CHUNK:,} "
                                    "characters")
        begun = begun or bool(part.strip())
        for line in map(str.strip, part.splitlines()):
            number += 1
            if not line or line.startswith("#") or _RULE.fullmatch(line):
                continue
            header, fields = fields and _names_fields(line), False
            if header:
                continue
            try:
                found = _line(line, rows)
            except InvalidValueError as error:
                raise InvalidValueError(f"line {number}: {error}") from None
            if found:
                yield found
    if rows:
        raise InvalidValueError(f"the last grid has {len(rows)} of 9 lines")


def _names_fields(line: str) -> bool:
    """Return whether a line has words, and nothing that looks like a puzzle.

    >>> _names_fields("puzzle,rating"), _names_fields("O" * 81), _names_fields("1" * 80 + ",easy")
    (True, False, False)
    """
    return bool(re.search("[A-Za-z]", line)) and not re.search("[.0-9]{9}", line) and all(
        len(field) != 81 for field in line.split(","))


def _line(line: str, rows: list[str]) -> Grid | None:
    """Return the grid that a line completes; `rows` are the rows so far of a grid in nine lines."""
    cells = re.sub(r"[| ]", "", line)
    if len(cells) == 9 and "," not in cells:
        Grid.of(cells + "." * 72)  # raises for an invalid cell
        rows.append(cells)
        if len(rows) < 9:
            return None
        grid = Grid.of("".join(rows))
        rows.clear()
        return grid
    if rows:
        raise InvalidValueError(
            f"a line of 9 cells must follow, {len(rows)} of 9 are there, "
            f"not {line!r:.40}")
    fields = [field.strip().strip('"') for field in line.split(",")]
    puzzle = next((f for f in fields if re.fullmatch(r"[.0-9]{81}", f)), None)
    return Grid.of(fields[0] if puzzle is None else puzzle)


class Boards:
    """The boards of a JSON text that is read in parts; they follow one another or are in a list."""

    def __init__(self, parts: Iterator[str]) -> None:
        self.parts = parts
        self.text = ""
        self.at = 0

    def __iter__(self) -> Iterator[Any]:
        while self.look():
            if not self.begins_list():
                yield self.decode()
                continue
            self.at += 1
            while True:
                self.look()
                yield self.decode()
                mark = self.look()
                self.at += 1
                if mark == "]":
                    break
                if mark != ",":
                    raise InvalidValueError(NO_BOARDS)

    def read(self) -> bool:
        """Read more, in longer parts for longer boards; return whether there was more."""
        more = "".join(islice(self.parts, 1 + (len(self.text) - self.at) // CHUNK))
        self.text, self.at = self.text[self.at:] + more, 0
        return bool(more)

    def look(self) -> str:
        """Return the next character that is not blank; empty at the end of the text."""
        while True:
            self.at = _BLANK.match(self.text, self.at).end()  # type: ignore[union-attr]
            if self.at < len(self.text) or not self.read():
                return self.text[self.at:self.at + 1]

    def begins_list(self) -> bool:
        """Return whether a list of boards begins: its rows are lists, or texts of several cells."""
        while not (begin := _BEGIN.match(self.text, self.at)):
            if len(self.text) - self.at > LONGEST or not self.read():
                return False
        with suppress(ValueError):  # `decode` rejects what is not text
            return begin[1] is not None or len(_DECODER.decode(begin[2] or '""')) > 1
        return False

    def decode(self) -> Any:
        """Return the board that begins here."""
        while True:
            try:
                found, self.at = _DECODER.raw_decode(self.text, self.at)
            except (ValueError, RecursionError) as error:
                unfinished = isinstance(error, ValueError) and len(self.text) - self.at < LONGEST
                if not unfinished or not self.read():
                    raise InvalidValueError(NO_BOARDS) from None
            else:
                return found


def _listed(board: Any) -> Grid:
    """Return the grid of a list of 9 lists of 9 characters, or of numbers.

    >>> _listed([["5"] + ["."] * 8] + [["."] * 9] * 8).digits[:2]
    (5, 0)
    """
    rows = board if isinstance(board, list) else []
    if [len(row) if isinstance(row, list | str) else 0 for row in rows] != [9] * 9:
        raise InvalidValueError("a board must be 9 lists of 9 cells")
    cells = [f"a {type(cell).__name__}" if isinstance(cell, list | dict) else str(cell)
             for row in rows for cell in row]
    wrong = next((cell for cell in cells if cell not in (*"0123456789.",)), None)
    if wrong is not None:
        raise InvalidValueError(f"a cell of a board must be a digit or '.', not {wrong!r:.40}")
    return Grid.of("".join(cells))


def data_set(name: str) -> list[Grid]:
    """Return the puzzles of a data set of the package.

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
        if there is no such file or puzzle, or a line is not a puzzle.
    """
    return list(stream(source))


def stream(source: str | Path) -> Iterator[Grid]:
    """Yield the puzzles that `read` returns; of a file, only a part is in memory."""
    source = fspath(source)
    try:
        there = Path(source).exists() and not Path(source).is_dir()
    except (OSError, ValueError):  # not a valid file name: too long, or with a zero byte
        there = False
    if there:
        yield from _stream_file(source)
    elif source in DATA_SETS:
        yield from data_set(source)
    elif re.fullmatch(r"[.0-9]{81}", source):
        yield Grid.of(source)
    elif re.fullmatch(r"[.0-9]{40,}", source):
        raise InvalidValueError(f"a puzzle must have 81 characters, not {len(source):,}")
    else:
        raise InvalidValueError(
            f"there is no file {source!r:.90}; nor is it one of the data sets "
            f"{', '.join(DATA_SETS)}, or a puzzle of 81 characters")


def _stream_file(name: str) -> Iterator[Grid]:
    empty = True
    try:
        with Path(name).open(encoding="utf-8") as text:
            for grid in parse_stream(text):
                empty = False
                yield grid
    except UnicodeDecodeError:
        raise InvalidValueError(f"{name} is no text in UTF-8") from None
    if empty:
        raise InvalidValueError(f"{name} holds no puzzle")

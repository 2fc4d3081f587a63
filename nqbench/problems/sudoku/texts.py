"""Puzzles from text, in the common formats.

    one puzzle a line       81 characters, `.` or `0` for an empty cell; or a field of a line
                            of comma-separated values, the first that is a puzzle
    nine lines              of 9 characters, with or without blanks, bars and rules

Lines that are empty or begin with # are skipped, and so is a first line that names the fields.
"""

import re
from collections.abc import Iterator
from importlib.resources import files
from io import StringIO
from os import fspath
from pathlib import Path
from typing import TextIO

from nqbench.errors import InvalidValueError
from nqbench.problems.sudoku.grid import Grid
from nqbench.util.files import is_file, read_lines

_PUZZLES = files("nqbench.problems.sudoku") / "puzzles"
_FIRST = ("easy50", "top95", "hardest", "diabolical")  # the others follow by name
_FOUND = {file.name.removesuffix(".txt") for file in _PUZZLES.iterdir()
          if file.name.endswith(".txt") and "LICENSE" not in file.name}
# The data sets: each file of puzzles in that folder.
DATA_SETS = (*_FIRST, *sorted(_FOUND - set(_FIRST)))
_RULE = re.compile(r"[-+=| ]+")
CHUNK = 1 << 16  # characters of a line


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
    return list(parse_stream(StringIO(text, newline=None)))


def parse_stream(text: TextIO) -> Iterator[Grid]:
    """Yield the puzzles of an open text like `parse`, with only a part of its lines in memory.

    >>> from io import StringIO
    >>> next(parse_stream(StringIO("." * 81 + "\\n and what is not read yet"))).empty
    81
    """
    rows: list[str] = []  # the rows so far of a grid in nine lines
    fields = True  # whether a line may name the fields
    for number, text_line in enumerate(read_lines(text, CHUNK, "a line"), 1):
        line = text_line.removeprefix("\ufeff" * (number == 1)).strip()
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
    source = fspath(source)
    if is_file(source):
        try:
            with Path(source).open(encoding="utf-8") as text:
                found = [*parse_stream(text)]
        except UnicodeDecodeError:
            raise InvalidValueError(f"{source} is no text in UTF-8") from None
        if not found:
            raise InvalidValueError(f"{source} holds no puzzle")
        return found
    if source in DATA_SETS:
        return data_set(source)
    if re.fullmatch(r"[.0-9]{81}", source):
        return [Grid.of(source)]
    if re.fullmatch(r"[.0-9]{40,}", source):
        raise InvalidValueError(f"a puzzle must have 81 characters, not {len(source):,}")
    raise InvalidValueError(
        f"there is no file {source!r:.90}; nor is it one of the data sets "
        f"{', '.join(DATA_SETS)}, or a puzzle of 81 characters")

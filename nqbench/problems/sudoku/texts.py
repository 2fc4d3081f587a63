"""Puzzles from text, in the forms in which they are found.

    a line      with the 81 cells of a puzzle, alone or beside a number, a comment, a solution
    nine lines  of nine cells, with or without bars, rules, separators, brackets and remarks

An empty cell is . or 0, one of `SIGNS` throughout a puzzle, or an empty field or column. Comments,
rules, empty lines and headings are skipped, and so is what follows "Solution" or [State].
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
from nqbench.util.files import find_encoding, is_file, read_lines

_PUZZLES = files("nqbench.problems.sudoku") / "puzzles"
_FIRST = ("easy50", "top95", "hardest", "diabolical")  # the others follow by name
_FOUND = {file.name.removesuffix(".txt") for file in _PUZZLES.iterdir()
          if file.name.endswith(".txt") and "LICENSE" not in file.name}
# The data sets: each file of puzzles in that folder.
DATA_SETS = (*_FIRST, *sorted(_FOUND - set(_FIRST)))
CHUNK = 1 << 16  # characters of a line

SIGNS = "*_-xXoOeE?!~@$&^·•□# \u2013\u2014\u2212"  # for an empty cell, beside . and 0
GRID_SIZES = (9, 81, 162, 12, 144, 16, 256, 25, 625)  # cells of rows and grids; only 9 x 9 is read
WHOLE = 40  # cells of a line that is meant to be a whole puzzle, at least
DIGITS = frozenset("123456789")
CELLS = DIGITS.union(".0", SIGNS) - {" "}
UNIFORM = {sign * 9 for sign in "-_*#~"}  # rows that may be rules
PUZZLE = re.compile(  # in a line that is Sudoku rather than another problem, or nested lists
    rf"[{re.escape(''.join(sorted(CELLS)))}]{{{WHOLE},}}|\[\s*\[(?:[^],]{{0,6}},){{8}}")
_PLAIN = re.compile("[.0-9]{81}")
# What decorates cells: bars, brackets and quotes, words for nothing, floats; + of HoDoKu.
_SIMPLER = [(re.compile(pattern, re.I), simple) for pattern, simple in (
    ("[¦│┃║]", "|"), (r"[\"'\[\](){}<>]|\+(?=\d)", ""), (r"\b(nan|null|none)\b", "."),
    (r"(?<![\d.])(\d)\.0(?![\d.])", r"\1"),
    (r"\|\|(?=[^|]*[,;\t])", "|"))]  # two bars part boxes whose cells have separators of their own
_SEPARATOR = re.compile(r"[\s,;|:=/]+|#(?=\s*[^\W\d_])")
_FIELDS = r"[|,;\t]", r"[|,;\t]+", "[:/]"  # what separates fields that may be empty
_LABEL = re.compile(r"[^\W\d_]\w[\w\s]{0,40}[:=]\s*")  # of a field, or of a row
_REMARK = re.compile(r"\s(#|%|;|!|//|--\s|([^\W\d_])(?!\2)[^\W\d_]).*")
_WORD = re.compile(r"([^\W\d_])(?!\1)[^\W\d_]")  # a letter for empty cells stays the same
_SKIPPED = re.compile(  # comments and rules, other than nine cells, which # or dashes may be
    r"(?!([\s|]*[1-9#*~_-]){9}([1-9#]{72})?[\s|]*$)(#|%|//|/\*|\*/|[;!]\s*[^\W\d]|--\s+[^\W\d_]{2}"
    r"|(?=.*[-=_*#~─━═╌]\s?[-=_*#~─━═╌])[-=_*#~+.:'`,|\s\u2500-\u257f]+$)")
# Before a grid: its number, a size, how many grids there are, a date, or numbers of columns.
_NUMBER = re.compile(r"[\[(]?\d{1,3}[\].:)]?((, | x |[ ,x])\d{1,3})?|([-=*#~]+) \d\d? \3"
                     r"|\d{4}([-./])\d\d\4\d\d|\d\d([-./])\d\d\5\d{4}"
                     r"|" + r"\W".join("012345678") + r"(\W9.*)?")
_ASIDE = re.compile(r"\W*(the )?((?P<full>solution|solved|answer)|state|pencil|candid|colo)", re.I)
_VARIANT = re.compile(  # a heading of another puzzle, or a row of candidates
    r"\W*(type\W+)?(killer|jigsaw|samurai|sumocue|sukaku)|\d+x\d+:"
    r"|(?=.*[1-9]{2})(?!(\W*\d{9}){9})[\s|,;:]*([1-9]+[\s|,;:]+){8}[1-9]+[\s|,;:]*$", re.I)


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
    nqbench.errors.InvalidValueError: line 1: a row has 9 cells, not 5; only 9 x 9 is read
    """
    return list(parse_stream(StringIO(text, newline=None)))


def parse_stream(text: TextIO) -> Iterator[Grid]:
    """Yield the puzzles of an open text like `parse`, with only a part of its lines in memory.

    >>> from io import StringIO
    >>> next(parse_stream(StringIO("." * 81 + "\\n and what is not read yet"))).empty
    81
    """
    for found in scan(text):
        if isinstance(found, InvalidValueError):
            raise found
        yield found


def scan(text: TextIO) -> Iterator[Grid | InvalidValueError]:
    """Yield the puzzles of an open text, and for an invalid one why it is, with its line; raise
    InvalidValueError if it is no text, or a line is too long.

    >>> from io import StringIO
    >>> [str(found)[:21] for found in scan(StringIO("1" * 80 + "\\n" + "." * 81))]
    ['line 1: a grid has 81', '.....................']
    """
    puzzle: Grid | None = None
    aside: re.Match[str] | None = None  # a heading of what is no puzzle
    for found in _read_lines(text):
        if isinstance(found, str):
            aside = _ASIDE.match(found)
        elif isinstance(found, InvalidValueError):
            if not aside:
                yield found
        elif not (aside and not (aside["full"] and found.empty)) and not (
                puzzle and found.solved and re.fullmatch(str(puzzle), str(found))):
            yield found
            puzzle = found


def _read_lines(text: TextIO) -> Iterator[Grid | InvalidValueError | str]:
    """Yield the grids and the headings of an open text, and why a grid is invalid."""
    rows: dict[int, str] = {}  # of a grid so far, by the numbers of their lines
    side = 9  # rows of that grid
    step = 0  # rows between empty lines, as the first tells; 9 if they are between grids
    for number, line in enumerate(read_lines(text, CHUNK, "a line"), 1):
        if "\0" in line:
            raise InvalidValueError(f"line {number}: it is no text, but has a zero byte")
        line = line.strip("\ufeff\r\n")
        plain, spaces = line.strip(), " " in "".join(rows.values())
        if not plain and line.count("\t") != 8 and not (spaces and len(line) > 8):
            step = step or {0: 0, 1: 1, 3: 3}.get(len(rows), 9)
            if step and len(rows) % step and side == 9:
                yield from _end(rows)
        elif _VARIANT.match(plain):
            yield from _end(rows)
            yield InvalidValueError(f"line {number}: {plain!r:.40} is no plain Sudoku; only that "
                                    "is read, of 9 x 9, without candidates")
            yield "state"  # which is no puzzle either
        elif _SKIPPED.match(plain) or (_NUMBER.fullmatch(plain) and not rows):
            continue
        elif 0 < len(cells := find_cells(line, spaces)) < WHOLE:
            side = side if rows else len(cells) if len(cells) in GRID_SIZES else 9
            rows[number] = cells
            if len(set("".join(rows.values())) - DIGITS) > 1:  # nine dashes beside dots are a rule
                rows = {key: row for key, row in rows.items() if row not in UNIFORM}
            if len(rows) == side:
                step = step or 9
                yield from _end(rows)
        elif cells or _WORD.search(plain):
            yield from _end(rows)
            for part in [cells] if len(cells) % 81 else re.findall(".{81}", cells):
                yield from _end({number: part})
            if not cells:
                yield plain
    yield from _end(rows)


def _end(rows: dict[int, str]) -> Iterator[Grid | InvalidValueError]:
    """Yield the grid of rows, or of a whole line, or why it is invalid; forget them."""
    number = 0
    try:
        for number in rows:
            cells = rows[number]
            if len(cells) < WHOLE and len(cells) != 9:
                raise InvalidValueError(f"a row has 9 cells, not {len(cells)}; only 9 x 9 is read")
            to_grid(cells * 9 if len(cells) == 9 else cells)
        if not UNIFORM.issuperset(rows.values()):
            if len(cells) == 9 and len(rows) < 9:
                raise InvalidValueError(f"the grid that ends here has {len(rows)} of 9 rows")
            yield to_grid("".join(rows.values()))
    except InvalidValueError as error:
        yield InvalidValueError(f"line {number}: {error}")
    rows.clear()


def to_grid(text: str) -> Grid:
    """Return the grid of 81 characters, with any sign for an empty cell.

    >>> to_grid("." * 80 + "x")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: a grid has the digits 1 to 9, and one sign for an empty ...
    """
    signs = set(text) - DIGITS if len(text) == 81 else set()
    if not signs <= {".", "0"} and (len(signs) > 1 or not signs.issubset(SIGNS)):
        raise InvalidValueError(
            "a grid has the digits 1 to 9, and one sign for an empty cell, such as . or 0, not "
            + " and ".join(map(repr, sorted(signs.difference(".0", SIGNS) or signs))))
    return Grid.of("".join(cell if cell in DIGITS else "." for cell in text))


def find_cells(line: str, spaces: bool = False) -> str:
    """Return the cells of a line, one character each; none for a heading. `spaces` says whether
    single spaces may be empty cells, as in the rows before.

    >>> find_cells("[5, 3, 0,0,7,0, 0,0,0],"), find_cells("53 | 7 |   "), find_cells("Grid 01")
    ('530070000', '53  7    ', '')
    """
    if _PLAIN.fullmatch(line):  # what is most common
        return line
    for pattern, simple in _SIMPLER:
        line = pattern.sub(simple, line)
    wholes = [field for field in _SEPARATOR.split(line) if len(field) >= WHOLE and _fits(field)]
    if wholes:  # a solution may be the first of them
        return next((each for each in wholes if not DIGITS.issuperset(each)), wholes[0])
    cells = _read_cells(line, spaces)
    if len(cells) not in (9, 81):
        parts = [_read_cells(_REMARK.sub("", part), spaces) for part in _LABEL.split(line)]
        cells = next((part for part in parts if len(part) in GRID_SIZES), cells)
    return cells if len(cells) in GRID_SIZES or not _WORD.search(line) else ""


def _fits(text: str) -> bool:
    """Return whether most characters are cells or a frequent sign, or half of a larger row."""
    known = CELLS.union(sign for sign in set(text) if 3 * text.count(sign) > len(text) in (9, 81))
    return sum(map(known.__contains__, text)) >= len(text) * (
        0.55 if len(text) in (16, 25) else 0.75)


def _read_cells(text: str, spaces: bool) -> str:
    """Return the cells of a text: its fields, also empty ones, or columns, or its words."""
    for separators in _FIELDS:
        fields = [field.strip() for field in re.split(separators, text)]
        for end in (-1, 0):  # separators around a row
            if len(fields) > 9 and len(fields) not in GRID_SIZES and not fields[end]:
                del fields[end]
        if len(fields) in (4, 6, *GRID_SIZES) and all(
                len(field) < 2 or (field.isdecimal() and len(fields) > 9) for field in fields):
            return "".join(field[:1] or " " for field in fields)
    words = [*filter(None, _SEPARATOR.split(text))]
    cells = "".join(words)
    columns = "" if len(cells) in (9, 81) else _read_columns(text, spaces)
    if len(words) in GRID_SIZES[1:] and max(map(len, words)) == 2:  # numbers up to 25
        cells = "." * len(words)
    return columns or (cells if _fits(cells) else "")


def _read_columns(text: str, spaces: bool) -> str:
    """Return the cells of a line in which spaces are empty ones, if each cell is in its column."""
    row = re.sub(r"^\s*\|(.*)\|\s*$", r"\1", text)
    bars, flat = row.count("|"), row.replace("|", "")
    if bars not in (0, 2) or not DIGITS.union(" ").issuperset(flat) or not (bars or len(flat) == 9
            or (spaces and flat.strip()) or re.search(r"^ +\d|\d  |^ {9}", flat)):
        return ""
    size = 81 if len(flat) > WHOLE else 9 // (bars + 1)
    for bar, first, step in ("|", 0, 1), ("|", 0, 2), ("|", 1, 2), (" | ", 0, 2):
        cells = "".join(part[first::step].ljust(size) for part in row.split(bar))
        if len(cells) in (9, 81) and cells.replace(" ", "") == flat.replace(" ", ""):
            return cells
    return ""


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
        with Path(source).open(encoding="utf-8") as text:
            find_encoding(text)
            found = [*parse_stream(text)]
        if not found:
            raise InvalidValueError(f"{source} holds no puzzle")
        return found
    if source in DATA_SETS:
        return data_set(source)
    if PUZZLE.fullmatch(source):
        return [to_grid(source)]
    raise InvalidValueError(
        f"there is no file {source!r:.90}; nor is it one of the data sets "
        f"{', '.join(DATA_SETS)}, or a puzzle of 81 characters")

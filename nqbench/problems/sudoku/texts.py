"""Puzzles from text, in the forms in which they are found.

    a line      with the 81 cells of a puzzle, alone or beside other fields, whatever separates
                these: a number, a rating, a comment, a solution
    nine lines  of nine cells, with or without bars, rules, separators, brackets and remarks

An empty cell is . or 0, or throughout a puzzle another one of `SIGNS`; in a table an empty field,
and between bars or in a line of nine characters a space. Comments and empty lines are skipped, and
so are words, which head what follows: what follows "Solution", or a section such as [State], is no
puzzle.
"""

import re
from collections.abc import Iterator, Sequence
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

# For an empty cell throughout a puzzle, beside . and 0; the last are dashes.
SIGNS = "*_-xXoOeE?!~@$&^·•□# \u2013\u2014\u2212"
EMPTY = {"", "nan", "null", "none"}  # the same as a field of a table
SIZES = (4, 6, 8, 12, 16, 25)  # rows of other grids
WHOLE = 40  # cells of a line that is meant to be a whole puzzle, at least
DIGITS = frozenset("123456789")
CELLS = DIGITS.union(".0", SIGNS) - {" "}
# A line that is Sudoku rather than another problem: a puzzle, or nested lists.
PUZZLE = re.compile(
    rf"[{re.escape(''.join(sorted(CELLS)))}]{{{WHOLE},}}|\[\s*\[(?:[^],]{{0,6}},){{8}}")
_BARS = re.compile("[|¦│┃║]")
_FIELDS = re.compile(r"[\s,;|:\"'=<>\[\](){}/]+")
_LIST = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_PLAIN = re.compile("[.0-9]{81}")
_LETTER = re.compile(r"[^\W\d_]")
_SHOWN = re.compile("[^\\W_]|[?@$·•□]")  # what no rule has
_RULE = re.compile(r"[-=_*#~─━═╌]\s?[-=_*#~─━═╌]")
_COMMENT = re.compile(r"%|//|[;!]\s*[^\W\d]|--\s+[^\W\d_]{2}")
_REMARK = re.compile(r"\s([#%;!'\"(/]|--\s|(?=[^\W\d_]{2})\w*[^\W\d_xXoOeE]).*")
# Before a grid: its number, a size, how many grids there are, a date, or numbers of columns.
_NUMBER = re.compile(r"[\[(]?\d{1,3}[\].:)]?((, | x |[ ,x])\d{1,3})?|([-=_*#~]+)\s+\d{1,3}\s+\3"
                     r"|\d{4}([-./])\d\d\4\d\d|\d\d([-./])\d\d\5\d{4}"
                     r"|0\W1\W2\W3\W4\W5\W6\W7\W8(\W9\W10.*)?")
_NO_PUZZLE = re.compile(
    r"\W*(the )?(solution|solved|answer|state|pencil|candidate|colou?r)[^,;\t|]*,?$", re.I)
_VARIANT = re.compile(r"\W*(type\W+)?(killer|jigsaw|samurai|sumocue|sukaku)|\d+x\d+:", re.I)


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
    """Yield the puzzles of an open text, and for an invalid one why it is, with its line.

    Raises
    ------
    InvalidValueError
        if it is no text, or a line is too long.

    Examples
    --------
    >>> from io import StringIO
    >>> [str(found)[:21] for found in scan(StringIO("1" * 80 + "\\n" + "." * 81))]
    ['line 1: a grid has 81', '.....................']
    """
    rows, skips, skipped, number = _Rows(), False, False, 0
    for number, whole in enumerate(read_lines(text, CHUNK, "a line"), 1):
        if "\0" in whole:
            raise InvalidValueError(f"line {number}: it is no text, but has a zero byte")
        line = whole.removeprefix("\ufeff" * (number == 1)).rstrip("\r\n")
        plain, why = line.strip(), None
        if _PLAIN.fullmatch(plain) and not (skips or rows.rows):  # what is most common
            yield Grid.of(plain)
            continue
        if not plain and not rows.takes(line):
            skips = skips and not skipped
            yield from rows.pause(number)
            continue
        if _is_comment(plain) or (
                _RULE.search(plain) and not _SHOWN.search(plain) and not _is_uniform(plain)):
            continue
        try:
            found = [] if _VARIANT.match(plain) or (
                not rows.many and _NUMBER.fullmatch(line.rstrip())) else _find(line, rows.many > 0)
        except InvalidValueError as error:
            found, why = [""], error
        if found and (skips or _NO_PUZZLE.match(plain)):
            skipped = skips
        elif found:
            yield from rows.add_line(found, number, why)
        elif _LETTER.search(plain):
            yield from rows.end(number)
            skips, skipped = bool(_NO_PUZZLE.match(plain)), False
            if _VARIANT.match(plain):
                skips = True
                yield InvalidValueError(f"line {number}: {plain!r:.40} is no plain Sudoku; only "
                                        "that is read, of 9 x 9")
    yield from rows.end(number)


class _Rows:
    """The rows so far of a grid in lines.

    Attributes
    ----------
    rows
        the cells of each.
    side
        how many rows it has.
    gaps
        behind how many rows there was an empty line.
    error
        what is wrong with the first wrong row.
    spaced
        whether an empty line follows each row, which the first row tells.
    """

    def __init__(self) -> None:
        self.spaced: bool | None = None
        self.clear()

    def clear(self) -> None:
        """Forget the rows."""
        self.rows: list[str] = []
        self.side, self.gaps = 9, set[int]()
        self.error: InvalidValueError | None = None

    @property
    def counted(self) -> list[str]:
        """The rows without rules that are as long, such as nine dashes between rows of dots."""
        signs = {sign for row in self.rows if not _is_uniform(row) for sign in row}
        return [row for row in self.rows if not _is_uniform(row) or row[0] in signs]

    @property
    def many(self) -> int:
        return len(self.counted)

    def takes(self, line: str) -> bool:
        """Return whether a line of spaces or tabs is a row."""
        return line.count("\t") == 8 or (len(line) >= 9 and " " in "".join(self.rows))

    def add_line(self, found: Sequence[str], number: int,
                 why: InvalidValueError | None) -> Iterator[Grid | InvalidValueError]:
        """Add what a line has, and yield the grids that it completes, without solutions of the
        first, or why they are none.
        """
        first: Grid | None = None
        for cells in found:
            for made in self.add(cells, number, why):
                if not (first and isinstance(made, Grid) and _solves(made, first)):
                    yield made
                    first = made if isinstance(made, Grid) else None

    def add(self, cells: str, number: int,
            why: InvalidValueError | None) -> Iterator[Grid | InvalidValueError]:
        """Add cells, and yield the grid that they complete, or why it is none."""
        if len(cells) >= WHOLE:
            yield from self.end(number)
            try:
                yield to_grid(cells)
            except InvalidValueError as error:
                yield InvalidValueError(f"line {number}: {error}")
            return
        try:
            if why:
                raise why
            if len(cells) != 9:
                raise InvalidValueError(f"a row has 9 cells, not {len(cells)}; only 9 x 9 is read")
            _with_dots(cells)
        except InvalidValueError as error:
            if not self.rows and len(cells) in SIZES:
                self.side = len(cells)
            self.error = self.error or InvalidValueError(f"line {number}: {error}")
        self.rows.append(cells)
        if self.spaced is None and self.many > 1:
            self.spaced = False
        if self.many == self.side:
            yield self.error or Grid.of("".join(map(_with_dots, self.counted)))
            self.clear()

    def pause(self, number: int) -> Iterator[InvalidValueError]:
        """End a grid at an empty line, unless there may be one behind every third or every row."""
        many = self.many
        if self.spaced is None and many:
            self.spaced = True
        if self.side == 9 and not self.spaced and (many % 3 or (many == 6 and not self.gaps)):
            yield from self.end(number)
        elif many:
            self.gaps.add(many)

    def end(self, number: int) -> Iterator[InvalidValueError]:
        """Yield why there is no grid, if there are some of its rows; forget them."""
        if many := self.many:
            yield self.error or InvalidValueError(
                f"line {number}: the grid that ends here has {many} of 9 rows")
        self.clear()


def to_grid(text: str) -> Grid:
    """Return the grid of 81 characters, with any sign for an empty cell.

    >>> to_grid("-" * 80 + "9").empty
    80
    >>> to_grid("." * 80 + "x")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: a grid has the digits 1 to 9, and one sign for an empty ...
    """
    return Grid.of(_with_dots(text) if len(text) == 81 else "." * len(text))


def _with_dots(cells: str) -> str:
    """Return cells with . or 0 for an empty one; reject what is no cell, and several signs."""
    signs = set(cells) - DIGITS
    if signs <= {".", "0"}:
        return cells
    if len(signs) == 1 and signs <= set(SIGNS):
        return cells.replace(signs.pop(), ".")
    raise InvalidValueError(
        "a grid has the digits 1 to 9, and one sign for an empty cell, such as . or 0, not "
        + " and ".join(map(repr, sorted(signs.difference(".0", SIGNS) or signs))))


def _solves(grid: Grid, puzzle: Grid) -> bool:
    return grid.solved and all(given in (0, digit) for given, digit in zip(
        puzzle.digits, grid.digits, strict=True))


def _is_comment(plain: str) -> bool:
    """Return whether a line is a comment; # may also be an empty cell.

    >>> _is_comment("#4"), _is_comment("##3#2#6##"), _is_comment("; 4"), _is_comment("; by me")
    (True, False, False, True)
    """
    cells = _squeeze(plain)
    return bool(_COMMENT.match(plain)) or (plain.startswith("#") and not (
        len(cells) in (9, 81) and cells.count("#") > 1 and DIGITS.union("#").issuperset(cells)))


def _is_uniform(row: str) -> bool:
    """Return whether a line is nine equal signs, which may also be a rule."""
    cells = _squeeze(row)
    return len(cells) == 9 and len(set(cells)) == 1 and cells[0] in "-_*#~"


def _squeeze(text: str) -> str:
    return "".join(_BARS.sub("", text).split())


def _find(line: str, inside: bool) -> list[str]:
    """Return the cells of a line: of a puzzle or a row, or of several, each a text; none if there
    are only words. `inside` says whether it follows a row.

    Raises
    ------
    InvalidValueError
        if there is something else.
    """
    wholes = []
    for each in _FIELDS.split(re.sub(r"\+(?=\d)", "", line)):  # HoDoKu marks inferred digits
        found = each if each.find("#") < WHOLE else each.partition("#")[0]
        if len(found) >= WHOLE and 4 * sum(map(CELLS.__contains__, found)) > 3 * len(found):
            wholes.append(found)
    if wholes:  # a solution may be the first of them
        return [next((each for each in wholes if not DIGITS.issuperset(each)), wholes[0])]
    letters, lists = _LETTER.search(line), [*map(_read_row, _LIST.findall(line))]
    if lists and (not letters or any(len(cells) >= 9 for cells in lists)):
        return [*filter(None, lists)]
    cells = _read_row(line, inside)
    if len(cells) not in (9, 16, 25, 81):
        rest = _read_row(_REMARK.sub("", line, count=1), inside)
        cells = rest if len(rest) == 9 else cells
    if not cells:
        squeezed = _squeeze(re.sub("[,;]", "", line))
        right = sum(map(CELLS.__contains__, squeezed))
        if len(squeezed) == 9 and right >= (5 if inside else 8):
            return [squeezed]
        if not letters and len(re.findall(r"\d", line)) > (0 if inside else 4):
            raise InvalidValueError(f"{line!r:.40} is no row of 9 cells, and no puzzle of 81")
    return [cells] if len(cells) % 81 else [cells[k:k + 81] for k in range(0, len(cells), 81)]


def _read_row(text: str, inside: bool = False) -> str:
    """Return the cells of a row, or of a row of other length, one character each; empty if these
    are no cells.

    >>> _read_row("[5, 3, 0,0,7,0, 0,0,0]"[1:-1]), _read_row("53 | 7 |   "), _read_row("Grid 01")
    ('530070000', '53  7    ', '')
    """
    parts = _BARS.split(text)
    if "||" in text and len(parts) != 9:
        parts = re.split(r"\|+", text)
    if len(parts) > 4 and not (parts[0] + parts[-1]).strip(" .") and len(parts) != 9:
        parts = parts[1:-1]  # between bars at both ends
    if len(parts) >= 9 and all(len(part.strip()) < 2 + (len(parts) > 9) for part in parts):
        return "".join(part.strip()[:1] or " " for part in parts)
    if cells := _read_columns(parts, inside):
        return cells
    joined = " ".join(parts)
    separators = "[,;\t]" if re.search("[,;\t]", joined) else "[:/]"
    fields = [re.sub(r"^(\d)\.0$", r"\1", field.strip(" \"'"))  # a float, as of pandas
              for field in re.split(separators, joined)]
    if len(fields) in (10, 82) and not fields[-1]:
        fields.pop()
    words = ["." if word.lower() in EMPTY else word
             for field in fields for word in field.split() or [""]]
    full = [word for field in fields for word in field.split()]
    for each in (words, full):
        if len(each) % 9 == 0 and all(len(word) == 1 for word in each) and (
                2 * sum(map(CELLS.__contains__, each)) > len(each)):
            return "".join(each)
    return _join(words if len(words) in SIZES and max(map(len, words)) < 3 else full)


def _read_columns(parts: Sequence[str], inside: bool) -> str:
    """Return the cells of a row in which spaces are empty cells, at equal distances; empty if these
    are none. Spaces at its end may be missing.
    """
    n, text = 9 // len(parts), "".join(parts)
    if len(parts) not in (1, 3) or not DIGITS.union(" ").issuperset(text) or " " not in text or (
            len(text) < 9 and not text.strip()) or (
            len(parts) == 1 and not re.search(
                "^ |  |[1-9]{2}" if inside or len(text) == 9 else "^ |  ", text)):
        return ""
    if WHOLE < len(text) <= 81 and len(text.split()) not in SIZES:
        return text.ljust(81)
    width = len(parts[0]) if len(parts) == 3 else max(9, len(text))
    take = {n: slice(None), 2 * n - 1: slice(0, None, 2), 2 * n + 1: slice(1, None, 2)}.get(width)
    if take is None or any(len(part) > width for part in parts):
        return ""
    cells = "".join(part.ljust(width)[take] for part in parts)
    return cells if len(cells.replace(" ", "")) == len(text.replace(" ", "")) else ""


def _join(words: Sequence[str]) -> str:
    """Return words as cells, one character each, however many; empty if they are none."""
    text = "".join(words)
    if len(words) == 9 and len(text) > 9 and len(text) != 81 and DIGITS.issuperset(text):
        raise InvalidValueError(f"candidates (pencil marks) such as {max(words, key=len)} are not "
                                "read, only the digits of a puzzle")
    if len(words) % 9 and (len(words) > 9 or len(words) in SIZES) and all(
            re.fullmatch(r"\d\d?|[\W_]", word) for word in words):
        return "." * len(words)  # numbers up to 25, or empty fields
    if len(text) in (16, 25) and re.fullmatch("[0-9A-Y.*_?-]+|[0-9a-y.*_?-]+", text) and (
            not text.isalpha()):
        return text
    return text if CELLS.issuperset(text) and not (text.isalpha() and len(text) != 9) else ""


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

"""SHA256SUMS lists the files of a build. So files of an earlier build can be distinguished from
other files, and `sha256sum -c` finds changed ones. Its first line, which `sha256sum` ignores and
does not write, says that it is ours.

A build makes its files in a separate folder inside the target, lists them there, and then moves
them, the list last. It replaces only files that the list of the target names with their content.
So if a build is killed while it moves its files, the next one takes those for changed ones.
"""

import hashlib
import os
import re
from dataclasses import dataclass
from itertools import takewhile, zip_longest
from pathlib import Path

from nqbench.errors import InvalidValueError
from nqbench.report.drawings import unpack
from nqbench.util.files import LARGE, naming, read_bounded
from nqbench.util.text import printable, some

LIST = "SHA256SUMS"
PAGE = "index.html"
NAMED_FILES = 3  # files in one line of text
_LINE = re.compile(  # the page, or another file of a kind of ours, in the folder itself
    r"([0-9a-f]{64})  (index\.html|[^./\\\0][^/\\\0]*\.(?:csv|md|svg|png|pdf))")
_OURS = "# The files of `nqbench report`\n"
_PLACE = re.compile(r' (?:d|x|y|cx|cy|width|height|viewBox|transform)=\\?"[^"\\]*\\?"')
_WAYS = re.compile(r'(?<=<script type="text/plain" class="ways">)[^<]*')
SHOWN_DIFFERENCE = 60  # characters of a difference


@dataclass(frozen=True)
class Differences:
    """How the files of a folder differ from those that the records make: names, sorted.

    Attributes
    ----------
    made
        the number of files that the records make.
    differ
        those that say or show something else, each with its first difference. The places of lines
        and marks in drawings are not compared, since libraries round them differently, nor is the
        compression of drawings to choose from: their values are in the titles of the marks.
    missing
        those that are missing.
    left_over
        those of an earlier build that the records no longer make.
    """

    made: int
    differ: dict[str, str]
    missing: list[str]
    left_over: list[str]

    @property
    def same(self) -> bool:
        """Whether there are none."""
        return not (self.differ or self.missing or self.left_over)


def write_list(folder: Path) -> None:
    """List every file of a folder with its SHA-256."""
    with naming(folder / LIST):
        (folder / LIST).write_text(_list(folder, [path.name for path in folder.iterdir()]), "utf-8")


def _list(folder: Path, names: list[str]) -> str:
    """Return the list of some files of a folder."""
    return _OURS + "".join(f"{_sha256(folder / name)}  {name}\n"
                           for name in sorted(names) if name != LIST)


def read_list(folder: Path) -> dict[str, str]:
    """Return the names in the list of a folder, each with its SHA-256. A list that is not ours
    counts as empty.
    """
    listing = folder / LIST
    if not listing.is_file() or listing.is_symlink() or listing.stat().st_size > LARGE:
        return {}
    text = read_bounded(listing, LARGE).decode("utf-8", "replace")
    lines = filter(None, map(_LINE.fullmatch, text.splitlines()))
    return {match[2]: match[1] for match in lines} if text.startswith(_OURS) else {}


def earlier(folder: Path, names: set[str]) -> list[Path]:
    """Return the files of a folder that its list names and that are not among `names`."""
    paths = [folder / name for name in read_list(folder) if name not in names]
    return [path for path in paths if path.is_file()]


def check_ownership(out: Path, names: list[str], force: bool = False) -> None:
    """Refuse to overwrite files that no build wrote or that were changed since.

    Raises
    ------
    InvalidValueError
        if a file with one of these names is not ours; not with `force`.
    """
    known = read_list(out)
    foreign = [] if force else [
        name for name in sorted(names) if os.path.lexists(out / name)
        and not (known if name == LIST else _unchanged(out / name, known))]
    if foreign:
        raise InvalidValueError(
            f"{out} has files that `nqbench report` did not write, or that were changed since "
            f"({some(foreign, NAMED_FILES)}): choose another --out, or overwrite them with "
            "--force")


def _unchanged(path: Path, known: dict[str, str]) -> bool:
    """Return whether a file has the hash that the list names."""
    return path.is_file() and not path.is_symlink() and _sha256(path) == known.get(path.name)


def take_over(making: Path, out: Path, force: bool = False) -> list[Path]:
    """Move the files of a new build to `out`, the list last; remove files of the previous build
    that are no longer made, unless they were changed.

    Raises
    ------
    InvalidValueError
        what `check_ownership` raises, once more after the report was made, which takes a while; no
        file was moved.
    """
    new = sorted(making.iterdir(), key=lambda path: (path.name == LIST, path.name))
    check_ownership(out, [path.name for path in new], force)
    known = read_list(out)
    gone = [path for path in earlier(out, {path.name for path in new}) if _unchanged(path, known)]
    done = [path.replace(out / path.name) for path in new]
    for path in gone:
        path.unlink()
    return done


def compare(made: Path, out: Path) -> Differences:
    """Compare the files that were made with those of `out`, and the list of `out` with its files.
    """
    names = sorted(path.name for path in made.iterdir())
    here = [name for name in names if (out / name).is_file()]
    made_of = {name: (made / name).read_bytes() for name in here} | {
        LIST: _list(out, here).encode()}
    differ = {name: _compare(out / name, made_of[name]) for name in here}
    return Differences(
        len(names), {name: what for name, what in differ.items() if what},
        [name for name in names if name not in here],
        sorted(path.name for path in earlier(out, set(names))))


def _compare(path: Path, made: bytes) -> str:
    """Return the first difference between a file and what was made, as `_difference` does."""
    try:
        there = read_bounded(path, 2 * len(made) + LARGE)
    except InvalidValueError as error:
        return f"{error}, instead of {len(made):,}".removeprefix(f"{path} ")
    return "" if there == made else _difference(there, made, path.name)


def _difference(there: bytes, made: bytes, name: str) -> str:
    """Return the first difference between a file and the one that was made, in words; empty if
    there is none but the places and compression of drawings.
    """
    if name.endswith((".png", ".pdf")):
        return f"other bytes, {len(there):,} instead of {len(made):,}"
    for number, (line, its) in enumerate(zip_longest(_lines(there, name), _lines(made, name)), 1):
        if line != its:
            return f"line {number}: {_show(line, its)} instead of {_show(its, line)}"
    return ""


def _show(line: str | None, other: str | None) -> str:
    """Return the part of a line where it begins to differ from another one; None is no line.

    >>> _show("a", None), _show("", None), _show(None, ""), _show("x" * 99 + "y", "x" * 100)[-3:]
    ('a', 'an empty line', 'nothing', 'xxy')
    """
    if not line:
        return "nothing" if line is None else "an empty line"
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1],
                                    zip(line, other or "", strict=False)))
    start = max(0, min(same - SHOWN_DIFFERENCE // 3, len(line) - SHOWN_DIFFERENCE))
    return printable(line[start:start + SHOWN_DIFFERENCE])


def _lines(data: bytes, name: str) -> list[str]:
    """Return the lines of a text; those of drawings, also of packed ones, without places.

    >>> _lines(b'<path d="M0 9.01h5" class="a"/>', "a.svg"), _lines(b'<svg x="1"/>', "a.csv")
    (['<path class="a"/>'], ['<svg x="1"/>'])
    """
    text = data.decode("utf-8", "surrogateescape")
    if name == PAGE:
        text = _WAYS.sub(lambda packed: unpack(packed[0]), text)
    return (_PLACE.sub("", text) if name == PAGE or name.endswith(".svg") else text).split("\n")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

"""SHA256SUMS lists the files of a build. So files of an earlier build can be distinguished from
other files, and `sha256sum -c` finds changed ones. Its first line, which `sha256sum` ignores and
does not write, has the hash of the others: a list that anybody else wrote or changed is not ours.

A build makes its files in a separate folder inside the target, `.making-PID-...`, then lists them
beside those of the previous build, and then moves them. So a build that is killed at any moment
leaves only files that the list names with their hashes, and a folder whose process is gone. The
next build replaces the files and removes the folder.

A file is ours if the list of its folder is ours and names it with its content, and if it is a
regular file with a name as a build gives it. So whoever signs a list on purpose can have a build
remove a file of the report's kinds whose content they know, beside that list, and no other.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile, zip_longest
from pathlib import Path

from nqbench.errors import InvalidValueError
from nqbench.report.choices import unpack
from nqbench.util.files import LARGE, naming, read_bounded
from nqbench.util.text import printable

LIST = "SHA256SUMS"
PAGE = "index.html"
NAMED = 3  # files in one line of text
_MAKING = re.compile(r"\.making-([1-9][0-9]{0,8})-[a-z0-9_]{8}")
_LINE = re.compile(  # the page, or another file of a kind of ours, in the folder itself
    r"([0-9a-f]{64})  (index\.html|[^./\\\0][^/\\\0]*\.(?:csv|md|tex|svg|png|pdf))")
_OURS = "# The files of `nqbench report`. SHA-256 of the lines below: "
_TAG = re.compile("(<[^>]*>)")
_PLACE = re.compile(r'(?<= )(?:d|x|y|cx|cy|width|height|viewBox|transform)="([^"]*)"')
_COORDINATE = re.compile(r"-?[0-9]*\.?[0-9]+")
_WAYS = re.compile(r'(?<=<script type="text/plain" class="ways">)[^<]*')
ROUNDING = 0.1  # points by which the numbers of one attribute of a drawing may differ in all
SHOWN = 60  # characters of a difference


@dataclass(frozen=True)
class Differences:
    """How the files of a folder differ from those that the records make: names, sorted.

    Attributes
    ----------
    made
        the number of files that the records make.
    differ
        those that say or show something else, each with its first difference. In drawings, the
        rounding of coordinates is no difference, nor is the compression of those to choose from.
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
        names = [path.name for path in folder.iterdir()]
        (folder / LIST).write_text(_list(folder, names), "utf-8")


def _list(folder: Path, names: Iterable[str]) -> str:
    """Return the list of some files of a folder."""
    return sign("".join(f"{_sha256(folder / name)}  {name}\n"
                        for name in sorted(names) if name != LIST))


def sign(lines: str) -> str:
    """Return the lines of a list below the line that makes it ours.

    >>> sign("").splitlines()[0].startswith("# The files of `nqbench report`.")
    True
    """
    return f"{_OURS}{hashlib.sha256(lines.encode()).hexdigest()}\n{lines}"


def read_list(folder: Path) -> dict[str, set[str]]:
    """Return the names in the list of a folder, each with its SHA-256: two if a build was killed
    while it moved its files. A list that is not ours counts as empty.
    """
    listing = folder / LIST
    if not listing.is_file() or listing.is_symlink() or listing.stat().st_size > LARGE:
        return {}
    text = read_bounded(listing, LARGE).decode("utf-8", "replace")
    lines = text.partition("\n")[2]
    found: dict[str, set[str]] = {}
    for match in filter(None, map(_LINE.fullmatch, lines.splitlines())):
        found.setdefault(match[2], set()).add(match[1])
    return found if text == sign(lines) else {}


def earlier(folder: Path, names: set[str]) -> list[Path]:
    """Return the files of a folder that its list names and that are not among `names`."""
    paths = [folder / name for name in read_list(folder) if name not in names]
    return [path for path in paths if path.is_file()]


def check_ownership(out: Path, names: Iterable[str], force: bool = False) -> None:
    """Refuse to overwrite files that no build wrote or that were changed since; refuse to overwrite
    a folder even with `force`.

    Raises
    ------
    InvalidValueError
        if a file with one of these names is not ours.
    """
    known = read_list(out)
    there = [name for name in sorted(names) if os.path.lexists(out / name)]
    folders = [name for name in there if (out / name).is_dir()]
    if folders:
        raise InvalidValueError(f"{out} has folders of the names of files of the report "
                                f"({_some(folders)}): choose another --out")
    foreign = [] if force else [name for name in there if not (
        bool(known) if name == LIST else _unchanged(out / name, known))]
    if foreign:
        raise InvalidValueError(
            f"{out} has files that `nqbench report` did not write, or that were changed since "
            f"({_some(foreign)}): choose another --out, or overwrite them with --force")


def _unchanged(path: Path, known: dict[str, set[str]]) -> bool:
    """Return whether a file has a hash that the list names."""
    return (path.is_file() and not path.is_symlink()
            and _sha256(path) in known.get(path.name, ()))


def _some(names: list[str]) -> str:
    """Return the first names, and the number of the others.

    >>> _some(["a", "b"]), _some(["a", "b", "c", "d", "e"])
    ('a, b', 'a, b, c and 2 more')
    """
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def making_prefix() -> str:
    """Return how the name of a folder begins in which this process makes a report."""
    return f".making-{os.getpid()}-"


def remove_leftovers(out: Path) -> None:
    """Remove the folders of builds that were killed: those whose process is gone."""
    from psutil import pid_exists

    for path in out.iterdir():
        match = _MAKING.fullmatch(path.name)
        if match and path.is_dir() and not path.is_symlink() and not pid_exists(int(match[1])):
            shutil.rmtree(path)


def take_over(making: Path, out: Path, force: bool = False) -> list[Path]:
    """Move the files of a new build to `out`; remove files of the previous build that are no longer
    made, unless they were changed. Each file that is there is checked once more right before it is
    replaced, since making the report takes a while.

    The list is first written with the lines of both builds, so that each file is known to be ours
    if this is interrupted, and again at the end, without the old lines.

    Raises
    ------
    InvalidValueError
        what `check_ownership` raises; the files that were not moved yet are as before.
    """
    new = sorted(path for path in making.iterdir() if path.name != LIST)
    check_ownership(out, [LIST, *(path.name for path in new)], force)
    gone = earlier(out, {path.name for path in new})
    known = read_list(out)
    both = making / f"{LIST}.both"
    both.write_text(sign("".join(
        f"{sha256}  {name}\n" for listed in (known, read_list(making))
        for name, hashes in listed.items() for sha256 in sorted(hashes))), "utf-8")
    both.replace(out / LIST)
    done = [_move(path, out, force) for path in new]
    for path in gone:
        if _unchanged(path, known):
            path.unlink()
    return [*done, _move(making / LIST, out, force)]


def _move(path: Path, out: Path, force: bool) -> Path:
    check_ownership(out, [path.name], force)
    return path.replace(out / path.name)


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
    there is none but the rounding and compression of drawings.
    """
    if name.endswith((".png", ".pdf")):
        return f"other bytes, {len(there):,} instead of {len(made):,}"
    drawn, drawings = False, name == PAGE or name.endswith(".svg")
    for number, (is_line, line) in enumerate(zip_longest(
            _lines(there, name), _lines(made, name)), 1):
        if is_line != line and (line is None or is_line is None or not drawings
                                or not _same_drawn(is_line, line, drawn)):
            return f"line {number}: {_show(is_line, line)} instead of {_show(line, is_line)}"
        opened, closed = (line or "").rfind("<svg"), (line or "").rfind("</svg>")
        drawn = opened > closed if opened != closed else drawn
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
    start = max(0, min(same - SHOWN // 3, len(line) - SHOWN))
    return printable(line[start:start + SHOWN])


def _lines(data: bytes, name: str) -> list[str]:
    """Return the lines of a text, those of its packed drawings among them."""
    text = data.decode("utf-8", "surrogateescape")
    if name == PAGE:
        text = _WAYS.sub(lambda packed: unpack(packed[0]), text)
    return text.split("\n")


def _same_drawn(one: str, other: str, drawn: bool = True) -> bool:
    """Return whether two lines say the same and differ by rounding in drawings alone; `drawn` is
    whether they begin in one.

    >>> line = '<path d="M0 9.01h5" class="a"/>'
    >>> _same_drawn(line, line.replace("9.01", "9")), _same_drawn(line, line.replace("9.0", "9.3"))
    (True, False)
    >>> _same_drawn(line, line.replace("5", "5l1 1")), _same_drawn("<b>5.01</b>", "<b>5</b>")
    (False, False)
    >>> _same_drawn("</svg>" + line, "</svg>" + line.replace("9.01", "9"))
    False
    """
    for tag, (part, same) in enumerate(zip_longest(_TAG.split(one), _TAG.split(other))):
        drawn = (drawn or str(same).startswith("<svg")) and same != "</svg>"
        if part == same:
            continue
        if not tag % 2 or not drawn or part is None or same is None:  # a text
            return False
        if _PLACE.sub("", part) != _PLACE.sub("", same):
            return False
        for place, its in zip(_PLACE.finditer(part), _PLACE.finditer(same), strict=True):
            if _COORDINATE.sub("0", place[0]) != _COORDINATE.sub("0", its[0]):
                return False
            numbers = zip(*(map(float, _COORDINATE.findall(text[1])) for text in (place, its)),
                          strict=True)
            if sum(abs(x - y) for x, y in numbers) > ROUNDING + 1e-9:
                return False
    return True


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

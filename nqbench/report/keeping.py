"""SHA256SUMS lists the files of a build. So files of an earlier build can be distinguished from
other files, and `sha256sum -c` finds changed ones.

A build makes its files in a separate folder inside the target, `.making-PID-...`, then lists them
beside those of the previous build, and then moves them. So a build that is killed at any moment
leaves only files that the list names with their hashes, and a folder whose process is gone. The
next build replaces the files and removes the folder.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nqbench._files import writing
from nqbench.errors import InvalidValueError

LIST = "SHA256SUMS"
PAGE = "index.html"
NAMED = 3  # files in one line of text
_MAKING = re.compile(r"\.making-([1-9][0-9]{0,9})-[a-z0-9_]{8}")
_LINE = re.compile(r"([0-9a-f]{64})  ([^/\\\0]+)")
_DRAWN = re.compile(r'<svg.*?</svg>|<script type="text/plain" class="ways">.*?</script>',
                    re.DOTALL)


@dataclass(frozen=True)
class Differences:
    """How the files of a folder differ from those that the records make: names, sorted.

    Attributes
    ----------
    made
        the number of files that the records make.
    differ, missing
        those that have other bytes, or are missing.
    left_over
        those of an earlier build that the records no longer make.
    only_drawings
        whether only drawings have other bytes; another matplotlib or zlib draws the same records
        with other bytes.
    """

    made: int
    differ: list[str]
    missing: list[str]
    left_over: list[str]
    only_drawings: bool

    @property
    def same(self) -> bool:
        """Whether there are none."""
        return not (self.differ or self.missing or self.left_over)


def write_list(folder: Path) -> None:
    """List every file of a folder with its SHA-256."""
    lines = [f"{_sha256(path)}  {path.name}\n" for path in sorted(folder.iterdir())]
    with writing(folder / LIST):
        (folder / LIST).write_text("".join(lines), "utf-8")


def read_list(folder: Path) -> dict[str, set[str]]:
    """Return the names in the list of a folder, each with its SHA-256: two if a build was killed
    while it moved its files. A list without a page is not ours, and counts as empty.
    """
    listing = folder / LIST
    lines = listing.read_text("utf-8", "replace").splitlines() if listing.is_file() else []
    found: dict[str, set[str]] = {}
    for match in filter(None, map(_LINE.fullmatch, lines)):
        found.setdefault(match[2], set()).add(match[1])
    return found if PAGE in found else {}


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
    return path.is_file() and _sha256(path) in known.get(path.name, ())


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


def take_over(making: Path, out: Path) -> list[Path]:
    """Move the files of a new build to `out`; remove files of the previous build that are no longer
    made, unless they were changed.

    The list is first written with the lines of both builds, so that each file is known to be ours
    if this is interrupted, and again at the end, without the old lines.
    """
    new = sorted(path for path in making.iterdir() if path.name != LIST)
    gone = earlier(out, {path.name for path in new})
    known = read_list(out)
    lines = (making / LIST).read_text("utf-8")
    both = making / f"{LIST}.both"
    both.write_text("".join(f"{sha256}  {name}\n" for name, hashes in known.items()
                            for sha256 in sorted(hashes)) + lines, "utf-8")
    both.replace(out / LIST)
    done = [path.replace(out / path.name) for path in new]
    for path in gone:
        if _unchanged(path, known):
            path.unlink()
    return [*done, (making / LIST).replace(out / LIST)]


def compare(made: Path, out: Path) -> Differences:
    """Compare the files that were made with those of `out`, byte for byte."""
    names = sorted(path.name for path in made.iterdir())
    here = [name for name in names if (out / name).is_file()]
    differ = [name for name in here if (out / name).read_bytes() != (made / name).read_bytes()]
    missing = [name for name in names if name not in here]
    left_over = sorted(path.name for path in earlier(out, set(names)))
    return Differences(
        len(names), differ, missing, left_over,
        bool(differ) and not missing and not left_over
        and all(_drawing(made / name, out / name) for name in differ))


def _drawing(one: Path, other: Path) -> bool:
    """Return whether two files with different bytes are drawings, or differ only in drawings."""
    if one.name.endswith(".html"):
        texts = [_DRAWN.sub("", path.read_text("utf-8", "replace")) for path in (one, other)]
        return texts[0] == texts[1]
    return one.suffix in (".svg", ".png") or one.name == LIST


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

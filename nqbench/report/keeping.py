"""What a build made stands in SHA256SUMS: so files of an earlier build can be told from those of
somebody else, and `sha256sum -c` finds what was changed since.

A build makes its files in a folder of its own inside of the target, `.making-PID-...`, then lists
them beside those of the build before, and then moves them. So a build that was killed at
any moment leaves only files that the list names, with the hash they have, and a folder whose
process is gone; the next build replaces the former and removes the latter.
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
        how many files the records make.
    differ, missing
        those of them that have other bytes, or are not there.
    left_over
        those of an earlier build that the records make no more.
    only_drawings
        whether nothing but drawings has other bytes; the same records are drawn with
        others by another matplotlib or zlib.
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
    while it moved its files. A list without a page is not one of ours, and has none.
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
    """Refuse to write over what no build wrote, or what somebody changed since; over a folder
    even with `force`.

    Raises
    ------
    InvalidValueError
        if a file of one of these names is not one of ours.
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
    """Return the first names, and how many more.

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
    """Move the files of a new build to `out`; remove those of the one before that are not made
    any more, if nobody has changed them.

    The list comes first with the lines of both, so that each file is known to be ours whenever
    this is stopped, and once more at the end, without the old ones.
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
    """Return whether two files with other bytes are drawings, or differ in drawings alone."""
    if one.name.endswith(".html"):
        texts = [_DRAWN.sub("", path.read_text("utf-8", "replace")) for path in (one, other)]
        return texts[0] == texts[1]
    return one.suffix in (".svg", ".png") or one.name == LIST


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

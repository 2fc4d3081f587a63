"""What a build made stands in SHA256SUMS: so files of an earlier build can be told from those of
somebody else, and `sha256sum -c` finds what was changed since.
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

LIST = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64})  ([^/\\\0]+)")
_DRAWN = re.compile(r"<svg.*?</svg>", re.DOTALL)


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
    (folder / LIST).write_text("".join(lines), "utf-8")


def earlier(folder: Path, names: set[str]) -> dict[Path, str]:
    """The files of a folder that its list names and that are not among `names`, with the SHA-256
    that they had.
    """
    listing = folder / LIST
    lines = listing.read_text("utf-8", "replace").splitlines() if listing.is_file() else []
    found = {folder / match[2]: match[1] for match in map(_LINE.fullmatch, lines) if match}
    return {path: sha256 for path, sha256 in found.items()
            if path.name not in names and path.is_file()}


def take_over(making: Path, out: Path) -> list[Path]:
    """Move the files of a new build to `out`, its list last; take away those of the one before
    that are not made any more, if nobody has changed them.
    """
    new = sorted(making.iterdir(), key=lambda path: (path.name == LIST, path.name))
    gone = earlier(out, {path.name for path in new})
    done = [path.replace(out / path.name) for path in new[:-1]]
    for path, sha256 in gone.items():
        if _sha256(path) == sha256:
            path.unlink()
    return [*done, new[-1].replace(out / LIST)]


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
    """Whether two files with other bytes are drawings, or differ in drawings alone."""
    if one.name.endswith(".html"):
        texts = [_DRAWN.sub("", path.read_text("utf-8", "replace")) for path in (one, other)]
        return texts[0] == texts[1]
    return one.suffix in (".svg", ".png") or one.name == LIST


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

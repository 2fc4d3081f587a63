"""What is known about a first solution, and its file: a checkpoint from which a search resumes.

The file holds the pruned search. The plain count has a checkpoint like those of the engines.
"""

import json
from dataclasses import asdict, dataclass, field
from math import inf
from operator import le
from pathlib import Path
from typing import Any
from zlib import crc32

from nqbench._version import __version__
from nqbench.board import Columns
from nqbench.errors import InvalidValueError
from nqbench.first.plain import squares_tried
from nqbench.util.files import (
    parse_json,
    read_bounded,
    require_folder,
    require_regular,
    write_whole,
)


@dataclass
class Progress:
    """The state of the pruned search for n; every field is written to the checkpoint.

    Attributes
    ----------
    n
        the size of the board.
    path, next
        the prefix that the pruned search has reached, and the column that it tries next: every
        prefix to the left of them is rejected.
    finished
        whether the pruned search has found a solution; None while it searches.
    nodes, rejected
        nodes of the pruned search, and prefixes that it rejected, by the row of the last queen.
    seconds
        elapsed time.
    """

    n: int
    path: list[int] = field(default_factory=list)
    next: int = 0
    finished: bool | None = None
    nodes: list[int] = field(default_factory=list)
    rejected: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.nodes = self.nodes or [0] * self.n
        self.rejected = self.rejected or [0] * self.n

    def save(self, path: Path) -> None:
        """Write the checkpoint completely or not at all.

        Raises
        ------
        OSError
            if it cannot be written.
        """
        text = json.dumps(asdict(self))
        write_whole(path, json.dumps({"nqbench first": __version__, "progress": asdict(self),
                                      "check": f"{crc32(text.encode()):08x}"}) + "\n")

    @classmethod
    def load(cls, path: Path, n: int) -> "Progress":
        """Read a checkpoint; a file that does not exist is a new search.

        Raises
        ------
        InvalidValueError
            if it is damaged, of another n or version, or if its folder does not exist.
        OSError
            if it cannot be read.
        """
        require_folder(path)
        require_regular(path)
        if not path.exists():
            return cls(n)
        try:
            data: Any = parse_json(read_bounded(path))
            version, fields = data["nqbench first"], data["progress"]
            valid = data["check"] == f"{crc32(json.dumps(fields).encode()):08x}"
            size = fields["n"]
            found = cls(**{**fields, "n": n})
        except (ValueError, KeyError, TypeError):
            raise InvalidValueError(f"{path} is not a checkpoint of nqbench first") from None
        if not valid:
            raise InvalidValueError(f"{path} is damaged: its checksum is wrong")
        if version != __version__:
            raise InvalidValueError(f"{path} is a checkpoint of nqbench {version}, not "
                                    f"{__version__}")
        if size != n:
            raise InvalidValueError(f"{path} is a checkpoint of {size!r:.40} queens, not {n}")
        if not found.is_possible:
            raise InvalidValueError(f"{path} holds numbers that no search has; delete it, and the "
                                    "search starts again")
        return found

    @property
    def is_possible(self) -> bool:
        """Whether a search can be in this state: its columns are on the board, each prefix that it
        rejected took a node or more, and the time is a number of seconds.

        >>> Progress(8).is_possible, Progress(8, seconds=-1.0).is_possible
        (True, False)
        """
        lists: list[object] = [self.nodes, self.rejected, self.path, [self.next]]
        return (all(type(each) is list and all(type(one) is int and one >= 0 for one in each)
                    for each in lists)
                and max(self.path, default=0) < self.n >= max(self.next, len(self.path))
                and len(self.nodes) == len(self.rejected) == self.n
                and all(map(le, self.rejected, self.nodes))
                and self.finished in (None, False, True)
                and type(self.seconds) in (int, float) and 0 <= self.seconds < inf)


@dataclass(frozen=True)
class First:
    """What is known about the first solution.

    Attributes
    ----------
    progress
        the state of the pruned search.
    dead
        placements without completion that the plain search visits; None if they were not all
        counted.
    counted, parts
        how many parts of the plain search are counted, and how many there are; 0 if it has not
        begun.
    seconds
        elapsed time of the plain count, since it was resumed last.
    """

    progress: Progress
    dead: int | None = None
    counted: int = 0
    parts: int = 0
    seconds: float = 0.0

    @property
    def columns(self) -> Columns | None:
        """The first solution; None if there is none, or if it is not known yet."""
        return tuple(self.progress.path) if self.progress.finished else None

    @property
    def tried(self) -> int | None:
        """The squares that the plain search tries (A140450); None if they were not counted."""
        return None if self.dead is None else squares_tried(self.progress.n, self.columns,
                                                            self.dead)

    @property
    def pruned_nodes(self) -> int:
        """The nodes of the pruned search."""
        return sum(self.progress.nodes)

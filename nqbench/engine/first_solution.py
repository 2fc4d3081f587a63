"""The lexicographically first solution: the plain search, and what is known so far.

In every row it tries the squares one by one, and counts them like the authors of A140450. A
placement of k < n queens that has no completion costs all n squares of the next row, so the squares
tried are

    n * (placements without completion that are visited) + n (n + 1) / 2

where the second term is the path to the solution, which is a permutation of the columns. The
placements are those of the complete subtrees to the left of that path. Each subtree can be counted
separately, in any order, as a part of a count, like the parts of the engines; `Progress` is the
checkpoint of the pruned search, which `nqbench.engine.first_search` runs.
"""

import json
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from math import inf
from operator import le
from pathlib import Path
from typing import Any
from zlib import crc32

from nqbench._version import __version__
from nqbench.engine import processor
from nqbench.engine.division import Division
from nqbench.engine.ledger import Ledger
from nqbench.engine.tasks import PATIENCE, entering_answers
from nqbench.engine.threads import entering_counts
from nqbench.errors import InvalidValueError
from nqbench.search.board import Columns
from nqbench.util import files
from nqbench.util.arguments import require_whole
from nqbench.util.cores import choose_threads
from nqbench.util.text import printable

Workers = tuple[Executor, Callable[[], int]]  # and a function that counts them

QUICK_N = 20  # up to here starting threads takes longer than the count


def search(n: int) -> tuple[Columns | None, int]:
    """Return the first solution, or None, and the number of squares tried, by the definition.

    >>> search(4), search(3)
    (((1, 3, 0, 2), 26), (None, 18))
    """
    n = require_whole(n)
    placed: list[int] = []
    tried = 0

    def extend() -> bool:
        nonlocal tried
        row = len(placed)
        if row == n:
            return True
        for column in range(n):
            tried += 1
            if all(column != other and abs(column - other) != row - above
                   for above, other in enumerate(placed)):
                placed.append(column)
                if extend():
                    return True
                placed.pop()
        return False

    return (tuple(placed) if extend() else None), tried


def free_columns(n: int, prefix: Sequence[int]) -> list[int]:
    """Return the columns that are free in the row below a prefix.

    >>> free_columns(5, (0, 2))
    [4]
    """
    row, taken = len(prefix), set(prefix)
    sums = {above + column for above, column in enumerate(prefix)}
    differences = {column - above for above, column in enumerate(prefix)}
    return [column for column in range(n) if column not in taken and row + column not in sums
            and column - row not in differences]


def squares_tried(n: int, columns: Sequence[int] | None, dead: int) -> int:
    """Return the squares tried, given the number of placements that have no completion.

    >>> squares_tried(8, (0, 4, 7, 5, 2, 6, 1, 3), 105)
    876
    """
    return n * dead + (n * (n + 1) // 2 if columns else 0)


def counting_dead(n: int, columns: Columns | None, kernel: str | None = None,
                  jobs: int | None = None, checkpoint: str | Path | None = None,
                  say: Callable[[str], None] = lambda line: None,
                  workers: Workers | None = None) -> Generator[Ledger]:
    """Count the placements to the left of the first solution, all placements for None; yield the
    ledger ten times a second and at the end. `workers` count in place of threads, as in
    `nqbench.engine.counting_on`.

    Raises
    ------
    TypeError, ValueError
        if an argument is not allowed, or the checkpoint belongs to another count.
    MiscountError
        if a part holds a solution.
    OSError
        if the checkpoint cannot be read or written.
    """
    chosen = processor.choose_kernel(kernel)
    division = Division.before_solution(n, chosen, columns or ())
    for ledger in entering_counts(
            division, chosen, choose_threads(jobs), checkpoint, say,
            alone=n <= QUICK_N or not division.parts) if workers is None else entering_answers(
            workers[0], division, workers[1], checkpoint, say, PATIENCE):
        ledger.count_dead()
        yield ledger


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
        files.write_whole(path, json.dumps({"nqbench first": __version__, "progress": asdict(self),
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
        files.require_folder(path)
        files.require_regular(path)
        if not path.exists():
            return cls(n)
        try:
            data: Any = files.parse_json(files.read_bounded(path))
            version, fields = data["nqbench first"], data["progress"]
            valid = data["check"] == f"{crc32(json.dumps(fields).encode()):08x}"
            size = fields["n"]
            found = cls(**{**fields, "n": n})
        except (ValueError, KeyError, TypeError):
            raise InvalidValueError(f"{path} is not a checkpoint of nqbench first") from None
        if not valid:
            raise InvalidValueError(f"{path} is damaged: its checksum is wrong")
        if version != __version__:
            raise InvalidValueError(f"{path} is a checkpoint of nqbench "
                                    f"{printable(str(version)):.40}, not {__version__}")
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

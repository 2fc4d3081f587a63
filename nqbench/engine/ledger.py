"""The ledger of a count: each counted part once, in memory and, if wanted, in a checkpoint."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from math import inf
from pathlib import Path
from time import perf_counter

from nqbench.engine.checkpoint import (
    Checkpoint,
    CheckpointReader,
    Count,
    possible,
    require_same,
)
from nqbench.engine.dividing import Division
from nqbench.errors import DistrustError, InvalidValueError

KEEP = 1.0  # seconds between two writes to a checkpoint
REMEMBERED = 100_000  # counts of parts, the newest, to be compared with what comes later


@dataclass
class Sums:
    """Parts of one kind, and the completions of their jobs added up."""

    parts: int = 0
    completions: int = 0


class Ledger:
    """The parts of a division that are counted, and the solutions in them.

    Parts are handed out in order, so nearly all below the first that is not counted are: only
    those above it are held in memory, and the newest below.

    Attributes
    ----------
    division, engine
        what is counted.
    done, left
        how many parts are counted, and how many nobody has taken yet.
    by_images
        parts and completions, added up by the number of images of their crosses.
    """

    def __init__(self, division: Division, kept: Checkpoint | None = None) -> None:
        self.division = division
        self.engine = division.engine
        self.done = 0
        self.left = division.parts
        self.by_images = {images: Sums() for images in (8, 4, 2, 1)}
        self._kept = kept
        self._low = 0  # all parts below are counted
        self._counts: dict[int, Count] = {}
        self._fresh: list[tuple[int, Count]] = []  # not in the checkpoint yet
        self._written = -inf  # the first count is written at once
        self._order: Iterator[int] | None = None

    @property
    def found(self) -> int:
        """The solutions counted so far."""
        return sum(images * sums.completions for images, sums in self.by_images.items())

    @property
    def share(self) -> float:
        """The share of the parts that are counted."""
        parts = self.division.parts
        return self.done / parts if parts else 1.0  # n = 2 and 3 have no cross

    def take(self, number: int) -> tuple[int, ...]:
        """Return the next parts that are not counted, at most so many; each is taken once."""
        if self._order is None:
            self._order = (part for part in range(self._low, self.division.parts)
                           if part >= self._low and part not in self._counts)
        parts = tuple(islice(self._order, number))
        self.left -= len(parts)
        return parts

    def enter(self, parts: Iterable[int], counts: Sequence[Count]) -> None:
        """Enter the counts of parts; one that is known already changes nothing.

        Raises
        ------
        DistrustError
            for a count that cannot be, or is not the one that is known.
        OSError
            if the checkpoint cannot be written.
        """
        for part, count in zip(parts, counts, strict=False):
            try:
                new = self.know(part, count)
            except DistrustError:
                if possible(count):
                    self._fresh.append((part, count))  # so that neither is believed any more
                raise
            if new and self._kept is not None:
                self._fresh.append((part, count))
        if self._fresh and perf_counter() - self._written > KEEP:
            self.keep()

    def knows(self, part: int) -> bool:
        """Whether a part is counted."""
        return part < self._low or part in self._counts

    def know(self, part: int, count: Count) -> bool:
        """Take the count of a part for known; return whether it is new. See `enter`."""
        known = self._counts.get(part)
        if known is None and part >= self._low:
            if not possible(count):
                raise DistrustError(f"part {part} was counted as {count[0]}, with remainders "
                                    f"{count[1]} and {count[2]} modulo 13 and 15: that cannot be")
            self._counts[part] = count
            self.done += 1
            sums = self.by_images[self.engine.images(part)]
            sums.parts += 1
            sums.completions += count[0]
            while self._low in self._counts:
                self._counts.pop(self._low - REMEMBERED, None)
                self._low += 1
            return True
        if known is not None and known != count:
            raise DistrustError(f"part {part} was counted twice, as {known[0]} and {count[0]}: "
                                "one of both is wrong")
        return False

    def keep(self) -> None:
        """Write what is new to the checkpoint, if there is one."""
        if self._kept is not None:
            self._kept.add(self._fresh)
        self._fresh = []
        self._written = perf_counter()


@contextmanager
def open_ledger(division: Division, checkpoint: str | Path | Checkpoint | None,
           say: Callable[[str], None] = lambda line: None) -> Iterator[Ledger]:
    """Yield the ledger of a count with the parts in its checkpoint; at the end write the new ones
    to it, and close it.

    Raises
    ------
    ValueError
        if the checkpoint belongs to another count, another version or another process, or
        contradicts itself.
    OSError
        if it cannot be read or written.
    """
    if checkpoint is None:
        yield Ledger(division)
        return
    with (checkpoint if isinstance(checkpoint, Checkpoint)
          else Checkpoint(checkpoint, division, say)) as kept:
        require_same(kept.division, division, kept.path)
        ledger = Ledger(kept.division, kept)
        fill(ledger, kept)
        try:
            yield ledger
        finally:
            ledger.keep()


def fill(ledger: Ledger, checkpoint: CheckpointReader) -> None:
    """Enter the counted parts of a checkpoint into a ledger.

    Raises
    ------
    ValueError
        if the checkpoint contradicts itself, naming file and line.
    OSError
        if it cannot be read.
    """
    for line, part, count in checkpoint.counted():
        try:
            ledger.left -= ledger.know(part, count)
        except DistrustError as error:
            raise InvalidValueError(
                f"{checkpoint.path}:{line}: {error}; delete the lines of this part, and the next "
                "run recounts it") from None

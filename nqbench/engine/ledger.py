"""The ledger of a count: each counted part once, in memory and, if given, in a checkpoint; and the
audit of a checkpoint, which sums its parts and recounts a sample of them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from math import inf
from pathlib import Path
from time import perf_counter

from nqbench.engine import processor
from nqbench.engine.checkpoint import Checkpoint, CheckpointReader, PartCount, is_possible
from nqbench.engine.division import Division
from nqbench.errors import InvalidValueError, MiscountError
from nqbench.util.arguments import require_whole
from nqbench.util.files import draw
from nqbench.util.interrupts import interruptible

WRITE_INTERVAL = 1.0  # seconds between two writes to a checkpoint
REMEMBERED = 100_000  # newest counts, kept to compare them with later ones


@dataclass
class Sums:
    """Parts of one kind, and their completions added up."""

    parts: int = 0
    completions: int = 0


class Ledger:
    """The counted parts of a division, and their solutions.

    Parts are handed out in order. Only the counts above the first uncounted part are held in
    memory, and the newest below it.

    Attributes
    ----------
    division, engine
        the count, and the compiled engine with its parts.
    done, left
        how many parts are counted, and how many are not taken yet.
    by_images
        parts and completions, added up by the number of images of their crosses.
    """

    def __init__(self, division: Division, checkpoint: Checkpoint | None = None) -> None:
        self.division = division
        self.engine = division.engine
        self.done = 0
        self.left = division.parts
        self.by_images = {images: Sums() for images in (8, 4, 2, 1)}
        self._checkpoint = checkpoint
        self._first_uncounted = 0
        self._counts: dict[int, PartCount] = {}
        self._unwritten: list[tuple[int, PartCount]] = []
        self._written = -inf  # the first count is written at once
        self._order: Iterator[int] | None = None

    @property
    def solutions(self) -> int:
        """The solutions counted so far."""
        return sum(images * sums.completions for images, sums in self.by_images.items())

    @property
    def share(self) -> float:
        """The share of the parts that are counted."""
        parts = self.division.parts
        return self.done / parts if parts else 1.0  # n = 2 and 3 have no cross

    def take(self, number: int) -> tuple[int, ...]:
        """Return the next uncounted parts, at most `number` of them; each is taken once."""
        if self._order is None:
            self._order = (part for part in range(self._first_uncounted, self.division.parts)
                           if part >= self._first_uncounted and part not in self._counts)
        parts = tuple(islice(self._order, number))
        self.left -= len(parts)
        return parts

    def give_back(self, parts: Sequence[int]) -> None:
        """Hand out parts again that were taken and will not be counted."""
        self._order = chain(parts, self._order or ())
        self.left += len(parts)

    def enter(self, parts: Iterable[int], counts: Sequence[PartCount]) -> None:
        """Enter the counts of parts; a part that was counted before changes nothing.

        Raises
        ------
        MiscountError
            if a count is impossible, or contradicts that of the same part.
        OSError
            if the checkpoint cannot be written.
        """
        for part, count in zip(parts, counts, strict=False):
            try:
                new = self.enter_one(part, count)
            except MiscountError:
                if is_possible(count):
                    # Both counts in the file contradict each other, so neither will be used.
                    self._unwritten.append((part, count))
                raise
            if new and self._checkpoint is not None:
                self._unwritten.append((part, count))
        if self._unwritten and perf_counter() - self._written > WRITE_INTERVAL:
            self.flush()

    def is_counted(self, part: int) -> bool:
        """Return whether a part is counted."""
        return part < self._first_uncounted or part in self._counts

    def enter_one(self, part: int, count: PartCount) -> bool:
        """Enter the count of a part in memory; return whether it is new. See `enter`."""
        known = self._counts.get(part)
        if known is None and part >= self._first_uncounted:
            if not is_possible(count):
                raise MiscountError(
                    f"part {part} was counted as {count[0]}, impossible with the remainders "
                    f"{count[1]} and {count[2]} modulo 13 and 15")
            self._counts[part] = count
            self.done += 1
            sums = self.by_images[self.engine.images(part)]
            sums.parts += 1
            sums.completions += count[0]
            while self._first_uncounted in self._counts:
                self._counts.pop(self._first_uncounted - REMEMBERED, None)
                self._first_uncounted += 1
            return True
        if known is not None and known != count:
            raise MiscountError(f"part {part} was counted twice, as {known[0]} and "
                                f"{count[0]}: one of them is wrong")
        return False

    def flush(self) -> None:
        """Write the new counts to the checkpoint, if there is one."""
        if self._checkpoint is not None:
            self._checkpoint.add(self._unwritten)
        self._unwritten = []
        self._written = perf_counter()


@contextmanager
def open_ledger(division: Division, checkpoint: str | Path | Checkpoint | None,
                say: Callable[[str], None] = lambda line: None) -> Iterator[Ledger]:
    """Yield the ledger of a count with the parts of its checkpoint.

    At the end write the new parts to the checkpoint, and close it.

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
          else Checkpoint(checkpoint, division, say)) as opened:
        opened.require(division)
        ledger = Ledger(opened.division, opened)
        load(ledger, opened)
        try:
            yield ledger
        finally:
            ledger.flush()


def load(ledger: Ledger, checkpoint: CheckpointReader) -> None:
    """Enter the counted parts of a checkpoint into a ledger.

    Raises
    ------
    ValueError
        if the checkpoint contradicts itself; the message names file and line.
    OSError
        if it cannot be read.
    """
    for line, part, count in checkpoint.counted():
        try:
            ledger.left -= ledger.enter_one(part, count)
        except MiscountError as error:
            raise InvalidValueError(
                f"{checkpoint.path}:{line}: {error}; delete the lines of this part, and the next "
                "run recounts it") from None


def read_checkpoint(path: str | Path, say: Callable[[str], None] = lambda line: None) -> Ledger:
    """Return a ledger with the parts of a checkpoint; leave the file unchanged.

    Call `say` with a line for each thing that was ignored, and if another process is writing to
    the file: the ledger then has the parts that were complete when they were read.

    Raises
    ------
    ValueError
        if the file is not a checkpoint of this version of nqbench, or contradicts itself.
    OSError
        if it cannot be read.
    """
    checkpoint = CheckpointReader(path, say)
    ledger = Ledger(checkpoint.division)
    load(ledger, checkpoint)
    return ledger


@dataclass(frozen=True)
class Recount:
    """A part of a checkpoint: its number, its stored completions, and the recounted ones."""

    part: int
    stored: int
    recounted: int

    @property
    def ok(self) -> bool:
        """Whether both completions are equal."""
        return self.stored == self.recounted


def audit(path: str | Path, sample: int = 20, seed: int = 0,
          kernel: str | None = None) -> Iterator[Recount]:
    """Recount a random sample of the parts of a checkpoint and yield each.

    The file stays unchanged. The default kernel is one that did not count the parts, if there is
    one here. Parts of the join are recounted with west and east exchanged, and another index.

    Raises
    ------
    TypeError, ValueError
        if the file is not a checkpoint of this version of nqbench, sample or seed is not a
        whole number, or the kernel cannot be run here.
    OSError
        if it cannot be read.
    """
    sample, seed = require_whole(sample, "sample", least=1), require_whole(seed, "seed")
    checkpoint = CheckpointReader(path)
    division = checkpoint.division
    other_kernels = [name for name in processor.kernels() if name != division.kernel]
    chosen = processor.choose_kernel(
        next(iter(other_kernels), None) if kernel is None else kernel)
    memory = division.start_kernel(chosen, audit=True)
    counted = ((part, count[0]) for _, part, count in checkpoint.counted())
    drawn, _ = draw(counted, min(sample, division.parts), seed)
    for part, stored in sorted(drawn):
        yield Recount(part, stored, interruptible(
            partial(processor.count_part, memory, division.engine, part)))

"""Audit a checkpoint without writing to it: sum what it holds, and recount a sample of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

from nqbench._arguments import require_whole
from nqbench._interrupts import interruptible
from nqbench.engine import processor
from nqbench.engine.checkpoint import CheckpointReader
from nqbench.engine.ledger import Ledger, fill


def read_checkpoint(path: str | Path,
                    say: Callable[[str], None] = lambda line: None) -> Ledger:
    """Return the parts that a checkpoint holds; leave the file unchanged.

    `say` gets a line for whatever was ignored, and one if another process is writing to the file:
    then the ledger holds the parts that were complete when they were read.

    Raises
    ------
    ValueError
        if the file is not a checkpoint of this version of nqbench, or contradicts itself.
    OSError
        if it cannot be read.
    """
    checkpoint = CheckpointReader(path, say)
    if checkpoint.in_use:
        say(f"{path} is in use by another process; only the parts counted so far are read")
    ledger = Ledger(checkpoint.division)
    fill(ledger, checkpoint)
    return ledger


@dataclass(frozen=True)
class Recount:
    """A part of a checkpoint: its number, its completions there, and those counted again."""

    part: int
    kept: int
    again: int

    @property
    def ok(self) -> bool:
        """Whether both are equal."""
        return self.kept == self.again


def audit(path: str | Path, sample: int = 20, seed: int = 0,
          kernel: str | None = None) -> Iterator[Recount]:
    """Recount a random sample of the parts of a checkpoint and yield each; leave the file
    unchanged. By default the kernel is one that did not count them, if there is one here.

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
    others = [name for name in processor.kernels() if name != division.kernel]
    chosen = processor.chosen_kernel(kernel or (others[0] if others else None))
    assert processor.core is not None
    memory = processor.core.Kernel(chosen)
    counted = ((part, ways) for _, part, (ways, *_) in checkpoint.counted())
    for part, ways in _sample(counted, min(sample, division.parts), Random(seed)):
        again = interruptible(partial(processor.completions, memory, division.engine, part))
        yield Recount(part, ways, again)


def _sample(items: Iterator[tuple[int, int]], size: int,
            random: Random) -> list[tuple[int, int]]:
    """Return a random sample of so many items, sorted; the items need not fit into memory."""
    kept = list(islice(items, size))
    for seen, item in enumerate(items, size + 1):
        place = random.randrange(seen)
        if place < size:
            kept[place] = item
    return sorted(kept)

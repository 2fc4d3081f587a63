"""Audit a checkpoint without writing to it: sum its parts, and recount a sample of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nqbench.engine import processor
from nqbench.engine.checkpoint import CheckpointReader
from nqbench.engine.ledger import Ledger, load
from nqbench.util.arguments import require_whole
from nqbench.util.interrupts import interruptible
from nqbench.util.reservoir import draw


def read_checkpoint(path: str | Path,
                    say: Callable[[str], None] = lambda line: None) -> Ledger:
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
    if checkpoint.in_use:
        say(f"{path} is in use by another process; only the parts counted so far are read")
    ledger = Ledger(checkpoint.division)
    load(ledger, checkpoint)
    return ledger


@dataclass(frozen=True)
class Recount:
    """A part of a checkpoint: its number, its stored completions, and the recounted ones.

    If levels are counted, both are a number for each.
    """

    part: int
    stored: int | tuple[int, ...]
    recounted: int | tuple[int, ...]

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
    chosen = processor.choose_kernel(kernel or (other_kernels[0] if other_kernels else None))
    memory = division.start_kernel(chosen, audit=True)
    counted = ((part, count[:-2]) for _, part, count in checkpoint.counted())
    drawn, _ = draw(counted, min(sample, division.parts), seed)
    for part, stored in sorted(drawn):
        recounted = interruptible(partial(processor.count_part, memory, division.engine, part))
        if len(stored) == 1:
            yield Recount(part, *stored, *recounted)
        else:
            yield Recount(part, stored, recounted)

"""What a checkpoint holds, and a sample of it counted again with another kernel."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

from nqbench.engine import processor
from nqbench.engine.checkpoint import Checkpoint, division_of
from nqbench.engine.ledger import Ledger, opened
from nqbench.interrupts import interruptible


def held(path: Path, say: Callable[[str], None] = lambda line: None) -> Ledger:
    """Return what a checkpoint holds, read as a count that goes on with it does; `say` is told
    what was wrong with it and could be mended.

    Raises
    ------
    ValueError
        if the file is no checkpoint, of another version, contradicts itself, or is in use.
    OSError
        if it cannot be read.
    """
    from nqbench import __version__

    with opened(replace(division_of(path), version=__version__), path, say) as ledger:
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


def audit(path: Path, sample: int = 20, seed: int = 0,
          kernel: str | None = None) -> Iterator[Recount]:
    """Yield a random sample of the parts of a checkpoint, each counted again; by default with a
    kernel that did not count them, if there is one here. The counts in the file stay as they are.

    Raises
    ------
    ValueError
        if the file is no checkpoint, is in use, or the kernel is not to be had.
    OSError
        if it cannot be read.
    """
    begun = division_of(path)
    others = [name for name in processor.kernels() if name != begun.kernel]
    chosen = processor.chosen_kernel(kernel or (others[0] if others else None))
    assert processor.core is not None
    memory = processor.core.Kernel(chosen)
    with Checkpoint(path, begun) as kept:
        counted = ((part, ways) for _, part, (ways, *_) in kept.counted())
        chosen_parts = _sample(counted, sample, Random(seed))
    for part, ways in chosen_parts:
        again = interruptible(partial(processor.completions, memory, begun.engine, part))
        yield Recount(part, ways, again)


def _sample(items: Iterator[tuple[int, int]], size: int,
            random: Random) -> list[tuple[int, int]]:
    """A random sample of so many items that need not fit into memory, in order."""
    kept = list(islice(items, size))
    for seen, item in enumerate(items, size + 1):
        place = random.randrange(seen)
        if place < size:
            kept[place] = item
    return sorted(kept)

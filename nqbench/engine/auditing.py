"""Count a sample of the parts of a checkpoint again, with another kernel."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from nqbench.engine.checkpoint import Checkpoint, division_of
from nqbench.engine.threads import chosen_kernel, divided, kernels


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
    kernel that did not count them, if there is one here. The file is not changed.

    Raises
    ------
    ValueError
        if the file is no checkpoint, is in use, or the kernel is not to be had.
    OSError
        if it cannot be read.
    """
    begun = division_of(path)
    others = [name for name in kernels() if name != begun.kernel]
    chosen = chosen_kernel(kernel or (others[0] if others else None))
    engine = divided(begun, begun.n)
    with Checkpoint(path, begun) as kept:
        parts = sorted(kept.counted.items())
    for part, ways in Random(seed).sample(parts, min(sample, len(parts))):
        yield Recount(part, ways, engine.recount([part], chosen)[0])

"""What would a count take on a graphics processor at least? No such processor is needed.

    python research/join/bound.py 24 27 28

A sample of the parts is listed and sorted here; what a device would look up is counted, but not
looked up. One look-up reads an entry of a table, as long as a piece: 128 bytes. A unit of NVIDIA
reads so many a clock from its local memory. The seconds are those of all units at their highest
clock, if nothing else ever took longer.
"""

import random
from dataclasses import replace
from time import thread_time
from typing import Any

import click
import numpy as np

from nqbench.engine import Division, kernels, plans
from nqbench.engine.devices import PIECE, choose_tables
from nqbench.engine.processor import find_core
from nqbench.util.text import HOUR, format_seconds

UNITS = {  # local memory of a group in KiB, units, GHz; from the data sheets of NVIDIA
    "H100 SXM": (227, 132, 1.98), "RTX 5090": (99, 170, 2.407)}


class Bound:
    """A device that counts nothing but what would be looked up, for each size of local memory."""

    name, piece = "bound", PIECE

    def __init__(self) -> None:
        self.spent = 0.0  # seconds of its own
        self.looked_up = dict.fromkeys(UNITS, 0)

    def begin(self) -> None:
        self.looked_up = dict.fromkeys(UNITS, 0)

    def end(self) -> tuple[int, int, int]:
        return 0, 0, 0

    def copy(self, pieces: memoryview, words: memoryview, offset: memoryview) -> None:
        self.pieces = np.frombuffer(pieces, np.uint64)
        self.offset = np.frombuffer(offset, np.uint32)

    def meet(self, pieces: tuple[int, int], flags: tuple[int, int], bits: tuple[int, int],
             weight: int, stop: bytearray) -> None:
        """Count the look-ups of the words in the classes that share no index bit with some word of
        a piece.
        """
        start = thread_time()
        (first, end), (index_bits, rest_bits) = pieces, bits
        classes = np.arange(1 << index_bits, dtype=np.uint64)
        flagged = (self.offset.size - 1) // classes.size  # numbers of flags
        words = (self.offset[flags[1] + 1::flagged][:classes.size].astype(np.int64)
                 - self.offset[flags[0]::flagged][:classes.size])
        mine = self.pieces[first:end] >> np.uint64(rest_bits) & np.uint64(classes.size - 1)
        met = sum(int(words[np.logical_or.reduce([
            classes & each == 0 for each in np.unique(mine[at:at + self.piece])])].sum())
            for at in range(0, mine.size, self.piece))
        for name, (kibibytes, *_) in UNITS.items():
            self.looked_up[name] += met * choose_tables(
                index_bits, rest_bits, kibibytes << 10)[0]
        self.spent += thread_time() - start


def sample(n: int, seed: int = 0) -> dict[str, plans.Survey]:
    """Return a sample for each device: the seconds are those of listing and sorting here, and the
    solutions are its look-ups.
    """
    division = Division.new(n, kernels()[0], algorithm="join")
    drawing, bound = random.Random(seed), Bound()
    kernel = find_core("join").Kernel(division.kernel, device=bound)
    looked_up = []  # in each part that was measured

    def measure(engine: Any, part: int) -> tuple[float, int]:
        start, bound.spent = thread_time(), 0.0
        kernel.complete(engine, [part])
        looked_up.append(bound.looked_up)
        return thread_time() - start - bound.spent, 0

    draw, shrunk = plans.draw_slices(division, measure, drawing)
    rows = []
    for first, end in plans.bounds_of(division.parts, plans.RANGES):
        row = [draw(drawing.randrange(first, end)) for _ in range(plans.DRAWN)]
        rows.append([*zip(row, looked_up[-plans.DRAWN:], strict=True)])
    return {name: plans.Survey(
        n, division.parts, division.slices, division.kernel, seed, shrunk,
        tuple(tuple(replace(each, completions=found[name] * shrunk, images=1)
                    for each, found in row) for row in rows), "join") for name in UNITS}


@click.command()
@click.argument("sizes", type=click.IntRange(18, 32), nargs=-1, required=True)
def main(sizes: tuple[int, ...]) -> None:
    """Print the bounds for some n."""
    for n in sizes:
        for name, drawn in sample(n).items():
            _, units, clock = UNITS[name]
            mean, low, high = (format_seconds(each / (units * clock * 1e9))
                               for each in drawn.solutions)
            hours, least, most = (f"{each / HOUR:,.4g}" for each in drawn.seconds)
            click.echo(f"n = {n}, {name}: {drawn.solutions[0]:.3g} look-ups, at least {mean} "
                       f"({low} to {high}); lists here: {hours} ({least} to {most}) core-hours")


if __name__ == "__main__":
    main()

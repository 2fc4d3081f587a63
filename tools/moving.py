"""Draw the search for the first solution as a board in motion, for the README.

    PYTHONPATH=lab python tools/moving.py docs/search.svg
"""

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from tracer.code import load, open_listing
from tracer.watching import watch

from nqbench.search.board import QUEEN, SQUARE

N = 8
STEP, PAUSE = 0.1, 3.0  # seconds of a step, and of the solution at the end


def placements() -> list[tuple[int, ...]]:
    """Return what the search places, one placement for each change, up to the first solution."""
    trace = watch(load(open_listing("bitmask")), N, 4000)
    every = [tuple(step["queens"]) for step in trace.steps]
    changes = [columns for columns, _ in groupby(every)]
    return changes[:changes.index(trace.solutions[0]) + 1]


def drawing() -> Iterator[str]:
    """Yield the lines of the SVG: each queen is visible during its steps."""
    shown = placements()
    lasts = len(shown) * STEP + PAUSE
    side = N * SQUARE
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * side}" height="{2 * side}" '
           f'viewBox="-1 -1 {side + 2} {side + 2}"><title>A backtracking search places {N} queens'
           "</title>")
    yield f'<rect width="{side}" height="{side}" fill="#f3ead7" stroke="#6b5840"/>'
    dark = "".join(f"M{column * SQUARE} {row * SQUARE}h{SQUARE}v{SQUARE}h-{SQUARE}z"
                   for row in range(N) for column in range(N) if (row + column) % 2)
    yield f'<path fill="#dcc7a3" d="{dark}"/>'
    yield (f'<defs><path id="q" d="{QUEEN}" fill="#1b1b1b" stroke="#1b1b1b" stroke-width="1.6"/>'
           "</defs>")
    half = SQUARE // 2
    for row, column in sorted({square for columns in shown for square in enumerate(columns)}):
        on = [columns[row:row + 1] == (column,) for columns in shown]
        runs = [(key, [at for at, _ in each])
                for key, each in groupby(enumerate(on), key=lambda one: one[1])]
        values = ";".join(str(int(key)) for key, _ in runs)
        times = ";".join(f"{at[0] * STEP / lasts:.4f}".rstrip("0").rstrip(".") for _, at in runs)
        yield (f'<use href="#q" x="{column * SQUARE + half}" y="{row * SQUARE + half}" '
               f'opacity="{int(on[-1])}"><animate attributeName="opacity" calcMode="discrete" '
               f'dur="{lasts:.2f}s" repeatCount="indefinite" values="{values}" keyTimes="{times}"/>'
               "</use>")
    yield "</svg>"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("\n".join(drawing()) + "\n", "utf-8")

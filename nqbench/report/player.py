"""What the page's "Watch the search" shows: recordings of the real algorithms.

The page holds them as base64 of zlib's deflate, which browsers undo themselves; player.js
replays them. Algorithms whose steps are the same share a recording.
"""

import zlib
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from typing import Any

from nqbench.algorithms import Search, Tree, catalogue
from nqbench.board import QUEEN, boards_svg
from nqbench.traces.recording import LARGEST_N, Moment, Recording, record, replay

SIZES = range(4, LARGEST_N + 1)
MOST_STEPS = 20_000  # of a search; all of it up to n = 8
STILL = 8, "iterative"  # the search whose first solution is shown where nothing moves


@dataclass(frozen=True)
class Still:
    """A picture of one step: its number among all, what was counted by then, the board."""

    n: int
    algorithm: str
    number: int
    steps: int
    moment: Moment
    svg: str


@cache
def recordings() -> dict[str, Any]:
    """Return every search that can be followed, for each n, in what becomes JSON.

    The indices of the recordings of an algorithm are in the order of the sizes.
    """
    kept: dict[Recording, int] = {}
    algorithms = []
    for algorithm in catalogue().values():
        if isinstance(algorithm, Search) and algorithm.tree != Tree.NONE:
            made = (record(n, algorithm.name, MOST_STEPS) for n in SIZES)
            algorithms.append({
                "name": algorithm.name,
                "technique": algorithm.technique,
                "symmetry": algorithm.symmetry if algorithm.uses_symmetry else None,
                "recordings": [kept.setdefault(recording, len(kept)) for recording in made]})
    return {
        "sizes": list(SIZES),
        "queen": QUEEN,
        "algorithms": algorithms,
        "recordings": [{"n": recording.n, "whole": recording.complete,
                        "codes": b64encode(zlib.compress(recording.codes, 9)).decode()}
                       for recording in kept],
    }


@cache
def still() -> Still:
    """Return the first solution of the search named in `STILL`."""
    n, algorithm = STILL
    moments = list(replay(record(n, algorithm)))
    number, moment = next((number, moment) for number, moment in enumerate(moments, 1)
                          if moment.event.kind == "solution")
    columns = tuple(column for _, column in sorted(moment.event.queens))
    return Still(n, algorithm, number, len(moments), moment, boards_svg([columns]))

"""What the page's "Watch the search" shows: recordings of the real algorithms.

player.js replays them. Algorithms whose steps are the same share a recording.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from nqbench.algorithms import Search, Tree, catalogue
from nqbench.board import QUEEN, boards_svg
from nqbench.records.descriptions import Description
from nqbench.traces.recording import (
    MOST_EVENTS,
    SIZES,
    Moment,
    is_sound,
    pack,
    record,
    replay,
)

FIELDS = "n", "whole", "codes"  # of a recording

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


def recordings(outside: Iterable[Description] = ()) -> dict[str, Any]:
    """Return every search that can be followed, for each n, in what becomes JSON: those of the
    catalogue, then those that were recorded of algorithms from outside.

    The indices of the recordings of an algorithm are in the order of the sizes.
    """
    kept: dict[tuple[Any, ...], int] = {}
    algorithms = []
    for name, technique, symmetry, made in (*_recorded(), *(
            (each.name, each.technique, each.symmetry if each.uses_symmetry else None,
             each.recordings) for each in outside if _is_complete(each))):
        algorithms.append({
            "name": name, "technique": technique, "symmetry": symmetry,
            "recordings": [kept.setdefault(tuple(one[key] for key in FIELDS), len(kept))
                           for one in made]})
    return {"sizes": list(SIZES), "queen": QUEEN, "algorithms": algorithms,
            "recordings": [dict(zip(FIELDS, each, strict=True)) for each in kept]}


@cache
def _recorded() -> list[tuple[str, str, str | None, list[dict[str, Any]]]]:
    """Return name, technique, symmetry and recordings of what the catalogue holds."""
    return [(algorithm.name, algorithm.technique,
             algorithm.symmetry if algorithm.uses_symmetry else None,
             [pack(record(n, algorithm.name, MOST_EVENTS)) for n in SIZES])
            for algorithm in catalogue().values()
            if isinstance(algorithm, Search) and algorithm.tree != Tree.NONE]


def _is_complete(outside: Description) -> bool:
    """Return whether there is a recording for each size, which can be unpacked."""
    return [each["n"] for each in outside.recordings] == list(SIZES) and all(
        is_sound(each) for each in outside.recordings)


@cache
def still() -> Still:
    """Return the first solution of the search named in `STILL`."""
    n, algorithm = STILL
    moments = list(replay(record(n, algorithm)))
    number, moment = next((number, moment) for number, moment in enumerate(moments, 1)
                          if moment.event.kind == "solution")
    columns = tuple(column for _, column in sorted(moment.event.queens))
    return Still(n, algorithm, number, len(moments), moment, boards_svg([columns]))

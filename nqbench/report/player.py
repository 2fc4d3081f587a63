"""The contents of "Watch the search" on the page: recordings of the real algorithms.

player.js replays them. Algorithms with the same steps share a recording. Recordings of instances
contain their boards.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import repeat
from typing import Any

from nqbench.explain import recordings as recording
from nqbench.explain.trace import Event, Trace, follow
from nqbench.problems import instances, sudoku
from nqbench.problems.instances import Board
from nqbench.problems.queens import Search, Tree, catalogue
from nqbench.problems.sudoku import Grid
from nqbench.records.descriptions import Description
from nqbench.search.algorithm import Algorithm
from nqbench.search.board import QUEEN, boards_svg

FIELDS = "n", "whole", "codes", "rules"  # of a recording
INSTANCES = {  # one of each family, with its name on the page
    "8, two placed": "n=8 placed=0:3,5:0",
    "6, three squares blocked": "n=6 blocked=0:1,2:5,3:0",
    "8, four diagonals excluded": "n=8 sums=5,10 differences=-2,3",
    "7, torus": "n=7 torus",
}

# Name, technique, symmetry and recordings of an algorithm.
Searched = tuple[str, str, str | None, list[dict[str, Any]]]

STILL = 8, "iterative"  # the search whose first solution is shown without JavaScript


def _keep(found: Iterable[Searched], kept: dict[str, int]) -> list[dict[str, Any]]:
    """Return algorithms in a form for JSON, with the indices of their recordings in `kept`, where
    those with the same steps are stored once, as JSON.
    """
    return [{"name": name, "technique": technique, "symmetry": symmetry, "recordings": [
        kept.setdefault(json.dumps(one), len(kept)) for one in made]}
        for name, technique, symmetry, made in found]


def recordings(outside: Iterable[Description] = ()) -> dict[str, Any]:
    """Return every search that can be followed, for each n, in a form for JSON: the searches of the
    catalogue, then those recorded of external algorithms, and those in `INSTANCES`.

    The indices of the recordings of an algorithm are in the order of the sizes; for an instance
    there is one. `start` names what the player shows first: the moment of `still`.
    """
    kept: dict[str, int] = {}
    algorithms = _keep([*(_record(each, *recording.RECORDED_N) for each in watchable()), *(
        (each.name, each.technique, each.symmetry if each.uses_symmetry else None,
         [{key: one[key] for key in FIELDS if key in one} for one in each.recordings])
        for each in outside if _is_complete(each))], kept)
    searches = [each for each in instances.catalogue().values() if each.tree != Tree.NONE]
    boards = [{"name": name, "text": text, "algorithms": _keep(
        map(_record, searches, repeat(instances.parse(text))), kept)}
        for name, text in INSTANCES.items()]
    return _page(kept, str(STILL[0]), [STILL[1]], still()["number"],
                 sizes=list(recording.RECORDED_N), algorithms=algorithms, instances=boards)


def recordings_of(instance: int | Board | Grid, algorithms: Iterable[Algorithm[Any, Any]],
                  shown: Sequence[str]) -> dict[str, Any]:
    """Return the searches of some algorithms for n queens, in an instance of queens, or for a
    Sudoku, like `recordings`; the player begins with the one or two that are `shown`.

    Raises
    ------
    TypeError, ValueError
        as `record` does.
    """
    kept: dict[str, int] = {}
    played = _keep((_record(algorithm, instance) for algorithm in algorithms), kept)
    if isinstance(instance, Grid):
        board = "the puzzle"
        return _page(kept, board, shown, puzzles=[{"name": board, "algorithms": played}])
    if isinstance(instance, Board):
        board = instances.write(instance)
        return _page(kept, board, shown, instances=[
            {"name": "the instance", "text": board, "algorithms": played}])
    return _page(kept, str(instance), shown, sizes=[instance], algorithms=played)


def _page(kept: dict[str, int], board: str, shown: Sequence[str], step: int = 0,
          **more: Any) -> dict[str, Any]:
    """Return what a page plays, beginning on a board at a step of the algorithms `shown`."""
    return {"sizes": [], "queen": QUEEN, "algorithms": [], "instances": [], "puzzles": [], **more,
            "recordings": list(map(json.loads, kept)),
            "start": {"board": board, "algorithms": list(shown), "step": step}}


def watchable() -> list[Search]:
    """Return the algorithms of the catalogue whose searches can be recorded."""
    return [algorithm for algorithm in catalogue().values()
            if isinstance(algorithm, Search) and (algorithm.tree != Tree.NONE or algorithm.jumps)]


@cache
def _record(algorithm: Algorithm[Any, Any], *searched: int | Board | Grid) -> Searched:
    """Return an algorithm, recorded in some instances."""
    most = (recording.MOST_PUZZLE_EVENTS if isinstance(algorithm, sudoku.Search) else
            recording.MOST_EVENTS)
    return (algorithm.name, algorithm.technique,
            algorithm.symmetry if algorithm.uses_symmetry else None,
            [recording.pack(recording.record(instance, algorithm, most)) for instance in searched])


def _is_complete(outside: Description) -> bool:
    """Return whether there is a recording for each size, which can be unpacked."""
    return [each["n"] for each in outside.recordings] == list(recording.RECORDED_N) and all(
        recording.is_sound(each) for each in outside.recordings)


@cache
def still() -> dict[str, Any]:
    """Return a picture of the first solution of the search named in `STILL`: the number of its
    step, the counters up to it, and the board.
    """
    n, algorithm = STILL
    events: list[Event] = []
    counted = Trace(n, events.append)
    follow(n, algorithm, counted, limit=1)
    columns = tuple(column for _, column in sorted(events[-1].queens))
    steps = len(recording.record(n, algorithm).codes)  # a code is a step: each square is tested
    return {"n": n, "algorithm": algorithm, "number": len(events), "steps": steps,
            "counted": counted, "svg": boards_svg([columns])}

"""Compare the answers of two sides about the same random instances of queens.

Instance k of a family, n, amount and seed is the same everywhere. So any two answers about it must
agree, whichever algorithms gave them. An algorithm takes the same number of nodes for it each time,
if both sides allow as many.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from nqbench.records.record import Record

POINT = ["family", "n", "amount", "seed", "algorithm"]
COLUMNS = [*POINT, "a_nodes_allowed", "b_nodes_allowed", "instances", "a_gave_up", "b_gave_up",
           "differing"]
ANSWER = "answer"  # the metric of a contradiction
Point = tuple[Any, ...]
Claims = dict[Point, dict[bool, str]]  # for each instance and answer, an algorithm that gave it
WORDS = {True: "a solution", False: "none"}


@dataclass(frozen=True)
class Instances:
    """How the answers and the nodes of B differ from those of A.

    Attributes
    ----------
    rows
        COLUMNS, one row for each POINT that both sides have decided: the nodes that each allowed,
        the number of instances of both, how many of these each side gave up, and on how many the
        nodes differ. If one side allowed fewer nodes, a search that took more counts as given up.
    only_a, only_b
        the points that one side alone has decided.
    answered
        the number of instances that both sides have answered, by any algorithms.
    differing
        metric, what, n, and the values of A and B: first each instance that has a solution
        according to one side and none according to the other, then the nodes that differ.
    """

    rows: pd.DataFrame
    only_a: list[Point]
    only_b: list[Point]
    answered: int
    differing: list[tuple[str, str, int, Any, Any]]


def compare_instances(a: Iterable[Record], b: Iterable[Record]) -> Instances:
    """Return how two sides differ; if a point has several records, the last one counts."""
    before, after = _decided(a), _decided(b)
    both = [point for point in before if point in after]
    mine, theirs = _claims(before), _claims(after)
    nodes = {point: [*_pairs(before[point], after[point])] for point in both}
    rows = [(*point, before[point]["nodes_allowed"], after[point]["nodes_allowed"],
             len(nodes[point]), *(sum(pair[side] is None for pair in nodes[point])
                                  for side in (0, 1)), sum(x != y for x, y in nodes[point]))
            for point in both]
    return Instances(
        pd.DataFrame(rows, columns=COLUMNS), [point for point in before if point not in after],
        [point for point in after if point not in before], len(mine.keys() & theirs.keys()),
        [*_contradictions(mine, theirs),
         *(("nodes", f"{describe(point)}, instance {number}", point[1], _told(one), _told(other))
           for point in both for number, (one, other) in enumerate(nodes[point], 1)
           if one != other)])


def describe(point: Sequence[Any]) -> str:
    """Return a point in words, without its n.

    >>> describe(("blocked", 8, 20, 1, "bitmask"))
    'bitmask on blocked 20, seed 1'
    """
    family, _, amount, seed, algorithm = point
    return f"{algorithm} on {family} {amount}, seed {seed}"


def _decided(records: Iterable[Record]) -> dict[Point, Record]:
    """Return the last record of each point, by family, n, amount, seed and algorithm."""
    found = {tuple(record[name] for name in POINT): record for record in records
             if record["metric"] == "transition" and record["samples"]}
    return dict(sorted(found.items()))


def _pairs(one: Record, other: Record) -> Iterator[tuple[int | None, int | None]]:
    """Yield the nodes of each instance on both sides, None where a search gave up, or would have
    if both allowed as few nodes as one did.
    """
    allowed = min(one["nodes_allowed"], other["nodes_allowed"])
    sides = ([nodes if solvable is not None and nodes <= allowed else None
              for nodes, solvable in zip(record["samples"], record["solvable"], strict=True)]
             for record in (one, other))
    yield from zip(*sides, strict=False)  # one side may have more instances


def _told(nodes: int | None) -> int | str:
    return "gave up" if nodes is None else nodes


def _contradictions(mine: Claims, theirs: Claims) -> Iterator[tuple[str, str, int, str, str]]:
    """Yield each instance that has a solution on one side and none on the other."""
    for place in sorted(mine.keys() & theirs.keys()):
        family, n, amount, seed, number = place
        for answer, algorithm in mine[place].items():
            other = theirs[place].get(not answer)
            if other is not None:
                yield (ANSWER, f"{family} {amount}, seed {seed}, instance {number}", n,
                       f"{WORDS[answer]} ({algorithm})", f"{WORDS[not answer]} ({other})")


def _claims(decided: Mapping[Point, Record]) -> Claims:
    """Return for each instance its answers, and the first algorithm that gave each."""
    found: Claims = {}
    for (*place, algorithm), record in decided.items():
        for number, answer in enumerate(record["solvable"], 1):
            if answer is not None:
                found.setdefault((*place, number), {}).setdefault(answer, algorithm)
    return found

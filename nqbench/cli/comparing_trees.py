"""How `nqbench trace` shows the nodes of two searches, as sets."""

from collections.abc import Iterator
from typing import Any

import click

from nqbench.cli.terminal import table
from nqbench.explain.visits import Comparison
from nqbench.problems.instances import Board
from nqbench.problems.instances.board import FOUND, squares
from nqbench.util.text import format_count

WORDS = {"same": "{0} and {1} visit the same", "within": "{1} visits all that {0} does, and more",
         "contains": "{0} visits all that {1} does, and more",
         "neither": "each visits some that the other does not",
         "unknown": "not known, as a search gave up"}


def as_dict(found: Comparison) -> dict[str, Any]:
    """Return a comparison, for JSON."""
    both = found.a, found.b
    return {
        "algorithms": [each.algorithm for each in both], "accepted": found.accepted,
        "tried": found.tried, "first": found.first,
        "levels": [{"level": level, "nodes": [one, other], "both": shared,
                    "repeated": [each.repeated[level] for each in both]}
                   for level, (one, other, shared) in enumerate(found.levels)],
        "counters": [each.counters for each in both]}


def print_trees(board: Board, found: Comparison) -> None:
    """Print how the nodes lie to each other, by level, the counters, and where they part."""
    both = found.a, found.b
    names = [each.algorithm for each in both]
    for kind in ("accepted", "tried"):
        many = " and ".join(f"{len(getattr(each, kind)):,}" for each in both)
        click.echo(f"{kind}: {WORDS[getattr(found, kind)].format(*names)} ({many} nodes)")
    again = [f"repeated by {name}" for name in names]
    columns = ["level", *names, "both", *again]
    table("nodes that are accepted, by level", columns, [
        (level, f"{one:,}", f"{other:,}", f"{shared:,}",
         *(f"{each.repeated[level]:,}" for each in both))
        for level, (one, other, shared) in enumerate(found.levels)], columns)
    counted = dict.fromkeys(name for each in both for name, value in each.counters.items()
                            if not isinstance(value, list))
    table("counters", ["counter", *names], [
        (name, *(format_count(each.counters.get(name)) for each in both)) for name in counted],
          names)
    for line in describe_parting(board, found):
        click.echo(line)


def describe_parting(board: Board, found: Comparison) -> Iterator[str]:
    """Yield the lines that draw the first node of each search that the other does not accept."""
    names = found.a.algorithm, found.b.algorithm
    for name, other, queens in zip(names, names[::-1], found.first, strict=True):
        if queens is not None:
            yield f"\nthe first node of {name} that {other} does not accept:"
            drawn = [[*line] for line in squares(board)]
            for row, column in queens:
                drawn[row][column] = FOUND
            yield from map(" ".join, drawn)

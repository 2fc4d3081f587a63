"""Compute the figures of a solver of Sudoku from its record."""

from collections.abc import Mapping
from statistics import median
from typing import Any


def figures(record: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the figures in the record of a timed algorithm.

    puzzles per_second (median, low and high: the least and the most), answered and unguessed
    (shares of all puzzles), guesses and nodes (for each answered puzzle), slowest (the number of a
    puzzle), slowest_seconds, samples (their number). A figure that was not counted is None.
    """
    # in a frame, what one record lacks and another has is NaN
    nodes, guesses = ([x for x in each if x is not None] if isinstance(each, list) else []
                      for each in map(record.get, ("nodes", "guesses")))
    many, puzzles = len(nodes), record["puzzles"]
    rates = [many / seconds for seconds in record["samples"]]
    return {"per_second": median(rates), "low": min(rates), "high": max(rates),
            "answered": many / puzzles,
            "unguessed": guesses.count(0) / puzzles if guesses else None,
            "guesses": sum(guesses) / many if guesses else None, "nodes": sum(nodes) / many,
            "slowest": record["slowest"]["puzzle"],
            "slowest_seconds": record["slowest"]["seconds"], "samples": len(rates)}

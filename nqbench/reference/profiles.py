"""Levels of the plain tree that are not published, computed by nqbench: docs/sequences.md."""

COMPUTED: dict[int, tuple[int, ...]] = {}  # by n: the placements on 0, 1, ... n adjacent rows

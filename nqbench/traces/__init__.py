"""The events of a search: traced while it runs, recorded and replayed, and drawn as a tree."""

from nqbench.traces import jumps, puzzles, recording, tracing, tree

__all__ = ["jumps", "puzzles", "recording", "tracing", "tree"]

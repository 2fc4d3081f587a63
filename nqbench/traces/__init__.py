"""The events of a search: traced while it runs, recorded and replayed, and drawn as a tree."""

from nqbench.traces import puzzles, recording, tracing, tree

__all__ = ["puzzles", "recording", "tracing", "tree"]

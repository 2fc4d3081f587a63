"""The events of a search: traced while it runs, recorded and replayed, and drawn as a tree."""

from nqbench.traces import recording, tracing, tree

__all__ = ["recording", "tracing", "tree"]

"""The events of a search: traced while it runs, recorded and replayed, and drawn as a tree."""

from nqbench.explain import jumps, puzzles, recordings, trace, tree

__all__ = ["jumps", "puzzles", "recordings", "trace", "tree"]

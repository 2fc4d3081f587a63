"""The events of a search: traced while it runs, recorded and replayed, and drawn as a tree."""

from nqbench.explain import recordings, trace, tree

__all__ = ["recordings", "trace", "tree"]

"""Published values with their sources, and how to compute each; `nqbench.checking.verification`
compares them.
"""

from nqbench.problems.published.sequences import SEQUENCES, Sequence, published

__all__ = ["SEQUENCES", "Sequence", "published"]

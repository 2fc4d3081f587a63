"""The lexicographically first solution, and how many squares the plain search tries before it.

>>> from nqbench.first import find_first
>>> found = find_first(8)
>>> [column + 1 for column in found.columns], found.tried
([1, 5, 8, 6, 3, 7, 2, 4], 876)
"""

from nqbench.first.plain import search
from nqbench.first.progress import First, Progress
from nqbench.first.pruned import LARGEST_N
from nqbench.first.running import find_first

__all__ = ["LARGEST_N", "First", "Progress", "find_first", "search"]

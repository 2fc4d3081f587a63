"""Counting at full speed: crosses up to symmetry, completed by a kernel, in all cores.

`nqbench.algorithms.cross` is the same algorithm in plain Python.

>>> from nqbench import engine
>>> engine.kernels()[-1:] in (["portable"], [])  # none without a C compiler
True
"""

from nqbench.engine.symmetry import Symmetry, half_turn, quarter_turn
from nqbench.engine.threads import LARGEST_N, available, cores, count, counting, kernels

__all__ = ["LARGEST_N", "Symmetry", "available", "cores", "count", "counting", "half_turn",
           "kernels", "quarter_turn"]

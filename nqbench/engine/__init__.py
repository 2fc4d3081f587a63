"""Counting at full speed: crosses up to symmetry, completed by a kernel, in all cores.

`nqbench.algorithms.cross` is the same algorithm in plain Python.

>>> from nqbench import engine
>>> engine.kernels()[-1:] in (["portable"], [])  # none without a C compiler
True
"""

from nqbench.engine.auditing import Recount, audit
from nqbench.engine.checkpoint import Checkpoint, Division, division_of
from nqbench.engine.executing import DistrustError, counting_on
from nqbench.engine.symmetry import Symmetry, half_turn, quarter_turn
from nqbench.engine.threads import LARGEST_N, available, cores, count, counting, kernels

__all__ = ["LARGEST_N", "Checkpoint", "DistrustError", "Division", "Recount", "Symmetry",
           "audit", "available", "cores", "count", "counting", "counting_on", "division_of",
           "half_turn", "kernels", "quarter_turn"]

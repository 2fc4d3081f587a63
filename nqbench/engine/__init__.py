"""Counting at full speed: crosses up to symmetry, completed by a kernel, in all cores.

`nqbench.algorithms.cross` is the same algorithm in plain Python.

>>> from nqbench import engine
>>> engine.kernels()[-1:] in (["portable"], [])  # none without a C compiler
True
"""

from nqbench.engine.auditing import Recount, audit, held
from nqbench.engine.checkpoint import Checkpoint, division_of
from nqbench.engine.dividing import LARGEST_N, Division
from nqbench.engine.executing import LostError, counting_on
from nqbench.engine.ledger import DistrustError
from nqbench.engine.processor import available, cores, kernels
from nqbench.engine.symmetry import Symmetry, half_turn, quarter_turn
from nqbench.engine.threads import count, counting

__all__ = ["LARGEST_N", "Checkpoint", "DistrustError", "Division", "LostError", "Recount",
           "Symmetry", "audit", "available", "cores", "count", "counting", "counting_on",
           "division_of", "half_turn", "held", "kernels", "quarter_turn"]

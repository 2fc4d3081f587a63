"""Count at full speed: place crosses up to symmetry, and complete each by a kernel.

`nqbench.algorithms.cross` is the same algorithm in plain Python.

>>> from nqbench import engine
>>> engine.kernels()[-1:] in (["portable"], [])  # none without a C compiler
True
"""

from typing import TYPE_CHECKING

from nqbench._deprecated import moved
from nqbench.engine.auditing import Recount, audit, read_checkpoint
from nqbench.engine.checkpoint import Checkpoint, division_of
from nqbench.engine.dividing import LARGEST_N, Division
from nqbench.engine.executing import counting_on
from nqbench.engine.processor import available, cores, kernels
from nqbench.engine.threads import count, counting

__all__ = ["LARGEST_N", "Checkpoint", "Division", "Recount", "audit", "available",
           "cores", "count", "counting", "counting_on", "division_of", "kernels",
           "read_checkpoint"]

if not TYPE_CHECKING:
    __getattr__ = moved(__name__)

"""Count at full speed: by crosses that a kernel completes, or by joining halves.

`nqbench.algorithms.cross` and `nqbench.algorithms.join` are the same in plain Python.

>>> from nqbench import engine
>>> engine.kernels()[-1:] in (["portable"], [])  # none without a C compiler
True
"""

from nqbench.engine.auditing import Recount, audit, read_checkpoint
from nqbench.engine.checkpoint import Checkpoint, division_of
from nqbench.engine.dividing import LARGEST_N, Division
from nqbench.engine.executing import counting_on
from nqbench.engine.levels import count_levels, counting_levels, counting_levels_on
from nqbench.engine.planning import choose_engine
from nqbench.engine.processor import available, cores, engines, kernels
from nqbench.engine.threads import count, counting

__all__ = ["LARGEST_N", "Checkpoint", "Division", "Recount", "audit", "available",
           "choose_engine", "cores", "count", "count_levels", "counting", "counting_levels",
           "counting_levels_on", "counting_on", "division_of", "engines", "kernels",
           "read_checkpoint"]

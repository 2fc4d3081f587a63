"""Count at full speed: by crosses that a kernel completes, or by joining halves.

`nqbench.problems.queens.cross` and `nqbench.problems.queens.join` are the same in plain Python.

>>> from nqbench import engine
>>> engine.kernels()[-1:] in (["portable"], [])  # none without a C compiler
True
"""

from nqbench.engine.checkpoint import Checkpoint, division_of
from nqbench.engine.division import LARGEST_N, Division
from nqbench.engine.ledger import Recount, audit, read_checkpoint
from nqbench.engine.processor import available, engines, kernels
from nqbench.engine.threads import choose_engine, count, counting
from nqbench.util.cores import cores

__all__ = ["LARGEST_N", "Checkpoint", "Division", "Recount", "audit", "available",
           "choose_engine", "cores", "count", "counting",
           "division_of", "engines", "kernels", "read_checkpoint"]

"""A study: a plan of points, measured one n after the other, written to results/local/.

A point is (algorithm, implementation, n). Its cost is predicted from the smaller n
already measured; what would exceed the budget is recorded as left out, with the
prediction and the reason, and not run.
"""

from nqbench.study.plans import PRESETS, Preset
from nqbench.study.records import Samples, append, frame, read
from nqbench.study.running import RESULTS, run
from nqbench.study.store import publish

__all__ = ["PRESETS", "RESULTS", "Preset", "Samples", "append", "frame", "publish", "read", "run"]

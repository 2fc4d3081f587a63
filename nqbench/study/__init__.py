"""A study: a plan of points, measured one n after the other, appended to results/.

A point is (algorithm, implementation, n). Its cost is predicted from the smaller n
already measured; what would exceed the budget is recorded as left out, with the
prediction, and not run.
"""

from nqbench.study.plans import PRESETS, Preset
from nqbench.study.records import append, frame, read
from nqbench.study.running import run

__all__ = ["PRESETS", "Preset", "append", "frame", "read", "run"]

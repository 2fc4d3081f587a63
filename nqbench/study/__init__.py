"""Measure what a plan names, one n after the other, and write it to results/local/.

A point is a solver with an n. Its cost is predicted from the smaller n already
measured. A point that would exceed the budget is not run; it is recorded as left out, with the
prediction and the reason.
"""

from nqbench.records import Samples, append, frame, read
from nqbench.study.loop import RESULTS, run
from nqbench.study.plan import Plan

__all__ = ["RESULTS", "Plan", "Samples", "append", "frame", "read", "run"]

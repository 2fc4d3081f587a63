"""Published values with their sources, and how to compute each; `nqbench.checking.verification`
compares them.
"""

from nqbench.problems.published.errata import ERRATA, Erratum, find_errata
from nqbench.problems.published.invariants import (
           Invariant,
           invariants,
           invariants_of_counters,
           invariants_of_first,
           invariants_of_levels,
)
from nqbench.problems.published.profiles import EFFORTS, Effort
from nqbench.problems.published.sequences import SEQUENCES, Sequence, published

__all__ = ["EFFORTS", "ERRATA", "SEQUENCES", "Effort", "Erratum", "Invariant", "Sequence",
           "find_errata", "invariants", "invariants_of_counters", "invariants_of_first",
           "invariants_of_levels", "published"]

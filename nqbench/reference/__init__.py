"""Published values with their sources, and how to compute each; `nqbench.verification` compares
them.
"""

from nqbench.reference.errata import ERRATA, Erratum, find_errata
from nqbench.reference.invariants import (
    Invariant,
    invariants,
    invariants_of_counters,
    invariants_of_first,
    invariants_of_levels,
)
from nqbench.reference.profiles import EFFORTS, Effort
from nqbench.reference.sequences import SEQUENCES, Sequence, published

__all__ = ["EFFORTS", "ERRATA", "SEQUENCES", "Effort", "Erratum", "Invariant", "Sequence",
           "find_errata", "invariants", "invariants_of_counters", "invariants_of_first",
           "invariants_of_levels", "published"]

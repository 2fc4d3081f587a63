"""Published values with their sources, and the check against them."""

from nqbench.reference.checking import Check, Verification, run_checks
from nqbench.reference.efforts import EFFORTS, Effort
from nqbench.reference.errata import ERRATA, Erratum
from nqbench.reference.invariants import Invariant, invariants
from nqbench.reference.sequences import SEQUENCES, Sequence, published

__all__ = ["EFFORTS", "ERRATA", "SEQUENCES", "Check", "Effort", "Erratum", "Invariant", "Sequence",
           "Verification", "invariants", "published", "run_checks"]

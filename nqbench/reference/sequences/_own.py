"""Which algorithm stands for sequences that functions of the package compute, not algorithms."""

from nqbench.algorithms import QueensAlgorithm


def stands_in(algorithm: QueensAlgorithm) -> bool:
    """Return whether the algorithm is bitmask: the value is computed once by each implementation,
    compiled and in Python, whatever the algorithm.
    """
    return algorithm.name == "bitmask"

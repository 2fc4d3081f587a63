"""The algorithm that stands for functions of the package, which compute some sequences."""

from nqbench.algorithms import QueensAlgorithm


def stands_in(algorithm: QueensAlgorithm) -> bool:
    """Return whether the algorithm is bitmask. The value does not depend on the algorithm, and is
    computed once by each implementation, compiled and in Python.
    """
    return algorithm.name == "bitmask"

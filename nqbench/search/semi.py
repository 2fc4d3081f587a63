"""Count semi-queens: n rooks on n x n squares, no two of them on the same diagonal of one kind.

These are the permutations p of 0 to n-1 with different differences p(i) - i (OEIS A099152).

A class is the set of columns that the rooks of the upper half of the board use. Its solutions are
the pairs of an upper and a lower placement that share no diagonal. Two compiled methods count them;
both sum a table of all sets of shared diagonals over subsets (zeta transform: Björklund, Husfeldt,
Kaski and Koivisto, "Fourier meets Möbius", 2007). They share no search, so each checks the other:

- quadrants (even n): list both halves as pairs of quadrants; for each upper placement, look up how
  many lower ones fit
- layers: list both halves as pairs of layers of rows; combine their tables by inclusion and
  exclusion

See ext/semi.h.
"""

from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import Any

from nqbench.errors import NOT_COMPILED, InvalidValueError
from nqbench.util.arguments import require_whole
from nqbench.util.cores import find_core, in_threads

METHODS = ("quadrants", "layers")
LARGEST_N = 24  # words of 32 bits
MOST_PARTS = 1024


def semi_queens(n: int, method: str | None = None, jobs: int | None = None,
                kernel: str | None = None) -> int:
    """Return the number of ways to place n semi-queens.

    Parameters
    ----------
    n
        number of rows and of columns, from 0 to 24.
    method
        "quadrants" or "layers". Default: quadrants for even n, layers for odd n.
    jobs
        threads. Default: one for each core.
    kernel
        name of a kernel of the core. Default: the fastest.

    Returns
    -------
    int
        A099152(n).

    Raises
    ------
    TypeError, ValueError
        if an argument is not allowed, or the core is not compiled.

    Examples
    --------
    >>> [semi_queens(n) for n in range(10)]
    [1, 1, 1, 3, 7, 23, 83, 405, 2113, 12657]
    >>> semi_queens(12, "quadrants") == semi_queens(12, "layers") == 4698655
    True
    """
    method = choose_method(n, method)
    if n < 2:
        return 1
    classes = list_placements(n, method, kernel)
    parts = min(MOST_PARTS, -(-classes.classes // 64))
    return sum(total for _, total, _ in counting(classes, range(parts), parts, jobs))


def choose_method(n: int, method: str | None = None) -> str:
    """Return the method if it can count n semi-queens; the faster one for None.

    >>> choose_method(12), choose_method(13), choose_method(12, "layers")
    ('quadrants', 'layers', 'layers')
    """
    if require_whole(n) > LARGEST_N:
        raise InvalidValueError(f"n must be at most {LARGEST_N}, not {n}")
    if method is None:
        return METHODS[n % 2]
    if method not in METHODS:
        raise InvalidValueError(f"method must be {' or '.join(METHODS)}, not {method!r}")
    if method == "quadrants" and n % 2:
        raise InvalidValueError(f"n must be even for the method quadrants, not {n}")
    return method


def list_placements(n: int, method: str, kernel: str | None = None) -> Any:
    """Return the classes of a method, with the lists of placements on parts of the board; n >= 2.

    Its method `count(part, parts, stop)` counts the classes whose number is `part` modulo `parts`.
    """
    core = find_core("nqbench._semi")
    if core is None:
        raise InvalidValueError(f"the count of semi-queens is not available: {NOT_COMPILED}")
    kernels = core.kernels()
    if kernel not in [None, *kernels]:
        raise InvalidValueError(f"kernel must be {' or '.join(kernels)}, not {kernel!r}")
    return getattr(core, method.capitalize())(n, kernel or kernels[0])


def counting(classes: Any, wanted: Iterable[int], parts: int, jobs: int | None = None,
             ) -> Iterator[tuple[int, int, float]]:
    """Count the wanted ones of so many parts in threads; yield (part, total, seconds) when one is
    done. Closing the iterator stops the threads.
    """
    def count(part: int, stop: bytearray) -> tuple[int, int, float]:
        start = perf_counter()
        return part, classes.count(part, parts, stop), perf_counter() - start

    return in_threads(count, wanted, jobs)

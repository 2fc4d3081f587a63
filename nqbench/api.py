"""The functions of the package that count, search and load: count, solutions, profile, unique,
catalogue, load.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from nqbench import engine
from nqbench.errors import InvalidValueError
from nqbench.problems.plugins import resolve
from nqbench.problems.queens import QueensAlgorithm, catalogue, find
from nqbench.search.board import Columns
from nqbench.search.tally import Tally
from nqbench.util.arguments import require_text, require_whole

if TYPE_CHECKING:
    import pandas

__all__ = ["catalogue", "choose", "count", "load", "profile", "solutions", "unique"]

DEFAULT = "bitmask"  # for solutions: the plain tree, from left to right
Named = str | QueensAlgorithm  # a name in the notation of `plugins`, or the algorithm itself


def choose(n: object, algorithm: Named | None = None,
           implementation: str | None = None) -> tuple[QueensAlgorithm, str]:
    """Return the algorithm and implementation to use for n.

    By default they are the fastest: a compiled implementation if there is one. For n > 32, which
    would take ages, either must be given.

    Raises
    ------
    TypeError, ValueError
        if none fits; the message names what is wrong and what is allowed.
    """
    number = require_whole(n)
    if implementation is not None:
        require_text(implementation, "implementation")
    if algorithm is not None:
        found, implementation = resolve(algorithm, implementation)
    elif number > engine.LARGEST_N and implementation is None:
        raise InvalidValueError(
            f"n must be at most {engine.LARGEST_N} for the counting engine, not {number:,}; "
            "the algorithm somers counts larger boards, in Python")
    else:
        by_engine = (engine.available() and number <= engine.LARGEST_N
                     and implementation != "python")
        found = find(engine.choose_engine(number) if by_engine else "somers")
    for way in reversed(list(found.implementations)):  # the fastest first
        if implementation in (None, way) and number <= found.implementations[way].largest_n:
            return found, way
    way = next(iter(found.implementations), "cython") if implementation is None else implementation
    found.implementation(way, number)
    raise AssertionError("unreachable")


def choose_profiled(n: object, algorithm: Named,
                    implementation: str | None = None) -> tuple[QueensAlgorithm, str]:
    """Return the algorithm and implementation to use for a profile."""
    found, implementation = resolve(algorithm, implementation)
    chosen, way = choose(n, found, implementation)
    counts = implementation or chosen.profiled(way) or "python" not in chosen.implementations
    return chosen, way if counts else "python"


def choose_listed(n: object, algorithm: Named | None = None,
                  implementation: str | None = None) -> tuple[QueensAlgorithm, str]:
    """Return the algorithm and implementation to use for a list of solutions; not one that only
    counts, unless it was chosen.
    """
    if algorithm is not None:
        algorithm, implementation = resolve(algorithm, implementation)
    chosen, way = choose(n, algorithm, implementation)
    return chosen, "python" if chosen.only_counts(way) and implementation is None else way


def count(n: int, algorithm: Named | None = None, implementation: str | None = None,
          jobs: int | None = None, kernel: str | None = None,
          checkpoint: str | Path | None = None) -> int:
    """Return the number of ways to place n queens on the n x n board (OEIS A000170).

    Parameters
    ----------
    n
        number of queens, 0 or more.
    algorithm
        a name in the notation of `nqbench.problems.plugins`, or an algorithm. Default: the fastest.
    implementation
        "python", "cython" or another one of the algorithm. Default: the fastest.
    jobs
        threads that share the work of a compiled implementation. Default: one for each core with
        `cross` and `join`, else one.
    kernel
        one of `nqbench.engine.kernels`, for `cross` and `join` only. Default: the fastest.
    checkpoint
        file in which the progress is saved, and from which it is resumed; for `cross` and `join`
        only. Default: none.

    Returns
    -------
    int
        all solutions; rotated and reflected ones count separately.

    Raises
    ------
    TypeError, ValueError
        if n is not a whole number, 0 or more, or too large; if there is no such
        algorithm or implementation; if the checkpoint belongs to another count,
        another version or another process.
    OSError
        if the checkpoint cannot be read or written.

    Examples
    --------
    >>> [count(n) for n in range(9)]
    [1, 1, 0, 0, 2, 10, 4, 40, 92]
    >>> count(6, algorithm="probe_stack")
    4
    """
    chosen, way = choose(n, algorithm, implementation)
    return chosen.count(n, way, jobs, kernel=kernel,
                        checkpoint=None if checkpoint is None else Path(checkpoint))


def unique(n: int, algorithm: Named | None = None, implementation: str | None = None) -> int:
    """Return the number of solutions up to rotation and reflection (OEIS A002562).

    By default they follow from the counts of each symmetry. A `Search` reduces every solution to
    its canonical form, and keeps one placement of each orbit in memory.

    Parameters
    ----------
    n
        number of queens, 0 or more.
    algorithm, implementation
        as in `count`.

    Returns
    -------
    int
        number of orbits.

    Raises
    ------
    TypeError, ValueError
        if n is not allowed, or there is no such algorithm or implementation.

    Examples
    --------
    >>> [unique(n) for n in range(9)]
    [1, 1, 0, 0, 1, 2, 1, 6, 12]
    """
    chosen, way = choose_listed(n, algorithm, implementation)
    return chosen.unique(n, way)


def solutions(n: int, algorithm: Named | None = None,
              implementation: str | None = None) -> Iterator[Columns]:
    """Yield all solutions, in the algorithm's own order.

    If an algorithm counts a solution twice for its mirror image, the image follows it.

    Parameters
    ----------
    n
        number of queens, 0 or more.
    algorithm
        a name in the notation of `nqbench.problems.plugins`, or an algorithm. Default: `bitmask`,
        which goes in lexicographic order.
    implementation
        "python", "cython" or another one of the algorithm. Default: "python".

    Yields
    ------
    tuple of int
        n columns from 0 to n - 1, by row from the top.

    Raises
    ------
    TypeError, ValueError
        if n is not allowed, or there is no such algorithm or implementation.

    Examples
    --------
    >>> list(solutions(4))
    [(1, 3, 0, 2), (2, 0, 3, 1)]
    >>> list(solutions(4, algorithm="flat_marks"))
    [(2, 0, 3, 1), (1, 3, 0, 2)]
    """
    chosen, way = resolve(DEFAULT if algorithm is None else algorithm, implementation)
    found: Iterator[Columns] = chosen.solutions(n, "python" if way is None else way)
    return found


def profile(n: int, algorithm: Named | None = None, implementation: str | None = None) -> Tally:
    """Return the counters of a search for all solutions.

    Parameters
    ----------
    n
        number of queens, 0 or more.
    algorithm
        a name in the notation of `nqbench.problems.plugins`, or an algorithm. Default: `bitmask`.
    implementation
        one that counts its steps. Default: the fastest of these.

    Returns
    -------
    Tally
        solutions, nodes, tests and the other counters, as `nqbench.search.metrics` describes them;
        `levels` and `dead_levels` are lists of n + 1 numbers.

    Raises
    ------
    TypeError, ValueError
        if n is not allowed, there is no such algorithm or implementation, or it does not count.

    Examples
    --------
    >>> profile(8, algorithm="recursive").comparisons
    86308
    """
    chosen, way = choose_profiled(n, DEFAULT if algorithm is None else algorithm, implementation)
    return chosen.profile(n, way)


def load(results: str | Path = "results", published: bool = False) -> "pandas.DataFrame":
    """Return the samples of a folder of records as one long table: one row for each sample.

    Parameters
    ----------
    results, published
        as in `nqbench.analysis.load`, which returns one row for each record.

    Returns
    -------
    pandas.DataFrame
        solver, algorithm, implementation, problem, n, metric, unit, process, round, order, value,
        run, machine, commit: see `nqbench.analysis.samples`, which makes it of chosen records.

    Raises
    ------
    InvalidValueError
        if there is no such folder.

    Examples
    --------
    >>> load("nowhere")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no folder 'nowhere' ...
    """
    from nqbench import analysis

    return analysis.samples(analysis.load(results, published))

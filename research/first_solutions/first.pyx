# cython: language_level=3, boundscheck=False, wraparound=False, freethreading_compatible=True
"""The pruned search and the plain count, compiled; search.py and squares.py explain them."""

from libc.stdint cimport uint64_t

cdef extern from "first.h":
    int REJECTED
    void prepare_search()
    int decide_prefix(bint vectors, int n, const int* path, int rows, long limit,
                      long* nodes) nogil
    void count "count_below"(int rows, uint64_t open, uint64_t left, uint64_t right,
                             long long* counts) nogil

LARGEST_N = 64
KERNELS = ("vectors", "scalar")
MOST_PREFIXES = 64  # of a task

prepare_search()


def count_below(int n, prefix):
    """Return how many placements of fewer than n queens begin with a prefix, itself among them, and
    how many solutions.

    >>> count_below(6, (0, 2))
    (5, 0)
    """
    cdef uint64_t full = ~<uint64_t>0 >> (LARGEST_N - n), open = full, left = 0, right = 0, bit
    cdef long long[2] counts = [0, 0]
    cdef int rows = n - len(prefix)
    for column in prefix:
        bit = <uint64_t>1 << <int>column
        open ^= bit
        left, right = (left | bit) << 1, (right | bit) >> 1
    if rows == 0:
        return 0, 1
    with nogil:
        count(rows, open, left, right, counts)
    return counts[0] + 1, counts[1]


def decide(int n, prefixes, long limit, long most, str kernel="vectors"):
    """Decide prefixes, each in at most `limit` nodes, until one is not rejected or `most` nodes are
    visited: return a list of (whether it is rejected, nodes), at most MOST_PREFIXES. Both kernels
    return the same.

    A prefix that is not rejected has a completion, or is not decided within the limit.

    Raises
    ------
    ValueError
        if queens attack each other, or a prefix is not on the board.
    """
    cdef int[64][64] path
    cdef int[64] rows, found
    cdef long[64] nodes
    cdef int many = 0, decided = 0
    cdef bint vectors = KERNELS.index(kernel) == 0
    if not 1 <= n <= LARGEST_N:
        raise ValueError(f"n must be from 1 to {LARGEST_N}, not {n}")
    for prefix in prefixes[:MOST_PREFIXES]:
        if len(prefix) > n or not all(0 <= column < n for column in prefix):
            raise ValueError(f"{prefix} is not on the board")
        rows[many] = len(prefix)
        for row, column in enumerate(prefix):
            path[many][<int>row] = column
        many += 1
    with nogil:
        while decided < many and most > 0:
            found[decided] = decide_prefix(vectors, n, path[decided], rows[decided], limit,
                                           &nodes[decided])
            most -= nodes[decided] if found[decided] == REJECTED else most
            decided += 1
    for row in range(decided):
        if found[<int>row] < 0:
            raise ValueError("the queens of the prefix attack each other")
    return [(found[<int>row] == REJECTED, nodes[<int>row]) for row in range(decided)]

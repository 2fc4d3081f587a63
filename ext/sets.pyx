"""Sets of queens and toroidal placements, compiled: see nqbench/search/variants.py."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef extern from "bits.h":
    int ones(uint64_t bits) nogil

cdef enum:
    MOST = 32
    POLL_ROWS = 7  # a search of this many rows takes milliseconds at most

LARGEST = MOST

ctypedef struct Sets:
    int n
    uint64_t full
    uint64_t counts[MOST + 1]
    uint64_t placements  # that were visited

ctypedef struct Open:  # the free squares of the rows without a queen
    int rows
    int row[MOST]
    uint64_t free[MOST]


cdef int fill_sets(Sets* sets, int rows, int queens, uint64_t columns, uint64_t left,
                   uint64_t right) except -1 nogil:
    cdef uint64_t free = sets.full & ~(columns | left | right), bit
    if rows == 1:
        sets.counts[queens] += 1
        sets.counts[queens + 1] += ones(free)
        return 0
    if rows == POLL_ROWS:
        with gil:
            PyErr_CheckSignals()
    fill_sets(sets, rows - 1, queens, columns, left << 1, right >> 1)
    while free:
        bit = free & (~free + 1)
        free -= bit
        fill_sets(sets, rows - 1, queens + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return 0


cdef int fill_maximal(Sets* sets, int row, Open* above, uint64_t columns, uint64_t left,
                      uint64_t right) except -1 nogil:
    cdef uint64_t free = sets.full & ~(columns | left | right), bit, kept
    cdef Open here
    cdef int k, by
    sets.placements += 1
    if row == sets.n:
        sets.counts[0] += above.rows == 0
        return 0
    if sets.n - row == POLL_ROWS:
        with gil:
            PyErr_CheckSignals()
    memcpy(&here, above, sizeof(Open))
    if free:
        here.row[here.rows], here.free[here.rows] = row, free
        here.rows += 1
    fill_maximal(sets, row + 1, &here, columns, left << 1, right >> 1)
    while free:
        bit = free & (~free + 1)
        free -= bit
        here.rows = 0
        for k in range(above.rows):
            by = row - above.row[k]
            kept = above.free[k] & ~(bit | bit << by | bit >> by)
            if kept:
                here.row[here.rows], here.free[here.rows] = above.row[k], kept
                here.rows += 1
        fill_maximal(sets, row + 1, &here, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return 0


cdef int fill_torus(Sets* sets, int rows, uint64_t columns, uint64_t left,
                    uint64_t right) except -1 nogil:
    cdef uint64_t free, bit
    sets.placements += 1
    if rows == 0:
        sets.counts[0] += 1
        return 0
    if rows == POLL_ROWS:
        with gil:
            PyErr_CheckSignals()
    left = (left << 1 | left >> (sets.n - 1)) & sets.full
    right = (right >> 1 | right << (sets.n - 1)) & sets.full
    free = sets.full & ~(columns | left | right)
    while free:
        bit = free & (~free + 1)
        free -= bit
        fill_torus(sets, rows - 1, columns | bit, left | bit, right | bit)
    return 0


cdef void begin(Sets* sets, int n) noexcept:
    cdef int k
    sets.n, sets.full, sets.placements = n, (<uint64_t>1 << n) - 1, 0
    for k in range(MOST + 1):
        sets.counts[k] = 0


def sets_by_size(int n):
    """Return how many sets of k nonattacking queens there are, for k = 0 to n (1 <= n < 32)."""
    cdef Sets sets
    begin(&sets, n)
    with nogil:
        fill_sets(&sets, n, 0, 0, 0, 0)
    return [sets.counts[k] for k in range(n + 1)]


def maximal_sets(int n):
    """Return the number of sets that leave no square free (1 <= n < 32), and of placements visited.
    """
    cdef Sets sets
    cdef Open none
    begin(&sets, n)
    none.rows = 0
    with nogil:
        fill_maximal(&sets, 0, &none, 0, 0, 0)
    return sets.counts[0], sets.placements


def toroidal(int n):
    """Return the number of toroidal placements of n queens (1 <= n < 32), and of those visited."""
    cdef Sets sets
    begin(&sets, n)
    with nogil:
        fill_torus(&sets, n - 1, 1, 1, 1)
    return n * sets.counts[0], sets.placements

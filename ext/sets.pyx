"""Sets of queens, toroidal placements and other pieces, compiled: see nqbench/search/variants.py."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef extern from "bits.h":
    int ones(uint64_t bits) nogil

cdef enum:
    MOST = 32
    REACH = 2  # rows that a leap may span
    MOST_LEAPS = 4  # of as many rows
    POLL_ROWS = 7  # a search of this many rows takes milliseconds at most

LARGEST = MOST

ctypedef struct Sets:
    int n
    uint64_t full
    uint64_t counts[MOST + 1]
    uint64_t placements  # that were visited

ctypedef struct Pieces:
    int n
    uint64_t full, differences, sums  # full where these diagonals are lines, else 0
    int leaps[REACH + 1]  # by rows
    int distance[REACH + 1][MOST_LEAPS]  # in columns, to both sides
    uint64_t counts[MOST + 1]
    const char* stop

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


cdef uint64_t leap(const Pieces* pieces, int rows, uint64_t bit) noexcept nogil:
    """Return the columns that a piece attacks by leaps of that many rows."""
    cdef uint64_t found = 0
    cdef int k
    for k in range(pieces.leaps[rows]):
        found |= bit << pieces.distance[rows][k] | bit >> pieces.distance[rows][k]
    return found


cdef void fill_rows(Pieces* pieces, int row, uint64_t free, uint64_t columns, uint64_t left,
                    uint64_t right, uint64_t leapt, uint64_t leapt_next) noexcept nogil:
    """Place a piece on each free square of a row, and go on below; the masks are of this row, and
    `leapt_next` of the next one.
    """
    cdef uint64_t bit
    free &= pieces.full & ~(columns | left | right | leapt)
    pieces.counts[row + 1] += ones(free)
    if row + 1 == pieces.n or pieces.stop[0]:
        return
    while free:
        bit = free & (~free + 1)
        free -= bit
        fill_rows(pieces, row + 1, pieces.full, columns | bit,
                  (left | bit & pieces.differences) << 1, (right | bit & pieces.sums) >> 1,
                  leapt_next | leap(pieces, 1, bit), leap(pieces, 2, bit))


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


def pieces_by_row(int n, bint differences, bint sums, leaps, int first, int second,
                  bytearray stop):
    """Return how many placements of pieces there are on the first 2, 3, ..., n rows, one in each
    row, and no two in a column (2 <= n < 32), with the first two in these columns.

    `differences` and `sums` say which diagonals are lines; leaps are pairs (rows, columns), of at
    most two rows. Another thread sets stop[0] to end the search; then the numbers are too small.
    """
    cdef Pieces pieces
    cdef uint64_t bit = <uint64_t>1 << first
    cdef int rows, k
    pieces.n, pieces.full = n, (<uint64_t>1 << n) - 1
    pieces.differences = pieces.full if differences else 0
    pieces.sums = pieces.full if sums else 0
    for rows in range(1, REACH + 1):
        distances = sorted({min(abs(leap[1]), MOST) for leap in leaps if abs(leap[0]) == rows})
        if len(distances) > MOST_LEAPS:
            raise ValueError(f"at most {MOST_LEAPS} leaps may span {rows} rows")
        pieces.leaps[rows] = len(distances)
        for k in range(len(distances)):
            pieces.distance[rows][k] = distances[k]
    for k in range(MOST + 1):
        pieces.counts[k] = 0
    pieces.stop = PyByteArray_AS_STRING(stop)
    with nogil:
        fill_rows(&pieces, 1, <uint64_t>1 << second, bit, (bit & pieces.differences) << 1,
                  (bit & pieces.sums) >> 1, leap(&pieces, 1, bit), leap(&pieces, 2, bit))
    return [pieces.counts[k] for k in range(2, n + 1)]

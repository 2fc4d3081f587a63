"""Symmetric placements, compiled: the same as nqbench/search/symmetry.py."""

from libc.stdint cimport uint64_t

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef extern from "bits.h":
    int column_of(uint64_t bit) nogil

cdef enum:
    POLL_ROW = 9  # a search from this row outwards takes some milliseconds

LARGEST = 32


cdef inline uint64_t at(int place) noexcept nogil:
    return <uint64_t>1 << place


cdef uint64_t free_squares(int n, int row, uint64_t columns, uint64_t sums,
                           uint64_t differences) noexcept nogil:
    """Return the free squares of a row except those on a long diagonal."""
    return (at(n) - 1) & ~(columns | sums >> row | differences >> (n - 1 - row)
                           | at(row) | at(n - 1 - row))


cdef uint64_t fill_half(int n, int row, uint64_t columns, uint64_t sums,
                        uint64_t differences) except? 18446744073709551615 nogil:
    cdef int opposite = n - 1 - row, column, image
    cdef uint64_t free, bit, found = 0
    if row < 0:
        return 1
    if row == POLL_ROW:
        with gil:
            PyErr_CheckSignals()
    free = free_squares(n, row, columns, sums, differences)
    while free:
        bit = free & (~free + 1)
        free -= bit
        column = column_of(bit)
        image = n - 1 - column
        found += fill_half(n, row - 1, columns | bit | at(image),
                           sums | at(row + column) | at(opposite + image),
                           differences | at(column + opposite) | at(image + row))
    return found


cdef uint64_t fill_quarter(int n, int row, uint64_t columns, uint64_t sums,
                           uint64_t differences) noexcept nogil:
    cdef int opposite, column, image
    cdef uint64_t free, bit, found = 0
    while row >= 0 and columns >> row & 1:
        row -= 1
    if row < 0:
        return 1
    opposite = n - 1 - row
    free = free_squares(n, row, columns, sums, differences)
    while free:
        bit = free & (~free + 1)
        free -= bit
        column = column_of(bit)
        image = n - 1 - column
        found += fill_quarter(
            n, row - 1, columns | bit | at(image) | at(row) | at(opposite),
            sums | at(row + column) | at(column + opposite) | at(opposite + image) | at(image + row),
            differences | at(column + opposite) | at(opposite - column + n - 1)
            | at(image + row) | at(row - image + n - 1))
    return found


cdef uint64_t search(int n, bint quarter) except? 18446744073709551615:
    """Start with the queen in the centre of an odd board."""
    cdef uint64_t columns = 0, sums = 0, differences = 0, found
    cdef int row = n // 2 - 1
    if n % 2:
        columns, sums, differences = at(n // 2), at(n - 1), at(n - 1)
    if row < 0:
        return 1
    with nogil:
        if quarter:
            found = fill_quarter(n, row, columns, sums, differences)
        else:
            found = fill_half(n, row, columns, sums, differences)
    return found


def half_turn(n):
    """Return how many solutions a half turn leaves unchanged (0 <= n <= 32)."""
    return search(n, False)


def quarter_turn(n):
    """Return how many solutions a quarter turn leaves unchanged (0 <= n <= 32)."""
    return search(n, True) if n % 4 < 2 else 0

"""The bit mask search, compiled: the same as nqbench/problems/queens/bitmask.py.

`row` holds the taken columns; `left` and `right` hold the columns that the two kinds of diagonals
attack in the next row. Bits that leave the board on the left drop out of the word or are masked.
"""

include "tally.pxi"


cdef void queens(Build* build, uint32_t row, uint32_t left, uint32_t right,
                 int rows) noexcept nogil:
    """Fill the last `rows` rows in all possible ways."""
    cdef uint32_t free, bit
    node(build, build.n - rows)
    if rows == 0:
        solution(build)
        return
    if rows == POLL_ROWS:
        look_for_interrupt(build)
    free = ahead(build, build.n - rows, build.full & ~(row | left | right))
    while free:
        bit = free & (~free + 1)
        free -= bit
        test(build, build.n - rows, bit)
        queens(build, row + bit, (left + bit) << 1, (right + bit) >> 1, rows - 1)
    exhausted(build, build.n - rows)


cdef void search(Build* build) noexcept nogil:
    cdef uint32_t free = build.first, bit
    if build.first == build.full:
        queens(build, 0, 0, 0, build.n)
        return
    while free:  # a part of the tree only
        bit = free & (~free + 1)
        free -= bit
        queens(build, bit, bit << 1, bit >> 1, build.n - 1)

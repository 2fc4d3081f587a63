"""Symmetric placements, compiled: the same as `nqbench.search.variants.Variant.fixed`."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport abs

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef extern from "bits.h":
    int column_of(uint64_t bit) nogil

cdef enum:
    POLL = (1 << 16) - 1  # placements from one look for Ctrl-C to the next: some milliseconds

LARGEST = 32


ctypedef struct Board:
    int n
    bint sums, differences  # whether they are lines
    int leaps
    int[8] rows, columns    # of each leap
    int[32] column          # of the piece in a row, -1 if there is none
    uint64_t placements     # that were visited


cdef inline uint64_t at(int place) noexcept nogil:
    return <uint64_t>1 << place


cdef uint64_t free_squares(const Board* board, int row, uint64_t columns, uint64_t sums,
                           uint64_t differences) noexcept nogil:
    """Return the free squares of a row except those whose images are on the same diagonal."""
    cdef int n = board.n
    cdef uint64_t taken = columns
    if board.sums:
        taken |= sums >> row | at(n - 1 - row)
    if board.differences:
        taken |= differences >> (n - 1 - row) | at(row)
    return (at(n) - 1) & ~taken


cdef bint place(Board* board, int row, int column) noexcept nogil:
    """Place a piece, unless it leaps to another one; return whether it was placed."""
    cdef int i, down, other
    for i in range(board.leaps):
        for down in range(-1, 2, 2):
            other = row + down * board.rows[i]
            if (0 <= other < board.n and board.column[other] >= 0
                    and abs(board.column[other] - column) == board.columns[i]):
                return False
    board.column[row] = column
    return True


cdef int place_images(Board* board, int row, int column, int turns) noexcept nogil:
    """Place a piece and its images, as long as none leaps to another; return how many."""
    cdef int placed = 0
    while placed < turns and place(board, row, column):
        placed += 1
        row, column = turn(board.n, row, column, turns)
    return placed


cdef void remove_images(Board* board, int row, int column, int turns, int placed) noexcept nogil:
    """Remove the first `placed` of these pieces."""
    while placed:
        placed -= 1
        board.column[row] = -1
        row, column = turn(board.n, row, column, turns)


cdef inline (int, int) turn(int n, int row, int column, int turns) noexcept nogil:
    """Return the image of a square under a half turn (2 turns bring it back) or a quarter turn."""
    if turns == 2:
        return n - 1 - row, n - 1 - column
    return column, n - 1 - row


cdef uint64_t fill_half(Board* board, int row, uint64_t columns, uint64_t sums,
                        uint64_t differences) except? 18446744073709551615 nogil:
    cdef int n = board.n, opposite = n - 1 - row, column, image, placed = 2
    cdef uint64_t free, bit, found = 0
    board.placements += 1
    if not board.placements & POLL:
        with gil:
            PyErr_CheckSignals()
    if row < 0:
        return 1
    free = free_squares(board, row, columns, sums, differences)
    while free:
        bit = free & (~free + 1)
        free -= bit
        column = column_of(bit)
        image = n - 1 - column
        if board.leaps:
            placed = place_images(board, row, column, 2)
        if placed == 2:
            found += fill_half(board, row - 1, columns | bit | at(image),
                               sums | at(row + column) | at(opposite + image),
                               differences | at(column + opposite) | at(image + row))
        if board.leaps:
            remove_images(board, row, column, 2, placed)
    return found


cdef uint64_t fill_quarter(Board* board, int row, uint64_t columns, uint64_t sums,
                           uint64_t differences) except? 18446744073709551615 nogil:
    cdef int n = board.n, opposite, column, image, placed = 4
    cdef uint64_t free, bit, found = 0
    board.placements += 1
    if not board.placements & POLL:
        with gil:
            PyErr_CheckSignals()
    while row >= 0 and columns >> row & 1:
        row -= 1
    if row < 0:
        return 1
    opposite = n - 1 - row
    # The images of a piece on a main diagonal would stand in its row.
    free = free_squares(board, row, columns | at(row) | at(opposite), sums, differences)
    while free:
        bit = free & (~free + 1)
        free -= bit
        column = column_of(bit)
        image = n - 1 - column
        if board.leaps:
            placed = place_images(board, row, column, 4)
        if placed == 4:
            found += fill_quarter(
                board, row - 1, columns | bit | at(image) | at(row) | at(opposite),
                sums | at(row + column) | at(column + opposite) | at(opposite + image)
                | at(image + row),
                differences | at(column + opposite) | at(opposite - column + n - 1)
                | at(image + row) | at(row - image + n - 1))
        if board.leaps:
            remove_images(board, row, column, 4, placed)
    return found


def fixed(int n, bint quarter, bint sums, bint differences, leaps):
    """Return how many placements a half or a quarter turn leaves unchanged (1 <= n <= LARGEST), and
    how many the search visits.

    Pieces are lines apart: `sums` and `differences` say which diagonals are lines, and leaps are
    pairs (rows, columns), at most 8.
    """
    cdef Board board
    cdef uint64_t columns = 0, found
    cdef int row = n // 2 - 1, i
    if not 1 <= n <= LARGEST or len(leaps) > 8:
        raise ValueError(f"n must be from 1 to {LARGEST}, with at most 8 leaps")
    if quarter and n % 4 > 1:
        return 0, 0
    board.placements = 0
    board.n, board.sums, board.differences, board.leaps = n, sums, differences, len(leaps)
    for i, (down, right) in enumerate(leaps):
        board.rows[i], board.columns[i] = min(abs(down), n), min(abs(right), n)
    for i in range(n):
        board.column[i] = -1
    if n % 2:  # a piece stands in the centre
        columns, board.column[n // 2] = at(n // 2), n // 2
    with nogil:
        if quarter:
            found = fill_quarter(&board, row, columns, columns and at(n - 1), columns and at(n - 1))
        else:
            found = fill_half(&board, row, columns, columns and at(n - 1), columns and at(n - 1))
    return found, board.placements

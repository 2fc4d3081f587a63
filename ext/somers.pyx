"""Jeff Somers' explicit stack, compiled: the same as nqbench/problems/queens/somers.py."""

include "tally.pxi"


cdef void search(Build* build) noexcept nogil:
    cdef uint32_t[MAX_N] columns, left, right
    cdef uint32_t[MAX_N + 2] stack
    cdef uint32_t* top
    cdef uint32_t* floor
    cdef uint32_t free, bit
    cdef int row, middle, n = build.n, last = n - 1
    node(build, 0)
    if n < 2:  # the original finds nothing here
        if n == 1:
            node(build, 1)
            place(build, 0, 1)
        solution(build)
        return
    columns[0] = left[0] = right[0] = 0
    # The search checks for Ctrl-C whenever it returns to this row or one above it: the test for the
    # end of the stack, moved down by some rows.
    floor = stack + (n - POLL_ROWS if n > POLL_ROWS else 0)
    for middle in range(1 + n % 2):
        top = stack + 1
        if not middle:
            row = 0
            free = ahead(build, 0, ((<uint32_t>1 << n // 2) - 1) & build.first)
        else:
            bit = (<uint32_t>1 << n // 2) & build.first
            if not bit:
                break
            place(build, 0, bit)
            columns[1] = bit
            left[1] = bit << 1
            right[1] = bit >> 1
            node(build, 1)
            row = 1
            top[0] = 0  # the first row has no other candidate
            top += 1
            free = ahead(build, 1, (bit - 1) >> 1)
        while True:
            if not free:
                exhausted(build, row)
                top -= 1
                if top <= floor:
                    if top == stack:
                        break
                    look_for_interrupt(build)
                free = top[0]
                row -= 1
                continue
            bit = free & (~free + 1)
            free -= bit
            test(build, row, bit)
            node(build, row + 1)
            if row < last:
                top[0] = free
                top += 1
                columns[row + 1] = columns[row] | bit
                left[row + 1] = (left[row] | bit) << 1
                right[row + 1] = (right[row] | bit) >> 1
                row += 1
                free = ahead(build, row, build.full & ~(columns[row] | left[row] | right[row]))
            else:
                solution(build)
                top -= 1
                free = top[0]
                row -= 1

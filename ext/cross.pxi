# The placements of the cross, one of each orbit.
#
# The eight symmetries of the square map its middle lines to themselves: rows and columns m-1 and m
# for n = 2m, row and column m for n = 2m+1. Placements of queens that cover the cross have the same
# number of completions if they are images of each other, so one of each orbit is completed and
# counted as many times as its orbit has members.
#
# Four lines, the arms, are covered by four queens, each with its position p along its arm, counted
# clockwise. A quarter turn moves the positions to the next arm; a reflection reverses the order of
# the arms and maps p to n-1-p. Exactly one symmetry takes a given end of an arm to another given
# end. So a placement whose smallest distance from an end is unique has eight images, and only ties
# need a closer look.

ctypedef struct Queens:
    int number
    int[5] row
    int[5] column

ctypedef struct Cross:
    Job job
    uint64_t rows      # the rows that are filled
    int weight         # images of it, itself included
    Queens queens

ctypedef struct Crosses:
    Cross* item
    Py_ssize_t number, room


cdef bint put(Queens* queens, int row, int column) noexcept nogil:
    """Add a queen if no other attacks it."""
    cdef int i
    for i in range(queens.number):
        if (queens.row[i] == row or queens.column[i] == column
                or queens.row[i] + queens.column[i] == row + column
                or queens.row[i] - queens.column[i] == row - column):
            return False
    queens.row[queens.number] = row
    queens.column[queens.number] = column
    queens.number += 1
    return True


cdef void add_queen(Job* job, int n, int row, int column) noexcept nogil:
    job.columns |= <uint64_t>1 << column
    job.sums |= <uint64_t>1 << (row + column)
    job.differences |= <uint64_t>1 << (column - row + n - 1)


cdef int emit(Crosses* crosses, int n, Queens* queens, int weight) except -1 nogil:
    cdef Cross* cross
    cdef Cross* more
    cdef int i
    if crosses.number == crosses.room:
        more = <Cross*>realloc(crosses.item, 2 * crosses.room * sizeof(Cross))
        if more is NULL:
            with gil:
                raise MemoryError
        crosses.item = more
        crosses.room *= 2
    cross = &crosses.item[crosses.number]
    crosses.number += 1
    cross.job.columns = cross.job.sums = cross.job.differences = cross.rows = 0
    cross.weight = weight
    cross.queens = queens[0]
    for i in range(queens.number):
        cross.rows |= <uint64_t>1 << queens.row[i]
        add_queen(&cross.job, n, queens.row[i], queens.column[i])
    return 0


cdef bint put_on_arm(Queens* queens, int n, int low, int high, int arm, int p) noexcept nogil:
    if arm == 0:
        return put(queens, low, p)
    if arm == 1:
        return put(queens, p, high)
    if arm == 2:
        return put(queens, high, n - 1 - p)
    return put(queens, n - 1 - p, low)


cdef int images(int* p, int n) noexcept nogil:
    """Return how many images the positions p on the arms have; 0 unless p is the least of them."""
    cdef uint32_t own = 0, turned, reflected
    cdef int start, arm, same = 0
    for arm in range(4):
        own = own << 5 | p[arm]
    for start in range(4):
        turned = reflected = 0
        for arm in range(4):
            turned = turned << 5 | p[(start + arm) & 3]
            reflected = reflected << 5 | (n - 1 - p[(start - arm) & 3])
        if turned < own or reflected < own:
            return 0
        same += (turned == own) + (reflected == own)
    return 8 // same


cdef int cover_arms(Crosses* crosses, int n, int low, int high, Queens* queens, int arm,
                    int* p) except -1 nogil:
    """Cover the arms from `arm` on; the first has the position next to an end."""
    cdef int first = p[0] if arm else 0
    cdef int last = n - 1 - p[0] if arm else low - 1
    cdef int weight
    if arm == 4:
        weight = images(p, n)
        if weight:
            emit(crosses, n, queens, weight)
        return 0
    for p[arm] in range(first, last + 1):
        if low <= p[arm] <= high:
            continue  # where the lines meet
        if put_on_arm(queens, n, low, high, arm, p[arm]):
            cover_arms(crosses, n, low, high, queens, arm + 1, p)
            queens.number -= 1
    return 0


cdef int find_crosses(int n, Crosses* crosses) except -1 nogil:
    """Find a cross of every orbit, each with the size of its orbit.

    For odd n, a single queen in the centre covers the middle lines, and all symmetries leave
    it there. Then the lines beside it are covered, too.
    """
    cdef int m = n // 2, row, column
    cdef int[4] p
    cdef Queens queens
    queens.number = 0
    if n < 2:
        if n:
            put(&queens, 0, 0)
        emit(crosses, n, &queens, 1)
    elif n % 2 == 0:
        # A queen on a central square, say (m-1, m-1), covers two lines, and the reflection in its
        # diagonal exchanges the other two.
        put(&queens, m - 1, m - 1)
        for column in range(n):
            if put(&queens, m, column):
                for row in range(column + 1, n):
                    if put(&queens, row, m):
                        emit(crosses, n, &queens, 8)
                        queens.number -= 1
                queens.number -= 1
        queens.number = 0
        cover_arms(crosses, n, m - 1, m, &queens, 0, p)
    else:
        # Without the centre, one queen on each line: reflections bring both to the
        # same side, and the diagonal one brings the nearer queen into the row.
        for column in range(m):
            put(&queens, m, column)
            for row in range(column):
                if put(&queens, row, m):
                    emit(crosses, n, &queens, 8)
                    queens.number -= 1
            queens.number -= 1
        put(&queens, m, m)
        cover_arms(crosses, n, m - 1, m + 1, &queens, 0, p)
    return 0

"""The lexicographically first solution, compiled; nqbench/first/ explains."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

cdef extern from "first.h":
    ctypedef struct Plain:
        uint64_t full, nodes, solutions
        const unsigned char* stop
        int calls, stopped

    ctypedef struct Prefixes:
        int n, depth, next
        int path[64]
        uint64_t nodes[64]
        uint64_t rejected[64]

    int REJECTED, COMPLETED, POLL_CALLS
    void fill_plain(Plain*, int, uint64_t, uint64_t, uint64_t, uint64_t) nogil
    int start_prefixes(Prefixes*) nogil
    int extend_prefix(Prefixes*, long, long) nogil

LARGEST = 64
LIMIT = 10_000  # nodes for a prefix, before it gets another row


def count_below(int n, prefix, const unsigned char[:] stop):
    """Return (nodes, solutions) of the plain tree below a prefix: placements of fewer than n
    queens, and of n; None if stop[0] was set.
    """
    cdef Plain plain
    cdef uint64_t columns = 0, left = 0, right = 0, bit
    cdef int rows = n - len(prefix)
    plain.full = ~<uint64_t>0 >> (LARGEST - n)
    plain.nodes = plain.solutions = 0
    plain.stop = &stop[0]
    plain.calls, plain.stopped = POLL_CALLS, 0
    for column in prefix:
        bit = <uint64_t>1 << <int>column
        columns, left, right = columns | bit, (left | bit) << 1, (right | bit) >> 1
    if rows:
        with nogil:
            fill_plain(&plain, rows, columns, left, right,
                       plain.full & ~(columns | left | right))
    return None if plain.stopped else (plain.nodes, plain.solutions)


cdef class Search:
    """The search row by row that rejects prefixes by proof; resumes from `path` and `next`."""

    cdef Prefixes* search
    cdef readonly object finished  # None, or whether there is a solution

    def __cinit__(self, int n, path=(), int next=0):
        if not 1 <= n <= LARGEST or len(path) > n or not 0 <= next <= n or not all(
                0 <= column < n for column in path):
            raise ValueError("not a prefix of a board")
        self.search = <Prefixes*>calloc(1, sizeof(Prefixes))
        if self.search == NULL:
            raise MemoryError
        self.search.n, self.search.depth, self.search.next = n, len(path), next
        for row, column in enumerate(path):
            self.search.path[<int>row] = column
        if not start_prefixes(self.search):
            raise ValueError("the queens of the prefix attack each other, or leave an empty row")

    def __dealloc__(self):
        free(self.search)

    def advance(self, long most, long limit=LIMIT):
        """Visit about `most` nodes more; return whether the search has finished."""
        cdef int found
        if self.finished is None:
            with nogil:
                found = extend_prefix(self.search, most, limit)
            if found == COMPLETED or found == REJECTED:
                self.finished = found == COMPLETED
        return self.finished is not None

    @property
    def path(self):
        return [self.search.path[row] for row in range(self.search.depth)]

    @property
    def next(self):
        return self.search.next

    @property
    def nodes(self):
        return [self.search.nodes[row] for row in range(self.search.n)]

    @property
    def rejected(self):
        return [self.search.rejected[row] for row in range(self.search.n)]

"""The lexicographically first solution, compiled; nqbench/engine/first_search.py explains."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

cdef extern from "first.h":
    enum:
        LARGEST_N
        SLACK
        WORDS_DOWNWARDS
        LANES_BYTES
        MOST_WINDOWS
        COLUMNS
        BELOW_LEFT
        BELOW_RIGHT
    ctypedef struct Prefix:
        uint64_t[5] word
    ctypedef struct Levels "Search":
        int n, rows
        void* memory
        size_t capacity, stride
        char* lanes
        const char* stop
        uint64_t[65] found
        uint32_t rest_13, rest_15
        Levels* window
    void prepare_kernels() nogil
    void search_below(int kernel, Levels* search, const Prefix* prefix) nogil

    int REJECTED
    void prepare_search()
    int decide_prefix(int kernel, int n, const int* path, int rows, long limit, long* nodes) nogil

include "kernels.pxi"

CAPACITY = 4096  # states of a level: the levels in use fit into the second cache
MOST_PREFIXES = 64  # of a task

prepare_kernels()
prepare_search()


cdef struct Part:
    Prefix prefix
    int rows


cdef class Engine:
    """The placements to the left of a first solution, divided into parts, to be counted by a
    `Kernel`; all placements if there is no solution.

    A part is a prefix with the given number of rows and everything below it, or a longer prefix
    that leaves the path to the solution later. Parts are in the order of their columns.

    Attributes
    ----------
    inner
        shorter prefixes to the left of the path, which are in no part.
    """

    cdef readonly int n, rows
    cdef readonly long long inner
    cdef Part* part
    cdef Py_ssize_t number, room
    cdef int[64] path
    cdef bint solved

    def __cinit__(self, int n, int rows, columns):
        if not 0 < n <= LARGEST_N or not 0 < rows <= n or len(columns) not in (0, n):
            raise ValueError(f"there are no parts of {rows} rows for n = {n}")
        self.n, self.rows, self.solved = n, rows, len(columns) > 0
        for row, column in enumerate(columns):
            self.path[<int>row] = column
        self.place(0, 0, 0, 0, self.solved)

    def __dealloc__(self):
        free(self.part)

    cdef int place(self, int row, uint64_t columns, uint64_t left, uint64_t right,
                   bint tight) except -1:
        """Divide what is below a prefix; `tight` says that it is on the path."""
        cdef uint64_t full = ~<uint64_t>0 >> (LARGEST_N - self.n)
        cdef uint64_t open = full & ~(columns | left | right), bit
        if not tight and row >= self.rows:
            return self.add_part(row, columns, left & full, right)
        self.inner += not tight
        while open:
            bit = open & (~open + 1)
            open ^= bit
            if tight and bit > <uint64_t>1 << self.path[row]:
                break
            self.place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1,
                       tight and bit == <uint64_t>1 << self.path[row])
        return 0

    cdef int add_part(self, int rows, uint64_t columns, uint64_t left,
                      uint64_t right) except -1:
        cdef Part* part
        if self.number == self.room:
            self.room = 2 * self.room + 256
            part = <Part*>realloc(self.part, self.room * sizeof(Part))
            if part is NULL:
                raise MemoryError
            self.part = part
        part = &self.part[self.number]
        memset(part, 0, sizeof(Part))
        part.prefix.word[COLUMNS], part.prefix.word[BELOW_LEFT] = columns, left
        part.prefix.word[BELOW_RIGHT], part.rows = right, rows
        self.number += 1
        return 0

    @property
    def parts(self):
        """The number of parts."""
        return self.number

    @property
    def values(self):
        """What is counted for each part: placements without completion, and solutions."""
        return 2

    def images(self, long long part):
        """Return how many images each prefix of a part stands for: only itself."""
        return 1


cdef class Kernel:
    """The plain search with its memory; each thread has its own."""

    cdef int number
    cdef Levels levels
    cdef Levels[MOST_WINDOWS] windows

    def __cinit__(self, str name, size_t capacity=CAPACITY):
        cdef int i
        self.number = require_kernel(name)
        if capacity < SLACK:
            raise ValueError(f"the capacity must be {SLACK} or more, not {capacity}")
        self.reserve(&self.levels, capacity, sizeof(uint64_t))
        self.levels.window = self.windows
        for i in range(MOST_WINDOWS):
            self.reserve(&self.windows[i], capacity, sizeof(uint32_t))

    cdef int reserve(self, Levels* levels, size_t capacity, size_t word) except -1:
        levels.capacity, levels.stride = capacity, capacity + SLACK
        levels.memory = malloc((LARGEST_N + 1) * WORDS_DOWNWARDS * levels.stride * word)
        levels.lanes = <char*>malloc((LARGEST_N + 1) * LANES_BYTES)
        if levels.memory is NULL or levels.lanes is NULL:
            raise MemoryError
        return 0

    def __dealloc__(self):
        cdef int i
        free(self.levels.memory)
        free(self.levels.lanes)
        for i in range(MOST_WINDOWS):
            free(self.windows[i].memory)
            free(self.windows[i].lanes)

    @property
    def bytes(self):
        """The memory that it has reserved."""
        return (LARGEST_N + 1) * (
            WORDS_DOWNWARDS * self.levels.stride * (sizeof(uint64_t) + MOST_WINDOWS * sizeof(uint32_t))
            + (MOST_WINDOWS + 1) * LANES_BYTES)

    def complete(self, Engine engine not None, parts, bytearray stop=None):
        """Return (placements of fewer than n queens, solutions, the sum of these modulo 13, modulo
        15) for each of these parts; return fewer if another thread has set stop[0].
        """
        cdef long long number
        cdef Part* part
        cdef Levels* levels = &self.levels
        cdef int row, whole
        cdef uint64_t nodes
        counts = []
        if stop is None:
            stop = bytearray(1)
        levels.n = engine.n
        levels.stop = PyByteArray_AS_STRING(stop)
        for number in parts:
            if not 0 <= number < engine.number:
                raise ValueError(f"there are parts 0 to {engine.number - 1} only, not {number}")
            part = &engine.part[number]
            whole = part.rows == engine.n
            levels.rows = part.rows
            with nogil:
                search_below(self.number, levels, &part.prefix)
            if stop[0]:
                break
            nodes = not whole
            for row in range(part.rows + 1, engine.n):
                nodes += levels.found[row]
            counts.append((nodes, 1 if whole else levels.found[engine.n],
                           (levels.rest_13 + 1) % 13, (levels.rest_15 + 1) % 15))
        return counts


def decide(int n, prefixes, long limit, long most, str kernel=None):
    """Decide prefixes, each in at most `limit` nodes, until one is not rejected or `most` nodes are
    visited, with a kernel, by default the fastest: return a list of (whether it is rejected, nodes),
    at most MOST_PREFIXES. All kernels return the same.

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
    cdef int number = require_kernel(kernel or kernels()[0])
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
            found[decided] = decide_prefix(number, n, path[decided], rows[decided], limit,
                                           &nodes[decided])
            most -= nodes[decided] if found[decided] == REJECTED else most
            decided += 1
    for row in range(decided):
        if found[<int>row] < 0:
            raise ValueError("the queens of the prefix attack each other")
    return [(found[<int>row] == REJECTED, nodes[<int>row]) for row in range(decided)]

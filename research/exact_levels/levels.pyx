"""Count the placements of k queens on k adjacent rows, for every k. See ext/levels.h."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

cdef extern from "levels.h":
    enum:
        LARGEST_N
        SLACK
        WORDS
        LANES_BYTES
        COLUMNS
        BELOW_LEFT
        BELOW_RIGHT
        ABOVE_LEFT
        ABOVE_RIGHT
    ctypedef struct Prefix:
        uint64_t[5] word
    ctypedef struct Search:
        int n, rows
        void* memory
        size_t capacity, stride
        char* lanes
        const char* stop
        uint64_t[32] found
        uint32_t rest_13, rest_15
    void prepare_kernels() nogil
    void search_levels(int kernel, Search* search, bint outwards, const Prefix* prefix,
                       size_t number) nogil

include "kernels.pxi"

CAPACITY = 1024  # states of a level; a few hundred keep the lanes full, and all fit into the cache
MOST_CAPACITY = 1 << 16  # the sums of a pass fit into 32 bits

prepare_kernels()


cdef class Engine:
    """How the levels of one n are divided into parts, to be counted by a `Kernel`.

    A prefix is a placement on the first `rows` rows, or, outwards, on adjacent rows in the middle:
    one for each orbit under reflections. A part has at most `jobs_a_part` prefixes of one kind. The
    division does not change the counts.
    """

    cdef readonly int n, rows, jobs_a_part
    cdef readonly bint outwards
    cdef Prefix* prefix
    cdef Py_ssize_t room
    cdef Py_ssize_t[3] number  # of prefixes with one image, with two; the latter come first
    cdef uint64_t[32] placed
    cdef int[32] column

    def __cinit__(self, int n, int rows, int jobs_a_part, bint outwards):
        cdef int kind
        if not 0 <= n <= LARGEST_N:
            raise ValueError(f"n must be from 0 to {LARGEST_N}, not {n}")
        if n > 1 and not 2 <= rows <= n:
            raise ValueError(f"a prefix must have from 2 to {n} rows, not {rows}")
        if jobs_a_part < 1:
            raise ValueError(f"a part must have 1 job or more, not {jobs_a_part}")
        self.n = n
        self.rows = rows if n > 1 else n
        self.jobs_a_part = jobs_a_part
        self.outwards = outwards
        for kind in (2, 1):
            self.place(0, 0, kind)

    def __dealloc__(self):
        free(self.prefix)

    cdef int place(self, int row, uint32_t columns, int kind) except -1:
        """Place queens from this row on; keep the prefixes of a kind."""
        cdef int column, other
        if kind == 2:
            self.placed[row] += 1
        if row == self.rows:
            if row < self.n and self.count_images() == kind:
                self.keep(kind)
            return 0
        for column in range(self.n):
            if columns >> column & 1:
                continue
            for other in range(row):
                if abs(self.column[other] - column) == row - other:
                    break
            else:
                self.column[row] = column
                self.place(row + 1, columns | <uint32_t>1 << column, kind)
        return 0

    cdef int count_images(self) noexcept:
        """Return how many images the placement stands for, itself included, without the reflection
        upside down if outwards: 2 or 1; 0 if it is not the first of its images.
        """
        if self.compare(True, False) < 0:
            return 0
        if not self.outwards:
            return 2
        if self.compare(False, True) < 0 or self.compare(True, True) < 0:
            return 0
        return 2 if self.compare(True, True) else 1

    cdef int compare(self, bint mirrored, bint turned) noexcept:
        """Return a number below 0 if the image comes before the placement, 0 if they are equal."""
        cdef int row, image
        for row in range(self.rows):
            image = self.column[self.rows - 1 - row if turned else row]
            if mirrored:
                image = self.n - 1 - image
            if image != self.column[row]:
                return image - self.column[row]
        return 0

    cdef int keep(self, int kind) except -1:
        cdef Py_ssize_t number = self.number[1] + self.number[2]
        cdef Prefix* prefix
        cdef uint64_t bit, full = (<uint64_t>1 << self.n) - 1
        cdef int row
        if number == self.room:
            self.room = 2 * self.room + 256
            prefix = <Prefix*>realloc(self.prefix, self.room * sizeof(Prefix))
            if prefix is NULL:
                raise MemoryError
            self.prefix = prefix
        prefix = &self.prefix[number]
        memset(prefix, 0, sizeof(Prefix))
        for row in range(self.rows):
            bit = <uint64_t>1 << self.column[row]
            prefix.word[COLUMNS] |= bit
            prefix.word[BELOW_LEFT] |= bit << (self.rows - row) & full
            prefix.word[BELOW_RIGHT] |= bit >> (self.rows - row)
            prefix.word[ABOVE_LEFT] |= bit << (row + 1) & full
            prefix.word[ABOVE_RIGHT] |= bit >> (row + 1)
        self.number[kind] += 1
        return 0

    cdef long long count_parts(self, int kind) noexcept:
        return (self.number[kind] + self.jobs_a_part - 1) // self.jobs_a_part

    @property
    def parts(self):
        """The number of parts."""
        return self.count_parts(2) + self.count_parts(1)

    @property
    def values(self):
        """The number of values counted for a part: one for each level beyond the prefixes."""
        return self.n - self.rows

    @property
    def first_levels(self):
        """The number of placements on 0, 1, ... rows, up to those of the prefixes."""
        return [self.placed[row] for row in range(self.rows + 1)]

    def images(self, long long part):
        """Return how many images each prefix of a part stands for, itself included: 2 or 1."""
        return 2 if part < self.count_parts(2) else 1


cdef class Kernel:
    """A kernel with its memory; each thread has its own."""

    cdef int number
    cdef size_t capacity
    cdef Search search

    def __cinit__(self, str name, size_t capacity=CAPACITY):
        self.number = require_kernel(name)
        if not SLACK <= capacity <= MOST_CAPACITY:
            raise ValueError(f"the capacity must be from {SLACK} to {MOST_CAPACITY}, "
                             f"not {capacity}")
        self.search.capacity = capacity
        self.search.stride = capacity + SLACK
        self.search.memory = malloc(
            (LARGEST_N + 1) * WORDS * self.search.stride * sizeof(uint32_t))
        self.search.lanes = <char*>malloc((LARGEST_N + 1) * LANES_BYTES)
        if self.search.memory is NULL or self.search.lanes is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.search.memory)
        free(self.search.lanes)

    @property
    def bytes(self):
        """The memory that it has reserved so far."""
        return (LARGEST_N + 1) * (WORDS * self.search.stride * sizeof(uint32_t) + LANES_BYTES)

    def complete(self, Engine engine not None, parts, bytearray stop=None):
        """Return (placements on one row more than the prefixes, on two more, ..., the sum of these
        modulo 13, modulo 15) for each of these parts; return fewer if another thread has set
        stop[0].

        Outwards, each number includes a prefix and its image upside down.
        """
        cdef long long part
        cdef Py_ssize_t first, end
        cdef Search* search = &self.search
        counts = []
        if stop is None:
            stop = bytearray(1)
        search.n = engine.n
        search.rows = engine.rows
        search.stop = PyByteArray_AS_STRING(stop)
        for part in parts:
            if not 0 <= part < engine.parts:
                raise ValueError(f"there are parts 0 to {engine.parts - 1} only, not {part}")
            first = part * engine.jobs_a_part
            end = engine.number[2]
            if part >= engine.count_parts(2):
                first = end + (part - engine.count_parts(2)) * engine.jobs_a_part
                end += engine.number[1]
            end = min(end, first + engine.jobs_a_part)
            with nogil:
                search_levels(self.number, search, engine.outwards, engine.prefix + first,
                              end - first)
            if stop[0]:
                break
            counts.append((*[search.found[rows] for rows in range(engine.rows + 1, engine.n + 1)],
                           search.rest_13, search.rest_15))
        return counts

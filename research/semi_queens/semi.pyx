"""Count semi-queens by classes of columns, in two ways. See semi.h."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef extern from "bits.h":
    int ones(uint64_t bits) nogil

cdef extern from "semi.h":
    enum:
        LARGEST_N
        LEAST_BITS
    ctypedef struct Lists:
        size_t placements
    ctypedef struct Halves:
        int n
        int[2] rows
        uint32_t* ways
        size_t[25][14] choose
        Lists[2] outer, inner
    ctypedef struct Work:
        const char* stop
    void prepare_kernels() nogil
    uint32_t next_set(uint32_t set) nogil
    uint32_t turn(const Halves* halves, uint32_t columns) nogil
    int first_layer(const Halves* halves, int half) nogil
    bint open_halves(Halves* halves, int kernel, int n, bint layers) nogil
    void close_halves(Halves* halves) nogil
    bint add_quadrants(Halves* halves, uint32_t rows) nogil
    bint add_layer(Halves* halves, int half, bint second, uint32_t columns) nogil
    bint open_work(const Halves* halves, Work* work) nogil
    void close_work(Work* work) nogil
    uint64_t count_class(int kernel, const Halves* halves, Work* work, uint32_t columns) nogil
    void sum_subsets(int kernel, uint32_t* table, int bits) nogil

include "kernels.pxi"

cdef enum:
    POLL_SETS = 1024  # sets of columns between two looks for Ctrl-C: some milliseconds

LARGEST = LARGEST_N

prepare_kernels()


cdef inline uint32_t lowest_bits(int number) noexcept nogil:
    return (<uint32_t>1 << number) - 1


cdef class Classes:
    """The sets of columns that the upper half of n x n squares can use, in ascending order.

    If n is even, a class and its image under half a turn have the same number of solutions. Only
    the smaller of the two is kept. A subclass builds the lists of placements.
    """

    cdef readonly int n
    cdef readonly Py_ssize_t classes
    cdef int kernel
    cdef Halves halves
    cdef uint32_t* columns  # of each class

    def __cinit__(self, int n, str kernel):
        if not 2 <= n <= LARGEST_N:
            raise ValueError(f"n must be from 2 to {LARGEST_N}, not {n}")
        self.n = n
        self.kernel = require_kernel(kernel)

    cdef int begin(self, bint layers) except -1:
        """Reserve the memory for the lists, and list the classes."""
        cdef uint32_t columns
        cdef size_t i, number
        if not open_halves(&self.halves, self.kernel, self.n, layers):
            raise MemoryError
        number = self.halves.choose[self.n][self.halves.rows[0]]
        self.columns = <uint32_t*>malloc(number * sizeof(uint32_t))
        if self.columns is NULL:
            raise MemoryError
        columns = lowest_bits(self.halves.rows[0])
        for i in range(number):
            if self.n % 2 or columns <= turn(&self.halves, columns):
                self.columns[self.classes] = columns
                self.classes += 1
            columns = next_set(columns)
        return 0

    def __dealloc__(self):
        close_halves(&self.halves)
        free(self.columns)

    @property
    def placements(self):
        """The placements in the lists; the same for all kernels."""
        return (self.halves.outer[0].placements + self.halves.outer[1].placements
                + self.halves.inner[0].placements + self.halves.inner[1].placements)

    def count(self, Py_ssize_t part, Py_ssize_t parts, bytearray stop=None):
        """Return the number of solutions of the classes whose index is `part` modulo `parts`.

        A class that stands for two counts twice. Return None if another thread has set stop[0].
        """
        cdef Work work
        cdef uint64_t found, low = 0, high = 0
        cdef Py_ssize_t i = part
        cdef int times, each
        if not 0 <= part < parts:
            raise ValueError(f"part must be from 0 to {parts - 1}, not {part}")
        if stop is None:
            stop = bytearray(1)
        try:
            if not open_work(&self.halves, &work):
                raise MemoryError
            work.stop = PyByteArray_AS_STRING(stop)
            with nogil:
                while i < self.classes and not work.stop[0]:
                    found = count_class(self.kernel, &self.halves, &work, self.columns[i])
                    times = 1
                    if self.n % 2 == 0 and self.columns[i] != turn(&self.halves, self.columns[i]):
                        times = 2
                    for each in range(times):
                        low += found
                        high += low < found  # the sum for n = 24 has more than 64 bits
                    i += parts
        finally:
            close_work(&work)
        return None if stop[0] else <object>high << 64 | low


cdef class Quadrants(Classes):
    """Lists of the placements on a quadrant of n x n squares; n is even."""

    def __cinit__(self, int n, str kernel):
        if n % 2:
            raise ValueError(f"n must be even for quadrants, not {n}")
        self.begin(False)
        with nogil:
            self.build()
        free(self.halves.ways)
        self.halves.ways = NULL

    cdef int build(self) except -1 nogil:
        cdef int rooks
        cdef uint32_t rows
        for rooks in range(self.n // 2 + 1):
            rows = lowest_bits(rooks)
            while rows < <uint32_t>1 << self.n // 2:
                if not add_quadrants(&self.halves, rows):
                    raise MemoryError
                with gil:
                    PyErr_CheckSignals()
                if rows == 0:
                    break
                rows = next_set(rows)
        return 0


cdef class Layers(Classes):
    """Lists of the placements on the layers of both halves of n x n squares."""

    def __cinit__(self, int n, str kernel):
        self.begin(True)
        with nogil:
            self.build()

    cdef int build(self) except -1 nogil:
        cdef int half, rows
        for half in range(2):
            rows = first_layer(&self.halves, half)
            self.add_layers(half, False, rows)
            self.add_layers(half, True, self.halves.rows[half] - rows)
        return 0

    cdef int add_layers(self, int half, bint second, int rows) except -1 nogil:
        cdef uint32_t columns = lowest_bits(rows)
        cdef size_t i
        for i in range(self.halves.choose[self.n][rows]):
            if not add_layer(&self.halves, half, second, columns):
                raise MemoryError
            if i % POLL_SETS == 0:
                with gil:
                    PyErr_CheckSignals()
            if columns:
                columns = next_set(columns)
        return 0


def sum_over_subsets(values, str kernel):
    """Return, for each X, the sum of values[Y] for all Y within X; there are 2^B values. Sums are
    modulo 2^32.
    """
    cdef int number = require_kernel(kernel), bits = (len(values) - 1).bit_length()
    cdef uint32_t* table
    if len(values) != 1 << bits:
        raise ValueError(f"the number of values must be a power of 2, not {len(values)}")
    bits = max(bits, LEAST_BITS)
    table = <uint32_t*>calloc(<size_t>1 << bits, sizeof(uint32_t))
    if table is NULL:
        raise MemoryError
    try:
        for i, value in enumerate(values):
            table[i] = value
        sum_subsets(number, table, bits)
        return [table[i] for i in range(len(values))]
    finally:
        free(table)

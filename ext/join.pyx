"""The join engine: which rows the halves have -> jobs -> kernel. See docs/engine.md and ext/join.h.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cdef extern from "bits.h":
    int ones(uint64_t bits) nogil

cdef extern from "join.h":
    enum:
        LARGEST_N
        MOST_WORDS
        MOST_INDEX
        WEST
        EAST
        NORTH
        SOUTH
    ctypedef struct Frame:
        int n, half, hole, bits, tie
        int[2] rows
        uint64_t[2][32][16] square
        uint32_t[2][32] open
    ctypedef struct Slice:
        uint64_t mask, value
    ctypedef struct Words:
        uint64_t* word
        size_t room, number
    ctypedef struct Half:
        uint64_t* word
        size_t number
    ctypedef struct Order:
        int pieces, rest_bits
    ctypedef struct Joiner:
        const char* stop
        uint64_t placements, found
        uint32_t rest_13, rest_15
        int failed, index_bits, sorted
        Frame frame
        uint16_t[65536] set
        Words[2] list
        Order order
        Half[2] half
    void prepare_joins() nogil
    int start_joiner(Joiner* join, int kernel, size_t most, int index_bits, int exchanged) nogil
    size_t count_bytes(const Joiner*)
    void free_joiner(Joiner* join) nogil
    int enter_frame(Joiner* join, int n, int hole, int upper, int digits) nogil
    int list_half(Joiner* join, int side, const uint32_t* rows, Slice slice) nogil
    int make_more_room(Joiner* join, Words* list, size_t more) nogil
    void join_lists(Joiner* join) nogil
    void count_job(Joiner* join, const uint32_t[2]* rows, long long number) nogil

include "kernels.pxi"
include "join_parts.pxi"

LEAST_WORDS = 1000  # of a list of halves

ctypedef struct CardFrame:  # as in nqbench/engine/join.cu
    uint64_t[2][32][16] square
    uint32_t[2][32] open
    uint32_t n, half, hole, tie, bits

prepare_joins()


cdef class Kernel:
    """A kernel with its memory; each thread has its own.

    A list has at most `capacity` halves: if there are more, it is cut into slices. `index` is the
    number of bits by which the halves are sorted; by default as many as pay. `exchanged` is for an
    audit: west and east are exchanged, and sorted by fewer bits. None of this changes the counts.
    """

    cdef Joiner* join
    cdef bint exchanged

    def __cinit__(self, str name, size_t capacity=MOST_WORDS, index=None, bint exchanged=False):
        cdef int number = require_kernel(name)
        if not LEAST_WORDS <= capacity <= MOST_WORDS:
            raise ValueError(f"the capacity must be from {LEAST_WORDS} to {MOST_WORDS}, "
                             f"not {capacity}")
        if index is not None and not 0 <= index <= MOST_INDEX:
            raise ValueError(f"the index must have from 0 to {MOST_INDEX} bits, not {index}")
        self.join = <Joiner*>malloc(sizeof(Joiner))
        if self.join is NULL or not start_joiner(self.join, number, capacity,
                                                 -1 if index is None else index, exchanged):
            raise MemoryError
        self.exchanged = exchanged

    def __dealloc__(self):
        if self.join is not NULL:
            free_joiner(self.join)
            free(self.join)

    @property
    def bytes(self):
        """The memory that it has reserved so far."""
        return count_bytes(self.join)

    @property
    def placements(self):
        """The halves that it has listed so far; the same for all kernels."""
        return self.join.placements

    def complete(self, Engine engine, parts, bytearray stop=None):
        """Count the pairs of each part: return [(pairs, these modulo 13, modulo 15), ...].

        The remainders are added up separately. Fewer parts are returned if another thread has set
        stop[0].
        """
        counts = []
        stop = bytearray(1) if stop is None else stop
        if self.exchanged:
            self.join.index_bits = max(engine.n - 15, 0)
        self.join.stop = PyByteArray_AS_STRING(stop)
        for part in parts:
            if not 0 <= part < engine.parts:
                raise ValueError(f"there are parts 0 to {engine.parts - 1} only, not {part}")
            self.count(engine, part)
            if stop[0]:
                break
            counts.append((self.join.found, self.join.rest_13, self.join.rest_15))
        return counts

    cdef int count(self, Engine engine, long long part) except -1:
        cdef long long job, end
        cdef const Section* section = engine.find(part)
        cdef uint32_t[2][2] rows, swapped
        cdef int upper = section.upper
        job = (part - section.first) * engine.jobs_a_part
        end = min(job + engine.jobs_a_part, section.jobs)
        if self.exchanged:
            upper = engine.n // 2 - (section.kind == TIE) - upper
        with nogil:
            self.join.found = self.join.rest_13 = self.join.rest_15 = 0
            if section.kind == EMPTY:
                self.join.found = self.join.rest_13 = self.join.rest_15 = job == 0
            elif enter_frame(self.join, engine.n, section.hole, upper, engine.digits):
                while job < end and not self.join.stop[0]:
                    choose_rows(section, engine.n, job // engine.slices, rows)
                    if self.exchanged:
                        memcpy(swapped[WEST], rows[EAST], sizeof(rows[EAST]))
                        memcpy(swapped[EAST], rows[WEST], sizeof(rows[WEST]))
                        memcpy(rows, swapped, sizeof(rows))
                    count_job(self.join, rows, job % engine.slices)
                    job += 1
        if self.join.failed:
            self.join.failed = 0
            raise MemoryError
        return 0

    def enter(self, int n, hole, int upper):
        """Choose the frame for a hole, None for even n, and `upper` western rows in the north.

        Return the number of bits of the words below the two flags.
        """
        if not enter_frame(self.join, n, n // 2 if hole is None else hole, upper, 0):
            raise MemoryError
        return self.join.frame.bits

    def describe(self, order, int digits):
        """Return (the frame, the numbers of column sets) as bytes, for nqbench/engine/join.cu: its
        words have the diagonals in this order, which names their bits here, and the flags on top.
        """
        cdef const Frame* frame = &self.join.frame
        cdef CardFrame found
        cdef int[64] places
        cdef int i, bit
        places[frame.bits], places[frame.bits + 1] = 62, 63
        for i, bit in enumerate(reversed(order)):
            places[bit] = i
        memset(&found, 0, sizeof(found))
        memcpy(found.open, frame.open, sizeof(frame.open))
        found.n, found.half, found.hole, found.tie = frame.n, frame.half, frame.hole, frame.tie
        found.bits = frame.bits - digits
        for i in range(2 * 32 * 16):
            for bit in range(frame.bits + 2):
                if (<uint64_t*>frame.square)[i] >> bit & 1:
                    (<uint64_t*>found.square)[i] |= <uint64_t>1 << places[bit]
        return (<char*>&found)[:sizeof(found)], (<char*>self.join.set)[:2 << frame.half]

    @property
    def shorter(self):
        """The sorted words of the list that was not cut into pieces last, as bytes, and how many
        of their bits are below the index bits.
        """
        cdef const Half* half = &self.join.half[not self.join.order.pieces]
        return (<char*>half.word)[:half.number * sizeof(uint64_t)], self.join.order.rest_bits

    def halves(self, int n, hole, western_rows, bint east):
        """Return the words of all halves on these rows, or in the east on the others."""
        cdef int centre = n // 2 if hole is None else hole, part, place
        cdef uint32_t[2][2] rows
        cdef Slice every
        cdef Words* list = &self.join.list[east]
        cdef bytearray go = bytearray(1)
        cdef size_t i
        order = row_order(n, centre)
        for part in range(2):
            rows[WEST][part] = rows[EAST][part] = 0
            for place, row in enumerate(order[part]):
                rows[WEST if row in western_rows else EAST][part] |= <uint32_t>1 << place
        every.mask = every.value = 0
        self.join.stop = PyByteArray_AS_STRING(go)
        self.enter(n, hole, ones(rows[WEST][NORTH]))
        if not list_half(self.join, east, rows[east], every):
            raise MemoryError
        return [list.word[i] for i in range(list.number)]

    def square(self, int row, int column):
        """Return the word of a square in the frame; 0 if no queen may stand there."""
        cdef const Frame* frame = &self.join.frame
        cdef bint east = column >= frame.half
        if east:
            column -= frame.n - frame.half
        return frame.square[east][row][column] if frame.open[east][row] >> column & 1 else 0

    def pairs(self, west, east):
        """Return the solutions of the pairs of these words of the frame that share no bit except
        flags; `count_job` in ext/join.h says what the flags mean.
        """
        cdef bytearray go = bytearray(1)
        cdef int side
        self.join.stop = PyByteArray_AS_STRING(go)
        for side, words in enumerate((west, east)):
            self.join.list[side].number = 0
            if not make_more_room(self.join, &self.join.list[side], <size_t>len(words)):
                raise MemoryError
            for word in words:
                self.join.list[side].word[self.join.list[side].number] = word
                self.join.list[side].number += 1
        self.join.found = self.join.sorted = 0
        join_lists(self.join)
        if self.join.failed:
            raise MemoryError
        return self.join.found

"""The join engine: which rows the halves have -> jobs -> kernel. See docs/engine.md and ext/join.h.

A job is a choice of the western rows, one of each orbit. Its northern rows are a set X, its
southern ones, upside down, those that are not in a set Y, and the east has the others. Turning the
board exchanges X and Y. Turning it upside down, or left to right, exchanges X and Y with the sets
of what they leave, of another size unless half the rows are in X. So for each size of X, up to half
of the rows, there is a job for each X <= Y, and for X of half the rows for those with the first row
in X.

For odd n the queen in the middle column, at the `hole`, stands above the middle or in it. Above it,
the queen in the middle row stands in the west: each choice of the other western rows is a job.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.math cimport sqrt
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

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
        int n, half, index, rest, tie
        int[2] rows
        uint64_t[2][32][16] square
        uint32_t[2][32] open
    ctypedef struct Slice:
        uint64_t mask, value
    ctypedef struct Flags:
        int first, last
    ctypedef struct Half:
        uint64_t* word
        uint32_t* offset
        size_t number
    ctypedef struct Joiner:
        const char* stop
        uint64_t found
        uint32_t rest_13, rest_15
        int failed, index
        Frame frame
        Half[2] half
        uint64_t* raw
        size_t made
    void prepare_joins() nogil
    int start_joiner(Joiner* join, int kernel, size_t most, int index) nogil
    void free_joiner(Joiner* join) nogil
    int enter_frame(Joiner* join, int n, int hole, int upper) nogil
    int list_half(Joiner* join, int side, const uint32_t* rows, Slice slice) nogil
    void meet(Joiner* join, const uint64_t* west, size_t number, const Half* east,
              Flags flags, uint64_t weight) nogil
    void count_job(Joiner* join, const uint32_t[2]* rows) nogil

include "kernels.pxi"

LEAST_WORDS = 1000  # of a list of halves

cdef enum Kind:
    PAIRS     # X < Y
    EQUAL     # X = Y
    TIE       # the middle row decides
    EMPTY     # no half has rows
    MOST_SECTIONS = 512

ctypedef struct Section:
    Kind kind
    int hole, upper, images
    long long first, jobs  # its first part, and how many jobs it has

cdef long long[33][33] choices  # of so many things, so many

prepare_joins()


cdef int fill_choices() except -1:
    cdef int things, taken
    for things in range(33):
        choices[things][0] = 1
        for taken in range(1, 33):
            choices[things][taken] = (choices[things - 1][taken - 1] + choices[things - 1][taken]
                                      if things else 0)
    return 0


fill_choices()


cdef uint32_t subset(int size, long long rank) noexcept nogil:
    """Return the set of this size with so many smaller ones, as bits."""
    cdef uint32_t found = 0
    cdef int element
    while size:
        element = size - 1
        while choices[element + 1][size] <= rank:
            element += 1
        found |= <uint32_t>1 << element
        rank -= choices[element][size]
        size -= 1
    return found


cdef class Engine:
    """How a count is divided into parts, to be counted by a `Kernel`: `jobs_a_part` jobs, of one
    hole, number of rows and size of orbit, are a part. This does not change what is counted.
    """

    cdef readonly int n, jobs_a_part
    cdef readonly long long parts
    cdef Section[MOST_SECTIONS] section
    cdef int sections

    def __cinit__(self, int n, int jobs_a_part):
        cdef int half = n // 2, upper, hole
        cdef long long sets
        if not 0 <= n <= LARGEST_N:
            raise ValueError(f"n must be from 0 to {LARGEST_N}, not {n}")
        if jobs_a_part < 1:
            raise ValueError(f"a part must have 1 job or more, not {jobs_a_part}")
        self.n = n
        self.jobs_a_part = jobs_a_part
        if n < 2:
            self.add(EMPTY, 0, 0, 1, 1)
            return
        if n % 2:
            for hole in range(half):
                for upper in range(half):  # the middle row and `hole` are no northern rows
                    self.add(TIE, hole, upper, 4,
                             choices[half - 1][upper] * choices[half][half - upper - 1])
        for upper in range(half // 2 + 1):
            if 2 * upper < half:
                sets = choices[half][upper]
                self.add(PAIRS, half, upper, 4, sets * (sets - 1) // 2)
                self.add(EQUAL, half, upper, 2, sets)
            else:
                sets = choices[half - 1][upper - 1]
                self.add(PAIRS, half, upper, 4, sets * (sets - 1))
                self.add(EQUAL, half, upper, 2, 2 * sets)

    cdef int add(self, Kind kind, int hole, int upper, int images, long long jobs) except -1:
        cdef Section* section = &self.section[self.sections]
        if not jobs:
            return 0
        if self.sections == MOST_SECTIONS:
            raise ValueError("too many sections")
        section.kind = kind
        section.hole = hole
        section.upper = upper
        section.images = images
        section.first = self.parts
        section.jobs = jobs
        self.sections += 1
        self.parts += (jobs + self.jobs_a_part - 1) // self.jobs_a_part
        return 0

    cdef const Section* find(self, long long part) noexcept nogil:
        cdef int place = self.sections - 1
        while self.section[place].first > part:
            place -= 1
        return &self.section[place]

    def images(self, long long part):
        """Return how many images each job of a part stands for, itself included: 4, 2 or 1."""
        return self.find(part).images

    def find_job(self, long long part, long long place):
        """Return (the number of a job of a part among all, how many jobs the part has).

        This is the part of an engine with one job a part; `place` is taken modulo the jobs.
        """
        cdef const Section* section = self.find(part)
        cdef const Section* other = &self.section[0]
        cdef long long first = (part - section.first) * self.jobs_a_part, before = 0
        cdef long long jobs = min(<long long>self.jobs_a_part, section.jobs - first)
        while other != section:
            before += other.jobs
            other += 1
        return before + first + place % jobs, jobs

    def jobs(self, long long part):
        """Return (hole, western rows) of each job of a part; hole is None for even n."""
        cdef const Section* section = self.find(part)
        cdef long long job, first = (part - section.first) * self.jobs_a_part
        cdef uint32_t[2][2] rows
        found = []
        for job in range(first, min(first + self.jobs_a_part, section.jobs)):
            choose_rows(section, self.n, job, rows)
            found.append((section.hole if self.n % 2 else None,
                          rows_of(self.n, section.hole, rows[WEST])))
        return found


cdef list row_order(int n, int hole):
    """Return the northern rows from the top, and the southern ones from the bottom."""
    north, south = list(range(n // 2)), list(range(n - 1, n // 2 - 1, -1))
    return [[row for row in rows if n % 2 == 0 or row != hole] for rows in (north, south)]


cdef list rows_of(int n, int hole, const uint32_t* chosen):
    return sorted(row for part, rows in enumerate(row_order(n, hole))
                  for place, row in enumerate(rows) if chosen[part] >> place & 1)


cdef void choose_rows(const Section* section, int n, long long job,
                      uint32_t[2]* rows) noexcept nogil:
    """Find the rows of a job: sets of those in the north and south, for west and east."""
    cdef int half = n // 2, upper = section.upper
    cdef uint32_t north = (<uint32_t>1 << half) - 1, south = north, x, y
    cdef long long ways, larger
    cdef bint flipped
    if section.kind == TIE:
        ways = choices[half - 1][upper]
        north >>= 1
        south = 2 * south + 1
        rows[WEST][NORTH] = subset(upper, job % ways)
        rows[WEST][SOUTH] = subset(half - upper - 1, job // ways) | <uint32_t>1 << half
    elif section.kind == EMPTY:
        rows[WEST][NORTH] = rows[WEST][SOUTH] = 0
    else:
        flipped = 2 * upper == half and job & 1
        if 2 * upper == half:
            job >>= 1
        larger = job
        if section.kind == PAIRS:
            larger = <long long>sqrt(2.0 * job)
            while larger * (larger - 1) // 2 > job:
                larger -= 1
            while larger * (larger + 1) // 2 <= job:
                larger += 1
            job -= larger * (larger - 1) // 2
        if 2 * upper == half:
            x = 2 * subset(upper - 1, job) + 1
            y = 2 * subset(upper - 1, larger) + 1
        else:
            x, y = subset(upper, job), subset(upper, larger)
        rows[WEST][NORTH] = x
        rows[WEST][SOUTH] = y if flipped else south & ~y
    rows[EAST][NORTH] = north & ~rows[WEST][NORTH]
    rows[EAST][SOUTH] = south & ~rows[WEST][SOUTH]


cdef class Kernel:
    """A kernel with its memory: each thread has one of its own.

    A list has at most `capacity` halves: if there are more, it is cut into slices. `index` is how
    many bits the halves are sorted by; by default as many as pay. `exchanged` is for an audit: west
    and east are exchanged unless the middle row decides, and sorted by fewer bits. Nothing of this
    changes what is counted.
    """

    cdef Joiner* join
    cdef bint exchanged

    def __cinit__(self, str name, size_t capacity=MOST_WORDS, index=None, bint exchanged=False):
        cdef int number = NAMES.index(name)
        if not can_run(number):
            raise ValueError(f"this processor cannot run the kernel {name!r}, only "
                             f"{' and '.join(kernels())}")
        if not LEAST_WORDS <= capacity <= MOST_WORDS:
            raise ValueError(f"the capacity must be from {LEAST_WORDS} to {MOST_WORDS}, "
                             f"not {capacity}")
        if index is not None and not 0 <= index <= MOST_INDEX:
            raise ValueError(f"the index must have from 0 to {MOST_INDEX} bits, not {index}")
        self.join = <Joiner*>malloc(sizeof(Joiner))
        if self.join is NULL or not start_joiner(self.join, number, capacity,
                                                 -1 if index is None else index):
            raise MemoryError
        self.exchanged = exchanged

    def __dealloc__(self):
        if self.join is not NULL:
            free_joiner(self.join)
            free(self.join)

    def complete(self, Engine engine, parts, bytearray stop=None):
        """Count the pairs of each part: return [(pairs, these modulo 13, modulo 15), ...].

        The remainders are added up on their own; fewer parts where another thread has set stop[0].
        """
        cdef long long part, job, end
        cdef const Section* section
        cdef uint32_t[2][2] rows, swapped
        cdef int upper
        cdef bint exchanged
        counts = []
        if stop is None:
            stop = bytearray(1)
        if self.exchanged:
            self.join.index = max(engine.n - 15, 0)
        self.join.stop = PyByteArray_AS_STRING(stop)
        for part in parts:
            if not 0 <= part < engine.parts:
                raise ValueError(f"there are parts 0 to {engine.parts - 1} only, not {part}")
            section = engine.find(part)
            job = (part - section.first) * engine.jobs_a_part
            end = min(job + engine.jobs_a_part, section.jobs)
            exchanged = self.exchanged and section.kind != TIE
            upper = engine.n // 2 - section.upper if exchanged else section.upper
            with nogil:
                self.join.found = self.join.rest_13 = self.join.rest_15 = 0
                if section.kind == EMPTY:
                    self.join.found = self.join.rest_13 = self.join.rest_15 = 1
                elif enter_frame(self.join, engine.n, section.hole, upper):
                    while job < end and not self.join.stop[0]:
                        choose_rows(section, engine.n, job, rows)
                        if exchanged:
                            memcpy(swapped[WEST], rows[EAST], sizeof(rows[EAST]))
                            memcpy(swapped[EAST], rows[WEST], sizeof(rows[WEST]))
                            memcpy(rows, swapped, sizeof(rows))
                        count_job(self.join, rows)
                        job += 1
            if self.join.failed:
                raise MemoryError
            if stop[0]:
                break
            counts.append((self.join.found, self.join.rest_13, self.join.rest_15))
        return counts

    def enter(self, int n, hole, int upper):
        """Choose the frame for a hole, None for even n, and so many western rows in the north.

        Return how many bits the words have: (index, rest), with two flags between them.
        """
        if not enter_frame(self.join, n, n // 2 if hole is None else hole, upper):
            raise MemoryError
        return self.join.frame.index, self.join.frame.rest

    def halves(self, int n, hole, western_rows, bint east):
        """Return the words of all halves on these rows, or in the east on the others.

        They are sorted by index and flags; western ones with both flags stand there twice.
        """
        cdef int centre = n // 2 if hole is None else hole, part, place
        cdef uint32_t[2][2] rows
        cdef Slice every
        cdef Half* half = &self.join.half[east]
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
        return [half.word[i] for i in range(half.number)]

    def square(self, int row, int column):
        """Return the word of a square in the frame; 0 if no queen may stand there."""
        cdef const Frame* frame = &self.join.frame
        cdef bint east = column >= frame.half
        if east:
            column -= frame.n - frame.half
        return frame.square[east][row][column] if frame.open[east][row] >> column & 1 else 0

    def pairs(self, west, east):
        """Return how many pairs of these words of the frame share no bit but flags; eastern ones
        with a flag have no partners.
        """
        cdef const Frame* frame = &self.join.frame
        cdef bytearray go = bytearray(1)
        cdef size_t number = len(west), classes = <size_t>4 << frame.index, place, i
        cdef Half half
        cdef Flags flags
        cdef uint64_t* words = <uint64_t*>malloc((number + 1) * sizeof(uint64_t))
        half.word = <uint64_t*>malloc((<size_t>len(east) + 1) * sizeof(uint64_t))
        half.offset = <uint32_t*>malloc((classes + 1) * sizeof(uint32_t))
        try:
            if words is NULL or half.word is NULL or half.offset is NULL:
                raise MemoryError
            for i in range(number):
                words[i] = west[i]
            east = sorted(east)
            place = 0
            for i in range(<size_t>len(east)):
                half.word[i] = east[i]
                while place <= half.word[i] >> frame.rest:
                    half.offset[place] = <uint32_t>i
                    place += 1
            while place <= classes:
                half.offset[place] = <uint32_t>len(east)
                place += 1
            self.join.stop = PyByteArray_AS_STRING(go)
            self.join.found = 0
            flags.first = flags.last = 0
            meet(self.join, words, number, &half, flags, 1)
            return self.join.found
        finally:
            free(words)
            free(half.word)
            free(half.offset)

"""The counting engine: crosses -> jobs -> kernel. See docs/engine.md and ext/kernel.h.

Rows are filled in the same order for all crosses that fill the same rows: the next row is always
the one with the fewest expected free squares.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort, realloc
from libc.string cimport memcpy

cdef extern from "engine.h":
    enum:
        LARGEST_N
        NARROW_N
        SLACK
    ctypedef struct Job:
        uint64_t columns, sums, differences
    ctypedef struct Plan:
        int n, rows, wide
        int[32] row
        uint64_t[32] keep
    ctypedef struct Work:
        const Plan* plan
        void* memory
        size_t capacity, stride
        const char* stop
        uint64_t placements, found
        uint32_t rest_13, rest_15
    void prepare_kernels() nogil
    void complete(int kernel, Work* work, const Job* jobs, size_t number) nogil

cdef extern from "bits.h":
    int ones(uint64_t bits) nogil

include "cross.pxi"
include "kernels.pxi"

CAPACITY = 1024  # states of a level; a few hundred keep the lanes full, and all fit into the cache

cdef enum:
    RADIX = 8  # a part is divided into this many slices, repeatedly

prepare_kernels()


cdef class Engine:
    """How the crosses of one n are divided into parts, to be completed by a `Kernel`.

    Some jobs of one plan and weight, at most `jobs_a_part`, are a batch. `split` is the number
    of queens that a job has at least, if need be beyond the cross. Where a batch takes too long,
    its jobs are filled further, row by row, and what that gives is dealt out to `slices` parts,
    a power of 8. Part b * slices + s is slice s of batch b. `wide` takes lanes of 64 bits also
    where 32 are enough. Nothing of this changes what is counted.
    """

    cdef readonly int n, split, jobs_a_part, deals
    cdef readonly long long slices
    cdef readonly bint wide
    cdef Crosses crosses
    cdef Plan* plans
    cdef Job* jobs
    cdef Py_ssize_t room
    cdef Batch* batch
    cdef Py_ssize_t number_of_plans, number_of_jobs, number_of_batches

    def __cinit__(self, int n, int split, int jobs_a_part, bint wide, long long slices):
        cdef long long dealt = 1
        if not 0 <= n <= LARGEST_N:
            raise ValueError(f"n must be from 0 to {LARGEST_N}, not {n}")
        if jobs_a_part < 1:
            raise ValueError(f"a part must have 1 job or more, not {jobs_a_part}")
        while dealt < slices:
            dealt *= RADIX
            self.deals += 1
        if dealt != slices or self.deals > 14:
            raise ValueError(f"a batch must have 1, 8, 64, ... or {RADIX ** 14} slices, "
                             f"not {slices}")
        self.n = n
        self.split = split
        self.jobs_a_part = jobs_a_part
        self.slices = slices
        self.crosses.room = self.room = 256
        self.crosses.item = <Cross*>malloc(self.room * sizeof(Cross))
        self.jobs = <Job*>malloc(self.room * sizeof(Job))
        if self.crosses.item is NULL or self.jobs is NULL:
            raise MemoryError
        find_crosses(n, &self.crosses)
        qsort(self.crosses.item, self.crosses.number, sizeof(Cross), by_rows_and_weight)
        self.wide = wide or n > NARROW_N
        self.make_batches()

    def __dealloc__(self):
        free(self.crosses.item)
        free(self.plans)
        free(self.jobs)
        free(self.batch)

    cdef int make_batches(self) except -1:
        """Give each group of crosses a plan, split them, and divide them into batches."""
        cdef Py_ssize_t start = 0, end, i, first, groups = 0, batches
        cdef Cross* cross = self.crosses.item
        cdef Plan* plan
        cdef Batch* batch
        cdef int place
        for i in range(self.crosses.number):
            groups += i == 0 or by_rows_and_weight(&cross[i - 1], &cross[i]) != 0
        self.plans = <Plan*>malloc(max(groups, 1) * sizeof(Plan))
        if self.plans is NULL:
            raise MemoryError
        while start < self.crosses.number:
            end = start
            while end < self.crosses.number and not by_rows_and_weight(&cross[start], &cross[end]):
                end += 1
            plan = &self.plans[self.number_of_plans]
            self.number_of_plans += 1
            make_plan(plan, self.n, self.wide, &cross[start], end - start)
            place = min(max(self.split - cross[start].queens.number, 0), splittable(plan))
            first = self.number_of_jobs
            for i in range(start, end):
                self.split_job(plan, cross[i].job, 0, place)
            fill(plan, place)
            batches = (self.number_of_jobs - first + self.jobs_a_part - 1) // self.jobs_a_part
            self.batch = <Batch*>realloc(
                self.batch, (self.number_of_batches + batches + 1) * sizeof(Batch))
            if self.batch is NULL:
                raise MemoryError
            for i in range(batches):
                batch = &self.batch[self.number_of_batches]
                batch.plan = plan
                batch.weight = cross[start].weight
                batch.first = first + i * self.jobs_a_part
                batch.number = min(self.jobs_a_part, self.number_of_jobs - batch.first)
                self.number_of_batches += 1
            start = end
        return 0

    cdef int split_job(self, const Plan* plan, Job job, int level, int place) except -1:
        """Keep the job, after `place` rows of the plan have been filled in all ways."""
        cdef int row, column
        cdef uint64_t attacked
        cdef Job child
        if level == place:
            if self.number_of_jobs == self.room:
                self.room *= 2
                self.jobs = <Job*>realloc(self.jobs, self.room * sizeof(Job))
                if self.jobs is NULL:
                    raise MemoryError
            self.jobs[self.number_of_jobs] = job
            self.number_of_jobs += 1
            return 0
        row = plan.row[level]
        attacked = job.columns | job.sums >> row | job.differences >> (plan.n - 1 - row)
        for column in range(plan.n):
            if not attacked >> column & 1:
                child = job
                add_queen(&child, plan.n, row, column)
                self.split_job(plan, child, level + 1, place)
        return 0

    @property
    def parts(self):
        """The number of parts."""
        return self.number_of_batches * self.slices

    def images(self, long long part):
        """Return how many images each cross of a part has, itself included: 8, 4, 2 or 1."""
        return self.batch[part // self.slices].weight

    def cross_orbits(self):
        """Return (weight, squares) for each cross: the size of its orbit, and its queens."""
        cdef Py_ssize_t i
        cdef int k
        return [(self.crosses.item[i].weight,
                 [(self.crosses.item[i].queens.row[k], self.crosses.item[i].queens.column[k])
                  for k in range(self.crosses.item[i].queens.number)])
                for i in range(self.crosses.number)]


cdef class Kernel:
    """A kernel with its memory; each thread has its own."""

    cdef int number
    cdef Work work
    cdef Job* jobs     # those of a slice, and the next ones
    cdef Job* further
    cdef Py_ssize_t room

    def __cinit__(self, str name, size_t capacity=CAPACITY):
        self.number = require_kernel(name)
        if capacity < SLACK:
            raise ValueError(f"the capacity must be {SLACK} or more, not {capacity}")
        self.work.capacity = capacity
        self.work.stride = capacity + SLACK
        self.work.memory = malloc(LARGEST_N * 4 * self.work.stride * sizeof(uint64_t))
        if self.work.memory is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.work.memory)
        free(self.jobs)
        free(self.further)

    @property
    def bytes(self):
        """The memory that it has reserved so far."""
        return (LARGEST_N * 4 * self.work.stride * sizeof(uint64_t)
                + 2 * self.room * sizeof(Job))

    @property
    def placements(self):
        """The placements that its searches have visited so far; the same for all kernels."""
        return self.work.placements

    def complete(self, Engine engine not None, parts, bytearray stop=None):
        """Return (completions, these modulo 13, modulo 15) of each of these parts, all three
        added up separately; return fewer if another thread has set stop[0].
        """
        cdef Batch* batch
        cdef Plan plan
        cdef const Job* jobs
        cdef Py_ssize_t number
        cdef long long part
        counts = []
        if stop is None:
            stop = bytearray(1)
        self.work.stop = PyByteArray_AS_STRING(stop)
        for part in parts:
            if not 0 <= part < engine.number_of_batches * engine.slices:
                raise ValueError(f"there are parts 0 to {engine.parts - 1} only, not {part}")
            batch = &engine.batch[part // engine.slices]
            self.work.plan = batch.plan
            jobs, number = engine.jobs + batch.first, batch.number
            with nogil:
                if engine.slices > 1:
                    plan = batch.plan[0]
                    number = self.deal(&plan, jobs, number, part % engine.slices, engine.deals)
                    self.work.plan = &plan
                    jobs = self.jobs
                complete(self.number, &self.work, jobs, number)
            if stop[0]:
                break
            counts.append((self.work.found, self.work.rest_13, self.work.rest_15))
        return counts

    cdef Py_ssize_t deal(self, Plan* plan, const Job* jobs, Py_ssize_t number, long long slice,
                         int deals) except -1 nogil:
        """Put the jobs of one slice into self.jobs, with their first rows filled, and remove these
        rows from the plan; return the number of jobs.

        The first row is filled for all of them. Then, row after row, one in RADIX is kept; the
        digits of the slice say which. So all slices have about the same number of jobs, and few
        jobs are made for nothing.
        """
        cdef int rows = min(deals + 1, splittable(plan)), level, row, column
        cdef int radix = 1, digit = 0
        cdef Py_ssize_t i, seen, kept
        cdef uint64_t attacked
        cdef Job job
        self.make_room(number)
        memcpy(self.jobs, jobs, number * sizeof(Job))
        for level in range(deals + 1):
            row = plan.row[level]
            seen = kept = 0
            for i in range(number):
                job = self.jobs[i]
                attacked = ~<uint64_t>1  # if no row is left to fill, the job itself is kept
                if level < rows:
                    attacked = (job.columns | job.sums >> row
                                | job.differences >> (plan.n - 1 - row))
                for column in range(max(plan.n, 1)):
                    if attacked >> column & 1:
                        continue
                    if seen % radix == digit:
                        self.make_room(kept + 1)
                        self.further[kept] = job
                        if level < rows:
                            add_queen(&self.further[kept], plan.n, row, column)
                        kept += 1
                    seen += 1
            self.jobs, self.further = self.further, self.jobs
            number = kept
            radix, digit = RADIX, slice % RADIX
            slice //= RADIX
        fill(plan, rows)
        return number

    cdef int make_room(self, Py_ssize_t number) except -1 nogil:
        cdef Job* jobs
        cdef Job* further
        if number <= self.room:
            return 0
        number *= 2
        jobs = <Job*>realloc(self.jobs, number * sizeof(Job))
        if jobs is not NULL:
            self.jobs = jobs
            further = <Job*>realloc(self.further, number * sizeof(Job))
            if further is not NULL:
                self.further = further
                self.room = number
                return 0
        with gil:
            raise MemoryError


def completions(int n, squares, str kernel, bint wide=False):
    """Return in how many ways the queens on these squares of the cross can be completed."""
    cdef Kernel memory = Kernel(kernel)
    cdef Cross cross
    cdef Plan plan
    cdef char go = 0
    cdef int row, column
    cross.job.columns = cross.job.sums = cross.job.differences = cross.rows = 0
    for row, column in squares:
        cross.rows |= <uint64_t>1 << row
        add_queen(&cross.job, n, row, column)
    make_plan(&plan, n, wide or n > NARROW_N, &cross, 1)
    memory.work.stop = &go
    memory.work.plan = &plan
    complete(memory.number, &memory.work, &cross.job, 1)
    return memory.work.found


ctypedef struct Batch:
    Plan* plan
    int weight
    Py_ssize_t first, number


cdef int by_rows_and_weight(const void* a, const void* b) noexcept nogil:
    cdef const Cross* x = <const Cross*>a
    cdef const Cross* y = <const Cross*>b
    if x.rows != y.rows:
        return -1 if x.rows < y.rows else 1
    return x.weight - y.weight


cdef void make_plan(Plan* plan, int n, bint wide, const Cross* cross,
                    Py_ssize_t number) noexcept nogil:
    """Choose the order of the rows that these crosses leave open.

    A queen takes about (1 + 2 (n-d)/n) / n of the squares of a row at distance d. Some of them were
    taken before; a factor of 0.7 was found to give the best order.
    """
    cdef double[32] expected
    cdef uint64_t filled = cross.rows, attacked, full = (<uint64_t>1 << n) - 1
    cdef int row, best, distance, ambiguous = 0 if n < 18 or wide else 2 * n - 33
    cdef bint turned = False
    cdef Py_ssize_t i
    plan.n = n
    plan.wide = wide
    plan.rows = 0
    for row in range(n):
        expected[row] = 0
        for i in range(number):
            attacked = (cross[i].job.columns | cross[i].job.sums >> row
                        | cross[i].job.differences >> (n - 1 - row))
            expected[row] += ones(full & ~attacked)
    while filled != full:
        best = -1
        for row in range(n):
            if not filled >> row & 1 and (best < 0 or sooner(n, expected, row, best, ambiguous)):
                best = row
        plan.row[plan.rows] = best
        plan.keep[plan.rows] = ~<uint64_t>0
        if best < ambiguous and not turned:
            turned = True
            plan.keep[plan.rows] <<= ambiguous
        plan.rows += 1
        filled |= <uint64_t>1 << best
        for row in range(n):
            distance = row - best if row > best else best - row
            expected[row] *= 1 - 0.7 * (n + 2 * (n - distance)) / (n * n)


cdef bint sooner(int n, const double* expected, int row, int other, int ambiguous) noexcept nogil:
    """Return whether `row` must be filled before `other`.

    For n > 17 the diagonals do not fit into 32 bits: the first and the last few
    share a bit. The first ones belong to the topmost `ambiguous` rows, the last ones to the lowest.
    So the topmost rows come last, and the marks that only the lowest rows needed are
    removed before them.
    """
    cdef int middle = 2 * row - n + 1, other_middle = 2 * other - n + 1
    if (row < ambiguous) != (other < ambiguous):
        return row >= ambiguous
    if expected[row] != expected[other]:
        return expected[row] < expected[other]
    return middle * middle < other_middle * other_middle


cdef int splittable(const Plan* plan) noexcept nogil:
    """Return how many rows may be filled in advance: three are left to the kernel, and one before
    those for which marks must be removed.
    """
    cdef int place = 0
    while place < plan.rows - 3 and plan.keep[place + 1] == ~<uint64_t>0:
        place += 1
    return place


cdef void fill(Plan* plan, int rows) noexcept nogil:
    """Remove its first rows from a plan, because they are filled."""
    cdef int i
    plan.rows -= rows
    for i in range(plan.rows):
        plan.row[i] = plan.row[i + rows]
        plan.keep[i] = plan.keep[i + rows]

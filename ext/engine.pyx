"""The counting engine: crosses -> jobs -> kernel. See docs/engine.md and ext/kernel.h.

Rows are filled in an order that is fixed for all crosses which fill the same rows: always
the row that has the fewest free squares left to expect.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort, realloc

cdef extern from "engine.h":
    enum:
        LARGEST_N
        NARROW_N
        SLACK
        KERNELS
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
    void prepare_kernels() nogil
    bint can_run(int kernel) nogil
    uint64_t complete(int kernel, Work* work, const Job* jobs, size_t number) nogil
    long take_number(long* counter) nogil

cdef extern from "bits.h":
    int ones(uint64_t bits) nogil

include "cross.pxi"

NAMES = ("portable", "avx2", "avx512")
CAPACITY = 1024  # states a level; a few hundred keep the lanes full, all fit into the cache

prepare_kernels()


def kernels():
    """Return the names of the kernels that this processor can run, the fastest first."""
    return [NAMES[kernel] for kernel in reversed(range(KERNELS)) if can_run(kernel)]


cdef class Engine:
    """The jobs of one n, in parts; threads that `work` take one part after the other.

    A part is some jobs with the same plan and weight. `split` is the number of
    queens that a job has at least, if need be beyond the cross. `wide` takes lanes
    of 64 bits also where 32 are enough.
    """

    cdef readonly int n, split, jobs_a_part
    cdef readonly bint wide
    cdef Crosses crosses
    cdef Plan* plans
    cdef Job* jobs
    cdef Py_ssize_t room
    cdef Part* part
    cdef Py_ssize_t number_of_plans, number_of_jobs, number_of_parts
    cdef long taken, finished

    def __cinit__(self, int n, int split=0, int jobs_a_part=8, bint wide=False):
        if not 0 <= n <= LARGEST_N:
            raise ValueError(f"n must be from 0 to {LARGEST_N}, not {n}")
        if jobs_a_part < 1:
            raise ValueError(f"a part must have 1 job or more, not {jobs_a_part}")
        self.n = n
        self.crosses.room = self.room = 256
        self.crosses.item = <Cross*>malloc(self.room * sizeof(Cross))
        self.jobs = <Job*>malloc(self.room * sizeof(Job))
        if self.crosses.item is NULL or self.jobs is NULL:
            raise MemoryError
        find_crosses(n, &self.crosses)
        qsort(self.crosses.item, self.crosses.number, sizeof(Cross), by_rows_and_weight)
        self.split = split or (3 if n < 17 else 5 if 20 <= n < 25 else 4)
        self.jobs_a_part = jobs_a_part
        self.wide = wide or n > NARROW_N
        self.make_parts(self.split, jobs_a_part, self.wide)

    def __dealloc__(self):
        free(self.crosses.item)
        free(self.plans)
        free(self.jobs)
        free(self.part)

    cdef int make_parts(self, int split, int jobs_a_part, bint wide) except -1:
        """Give each group of crosses a plan, split them, and deal them out in parts."""
        cdef Py_ssize_t start = 0, end, i, first, groups = 0, parts
        cdef Cross* cross = self.crosses.item
        cdef Plan* plan
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
            make_plan(plan, self.n, wide, &cross[start], end - start)
            place = min(max(split - cross[start].queens.number, 0), splittable(plan))
            first = self.number_of_jobs
            for i in range(start, end):
                self.split_job(plan, cross[i].job, 0, place)
            plan.rows -= place
            for i in range(plan.rows):
                plan.row[i] = plan.row[i + place]
                plan.keep[i] = plan.keep[i + place]
            parts = (self.number_of_jobs - first + jobs_a_part - 1) // jobs_a_part
            self.part = <Part*>realloc(self.part, (self.number_of_parts + parts + 1) * sizeof(Part))
            if self.part is NULL:
                raise MemoryError
            for i in range(parts):
                self.part[self.number_of_parts].plan = plan
                self.part[self.number_of_parts].weight = cross[start].weight
                self.part[self.number_of_parts].first = first + i * jobs_a_part
                self.part[self.number_of_parts].number = min(
                    jobs_a_part, self.number_of_jobs - first - i * jobs_a_part)
                self.part[self.number_of_parts].done = False
                self.number_of_parts += 1
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

    def work(self, str kernel, bytearray stop not None, size_t capacity=CAPACITY):
        """Take parts and count their completions until there are none left.

        Several threads may do so at once. Another one ends it by setting stop[0].
        """
        cdef Work work
        cdef Part* part
        cdef long taken
        cdef int number = NAMES.index(kernel)
        if not can_run(number):
            raise ValueError(f"this processor cannot run the kernel {kernel!r}, only "
                             f"{' and '.join(kernels())}")
        if capacity < SLACK:
            raise ValueError(f"the capacity must be {SLACK} or more, not {capacity}")
        provide(&work, capacity, PyByteArray_AS_STRING(stop))
        with nogil:
            while not work.stop[0]:
                taken = take_number(&self.taken)
                if taken >= self.number_of_parts:
                    break
                part = &self.part[taken]
                if part.done:
                    continue
                work.plan = part.plan
                part.found = complete(number, &work, self.jobs + part.first, part.number)
                if not work.stop[0]:
                    part.done = True
                    take_number(&self.finished)
        free(work.memory)

    def mark(self, Py_ssize_t index, uint64_t found):
        """Take a part for counted: to be called before any thread works."""
        if not 0 <= index < self.number_of_parts or self.part[index].done:
            raise ValueError(f"there is no part {index} that is not counted yet")
        self.part[index].found = found
        self.part[index].done = True
        self.finished += 1

    def counted(self, bytearray told not None):
        """Return (part, completions) for each part that is counted and not told of yet, and
        note in `told`, a byte a part, that it is.
        """
        cdef Py_ssize_t i
        fresh = []
        for i in range(self.number_of_parts):
            if self.part[i].done and not told[i]:
                told[i] = 1
                fresh.append((i, self.part[i].found))
        return fresh

    def recount(self, parts, str kernel, size_t capacity=CAPACITY):
        """Return the completions of each of these parts, counted once more."""
        cdef Work work
        cdef Part* part
        cdef char go = 0
        cdef int number = NAMES.index(kernel)
        if not can_run(number):
            raise ValueError(f"this processor cannot run the kernel {kernel!r}")
        if not all(0 <= index < self.number_of_parts for index in parts):
            raise ValueError(f"there are parts 0 to {self.number_of_parts - 1} only, not {parts}")
        found = []
        provide(&work, capacity, &go)
        try:
            for index in parts:
                part = &self.part[<Py_ssize_t>index]
                work.plan = part.plan
                with nogil:
                    part.again = complete(number, &work, self.jobs + part.first, part.number)
                found.append(part.again)
        finally:
            free(work.memory)
        return found

    @property
    def progress(self):
        """Parts that are done, and all parts."""
        return self.finished, self.number_of_parts

    @property
    def found(self):
        """The solutions counted so far, a whole number without limit."""
        cdef Py_ssize_t i
        total = 0
        for i in range(self.number_of_parts):
            if self.part[i].done:
                total += self.part[i].weight * self.part[i].found
        return total

    def cross_orbits(self):
        """Return (weight, squares) for each cross: the size of its orbit, and its queens."""
        cdef Py_ssize_t i
        cdef int k
        return [(self.crosses.item[i].weight,
                 [(self.crosses.item[i].queens.row[k], self.crosses.item[i].queens.column[k])
                  for k in range(self.crosses.item[i].queens.number)])
                for i in range(self.crosses.number)]


cdef int provide(Work* work, size_t capacity, const char* stop) except -1:
    """Give a kernel its buffers, to be freed after."""
    work.capacity = capacity
    work.stride = capacity + SLACK
    work.stop = stop
    work.memory = malloc(LARGEST_N * 4 * work.stride * sizeof(uint64_t))
    if work.memory is NULL:
        raise MemoryError
    return 0


def completions(int n, squares, str kernel, bint wide=False):
    """Return in how many ways the queens on these squares of the cross can be completed."""
    cdef Cross cross
    cdef Plan plan
    cdef Work work
    cdef char go = 0
    cdef int row, column
    cdef uint64_t found
    cross.job.columns = cross.job.sums = cross.job.differences = cross.rows = 0
    for row, column in squares:
        cross.rows |= <uint64_t>1 << row
        add_queen(&cross.job, n, row, column)
    make_plan(&plan, n, wide or n > NARROW_N, &cross, 1)
    provide(&work, CAPACITY, &go)
    work.plan = &plan
    found = complete(NAMES.index(kernel), &work, &cross.job, 1)
    free(work.memory)
    return found


ctypedef struct Part:
    Plan* plan
    int weight
    Py_ssize_t first, number
    bint done
    uint64_t found, again


cdef int by_rows_and_weight(const void* a, const void* b) noexcept nogil:
    cdef const Cross* x = <const Cross*>a
    cdef const Cross* y = <const Cross*>b
    if x.rows != y.rows:
        return -1 if x.rows < y.rows else 1
    return x.weight - y.weight


cdef void make_plan(Plan* plan, int n, bint wide, const Cross* cross,
                    Py_ssize_t number) noexcept nogil:
    """Choose the order of the rows that these crosses leave open.

    A queen takes from a row at distance d about (1 + 2 (n-d)/n) / n of its squares; of
    which some were taken before, so that 0.7 of it was found to order best.
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
    """Whether `row` is to be filled before `other`.

    For n > 17 the diagonals do not fit into 32 bits: the first and the last few
    share a bit. Those of the one kind belong to the topmost `ambiguous` rows, those
    of the other to the lowest; so the topmost come last, and the marks that only the
    lowest had use for are taken away before.
    """
    cdef int middle = 2 * row - n + 1, other_middle = 2 * other - n + 1
    if (row < ambiguous) != (other < ambiguous):
        return row >= ambiguous
    if expected[row] != expected[other]:
        return expected[row] < expected[other]
    return middle * middle < other_middle * other_middle


cdef int splittable(const Plan* plan) noexcept nogil:
    """How many rows may be filled beforehand: three are left to the kernel, and one before
    those for which marks have to be taken away.
    """
    cdef int place = 0
    while place < plan.rows - 3 and plan.keep[place + 1] == ~<uint64_t>0:
        place += 1
    return place

# How the join engine divides a count: its choices of rows are jobs, and some jobs a part.
#
# The northern rows of a job are a set X, its southern ones, upside down, those that are not in a
# set Y, and the east has the others. Turning the board exchanges X and Y. Turning it upside down,
# or left to right, exchanges X and Y with the sets of what they leave, of another size unless half
# the rows are in X. So for each size of X, up to half of the rows, there is a job for each X <= Y,
# and for X of half the rows for those with the first row in X.
#
# For odd n the queen in the middle column, at the `hole`, stands above the middle or in it. Above
# it, the queen in the middle row stands in the west: each choice of the other western rows is a
# job.
#
# If jobs take long, each slice of a job is a separate job; see `count_job` in join.h.

cdef enum Kind:
    PAIRS     # X < Y
    EQUAL     # X = Y
    TIE       # the middle row decides
    EMPTY     # no half has rows
    MOST_SECTIONS = 512
    MOST_DIGITS = 12

ctypedef struct Section:
    Kind kind
    int hole, upper, images
    long long first, jobs  # its first part, and how many jobs it has

cdef long long[33][33] choices  # the number of ways to choose some of these things


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
    """Return the set of this size with this rank, as bits."""
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
    hole, number of rows and size of orbit, are a part. Each of the `slices` of a choice of rows, a
    power of 3, is a job. The division does not change the counts.
    """

    cdef readonly int n, jobs_a_part
    cdef readonly long long parts, slices
    cdef readonly int digits  # of a slice, to the base of 3
    cdef Section[MOST_SECTIONS] section
    cdef int sections

    def __cinit__(self, int n, int jobs_a_part, long long slices=1):
        cdef int half = n // 2, upper, hole
        cdef long long sets
        self.slices = 1
        if not 0 <= n <= LARGEST_N:
            raise ValueError(f"n must be from 0 to {LARGEST_N}, not {n}")
        if jobs_a_part < 1:
            raise ValueError(f"a part must have 1 job or more, not {jobs_a_part}")
        while self.slices < slices and self.digits < MOST_DIGITS:
            self.slices *= 3
            self.digits += 1
        if self.slices != slices:
            raise ValueError(f"slices must be 1, 3, 9, ... or 3^{MOST_DIGITS}, not {slices}")
        self.n = n
        self.jobs_a_part = jobs_a_part
        if n < 2:
            self.add(EMPTY, 0, 0, 1, 1)
            return
        if n % 2:
            for hole in range(half):
                for upper in range(half):  # the middle row and `hole` are not northern rows
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
        section.jobs = jobs * self.slices
        self.sections += 1
        self.parts += (section.jobs + self.jobs_a_part - 1) // self.jobs_a_part
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

    def choices(self, parts):
        """Return the jobs of some parts as bytes, numbers of 64 bits: for each the place of its part,
        its number among all (`find_job`), the hole, the number of western rows in the north, the
        slice, and the sets of rows of `choose_rows`.
        """
        cdef bytearray found = bytearray()
        cdef int64_t[9] row
        cdef uint32_t[2][2] rows
        cdef const Section* section
        cdef long long job, first, number, jobs
        cdef int i
        for place, part in enumerate(parts):
            section = self.find(part)
            number, jobs = self.find_job(part, 0)
            first = (part - section.first) * self.jobs_a_part
            for job in range(first, first + jobs):
                choose_rows(section, self.n, job // self.slices, rows)
                row[:5] = [place, number + job - first, section.hole, section.upper,
                           job % self.slices]
                for i in range(4):
                    row[5 + i] = rows[i // 2][i % 2]
                found += (<char*>row)[:sizeof(row)]
        return found

    def jobs(self, long long part):
        """Return (hole, western rows) of each job of a part; hole is None for even n."""
        cdef const Section* section = self.find(part)
        cdef long long job, first = (part - section.first) * self.jobs_a_part
        cdef uint32_t[2][2] rows
        found = []
        for job in range(first, min(first + self.jobs_a_part, section.jobs)):
            choose_rows(section, self.n, job // self.slices, rows)
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

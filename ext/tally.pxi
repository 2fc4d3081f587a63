# What the cores have in common: the two builds of a search, and the check for Ctrl-C.
#
# A search is written once as a function of the fused type Build and compiled
# twice. In the build for Plain the statements under `if Build is Counting` do
# not exist; nqbench/search/tally.py says what they count.

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "Python.h":
    void* PyErr_Occurred()
    int PyErr_CheckSignals()  # without "except": the search ends first, then it is raised

cdef extern from *:
    """
    #if defined(__clang__)
    #define NQBENCH_COMPILER "clang " __clang_version__
    #elif defined(__GNUC__)
    #define NQBENCH_COMPILER "gcc " __VERSION__
    #elif defined(_MSC_FULL_VER)
    #define NQBENCH_STRING(x) #x
    #define NQBENCH_EXPAND(x) NQBENCH_STRING(x)
    #define NQBENCH_COMPILER "msvc " NQBENCH_EXPAND(_MSC_FULL_VER)
    #else
    #define NQBENCH_COMPILER "unknown"
    #endif
    """
    const char* NQBENCH_COMPILER
    unsigned long CYTHON_HEX_VERSION

LARGEST_N = 32

cdef enum:
    MAX_N = 32
    # Rows below the row where a search checks for Ctrl-C: a subtree of this many rows takes some
    # milliseconds, a hundredth of the allowed second.
    POLL_ROWS = 14

ctypedef struct Plain:
    uint64_t visits
    uint32_t full       # the columns of the board; emptied to stop the search
    uint32_t first      # the columns that the first queen may take
    int n
    const char* stop    # another thread sets *stop to end the search
    bint interrupted

ctypedef struct Counting:
    uint64_t visits
    uint32_t full, first
    int n
    const char* stop
    bint interrupted
    uint64_t[MAX_N + 1] levels
    bint[MAX_N + 1] childless
    uint64_t[MAX_N + 1] dead_levels
    uint64_t tests, exhaustions
    uint64_t tests_to_first, nodes_to_first
    uint32_t[MAX_N] queens     # by row, the bit of its column
    uint8_t* kept              # placements reached, n bytes each
    uint64_t capacity          # placements after which the search ends; never if 0
    uint32_t[MAX_N] path       # a placement reached before, as queens
    int following              # rows filled as on the path; -1 once the search has left it

ctypedef fused Build:
    Plain
    Counting


cdef inline void start(Build* build, int n) noexcept nogil:
    build.visits = 0
    build.n = n
    build.full = build.first = <uint32_t>((<uint64_t>1 << n) - 1)
    build.stop = NULL
    build.interrupted = False
    cdef int level
    if Build is Counting:
        for level in range(MAX_N + 1):
            build.levels[level] = 0
            build.dead_levels[level] = 0
            build.childless[level] = True
        build.tests = build.exhaustions = 0
        build.tests_to_first = build.nodes_to_first = 0
        build.capacity = 0
        build.following = -1


cdef inline void node(Build* build, int level) noexcept nogil:
    if Build is Counting:
        build.levels[level] += 1
        build.childless[level] = True
        if level:
            build.childless[level - 1] = False


cdef inline uint32_t ahead(Build* build, int row, uint32_t free) noexcept nogil:
    """Return the free columns of `row` without those that come before the path."""
    if Build is Counting:
        if build.following == row:
            return free & ~(build.path[row] - 1)
    return free


cdef inline void place(Build* build, int row, uint32_t bit) noexcept nogil:
    if Build is Counting:
        build.queens[row] = bit
        if build.following == row:
            build.following = row + 1 if bit == build.path[row] else -1


cdef inline void test(Build* build, int row, uint32_t bit) noexcept nogil:
    """The square of column `bit` is tried in `row`."""
    if Build is Counting:
        build.tests += 1
        place(build, row, bit)


cdef inline void exhausted(Build* build, int level) noexcept nogil:
    if Build is Counting:
        build.exhaustions += 1
        build.dead_levels[level] += build.childless[level]


cdef inline void solution(Build* build) noexcept nogil:
    cdef int i
    if Build is Counting:
        if build.following == build.n:  # the path itself
            build.following = -1
            return
        if not build.visits:
            build.tests_to_first = build.tests
            for i in range(build.n + 1):
                build.nodes_to_first += build.levels[i]
        if build.visits < build.capacity:
            for i in range(build.n):
                build.kept[build.visits * build.n + i] = <uint8_t>column_of(build.queens[i])
            if build.visits + 1 == build.capacity:
                build.full = build.first = 0
    build.visits += 1


cdef inline int column_of(uint32_t bit) noexcept nogil:
    cdef int column = 0
    while bit > 1:
        bit >>= 1
        column += 1
    return column


cdef inline void look_for_interrupt(Build* build) noexcept nogil:
    """Let Python handle Ctrl-C; if it raises, or another thread sets `stop`, empty the
    board, so that no node has a child any more and the search is soon over.
    """
    if build.interrupted:
        return
    if build.stop and build.stop[0]:
        build.interrupted = True
    else:
        with gil:
            build.interrupted = PyErr_CheckSignals() != 0
    if build.interrupted:
        build.full = 0


cdef int raise_interrupt(bint interrupted) except -1:
    """Raise the exception of the handler of Ctrl-C, which Python still holds."""
    if interrupted and not PyErr_Occurred():
        raise InterruptedError("the search was stopped")
    return -1 if interrupted else 0


cdef int checked(n) except -1:
    if not 0 <= n <= MAX_N:
        raise ValueError(f"n must be from 0 to {MAX_N}, not {n}")
    return n


def built_with():
    """Return the compiler and the Cython that built this core, as text."""
    cdef unsigned long v = CYTHON_HEX_VERSION
    return {"compiler": NQBENCH_COMPILER.decode(),
            "cython": f"{v >> 24}.{v >> 16 & 255}.{v >> 8 & 255}"}


cdef object report(Counting* counting):
    """Return the counters by name."""
    return {
        "visits": counting.visits,
        "levels": [counting.levels[level] for level in range(counting.n + 1)],
        "tests": counting.tests,
        "exhaustions": counting.exhaustions,
        "dead_levels": [counting.dead_levels[level] for level in range(counting.n + 1)],
        "tests_to_first": counting.tests_to_first,
        "nodes_to_first": counting.nodes_to_first,
    }


def count(n, columns=None, bytearray stop=None):
    """Return how many placements the search reaches (0 <= n <= 32).

    With `columns`, a mask, only those whose first queen stands in one of them.
    Another thread ends the search by setting the first byte of `stop`, a
    bytearray; then InterruptedError is raised.
    """
    cdef Plain plain
    start(&plain, checked(n))
    if columns is not None:
        plain.first &= <uint32_t>columns
    if stop is not None:
        plain.stop = PyByteArray_AS_STRING(stop)
    with nogil:
        search(&plain)
    raise_interrupt(plain.interrupted)
    return plain.visits


def tally(n):
    """Return the counters of the search by name."""
    cdef Counting counting
    start(&counting, checked(n))
    with nogil:
        search(&counting)
    raise_interrupt(counting.interrupted)
    return report(&counting)


def reach(n, most, bytes after=None):
    """Return how many placements the search reaches, at most `most` >= 1, and these as bytes, n
    columns each; with `after`, a placement that it reaches, only those that come later.

    The search ends at the last of them, and with `after` begins there.
    """
    cdef Counting counting
    cdef int row
    start(&counting, checked(n))
    kept = PyBytes_FromStringAndSize(NULL, most * n)
    counting.kept = <uint8_t*>PyBytes_AS_STRING(kept)
    counting.capacity = most
    if after is not None:
        if len(after) != n or any(column >= n for column in after):
            raise ValueError(f"after must be {n} columns from 0 to {n - 1}, not {list(after)}")
        for row in range(n):
            counting.path[row] = <uint32_t>1 << <int>after[row]
        counting.following = 0
    with nogil:
        search(&counting)
    raise_interrupt(counting.interrupted)
    return counting.visits, kept[:counting.visits * n]

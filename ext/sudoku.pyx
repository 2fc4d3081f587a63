"""The solvers of Sudoku, compiled.

`textbook_bitmask` and `fewest_first` are the same searches as in nqbench/problems/sudoku, in the
same order and with the same counters, in a build that counts and a plain one. `fast` is in
sudoku.h. A search checks Ctrl-C and the clock every LOOK_EVERY nodes.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.exc cimport PyErr_CheckSignals as check_signals
from cpython.time cimport perf_counter
from libc.math cimport INFINITY
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from nqbench.problems.sudoku.grid import BOX as BOXES
from nqbench.problems.sudoku.grid import PEERS as NEIGHBOURS
from nqbench.problems.sudoku.grid import UNITS as LINES

cdef extern from "Python.h":
    int PyErr_CheckSignals()  # without "except": the search ends first, then it is raised

cdef extern from "bits.h":
    int ones(uint64_t bits) nogil

cdef extern from "sudoku.h":
    enum:
        GAVE_UP
        INTERRUPTED
        NO_MEMORY
        LOOK_EVERY
    ctypedef struct Task:
        uint64_t limit, allowed, keep
        int in_order
        uint8_t* kept
        uint64_t found, nodes, guesses, dead_ends, nodes_to_first
        int stopped
        int (*look)(Task*) noexcept
        double deadline
    uint8_t* place_to_keep(Task* task)
    void solve(int kernel, const uint8_t* givens, Task* task)
    bint solve_range(int kernel, const uint8_t* givens, uint64_t number, uint64_t limit,
                     uint64_t* counts, uint8_t* first,
                     const unsigned char* interrupt) nogil

include "kernels.pxi"

cdef enum:
    ALL = 0x1ff

cdef int[81] BOX
cdef int[81][20] PEERS
cdef int[27][9] UNITS

cdef int _cell, _k
for _cell in range(81):
    BOX[_cell] = BOXES[_cell]
    for _k in range(20):
        PEERS[_cell][_k] = NEIGHBOURS[_cell][_k]
for _cell in range(27):
    for _k in range(9):
        UNITS[_cell][_k] = LINES[_cell][_k]

ctypedef struct Plain:
    Task* task

ctypedef struct Counting:
    Task* task
    uint64_t[82] levels, dead_levels
    bint[82] childless
    uint64_t tests, scans, comparisons, exhaustions
    uint64_t tests_to_first

ctypedef fused Build:
    Plain
    Counting

cdef int FASTEST = NAMES.index(kernels()[0])


cdef int look(Task* task) noexcept:
    """What stops a search: Ctrl-C, or the time."""
    if PyErr_CheckSignals() != 0:
        return INTERRUPTED
    return GAVE_UP if perf_counter() > task.deadline else 0


cdef inline bint node(Build* build, int level) noexcept:
    """Count a grid that was reached; return whether the search continues from it."""
    cdef Task* task = build.task
    if task.nodes == task.allowed:
        task.stopped = GAVE_UP
        return False
    task.nodes += 1
    if Build is Counting:
        build.levels[level] += 1
        build.childless[level] = True
        if level:
            build.childless[level - 1] = False
    if task.nodes % LOOK_EVERY == 0:
        task.stopped = look(task)
    return not task.stopped


cdef inline void test(Build* build, int others) noexcept:
    """Count a digit that is tried; it is a guess while others are left for its cell."""
    if Build is Counting:
        build.tests += 1
        if others:
            build.task.guesses += 1


cdef inline bint exhausted(Build* build, int level) noexcept:
    if Build is Counting:
        build.exhaustions += 1
        build.dead_levels[level] += build.childless[level]
    return True


cdef inline bint solution(Build* build, const uint8_t* digits) noexcept:
    """Count a solution; return whether the search looks for more."""
    cdef Task* task = build.task
    cdef uint8_t* place
    if Build is Counting:
        if not task.found:
            build.tests_to_first = build.tests
            task.nodes_to_first = task.nodes
    place = place_to_keep(task)
    if place:
        memcpy(place, digits, 81)
    task.found += 1
    return task.found < task.limit and not task.stopped


ctypedef struct Lines:
    uint16_t[9] rows, columns, boxes  # masks of the placed digits
    uint8_t[81] digits
    int[81] empty                     # the cells, in reading order
    int number


cdef bint cell_by_cell(Build* build, Lines* lines, int level) noexcept:
    """Fill the empty cells from `level` on; return False if the search is over."""
    cdef int cell, row, column, box
    cdef int free, bit
    if not node(build, level):
        return False
    if level == lines.number:
        return solution(build, lines.digits)
    cell = lines.empty[level]
    row, column, box = cell // 9, cell % 9, BOX[cell]
    free = ALL & ~(lines.rows[row] | lines.columns[column] | lines.boxes[box])
    while free:
        bit = free & -free
        free -= bit
        test(build, free)
        lines.rows[row] |= bit
        lines.columns[column] |= bit
        lines.boxes[box] |= bit
        lines.digits[cell] = ones(bit - 1) + 1
        if not cell_by_cell(build, lines, level + 1):
            return False
        lines.rows[row] ^= bit
        lines.columns[column] ^= bit
        lines.boxes[box] ^= bit
    return exhausted(build, level)


cdef void textbook_bitmask(Build* build, const uint8_t* givens) noexcept:
    cdef Lines lines
    cdef int cell, bit
    memset(&lines, 0, sizeof(Lines))
    memcpy(lines.digits, givens, 81)
    for cell in range(81):
        if givens[cell]:
            bit = 1 << (givens[cell] - 1)
            lines.rows[cell // 9] |= bit
            lines.columns[cell % 9] |= bit
            lines.boxes[BOX[cell]] |= bit
        else:
            lines.empty[lines.number] = cell
            lines.number += 1
    cell_by_cell(build, &lines, 0)


cdef bint settle(Build* build, uint16_t* masks, int* placed, int many) noexcept:
    """Draw all conclusions from the `many` placed cells; return False at a contradiction."""
    cdef int cell, peer, k, unit, bit, left, once, twice, alone
    while many:
        while many:
            many -= 1
            cell = placed[many]
            bit = masks[cell]
            for k in range(20):
                peer = PEERS[cell][k]
                if Build is Counting:
                    build.scans += 1
                if masks[peer] & bit:
                    masks[peer] ^= bit
                    left = masks[peer]
                    if not left:
                        return False
                    if not left & (left - 1):
                        placed[many] = peer
                        many += 1
        for unit in range(27):
            if Build is Counting:
                build.scans += 9
            once = twice = 0
            for k in range(9):
                bit = masks[UNITS[unit][k]]
                twice |= once & bit
                once |= bit
            if once != ALL:
                return False
            alone = once & ~twice
            for k in range(9):
                cell = UNITS[unit][k]
                bit = masks[cell] & alone
                if bit and bit != masks[cell]:
                    if bit & (bit - 1):
                        return False
                    masks[cell] = bit
                    placed[many] = cell
                    many += 1
    return True


cdef bint fewest_next(Build* build, const uint16_t* masks, int empty) noexcept:
    """Search below settled masks; return False if the search is over."""
    cdef int level = empty, best = 0, fewest = 10, cell, many, free, bit
    cdef uint16_t[81] below
    cdef uint8_t[81] digits
    cdef int[162] placed
    for cell in range(81):
        level -= (masks[cell] & (masks[cell] - 1)) != 0
    if not node(build, level):
        return False
    if level == empty:
        for cell in range(81):
            digits[cell] = ones(masks[cell] - 1) + 1
        return solution(build, digits)
    for cell in range(81):
        if masks[cell] & (masks[cell] - 1):
            if Build is Counting:
                build.comparisons += 1
            many = ones(masks[cell])
            if many < fewest:
                best, fewest = cell, many
    free = masks[best]
    while free:
        bit = free & -free
        free -= bit
        test(build, free)
        memcpy(below, masks, sizeof(below))
        below[best] = bit
        placed[0] = best
        if settle(build, below, placed, 1):
            if Build is Counting:
                build.childless[level] = False
            if not fewest_next(build, below, empty):
                return False
    return exhausted(build, level)


cdef void fewest_first(Build* build, const uint8_t* givens) noexcept:
    cdef uint16_t[81] masks
    cdef int[162] placed
    cdef int cell, many = 0
    for cell in range(81):
        masks[cell] = 1 << (givens[cell] - 1) if givens[cell] else ALL
        if givens[cell]:
            placed[many] = cell
            many += 1
    if settle(build, masks, placed, many):
        fewest_next(build, masks, 81 - many)


cdef int start(Task* task, str name, bytes givens, limit, nodes, seconds) except -1:
    """Set up the task; return the kernel."""
    cdef int cell
    if len(givens) != 81:
        raise ValueError("a grid must be 81 digits")
    for cell in range(81):
        if digits(givens)[cell] > 9:
            raise ValueError("a grid must be 81 digits")
    memset(task, 0, sizeof(Task))
    task.limit = min(limit, 2**63)
    task.allowed = 2**63 if nodes is None else min(nodes, 2**63)
    task.deadline = INFINITY if seconds is None else perf_counter() + seconds
    task.look = look
    solver, colon, kernel = name.partition(":")
    if solver not in ("textbook_bitmask", "fewest_first", "fast"):
        raise ValueError(f"there is no solver {name!r} in the core")
    if not colon:
        return FASTEST
    if solver != "fast":
        raise ValueError(f"{solver} has no kernels")
    if kernel not in kernels():
        raise ValueError(f"there is no kernel {kernel!r} here, only {', '.join(kernels())}")
    return NAMES.index(kernel)


cdef inline const uint8_t* digits(bytes givens):
    return <const uint8_t*>PyBytes_AS_STRING(givens)


def counts(str name, list puzzles, limit):
    """Return for each puzzle how many solutions it has, at most `limit`, by the plain build;
    `name` is textbook_bitmask, fewest_first, fast, or fast:KERNEL.
    """
    cdef Task task
    cdef Plain plain
    found = []
    for givens in puzzles:
        check_signals()
        kernel = start(&task, name, givens, limit, None, None)
        plain.task = &task
        if limit:
            run(&plain, name, kernel, digits(givens))
        raise_stop(&task)
        found.append(task.found)
    return found


def solve_many(str kernel, const uint8_t[:, ::1] puzzles, uint64_t[::1] counts,
               uint8_t[:, ::1] first, Py_ssize_t begin, Py_ssize_t end, uint64_t limit,
               const unsigned char[::1] interrupt):
    """Solve these puzzles, of digits 0 to 9, by fast without the GIL: write how many solutions
    each has, at most `limit`, and the first of them. Return whether it reached the end; it stops
    soon after interrupt[0] is set.
    """
    cdef int number = require_kernel(kernel)
    cdef bint done
    if not 0 <= begin < end <= len(puzzles) or not len(counts) == len(first) == len(puzzles):
        raise ValueError("there are no such puzzles")
    if puzzles.shape[1] != 81 or first.shape[1] != 81 or not len(interrupt):
        raise ValueError("a grid must be 81 digits")
    with nogil:
        done = solve_range(number, &puzzles[begin, 0], end - begin, limit, &counts[begin],
                           &first[begin, 0], &interrupt[0])
    return done


def search(str name, bytes givens, limit, keep, nodes=None, seconds=None, bint in_order=False):
    """Search for `limit` solutions by the counting build; return how many were found, the first
    `keep` of them as bytes, 81 digits each, the counters by name, and (nodes, seconds) if it gave
    up, else None. With `in_order` fast finds them in the order of their digits.
    """
    cdef Task task
    cdef Counting counting
    kernel = start(&task, name, givens, limit, nodes, seconds)
    memset(&counting, 0, sizeof(Counting))
    counting.task = &task
    task.in_order = in_order
    task.keep = min(keep, limit, 2**63)
    began = perf_counter()
    try:
        if limit:
            run(&counting, name, kernel, digits(givens))
        raise_stop(&task)
        kept = task.kept[:81 * min(task.found, task.keep)] if task.kept else b""
    finally:
        free(task.kept)
    gave_up = (task.nodes, perf_counter() - began) if task.stopped else None
    return task.found, kept, report(&counting, name, givens.count(0)), gave_up


cdef void run(Build* build, str name, int kernel, const uint8_t* givens):
    if name == "textbook_bitmask":
        textbook_bitmask(build, givens)
    elif name == "fewest_first":
        fewest_first(build, givens)
    else:
        solve(kernel, givens, build.task)


cdef object report(Counting* counting, str name, int empty):
    """Return the counters by name; `fast` does not have all of them."""
    cdef Task* task = counting.task
    if name.startswith("fast"):
        return {"nodes": task.nodes, "dead_ends": task.dead_ends,
                "nodes_to_first": task.nodes_to_first, "guesses": task.guesses}
    levels = [counting.levels[level] for level in range(empty + 1)]
    dead_levels = [counting.dead_levels[level] for level in range(empty + 1)]
    return {"nodes": sum(levels), "levels": levels, "tests": counting.tests,
            "scans": counting.scans, "comparisons": counting.comparisons,
            "exhaustions": counting.exhaustions, "dead_ends": sum(dead_levels),
            "dead_levels": dead_levels, "tests_to_first": counting.tests_to_first,
            "nodes_to_first": task.nodes_to_first, "guesses": task.guesses}


cdef int raise_stop(Task* task) except -1:
    """Raise the exception of the handler of Ctrl-C, which Python still holds, or MemoryError."""
    if task.stopped == NO_MEMORY:
        raise MemoryError
    return -1 if task.stopped == INTERRUPTED else 0

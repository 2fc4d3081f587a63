"""Random probes of the search tree, compiled: nqbench/engine/estimation.py explains them.

Both take the same random numbers and do the same arithmetic in the same order, so that
they give the same sums to the last bit.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

cdef extern from "bits.h":
    int ones(uint64_t bits) nogil

cdef enum:
    MOST = 64

LARGEST_N = MOST

ctypedef struct Sums:
    uint64_t reached
    double nodes, nodes_squared
    double level[MOST + 1]
    double level_squared[MOST + 1]

ctypedef struct Stratum:
    double weight
    uint64_t columns, left, right


cdef class Random:
    """xoshiro256++ of Blackman and Vigna (2019)."""

    cdef uint64_t s[4]

    def __cinit__(self, uint64_t seed, uint64_t chunk):
        cdef uint64_t start = split(split(seed) + chunk)
        cdef int k
        for k in range(4):
            self.s[k] = split(start + k * <uint64_t>0x9e3779b97f4a7c15)


cdef inline uint64_t split(uint64_t z) noexcept nogil:
    z += <uint64_t>0x9e3779b97f4a7c15
    z = (z ^ (z >> 30)) * <uint64_t>0xbf58476d1ce4e5b9
    z = (z ^ (z >> 27)) * <uint64_t>0x94d049bb133111eb
    return z ^ (z >> 31)


cdef inline uint64_t turn(uint64_t x, int by) noexcept nogil:
    return (x << by) | (x >> (64 - by))


cdef inline uint64_t next64(uint64_t* s) noexcept nogil:
    cdef uint64_t found = turn(s[0] + s[3], 23) + s[0], t = s[1] << 17
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = turn(s[3], 45)
    return found


cdef inline uint64_t all_columns(int n) noexcept nogil:
    return ~<uint64_t>0 >> (MOST - n) if n else 0


cdef void add(Sums* sums, int n, double* level, int deepest) noexcept nogil:
    """Add the estimate of one probe to the sums."""
    cdef double nodes = 0
    cdef int k
    for k in range(deepest + 1):
        nodes += level[k]
        sums.level[k] += level[k]
        sums.level_squared[k] += level[k] * level[k]
    sums.nodes += nodes
    sums.nodes_squared += nodes * nodes
    sums.reached += deepest == n


cdef void probe(int n, uint64_t* s, Sums* sums) noexcept nogil:
    cdef uint64_t full = all_columns(n), columns = 0, left = 0, right = 0, free, bit
    cdef double weight = 1
    cdef double level[MOST + 1]
    cdef int row = 0, children, skip
    level[0] = 1
    while row < n:
        free = full & ~(columns | left | right)
        if not free:
            break
        children = ones(free)
        weight *= children
        for skip in range(<int>((next64(s) >> 32) * children >> 32)):
            free &= free - 1
        bit = free & (~free + 1)
        columns |= bit
        left = (left | bit) << 1 & full
        right = (right | bit) >> 1
        row += 1
        level[row] = weight
    add(sums, n, level, row)


cdef void probe_strata(int n, uint64_t* s, Sums* sums) noexcept nogil:
    cdef Stratum strata[2][MOST + 1]
    cdef Stratum* here
    cdef Stratum* below
    cdef uint64_t full = all_columns(n), free, bit, columns, left, right
    cdef double level[MOST + 1]
    cdef double draw
    cdef int row, k, children, deepest = 0
    memset(strata, 0, sizeof(strata))
    strata[0][n].weight = 1
    for row in range(n + 1):
        here, below = strata[row & 1], strata[1 - (row & 1)]
        memset(below, 0, sizeof(strata[0]))
        level[row] = 0
        for k in range(n + 1):
            if here[k].weight == 0:
                continue
            level[row] += here[k].weight
            deepest = row
            if row == n:
                continue
            free = full & ~(here[k].columns | here[k].left | here[k].right)
            while free:
                bit = free & (~free + 1)
                free -= bit
                columns = here[k].columns | bit
                left = (here[k].left | bit) << 1 & full
                right = (here[k].right | bit) >> 1
                children = ones(full & ~(columns | left | right))
                below[children].weight += here[k].weight
                draw = <double>(next64(s) >> 11) * (1.0 / 9007199254740992.0)
                if draw * below[children].weight < here[k].weight:
                    below[children].columns = columns
                    below[children].left = left
                    below[children].right = right
        if deepest < row:
            break
    add(sums, n, level, deepest)


def sums(int n, uint64_t seed, uint64_t chunk, long probes, bint stratified):
    """Return (reached, nodes, their squares, levels, their squares), summed over the probes
    of one chunk.
    """
    cdef Random random = Random(seed, chunk)
    cdef Sums found
    cdef long k
    if not 0 <= n <= MOST:
        raise ValueError(f"n must be from 0 to {MOST}, not {n}")
    memset(&found, 0, sizeof(found))
    with nogil:
        for k in range(probes):
            if stratified:
                probe_strata(n, random.s, &found)
            else:
                probe(n, random.s, &found)
    return (found.reached, found.nodes, found.nodes_squared,
            [found.level[k] for k in range(n + 1)],
            [found.level_squared[k] for k in range(n + 1)])

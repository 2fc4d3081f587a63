/* The lexicographically first solution: a search that rejects prefixes; its source, first_kernel.h,
   is compiled for several instruction sets. The plain count is that of levels.h, with words of 64
   bits. */

#ifndef NQBENCH_FIRST_H
#define NQBENCH_FIRST_H

#include <stdint.h>
#include <string.h>

#include "bits.h"
#define WORD 64
#include "levels.h"

enum { MOST_ROWS = 64 };

static INLINE uint64_t lowest(uint64_t bits) { return bits & (~bits + 1); }

/* What is left of the board below a prefix: the free squares of the open rows, and the sums over
   open rows and columns that the remaining queens have in any completion. */
typedef struct {
    uint64_t free[MOST_ROWS], rows, columns;
    int left, end;  /* queens to place; n, rounded up to whole vectors of rows */
    long sums, differences, squares;  /* of r + c, of c - r, of 2 (r^2 + c^2) */
} Rest;

/* Columns with at least one, two and three free squares, and rows with exactly one and two. */
typedef struct { uint64_t one, two, three, single_rows, pair_rows; } Few;

/* The diagonals of one kind that have a free square. */
typedef struct { uint64_t low, high; } Diagonals;

enum { REJECTED, COMPLETED, GIVEN_UP };
enum { FEWEST_QUEENS = 4 };  /* for fewer the sum of squares costs more than it saves */

static uint64_t DISTANCE[2 * MOST_ROWS];  /* of a row from another */
static uint64_t ROW[MOST_ROWS], BIT[MOST_ROWS];  /* each row, and its bit */
static uint16_t SQUARES[8][256];  /* by byte of a word: the sum of (place + 1)^2 over its bits */

static void prepare_search(void) {
    for (int row = 0; row < MOST_ROWS; row++) {
        ROW[row] = row;
        BIT[row] = (uint64_t)1 << row;
    }
    for (int k = 0; k < 2 * MOST_ROWS; k++)
        DISTANCE[k] = k < MOST_ROWS ? MOST_ROWS - 1 - k : k - MOST_ROWS + 1;
    for (int byte = 0; byte < 8; byte++)
        for (int bits = 0; bits < 256; bits++)
            for (int k = 0; k < 8; k++)
                SQUARES[byte][bits] += (bits >> k & 1) * (8 * byte + k + 1) * (8 * byte + k + 1);
}

static INLINE int first_block(uint64_t rows, int lanes) {
    return rows ? column_of(lowest(rows)) & -lanes : 0;
}

static INLINE long sum_squares(uint64_t bits) {
    long sum = 0;
    for (int byte = 0; byte < 8; byte++) sum += SQUARES[byte][bits >> 8 * byte & 255];
    return sum;
}

static INLINE int has(const Diagonals *diagonals, int place) {
    if (place < 0 || place > 127)
        return 0;
    return (place < 64 ? diagonals->low >> place : diagonals->high >> (place - 64)) & 1;
}

/* Return the 64 diagonals above a place from 0 to 126. */
static INLINE uint64_t above(const Diagonals *diagonals, int place) {
    return place >= 63 ? diagonals->high >> (place - 63)
        : diagonals->low >> (place + 1) | diagonals->high << (63 - place);
}

/* Return the 64 diagonals below a place from 0 to 127, the highest bit next to it. */
static INLINE uint64_t below(const Diagonals *diagonals, int place) {
    if (place > 64)
        return diagonals->low >> (place - 64) | diagonals->high << (128 - place);
    return place ? diagonals->low << (64 - place) : 0;
}

static INLINE uint64_t reverse(uint64_t bits) {
    bits = (bits >> 1 & 0x5555555555555555) | (bits & 0x5555555555555555) << 1;
    bits = (bits >> 2 & 0x3333333333333333) | (bits & 0x3333333333333333) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0f) | (bits & 0x0f0f0f0f0f0f0f0f) << 4;
    bits = (bits >> 8 & 0x00ff00ff00ff00ff) | (bits & 0x00ff00ff00ff00ff) << 8;
    bits = (bits >> 16 & 0x0000ffff0000ffff) | (bits & 0x0000ffff0000ffff) << 16;
    return bits >> 32 | bits << 32;
}

/* Do what `spread` does, for diagonals that are farther away, too. */
static long spread_far(const Diagonals *diagonals, int centre, int count, int *reach) {
    long sum = 0;
    int by;
    *reach = 0;
    for (by = 0; by < 128; by++) {
        int here = has(diagonals, centre - by) + (by ? has(diagonals, centre + by) : 0);
        if (!here)
            continue;
        if (here > count)
            here = count;
        sum += (long)here * by * by;
        count -= here;
        *reach = by;
        if (!count)
            return sum;
    }
    return -1;
}

static INLINE int farthest(int reach, long slack) {
    int by = reach;
    while ((by + 1L) * (by + 1) - (long)reach * reach <= slack)
        by++;
    return by;
}

#define NAME(name) JOIN(name##_, KERNEL)

#define KERNEL portable
#define ROWS_A_STEP 1
#include "first_kernel.h"
#undef ROWS_A_STEP
#undef KERNEL

#ifdef NQBENCH_X86
BEGIN_AVX2
#define KERNEL avx2
#define ROWS_A_STEP 4
#include "first_kernel.h"
#undef ROWS_A_STEP
#undef KERNEL
END_ISA
BEGIN_AVX512
#define KERNEL avx512
#define ROWS_A_STEP 8
#include "first_kernel.h"
#undef ROWS_A_STEP
#undef KERNEL
END_ISA
#endif

/* Decide a prefix of `rows` queens in at most `limit` nodes: whether it has a completion. Return -1
   if its queens attack each other. */
static int decide_prefix(int kernel, int n, const int *path, int rows, long limit, long *nodes) {
#ifdef NQBENCH_X86
    if (kernel == AVX512) return decide_avx512(n, path, rows, limit, nodes);
    if (kernel == AVX2) return decide_avx2(n, path, rows, limit, nodes);
#endif
    return decide_portable(n, path, rows, limit, nodes);
}

#endif

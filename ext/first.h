/* The lexicographically first solution: a search that rejects prefixes; its source, first_kernel.h,
   is compiled for several instruction sets. The plain count is that of levels.h. */

#ifndef NQBENCH_FIRST_H
#define NQBENCH_FIRST_H

#include <stdint.h>
#include <string.h>

#include "bits.h"
#include "levels.h"

enum { MOST_ROWS = 64 };

static INLINE uint64_t lowest(uint64_t bits) { return bits & (~bits + 1); }

/* What is left of the board below a prefix: the free squares of the open rows, and the sums over
   open rows and columns that the remaining queens have in any completion. */
typedef struct {
    uint64_t free[MOST_ROWS], rows, columns;
    int left, end;  /* queens to place; n, rounded up to whole vectors of rows */
    int first_sum, first_difference;  /* where the runs of diagonals began in the node above */
    long sums, differences, squares;  /* of r + c, of c - r, of 2 (r^2 + c^2) */
} Rest;

/* Columns with at least one, two and three free squares, and rows with exactly one and two. */
typedef struct { uint64_t one, two, three, single_rows, pair_rows; } Few;

/* The diagonals of one kind that have a free square, by their places from 0 on. */
typedef struct { uint64_t low, high; } Diagonals;

/* Diagonals with no other one between them, and the sums of their places and of the squares. */
typedef struct { int first, last; long sum, squares; } Run;

/* The squares of the places of the queens that are left sum to `squares` or more, and to by (by + b
   - a) more than that if a queen stands `by` places below a or above b. */
typedef struct { int a, b; long squares; } Bound;

enum { REJECTED, COMPLETED, GIVEN_UP };
enum { FEWEST_QUEENS = 4 };  /* for fewer the sum of squares costs more than it saves */

static uint64_t DISTANCE[2 * MOST_ROWS];  /* of a row from another */
static uint64_t ROW[MOST_ROWS], BIT[MOST_ROWS];  /* each row, and its bit */
static struct { uint16_t sum, squares; } PLACES[8][256];  /* by byte of a word: over its bits */

static void prepare_search(void) {
    for (int row = 0; row < MOST_ROWS; row++) {
        ROW[row] = row;
        BIT[row] = (uint64_t)1 << row;
    }
    for (int k = 0; k < 2 * MOST_ROWS; k++)
        DISTANCE[k] = k < MOST_ROWS ? MOST_ROWS - 1 - k : k - MOST_ROWS + 1;
    for (int byte = 0; byte < 8; byte++)
        for (int bits = 0; bits < 256; bits++)
            for (int place = 8 * byte; place < 8 * byte + 8; place++)
                if (bits >> (place - 8 * byte) & 1) {
                    PLACES[byte][bits].sum += place;
                    PLACES[byte][bits].squares += place * place;
                }
}

static INLINE int first_block(uint64_t rows, int lanes) {
    return rows ? column_of(lowest(rows)) & -lanes : 0;
}

/* Return the place of the highest bit. */
static INLINE int highest(uint64_t bits) {
    for (int by = 1; by < 64; by *= 2) bits |= bits >> by;
    return ones(bits) - 1;
}

/* Return the 64 diagonals from a place from 0 to 127 on. */
static INLINE uint64_t from(const Diagonals *diagonals, int place) {
    if (place >= 64)
        return diagonals->high >> (place - 64);
    return diagonals->low >> place | (place ? diagonals->high << (64 - place) : 0);
}

/* Return the next diagonal above a place, -1 if there is none. */
static INLINE int above(const Diagonals *diagonals, int place) {
    uint64_t bits = place < 127 ? from(diagonals, place + 1) : 0;
    if (bits)
        return place + 1 + column_of(lowest(bits));
    return place < 63 && diagonals->high ? 64 + column_of(lowest(diagonals->high)) : -1;
}

/* Return the next diagonal below a place from 0 to 127, -1 if there is none. */
static INLINE int below(const Diagonals *diagonals, int place) {
    uint64_t bits = place > 64 ? diagonals->high << (128 - place) : 0;
    if (bits)
        return place - 64 + highest(bits);
    bits = place < 64 ? diagonals->low & (((uint64_t)1 << place) - 1) : diagonals->low;
    return bits ? highest(bits) : -1;
}

/* Find the run of `count` diagonals from `first` on; return 0 if it needs more than 64 places. */
static INLINE int find_run(const Diagonals *diagonals, int first, int count, Run *run) {
    uint64_t bits = from(diagonals, first);
    int step, by = 0;  /* the last place is first + by */
    long sum = 0, squares = 0;
    if (ones(bits) < count)
        return 0;
    for (step = 32; step; step /= 2)
        if (ones(bits & ~(uint64_t)0 >> (64 - by - step)) < count)
            by += step;
    bits &= ~(uint64_t)0 >> (63 - by);
    for (int byte = 0; byte < 8; byte++) {
        sum += PLACES[byte][bits >> 8 * byte & 255].sum;
        squares += PLACES[byte][bits >> 8 * byte & 255].squares;
    }
    run->first = first;
    run->last = first + by;
    run->sum = sum + (long)count * first;
    run->squares = squares + 2 * first * sum + (long)count * first * first;
    return 1;
}

/* Find the run of the first `count` diagonals; return 0 if there are fewer. */
static int find_first_run(const Diagonals *diagonals, int count, Run *run) {
    *run = (Run){above(diagonals, -1), -1, 0, 0};
    while (count--) {
        run->last = above(diagonals, run->last);
        if (run->last < 0)
            return 0;
        run->sum += run->last;
        run->squares += (long)run->last * run->last;
    }
    return 1;
}

static INLINE void exchange(Run *run, int out, int in) {
    run->sum += in - out;
    run->squares += (long)in * in - (long)out * out;
}

/* Bound from below the sum of the squares of `count` different places whose sum is `total`. Move a
   run until its sum is at most `total` and that of the next run is more; the next run has b in place
   of a, the first place of this one. As the run holds every place between a and b, no `count` places
   have a smaller sum of (x - a) (x - b) = x^2 - (a + b) x + a b; and the sum of x is `total`. Begin
   at *first, and leave the first place of the run there. Return 0 if no `count` places have this
   sum. */
static INLINE int bound_squares(const Diagonals *diagonals, int count, long total, int *first,
                                Bound *bound) {
    Run run;
    int next;
    *first = above(diagonals, *first - 1);
    if ((*first < 0 || !find_run(diagonals, *first, count, &run))
        && !find_first_run(diagonals, count, &run))
        return 0;
    while (run.sum > total) {
        next = below(diagonals, run.first);
        if (next < 0)
            return 0;
        exchange(&run, run.last, next);
        run.first = next;
        run.last = below(diagonals, run.last);
    }
    while ((next = above(diagonals, run.last)) >= 0 && run.sum + next - run.first <= total) {
        exchange(&run, run.first, next);
        run.first = above(diagonals, run.first);
        run.last = next;
    }
    if (next < 0 && run.sum < total)
        return 0;
    *first = bound->a = run.first;
    bound->b = next < 0 ? run.last + 1 : next;
    bound->squares = run.squares + (total - run.sum) * (bound->a + bound->b);
    return 1;
}

/* Return how far below a or above b a queen may stand, if the sum may grow by `slack`. */
static INLINE int farthest(const Bound *bound, long slack) {
    int by = 0;
    while ((by + 1L) * (by + 1 + bound->b - bound->a) <= slack)
        by++;
    return by;
}

#undef NAME
#define NAME(name) JOIN(name##_, KERNEL)

#define KERNEL portable
#define ROWS_A_STEP 1
#include "first_kernel.h"
#undef ROWS_A_STEP
#undef KERNEL

#ifdef KERNEL_128
BEGIN_128
#define KERNEL KERNEL_128
#define ROWS_A_STEP 2
#include "first_kernel.h"
#undef ROWS_A_STEP
#undef KERNEL
END_ISA
#endif

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
    return DISPATCH(kernel, decide, n, path, rows, limit, nodes);
}

#endif

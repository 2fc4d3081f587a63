/* The lexicographically first solution: a search that rejects prefixes, and the plain count. The
   source of the search, first_kernel.h, is compiled twice: for one row at a time, and for vectors of
   rows. */

#ifndef FIRST_H
#define FIRST_H

#include <stdint.h>
#include <string.h>

#define INLINE inline __attribute__((always_inline))
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

enum { MOST_ROWS = 64 };

static INLINE int ones(uint64_t bits) { return __builtin_popcountll(bits); }

static INLINE uint64_t lowest(uint64_t bits) { return bits & (~bits + 1); }

static INLINE int column_of(uint64_t bit) { return ones(bit - 1); }

/* Return the bits in reverse order. */
static INLINE uint64_t reversed(uint64_t bits) {
    bits = (bits >> 1 & 0x5555555555555555) | (bits & 0x5555555555555555) << 1;
    bits = (bits >> 2 & 0x3333333333333333) | (bits & 0x3333333333333333) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0f) | (bits & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(bits);
}

/* Count the placements below a prefix, and the solutions, where `rows` rows and the `open` columns are
   empty, and queens attack `left` and `right` in the next row. */
static void count_below(int rows, uint64_t open, uint64_t left, uint64_t right,
                        long long counts[2]) {
    uint64_t free = open & ~(left | right);
    counts[rows == 1] += ones(free);
    for (; rows > 1 && free; free &= free - 1) {
        const uint64_t bit = lowest(free);
        count_below(rows - 1, open ^ bit, (left | bit) << 1, (right | bit) >> 1, counts);
    }
}

/* The lines of a square in row r and column c: its row, its column, the sum r + c, and a diagonal
   of the other kind: above the main diagonal, at the distance c - r, or below, at r - c. */
enum { ABOVE, BELOW, SUM, COLUMN, ROW };
typedef struct { int kind, place; } Line;

/* What is left of the board below a prefix: the free squares of the open rows, how many queens
   stand above and below the main diagonal in the completions that are looked for, and the sums over
   open rows and columns that the remaining queens have in any completion. */
typedef struct {
    uint64_t free[MOST_ROWS], rows, columns;
    int left, end;                    /* queens to place; n, rounded up to whole vectors of rows */
    int side[2];                      /* of these, above and below */
    int first_sum, first_distance[2]; /* where the runs of diagonals began in the node above */
    long sums, differences, squares;  /* of r + c, of c - r, of 2 (r^2 + c^2) */
} Rest;

/* Sums by their places from 0 on. */
typedef struct { uint64_t low, high; } Diagonals;

/* Diagonals of all kinds. */
typedef struct {
    Diagonals sums;
    uint64_t side[2];
} Lines;

/* Columns with at least one, two and three free squares, and rows with exactly one and two. */
typedef struct { uint64_t one, two, three, single_rows, pair_rows; } Few;

/* What has free squares above and below the main diagonal. */
typedef struct { uint64_t rows[2], columns[2]; } Reach;

/* Diagonals with no other one between them, and the sums of their places and of the squares. */
typedef struct {
    int first, last;
    long sum, squares;
} Run;

/* The squares of the places of the queens that are left sum to `squares` or more, and to by (by + b
   - a) more than that if a queen stands `by` places below a or above b. */
typedef struct {
    int a, b;
    long squares;
} Bound;

/* The squares that a completion may use: sums from `low` to `high`; on each side distances up to
   `far`. A row or column that may be on both sides loses as much as it is beyond `row` or `column`.
   Together with the distance beyond `last`, a square loses at most the `slack` of its side; without
   it, at most that of either side. */
typedef struct {
    int low, high, far[2], last[2], slack[2], row[2], column[2];
    uint64_t rows, columns; /* that may be on both sides */
    Lines must;             /* diagonals that hold a queen in every completion */
} Limits;

enum { REJECTED, COMPLETED, GIVEN_UP };
enum { FEWEST_QUEENS = 4 }; /* for fewer the sum of squares costs more than it saves */
enum { NEVER = 1000 };      /* beyond every row, column and distance */

static uint64_t DISTANCE[2 * MOST_ROWS];                 /* of a row from another */
static uint64_t ROWS[MOST_ROWS], BIT[MOST_ROWS];         /* each row, and its bit */
static struct { uint16_t sum, squares; } PLACES[8][256]; /* by byte of a word: over its bits */

static void prepare_search(void) {
    for (int row = 0; row < MOST_ROWS; row++) {
        ROWS[row] = row;
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
    if (place >= 64) return diagonals->high >> (place - 64);
    return diagonals->low >> place | (place ? diagonals->high << (64 - place) : 0);
}

/* Return the next diagonal above a place, -1 if there is none. */
static INLINE int above(const Diagonals *diagonals, int place) {
    uint64_t bits = place < 127 ? from(diagonals, place + 1) : 0;
    if (bits) return place + 1 + column_of(lowest(bits));
    return place < 63 && diagonals->high ? 64 + column_of(lowest(diagonals->high)) : -1;
}

/* Return the next diagonal below a place from 0 to 127, -1 if there is none. */
static INLINE int below(const Diagonals *diagonals, int place) {
    uint64_t bits = place > 64 ? diagonals->high << (128 - place) : 0;
    if (bits) return place - 64 + highest(bits);
    bits = place < 64 ? diagonals->low & (((uint64_t)1 << place) - 1) : diagonals->low;
    return bits ? highest(bits) : -1;
}

/* Return the first `count` bits of a word that has so many. */
static INLINE uint64_t first_ones(uint64_t bits, int count) {
    int by = 0; /* the last bit is in place `by` */
    if (!count) return 0;
    for (int step = 32; step; step /= 2)
        if (ones(bits & ~(uint64_t)0 >> (64 - by - step)) < count) by += step;
    return bits & ~(uint64_t)0 >> (63 - by);
}

/* Add the places of the bits, and their squares. */
static INLINE void add_places(uint64_t bits, long *sum, long *squares) {
    for (int byte = 0; byte < 8; byte++) {
        *sum += PLACES[byte][bits >> 8 * byte & 255].sum;
        *squares += PLACES[byte][bits >> 8 * byte & 255].squares;
    }
}

/* Find the run of `count` diagonals from `first` on; return 0 if it needs more than 64 places. */
static INLINE int find_run(const Diagonals *diagonals, int first, int count, Run *run) {
    uint64_t bits = from(diagonals, first);
    long sum = 0, squares = 0;
    if (ones(bits) < count) return 0;
    bits = first_ones(bits, count);
    add_places(bits, &sum, &squares);
    run->first = first;
    run->last = first + highest(bits);
    run->sum = sum + (long)count * first;
    run->squares = squares + 2 * first * sum + (long)count * first * first;
    return 1;
}

/* Find the run of the first `count` diagonals; return 0 if there are fewer. */
static int find_first_run(const Diagonals *diagonals, int count, Run *run) {
    *run = (Run){above(diagonals, -1), -1, 0, 0};
    while (count--) {
        run->last = above(diagonals, run->last);
        if (run->last < 0) return 0;
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
        if (next < 0) return 0;
        exchange(&run, run.last, next);
        run.first = next;
        run.last = below(diagonals, run.last);
    }
    while ((next = above(diagonals, run.last)) >= 0 && run.sum + next - run.first <= total) {
        exchange(&run, run.first, next);
        run.first = above(diagonals, run.first);
        run.last = next;
    }
    if (next < 0 && run.sum < total) return 0;
    *first = bound->a = run.first;
    bound->b = next < 0 ? run.last + 1 : next;
    bound->squares = run.squares + (total - run.sum) * (bound->a + bound->b);
    return 1;
}

/* Return how far below a or above b a queen may stand, if the sum may grow by `slack`. */
static INLINE int farthest(const Bound *bound, long slack) {
    int by = 0;
    while ((by + 1L) * (by + 1 + bound->b - bound->a) <= slack) by++;
    return by;
}

/* Return how far above a and below b a diagonal may stay empty, if the sum may grow by `slack`: by
   less than the number returned. */
static INLINE int nearest(const Bound *bound, long slack) {
    const long span = bound->b - bound->a;
    int by = 1;
    while (2 * by <= span && by * (span - by) <= slack) by++;
    return by;
}

/* Return the bits from a place on to another; both may be beyond the word. */
static INLINE uint64_t between(int first, int last) {
    first = first < 0 ? 0 : first;
    last = last > 63 ? 63 : last;
    return first > last ? 0 : ~(uint64_t)0 << first & ~(uint64_t)0 >> (63 - last);
}

/* Divide the open rows and columns between the sides so that the distances above sum to the most:
   the first rows and the last columns are above. As the distances on each side sum to the least or
   more, this limits what a square may lose. Return 0 if there is no completion. */
static INLINE int divide(const Rest *rest, const Reach *reach, const long *least, Limits *limits) {
    const uint64_t rows = reach->rows[ABOVE] & reach->rows[BELOW];
    const uint64_t columns = reach->columns[ABOVE] & reach->columns[BELOW];
    const int more_rows = rest->side[ABOVE] - ones(reach->rows[ABOVE] & ~rows);
    const int more_columns = rest->side[BELOW] - ones(reach->columns[BELOW] & ~columns);
    uint64_t above, below;
    long sum = 0, ignored = 0, taken = 0;
    if (more_rows < 0 || more_rows > ones(rows) || more_columns < 0 || more_columns > ones(columns))
        return 0;
    above = first_ones(rows, more_rows);
    below = first_ones(columns, more_columns);
    add_places(above | (reach->rows[ABOVE] & ~rows), &taken, &ignored);
    add_places(reach->columns[ABOVE] & ~below, &sum, &ignored);
    limits->slack[ABOVE] = (int)(sum - taken - least[ABOVE]);
    limits->slack[BELOW] = (int)(sum - taken - rest->differences - least[BELOW]);
    if (limits->slack[ABOVE] < 0 || limits->slack[BELOW] < 0) return 0;
    limits->rows = rows;
    limits->columns = columns;
    limits->row[ABOVE] = above ? highest(above) : -NEVER;
    limits->row[BELOW] = rows & ~above ? column_of(lowest(rows & ~above)) : NEVER;
    limits->column[ABOVE] = columns & ~below ? column_of(lowest(columns & ~below)) : NEVER;
    limits->column[BELOW] = below ? highest(below) : -NEVER;
    return 1;
}

/* The queens that are left stand on different diagonals of both kinds. The sums over them of r + c,
   of c - r, and of (r + c)^2 + (c - r)^2 = 2 (r^2 + c^2) are known, and how many of them stand
   above and below the main diagonal. Find what this leaves; return 0 if there is no completion. */
static INLINE int find_limits(Rest *rest, const Lines *lines, const Reach *reach, Limits *limits) {
    uint64_t closest[2];
    long least[2] = {0, 0}, squares[2] = {0, 0}, more, slack;
    int *last = limits->last, wide, near, slope, by, inside;
    Bound sum, bound = {0, 0, 0};
    for (int side = ABOVE; side <= BELOW; side++) {
        if (rest->side[side] < 0 || ones(lines->side[side]) < rest->side[side]) return 0;
        closest[side] = first_ones(lines->side[side], rest->side[side]);
        last[side] = highest(closest[side]);
        add_places(closest[side], &least[side], &squares[side]);
    }
    if (!divide(rest, reach, least, limits)) return 0;
    more = rest->differences - least[ABOVE] + least[BELOW];
    wide = more < 0 ? BELOW : ABOVE; /* the distances of this side must sum to more */
    near = ABOVE + BELOW - wide;
    if (!bound_squares(&lines->sums, rest->left, rest->sums, &rest->first_sum, &sum)) return 0;
    if (rest->side[wide]) {
        const Diagonals distances = {lines->side[wide], 0};
        if (!bound_squares(&distances, rest->side[wide], least[wide] + (more < 0 ? -more : more),
                           &rest->first_distance[wide], &bound))
            return 0;
    } else if (more) return 0;
    slack = rest->squares - sum.squares - bound.squares - squares[near];
    if (slack < 0) return 0;
    slope = bound.a + bound.b;
    by = farthest(&sum, slack);
    inside = nearest(&sum, slack);
    limits->low = sum.a - by;
    limits->high = sum.b + by;
    limits->must.sums.low = lines->sums.low & between(sum.a + inside, sum.b - inside);
    limits->must.sums.high = lines->sums.high & between(sum.a + inside - 64, sum.b - inside - 64);
    limits->far[wide] = rest->side[wide] ? bound.b + farthest(&bound, slack) : -1;
    limits->far[near] = last[near];
    if (rest->side[near])
        while ((limits->far[near] + 1L - last[near]) * (limits->far[near] + 1 + last[near] + slope)
               <= slack)
            limits->far[near]++;
    for (int side = ABOVE; side <= BELOW; side++) {
        const uint64_t others = lines->side[side] & ~closest[side];
        const int next = others ? column_of(lowest(others)) : NEVER;
        limits->must.side[side] = closest[side] & between(0, next - limits->slack[side] - 1);
        if (side == near) {
            int place = last[near];
            while (place >= 0 && (long)(next - place) * (next + place + slope) <= slack) place--;
            limits->must.side[near] |= closest[near] & between(0, place);
        }
    }
    inside = nearest(&bound, slack);
    limits->must.side[wide] |= lines->side[wide] & between(bound.a + inside, bound.b - inside);
    return 1;
}

/* Return the column of a line in a row; it may be off the board. */
static INLINE int column_in(Line line, int row) {
    return line.kind == COLUMN ? line.place
        : line.kind == SUM     ? line.place - row
        : line.kind == ABOVE   ? row + line.place
                               : row - line.place;
}

static INLINE int is_free(const Rest *rest, int n, int row, int column) {
    return column >= 0 && column < n && (rest->free[row] >> column & 1);
}

/* Return the row of the only free square of a line. */
static INLINE int find_row(const Rest *rest, int n, Line line) {
    int row = 0;
    while (!is_free(rest, n, row, column_in(line, row))) row++;
    return row;
}

/* Return the first of some diagonals that is in `few`, but not in `more`; -1 if there is none. */
static INLINE Line first_line(const Lines *lines, const Lines *few, const Lines *more) {
    const uint64_t low = lines->sums.low & few->sums.low & ~more->sums.low;
    const uint64_t high = lines->sums.high & few->sums.high & ~more->sums.high;
    if (low | high) return (Line){SUM, low ? column_of(lowest(low)) : 64 + column_of(lowest(high))};
    for (int side = ABOVE; side <= BELOW; side++) {
        const uint64_t bits = lines->side[side] & few->side[side] & ~more->side[side];
        if (bits) return (Line){side, column_of(lowest(bits))};
    }
    return (Line){SUM, -1};
}

#undef NAME
#define NAME(name) JOIN(name##_, KERNEL)

#define KERNEL scalar
#define ROWS_A_STEP 1
#include "first_kernel.h"
#undef ROWS_A_STEP
#undef KERNEL

/* As wide as the processor's vectors: the compiler's -march=native tells. */
#define KERNEL vectors
#if defined(__AVX512F__)
#define ROWS_A_STEP 8
#elif defined(__AVX2__)
#define ROWS_A_STEP 4
#else
#define ROWS_A_STEP 2
#endif
#include "first_kernel.h"

/* Decide a prefix of `rows` queens in at most `limit` nodes: whether it has a completion. Return -1
   if its queens attack each other. */
static int decide_prefix(int vectors, int n, const int *path, int rows, long limit, long *nodes) {
    return (vectors ? decide_vectors : decide_scalar)(n, path, rows, limit, nodes);
}

#endif

/* The lexicographically first solution: a search that rejects prefixes. The plain count is
   that of levels.h, with words of 64 bits. */

#ifndef NQBENCH_FIRST_H
#define NQBENCH_FIRST_H

#include <stdint.h>
#include <string.h>

#include "bits.h"
#define WORD 64
#include "levels.h"

enum { MOST_ROWS = 64 };

static inline uint64_t lowest(uint64_t bits) { return bits & (~bits + 1); }

/* What is left of the board below a prefix: the free squares of the open rows, and the sums over
   open rows and columns that the remaining queens have in any completion. */
typedef struct {
    uint64_t free[MOST_ROWS], rows, columns;
    int left;
    long sums, differences, squares;  /* of r + c, of c - r, of 2 (r^2 + c^2) */
} Rest;

enum { REJECTED, COMPLETED, GIVEN_UP };

/* Place a queen; return 0 if a row has no free square left. */
static int put(Rest *rest, int row, int column) {
    uint64_t bit = (uint64_t)1 << column, rows;
    rest->rows &= ~((uint64_t)1 << row);
    rest->columns &= ~bit;
    rest->left--;
    rest->sums -= row + column;
    rest->differences -= column - row;
    rest->squares -= 2L * (row * row + column * column);
    for (rows = rest->rows; rows; rows &= rows - 1) {
        int other = column_of(lowest(rows)), by = other > row ? other - row : row - other;
        rest->free[other] &= ~(bit | bit << by | bit >> by);
        if (!rest->free[other])
            return 0;
    }
    return 1;
}

/* The diagonals of one kind that have a free square. */
typedef struct { uint64_t low, high; } Diagonals;

static inline void add_row(Diagonals *diagonals, uint64_t free, int shift) {
    diagonals->low |= free << shift;
    diagonals->high |= shift ? free >> (64 - shift) : 0;
}

static inline int has(const Diagonals *diagonals, int place) {
    if (place < 0 || place > 127)
        return 0;
    return (place < 64 ? diagonals->low >> place : diagonals->high >> (place - 64)) & 1;
}

/* Return the sum of the squared distances of the `count` diagonals closest to a place, -1 if
   there are fewer; `reach` is the largest of these distances. */
static long spread(const Diagonals *diagonals, int centre, int count, int *reach) {
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

static inline int farthest(int reach, long slack) {
    int by = reach;
    while ((by + 1L) * (by + 1) - (long)reach * reach <= slack)
        by++;
    return by;
}

/* The queens that are left stand on different diagonals of both kinds, and the sum over them of
   (r + c)^2 + (c - r)^2 = 2 (r^2 + c^2) is known. Take the closest diagonals to the means of
   r + c and of c - r: if they need more than that, there is no completion. Squares on diagonals
   too far from the means are removed. Return 0 if there is no completion, 2 if squares were
   removed, 1 otherwise. */
static int fit_squares(Rest *rest, int n, Diagonals sums, Diagonals differences) {
    int count = rest->left, reach[2], changed = 0, sum_limit, difference_limit;
    long s = (rest->sums + count / 2) / count;  /* r + c */
    long d = (rest->differences + (long)count * (n - 1) + count / 2) / count;  /* c - r + n-1 */
    long away = d - (n - 1), slack, needs[2];
    uint64_t rows;
    needs[0] = spread(&sums, (int)s, count, &reach[0]);
    needs[1] = spread(&differences, (int)d, count, &reach[1]);
    slack = rest->squares - 2 * s * rest->sums - 2 * away * rest->differences
        + count * (s * s + away * away) - needs[0] - needs[1];
    if (needs[0] < 0 || needs[1] < 0 || slack < 0)
        return 0;
    sum_limit = farthest(reach[0], slack);
    difference_limit = farthest(reach[1], slack);
    for (rows = rest->rows; rows; rows &= rows - 1) {
        int row = column_of(lowest(rows));
        long first = away - difference_limit + row, last = away + difference_limit + row;
        uint64_t kept = rest->free[row];
        if (first < s - sum_limit - row)
            first = s - sum_limit - row;
        if (last > s + sum_limit - row)
            last = s + sum_limit - row;
        if (last < 0 || first > 63 || last < first)
            return 0;
        if (first > 0)
            kept &= ~(uint64_t)0 << first;
        if (last < 63)
            kept &= ~(uint64_t)0 >> (63 - last);
        if (!kept)
            return 0;
        changed |= kept != rest->free[row];
        rest->free[row] = kept;
    }
    return 1 + changed;
}

enum { FEWEST_QUEENS = 4 };  /* for fewer the sum of squares costs more than it saves */

/* Place what is forced. Return REJECTED, COMPLETED, or GIVEN_UP with the line that has the fewest
   free squares: a row, or a column and then *row is -1. */
static int force(Rest *rest, int n, int *row, int *column) {
    while (rest->left) {
        uint64_t one = 0, two = 0, three = 0, rows, single, columns;
        Diagonals sums = {0, 0}, differences = {0, 0};
        int fewest = MOST_ROWS + 1, fit = 1;
        for (rows = rest->rows; rows; rows &= rows - 1) {
            int r = column_of(lowest(rows)), here;
            uint64_t free = rest->free[r];
            here = ones(free);
            if (here < fewest) {
                fewest = here;
                *row = r;
            }
            three |= two & free;
            two |= one & free;
            one |= free;
            add_row(&sums, free, r);
            add_row(&differences, free, n - 1 - r);
        }
        if (rest->columns & ~one)
            return REJECTED;
        single = one & ~two;
        if (fewest == 1 || single) {
            uint64_t bit = fewest == 1 ? rest->free[*row] : lowest(single);
            for (rows = rest->rows; fewest != 1 && !(rest->free[*row] & bit); rows &= rows - 1)
                *row = column_of(lowest(rows));
            if (!put(rest, *row, column_of(bit)))
                return REJECTED;
            continue;
        }
        if (rest->left >= FEWEST_QUEENS)
            fit = fit_squares(rest, n, sums, differences);
        if (!fit)
            return REJECTED;
        if (fit == 2)
            continue;
        if (fewest == 2)
            return GIVEN_UP;
        if (two & ~three) {
            *column = column_of(lowest(two & ~three));
            *row = -1;
            return GIVEN_UP;
        }
        for (columns = fewest > 3 ? rest->columns : 0; columns; columns &= columns - 1) {
            uint64_t bit = lowest(columns);
            int here = 0;
            for (rows = rest->rows; rows; rows &= rows - 1)
                here += (rest->free[column_of(lowest(rows))] & bit) != 0;
            if (here < fewest) {
                fewest = here;
                *column = column_of(bit);
                *row = -1;
            }
        }
        return GIVEN_UP;
    }
    return COMPLETED;
}

/* Look for a completion in at most `*nodes` nodes. `rest` is changed. */
static int complete(Rest *rest, int n, long *nodes) {
    int row = -1, column = -1, found;
    uint64_t squares;
    if (!*nodes)
        return GIVEN_UP;
    --*nodes;
    found = force(rest, n, &row, &column);
    if (found != GIVEN_UP)
        return found;
    squares = row < 0 ? rest->rows : rest->free[row];
    for (; squares; squares &= squares - 1) {
        int place = column_of(lowest(squares));
        int r = row < 0 ? place : row, c = row < 0 ? column : place;
        Rest child;
        if (!(rest->free[r] >> c & 1))
            continue;
        child = *rest;
        if (put(&child, r, c) && (found = complete(&child, n, nodes)) != REJECTED)
            return found;
    }
    return REJECTED;
}

/* Decide a prefix of `rows` queens in at most `limit` nodes: whether it has a completion. Return -1
   if its queens attack each other. */
static int decide_prefix(int n, const int *path, int rows, long limit, long *nodes) {
    Rest rest;
    int row, found;
    long left = limit;
    memset(&rest, 0, sizeof rest);
    rest.rows = rest.columns = ~(uint64_t)0 >> (MOST_ROWS - n);
    rest.left = n;
    for (row = 0; row < n; row++) {
        rest.free[row] = rest.rows;
        rest.sums += 2 * row;
        rest.squares += 4L * row * row;
    }
    *nodes = 1;
    for (row = 0; row < rows; row++) {
        if (!(rest.free[row] >> path[row] & 1))
            return -1;
        if (!put(&rest, row, path[row]))
            return REJECTED;
    }
    found = complete(&rest, n, &left);
    *nodes = limit - left;
    return found;
}

#endif

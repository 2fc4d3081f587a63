/* The search below a prefix, for one set of instructions. Loops over the rows take ROWS_A_STEP of
   them at a time, in vectors. A closed row has no free squares. */

#if ROWS_A_STEP == 1
typedef uint64_t NAME(Lanes);
typedef int64_t NAME(Signed);
#define MASK(condition) (-(int64_t)(condition))
#else
typedef uint64_t NAME(Lanes) __attribute__((vector_size(8 * ROWS_A_STEP)));
typedef int64_t NAME(Signed) __attribute__((vector_size(8 * ROWS_A_STEP)));
#define MASK(condition) (condition)
#endif
#define Lanes NAME(Lanes)
#define Signed NAME(Signed)
#define FOR_BLOCKS(rest, r) \
    for (int r = first_block((rest)->rows, ROWS_A_STEP); r < (rest)->end; r += ROWS_A_STEP)

static INLINE Lanes NAME(load)(const uint64_t *from) {
    Lanes lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static INLINE void NAME(store)(uint64_t *to, Lanes lanes) { memcpy(to, &lanes, sizeof lanes); }

static INLINE uint64_t NAME(any)(Lanes lanes) {
    uint64_t part[ROWS_A_STEP], bits = 0;
    memcpy(part, &lanes, sizeof part);
    for (int i = 0; i < ROWS_A_STEP; i++) bits |= part[i];
    return bits;
}

/* Place a queen; return 0 if a row has no free square left. */
static INLINE int NAME(put)(Rest *rest, int row, int column) {
    const uint64_t bit = (uint64_t)1 << column;
    const uint64_t *distances = DISTANCE + MOST_ROWS - 1 - row;
    const Lanes queen = (Lanes){0} + bit;
    Lanes empty = {0};
    rest->rows &= ~((uint64_t)1 << row);
    rest->columns &= ~bit;
    rest->left--;
    rest->sums -= row + column;
    rest->differences -= column - row;
    rest->squares -= 2L * (row * row + column * column);
    rest->free[row] = 0;
    FOR_BLOCKS(rest, r) {
        const Lanes by = NAME(load)(distances + r);
        const Lanes kept = NAME(load)(rest->free + r) & ~(queen | queen << by | queen >> by);
        NAME(store)(rest->free + r, kept);
        empty |= (Lanes)MASK(kept == 0) & NAME(load)(BIT + r);
    }
    return !(NAME(any)(empty) & rest->rows);
}

/* Remove the squares outside of these sums and differences; return 0 if a row has no free square
   left, 2 if squares were removed, 1 otherwise. */
static INLINE int NAME(cut)(Rest *rest, long low_sum, long high_sum, long low, long high) {
    const Signed zero = {0};
    Lanes empty = {0}, changed = {0};
    FOR_BLOCKS(rest, r) {
        const Signed row = (Signed)NAME(load)(ROW + r);
        const Lanes free = NAME(load)(rest->free + r);
        Signed first = low + row, last = high + row, other = low_sum - row, mask;
        Lanes kept;
        mask = MASK(other > first);
        first = (other & mask) | (first & ~mask);
        first &= MASK(first > zero);
        other = high_sum - row;
        mask = MASK(other < last);
        last = (other & mask) | (last & ~mask);
        mask = MASK(last >= zero) & MASK(first <= zero + 63) & MASK(first <= last);
        other = last - 63;
        last = -(other & MASK(other < zero));  /* the columns above the last one */
        kept = free & (Lanes)mask & (~(Lanes){0} << (Lanes)(first & 63))
            & (~(Lanes){0} >> (Lanes)(last & 63));
        NAME(store)(rest->free + r, kept);
        changed |= kept ^ free;
        empty |= (Lanes)MASK(kept == 0) & NAME(load)(BIT + r);
    }
    return NAME(any)(empty) & rest->rows ? 0 : 1 + (NAME(any)(changed) != 0);
}

/* The queens that are left stand on different diagonals of both kinds. The sums over them of r + c,
   of c - r, and of (r + c)^2 + (c - r)^2 = 2 (r^2 + c^2) are known: if the squares must sum to more
   than that, there is no completion. Remove squares on diagonals that are too far away. Return 0
   if there is no completion, 2 if squares were removed, 1 otherwise. */
static INLINE int NAME(fit_squares)(Rest *rest, int n, const Diagonals *sums,
                                    const Diagonals *differences) {
    const long count = rest->left, shift = n - 1;  /* the place of c - r is c - r + shift */
    const long places = rest->differences + count * shift;
    Bound sum, difference;
    long slack;
    int by_sum, by_difference;
    if (!bound_squares(sums, count, rest->sums, &rest->first_sum, &sum)
        || !bound_squares(differences, count, places, &rest->first_difference, &difference))
        return 0;
    slack = rest->squares + 2 * shift * places - count * shift * shift
        - sum.squares - difference.squares;
    if (slack < 0)
        return 0;
    by_sum = farthest(&sum, slack);
    by_difference = farthest(&difference, slack);
    return NAME(cut)(rest, sum.a - by_sum, sum.b + by_sum, difference.a - by_difference - shift,
                     difference.b + by_difference - shift);
}

/* Add the diagonals of all free squares. */
static INLINE void NAME(add_diagonals)(const Rest *rest, int n, Diagonals *sums,
                                       Diagonals *differences) {
    Lanes sum_low = {0}, sum_high = {0}, low = {0}, high = {0};
    FOR_BLOCKS(rest, r) {
        const Lanes free = NAME(load)(rest->free + r), sum = NAME(load)(ROW + r);
        const Lanes difference = ((uint64_t)n - 1 - sum) & 63;
        sum_low |= free << sum;
        sum_high |= free >> 1 >> (63 - sum);
        low |= free << difference;
        high |= free >> 1 >> (63 - difference);
    }
    sums->low = NAME(any)(sum_low);
    sums->high = NAME(any)(sum_high);
    differences->low = NAME(any)(low);
    differences->high = NAME(any)(high);
}

/* Find the rows and columns with few free squares. */
static INLINE Few NAME(count_squares)(const Rest *rest) {
    Lanes one = {0}, two = {0}, three = {0}, single = {0}, pair = {0};
    uint64_t part[3][ROWS_A_STEP];
    Few few = {0, 0, 0, 0, 0};
    FOR_BLOCKS(rest, r) {
        const Lanes free = NAME(load)(rest->free + r), more = free & (free - 1);
        const Lanes bit = NAME(load)(BIT + r);
        three |= two & free;
        two |= one & free;
        one |= free;
        single |= bit & (Lanes)(MASK(more == 0) & MASK(free != 0));
        pair |= bit & (Lanes)(MASK((more & (more - 1)) == 0) & MASK(more != 0));
    }
    few.single_rows = NAME(any)(single);
    few.pair_rows = NAME(any)(pair);
    memcpy(part[0], &one, sizeof one);
    memcpy(part[1], &two, sizeof two);
    memcpy(part[2], &three, sizeof three);
    for (int i = 0; i < ROWS_A_STEP; i++) {
        few.three |= part[2][i] | (part[1][i] & few.one) | (few.two & part[0][i]);
        few.two |= part[1][i] | (part[0][i] & few.one);
        few.one |= part[0][i];
    }
    return few;
}

/* Place what is forced. Return REJECTED, COMPLETED, or GIVEN_UP with the line that has the fewest
   free squares: a row, or a column and then *row is -1. */
static INLINE int NAME(force)(Rest *rest, int n, int *row, int *column) {
    while (rest->left) {
        const Few few = NAME(count_squares)(rest);
        Diagonals sums, differences;
        uint64_t rows, columns;
        int fewest, fit = 1;
        if (rest->columns & ~few.one)
            return REJECTED;
        if (few.single_rows | (few.one & ~few.two)) {
            uint64_t bit = lowest(few.one & ~few.two);
            if (few.single_rows) {
                *row = column_of(lowest(few.single_rows));
                bit = rest->free[*row];
            } else
                for (*row = 0; !(rest->free[*row] & bit); ++*row);
            if (!NAME(put)(rest, *row, column_of(bit)))
                return REJECTED;
            continue;
        }
        if (rest->left >= FEWEST_QUEENS) {
            NAME(add_diagonals)(rest, n, &sums, &differences);
            fit = NAME(fit_squares)(rest, n, &sums, &differences);
        }
        if (!fit)
            return REJECTED;
        if (fit == 2)
            continue;
        if (few.pair_rows) {
            *row = column_of(lowest(few.pair_rows));
            return GIVEN_UP;
        }
        if (few.two & ~few.three) {
            *column = column_of(lowest(few.two & ~few.three));
            *row = -1;
            return GIVEN_UP;
        }
        fewest = MOST_ROWS + 1;
        for (rows = rest->rows; rows; rows &= rows - 1) {
            int r = column_of(lowest(rows)), here = ones(rest->free[r]);
            if (here < fewest) {
                fewest = here;
                *row = r;
            }
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
static int NAME(complete)(Rest *rest, int n, long *nodes) {
    int row = -1, column = -1, found;
    uint64_t squares;
    if (!*nodes)
        return GIVEN_UP;
    --*nodes;
    found = NAME(force)(rest, n, &row, &column);
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
        if (NAME(put)(&child, r, c) && (found = NAME(complete)(&child, n, nodes)) != REJECTED)
            return found;
    }
    return REJECTED;
}

/* Decide a prefix; see decide_prefix. */
static int NAME(decide)(int n, const int *path, int rows, long limit, long *nodes) {
    Rest rest;
    int row, found;
    long left = limit;
    memset(&rest, 0, sizeof rest);
    rest.rows = rest.columns = ~(uint64_t)0 >> (MOST_ROWS - n);
    rest.left = n;
    rest.end = (n + ROWS_A_STEP - 1) / ROWS_A_STEP * ROWS_A_STEP;
    for (row = 0; row < n; row++) {
        rest.free[row] = rest.rows;
        rest.sums += 2 * row;
        rest.squares += 4L * row * row;
    }
    *nodes = 1;
    for (row = 0; row < rows; row++) {
        if (!(rest.free[row] >> path[row] & 1))
            return -1;
        if (!NAME(put)(&rest, row, path[row]))
            return REJECTED;
    }
    found = NAME(complete)(&rest, n, &left);
    *nodes = limit - left;
    return found;
}

#undef Lanes
#undef Signed
#undef MASK
#undef FOR_BLOCKS

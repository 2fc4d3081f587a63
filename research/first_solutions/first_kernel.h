/* The search below a prefix. Loops over the rows take ROWS_A_STEP of
   them at a time, in vectors. A closed row has no free squares. */

#if ROWS_A_STEP == 1
typedef uint64_t NAME(Lanes);
typedef int64_t NAME(Signed);
#define MASK(condition) (-(int64_t)(condition))
#define NONE {0}
#else
typedef uint64_t NAME(Lanes) __attribute__((vector_size(8 * ROWS_A_STEP)));
typedef int64_t NAME(Signed) __attribute__((vector_size(8 * ROWS_A_STEP)));
#define MASK(condition) (condition)
#define NONE {{0}}
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
    rest->side[column > row ? ABOVE : BELOW]--;
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

/* Count a line for each bit: whether at least one, two and three of the words have it. */
static INLINE void NAME(count)(Lanes words, Lanes counts[3]) {
    counts[2] |= counts[1] & words;
    counts[1] |= counts[0] & words;
    counts[0] |= words;
}

/* Add the counts of all lanes. */
static INLINE void NAME(join)(const Lanes counts[3], uint64_t joined[3]) {
    uint64_t part[3][ROWS_A_STEP];
    memcpy(part, counts, sizeof part);
    joined[0] = joined[1] = joined[2] = 0;
    for (int i = 0; i < ROWS_A_STEP; i++) {
        joined[2] |= part[2][i] | (part[1][i] & joined[0]) | (joined[1] & part[0][i]);
        joined[1] |= part[1][i] | (part[0][i] & joined[0]);
        joined[0] |= part[0][i];
    }
}

/* Find the rows and columns with few free squares. */
static INLINE Few NAME(count_squares)(const Rest *rest) {
    Lanes counts[3] = NONE, single = {0}, pair = {0};
    uint64_t columns[3];
    FOR_BLOCKS(rest, r) {
        const Lanes free = NAME(load)(rest->free + r), more = free & (free - 1);
        const Lanes bit = NAME(load)(BIT + r);
        NAME(count)(free, counts);
        single |= bit & (Lanes)(MASK(more == 0) & MASK(free != 0));
        pair |= bit & (Lanes)(MASK((more & (more - 1)) == 0) & MASK(more != 0));
    }
    NAME(join)(counts, columns);
    return (Few){columns[0], columns[1], columns[2], NAME(any)(single), NAME(any)(pair)};
}

/* Find the diagonals with at least one, two and three free squares, and what is above and below the
   main diagonal. */
static INLINE void NAME(count_diagonals)(const Rest *rest, Lines few[3], Reach *reach) {
    Lanes low[3] = NONE, high[3] = NONE, over[3] = NONE, under[3] = NONE;
    Lanes rows[2] = NONE, columns[2] = NONE;
    uint64_t joined[4][3];
    FOR_BLOCKS(rest, r) {
        const Lanes free = NAME(load)(rest->free + r), row = NAME(load)(ROWS + r);
        const Lanes up = free & (~(Lanes){0} << 1 << row), down = free & ~up;
        const Lanes bit = NAME(load)(BIT + r);
        NAME(count)(free << row, low);
        NAME(count)(free >> 1 >> (63 - row), high);
        NAME(count)(up >> row, over);
        NAME(count)(down << (63 - row), under); /* in reverse order, the distance 0 in bit 63 */
        rows[ABOVE] |= bit & (Lanes)MASK(up != 0);
        rows[BELOW] |= bit & (Lanes)MASK(down != 0);
        columns[ABOVE] |= up;
        columns[BELOW] |= down;
    }
    NAME(join)(low, joined[0]);
    NAME(join)(high, joined[1]);
    NAME(join)(over, joined[2]);
    NAME(join)(under, joined[3]);
    for (int k = 0; k < 3; k++)
        few[k] = (Lines){{joined[0][k], joined[1][k]}, {joined[2][k], reversed(joined[3][k])}};
    for (int side = ABOVE; side <= BELOW; side++) {
        reach->rows[side] = NAME(any)(rows[side]);
        reach->columns[side] = NAME(any)(columns[side]);
    }
}

static INLINE Signed NAME(smaller)(Signed one, Signed other) {
    const Signed more = other - one;
    return one + (more & MASK(more < (Signed){0}));
}

/* The bits from a place on to another. */
static INLINE Lanes NAME(between)(Signed first, Signed last) {
    const Signed zero = {0};
    const Signed mask = MASK(last >= zero) & MASK(first <= zero + 63) & MASK(first <= last);
    Signed other = last - 63;
    first &= MASK(first > zero);
    last = -(other & MASK(other < zero)); /* the bits above the last one */
    return (Lanes)mask & (~(Lanes){0} << (Lanes)(first & 63)) & (~(Lanes){0} >> (Lanes)(last & 63));
}

/* Remove the squares that no completion uses; return 0 if a row has no free square left, 2 if
   squares were removed, 1 otherwise. */
static INLINE int NAME(cut)(Rest *rest, const Limits *limits) {
    const Signed zero = {0};
    const int slack = limits->slack[limits->slack[ABOVE] > limits->slack[BELOW] ? BELOW : ABOVE];
    Lanes empty = {0}, changed = {0};
    FOR_BLOCKS(rest, r) {
        const Signed row = (Signed)NAME(load)(ROWS + r);
        const Lanes free = NAME(load)(rest->free + r), bit = NAME(load)(BIT + r);
        const Signed both = (Signed)MASK((bit & limits->rows) != 0);
        Signed lost, far;
        Lanes up, down;

        lost = row - limits->row[ABOVE];
        lost &= both & MASK(lost > zero);
        far = NAME(smaller)(limits->last[ABOVE] + limits->slack[ABOVE] - lost,
                            zero + limits->far[ABOVE]);
        up = NAME(between)(row + 1, row + far) & (Lanes)MASK(lost <= zero + slack);
        up &= ~(limits->columns & NAME(between)(zero, limits->column[ABOVE] - 1 - slack + lost));

        lost = limits->row[BELOW] - row;
        lost &= both & MASK(lost > zero);
        far = NAME(smaller)(limits->last[BELOW] + limits->slack[BELOW] - lost,
                            zero + limits->far[BELOW]);
        down = NAME(between)(row - far, row) & (Lanes)MASK(lost <= zero + slack);
        down &= ~(limits->columns
                  & NAME(between)(limits->column[BELOW] + 1 + slack - lost, zero + 63));

        up = free & (up | down) & NAME(between)(limits->low - row, limits->high - row);
        NAME(store)(rest->free + r, up);
        changed |= up ^ free;
        empty |= (Lanes)MASK(up == 0) & bit;
    }
    return NAME(any)(empty) & rest->rows ? 0 : 1 + (NAME(any)(changed) != 0);
}

/* Remove what no completion uses; return as cut does. */
static INLINE int NAME(fit)(Rest *rest, const Lines *lines, const Reach *reach, Limits *limits) {
    return find_limits(rest, lines, reach, limits) ? NAME(cut)(rest, limits) : 0;
}

/* Find the line with the fewest free squares, if all have three or more. */
static INLINE Line NAME(choose_line)(const Rest *rest) {
    int fewest = MOST_ROWS + 1;
    Line line = {ROW, -1};
    for (uint64_t rows = rest->rows; rows; rows &= rows - 1) {
        int row = column_of(lowest(rows)), here = ones(rest->free[row]);
        if (here < fewest) {
            fewest = here;
            line.place = row;
        }
    }
    for (uint64_t columns = fewest > 3 ? rest->columns : 0; columns; columns &= columns - 1) {
        uint64_t bit = lowest(columns);
        int here = 0;
        for (uint64_t rows = rest->rows; rows; rows &= rows - 1)
            here += (rest->free[column_of(lowest(rows))] & bit) != 0;
        if (here < fewest) {
            fewest = here;
            line = (Line){COLUMN, column_of(bit)};
        }
    }
    return line;
}

/* Place what is forced. Return REJECTED, COMPLETED, or GIVEN_UP with the line to branch on. */
static INLINE int NAME(force)(Rest *rest, int n, Line *line) {
    Lines few_squares[3];
    Limits limits;
    Reach reach;
    while (rest->left) {
        const Few few = NAME(count_squares)(rest);
        int fit;
        if (rest->columns & ~few.one) return REJECTED;
        if (few.single_rows) {
            const int row = column_of(lowest(few.single_rows));
            if (!NAME(put)(rest, row, column_of(rest->free[row]))) return REJECTED;
            continue;
        }
        *line = (Line){COLUMN, 0};
        if (few.one & ~few.two) line->place = column_of(lowest(few.one & ~few.two));
        else if (rest->left >= FEWEST_QUEENS) {
            NAME(count_diagonals)(rest, few_squares, &reach);
            fit = NAME(fit)(rest, few_squares, &reach, &limits);
            if (!fit) return REJECTED;
            if (fit == 2) continue;
            *line = first_line(&limits.must, &few_squares[0], &few_squares[1]);
        } else line->place = -1;
        if (line->place >= 0) {
            const int row = find_row(rest, n, *line);
            if (!NAME(put)(rest, row, column_in(*line, row))) return REJECTED;
            continue;
        }
        if (few.pair_rows) *line = (Line){ROW, column_of(lowest(few.pair_rows))};
        else if (few.two & ~few.three)
            *line = (Line){COLUMN, column_of(lowest(few.two & ~few.three))};
        else {
            if (rest->left >= FEWEST_QUEENS)
                *line = first_line(&limits.must, &few_squares[1], &few_squares[2]);
            if (line->place < 0) *line = NAME(choose_line)(rest);
        }
        return GIVEN_UP;
    }
    return COMPLETED;
}

/* Look for a completion in at most `*nodes` nodes. `rest` is changed. */
static int NAME(complete)(Rest *rest, int n, long *nodes) {
    int found;
    Line line;
    uint64_t squares;
    if (!*nodes) return GIVEN_UP;
    --*nodes;
    found = NAME(force)(rest, n, &line);
    if (found != GIVEN_UP) return found;
    squares = line.kind == ROW ? rest->free[line.place] : rest->rows;
    for (; squares; squares &= squares - 1) {
        const int place = column_of(lowest(squares));
        const int row = line.kind == ROW ? line.place : place;
        const int column = line.kind == ROW ? place : column_in(line, row);
        Rest child;
        if (!is_free(rest, n, row, column)) continue;
        child = *rest;
        if (NAME(put)(&child, row, column)
            && (found = NAME(complete)(&child, n, nodes)) != REJECTED)
            return found;
    }
    return REJECTED;
}

/* Decide a prefix; see decide_prefix. */
static int NAME(decide)(int n, const int *path, int rows, long limit, long *nodes) {
    Rest rest;
    Lines few[3];
    Limits limits;
    Reach reach;
    int found = REJECTED;
    long left = limit;
    memset(&rest, 0, sizeof rest);
    rest.rows = rest.columns = ~(uint64_t)0 >> (MOST_ROWS - n);
    rest.left = n;
    rest.end = (n + ROWS_A_STEP - 1) / ROWS_A_STEP * ROWS_A_STEP;
    for (int row = 0; row < n; row++) {
        rest.free[row] = rest.rows;
        rest.sums += 2 * row;
        rest.squares += 4L * row * row;
    }
    *nodes = 1;
    for (int row = 0; row < rows; row++) {
        if (!(rest.free[row] >> path[row] & 1)) return -1;
        if (!NAME(put)(&rest, row, path[row])) return REJECTED;
    }
    NAME(count_diagonals)(&rest, few, &reach);
    for (int above = 0; above <= rest.left && found == REJECTED; above++) {
        Rest one = rest;
        one.side[ABOVE] = above;
        one.side[BELOW] = rest.left - above;
        if (rest.left < FEWEST_QUEENS || NAME(fit)(&one, few, &reach, &limits))
            found = NAME(complete)(&one, n, &left);
    }
    *nodes = limit > left ? limit - left : 1;
    return found;
}

#undef Lanes
#undef Signed
#undef MASK
#undef NONE
#undef FOR_BLOCKS

/* Listing and sorting the halves of given rows. */

/* The placements that fill the rows of a lister, one after the other. */
typedef struct {
    Joiner *join;
    int side, rows;
    Slice slice;
    uint32_t must; /* columns that have to be taken */
    uint32_t (*clash)[BLOCK];
    int row[BLOCK];
    uint32_t open[BLOCK]; /* for each of these rows */
} Lister;

/* Add a row, with queens only on these columns. */
static void add_row(Lister *lister, int row, uint32_t columns) {
    const Frame *frame = &lister->join->frame;
    const uint64_t never = lister->slice.mask & ~lister->slice.value;
    uint32_t open = frame->open[lister->side][row] & columns;
    for (int column = 0; column < frame->half; column++)
        if (frame->square[lister->side][row][column] & never) open &= ~((uint32_t)1 << column);
    lister->row[lister->rows] = row;
    lister->open[lister->rows++] = open;
}

/* Make room for the leaves of one more row. Return 0 if there is none, or none is wanted. */
static int make_leaf_room(Joiner *join) {
    if (*join->stop) return 0;
    if (join->leaves + BLOCK <= join->leaf_room) return 1;
    Leaf *more = realloc(join->leaf, 2 * join->leaf_room * sizeof(Leaf));
    if (!more) {
        join->failed = 1;
        return 0;
    }
    join->leaf = more;
    join->leaf_room *= 2;
    return 1;
}

static int list(Lister *lister, int level, uint32_t columns, uint64_t sums, uint64_t differences,
                uint32_t clash, uint64_t word) {
    Joiner *join = lister->join;
    const int row = lister->row[level], up = join->frame.n - 1 - row;
    const int left = lister->rows - level;
    const uint64_t *square = join->frame.square[lister->side][row];
    const uint32_t *clashes = lister->clash[row], missing = lister->must & ~columns;
    uint32_t open = lister->open[level]
        & ~(columns | (uint32_t)(sums >> row) | (uint32_t)(differences >> up));
    if (missing && ones(missing) == left) open &= missing;
    if (left == 1 && !make_leaf_room(join)) return 0;
    while (open) {
        const int column = PLACE_OF(open);
        const uint32_t bit = open & (0 - open);
        open -= bit;
        if (left == 1) {
            const Leaf leaf = {join->set[columns | bit], clash | clashes[column],
                               word | square[column]};
            join->leaf[join->leaves++] = leaf;
        } else if (!list(lister, level + 1, columns | bit, sums | (uint64_t)bit << row,
                         differences | (uint64_t)bit << up, clash | clashes[column],
                         word | square[column]))
            return 0;
    }
    return 1;
}

/* List the placements on the rows of a lister. NULL if there is no memory, or none is wanted. */
static Quarter *make_quarter(Lister *lister) {
    Joiner *join = lister->join;
    join->leaves = 0;
    if (!lister->rows) {
        const Leaf empty = {0, 0, 0};
        join->leaf[join->leaves++] = empty;
    } else if (!list(lister, 0, 0, 0, 0, 0, 0)) return NULL;
    const uint32_t sets = join->sets[lister->rows];
    const size_t most = join->leaves + (size_t)sets * (PAD - 1);
    const size_t words = sizeof(Quarter) + 64 + most * 8, bytes = words + most * 4 + sets * 8;
    Quarter *quarter = malloc(bytes);
    if (!quarter) {
        join->failed = 1;
        return NULL;
    }
    quarter->sets = sets;
    quarter->bytes = bytes;
    quarter->word = (uint64_t *)(((uintptr_t)(quarter + 1) + 63) & ~(uintptr_t)63);
    quarter->clash = (uint32_t *)((char *)quarter + words);
    quarter->start = quarter->clash + most;
    quarter->number = quarter->start + sets;
    memset(quarter->number, 0, sets * sizeof *quarter->number);
    for (size_t i = 0; i < join->leaves; i++) quarter->number[join->leaf[i].set]++;
    uint32_t place = 0;
    for (uint32_t set = 0; set < sets; set++) {
        quarter->start[set] = place;
        place += (quarter->number[set] + PAD - 1) / PAD * PAD;
    }
    for (uint32_t i = 0; i < place; i++) quarter->clash[i] = NO_CLASH;
    for (size_t i = 0; i < join->leaves; i++) {
        const uint32_t at = quarter->start[join->leaf[i].set]++;
        quarter->word[at] = join->leaf[i].word;
        quarter->clash[at] = join->leaf[i].clash;
    }
    for (uint32_t set = 0; set < sets; set++) quarter->start[set] -= quarter->number[set];
    return quarter;
}

static void empty_cache(Joiner *join) {
    while (join->newest) {
        Quarter *quarter = join->newest;
        join->newest = quarter->next;
        free(quarter);
    }
    if (join->cache) memset(join->cache, 0, join->cache_size * sizeof *join->cache);
    join->cached = 0;
}

/* Enter a frame, if the last one was another: for a hole, and so many western rows in the north.
   Return whether there was enough memory. */
static int enter_frame(Joiner *join, int n, int hole, int upper, int digits) {
    const Frame old = join->frame;
    if (join->sets[0] && old.n == n && old.hole == hole && old.upper == upper
        && old.digits == digits)
        return 1;
    empty_cache(join);
    make_frame(&join->frame, n, hole, upper, digits, join->exchanged);
    if (!join->sets[0] || old.n != n) {
        const int half = n / 2;
        memset(join->sets, 0, sizeof join->sets);
        for (uint32_t columns = 0; columns >> half == 0; columns++)
            join->set[columns] = (uint16_t)join->sets[ones(columns)]++;
        free(join->cache);
        join->cache_size = (size_t)4 << (half + 1);
        join->cache = calloc(join->cache_size, sizeof *join->cache);
    }
    if (join->cache) return 1;
    join->sets[0] = 0;
    join->failed = 1;
    return 0;
}

/* The number of ways to put queens on so many rows of a block, if diagonals do not matter. */
static uint64_t count_orders(int half, int rows) {
    uint64_t orders = 1;
    for (int i = 0; i < rows; i++) orders *= (uint64_t)(half - i);
    return orders;
}

/* Return the placements on a set of northern or southern rows, which are kept for other halves. */
static Quarter *find_quarter(Joiner *join, int side, int part, uint32_t rows) {
    Quarter **place = &join->cache[((size_t)(2 * side + part) << (join->frame.half + 1)) + rows];
    if (*place) return *place;
    Lister lister = {.join = join, .side = side, .clash = join->frame.clash};
    for (; rows; rows &= rows - 1)
        add_row(&lister, join->frame.row[part][PLACE_OF(rows)], ~(uint32_t)0);
    Quarter *quarter = make_quarter(&lister);
    if (!quarter) return NULL;
    quarter->next = join->newest;
    join->cached += quarter->bytes;
    return *place = join->newest = quarter;
}

/* Make the halves whose upper queens take of the `fixed` first columns only `taken`, on these
   rows, of quarters that are listed for them alone. */
static void make_group(Joiner *join, int side, Slice slice, const int *row, int fixed,
                       uint32_t taken, uint32_t (*clash)[BLOCK]) {
    const uint32_t others = ((uint32_t)1 << fixed) - 1 - taken;
    const int half = join->frame.half, upper = half / 2;
    Lister top = {.join = join, .side = side, .slice = slice, .must = taken, .clash = clash};
    Lister bottom = {.join = join, .side = side, .slice = slice, .must = others, .clash = clash};
    if (ones(taken) > upper || ones(others) > half - upper) return;
    for (int i = 0; i < upper; i++) add_row(&top, row[i], ~others);
    for (int i = half - 1; i >= upper; i--) add_row(&bottom, row[i], ~taken);
    Quarter *quarter = make_quarter(&top), *other = quarter ? make_quarter(&bottom) : NULL;
    if (other) make_halves(join, &join->list[side], quarter, other, slice);
    free(quarter);
    free(other);
}

/* Make the halves on these rows of quarters of nearly the same size: those above and below a cut
   between any two rows. If they are many, the column sets come in groups. */
static void make_balanced(Joiner *join, int side, const uint32_t rows[2], Slice slice) {
    const Frame *frame = &join->frame;
    uint32_t clash[LARGEST_N][BLOCK];
    int row[BLOCK] = {0}, number = 0, fixed = 0;
    for (int i = 0; i < frame->rows[NORTH]; i++)
        if (rows[NORTH] >> i & 1) row[number++] = frame->row[NORTH][i];
    for (int i = frame->rows[SOUTH]; i--;)
        if (rows[SOUTH] >> i & 1) row[number++] = frame->row[SOUTH][i];
    const int upper = number / 2, first = row[upper];
    label_clashes(frame->half, upper ? row[upper - 1] : first - 1, first, clash);
    while (count_orders(frame->half, number - upper) >> fixed > MOST_ORDERS) fixed++;
    for (uint32_t taken = 0; taken >> fixed == 0; taken++) {
        if (join->list[side].number > join->most || *join->stop || join->failed) return;
        make_group(join, side, slice, row, fixed, taken, clash);
    }
}

/* List the halves of a side on these rows. Return 0 if they are too many, or if the count has
   been stopped or has failed. */
static int list_half(Joiner *join, int side, const uint32_t rows[2], Slice slice) {
    const Frame *frame = &join->frame;
    Words *list = &join->list[side];
    if (join->cached + count_list_bytes(join) > MOST_BYTES) empty_cache(join);
    list->number = 0;
    if (side == WEST) join->sorted = 0;
    if (!slice.mask && count_orders(frame->half, ones(rows[NORTH])) <= MOST_ORDERS
        && count_orders(frame->half, ones(rows[SOUTH])) <= MOST_ORDERS) {
        const Quarter *north = find_quarter(join, side, NORTH, rows[NORTH]);
        const Quarter *south = north ? find_quarter(join, side, SOUTH, rows[SOUTH]) : NULL;
        if (!south) return 0;
        make_halves(join, list, north, south, slice);
    } else make_balanced(join, side, rows, slice);
    join->placements += list->number;
    return list->number <= join->most && !*join->stop && !join->failed;
}

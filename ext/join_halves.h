/* Listing and sorting the halves of given rows. */

/* The placements that fill the rows of a lister, one after the other. */
typedef struct {
    Joiner *join;
    int side, rows, drained;  /* drained: leaves become words of join->raw at once */
    Slice slice;
    int row[LARGEST_N];
    uint32_t open[LARGEST_N]; /* for each of these rows */
} Lister;

static void start_list(Lister *lister, Joiner *join, int side, Slice slice)
{
    lister->join = join;
    lister->side = side;
    lister->slice = slice;
    lister->rows = 0;
    join->leaves = 0;
}

static void add_rows(Lister *lister, int part, uint32_t rows)
{
    const Frame *frame = &lister->join->frame;
    const uint64_t never = lister->slice.mask & ~lister->slice.value;
    for (; rows; rows &= rows - 1) {
        const int row = frame->row[part][PLACE_OF(rows)];
        uint32_t open = frame->open[lister->side][row];
        for (int column = 0; column < frame->half; column++)
            if (frame->square[lister->side][row][column] & never) open &= ~((uint32_t)1 << column);
        lister->row[lister->rows] = row;
        lister->open[lister->rows++] = open;
    }
}

/* Keep one more word, and count it; more than `most` are not kept. */
static INLINE void keep(Joiner *join, uint64_t word, Slice slice)
{
    if ((word & slice.mask) != slice.value) return;
    if (join->made < join->most) {
        join->raw[join->made] = word;
        join->count[word >> join->frame.rest][join->made % STREAMS]++;
    }
    join->made++;
}

/* Make room for the leaves of one row. Return 0 if there is none, or none is wanted. */
static int make_leaf_room(Lister *lister)
{
    Joiner *join = lister->join;
    if (lister->drained) {
        for (size_t i = 0; i < join->leaves; i++) keep(join, join->leaf[i].word, lister->slice);
        join->leaves = 0;
        return join->made <= join->most && !*join->stop;
    }
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
                uint32_t clash, uint64_t word)
{
    Joiner *join = lister->join;
    const int row = lister->row[level], up = join->frame.n - 1 - row;
    const uint64_t *square = join->frame.square[lister->side][row];
    const uint32_t *clashes = join->frame.clash[lister->side][row];
    uint32_t open = lister->open[level]
                    & ~(columns | (uint32_t)(sums >> row) | (uint32_t)(differences >> up));
    const int last = level == lister->rows - 1;
    if (last && join->leaves + BLOCK > join->leaf_room && !make_leaf_room(lister)) return 0;
    while (open) {
        const int column = PLACE_OF(open);
        const uint32_t bit = open & (0 - open);
        open -= bit;
        if (last) {
            const Leaf leaf = {join->set[columns | bit], clash | clashes[column],
                               word | square[column]};
            join->leaf[join->leaves++] = leaf;
        } else if (!list(lister, level + 1, columns | bit, sums | (uint64_t)bit << row,
                         differences | (uint64_t)bit << up, clash | clashes[column],
                         word | square[column])) return 0;
    }
    return 1;
}

/* List the placements on `rows`, a set of the rows of the north or south. NULL if there is no
   memory. */
static Quarter *make_quarter(Joiner *join, int side, int part, uint32_t rows, Slice slice)
{
    Lister lister;
    lister.drained = 0;
    start_list(&lister, join, side, slice);
    add_rows(&lister, part, rows);
    if (!lister.rows) {
        const Leaf empty = {0, 0, 0};
        join->leaf[0] = empty;
        join->leaves = 1;
    } else if (!list(&lister, 0, 0, 0, 0, 0, 0)) return NULL;
    const uint32_t sets = join->sets[lister.rows];
    const size_t most = join->leaves + (size_t)sets * (PAD - 1);
    const size_t words = sizeof(Quarter) + 64 + most * 8, bytes = words + most * 4 + sets * 8;
    Quarter *quarter = malloc(bytes);
    if (!quarter) {
        join->failed = 1;
        return NULL;
    }
    quarter->rows = rows;
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

static void empty_cache(Joiner *join)
{
    while (join->newest) {
        Quarter *quarter = join->newest;
        join->newest = quarter->next;
        free(quarter);
    }
    if (join->cache) memset(join->cache, 0, join->cache_size * sizeof *join->cache);
    join->cached = 0;
}

/* Enter a frame, if the last one was another. Return whether there was enough memory. */
static int enter_frame(Joiner *join, int n, int hole, int upper)
{
    const Frame old = join->frame;
    if (join->sets[0] && old.n == n && old.hole == hole && old.upper == upper) return 1;
    empty_cache(join);
    make_frame(&join->frame, n, hole, upper, join->chunk, join->index);
    if (!join->sets[0] || old.n != n) {
        const int half = n / 2;
        memset(join->sets, 0, sizeof join->sets);
        for (uint32_t columns = 0; columns >> half == 0; columns++)
            join->set[columns] = (uint16_t)join->sets[ones(columns)]++;
        free(join->cache);
        join->cache_size = (size_t)4 << (half + 1);
        join->cache = calloc(join->cache_size, sizeof *join->cache);
    }
    const size_t classes = ((size_t)FLAGS << join->frame.index) + 1;
    if (classes > join->classes) {
        join->classes = 0;
        free(join->count);
        join->count = malloc(classes * sizeof *join->count);
        for (int side = 0; side < 2; side++) {
            free(join->half[side].offset);
            join->half[side].offset = malloc(classes * sizeof(uint32_t));
        }
        if (join->count && join->half[WEST].offset && join->half[EAST].offset)
            join->classes = classes;
    }
    if (join->cache && join->classes) return 1;
    join->sets[0] = 0;
    join->failed = 1;
    return 0;
}

static Quarter *find_quarter(Joiner *join, int side, int part, uint32_t rows)
{
    Quarter **place = &join->cache[((size_t)(2 * side + part) << (join->frame.half + 1)) + rows];
    if (*place) return *place;
    Quarter *quarter = make_quarter(join, side, part, rows, (Slice){0, 0});
    if (!quarter) return NULL;
    quarter->next = join->newest;
    join->cached += quarter->bytes;
    return *place = join->newest = quarter;
}

/* Return whether the placements on so many rows are few enough to be listed. */
static int is_listed(const Frame *frame, uint32_t rows)
{
    uint64_t orders = 1;
    for (int i = 0, number = ones(rows); i < number; i++) orders *= (uint64_t)(frame->half - i);
    return orders <= MOST_ORDERS;
}

/* Sort the words of join->raw; those with both flags count twice, and stand there twice. */
static int sort_half(Joiner *join, Half *half)
{
    const int rest = join->frame.rest, twice = !join->frame.tie;
    const size_t classes = (size_t)FLAGS << join->frame.index;
    uint32_t sum = 0;
    for (size_t i = 0; i < classes; i++) {
        half->offset[i] = sum;
        for (int stream = 0; stream < STREAMS; stream++) {
            const uint32_t number = join->count[i][stream];
            join->count[i][stream] = sum;
            sum += number << (twice && i % FLAGS == FLAGS - 1);
        }
    }
    half->offset[classes] = sum;
    half->number = sum;
    if (!make_room(join, &half->word, &half->room, sum, sizeof *half->word)) return 0;
    for (size_t i = 0; i < join->made; i++) {
        const uint64_t word = join->raw[i], place = word >> rest;
        uint32_t *at = &join->count[place][i % STREAMS];
        half->word[(*at)++] = word;
        if (twice && place % FLAGS == FLAGS - 1) half->word[(*at)++] = word;
    }
    return 1;
}

/* List and sort the halves of a side on these rows. Return 0 if they are too many, or if the
   count has been stopped or has failed. */
static int list_half(Joiner *join, int side, const uint32_t rows[2], Slice slice)
{
    const Frame *frame = &join->frame;
    const size_t words = join->raw_room + join->half[WEST].room + join->half[EAST].room;
    if (join->cached + words * sizeof *join->raw > MOST_BYTES) empty_cache(join);
    memset(join->count, 0, (sizeof *join->count * FLAGS) << frame->index);
    join->made = 0;
    if (is_listed(frame, rows[NORTH]) && is_listed(frame, rows[SOUTH])) {
        Quarter *quarter[2];
        for (int part = 0; part < 2; part++) {
            quarter[part] = slice.mask ? make_quarter(join, side, part, rows[part], slice)
                                       : find_quarter(join, side, part, rows[part]);
            if (!quarter[part] && part && slice.mask) free(quarter[NORTH]);
            if (!quarter[part]) return 0;
        }
        make_halves(join, quarter[NORTH], quarter[SOUTH], slice);
        if (slice.mask) for (int part = 0; part < 2; part++) free(quarter[part]);
    } else {
        Lister lister;
        lister.drained = 1;
        if (!make_room(join, &join->raw, &join->raw_room, join->most, sizeof *join->raw)) return 0;
        start_list(&lister, join, side, slice);
        add_rows(&lister, NORTH, rows[NORTH]);
        add_rows(&lister, SOUTH, rows[SOUTH]);
        if (!list(&lister, 0, 0, 0, 0, 0, 0) || !make_leaf_room(&lister)) return 0;
    }
    return join->made <= join->most && !*join->stop && !join->failed
           && sort_half(join, &join->half[side]);
}

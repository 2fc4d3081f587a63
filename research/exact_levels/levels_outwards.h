/* Adding the row above and the row below to placements on adjacent rows, LANES boards at a time: the
   text of all kernels.

   A state has two words more than downwards: the squares of the row above it that are attacked
   along a diagonal to the left and to the right. Each child has a queen in the row above, the upper
   one, and one in the row below. So only every second level is visited. The free squares above and
   below are counted, which are the placements on one row more, of a prefix and of its image upside
   down. The children stand for both, and count twice. */

typedef struct { lanes_vec word[WORDS], below, above, upper, left; } NAME(pair);

static void NAME(visit_outwards)(Search *search, int rows);

/* The free squares of the row below, and of the row above. */
static INLINE lanes_vec NAME(row_below)(lanes_vec full, const NAME(pair) *state) {
    return lanes_unattacked(full, state->word[COLUMNS], state->word[BELOW_LEFT],
                            state->word[BELOW_RIGHT]);
}

static INLINE lanes_vec NAME(row_above)(lanes_vec full, const NAME(pair) *state) {
    return lanes_unattacked(full, state->word[COLUMNS], state->word[ABOVE_LEFT],
                            state->word[ABOVE_RIGHT]);
}

/* Sums of population counts: by byte, then by lane. */
typedef struct {
    lanes_vec bytes, lanes;
    int steps;
} NAME(sum);

#define FULL_BYTES 15 /* steps that add at most 16 to a byte */

static INLINE void NAME(fold)(NAME(sum) *sum) {
    const lanes_vec even = lanes_splat(0x00ff00ff);
    const lanes_vec low = lanes_splat(0x0000ffff);
    lanes_vec folded = lanes_add(lanes_both(sum->bytes, even),
                                 lanes_both(lanes_shr(sum->bytes, lanes_by(8)), even));
    folded = lanes_add(lanes_both(folded, low), lanes_both(lanes_shr(folded, lanes_by(16)), low));
    sum->lanes = lanes_add(sum->lanes, folded);
    sum->bytes = lanes_splat(0);
    sum->steps = 0;
}

static INLINE uint64_t NAME(total)(NAME(sum) *sum) {
    lanes_word lane[LANES];
    uint64_t total = 0;
    NAME(fold)(sum);
    lanes_store(lane, sum->lanes);
    for (int i = 0; i < LANES; i++) total += lane[i];
    return total;
}

/* Add the row above and the row below. `open` rows stay open: 0, 1, or 2 for more. */
static INLINE void NAME(add_rows)(Search *search, int rows, const int open) {
    const size_t stride = search->stride;
    const uint32_t room = (uint32_t)search->capacity - LANES, end = search->count[rows];
    const lanes_word all = (lanes_word)every_column(search->n);
    lanes_word *in = NAME(buffer)(search, rows), *out = NAME(buffer)(search, rows + 2);
    const lanes_vec full = lanes_splat(all), zero = lanes_splat(0);
    const lanes_shift one = lanes_by(1), across = lanes_by(rows + 1), beyond = lanes_by(rows + 2);
    uint32_t next = 0, made = open > 1 ? search->count[rows + 2] : 0, busy;
    uint64_t children = 0;
    NAME(sum) sum = {zero, zero, 0};
    NAME(pair) state = {{zero, zero, zero, zero, zero}, zero, zero, zero, zero}, child;
    search->count[rows] = 0;
    for (int i = 0; i < LANES; i++) in[end + i] = all; /* lanes beyond the end are idle */
    do {
        if (open > 1 && made > room) {
            search->count[rows + 2] = made;
            NAME(visit_outwards)(search, rows + 2);
            made = 0;
        }
        /* `left` are the squares below that go with the queen above, `upper`. */
        lanes_mask idle = lanes_zero(state.left);
        if (next < end) {
            const lanes_mask ended = lanes_zero(lanes_either(state.left, state.above));
            UNROLL
            for (int i = 0; i < WORDS; i++)
                state.word[i] = lanes_refill(state.word[i], ended, in + next + i * stride);
            state.above = lanes_replace(state.above, ended, NAME(row_above)(full, &state));
            state.below = lanes_replace(state.below, ended, NAME(row_below)(full, &state));
            next += lanes_many(ended);
        }
        const lanes_vec above = lanes_lowest(state.above);
        state.upper = lanes_replace(state.upper, idle, above);
        state.above = lanes_replace(state.above, idle, lanes_except(state.above, above));
        state.left = lanes_replace(
            state.left, idle,
            lanes_clear(lanes_unattacked(state.below, above, lanes_shl(above, across),
                                         lanes_shr(above, across)),
                        lanes_zero(above)));
        const lanes_vec lower = lanes_lowest(state.left);
        const lanes_mask none = lanes_zero(lower);
        state.left = lanes_except(state.left, lower);
        const uint32_t taken = LANES - lanes_many(none);
        children += taken;
        if (open) {
            child.word[COLUMNS] = lanes_either(state.word[COLUMNS],
                                               lanes_either(state.upper, lower));
            child.word[BELOW_LEFT] = lanes_either(
                lanes_shl(lanes_either(state.word[BELOW_LEFT], lower), one),
                lanes_shl(state.upper, beyond));
            child.word[BELOW_RIGHT] = lanes_either(
                lanes_shr(lanes_either(state.word[BELOW_RIGHT], lower), one),
                lanes_shr(state.upper, beyond));
            child.word[ABOVE_LEFT] = lanes_either(
                lanes_shl(lanes_either(state.word[ABOVE_LEFT], state.upper), one),
                lanes_shl(lower, beyond));
            child.word[ABOVE_RIGHT] = lanes_either(
                lanes_shr(lanes_either(state.word[ABOVE_RIGHT], state.upper), one),
                lanes_shr(lower, beyond));
            child.below = lanes_clear(NAME(row_below)(full, &child), none);
            child.above = lanes_clear(NAME(row_above)(full, &child), none);
            sum.bytes = lanes_add(sum.bytes,
                                  lanes_add(lanes_ones(child.below), lanes_ones(child.above)));
            if (++sum.steps == FULL_BYTES) NAME(fold)(&sum);
        }
        if (open > 1)
            made += NAME(write)(child.word,
                                lanes_and(lanes_nonzero(child.below), lanes_nonzero(child.above)),
                                WORDS, out + made, stride);
        busy = taken + (next < end) + LANES - lanes_many(lanes_zero(state.above));
    } while (busy);
    if (open > 1) search->count[rows + 2] = made;
    add(search, rows + 2, 2 * children);
    if (open) add(search, rows + 3, NAME(total)(&sum));
}

static void NAME(visit_outwards)(Search *search, int rows) {
    const int open = search->n - rows; /* rows, of which a state has no queen */
    if (!search->count[rows] || *search->stop) return;
    if (open == 2) NAME(add_rows)(search, rows, 0);
    else if (open == 3) NAME(add_rows)(search, rows, 1);
    else NAME(add_rows)(search, rows, 2);
}

/* Count the placements that continue these prefixes. */
static void NAME(outwards)(Search *search, const Prefix *prefix, size_t number) {
    const uint64_t full = every_column(search->n);
    lanes_word *start = NAME(buffer)(search, search->rows);
    for (size_t i = 0; i < number && !*search->stop; i++) {
        const uint64_t *word = prefix[i].word;
        const uint64_t below = full & ~(word[COLUMNS] | word[BELOW_LEFT] | word[BELOW_RIGHT]);
        const uint64_t above = full & ~(word[COLUMNS] | word[ABOVE_LEFT] | word[ABOVE_RIGHT]);
        const uint32_t place = search->count[search->rows];
        add(search, search->rows + 1, (uint64_t)(ones(below) + ones(above)));
        for (int j = 0; j < WORDS; j++) start[place + j * search->stride] = (lanes_word)word[j];
        search->count[search->rows] += below && above && search->rows + 1 < search->n;
        if (place > search->capacity - LANES) NAME(visit_outwards)(search, search->rows);
    }
    for (int rows = search->rows; rows < search->n; rows++) NAME(visit_outwards)(search, rows);
}

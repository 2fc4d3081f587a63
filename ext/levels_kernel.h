/* Adding rows to placements on adjacent rows, LANES boards at a time: the text of all kernels.

   A state is a placement: five words say which columns it takes, and which squares of the row
   below it and of the row above it are attacked along a diagonal, to the left and to the right.
   Both searches go depth first by batches, like kernel.h: the states with the same number of rows
   wait in a buffer, and a pass over it writes their children into another.

   DOWNWARDS each child has a queen in the row below, and is counted when it is placed.

   OUTWARDS each child has a queen in the row above, the upper one, and one in the row below. So
   only every second level is visited. The free squares above and below are counted, which are the
   placements on one row more, of a prefix and of its image upside down. The children stand
   for both, and count twice. */

#include "lanes.h"

#define SETS 4 /* vectors that take turns, since a step waits longer than it works */

typedef struct { lanes_vec word[WORDS], below, above, upper, left; } NAME(state);

/* Sums of population counts: by byte, then by lane. */
typedef struct { lanes_vec bytes, lanes; int steps; } NAME(sum);

#define FULL_BYTES 15 /* steps that add at most 16 to a byte */

static INLINE void NAME(fold)(NAME(sum) *sum) {
    const lanes_vec even = lanes_splat((columns_t)0x00ff00ff00ff00ff);
    const lanes_vec low = lanes_splat((columns_t)0x0000ffff0000ffff);
    lanes_vec folded = lanes_add(lanes_both(sum->bytes, even),
                                 lanes_both(lanes_shr(sum->bytes, lanes_by(8)), even));
    folded = lanes_add(lanes_both(folded, low),
                       lanes_both(lanes_shr(folded, lanes_by(16)), low));
#if WORD == 64
    folded = lanes_add(lanes_both(folded, lanes_splat(0xffffffff)),
                       lanes_shr(folded, lanes_by(32)));
#endif
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

static void NAME(visit)(Search *search, int rows);

static INLINE lanes_word *NAME(buffer)(const Search *search, int rows) {
    return (lanes_word *)search->memory + (size_t)rows * WORDS * search->stride;
}

/* The free squares of the row below, and of the row above. */
static INLINE lanes_vec NAME(below)(lanes_vec full, const NAME(state) *state) {
    return lanes_unattacked(full, state->word[COLUMNS], state->word[BELOW_LEFT],
                            state->word[BELOW_RIGHT]);
}

static INLINE lanes_vec NAME(above)(lanes_vec full, const NAME(state) *state) {
    return lanes_unattacked(full, state->word[COLUMNS], state->word[ABOVE_LEFT],
                            state->word[ABOVE_RIGHT]);
}

/* Write the first `words` words of the lanes of `alive`. */
static INLINE uint32_t NAME(write)(const NAME(state) *state, lanes_mask alive, int words,
                                   lanes_word *out, size_t stride) {
    for (int i = 0; i < words; i++) lanes_pack(out + i * stride, alive, state->word[i]);
    return lanes_many(alive);
}

/* Add the row below; `last`: no row is left after it. */
static INLINE void NAME(add_row)(Search *search, int rows, const int last) {
    const size_t stride = search->stride;
    const uint32_t room = (uint32_t)search->capacity - SETS * LANES, end = search->count[rows];
    const columns_t all = every_column(search->n);
    lanes_word *in = NAME(buffer)(search, rows), *out = NAME(buffer)(search, rows + 1);
    const lanes_vec full = lanes_splat(all), zero = lanes_splat(0);
    const lanes_shift one = lanes_by(1);
    uint32_t next = 0, made = search->count[rows + 1], placed;
    uint64_t children = 0;
    NAME(state) sets[SETS], child;
    search->count[rows] = 0;
    for (int i = 0; i < SETS * LANES; i++) in[end + i] = all; /* lanes beyond the end are idle */
    UNROLL
    for (int s = 0; s < SETS; s++)
        sets[s] = (NAME(state)){{zero, zero, zero, zero, zero}, zero, zero, zero, zero};
    do {
        if (!last && made > room) {
            search->count[rows + 1] = made;
            NAME(visit)(search, rows + 1);
            made = 0;
        }
        if (next < end) {
            UNROLL
            for (int s = 0; s < SETS; s++) {
                NAME(state) *state = &sets[s];
                const lanes_mask idle = lanes_zero(state->below);
                UNROLL
                for (int i = COLUMNS; i <= BELOW_RIGHT; i++)
                    state->word[i] = lanes_refill(state->word[i], idle, in + next + i * stride);
                state->below = lanes_replace(state->below, idle, NAME(below)(full, state));
                next += lanes_many(idle);
            }
        }
        placed = 0;
        UNROLL
        for (int s = 0; s < SETS; s++) {
            NAME(state) *state = &sets[s];
            const lanes_vec bit = lanes_lowest(state->below);
            const lanes_mask some = lanes_nonzero(bit);
            placed += lanes_many(some);
            state->below = lanes_except(state->below, bit);
            if (last) continue;
            child.word[COLUMNS] = lanes_either(state->word[COLUMNS], bit);
            child.word[BELOW_LEFT] = lanes_shl(lanes_either(state->word[BELOW_LEFT], bit), one);
            child.word[BELOW_RIGHT] = lanes_shr(lanes_either(state->word[BELOW_RIGHT], bit), one);
            made += NAME(write)(
                &child, lanes_and(some, lanes_nonzero(NAME(below)(full, &child))), BELOW_RIGHT + 1,
                out + made, stride);
        }
        children += placed;
    } while (placed);
    search->count[rows + 1] = made;
    add(search, rows + 1, children);
}

/* Add the row above and the row below. `open` rows stay open: 0, 1, or 2 for more. */
static INLINE void NAME(add_rows)(Search *search, int rows, const int open) {
    const size_t stride = search->stride;
    const uint32_t room = (uint32_t)search->capacity - LANES, end = search->count[rows];
    const columns_t all = every_column(search->n);
    lanes_word *in = NAME(buffer)(search, rows), *out = NAME(buffer)(search, rows + 2);
    const lanes_vec full = lanes_splat(all), zero = lanes_splat(0);
    const lanes_shift one = lanes_by(1), across = lanes_by(rows + 1), beyond = lanes_by(rows + 2);
    uint32_t next = 0, made = open > 1 ? search->count[rows + 2] : 0, busy;
    uint64_t children = 0;
    NAME(sum) sum = {zero, zero, 0};
    NAME(state) state = {{zero, zero, zero, zero, zero}, zero, zero, zero, zero}, child;
    search->count[rows] = 0;
    for (int i = 0; i < LANES; i++) in[end + i] = all; /* lanes beyond the end are idle */
    do {
        if (open > 1 && made > room) {
            search->count[rows + 2] = made;
            NAME(visit)(search, rows + 2);
            made = 0;
        }
        /* `left` are the squares below that go with the queen above, `upper`. */
        lanes_mask idle = lanes_zero(state.left);
        if (next < end) {
            const lanes_mask ended = lanes_zero(lanes_either(state.left, state.above));
            UNROLL
            for (int i = 0; i < WORDS; i++)
                state.word[i] = lanes_refill(state.word[i], ended, in + next + i * stride);
            state.above = lanes_replace(state.above, ended, NAME(above)(full, &state));
            state.below = lanes_replace(state.below, ended, NAME(below)(full, &state));
            next += lanes_many(ended);
        }
        const lanes_vec above = lanes_lowest(state.above);
        state.upper = lanes_replace(state.upper, idle, above);
        state.above = lanes_replace(state.above, idle, lanes_except(state.above, above));
        state.left = lanes_replace(state.left, idle, lanes_clear(lanes_unattacked(
            state.below, above, lanes_shl(above, across), lanes_shr(above, across)),
            lanes_zero(above)));
        const lanes_vec lower = lanes_lowest(state.left);
        const lanes_mask none = lanes_zero(lower);
        state.left = lanes_except(state.left, lower);
        const uint32_t taken = LANES - lanes_many(none);
        children += taken;
        if (open) {
            child.word[COLUMNS] =
                lanes_either(state.word[COLUMNS], lanes_either(state.upper, lower));
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
            child.below = lanes_clear(NAME(below)(full, &child), none);
            child.above = lanes_clear(NAME(above)(full, &child), none);
            sum.bytes = lanes_add(sum.bytes,
                                  lanes_add(lanes_ones(child.below), lanes_ones(child.above)));
            if (++sum.steps == FULL_BYTES) NAME(fold)(&sum);
        }
        if (open > 1)
            made += NAME(write)(
                &child, lanes_and(lanes_nonzero(child.below), lanes_nonzero(child.above)), WORDS,
                out + made, stride);
        busy = taken + (next < end) + LANES - lanes_many(lanes_zero(state.above));
    } while (busy);
    if (open > 1) search->count[rows + 2] = made;
    add(search, rows + 2, 2 * children);
    if (open) add(search, rows + 3, NAME(total)(&sum));
}

static void NAME(visit)(Search *search, int rows) {
    const int open = search->n - rows; /* rows, of which a state has no queen */
    if (!search->count[rows] || *search->stop) return;
    if (search->outwards) {
        if (open == 2) NAME(add_rows)(search, rows, 0);
        else if (open == 3) NAME(add_rows)(search, rows, 1);
        else NAME(add_rows)(search, rows, 2);
    } else if (open == 1) NAME(add_row)(search, rows, 1);
    else NAME(add_row)(search, rows, 0);
}

/* Count the placements that continue these prefixes. */
static void NAME(search)(Search *search, const Prefix *prefix, size_t number) {
    const int outwards = search->outwards, words = outwards ? WORDS : BELOW_RIGHT + 1;
    const columns_t full = every_column(search->n);
    lanes_word *start = NAME(buffer)(search, search->rows);
    for (size_t i = 0; i < number && !*search->stop; i++) {
        const columns_t *word = prefix[i].word;
        const columns_t below = full & ~(word[COLUMNS] | word[BELOW_LEFT] | word[BELOW_RIGHT]);
        const columns_t above = full & ~(word[COLUMNS] | word[ABOVE_LEFT] | word[ABOVE_RIGHT]);
        const uint32_t place = search->count[search->rows];
        if (outwards) add(search, search->rows + 1, (uint64_t)(ones(below) + ones(above)));
        for (int j = 0; j < words; j++) start[place + j * search->stride] = word[j];
        search->count[search->rows] +=
            below && (!outwards || (above && search->rows + 1 < search->n));
        if (place > search->capacity - LANES) NAME(visit)(search, search->rows);
    }
    for (int rows = search->rows; rows < search->n; rows++) NAME(visit)(search, rows);
}

/* Adding the row below to placements on adjacent rows, LANES boards at a time: the text of all
   kernels.

   A state is a placement: three words say which columns it takes, and which squares of the row below
   it are attacked along a diagonal to the left and to the right. The search goes depth first by batches, like kernel.h: the states with the
   same number of rows wait in a buffer, and a pass over it writes their children into another. Each
   child is counted when its queen is placed. */

#include "lanes.h"

#define STATE (WORDS_DOWNWARDS + 1) /* vectors */
#define SETS 4 /* vectors of states that take turns, since a step waits longer than it works */

typedef struct { lanes_vec word[WORDS_DOWNWARDS], below; } NAME(state);

static void NAME(visit)(Search *search, int rows);

static INLINE lanes_word *NAME(buffer)(const Search *search, int rows) {
    return (lanes_word *)search->memory + (size_t)rows * search->words * search->stride;
}

/* Write the words of the lanes of `alive`. */
static INLINE uint32_t NAME(write)(const lanes_vec *word, lanes_mask alive, int words,
                                   lanes_word *out, size_t stride) {
    for (int i = 0; i < words; i++) lanes_pack(out + i * stride, alive, word[i]);
    return lanes_many(alive);
}

/* Add the row below. Without `drain` all lanes place a queen in every step; the states that are left in
   the lanes, and those that are too few for all lanes, wait for the next pass. `last`: no row is left
   after it. */
static INLINE void NAME(add_row)(Search *search, int rows, const int drain, const int last) {
    const int words = WORDS_DOWNWARDS;
    const size_t stride = search->stride;
    const uint32_t room = (uint32_t)search->capacity - SETS * LANES, end = search->count[rows];
    lanes_word *in = NAME(buffer)(search, rows), *out = NAME(buffer)(search, rows + 1);
    lanes_word *lanes = (lanes_word *)(search->lanes + (size_t)rows * LANES_BYTES);
    const lanes_vec full = lanes_splat((lanes_word)every_column(search->n));
    const lanes_shift one = lanes_by(1);
    uint32_t next = 0, made = search->count[rows + 1], placed;
    uint64_t children = 0;
    NAME(state) sets[SETS], child;
    UNROLL
    for (int s = 0; s < SETS; s++) {
        UNROLL
        for (int i = 0; i < words; i++)
            sets[s].word[i] = lanes_load(lanes + (STATE * s + i) * LANES);
        sets[s].below = lanes_load(lanes + (STATE * s + STATE - 1) * LANES);
    }
    if (drain)
        for (int i = 0; i < SETS * LANES; i++) /* lanes beyond the end are idle */
            in[end + i] = ~(lanes_word)0;
    while (drain || next + SETS * LANES <= end) {
        if (!last && made > room) {
            search->count[rows + 1] = made;
            NAME(visit)(search, rows + 1);
            if (*search->stop) return;
            made = search->count[rows + 1];
        }
        if (!drain || next < end) {
            UNROLL
            for (int s = 0; s < SETS; s++) {
                NAME(state) *state = &sets[s];
                const lanes_mask idle = lanes_zero(state->below);
                UNROLL
                for (int i = 0; i < words; i++)
                    state->word[i] = lanes_refill(state->word[i], idle, in + next + i * stride);
                state->below = lanes_renew(state->below, idle, full, state->word[COLUMNS],
                                           state->word[BELOW_LEFT], state->word[BELOW_RIGHT]);
                next += lanes_many(idle);
            }
        }
        placed = drain ? 0 : SETS * LANES;
        UNROLL
        for (int s = 0; s < SETS; s++) {
            NAME(state) *state = &sets[s];
            const lanes_vec bit = lanes_lowest(state->below);
            if (drain) placed += lanes_many(lanes_nonzero(bit));
            state->below = lanes_except(state->below, bit);
            if (last) continue;
            child.word[COLUMNS] = lanes_either(state->word[COLUMNS], bit);
            child.word[BELOW_LEFT] = lanes_either(state->word[BELOW_LEFT], bit);
            child.word[BELOW_LEFT] = lanes_add(child.word[BELOW_LEFT], child.word[BELOW_LEFT]);
            child.word[BELOW_RIGHT] = lanes_shr(lanes_either(state->word[BELOW_RIGHT], bit), one);
            lanes_mask alive = lanes_free(full, child.word[COLUMNS], child.word[BELOW_LEFT],
                                          child.word[BELOW_RIGHT]);
            if (drain) alive = lanes_and(lanes_nonzero(bit), alive);
            made += NAME(write)(child.word, alive, words, out + made, stride);
        }
        children += placed;
        if (!placed) break;
    }
    UNROLL
    for (int s = 0; s < SETS; s++) {
        UNROLL
        for (int i = 0; i < words; i++)
            lanes_store(lanes + (STATE * s + i) * LANES, sets[s].word[i]);
        lanes_store(lanes + (STATE * s + STATE - 1) * LANES, sets[s].below);
    }
    search->busy[rows] = !drain;
    search->count[rows] = next < end ? end - next : 0;
    for (int i = 0; i < words; i++)
        memmove(in + i * stride, in + next + i * stride, search->count[rows] * sizeof *in);
    search->count[rows + 1] = made;
    add(search, rows + 1, children);
}

/* Add a row in the text for these conditions. */
static INLINE void NAME(choose)(Search *search, int rows, const int drain) {
    if (rows == search->n - 1) NAME(add_row)(search, rows, drain, 1);
    else NAME(add_row)(search, rows, drain, 0);
}

static void NAME(visit)(Search *search, int rows) {
    if (*search->stop) return;
    NAME(choose)(search, rows, 0);
}

/* Visit all states that still wait. */
static void NAME(finish)(Search *search) {
    for (int rows = search->rows; rows < search->n; rows++) {
        if (*search->stop) return;
        if (!search->count[rows] && !search->busy[rows]) continue;
        NAME(choose)(search, rows, 1);
    }
}

/* Count the placements that continue these prefixes. */
static void NAME(downwards)(Search *search, const Prefix *prefix, size_t number) {
    const uint64_t full = every_column(search->n);
    lanes_word *start = NAME(buffer)(search, search->rows);
    for (size_t i = 0; i < number && !*search->stop; i++) {
        const uint64_t *word = prefix[i].word;
        const uint32_t place = search->count[search->rows];
        for (int j = 0; j < search->words; j++)
            start[place + j * search->stride] = (lanes_word)word[j];
        search->count[search->rows] += !!(
            full & ~(word[COLUMNS] | word[BELOW_LEFT] | word[BELOW_RIGHT]));
        if (place > search->capacity - LANES) NAME(visit)(search, search->rows);
    }
    NAME(finish)(search);
}

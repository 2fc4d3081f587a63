/* Completing placements, LANES boards at a time: the text of all kernels.

   A state is a placement of some rows. Three words hold the columns that are taken and
   the diagonals that are threatened, a fourth the free squares of the next row that are
   still to be tried. Bit r + c of `sums` and bit c - r + n-1 of `differences`, modulo the
   bits of a word, belong to the square in row r and column c: seen from row r a rotation
   puts the diagonals over the columns.

   The search goes depth first by batches. The states of a level wait in a buffer of
   that level. A pass over it takes them into the lanes of a vector; each step takes the
   lowest free square of every lane, makes the child, and packs the children that have a
   future into the buffer of the next level. A lane that has run out of squares takes the
   next state at once. A buffer that is full is emptied first, one level down, so memory
   stays bounded. SETS vectors take turns, since a step waits longer than it works. With
   one lane there is nothing to keep full: one state after the other.

   The last two rows need no steps: two columns are left, and there are two ways to
   give them to two rows. */

#include "lanes.h"

typedef struct { lanes_vec columns, sums, differences, free; } NAME(set);

/* What is the same for all states of a level: the row that is filled (0) and the two
   after it (1, 2), each as the rotations that put its diagonals over the columns. */
typedef struct {
    lanes_vec full, keep, keep_later;
    lanes_shift s0, d0, s1, d1, s2, d2, apart;
} NAME(view);

static INLINE lanes_word *NAME(buffer)(const Work *work, int level) {
    return (lanes_word *)work->memory + (size_t)level * 4 * work->stride;
}

/* Take the lowest free square of every lane of `set`; return the lanes that had one,
   and the children in `child`. */
static INLINE lanes_mask NAME(take)(const NAME(view) *view, NAME(set) *set, NAME(set) *child) {
    const lanes_vec bit = lanes_lowest(set->free);
    set->free = lanes_except(set->free, bit);
    child->columns = lanes_either(set->columns, bit);
    child->sums = lanes_both(lanes_either(set->sums, lanes_rotl(bit, view->s0)), view->keep);
    child->differences = lanes_both(lanes_either(set->differences, lanes_rotl(bit, view->d0)),
                                    view->keep);
    return lanes_nonzero(bit);
}

/* The free squares of the next row and, not quite so many, of the row after it. */
static INLINE lanes_vec NAME(next_row)(const NAME(view) *view, const NAME(set) *child) {
    return lanes_unattacked(view->full, child->columns, lanes_rotr(child->sums, view->s1),
                            lanes_rotr(child->differences, view->d1));
}

static INLINE lanes_vec NAME(row_after)(const NAME(view) *view, const NAME(set) *child) {
    return lanes_unattacked(view->full, child->columns,
                            lanes_rotr(lanes_both(child->sums, view->keep_later), view->s2),
                            lanes_rotr(lanes_both(child->differences, view->keep_later), view->d2));
}

/* Write the children that have a free square in each of the next two rows; return how
   many. */
static INLINE uint32_t NAME(grow)(const NAME(view) *view, lanes_mask taken, NAME(set) *child,
                                  lanes_word *out, size_t stride) {
    child->free = NAME(next_row)(view, child);
    const lanes_mask alive = lanes_and(
        taken, lanes_and(lanes_nonzero(child->free), lanes_nonzero(NAME(row_after)(view, child))));
    lanes_pack(out, alive, child->columns);
    lanes_pack(out + stride, alive, child->sums);
    lanes_pack(out + 2 * stride, alive, child->differences);
    lanes_pack(out + 3 * stride, alive, child->free);
    return lanes_many(alive);
}

/* In how many ways can the last two rows be filled? */
static INLINE uint32_t NAME(finish)(const NAME(view) *view, lanes_mask taken,
                                    const NAME(set) *child) {
    const lanes_vec left = lanes_except(view->full, child->columns);
    const lanes_vec x = lanes_lowest(left), y = lanes_except(left, x);
    const lanes_vec a = NAME(next_row)(view, child), b = NAME(row_after)(view, child);
    const lanes_mask apart = lanes_and(taken, lanes_differ(lanes_shl(x, view->apart), y));
    return lanes_many(lanes_and(apart, lanes_and(lanes_meet(a, x), lanes_meet(b, y))))
        + lanes_many(lanes_and(apart, lanes_and(lanes_meet(a, y), lanes_meet(b, x))));
}

static void NAME(fill)(Work *work, int level);

/* Empty the buffer of a level; `last` if the rows after its row are the last two. */
static INLINE void NAME(pass)(Work *work, int level, const int last) {
    const Plan *plan = work->plan;
    const int *row = plan->row + level, n = plan->n;
    const NAME(view) view = {
        lanes_splat(((uint64_t)1 << n) - 1),
        lanes_splat(plan->keep[level + 1]),
        lanes_splat(plan->keep[level + 2]),
        lanes_by(row[0]),
        lanes_by(n - 1 - row[0]),
        lanes_by(row[1]),
        lanes_by(n - 1 - row[1]),
        lanes_by(row[2]),
        lanes_by(n - 1 - row[2]),
        lanes_by(row[1] > row[2] ? row[1] - row[2] : row[2] - row[1]),
    };
    const size_t stride = work->stride, room = work->capacity - LANES * SETS;
    lanes_word *in = NAME(buffer)(work, level), *out = NAME(buffer)(work, level + 1);
    const uint32_t end = work->count[level];
    uint32_t next = 0, made = work->count[level + 1];
    uint64_t found = 0;
    uint32_t rest_13 = work->rest_13, rest_15 = work->rest_15;
    work->count[level] = 0;
    work->placements += end;

#define EMPTY_THE_NEXT_IF_FULL \
    if (!last && made > room) { \
        work->count[level + 1] = made; \
        NAME(fill)(work, level + 1); \
        made = 0; \
    }
#define STEP(from) \
    NAME(set) child; \
    const lanes_mask taken = NAME(take)(&view, &from, &child); \
    if (last) { \
        const uint32_t more = NAME(finish)(&view, taken, &child); \
        found += more; \
        rest_13 += more; \
        rest_15 += more; \
    } else made += NAME(grow)(&view, taken, &child, out + made, stride);

#if LANES == 1
    for (; next < end; next++) {
        NAME(set) state = {in[next], in[next + stride], in[next + 2 * stride],
                           in[next + 3 * stride]};
        do {
            EMPTY_THE_NEXT_IF_FULL
            STEP(state)
        } while (state.free);
    }
#else
    NAME(set) sets[SETS];
    for (int i = 0; i < SETS; i++)
        sets[i].columns = sets[i].sums = sets[i].differences = sets[i].free = lanes_splat(0);
    for (int i = 0; i < LANES * SETS; i++)
        in[end + i + 3 * stride] = 0; /* a lane that takes a state beyond the end is idle */
    uint32_t busy;
    do {
        EMPTY_THE_NEXT_IF_FULL
        busy = 0;
        UNROLL
        for (int i = 0; i < SETS; i++) {
            if (next < end) {
                const lanes_mask empty = lanes_zero(sets[i].free);
                sets[i].columns = lanes_refill(sets[i].columns, empty, in + next);
                sets[i].sums = lanes_refill(sets[i].sums, empty, in + next + stride);
                sets[i].differences = lanes_refill(sets[i].differences, empty,
                                                   in + next + 2 * stride);
                sets[i].free = lanes_refill(sets[i].free, empty, in + next + 3 * stride);
                next += lanes_many(empty);
            }
            STEP(sets[i])
            busy |= lanes_many(taken);
        }
    } while (busy);
#endif
#undef STEP
#undef EMPTY_THE_NEXT_IF_FULL

    work->count[level + 1] = made;
    if (last) {
        work->found += found;
        work->rest_13 = rest_13 % 13; /* of one pass, far below 2^32 */
        work->rest_15 = rest_15 % 15;
    }
}

static void NAME(fill)(Work *work, int level) {
    if (!work->count[level] || *work->stop) return;
    if (level == work->plan->rows - 3) NAME(pass)(work, level, 1);
    else NAME(pass)(work, level, 0);
}

static void NAME(complete)(Work *work, const Job *jobs, size_t number) {
    const Plan *plan = work->plan;
    const uint64_t full = ((uint64_t)1 << plan->n) - 1;
    const int s0 = plan->row[0], d0 = plan->n - 1 - plan->row[0];
    lanes_word *start = NAME(buffer)(work, 0);
    for (size_t i = 0; i < number && !*work->stop; i++) {
        const uint64_t sums = jobs[i].sums, differences = jobs[i].differences;
        const uint64_t open = full & ~(jobs[i].columns | sums >> s0 | differences >> d0);
        const uint32_t place = work->count[0];
        start[place] = (lanes_word)jobs[i].columns;
        start[place + work->stride] = (lanes_word)(sums | sums >> (WORD - 1) >> 1);
        start[place + 2 * work->stride] = (lanes_word)(differences
                                                       | differences >> (WORD - 1) >> 1);
        start[place + 3 * work->stride] = (lanes_word)open;
        work->count[0] += open != 0;
        if (work->count[0] > work->capacity - LANES * SETS) NAME(fill)(work, 0);
    }
    for (int level = 0; level <= plan->rows - 3; level++) NAME(fill)(work, level);
}

/* The sums over subsets and the pairs of lists, for the ISA and KERNEL defined. */

#include "lanes.h"

#define BLOCK_BITS 13 /* 2^13 words fit into the first cache */
#define STRIP 64      /* words side by side: a few lines of the cache */

static void NAME(set_lanes)(Halves *halves) { halves->lanes = LANES; }

#if ISA == 2
/* Sum the words of a vector over subsets of the three bits of their number. */
static INLINE lanes_vec NAME(sum_lanes)(lanes_vec v) {
    v = lanes_add(v, _mm256_slli_epi64(v, 32));
    v = lanes_add(v, _mm256_slli_si256(v, 8));
    return lanes_add(v, _mm256_permute2x128_si256(v, v, 0x08));
}
#endif

/* Sum 2^LEAST_BITS words. */
static INLINE void NAME(sum_words)(lanes_word *words) {
#if ISA == 2
    const lanes_vec low = NAME(sum_lanes)(lanes_load(words));
    const lanes_vec high = NAME(sum_lanes)(lanes_load(words + LANES));
    lanes_store(words, low);
    lanes_store(words + LANES, lanes_add(low, high));
#else
    for (int bit = 1; bit < 1 << LEAST_BITS; bit *= 2)
        for (int i = 0; i < 1 << LEAST_BITS; i++)
            if (i & bit) words[i] += words[i ^ bit];
#endif
}

/* Sum over so many bits at once, of which the lowest is `step`: 2^bits vectors in registers. */
static INLINE void NAME(sum_vectors)(lanes_word *words, size_t step, const int bits) {
    lanes_vec v[16];
    for (int i = 0; i < 1 << bits; i++) v[i] = lanes_load(words + i * step);
    for (int bit = 1; bit < 1 << bits; bit *= 2)
        for (int i = 0; i < 1 << bits; i++)
            if (i & bit) v[i] = lanes_add(v[i], v[i ^ bit]);
    for (int i = 0; i < 1 << bits; i++) lanes_store(words + i * step, v[i]);
}

/* Sum over bits `from` to `end` - 1; of each `run` words take the first `width`. */
static INLINE void NAME(sum_bits)(lanes_word *table, int from, int end, size_t run, size_t width) {
    while (from < end) {
        const int rest = end - from, bits = LANES == 1 ? 1 : rest == 5 ? 3 : rest < 4 ? rest : 4;
        const size_t step = (size_t)1 << from;
        for (size_t high = 0; high >> end == 0; high += step << bits)
            for (size_t low = 0; low < step; low += run)
                for (size_t i = 0; i < width; i += LANES) {
                    lanes_word *words = table + high + low + i;
                    if (bits == 4) NAME(sum_vectors)(words, step, 4);
                    else if (bits == 3) NAME(sum_vectors)(words, step, 3);
                    else if (bits == 2) NAME(sum_vectors)(words, step, 2);
                    else NAME(sum_vectors)(words, step, 1);
                }
        from += bits;
    }
}

/* Sum over all bits: first within blocks, then within strips across them. */
static void NAME(sum_subsets)(uint32_t *table, int bits) {
    const int block = bits < BLOCK_BITS ? bits : BLOCK_BITS;
    const size_t words = (size_t)1 << block;
    for (size_t start = 0; start >> bits == 0; start += words) {
        for (size_t i = 0; i < words; i += 1 << LEAST_BITS) NAME(sum_words)(table + start + i);
        NAME(sum_bits)(table + start, LEAST_BITS, block, 1 << LEAST_BITS, 1 << LEAST_BITS);
    }
    if (bits > block)
        for (size_t start = 0; start < words; start += STRIP)
            NAME(sum_bits)(table + start, block, bits, words, STRIP);
}

/* Sum over all shared diagonals. A table that is larger than it needs to be has zeros behind. */
static void NAME(sum_table)(const Halves *halves, uint32_t *table) {
    NAME(sum_subsets)(table, halves->n - 1 < LEAST_BITS ? LEAST_BITS : halves->n - 1);
}

static void NAME(clear_table)(const Halves *halves, uint32_t *table) {
    memset(table, 0, sizeof *table << (halves->n - 1 < LEAST_BITS ? LEAST_BITS : halves->n - 1));
}

/* Keep the words of a list that share no bit with `own`; return how many. */
static INLINE size_t NAME(keep_disjoint)(List list, uint32_t own, lanes_word *kept) {
    const lanes_vec owns = lanes_splat(own);
    size_t made = 0;
    for (size_t i = 0; i < list.length; i += LANES) {
        const lanes_vec words = lanes_load(list.word + i);
        const lanes_mask disjoint = lanes_zero(lanes_both(words, owns));
        lanes_pack(kept + made, disjoint, words);
        made += lanes_many(disjoint);
    }
    return made;
}

/* Count the placements of two quadrants in the table. */
static void NAME(fill_pair)(const Halves *halves, Work *work, List left, List right) {
    const uint32_t above = above_diagonal(halves);
    for (size_t i = 0; i < left.length; i++) {
        const uint32_t own = left.word[i] & ((1u << LEFT_BITS) - 1);
        const uint32_t ways = left.word[i] >> LEFT_BITS;
        const size_t made = NAME(keep_disjoint)(right, own & above, work->kept);
        uint32_t *table = work->table[0] + own;
        for (size_t j = 0; j < made; j++)
            table[work->kept[j] & RIGHT_SET] += ways * (work->kept[j] >> RIGHT_BITS);
    }
}

/* Return the pairs of a placement of two quadrants and a lower one in the table. `turned` are the
   diagonals that the left quadrant leaves free, numbered as in the lower half. */
static uint64_t NAME(look_up_pair)(const Halves *halves, Work *work, List left, List right) {
    const uint32_t above = above_diagonal(halves);
    const int h = halves->rows[0];
    uint64_t sum = 0;
    for (size_t i = 0; i < left.length; i++) {
        const uint32_t free = ~left.word[i] & ((1u << (2 * h - 1)) - 1);
        const uint32_t turned = (free & above) << h | (free & 1u << (h - 1)) | free >> h;
        const size_t made = NAME(keep_disjoint)(right, left.word[i] & above, work->kept);
        uint64_t lower = 0;
        for (size_t j = 0; j < made; j++)
            lower += (uint64_t)work->table[0][turned ^ (work->kept[j] & RIGHT_SET) << h]
                * (work->kept[j] >> RIGHT_BITS);
        sum += lower * (left.word[i] >> LEFT_BITS);
    }
    return sum;
}

/* Fill the table with the placements on these columns; or look up each of them, and return the
   sum. */
static INLINE uint64_t NAME(pair_quadrants)(const Halves *halves, Work *work, uint32_t columns,
                                            const int look_up) {
    const int h = halves->rows[0];
    const uint32_t full = (1u << h) - 1;
    const int rooks = ones(columns & full);
    uint64_t sum = 0;
    for (uint32_t rows = 0; rows <= full && !*work->stop; rows++) {
        if (ones(rows) != rooks) continue;
        const List left = list_at(&halves->outer[0], quadrant(halves, rows, columns & full));
        const List right = list_at(&halves->inner[0], quadrant(halves, full ^ rows, columns >> h));
        if (look_up) sum += NAME(look_up_pair)(halves, work, left, right);
        else NAME(fill_pair)(halves, work, left, right);
    }
    return sum;
}

static uint64_t NAME(count_quadrants)(const Halves *halves, Work *work, uint32_t columns) {
    NAME(clear_table)(halves, work->table[0]);
    NAME(pair_quadrants)(halves, work, turn(halves, columns), 0);
    if (*work->stop) return 0;
    NAME(sum_table)(halves, work->table[0]);
    return NAME(pair_quadrants)(halves, work, columns, 1);
}

/* Count the placements of two layers by the complement of their shared diagonals. */
static void NAME(fill_layers)(const Halves *halves, Work *work, int half, uint32_t columns) {
    const int rows = first_layer(halves, half);
    const uint32_t shared = (1u << (halves->n - 1)) - 1;
    uint32_t first = 0;
    NAME(clear_table)(halves, work->table[half]);
    while ((first = (first - columns) & columns) && !*work->stop) { /* each nonempty subset */
        if (ones(first) != rows) continue;
        const List inner = list_at(&halves->inner[half], rank_of(halves, first));
        const List outer = list_at(&halves->outer[half], rank_of(halves, columns ^ first));
        for (size_t i = 0; i < outer.length; i++) {
            const size_t made = NAME(keep_disjoint)(inner, outer.word[i], work->kept);
            const uint32_t free = ~outer.word[i] & shared;
            for (size_t j = 0; j < made; j++) work->table[half][free & ~work->kept[j]]++;
        }
    }
}

/* Return the alternating sum of a[Z] b[Z] over the lowest `bits` bits of Z: + if an even number of
   them is set. */
static uint64_t NAME(alternate)(const uint32_t *a, const uint32_t *b, int bits) {
    const size_t half = (size_t)1 << bits >> 1;
    if (!bits) return (uint64_t)*a * *b;
    if (bits == 3) {
        uint64_t product[8];
        for (int i = 0; i < 8; i++) product[i] = (uint64_t)a[i] * b[i];
        return product[0] - product[1] - product[2] + product[3] - product[4] + product[5]
            + product[6] - product[7];
    }
    return NAME(alternate)(a, b, bits - 1) - NAME(alternate)(a + half, b + half, bits - 1);
}

/* Return the alternating sum over all Z: + if an even number of diagonals is outside Z. */
static uint64_t NAME(multiply_tables)(const Halves *halves, uint32_t *const *table) {
    const int q = near_diagonals(halves), near = 2 * q - 1;
    const int right = halves->rows[1] - q, left = halves->rows[0] - q;
    uint64_t sum = 0;
    for (uint32_t low = 0; low < 1u << left; low++)
        for (uint32_t high = 0; high < 1u << right; high++) {
            const uint64_t part = NAME(alternate)(
                table[0] + ((size_t)(low << right | high) << near),
                table[1] + ((size_t)(high << left | low) << near), near);
            sum += (ones(low) + ones(high)) % 2 ? 0 - part : part;
        }
    return (halves->n - 1) % 2 ? 0 - sum : sum;
}

static uint64_t NAME(count_layers)(const Halves *halves, Work *work, uint32_t columns) {
    for (int half = 0; half < 2; half++) {
        NAME(fill_layers)(halves, work, half, half ? turn(halves, columns) : columns);
        if (*work->stop) return 0;
        NAME(sum_table)(halves, work->table[half]);
    }
    return NAME(multiply_tables)(halves, work->table);
}

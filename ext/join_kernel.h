/* Making halves of quarters, and counting the pairs of halves that share no diagonal: the text
   of all kernels.

   Each kernel has the bytes of a VECTOR, works on some vectors ABREAST, and has the words of a PIECE,
   and the diagonals that a table answers for, a CHUNK.

   Pairs are counted bit by bit. Of a piece of words the slice of a diagonal has one bit each:
   whether the word leaves the diagonal free. Tables have the AND of the slices for every set of a
   chunk of diagonals. A word of the other list looks up its sets, one in each table; the bits that
   are left are its partners. Carry-save adders add them up: ones, twos and fours are kept
   as bits, and only eights are counted. */

#undef VEC
#undef WORDS
#undef VECS
#undef TABLE
#undef ENTRY
#undef BLOCKS
#undef SUM
#undef MAJORITY
#undef ONES
#undef EACH
#undef IN_ORDER
#undef LOOK_UP
#undef ADD
#undef ALL
#undef ENTRIES
#undef BYTES

#if ISA == 512
#define VECTOR 64
#define ABREAST 1
#elif ISA == 2
#define VECTOR 32
#define ABREAST 2
#else
#define VECTOR 16
#define ABREAST 2
#endif
#if ISA == 512 || ISA == 2
#define PIECE MOST_PIECE
#define CHUNK VECTOR_CHUNK
#else
#define PIECE PORTABLE_PIECE
#define CHUNK PORTABLE_CHUNK
#endif

#if defined(__GNUC__) || defined(__clang__)
typedef uint64_t NAME(vec) __attribute__((vector_size(VECTOR), may_alias));
#define WORDS (VECTOR / 8)
#else
typedef uint64_t NAME(vec);
#define WORDS 1
#endif
#define VEC NAME(vec)
#define BLOCKS (PIECE / 64)
#define VECS (BLOCKS / WORDS) /* of a piece */
#define TABLE (1 << CHUNK)
#define ENTRY (PIECE == 512 ? 6 : 5) /* an entry of a table has 1 << ENTRY bytes */
#define EACH(number) for (int i = 0; i < (number); i++)

#if ISA == 512
#define SUM(a, b, c) (VEC)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), 0x96)
#define MAJORITY(a, b, c) \
    (VEC)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), 0xe8)
#else
#define SUM(a, b, c) ((a) ^ (b) ^ (c))
#define MAJORITY(a, b, c) (((a) & (b)) | (((a) ^ (b)) & (c)))
#endif
#if ISA
#define ONES(word) (uint64_t)__builtin_popcountll(word)
#else
#define ONES(word) (uint64_t)ones(word)
#endif

static INLINE uint64_t NAME(ones)(VEC vector) {
#if ISA == 128 && defined(NQBENCH_NEON)
    return vaddvq_u8(vcntq_u8((uint8x16_t)vector));
#else
    uint64_t word[WORDS], found = 0;
    memcpy(word, &vector, sizeof word);
    EACH(WORDS) found += ONES(word[i]);
    return found;
#endif
}

/* Add the ones of a vector to a tally: one number, or with AVX2 and AVX-512 a vector of some, by
   look-ups of four bits each. */
#if ISA == 2 || ISA == 512
#if ISA == 2
#define ENTRIES(table, at) (VEC)_mm256_shuffle_epi8((__m256i)(table), (__m256i)(at))
#define BYTES(vector) (VEC)_mm256_sad_epu8((__m256i)(vector), _mm256_setzero_si256())
#else
#define ENTRIES(table, at) (VEC)_mm512_shuffle_epi8((__m512i)(table), (__m512i)(at))
#define BYTES(vector) (VEC)_mm512_sad_epu8((__m512i)(vector), _mm512_setzero_si512())
#endif
typedef VEC NAME(tally);
static INLINE VEC NAME(add_popcount)(VEC tally, VEC vector) {
    const uint64_t low = 0x0f0f0f0f0f0f0f0f;
    VEC ones_of;
    EACH(WORDS) ones_of[i] = i % 2 ? 0x0403030203020201 : 0x0302020102010100;
    return tally + BYTES(ENTRIES(ones_of, vector & low) + ENTRIES(ones_of, vector >> 4 & low));
}
static INLINE uint64_t NAME(all)(VEC tally) {
    uint64_t found = 0;
    EACH(WORDS) found += tally[i];
    return found;
}
#define ALL(tally) NAME(all)(tally)
#else
typedef uint64_t NAME(tally);
static INLINE uint64_t NAME(add_popcount)(uint64_t tally, VEC vector) {
    return tally + NAME(ones)(vector);
}
#define ALL(tally) (tally)
#endif

static INLINE int NAME(any)(VEC vector) {
#if ISA == 2
    return !_mm256_testz_si256((__m256i)vector, (__m256i)vector);
#elif ISA == 512
    return _mm512_test_epi64_mask((__m512i)vector, (__m512i)vector) != 0;
#else
    uint64_t word[WORDS], found = 0;
    memcpy(word, &vector, sizeof word);
    EACH(WORDS) found |= word[i];
    return found != 0;
#endif
}

/* Turn some squares of 64 x 64 bits, which stand side by side: bit b of word w becomes bit w
   of word b. */
static void NAME(transpose64)(VEC square[64][VECS]) {
    uint64_t mask = 0xffffffff;
    for (int by = 32; by; by >>= 1, mask ^= mask << by)
        for (int k = 0; k < 64; k = ((k | by) + 1) & ~by)
            EACH(VECS) {
                const VEC swapped = ((square[k][i] >> by) ^ square[k + by][i]) & mask;
                square[k + by][i] ^= swapped;
                square[k][i] ^= swapped << by;
            }
}

/* Fill a table of the sets of so many diagonals: entry 0 has the bits of `start`. */
static INLINE void NAME(fill)(VEC *table, const VEC *start, VEC (*used)[VECS], int bits) {
    EACH(VECS) table[i] = start[i];
    for (int bit = 0; bit < bits; bit++) {
        const int size = VECS << bit;
        for (int place = 0; place < size; place += VECS)
            EACH(VECS) table[size + place + i] = table[place + i] & ~used[bit][i];
    }
}

#if PIECE * TABLE / 8 > TABLE_BYTES || PIECE > MOST_PIECE || PIECE != 8 << ENTRY
#error "a table is too large"
#endif

/* Make slices and tables of a piece; return the index bits that all its words have. */
static INLINE uint64_t NAME(prepare)(Joiner *join, const uint64_t *piece, size_t number,
                                     const int table_count) {
    const Order *order = &join->order;
    const int first = order->rest_bits;
    VEC (*used)[VECS] = join->piece, *table = join->table, every[VECS], valid[VECS];
    uint64_t lane[BLOCKS], common = ~(uint64_t)0;
    memcpy(used, piece, number * 8);
    memset((uint64_t *)join->piece + number, 0, (PIECE - number) * 8);
    for (size_t i = 0; i < number; i++) common &= piece[i];
    NAME(transpose64)(used);
    EACH(BLOCKS) { /* word w stands in lane w % BLOCKS */
        const int words = (int)(number + BLOCKS - 1 - (size_t)i) / BLOCKS;
        lane[i] = words ? ~(uint64_t)0 >> (64 - words) : 0;
    }
    memcpy(valid, lane, sizeof valid);
    memset(every, 0xff, sizeof every);
    for (int chunk = 0; chunk < table_count; chunk++, table += TABLE * VECS) {
        int bits = order->rest_bits - CHUNK * chunk;
        bits = bits < 0 ? 0 : bits > CHUNK ? CHUNK : bits;
        NAME(fill)(table, every, used + CHUNK * chunk, bits);
        for (int set = 1 << bits; set < TABLE; set <<= 1) /* the bits above are no diagonals */
            memcpy(table + set * VECS, table, (size_t)set * PIECE / 8);
    }
    EACH(VECS) table[i] = valid[i];
    for (int bits = order->index_bits, from = first; bits > 0; bits -= CHUNK, from += CHUNK) {
        NAME(fill)(table, from == first ? valid : every, used + from, bits < CHUNK ? bits : CHUNK);
        table += TABLE * VECS;
    }
    return common >> first;
}

/* Without this, gcc ANDs two entries first, and loads one of them by a separate instruction. */
#if defined(NQBENCH_X86) && ISA != 512
#define IN_ORDER(vector) __asm__("" : "+x"(vector));
#else
#define IN_ORDER(vector)
#endif
#define LOOK_UP(found, word) { \
    const uint64_t looked_up = (word); \
    EACH(ABREAST) found[i] = partners[i]; \
    UNROLLED \
    for (int chunk = 0; chunk < table_count; chunk++) { \
        const int shift = CHUNK * chunk - ENTRY; \
        const uint64_t set = shift < 0 ? looked_up << -shift : looked_up >> shift; \
        const VEC *entry = (const VEC *)((const char *)(table + chunk * TABLE * VECS) \
                                         + (set & (uint64_t)(TABLE - 1) << ENTRY)); \
        EACH(ABREAST) { \
            found[i] &= entry[i]; \
            IN_ORDER(found[i]) \
        } \
    } \
}
#define ADD(sum, carry, x, y) EACH(ABREAST) { \
    const VEC one = (x)[i], two = (y)[i], three = (sum)[i]; \
    carry[i] = MAJORITY(three, one, two); \
    sum[i] = SUM(three, one, two); \
}

/* Partners, added up bit by bit. */
typedef struct {
    VEC ones[ABREAST], twos[ABREAST], fours[ABREAST];
    NAME(tally) eights;
} NAME(sums);

static INLINE uint64_t NAME(total)(const NAME(sums) *sums) {
    uint64_t found = 8 * ALL(sums->eights);
    EACH(ABREAST)
        found += NAME(ones)(sums->ones[i]) + 2 * NAME(ones)(sums->twos[i])
            + 4 * NAME(ones)(sums->fours[i]);
    return found;
}

/* Add the partners of some words of a class. */
static INLINE void NAME(add_partners)(NAME(sums) *sums, const VEC *table, const VEC *partners,
                                      const uint64_t *word, uint32_t left, const int table_count) {
    const VEC none[ABREAST] = {{0}};
    VEC a[ABREAST], b[ABREAST], c[ABREAST], d[ABREAST], e[ABREAST];
    for (; left >= 8; left -= 8, word += 8) {
        /* clang-format off */
        LOOK_UP(a, word[0]) LOOK_UP(b, word[1]) ADD(sums->ones, c, a, b)
        LOOK_UP(a, word[2]) LOOK_UP(b, word[3]) ADD(sums->ones, d, a, b)
        ADD(sums->twos, e, c, d)
        LOOK_UP(a, word[4]) LOOK_UP(b, word[5]) ADD(sums->ones, c, a, b)
        LOOK_UP(a, word[6]) LOOK_UP(b, word[7]) ADD(sums->ones, d, a, b)
        ADD(sums->twos, a, c, d)
        ADD(sums->fours, b, e, a)
        EACH(ABREAST) sums->eights = NAME(add_popcount)(sums->eights, b[i]);
        /* clang-format on */
    }
    if (left >= 4) {
        /* clang-format off */
        LOOK_UP(a, word[0]) LOOK_UP(b, word[1]) ADD(sums->ones, c, a, b)
        LOOK_UP(a, word[2]) LOOK_UP(b, word[3]) ADD(sums->ones, d, a, b)
        ADD(sums->twos, e, c, d)
        ADD(sums->fours, b, e, none)
        EACH(ABREAST) sums->eights = NAME(add_popcount)(sums->eights, b[i]);
        /* clang-format on */
        word += 4;
        left -= 4;
    }
    if (left) {
        LOOK_UP(a, word[0])
        EACH(ABREAST) b[i] = d[i] = none[i];
        if (left > 1) LOOK_UP(b, word[1])
        ADD(sums->ones, c, a, b)
        if (left > 2) {
            LOOK_UP(a, word[2])
            ADD(sums->ones, d, a, none)
        }
        ADD(sums->twos, e, c, d)
        ADD(sums->fours, b, e, none)
        EACH(ABREAST) sums->eights = NAME(add_popcount)(sums->eights, b[i]);
    }
}

/* The pairs of ABREAST vectors of a piece, which begin at `table`, with the words of the other list
   that have these flags and index bits which `common` allows. */
static INLINE uint64_t NAME(count_pairs)(const Order *order, const VEC *table, uint64_t common,
                                         const Half *words, Flags flags, const int table_count) {
    const uint64_t allowed = (((uint64_t)1 << order->index_bits) - 1) & ~common;
    const VEC *classes = table + table_count * TABLE * VECS;
    const int last = flags.last < BOTH ? flags.last : BOTH - 1; /* of those that count once */
    NAME(sums) once = {0}, twice = {0};
    VEC partners[ABREAST], any;
    uint64_t index = 0;
    do {
        const uint32_t *offset = words->offset + FLAGS * index;
        const uint32_t first = offset[flags.first], end = offset[flags.last + 1];
        if (first != end) {
            EACH(ABREAST) partners[i] = classes[(index % TABLE) * VECS + i];
            for (int k = 1; k * CHUNK < order->index_bits; k++)
                EACH(ABREAST)
                    partners[i] &=
                        classes[((size_t)k * TABLE + (index >> k * CHUNK) % TABLE) * VECS + i];
            any = partners[0];
            for (int i = 1; i < ABREAST; i++) any |= partners[i];
            if (NAME(any)(any)) {
                const uint32_t both = offset[last + 1];
                NAME(add_partners)(&once, table, partners, words->word + first, both - first,
                                   table_count);
                if (both != end)
                    NAME(add_partners)(&twice, table, partners, words->word + both, end - both,
                                       table_count);
            }
        }
        index = (index - allowed) & allowed; /* the next subset */
    } while (index);
    return NAME(total)(&once) + 2 * NAME(total)(&twice);
}

static INLINE void NAME(meet_all)(Joiner *join, const uint64_t *cut, size_t number,
                                  const Half *words, Flags flags, uint64_t weight,
                                  const int table_count) {
    for (size_t done = 0; done < number && !*join->stop; done += PIECE) {
        const size_t piece = number - done < PIECE ? number - done : PIECE;
        const uint64_t common = NAME(prepare)(join, cut + done, piece, table_count);
        for (int from = 0; from < VECS; from += ABREAST) {
            const uint64_t found = weight
                * NAME(count_pairs)(&join->order, (const VEC *)join->table + from, common, words,
                                    flags, table_count);
            join->found += found;
            join->rest_13 = (uint32_t)((join->rest_13 + found) % 13);
            join->rest_15 = (uint32_t)((join->rest_15 + found) % 15);
        }
    }
}

#define MEET(table_count) \
    static void JOIN(NAME(meet), table_count)(Joiner *join, const uint64_t *cut, size_t number, \
                                         const Half *words, Flags flags, uint64_t weight) { \
        NAME(meet_all)(join, cut, number, words, flags, weight, table_count); \
    }
/* clang-format off */
MEET(3) MEET(4) MEET(5) MEET(6) MEET(7) MEET(8)
#undef MEET

static void NAME(meet)(Joiner *join, const uint64_t *cut, size_t number, const Half *words,
                       Flags flags, uint64_t weight) {
    switch (join->order.table_count) {
    case 3: JOIN(NAME(meet), 3)(join, cut, number, words, flags, weight); break;
    case 4: JOIN(NAME(meet), 4)(join, cut, number, words, flags, weight); break;
    case 5: JOIN(NAME(meet), 5)(join, cut, number, words, flags, weight); break;
    case 6: JOIN(NAME(meet), 6)(join, cut, number, words, flags, weight); break;
    case 7: JOIN(NAME(meet), 7)(join, cut, number, words, flags, weight); break;
    default: JOIN(NAME(meet), 8)(join, cut, number, words, flags, weight);
    }
}
/* clang-format on */

/* Write the halves of the word `mine` and those of `others` that have none of its clashes, if the
   slice has them; return how many. Up to PAD words more are written. */
static INLINE size_t NAME(pair)(uint64_t *half, uint64_t mine, uint32_t clash,
                                const uint64_t *others, const uint32_t *clashes, uint32_t number,
                                Slice slice) {
    size_t made = 0;
#if ISA == 512
    const __m512i none_of = _mm512_set1_epi32((int)(clash | NO_CLASH));
    const __m512i upper = _mm512_set1_epi64((long long)mine);
    const __m512i mask = _mm512_set1_epi64((long long)slice.mask);
    const __m512i value = _mm512_set1_epi64((long long)slice.value);
    for (uint32_t i = 0; i < number; i += 16) {
        const unsigned free = _mm512_testn_epi32_mask(none_of, _mm512_loadu_si512(clashes + i));
        for (uint32_t k = 0; k < 16; k += 8) {
            const __m512i word = _mm512_or_si512(upper, _mm512_loadu_si512(others + i + k));
            const __mmask8 wanted = _mm512_mask_cmpeq_epi64_mask(
                (__mmask8)(free >> k), _mm512_and_si512(word, mask), value);
            _mm512_storeu_si512(half + made, _mm512_maskz_compress_epi64(wanted, word));
            made += (size_t)__builtin_popcount(wanted);
        }
    }
#elif ISA == 2
    const __m256i none_of = _mm256_set1_epi32((int)(clash | NO_CLASH));
    const __m256i upper = _mm256_set1_epi64x((long long)mine);
    const __m256i mask = _mm256_set1_epi64x((long long)slice.mask);
    const __m256i value = _mm256_set1_epi64x((long long)slice.value);
    for (uint32_t i = 0; i < number; i += 8) {
        const __m256i shared = _mm256_and_si256(none_of,
                                                _mm256_loadu_si256((const __m256i *)(clashes + i)));
        const int free = _mm256_movemask_ps(
            _mm256_castsi256_ps(_mm256_cmpeq_epi32(shared, _mm256_setzero_si256())));
        for (uint32_t k = 0; k < 8; k += 4) {
            const __m256i word = _mm256_or_si256(
                upper, _mm256_loadu_si256((const __m256i *)(others + i + k)));
            const int wanted = free >> k
                & _mm256_movemask_pd(_mm256_castsi256_pd(
                    _mm256_cmpeq_epi64(_mm256_and_si256(word, mask), value)));
            _mm256_storeu_si256(
                (__m256i *)(half + made),
                _mm256_permutevar8x32_epi32(
                    word, _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)packing[wanted]))));
            made += (size_t)__builtin_popcount((unsigned)wanted);
        }
    }
#else
    for (uint32_t i = 0; i < number; i++) {
        const uint64_t word = half[made] = mine | others[i];
        made += !(clashes[i] & clash) & ((word & slice.mask) == slice.value);
    }
#endif
    return made;
}

/* Add the halves of two quarters to a list. Stop where it has more than `most`. */
static void NAME(make_halves)(Joiner *join, Words *half, const Quarter *north, const Quarter *south,
                              Slice slice) {
    for (uint32_t set = 0; set < north->sets && !*join->stop; set++) {
        const uint32_t other = south->sets - 1 - set; /* the columns that are left */
        const int swap = north->number[set] > south->number[other];
        const Quarter *few = swap ? south : north, *many = swap ? north : south;
        const uint32_t few_set = swap ? other : set, many_set = swap ? set : other;
        const uint32_t others = many->number[many_set];
        const uint64_t *word = few->word + few->start[few_set];
        const uint32_t *clash = few->clash + few->start[few_set];
        for (uint32_t i = 0; i < few->number[few_set]; i++) {
            if (half->number > join->most || !make_more_room(join, half, others + PAD)) return;
            half->number += NAME(pair)(half->word + half->number, word[i], clash[i],
                                       many->word + many->start[many_set],
                                       many->clash + many->start[many_set], others, slice);
        }
    }
}

/* Arrange the words of a list, see join_order.h. There is room for whole vectors. */
static void NAME(arrange)(const Order *order, int pieces, uint64_t *list, size_t number) {
    const Order moves = *order;
    const int bits = order->index_bits + order->rest_bits;
    const int steps = order->right >> order->rest_bits ? 6 : 0; /* none if all are in place */
    const int up = pieces ? 0 : 2, flag = order->rest_bits + (pieces ? order->index_bits : 0);
    for (size_t i = 0; i < number; i += WORDS) {
        VEC word, right, left, moved;
        memcpy(&word, list + i, sizeof word);
        right = word & moves.right;
        left = (word & moves.left) << (64 - bits);
        for (int step = 0; step < steps; step++) {
            moved = right & moves.rightwards[step];
            right = (right ^ moved) | moved >> (1 << step);
            moved = left & moves.leftwards[step];
            left = (left ^ moved) | moved << (1 << step);
        }
        const VEC one = word >> bits & 1, other = word >> (bits + 1);
        word = right | left >> (64 - bits) << up | (one + other) << flag;
        memcpy(list + i, &word, sizeof word);
    }
}

#undef VECTOR
#undef ABREAST
#undef PIECE
#undef CHUNK

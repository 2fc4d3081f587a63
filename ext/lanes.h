/* The vector operations of the kernel behind one set of names.

   Included once for each kernel, with ISA (0 portable C, 128 SSE4 or NEON, 2 AVX2, 512 AVX-512)
   and WORD (bits a lane: 32 or 64) defined. All names begin with lanes_ or LANES: macros know no
   scope, and these also reach the code that Cython writes around the kernels.

   A lanes_vec holds LANES words, of type lanes_word; a lanes_mask says of each lane yes
   or no. Shifts and rotations are by the same number k of bits in all lanes, which is
   kept as a lanes_shift. The operations, each with lanes_ before its name:

       splat(x)          x in every lane
       either, both, except      a | b,  a & b,  a & ~b
       lowest(v)         the lowest bit of each lane, 0 if there is none
       unattacked(full, a, b, c)     full & ~(a | b | c)
       rotl, rotr, shl, shr      by a shift; by(k) makes one
       add(a, b)         a + b
       ones(v)           the number of ones in each byte, in that byte
       clear(v, m)       0 in the lanes of m, v in the others
       replace(v, m, w)  w in the lanes of m, v in the others
       renew(v, m, full, a, b, c)    unattacked(full, a, b, c) in the lanes of m, v in the others
       zero(v), nonzero(v), differ(a, b)     the lanes where that holds
       meet(a, b)        the lanes where a & b is not 0
       free(full, a, b, c)       the lanes where unattacked(full, a, b, c) is not 0
       and(m, m), many(m)        both; in how many lanes
       load(p)           LANES words from p
       store(p, v)       LANES words to p
       refill(v, m, p)   put the words from p on, in turn, into the lanes of m
       pack(p, m, v)     write the words of the lanes of m to p on, side by side; up to
                         LANES words are written in any case
*/

#undef lanes_word
#undef lanes_vec
#undef lanes_shift
#undef lanes_mask
#undef LANES
#undef LANES_OP
#undef LANES_MASK
#undef LANES_BITS
#undef LANES_ALL
#undef LANES_TAKE
#undef LANES_TABLE
#undef lanes_splat
#undef lanes_by
#undef lanes_either
#undef lanes_both
#undef lanes_except
#undef lanes_lowest
#undef lanes_unattacked
#undef lanes_rotl
#undef lanes_rotr
#undef lanes_shl
#undef lanes_shr
#undef lanes_add
#undef lanes_ones
#undef lanes_clear
#undef lanes_replace
#undef lanes_renew
#undef lanes_free
#undef lanes_zero
#undef lanes_nonzero
#undef lanes_differ
#undef lanes_meet
#undef lanes_and
#undef lanes_many
#undef lanes_load
#undef lanes_store
#undef lanes_refill
#undef lanes_pack

#if WORD == 32
typedef uint32_t NAME(lanes_word);
#else
typedef uint64_t NAME(lanes_word);
#endif
#define lanes_word NAME(lanes_word)

#if ISA == 512

#define LANES (512 / WORD)
#define LANES_OP(name) JOIN(_mm512_##name##_epi, WORD)
#define LANES_MASK(name) JOIN(LANES_OP(name), _mask)
#define lanes_vec __m512i
#define lanes_shift __m512i
#if WORD == 32
#define lanes_mask __mmask16
#else
#define lanes_mask __mmask8
#endif
#define lanes_splat(x) LANES_OP(set1)((int64_t)(x))
#define lanes_by(k) lanes_splat(k)
#define lanes_either(a, b) _mm512_or_si512(a, b)
#define lanes_both(a, b) _mm512_and_si512(a, b)
#define lanes_except(a, b) _mm512_andnot_si512(b, a)
#define lanes_lowest(v) lanes_both(v, LANES_OP(sub)(_mm512_setzero_si512(), v))
#define lanes_unattacked(full, a, b, c) _mm512_ternarylogic_epi32(lanes_either(a, b), c, full, 0x02)
#define lanes_rotl(v, k) LANES_OP(rolv)(v, k)
#define lanes_rotr(v, k) LANES_OP(rorv)(v, k)
#define lanes_shl(v, k) LANES_OP(sllv)(v, k)
#define lanes_shr(v, k) LANES_OP(srlv)(v, k)
#define lanes_add(a, b) LANES_OP(add)(a, b)
#define lanes_clear(v, m) LANES_OP(maskz_mov)((lanes_mask)~(m), v)
#define lanes_replace(v, m, w) LANES_OP(mask_mov)(v, m, w)
#define lanes_zero(v) LANES_MASK(testn)(v, v)
#define lanes_nonzero(v) LANES_MASK(test)(v, v)
#define lanes_differ(a, b) LANES_MASK(cmpneq)(a, b)
#define lanes_and(m, k) ((lanes_mask)((m) & (k)))
#define lanes_many(m) ((uint32_t)__builtin_popcount(m))
#define lanes_renew(v, m, full, a, b, c) LANES_OP(mask_andnot)( \
    v, m, _mm512_ternarylogic_epi32(a, b, c, 0xfe), full)
#define lanes_free(full, a, b, c) LANES_MASK(test)( \
    full, _mm512_ternarylogic_epi32(a, b, c, 0x01))
#define lanes_load(p) _mm512_loadu_si512(p)
#define lanes_store(p, v) _mm512_storeu_si512(p, v)
#define lanes_refill(v, m, p) LANES_OP(mask_expand)(v, m, lanes_load(p))
#define lanes_pack(p, m, v) _mm512_storeu_si512(p, LANES_OP(maskz_compress)(m, v))

#elif ISA == 2

#define LANES (256 / WORD)
#define LANES_OP(name) JOIN(_mm256_##name##_epi, WORD)
#define lanes_vec __m256i
#define lanes_shift int
typedef struct {
    __m256i lanes;
    uint32_t bits;
} NAME(lanes_mask);
#define lanes_mask NAME(lanes_mask)
#if WORD == 32
#define lanes_splat(x) _mm256_set1_epi32((int)(x))
#define LANES_BITS(v) ((uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v)))
#else
#define lanes_splat(x) _mm256_set1_epi64x((int64_t)(x))
#define LANES_BITS(v) ((uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(v)))
#endif
#define lanes_by(k) (k)
#define lanes_either(a, b) _mm256_or_si256(a, b)
#define lanes_both(a, b) _mm256_and_si256(a, b)
#define lanes_except(a, b) _mm256_andnot_si256(b, a)
#define lanes_lowest(v) lanes_both(v, LANES_OP(sub)(_mm256_setzero_si256(), v))
#define lanes_unattacked(full, a, b, c) lanes_except(full, lanes_either(lanes_either(a, b), c))
#define lanes_shl(v, k) LANES_OP(sll)(v, _mm_cvtsi32_si128(k))
#define lanes_shr(v, k) LANES_OP(srl)(v, _mm_cvtsi32_si128(k))
#define lanes_add(a, b) LANES_OP(add)(a, b)
#define lanes_clear(v, m) lanes_except(v, (m).lanes)
#define lanes_replace(v, m, w) _mm256_blendv_epi8(v, w, (m).lanes)
#define lanes_rotl(v, k) lanes_either(lanes_shl(v, k), lanes_shr(v, WORD - (k)))
#define lanes_rotr(v, k) lanes_either(lanes_shr(v, k), lanes_shl(v, WORD - (k)))
static inline lanes_mask NAME(lanes_of)(__m256i lanes) {
    lanes_mask m = {lanes, LANES_BITS(lanes)};
    return m;
}
#define LANES_ALL ((1u << LANES) - 1)
#define lanes_zero(v) NAME(lanes_of)(LANES_OP(cmpeq)(v, _mm256_setzero_si256()))
static inline lanes_mask NAME(lanes_nonzero)(__m256i v) {
    lanes_mask m = lanes_zero(v);
    m.bits ^= LANES_ALL;
    return m;
}
#define lanes_nonzero(v) NAME(lanes_nonzero)(v)
#define lanes_differ(a, b) NAME(lanes_nonzero)(_mm256_xor_si256(a, b))
static inline lanes_mask NAME(lanes_and)(lanes_mask m, lanes_mask k) {
    m.bits &= k.bits;
    return m;
}
#define lanes_and(m, k) NAME(lanes_and)(m, k)
#define lanes_many(m) ((uint32_t)__builtin_popcount((m).bits))
#define lanes_load(p) _mm256_loadu_si256((const __m256i *)(p))
#define lanes_store(p, v) _mm256_storeu_si256((__m256i *)(p), v)
/* Entry m of a table: for each lane of 32 bits, which lane it takes. */
#define LANES_TAKE(v, table, m) _mm256_permutevar8x32_epi32( \
    v, _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)table[m])))
#if WORD == 32
#define LANES_TABLE(name) name##_32
#else
#define LANES_TABLE(name) name##_64
#endif
#define lanes_refill(v, m, p) _mm256_blendv_epi8( \
    v, LANES_TAKE(lanes_load(p), LANES_TABLE(expanding), (m).bits), (m).lanes)
#define lanes_pack(p, m, v) _mm256_storeu_si256( \
    (__m256i *)(p), LANES_TAKE(v, LANES_TABLE(compressing), (m).bits))

#elif ISA == 128

#define LANES (128 / WORD)
typedef lanes_word NAME(lanes_vec) __attribute__((vector_size(16), may_alias));
#define lanes_vec NAME(lanes_vec)
#define lanes_shift int
#define lanes_mask lanes_vec
#define lanes_splat(x) ((lanes_vec){0} + (lanes_word)(x))
#define lanes_by(k) (k)
#define lanes_either(a, b) ((a) | (b))
#define lanes_both(a, b) ((a) & (b))
#define lanes_except(a, b) ((a) & ~(b))
#define lanes_lowest(v) ((v) & -(v))
#define lanes_unattacked(full, a, b, c) ((full) & ~((a) | (b) | (c)))
#define lanes_shl(v, k) ((v) << (k))
#define lanes_shr(v, k) ((v) >> (k))
#define lanes_rotl(v, k) ((v) << (k) | (v) >> ((WORD - (k)) & (WORD - 1)))
#define lanes_rotr(v, k) ((v) >> (k) | (v) << ((WORD - (k)) & (WORD - 1)))
#define lanes_add(a, b) ((a) + (b))
#define lanes_clear(v, m) ((v) & ~(m))
#define lanes_replace(v, m, w) ((((v) ^ (w)) & (m)) ^ (v))
#define lanes_zero(v) (lanes_mask)((v) == 0)
#define lanes_nonzero(v) (lanes_mask)((v) != 0)
#define lanes_differ(a, b) (lanes_mask)((a) != (b))
#define lanes_and(m, k) ((m) & (k))
#ifdef NQBENCH_NEON
#if WORD == 32
#define LANES_BITS(m) vaddvq_u32((uint32x4_t)(m) & (uint32x4_t){1, 2, 4, 8})
#define lanes_many(m) (0 - vaddvq_u32((uint32x4_t)(m)))
#else
#define LANES_BITS(m) (uint32_t)vaddvq_u64((uint64x2_t)(m) & (uint64x2_t){1, 2})
#define lanes_many(m) (uint32_t)(0 - vaddvq_u64((uint64x2_t)(m)))
#endif
#define LANES_TAKE(v, table, m) (lanes_vec)vqtbl1q_u8((uint8x16_t)(v), vld1q_u8(table[m]))
#else
#if WORD == 32
#define LANES_BITS(m) (uint32_t)_mm_movemask_ps((__m128)(m))
#else
#define LANES_BITS(m) (uint32_t)_mm_movemask_pd((__m128d)(m))
#endif
#define lanes_many(m) (uint32_t)__builtin_popcount(LANES_BITS(m))
#define LANES_TAKE(v, table, m) \
    (lanes_vec)_mm_shuffle_epi8((__m128i)(v), _mm_loadu_si128((const __m128i *)table[m]))
#endif
static INLINE lanes_vec NAME(lanes_load)(const lanes_word *p) {
    lanes_vec v;
    memcpy(&v, p, sizeof v);
    return v;
}
#define lanes_load(p) NAME(lanes_load)(p)
static INLINE void NAME(lanes_store)(lanes_word *p, lanes_vec v) { memcpy(p, &v, sizeof v); }
#define lanes_store(p, v) NAME(lanes_store)(p, v)
#if WORD == 32
#define LANES_TABLE(name) name##_32
#else
#define LANES_TABLE(name) name##_64
#endif
static INLINE lanes_vec NAME(lanes_refill)(lanes_vec v, lanes_mask m, const lanes_word *p) {
    const lanes_vec w = LANES_TAKE(lanes_load(p), LANES_TABLE(byte_expanding), LANES_BITS(m));
    return lanes_replace(v, m, w);
}
#define lanes_refill(v, m, p) NAME(lanes_refill)(v, m, p)
static INLINE void NAME(lanes_pack)(lanes_word *p, lanes_mask m, lanes_vec v) {
    lanes_store(p, LANES_TAKE(v, LANES_TABLE(byte_compressing), LANES_BITS(m)));
}
#define lanes_pack(p, m, v) NAME(lanes_pack)(p, m, v)

#else

#define LANES 1
#define lanes_vec lanes_word
#define lanes_shift int
#define lanes_mask uint32_t
#define lanes_splat(x) ((lanes_word)(x))
#define lanes_by(k) (k)
#define lanes_either(a, b) ((a) | (b))
#define lanes_both(a, b) ((a) & (b))
#define lanes_except(a, b) ((a) & ~(b))
#define lanes_lowest(v) ((v) & (0 - (v)))
#define lanes_unattacked(full, a, b, c) ((full) & ~((a) | (b) | (c)))
#define lanes_shl(v, k) ((v) << (k))
#define lanes_shr(v, k) ((v) >> (k))
#define lanes_add(a, b) ((a) + (b))
#define lanes_clear(v, m) ((m) ? 0 : (v))
#define lanes_replace(v, m, w) ((m) ? (w) : (v))
#define lanes_rotl(v, k) ((lanes_word)((v) << (k) | (v) >> ((WORD - (k)) & (WORD - 1))))
#define lanes_rotr(v, k) ((lanes_word)((v) >> (k) | (v) << ((WORD - (k)) & (WORD - 1))))
#define lanes_zero(v) ((v) == 0)
#define lanes_nonzero(v) ((v) != 0)
#define lanes_differ(a, b) ((a) != (b))
#define lanes_and(m, k) ((m) & (k))
#define lanes_many(m) (m)
#define lanes_load(p) (*(p))
#define lanes_store(p, v) (*(p) = (v))
#define lanes_refill(v, m, p) ((m) ? *(p) : (v))
#define lanes_pack(p, m, v) (*(p) = (v))

#endif

#if ISA == 2
static inline __m256i NAME(lanes_ones)(__m256i v) {
    const __m256i low = _mm256_set1_epi8(15),
                  ones = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                          2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    return _mm256_add_epi8(
        _mm256_shuffle_epi8(ones, _mm256_and_si256(v, low)),
        _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16(v, 4), low)));
}
#elif ISA == 128 && defined(NQBENCH_NEON)
static INLINE lanes_vec NAME(lanes_ones)(lanes_vec v) { return (lanes_vec)vcntq_u8((uint8x16_t)v); }
#else
static INLINE lanes_vec NAME(lanes_ones)(lanes_vec v) {
    const lanes_word all = ~(lanes_word)0;
    const lanes_vec pairs = lanes_splat(all / 3), fours = lanes_splat(all / 5);
    const lanes_vec more = lanes_both(lanes_shr(v, lanes_by(1)), pairs);
    v = lanes_add(lanes_both(v, pairs), more);
    v = lanes_add(lanes_both(v, fours), lanes_both(lanes_shr(v, lanes_by(2)), fours));
    return lanes_both(lanes_add(v, lanes_shr(v, lanes_by(4))), lanes_splat(all / 17));
}
#endif
#define lanes_ones(v) NAME(lanes_ones)(v)
#ifndef lanes_free
#define lanes_renew(v, m, full, a, b, c) lanes_replace(v, m, lanes_unattacked(full, a, b, c))
#define lanes_free(full, a, b, c) lanes_nonzero(lanes_unattacked(full, a, b, c))
#endif
#define lanes_meet(a, b) lanes_nonzero(lanes_both(a, b))

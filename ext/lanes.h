/* The vector operations of the kernel behind one set of names.

   Included once for each kernel, with ISA (0 portable C, 2 AVX2, 512 AVX-512) and WORD
   (bits a lane: 32 or 64) defined. A vec holds LANES words; a mask says of each lane
   yes or no. Shifts and rotations are by the same number k of bits in all lanes, which
   is kept as a `shift`.

       splat(x)          x in every lane
       either, both, except      a | b,  a & b,  a & ~b
       lowest(v)         the lowest bit of each lane, 0 if there is none
       unattacked(full, a, b, c)     full & ~(a | b | c)
       rotl, rotr, shl   by a shift; by(k) makes one
       zero(v), nonzero(v), differ(a, b)     the lanes where that holds
       and(m, m), many(m)        both; in how many lanes
       load(p)           LANES words from p
       refill(v, m, p)   put the words from p on, in turn, into the lanes of m
       pack(p, m, v)     write the words of the lanes of m to p on, side by side; up to
                         LANES words are written in any case
*/

#undef word
#undef vec
#undef shift
#undef mask
#undef LANES
#undef OP
#undef MASK
#undef BITS
#undef ALL
#undef TAKE
#undef TABLE
#undef splat
#undef by
#undef either
#undef both
#undef except
#undef lowest
#undef unattacked
#undef rotl
#undef rotr
#undef shl
#undef shr
#undef zero
#undef nonzero
#undef differ
#undef and
#undef many
#undef load
#undef refill
#undef pack

#if WORD == 32
typedef uint32_t NAME(word);
#else
typedef uint64_t NAME(word);
#endif
#define word NAME(word)

#if ISA == 512

#define LANES (512 / WORD)
#define OP(name) JOIN(_mm512_##name##_epi, WORD)
#define MASK(name) JOIN(OP(name), _mask)
#define vec __m512i
#define shift __m512i
#if WORD == 32
#define mask __mmask16
#else
#define mask __mmask8
#endif
#define splat(x) OP(set1)((int64_t)(x))
#define by(k) splat(k)
#define either(a, b) _mm512_or_si512(a, b)
#define both(a, b) _mm512_and_si512(a, b)
#define except(a, b) _mm512_andnot_si512(b, a)
#define lowest(v) both(v, OP(sub)(_mm512_setzero_si512(), v))
#define unattacked(full, a, b, c) _mm512_ternarylogic_epi32(either(a, b), c, full, 0x02)
#define rotl(v, k) OP(rolv)(v, k)
#define rotr(v, k) OP(rorv)(v, k)
#define shl(v, k) OP(sllv)(v, k)
#define zero(v) MASK(testn)(v, v)
#define nonzero(v) MASK(test)(v, v)
#define differ(a, b) MASK(cmpneq)(a, b)
#define and(m, k) ((mask)((m) & (k)))
#define many(m) ((uint32_t)__builtin_popcount(m))
#define load(p) _mm512_loadu_si512(p)
#define refill(v, m, p) OP(mask_expand)(v, m, load(p))
#define pack(p, m, v) _mm512_storeu_si512(p, OP(maskz_compress)(m, v))

#elif ISA == 2

#define LANES (256 / WORD)
#define OP(name) JOIN(_mm256_##name##_epi, WORD)
#define vec __m256i
#define shift int
typedef struct { __m256i lanes; uint32_t bits; } NAME(mask);
#define mask NAME(mask)
#if WORD == 32
#define splat(x) _mm256_set1_epi32((int)(x))
#define BITS(v) ((uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v)))
#else
#define splat(x) _mm256_set1_epi64x((int64_t)(x))
#define BITS(v) ((uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(v)))
#endif
#define by(k) (k)
#define either(a, b) _mm256_or_si256(a, b)
#define both(a, b) _mm256_and_si256(a, b)
#define except(a, b) _mm256_andnot_si256(b, a)
#define lowest(v) both(v, OP(sub)(_mm256_setzero_si256(), v))
#define unattacked(full, a, b, c) except(full, either(either(a, b), c))
#define shl(v, k) OP(sll)(v, _mm_cvtsi32_si128(k))
#define shr(v, k) OP(srl)(v, _mm_cvtsi32_si128(k))
#define rotl(v, k) either(shl(v, k), shr(v, WORD - (k)))
#define rotr(v, k) either(shr(v, k), shl(v, WORD - (k)))
static inline mask NAME(of)(__m256i lanes) { mask m = {lanes, BITS(lanes)}; return m; }
#define ALL ((1u << LANES) - 1)
#define zero(v) NAME(of)(OP(cmpeq)(v, _mm256_setzero_si256()))
static inline mask NAME(nonzero)(__m256i v) {
    mask m = zero(v);
    m.bits ^= ALL;
    return m;
}
#define nonzero(v) NAME(nonzero)(v)
#define differ(a, b) NAME(nonzero)(_mm256_xor_si256(a, b))
static inline mask NAME(and)(mask m, mask k) { m.bits &= k.bits; return m; }
#define and(m, k) NAME(and)(m, k)
#define many(m) ((uint32_t)__builtin_popcount((m).bits))
#define load(p) _mm256_loadu_si256((const __m256i *)(p))
/* Entry m of a table: for each lane of 32 bits, which lane it takes. */
#define TAKE(v, table, m) _mm256_permutevar8x32_epi32( \
    v, _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)table[m])))
#if WORD == 32
#define TABLE(name) name##_32
#else
#define TABLE(name) name##_64
#endif
#define refill(v, m, p) _mm256_blendv_epi8(v, TAKE(load(p), TABLE(expanding), (m).bits), (m).lanes)
#define pack(p, m, v) _mm256_storeu_si256((__m256i *)(p), TAKE(v, TABLE(compressing), (m).bits))

#else

#define LANES 1
#define vec word
#define shift int
#define mask uint32_t
#define splat(x) ((word)(x))
#define by(k) (k)
#define either(a, b) ((a) | (b))
#define both(a, b) ((a) & (b))
#define except(a, b) ((a) & ~(b))
#define lowest(v) ((v) & (0 - (v)))
#define unattacked(full, a, b, c) ((full) & ~((a) | (b) | (c)))
#define shl(v, k) ((v) << (k))
#define rotl(v, k) ((word)((v) << (k) | (v) >> ((WORD - (k)) & (WORD - 1))))
#define rotr(v, k) ((word)((v) >> (k) | (v) << ((WORD - (k)) & (WORD - 1))))
#define zero(v) ((v) == 0)
#define nonzero(v) ((v) != 0)
#define differ(a, b) ((a) != (b))
#define and(m, k) ((m) & (k))
#define many(m) (m)
#define load(p) (*(p))
#define refill(v, m, p) ((m) ? *(p) : (v))
#define pack(p, m, v) (*(p) = (v))

#endif

/* Counting the placements of k queens on k adjacent rows, for every k: the kernels.

   One text, levels_kernel.h, is compiled for portable C, SSE4, NEON, AVX2 and AVX-512; with words
   of 32 bits, or of 64 where WORD is defined as that. */

#ifndef NQBENCH_LEVELS_H
#define NQBENCH_LEVELS_H

#include <stddef.h>

#include "bits.h"
#include "isa.h"
#include "packing.h"

#ifndef WORD
#define WORD 32
#endif
#if WORD == 32
#define LARGEST_N 31
typedef uint32_t columns_t;
#else
#define LARGEST_N 64
typedef uint64_t columns_t;
#endif
#define SLACK 128 /* words that a buffer has beyond its capacity, for whole vectors */
#define WORDS 5   /* of a state */

/* A placement on some adjacent rows: the columns that are taken, and the squares that are
   attacked along the diagonals in the row above it and in the row below. */
typedef struct { columns_t word[WORDS]; } Prefix;

enum { COLUMNS, BELOW_LEFT, BELOW_RIGHT, ABOVE_LEFT, ABOVE_RIGHT };

typedef struct {
    int n, rows, outwards;           /* of the board; of a prefix; else downwards */
    columns_t *memory;      /* a buffer of WORDS times `stride` for each number of rows */
    size_t capacity, stride;
    uint32_t count[LARGEST_N + 1];
    volatile const char *stop;       /* another thread sets *stop to end the search */
    uint64_t found[LARGEST_N + 1];   /* by the number of rows */
    uint32_t rest_13, rest_15;       /* of all of them, modulo 13 and 15 */
} Search;

static inline columns_t every_column(int n) { return n ? ~(columns_t)0 >> (WORD - n) : 0; }

/* Add up the same number in two ways: for its level, and its remainders. */
static void add(Search *search, int level, uint64_t more) {
    search->found[level] += more;
    search->rest_13 = (uint32_t)((search->rest_13 + more) % 13);
    search->rest_15 = (uint32_t)((search->rest_15 + more) % 15);
}

#define NAME(name) JOIN(name##_, KERNEL)

#define ISA 0
#define KERNEL portable
#include "levels_kernel.h"
#undef KERNEL
#undef ISA

#ifdef KERNEL_128
BEGIN_128
#define ISA 128
#define KERNEL KERNEL_128
#include "levels_kernel.h"
#undef KERNEL
#undef ISA
END_ISA
#endif

#ifdef NQBENCH_X86

BEGIN_AVX2
#define ISA 2
#define KERNEL avx2
#include "levels_kernel.h"
#undef KERNEL
#undef ISA
END_ISA
BEGIN_AVX512
#define ISA 512
#define KERNEL avx512
#include "levels_kernel.h"
#undef KERNEL
#undef ISA
END_ISA

#endif
#undef WORD

/* Count the placements that continue these prefixes, by their number of rows. */
static void search_levels(int kernel, Search *search, const Prefix *prefix, size_t number) {
    search->rest_13 = search->rest_15 = 0;
    for (int rows = 0; rows <= LARGEST_N; rows++) search->found[rows] = search->count[rows] = 0;
    DISPATCH(kernel, search, search, prefix, number);
}

#endif

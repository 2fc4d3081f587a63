/* Counting the placements of k queens on k adjacent rows, for every k: the kernels.

   One text, levels_kernel.h, is compiled for portable C, SSE4, NEON, AVX2 and AVX-512.
 */

#ifndef NQBENCH_LEVELS_H
#define NQBENCH_LEVELS_H

#include <stddef.h>
#include <string.h>

#include "bits.h"
#include "isa.h"
#include "packing.h"

#define LARGEST_N 31 /* words of 32 bits */
#define SLACK 128 /* words that a buffer has beyond its capacity, for whole vectors */
#define WORDS 5   /* of a placement outwards */
#define WORDS_DOWNWARDS 3
#define LANES_BYTES 2048 /* of the states in all lanes */

/* A placement on some adjacent rows: the columns that are taken, and the squares that are
   attacked along the diagonals in the row below it and in the row above. */
typedef struct { uint64_t word[WORDS]; } Prefix;

enum { COLUMNS, BELOW_LEFT, BELOW_RIGHT, ABOVE_LEFT, ABOVE_RIGHT };

typedef struct {
    int n;                         /* rows of the board */
    int rows;                      /* rows of a prefix */
    void *memory;                  /* a buffer of `words` times `stride` for each number of rows */
    size_t capacity;               /* placements of a buffer */
    size_t stride;                 /* from one word of a placement to the next */
    int words;                     /* of a placement */
    uint32_t count[LARGEST_N + 1]; /* placements in each buffer */
    char *lanes;                   /* LANES_BYTES for each number of rows: */
    char busy[LARGEST_N + 1];      /* whether they hold states from the last pass */
    volatile const char *stop;     /* another thread sets *stop to end the search */
    uint64_t found[LARGEST_N + 1]; /* by the number of rows */
    uint32_t rest_13;              /* of all of them, modulo 13, added up on its own */
    uint32_t rest_15;              /* and modulo 15 */
} Search;

static inline uint64_t every_column(int n) { return n ? ~(uint64_t)0 >> (64 - n) : 0; }

/* Add up the same number in two ways: for its level, and its remainders. */
static void add(Search *search, int level, uint64_t more) {
    search->found[level] += more;
    search->rest_13 = (uint32_t)((search->rest_13 + more) % 13);
    search->rest_15 = (uint32_t)((search->rest_15 + more) % 15);
}

/* Forget the search before, which may have been ended. */
static void clear(Search *search) {
    search->rest_13 = search->rest_15 = 0;
    for (int rows = 0; rows <= LARGEST_N; rows++)
        search->found[rows] = search->count[rows] = search->busy[rows] = 0;
    memset(search->lanes + (size_t)search->rows * LANES_BYTES, 0,
           (size_t)(search->n - search->rows) * LANES_BYTES);
}

#define NAME(name) JOIN(name##_, KERNEL)
#define WORD 32

#define KERNEL_TEXT "levels_kernel.h"
#include "every_kernel.h"

#undef WORD

/* Count the placements that continue these prefixes, by their number of rows. */
static inline void search_levels(int kernel, Search *search, int outwards, const Prefix *prefix,
                                 size_t number) {
    clear(search);
    search->words = outwards ? WORDS : WORDS_DOWNWARDS;
    if (outwards) DISPATCH(kernel, outwards, search, prefix, number);
    else DISPATCH(kernel, downwards, search, prefix, number);
}

#endif

/* Counting the placements of k queens on k adjacent rows, for every k: the kernels.

   One text, levels_kernel.h, is compiled for portable C, SSE4, NEON, AVX2 and AVX-512.

   Words of 32 bits hold boards of up to 32 columns, and windows of wider boards: the placements below
   one prefix leave few columns free, and what the prefix attacks is known for every row. So a
   search below one prefix (`search_below`) needs no word for the prefix, only for the new queens. It
   begins with words of 64 bits, and moves a placement to the search of a window as soon as all free
   squares below it lie in 32 adjacent columns. */

#ifndef NQBENCH_LEVELS_H
#define NQBENCH_LEVELS_H

#include <stddef.h>
#include <string.h>

#include "bits.h"
#include "isa.h"
#include "packing.h"

#define LARGEST_N 64
#define LARGEST_NARROW 31 /* of the levels: words of 32 bits */
#define SLACK 128 /* words that a buffer has beyond its capacity, for whole vectors */
#define WORDS 5   /* of a placement outwards */
#define WORDS_DOWNWARDS 3
#define LANES_BYTES 2048 /* of the states in all lanes */
#define MOST_LEAPS 4 /* distances of leaps to one row */
#define WINDOW 32 /* columns */
#define MOST_WINDOWS 8
#define NARROWING_ROWS 10 /* in which placements are moved to a window: later there are too many */

/* A placement on some adjacent rows: the columns that are taken, and the squares that are
   attacked along the diagonals in the row below it and in the row above. Pieces that leap need
   other words in place of the latter: the squares that they attack in the row below and in the one
   below that. */
typedef struct { uint64_t word[WORDS]; } Prefix;

enum { COLUMNS, BELOW_LEFT, BELOW_RIGHT, ABOVE_LEFT, ABOVE_RIGHT, LEAPT = ABOVE_LEFT, LEAPT_NEXT };

/* What the pieces of a variant attack besides their columns. */
typedef struct {
    int pieces;                  /* whether it is a variant; what follows is not used for queens */
    int differences, sums;       /* whether these diagonals are lines */
    int leaps[2];                /* how many distances, to the row below and the one below that */
    int distance[2][MOST_LEAPS]; /* in columns, to both sides; 0 is straight below */
} Variant;

typedef struct Search {
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
    Variant variant;
    uint64_t open[LARGEST_N + 1]; /* squares of each row that the common prefix leaves free */
    struct Search *window;        /* those that begin at column `first`, `first` + 1, ... */
    int windows;                  /* how many there are */
    int first;                    /* column at which this window begins */
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

/* Return the search of a window that holds all free squares below a placement, and all diagonals
   through them; NULL if there is none. */
static INLINE Search *choose_window(const Search *search, int rows, uint64_t columns, uint64_t left,
                                    uint64_t right) {
    uint64_t free = 0;
    int last = search->first + search->windows - 1, column;
    for (int below = 0; below < search->n - rows; below++)
        free |= search->open[rows + below] & ~(columns | left << below | right >> below);
    column = column_of(free & (~free + 1));
    if (column > last) column = last;
    if (free >> column >> (WINDOW - 1) > 1 || left << (63 - column) << 1
        || right >> column >> (WINDOW - 1) > 1)
        return NULL;
    return &search->window[column - search->first];
}

#define NAME(name) JOIN(JOIN(name##_, KERNEL), JOIN(_, WORD))

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

/* Count the placements that continue these prefixes, by their number of rows. */
static inline void search_levels(int kernel, Search *search, int outwards, const Prefix *prefix,
                                 size_t number) {
    clear(search);
    search->words = outwards || search->variant.pieces ? WORDS : WORDS_DOWNWARDS;
    for (int row = 0; row <= LARGEST_N; row++) search->open[row] = every_column(search->n);
    if (outwards) DISPATCH(kernel, outwards, search, prefix, number);
    else DISPATCH(kernel, downwards, search, prefix, number);
}

/* Find the squares that the common prefix leaves free, and the windows that hold them. */
static void open_windows(Search *search, const uint64_t *prefix) {
    uint64_t free = 0;
    for (int row = search->rows, below = 0; row < search->n; row++, below++)
        free |= search->open[row] = every_column(search->n)
            & ~(prefix[COLUMNS] | prefix[BELOW_LEFT] << below | prefix[BELOW_RIGHT] >> below);
    search->windows = 0;
    if (!free) return;
    search->first = column_of(free & (~free + 1));
    do {
        Search *window = &search->window[search->windows];
        window->n = search->n;
        window->rows = search->rows;
        clear(window);
        window->words = WORDS_DOWNWARDS;
        window->stop = search->stop;
        for (int row = search->rows; row < search->n; row++)
            window->open[row] = search->open[row] >> (search->first + search->windows);
        search->windows++;
    } while (search->windows < MOST_WINDOWS
             && free >> (search->first + search->windows) >> (WINDOW - 1));
}

/* Count the placements that continue one prefix. The search has MOST_WINDOWS windows, each with a
   memory for words of 32 bits. */
static inline void search_below(int kernel, Search *search, const Prefix *prefix) {
    clear(search);
    search->words = WORDS_DOWNWARDS;
    open_windows(search, prefix->word);
    DISPATCH(kernel, below, search);
    for (int i = 0; i < search->windows; i++) {
        const Search *window = &search->window[i];
        for (int row = 0; row <= search->n; row++) search->found[row] += window->found[row];
        search->rest_13 = (search->rest_13 + window->rest_13) % 13;
        search->rest_15 = (search->rest_15 + window->rest_15) % 15;
    }
}

#endif

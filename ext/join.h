/* Counting by joining halves; nqbench/problems/queens/join.py is the idea in plain Python.

   The columns are cut into a western and an eastern block of n / 2; for odd n a queen stands in
   the middle column, in the row called `hole`. A half is a placement that fills one block on
   given rows. Two halves on rows that together are all rows make a solution if they share no
   diagonal. A half is a word with a bit for each diagonal that both blocks reach:

       flags | diagonals

   The diagonals that are most often used on both sides come first. The flags are two more, or a
   mark, that only the western half may have; they are compared with nothing, but decide how often
   it counts. With a queen in the middle of the board or for even n they are the two long
   diagonals, else the first marks a tie (see `count_job`).

   Of two lists of halves no pair is compared that shares one of some diagonals, by which both are
   sorted: see join_order.h.

   Halves are made of quarters, the placements on the northern and on the southern rows, which
   are listed once for all halves that share them. */

#ifndef NQBENCH_JOIN_H
#define NQBENCH_JOIN_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "isa.h"

#define LARGEST_N 32
#define BLOCK (LARGEST_N / 2)
#define PORTABLE_PIECE 256 /* words that are compared with one of the other list at a time */
#define MOST_PIECE 512
#define TABLE_BYTES 4096  /* a table of any kernel */
#define PORTABLE_CHUNK 7  /* diagonals that one table answers for */
#define VECTOR_CHUNK 6
#define BOTH 2  /* flags */
#define FLAGS 4 /* numbers of flags in a class, see join_order.h; the last one is not used */
#define FEWEST_CHUNKS 3
#define MOST_CHUNKS 8
#define MOST_INDEX 16     /* index bits */
#define SAMPLE (1 << 14)  /* pairs at most, to choose index bits by */
#define WORDS_A_PAIR 128  /* of the lists, for each pair of the sample */
#define FEW_WORDS (1 << 17) /* of both lists: fewer are sorted by the most used diagonals */
#define FEW_PAIRS 16      /* that are left of a sample: they say little */
#define CLASS 64          /* words that pay for beginning a class */
#define STREAM_BITS 2     /* a class has four counters: a word need not wait for the last one */
#define MANY_CLASSES 8    /* index bits: if there are more, one counter, for the cache */
#define MOST_WORDS 4000000   /* of a list of halves: 32 MB */
#define MOST_ORDERS 24000000 /* ways to put queens on the rows of a quarter that is listed whole */
#define MOST_BYTES ((size_t)128 << 20) /* of the lists, and of the quarters that are kept */
#define PAD 16            /* quarters of one column set are padded to a whole vector */
#define NO_CLASH ((uint32_t)1 << 31) /* clashes of what is only padding */

enum { WEST, EAST };
enum { NORTH, SOUTH };

/* How halves are written as words, for a hole and a number of western rows in the north. */
typedef struct {
    int n, half, hole, upper;
    int digits;    /* how many index bits slices fix at least, see `count_job` */
    int exchanged; /* whether it is a mirror image: the west has the eastern rows */
    int tie;       /* whether the middle row decides: odd n, hole above the middle */
    int rows[2], row[2][BLOCK + 1];       /* the rows of the north and the south */
    int bits;                             /* diagonals that both blocks reach, without the flags */
    uint64_t square[2][LARGEST_N][BLOCK]; /* the diagonals of a square of a block */
    uint32_t clash[LARGEST_N][BLOCK];     /* those that northern and southern squares share */
    uint32_t open[2][LARGEST_N];          /* the columns of a row where a queen may stand */
} Frame;

/* Only words with these bits in the mask are wanted: a slice of a list that is too long. */
typedef struct { uint64_t mask, value; } Slice;

/* How many flags words may have. Those with both count twice. */
typedef struct { int first, last; } Flags;

/* The placements on some rows of the north or south, by the set of their columns. */
typedef struct Quarter {
    struct Quarter *next;
    uint32_t sets;
    uint32_t *start, *number; /* of each column set */
    uint32_t *clash;
    uint64_t *word;
    size_t bytes;
} Quarter;

typedef struct {
    uint32_t set, clash;
    uint64_t word;
} Leaf;

/* Halves of one side, as they are made. */
typedef struct {
    uint64_t *word;
    size_t room, number;
} Words;

/* Halves sorted by class; a class ends where the next one begins. */
typedef struct {
    uint64_t *word;
    uint32_t *offset;
    size_t room, number;
} Half;

/* How two lists are sorted, see join_order.h. */
typedef struct {
    int pieces;           /* the side that is cut into pieces */
    int index_bits;       /* how many */
    int table_count;      /* tables of the rest bits, see TABLE */
    int rest_bits;        /* how many bits follow the index bits */
    uint64_t left, right; /* the index bits, the rest */
    uint64_t leftwards[6], rightwards[6];
} Order;

typedef struct {
    int kernel;                /* its number, see kernels.pxi */
    int chunk;                 /* bits of a table, see CHUNK */
    int index_bits;            /* how many, -1 to choose */
    size_t piece_words;        /* of a piece, see PIECE */
    int exchanged;             /* whether west and east are, see Frame */
    size_t most;               /* words of a list */
    volatile const char *stop; /* another thread sets *stop to end the count */
    uint64_t found;            /* pairs of halves that are solutions */
    uint32_t rest_13;          /* the same modulo 13, added up on its own */
    uint32_t rest_15;          /* and modulo 15 */
    int failed;                /* out of memory */

    Frame frame;              /* how halves are written as words */
    uint16_t set[1 << BLOCK]; /* the number of a column set among those as large */
    uint32_t sets[BLOCK + 1]; /* how many there are */
    Quarter **cache;          /* by side, north or south, and rows */
    size_t cache_size;        /* entries of the cache */
    size_t cached;            /* bytes of the quarters in it */
    Quarter *newest;          /* the last one made, the first of a list */
    Leaf *leaf;               /* placements of a quarter that is being made */
    size_t leaves;            /* how many there are */
    size_t leaf_room;         /* for how many there is room */
    Words list[2];            /* the western and the eastern halves */
    uint64_t placements;      /* all halves that were listed, never set to 0 */
    int sorted;               /* whether the western list is, by this order: */
    Order order;              /* of both lists */
    uint32_t *count;          /* words of each class, while a list is sorted */
    Half half[2];             /* the lists, sorted */
    void *memory;             /* what follows points into it, aligned */
    size_t fixed;             /* its bytes */
    void *piece;              /* words of the longer list, as slices */
    void *table;              /* for each value of some bits, which words of the piece match */
    uint64_t *sample;         /* of pairs: the diagonals that both have */
} Joiner;

#if defined(__GNUC__) || defined(__clang__)
#define PLACE_OF(bits) __builtin_ctzll(bits)
#else
#define PLACE_OF(bits) column_of((bits) & (0 - (bits)))
#endif

/* A loop whose rounds are known when it is compiled, at most 8; one with any number of rounds. */
#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#define UNROLLED_BY_8 _Pragma("clang loop unroll_count(8)")
#elif defined(__GNUC__)
#define UNROLLED _Pragma("GCC unroll 8")
#define UNROLLED_BY_8 UNROLLED
#else
#define UNROLLED
#define UNROLLED_BY_8
#endif

/* Return whether there is room for so many items; the old ones may be lost. */
static int make_room(Joiner *join, void *items, size_t *room, size_t needed, size_t size) {
    if (needed <= *room) return 1;
    free(*(void **)items);
    *room = needed + needed / 4;
    *(void **)items = malloc(*room * size + 64);
    if (*(void **)items) return 1;
    *room = 0;
    join->failed = 1;
    return 0;
}

/* Return the bytes of both lists. */
static size_t count_list_bytes(const Joiner *join) {
    return sizeof(uint64_t)
        * (join->list[WEST].room + join->list[EAST].room + join->half[WEST].room
           + join->half[EAST].room);
}

/* Make room for more words, and keep those that there are. */
static int make_more_room(Joiner *join, Words *list, size_t more) {
    const size_t needed = list->number + more + PAD;
    if (needed <= list->room) return 1;
    const size_t room = needed + needed / 2;
    uint64_t *word = realloc(list->word, room * sizeof *word);
    if (!word) {
        join->failed = 1;
        return 0;
    }
    list->word = word;
    list->room = room;
    return 1;
}

#define NAME(name) JOIN(name##_, KERNEL)

#ifdef NQBENCH_X86
static uint8_t packing[16][8]; /* for each mask of 4 words: which half of one goes where */
#endif

#define KERNEL_TEXT "join_kernel.h"
#include "every_kernel.h"

/* To be called once, before anything else. */
static void prepare_joins(void) {
#ifdef NQBENCH_X86
    __builtin_cpu_init();
    for (int mask = 0; mask < 16; mask++)
        for (int lane = 0, taken = 0; lane < 8; lane++)
            if (mask >> lane / 2 & 1) packing[mask][taken++] = (uint8_t)lane;
#endif
}

static void make_halves(Joiner *join, Words *list, const Quarter *north, const Quarter *south,
                        Slice slice) {
    DISPATCH(join->kernel, make_halves, join, list, north, south, slice);
}

/* Arrange the words of a list in place. */
static void arrange(const Order *order, int pieces, uint64_t *list, size_t number, int kernel) {
    DISPATCH(kernel, arrange, order, pieces, list, number);
}

/* Count the pairs of `number` words that are cut into pieces with the words of the other side that
   have these flags, `weight` times each. */
static void meet(Joiner *join, const uint64_t *pieces, size_t number, const Half *words,
                 Flags flags, uint64_t weight) {
    DISPATCH(join->kernel, meet, join, pieces, number, words, flags, weight);
}

#include "join_frame.h"
#include "join_halves.h"
#include "join_order.h"

/* Count the pairs of the halves of both sides that have these flags; pieces with both count twice. */
static void join_flags(Joiner *join, Flags pieces, Flags words, uint64_t weight) {
    const Half *cut = &join->half[join->order.pieces];
    const int once = pieces.last < BOTH ? pieces.last : BOTH - 1;
    const Flags flags[2] = {{pieces.first, once}, {once + 1, pieces.last}};
    for (int both = 0; both < 2; both++, weight *= 2) {
        const size_t first = cut->offset[(size_t)flags[both].first << join->order.index_bits];
        const size_t end = cut->offset[(size_t)(flags[both].last + 1) << join->order.index_bits];
        meet(join, cut->word + first, end - first, &join->half[!join->order.pieces], words, weight);
    }
}

/* Count what the two lists stand for, see `count_job`. */
static void join_lists(Joiner *join) {
    const Flags all = {0, BOTH}, none = {0, 0}, any = {1, BOTH};
    if (!join->list[WEST].number || !join->list[EAST].number) return;
    if (!join->sorted) {
        choose_order(join);
        join->sorted = sort_words(join, WEST);
    }
    if (!join->sorted || !sort_words(join, EAST)) return;
    if (!join->frame.tie) {
        join_flags(join, none, all, 1);
        join_flags(join, any, none, 1);
    } else if (join->order.pieces == join->frame.exchanged) { /* they have the flags */
        join_flags(join, none, all, 2);
        join_flags(join, any, all, 1);
    } else {
        join_flags(join, all, none, 2);
        join_flags(join, all, any, 1);
    }
}

/* The two slices of a slice, by the next diagonal that is not a flag. */
static Slice cut(const Frame *frame, Slice slice, int value) {
    uint64_t bit = (uint64_t)1 << (frame->bits - 1);
    while (slice.mask & bit) bit >>= 1;
    slice.mask |= bit;
    if (value) slice.value |= bit;
    return slice;
}

/* Count what the halves of two slices stand for, cut again where a list is too long: slice by
   slice of the west, and of the east. */
static void join_slices(Joiner *join, const uint32_t rows[2][2], Slice west, int listed,
                        Slice east) {
    const int side = listed ? EAST : WEST;
    if (*join->stop || join->failed) return;
    if (list_half(join, side, rows[side], listed ? east : west)) {
        /* Only words without the bits of `west` can meet one of these. */
        const Slice met = {east.mask | west.value, east.value};
        if (listed) join_lists(join);
        else join_slices(join, rows, west, 1, met);
    } else
        for (int value = 0; value < 2; value++) {
            if (listed) join_slices(join, rows, west, 1, cut(&join->frame, east, value));
            else join_slices(join, rows, cut(&join->frame, west, value), 0, east);
        }
}

/* Count the pairs of the halves on these rows, sets of the northern and southern rows of each
   side: those that stand for an orbit. Count one slice of 3^digits only: digit by digit, its
   number says of the first index bits whether no half has it, the western or the eastern one.

   With flags for the long diagonals: a solution with queens on j of them has 2^j images by the
   reflections in the two, all but one of them with such a queen in the east. So the eastern
   half has no flag, and a western one with both counts twice as much as one with one flag. If
   there is none, the mirror image exchanges the sides: so pairs without flags are counted once,
   those with flags in the west, and those with flags in the east.

   With a tie: the queen in the middle row stands in the west, farther from the centre than the
   hole is, or as far (a tie). The reflection in a diagonal exchanges the two, so the first count
   twice. */
static void count_job(Joiner *join, const uint32_t rows[2][2], long long number) {
    const Frame *frame = &join->frame;
    Slice slice[2] = {{0, 0}, {0, 0}};
    uint64_t bit = (uint64_t)1 << (frame->bits - 1);
    for (int i = 0; i < frame->digits; i++, bit >>= 1, number /= 3) {
        if (i == frame->bits && number) return; /* there are no more diagonals */
        if (i == frame->bits) break;
        slice[WEST].mask |= bit;
        slice[EAST].mask |= bit;
        if (number % 3) slice[number % 3 == 1 ? frame->exchanged : !frame->exchanged].value |= bit;
    }
    join_slices(join, rows, slice[WEST], 0, slice[EAST]);
}

static void free_joiner(Joiner *join) {
    empty_cache(join);
    free(join->cache);
    free(join->leaf);
    free(join->count);
    for (int side = 0; side < 2; side++) {
        free(join->list[side].word);
        free(join->half[side].word);
        free(join->half[side].offset);
    }
    free(join->memory);
}

/* Return how many bytes it has reserved. */
static size_t count_bytes(const Joiner *join) {
    return sizeof *join + join->fixed + join->leaf_room * sizeof(Leaf)
        + join->cache_size * sizeof *join->cache + join->cached + count_list_bytes(join);
}

/* Return whether there was enough memory. */
static int start_joiner(Joiner *join, int kernel, size_t most, int index_bits, int exchanged) {
    const size_t piece = MOST_PIECE * 8, table = (MOST_CHUNKS + 3) * TABLE_BYTES;
    const size_t classes = (size_t)FLAGS << MOST_INDEX;
    memset(join, 0, sizeof *join);
    join->kernel = kernel;
    join->chunk = kernel >= AVX2 ? VECTOR_CHUNK : PORTABLE_CHUNK;
    join->piece_words = kernel >= AVX2 ? MOST_PIECE : PORTABLE_PIECE;
    join->most = most;
    join->index_bits = index_bits;
    join->exchanged = exchanged;
    join->leaf_room = 4096;
    join->leaf = malloc(join->leaf_room * sizeof(Leaf));
    join->fixed = 64 + piece + table + SAMPLE * sizeof *join->sample;
    join->memory = malloc(join->fixed);
    join->count = malloc(classes * sizeof *join->count);
    for (int side = 0; side < 2; side++)
        join->half[side].offset = malloc((classes + 1) * sizeof(uint32_t));
    if (!join->leaf || !join->memory || !join->count || !join->half[WEST].offset
        || !join->half[EAST].offset)
        return 0;
    join->piece = (void *)(((uintptr_t)join->memory + 63) & ~(uintptr_t)63);
    join->table = (char *)join->piece + piece;
    join->sample = (uint64_t *)((char *)join->table + table);
    return 1;
}

#endif

/* Counting by joining halves; nqbench/algorithms/join.py is the idea in plain Python.

   The columns are cut into a western and an eastern block of n / 2; for odd n a queen stands in
   the middle column, in the row called `hole`. A half is a placement that fills one block on
   given rows. Two halves on rows that together are all rows make a solution if they share no
   diagonal. A half is a word with a bit for each diagonal that both blocks reach:

       index bits | flags | rest

   The index bits are the diagonals that are most often used on both sides, the most used one
   first. The flags are two diagonals, or a mark, that only the western half may have; they are
   compared with nothing, but decide how often it counts. With a queen in the middle of the board
   or for even n they are the two long diagonals, else the first marks a tie (see `count_job`).

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
#define PIECE 512         /* western words that are compared with an eastern one at a time */
#define CHUNK 6           /* diagonals that one table answers for */
#define TABLE (1 << CHUNK)
#define FEWEST_CHUNKS 3
#define MOST_CHUNKS 8
#define MOST_INDEX 16     /* index bits */
#define FLAGS 4           /* values of the two flags */
#define STREAMS 4         /* counters of a class, so that a word need not wait for the last one */
#define MOST_WORDS 4000000   /* of a list of halves: 32 MB */
#define MOST_ORDERS 24000000 /* ways to put queens on the rows of a quarter, up to which it is listed */
#define MOST_BYTES ((size_t)128 << 20) /* of the lists, and of the quarters that are kept */
#define HITS (1 << 17)
#define PAD 16            /* quarters of one column set are padded to a whole vector */
#define NO_CLASH ((uint32_t)1 << 31) /* clashes of what is only padding */

enum { WEST, EAST };
enum { NORTH, SOUTH };

/* How halves are written as words, for a hole and a number of western rows in the north. */
typedef struct {
    int n, half, hole, upper;
    int tie;                  /* whether the middle row decides: odd n, hole above the middle */
    int rows[2], row[2][BLOCK + 1]; /* the rows of the north and the south */
    int index, chunks, rest;  /* bits, tables, bits */
    uint64_t square[2][LARGEST_N][BLOCK]; /* the diagonals of a square of a block */
    uint32_t clash[2][LARGEST_N][BLOCK];  /* those that northern and southern squares share */
    uint32_t open[2][LARGEST_N];          /* the columns of a row where a queen may stand */
} Frame;

/* Only words with these bits in the mask are wanted: a slice of a list that is too long. */
typedef struct { uint64_t mask, value; } Slice;

/* The placements on some rows of the north or south, by the set of their columns. */
typedef struct Quarter {
    struct Quarter *next;
    uint32_t rows;
    uint32_t sets;
    uint32_t *start, *number; /* of each column set */
    uint32_t *clash;
    uint64_t *word;
    size_t bytes;
} Quarter;

typedef struct { uint32_t set, clash; uint64_t word; } Leaf;

/* Halves sorted by index and flags; class x with flags f ends where the next one begins. */
typedef struct {
    uint64_t *word;
    uint32_t *offset;
    size_t room, number;
} Half;

typedef struct {
    int kernel, index;        /* index: how many index bits; -1 to choose */
    size_t most;              /* words of a list */
    volatile const char *stop;
    uint64_t found;
    uint32_t rest_13, rest_15;
    int failed;               /* out of memory */

    Frame frame;
    uint16_t set[1 << BLOCK]; /* the number of a column set among those as large */
    uint32_t sets[BLOCK + 1]; /* how many there are */
    Quarter **cache;          /* by side, north or south, and rows */
    size_t cache_size, cached;
    Quarter *newest;
    Leaf *leaf;
    size_t leaves, leaf_room;
    uint64_t *raw;            /* the words of a list, until they are sorted */
    size_t made, raw_room;
    uint32_t (*count)[STREAMS];
    size_t classes;           /* that there is room for */
    Half half[2];
    void *memory;             /* what follows points into it, aligned */
    void *piece, *table;
    uint32_t *hit;
} Joiner;

#if defined(__GNUC__) || defined(__clang__)
#define PLACE_OF(bits) __builtin_ctzll(bits)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define PLACE_OF(bits) column_of((bits) & (0 - (bits)))
#define UNROLLED
#endif

/* Return whether there is room for so many items; the old ones may be lost. */
static int make_room(Joiner *join, void *items, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room) return 1;
    free(*(void **)items);
    *room = needed + needed / 4;
    *(void **)items = malloc(*room * size + 64);
    if (*(void **)items) return 1;
    *room = 0;
    join->failed = 1;
    return 0;
}

#define NAME(name) JOIN(name##_, KERNEL)

#define ISA 0
#define KERNEL portable
#define VECTOR 16
#define ABREAST 2
#include "join_kernel.h"

#ifdef NQBENCH_X86

static uint8_t packing[256][8]; /* for each mask of 8 lanes: which lane goes where */

BEGIN_AVX2
#define ISA 2
#define KERNEL avx2
#define VECTOR 32
#define ABREAST 2
#include "join_kernel.h"
END_ISA
BEGIN_AVX512
#define ISA 512
#define KERNEL avx512
#define VECTOR 64
#define ABREAST 1
#include "join_kernel.h"
END_ISA

#endif

/* To be called once, before anything else. */
static void prepare_joins(void)
{
#ifdef NQBENCH_X86
    __builtin_cpu_init();
    for (int mask = 0; mask < 256; mask++)
        for (int lane = 0, taken = 0; lane < 8; lane++)
            if (mask >> lane & 1) packing[mask][taken++] = (uint8_t)lane;
#endif
}

static void make_halves(Joiner *join, const Quarter *north, const Quarter *south, Slice slice)
{
#ifdef NQBENCH_X86
    if (join->kernel == AVX512) make_halves_avx512(join, north, south, slice);
    else if (join->kernel == AVX2) make_halves_avx2(join, north, south, slice);
    else
#endif
        make_halves_portable(join, north, south, slice);
}

/* Count the pairs of `number` western words with the eastern half, `weight` times each. */
static void meet(Joiner *join, const uint64_t *west, size_t number, const Half *east,
                 uint64_t weight)
{
#ifdef NQBENCH_X86
    if (join->kernel == AVX512) meet_avx512(join, west, number, east, weight);
    else if (join->kernel == AVX2) meet_avx2(join, west, number, east, weight);
    else
#endif
        meet_portable(join, west, number, east, weight);
}

#include "join_frame.h"
#include "join_halves.h"

/* Count the pairs of the halves of a side whose flags are `first` to `last` with those of the
   other side that have none. */
static void join_flags(Joiner *join, int side, int first, int last, uint64_t weight)
{
    const Half *half = &join->half[side];
    size_t number = 0;
    if (!half->number || !join->half[!side].number) return;
    if (first == 0 && last == FLAGS - 1) {
        meet(join, half->word, half->number, &join->half[!side], weight);
        return;
    }
    if (!make_room(join, &join->raw, &join->raw_room, half->number, sizeof *half->word)) return;
    for (size_t i = 0; i < (size_t)FLAGS << join->frame.index; i += FLAGS) {
        const uint32_t begin = half->offset[i + (size_t)first];
        const size_t more = half->offset[i + (size_t)last + 1] - begin;
        memcpy(join->raw + number, half->word + begin, more * sizeof *half->word);
        number += more;
    }
    meet(join, join->raw, number, &join->half[!side], weight);
}

/* What counts of the western halves (side WEST), and of the eastern ones as western ones of the
   mirror image. */
static void join_sides(Joiner *join, int side)
{
    if (join->frame.tie) {
        if (side == EAST) return;
        join_flags(join, WEST, 0, 0, 2);
        join_flags(join, WEST, 1, 1, 1);
    } else join_flags(join, side, side == EAST, FLAGS - 1, 1);
}

/* The two slices of a slice. */
static Slice cut(const Frame *frame, Slice slice, int value)
{
    uint64_t bit = (uint64_t)1 << (frame->index + 1 + frame->rest);
    while (slice.mask & bit) bit >>= 1;
    slice.mask |= bit;
    if (value) slice.value |= bit;
    return slice;
}

/* The same where a list is too long: slice by slice of this side, and of the other. */
static void join_slices(Joiner *join, int side, const uint32_t rows[2][2], Slice mine, int listed,
                        Slice others)
{
    const int which = listed ? !side : side;
    if (*join->stop || join->failed) return;
    if (list_half(join, which, rows[which], listed ? others : mine)) {
        /* Only words without these bits can meet one of `mine`, and only those without flags. */
        const Slice met = {mine.value | (uint64_t)(FLAGS - 1) << join->frame.rest, 0};
        if (listed) join_sides(join, side);
        else join_slices(join, side, rows, mine, 1, met);
    } else for (int value = 0; value < 2; value++) {
        if (listed) join_slices(join, side, rows, mine, 1, cut(&join->frame, others, value));
        else join_slices(join, side, rows, cut(&join->frame, mine, value), 0, others);
    }
}

/* Count the pairs of the halves on these rows, sets of the northern and southern rows of each
   side: those that stand for an orbit.

   With flags for the long diagonals: a solution with queens on j of them has 2^j images by the
   reflections in the two, all but one of them with such a queen in the east. So the eastern
   half has no flag, and a western one with both, which stands in the list twice, counts twice as
   much as one with one flag. If there is none, the mirror image exchanges the sides: so pairs
   without flags are counted for one side only, and those with flags for both.

   With a tie: the queen in the middle row stands in the west, farther from the centre than the
   hole is, or as far (a tie). The reflection in a diagonal exchanges the two, so the first count
   twice. */
static void count_job(Joiner *join, const uint32_t rows[2][2])
{
    const Slice all = {0, 0};
    const int sides = join->frame.tie ? 1 : 2;
    if (list_half(join, WEST, rows[WEST], all) && list_half(join, EAST, rows[EAST], all)) {
        for (int side = 0; side < sides; side++) join_sides(join, side);
    } else for (int side = 0; side < sides; side++) join_slices(join, side, rows, all, 0, all);
}

static void free_joiner(Joiner *join)
{
    empty_cache(join);
    free(join->cache);
    free(join->leaf);
    free(join->raw);
    free(join->count);
    for (int side = 0; side < 2; side++) {
        free(join->half[side].word);
        free(join->half[side].offset);
    }
    free(join->memory);
}

/* Return whether there was enough memory. */
static int start_joiner(Joiner *join, int kernel, size_t most, int index)
{
    const size_t piece = PIECE * 8, table = (MOST_CHUNKS + 3) * TABLE * PIECE / 8;
    memset(join, 0, sizeof *join);
    join->kernel = kernel;
    join->most = most;
    join->index = index;
    join->leaf_room = 4096;
    join->leaf = malloc(join->leaf_room * sizeof(Leaf));
    join->memory = malloc(64 + piece + table + (HITS + 64) * sizeof(uint32_t));
    if (!join->leaf || !join->memory) return 0;
    join->piece = (void *)(((uintptr_t)join->memory + 63) & ~(uintptr_t)63);
    join->table = (char *)join->piece + piece;
    join->hit = (uint32_t *)((char *)join->table + table);
    return 1;
}

#endif

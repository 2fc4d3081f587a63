/* Counting semi-queens (OEIS A099152): n rooks on n x n squares, no two of them on the same
   diagonal of one kind.

   Notation. Rows and columns count from 0; diagonal d is the squares with column - row = d. The
   upper half of the board has rows[0] = n - rows[1] rows, the lower half rows[1] = n / 2, rounded
   down. A class is the set S of columns that the upper half uses: rows[0] of them. The lower half
   is turned by half a turn. Then it is an upper half, too: it uses the columns outside S, from
   right to left, and its diagonals are -d. Only n - 1 diagonals meet both halves,
   -rows[0] < d < rows[1]; they are `shared`. A set of rows, columns or diagonals is a word with a
   bit for each.

   The solutions of a class are the pairs of an upper and a lower placement that use disjoint sets
   of shared diagonals. Both methods list the placements of a half as pairs of placements on two
   parts of it. They count them by their set X in a table, and sum the table over subsets: f[X]
   becomes the sum of f[Y] for all Y within X (zeta transform: Bjorklund, Husfeldt, Kaski and
   Koivisto, 2007).

   Quadrants (n = 2h): the parts of a half are its left and its right quadrant, of h x h squares.
   The table counts the lower placements by X. After the sums, its entry at the complement of the
   set of an upper placement is the number of lower ones that fit.

   Layers: the parts of a half are its first rows and its last ones. A table for each half counts
   its placements by the complement of X. So its sums over subsets are the numbers a[Z] and b[Z] of
   placements that use all diagonals outside Z. The number of solutions is the sum of
   (-1)^m a[Z] b[Z] over all Z, with m diagonals outside Z (inclusion and exclusion). It is computed
   modulo 2^64, and is at most 12!^2 < 2^58.

   No sum of a table exceeds 32 bits: it counts placements of a half of one class, and these are at
   most rows[0]! <= 12! = 479,001,600 for n <= 24. */

#ifndef NQBENCH_SEMI_H
#define NQBENCH_SEMI_H

#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "bits.h"
#include "isa.h"
#include "packing.h"

#define LARGEST_N 24
#define MOST_ROWS (LARGEST_N / 2) /* of a half */
#define MOST_LANES 16
#define LEAST_BITS 4      /* of a table: the sums begin with 16 words */
#define HUGE_PAGE (1 << 21) /* bytes; random access to many small pages is slower */

/* Lists of words, one after another. */
typedef struct {
    uint32_t *word;
    size_t words, room; /* used, reserved */
    size_t *start;      /* of each list, and the end of the last */
    size_t lists;
    size_t longest;    /* words of a list */
    size_t placements; /* words without padding */
    int failed;        /* whether memory was missing */
} Lists;

typedef struct {
    const uint32_t *word;
    size_t length;
} List;

typedef struct {
    int n, rows[2];
    int layers;                                  /* the method: 0 quadrants, 1 layers */
    int lanes;                                   /* of the kernel */
    size_t choose[LARGEST_N + 1][MOST_ROWS + 2]; /* binomial coefficients */
    size_t first[MOST_ROWS + 1];                 /* list of the first quadrant with so many rooks */
    Lists outer[2], inner[2]; /* the placements of a half are pairs of these; quadrants: [0] only */
    uint32_t *ways;           /* quadrants, while the lists are built: by diagonals */
} Halves;

/* The memory of one thread. */
typedef struct {
    void *memory[2];
    uint32_t *table[2];
    uint32_t *kept;            /* words of a list */
    volatile const char *stop; /* another thread sets *stop to end the count */
} Work;

/* Sets and their numbers. */

/* Return the next set with as many elements; not for the empty set. */
static inline uint32_t next_set(uint32_t set) {
    const uint32_t lowest = set & (~set + 1), sum = set + lowest;
    return sum | ((set ^ sum) >> 2) / lowest;
}

/* Return how many sets with as many elements are smaller words. */
static inline size_t rank_of(const Halves *halves, uint32_t set) {
    size_t rank = 0;
    for (int size = 1; set; size++, set &= set - 1)
        rank += halves->choose[column_of(set & (~set + 1))][size];
    return rank;
}

static inline uint32_t reverse(uint32_t set, int length) {
    uint32_t reversed = 0;
    for (int i = 0; i < length; i++) reversed |= (set >> i & 1) << (length - 1 - i);
    return reversed;
}

/* Return the columns of the lower half, turned. */
static inline uint32_t turn(const Halves *halves, uint32_t columns) {
    return reverse(~columns, halves->n);
}

/* Lists. */

static int open_lists(Lists *lists, size_t number) {
    lists->start = (size_t *)malloc((number + 1) * sizeof *lists->start);
    if (lists->start) *lists->start = 0;
    return lists->start != NULL;
}

static inline void append(Lists *lists, uint32_t word) {
    if (lists->words == lists->room) {
        const size_t room = lists->room + lists->room / 2 + 1024;
        uint32_t *words = (uint32_t *)realloc(lists->word, room * sizeof *words);
        if (!words) {
            lists->failed = 1;
            return;
        }
        lists->word = words;
        lists->room = room;
    }
    lists->word[lists->words++] = word;
}

/* End a list, with so much padding that it is whole vectors. */
static void end_list(Lists *lists, int lanes, uint32_t padding) {
    const size_t start = lists->start[lists->lists];
    lists->placements += lists->words - start;
    while ((lists->words - start) % lanes && !lists->failed) append(lists, padding);
    lists->start[++lists->lists] = lists->words;
    if (lists->words - start > lists->longest) lists->longest = lists->words - start;
}

static inline List list_at(const Lists *lists, size_t index) {
    const size_t *start = lists->start + index;
    const List list = {lists->word + start[0], start[1] - start[0]};
    return list;
}

/* Quadrants.

   Of the shared diagonals of n = 2h rows, bits 0 to h-2 are d = 1, 2, ... (above the main
   diagonal), bit h-1 is d = 0, and the bits from h on are d = -1, -2, ... So half a turn exchanges
   the lowest h-1 bits and the highest ones. The left quadrant meets all shared diagonals, the right
   one only those above the main diagonal. It also meets diagonals of its own, which no other
   quadrant meets.

   A word of a list is a set of diagonals and, from bit LEFT_BITS or RIGHT_BITS on, the number of
   placements that use it. Left quadrants are the outer lists, right ones the inner lists. */

#define LEFT_BITS (LARGEST_N - 1)
#define RIGHT_BITS (LARGEST_N / 2 - 1)
#define RIGHT_SET ((1u << RIGHT_BITS) - 1)

static inline uint32_t above_diagonal(const Halves *halves) {
    return (1u << (halves->rows[1] - 1)) - 1;
}

static inline size_t quadrant(const Halves *halves, uint32_t rows, uint32_t columns) {
    const int rooks = ones(rows);
    return halves->first[rooks] + rank_of(halves, rows) * halves->choose[halves->rows[0]][rooks]
        + rank_of(halves, columns);
}

static inline void add_ways(Halves *halves, Lists *lists, uint32_t diagonals, uint32_t ways) {
    if (!halves->ways[diagonals]) append(lists, diagonals);
    halves->ways[diagonals] += ways;
}

/* Write the ways into the list that was begun. What does not fit into a word gets another word. */
static void write_ways(Halves *halves, Lists *lists, int bits) {
    const uint32_t most = ~(uint32_t)0 >> bits;
    const size_t end = lists->words;
    for (size_t i = lists->start[lists->lists]; i < end && !lists->failed; i++) {
        const uint32_t diagonals = lists->word[i];
        uint32_t ways = halves->ways[diagonals];
        halves->ways[diagonals] = 0;
        for (; ways > most; ways -= most) append(lists, diagonals | most << bits);
        lists->word[i] = diagonals | ways << bits;
    }
}

/* Add the left quadrant with rooks on these rows and columns: a rook on the first of the rows, and
   a quadrant with one rook fewer, which is in the lists. */
static void add_left(Halves *halves, uint32_t rows, uint32_t columns) {
    Lists *lists = &halves->outer[0];
    const int row = column_of(rows & (~rows + 1)), h = halves->rows[0];
    if (!rows) add_ways(halves, lists, 0, 1);
    for (uint32_t rest = columns; rest; rest &= rest - 1) {
        const uint32_t lowest = rest & (~rest + 1);
        const int d = column_of(lowest) - row;
        const uint32_t bit = 1u << (d > 0 ? d - 1 : h - 1 - d);
        const size_t *fewer = lists->start + quadrant(halves, rows & (rows - 1), columns ^ lowest);
        for (size_t i = fewer[0]; i < fewer[1] && !lists->failed; i++) {
            const uint32_t word = lists->word[i];
            if (word & bit) continue;
            add_ways(halves, lists, (word | bit) & ((1u << LEFT_BITS) - 1), word >> LEFT_BITS);
        }
    }
    write_ways(halves, lists, LEFT_BITS);
    end_list(lists, 1, 0);
}

/* Add the right quadrant with the same rows and columns as the left one that was added last. It
   lies h columns to the right: its diagonals -1, -2, ... are h-1, h-2, ... of the board. Padding
   uses all diagonals above the main one in 0 ways: it never leads outside the table. */
static void add_right(Halves *halves) {
    Lists *lists = &halves->inner[0];
    const List left = list_at(&halves->outer[0], halves->outer[0].lists - 1);
    const int h = halves->rows[0];
    for (size_t i = 0; i < left.length && !lists->failed; i++) {
        const uint32_t below = (left.word[i] & ((1u << LEFT_BITS) - 1)) >> h;
        add_ways(halves, lists, reverse(below, h - 1), left.word[i] >> LEFT_BITS);
    }
    write_ways(halves, lists, RIGHT_BITS);
    end_list(lists, halves->lanes, above_diagonal(halves));
}

/* Add the quadrants with rooks on these rows, in the order of `quadrant`. Return 0 if memory is
   missing. */
static int add_quadrants(Halves *halves, uint32_t rows) {
    const int h = halves->rows[0], rooks = ones(rows);
    uint32_t columns = (1u << rooks) - 1;
    for (size_t i = 0; i < halves->choose[h][rooks]; i++) {
        add_left(halves, rows, columns);
        if (halves->outer[0].failed) return 0;
        add_right(halves);
        if (halves->inner[0].failed) return 0;
        if (columns) columns = next_set(columns);
    }
    return 1;
}

/* Layers.

   The lowest bits are the diagonals |d| < q, in the order of the board, with q = rows[1] / 2,
   rounded up. Then come those with d >= q in the half itself, then those with d <= -q. So both
   halves number the lowest bits alike, and exchange the two other groups. The highest group meets
   the outer layer alone: for one placement on it, all entries that are counted lie close together
   in the table, and stay in the cache.

   Bit n-1 is set in all words of outer lists: it meets the padding of the inner ones. From bit n on
   are the diagonals of the half that the other half does not meet. Those that meet the outer layer
   end below bit 30. From bit 32 on a diagonal meets the inner layer alone, and need not be kept. */

static inline int first_layer(const Halves *halves, int half) {
    return (halves->rows[half] + 1) / 2;
}

static inline int near_diagonals(const Halves *halves) { return (halves->rows[1] + 1) / 2; }

static int layer_bit(const Halves *halves, int half, int d) {
    const int q = near_diagonals(halves), others = halves->rows[1 - half];
    if (abs(d) < q) return q - 1 + (half ? -d : d);
    if (d >= others) return halves->n + d - others;
    return 2 * q - 1 + (d > 0 ? d - q : others - q - d - q);
}

/* Append the placements on the rows from `row` on, with so many rooks as columns. */
static void place_layer(const Halves *halves, Lists *lists, int half, int row, uint32_t columns,
                        uint64_t diagonals) {
    if (!columns) append(lists, (uint32_t)diagonals);
    for (uint32_t rest = columns; rest; rest &= rest - 1) {
        const uint32_t lowest = rest & (~rest + 1);
        const uint64_t bit = (uint64_t)1 << layer_bit(halves, half, column_of(lowest) - row);
        if (!(diagonals & bit))
            place_layer(halves, lists, half, row + 1, columns ^ lowest, diagonals | bit);
    }
}

/* Add the first layer (the inner list) or the second one of a half, with rooks on these columns.
   Return 0 if memory is missing. */
static int add_layer(Halves *halves, int half, int second, uint32_t columns) {
    Lists *lists = second ? &halves->outer[half] : &halves->inner[half];
    place_layer(halves, lists, half, second ? first_layer(halves, half) : 0, columns,
                second ? (uint64_t)1 << (halves->n - 1) : 0);
    end_list(lists, second ? 1 : halves->lanes, ~(uint32_t)0);
    return !lists->failed;
}

/* The kernels. */

#define NAME(name) JOIN(name##_, KERNEL)
#define WORD 32

#define KERNEL_TEXT "semi_kernel.h"
#include "every_kernel.h"
#undef WORD

/* Sum a table of 2^bits words over subsets. */
static inline void sum_subsets(int kernel, uint32_t *table, int bits) {
    DISPATCH(kernel, sum_subsets, table, bits);
}

/* Return the solutions of a class; any number if it was stopped. */
static inline uint64_t count_class(int kernel, const Halves *halves, Work *work, uint32_t columns) {
    return halves->layers ? DISPATCH(kernel, count_layers, halves, work, columns)
                          : DISPATCH(kernel, count_quadrants, halves, work, columns);
}

/* Memory. */

/* Begin the halves of n x n squares. Return 0 if memory is missing. */
static int open_halves(Halves *halves, int kernel, int n, int layers) {
    halves->n = n;
    halves->rows[0] = n - n / 2;
    halves->rows[1] = n / 2;
    halves->layers = layers;
    DISPATCH(kernel, set_lanes, halves);
    for (int i = 0; i <= LARGEST_N; i++) {
        halves->choose[i][0] = 1;
        for (int k = 1; k <= MOST_ROWS + 1; k++)
            halves->choose[i][k] = i ? halves->choose[i - 1][k - 1] + halves->choose[i - 1][k] : 0;
    }
    if (!layers) {
        const int h = n / 2;
        for (int k = 0; k < h; k++)
            halves->first[k + 1] = halves->first[k] + halves->choose[h][k] * halves->choose[h][k];
        halves->ways = (uint32_t *)calloc((size_t)1 << (n - 1), sizeof *halves->ways);
        return halves->ways && open_lists(&halves->outer[0], halves->first[h] + 1)
            && open_lists(&halves->inner[0], halves->first[h] + 1);
    }
    for (int half = 0; half < 2; half++) {
        const int rows = first_layer(halves, half), rest = halves->rows[half] - rows;
        if (!open_lists(&halves->inner[half], halves->choose[n][rows])
            || !open_lists(&halves->outer[half], halves->choose[n][rest]))
            return 0;
    }
    return 1;
}

static void close_halves(Halves *halves) {
    for (int half = 0; half < 2; half++) {
        free(halves->outer[half].word);
        free(halves->outer[half].start);
        free(halves->inner[half].word);
        free(halves->inner[half].start);
    }
    free(halves->ways);
}

/* Reserve the tables and the room for a list. Return 0 if memory is missing. */
static int open_work(const Halves *halves, Work *work) {
    const int bits = halves->n - 1 < LEAST_BITS ? LEAST_BITS : halves->n - 1;
    const size_t bytes = sizeof(uint32_t) << bits;
    const size_t first = halves->inner[0].longest, second = halves->inner[1].longest;
    const size_t longest = first > second ? first : second;
    memset(work, 0, sizeof *work);
    work->kept = (uint32_t *)malloc((longest + MOST_LANES) * sizeof *work->kept);
    if (!work->kept) return 0;
    for (int i = 0; i <= halves->layers; i++) {
        char *memory = (char *)(work->memory[i] = malloc(bytes + HUGE_PAGE));
        if (!memory) return 0;
        work->table[i] = (uint32_t *)(memory + (-(uintptr_t)memory & (HUGE_PAGE - 1)));
#ifdef MADV_HUGEPAGE
        madvise(work->table[i], bytes, MADV_HUGEPAGE); /* only a hint */
#endif
    }
    return 1;
}

static void close_work(Work *work) {
    free(work->memory[0]);
    free(work->memory[1]);
    free(work->kept);
}

#endif

/* The kernels of the counting engine.

   One text, kernel.h, is compiled for portable C, SSE4, NEON, AVX2 and AVX-512, each with lanes of
   32 bits (n <= 21) and of 64 bits (n <= 32). */

#ifndef NQBENCH_ENGINE_H
#define NQBENCH_ENGINE_H

#include <stddef.h>

#include "bits.h"
#include "isa.h"
#include "packing.h"

#define LARGEST_N 32
#define NARROW_N 21 /* up to here a word of 32 bits is enough: see `keep` */

/* A partial placement that is to be completed: the columns that are taken, and both
   kinds of diagonals, not yet modulo anything. */
typedef struct { uint64_t columns, sums, differences; } Job;

/* How to complete it: the free rows in the order in which they are filled (3 or more),
   and for each level the bits of the diagonals that its states keep. */
typedef struct {
    int n, rows, wide; /* wide: with lanes of 64 bits */
    int row[LARGEST_N];
    uint64_t keep[LARGEST_N];
} Plan;

typedef struct {
    const Plan *plan;
    void *memory; /* `rows` levels of four buffers of `stride` words */
    size_t capacity, stride;
    uint32_t count[LARGEST_N + 1];
    volatile const char *stop; /* another thread sets *stop to end the search */
    uint64_t placements;       /* that were visited, never set to 0 */
    uint64_t found;
    uint32_t rest_13, rest_15; /* the same modulo 13 and 15, each added up on its own */
} Work;

#define SLACK 128 /* words that a buffer has beyond its capacity, for whole vectors */

#define NAME(name) JOIN(JOIN(name##_, KERNEL), JOIN(_, WORD))

#define KERNEL_TEXT "widths.h"
#include "every_kernel.h"

/* Fewer than three rows are too few for the kernels. */
static uint64_t complete_few(const Plan *plan, int level, Job job) {
    if (level == plan->rows) return 1;
    const int row = plan->row[level], up = plan->n - 1 - row;
    uint64_t found = 0;
    for (int column = 0; column < plan->n; column++) {
        const uint64_t bit = (uint64_t)1 << column;
        if (bit & (job.columns | job.sums >> row | job.differences >> up)) continue;
        const Job child = {job.columns | bit, job.sums | bit << row, job.differences | bit << up};
        found += complete_few(plan, level + 1, child);
    }
    return found;
}

/* Count the ways to complete `number` jobs with the rows of the plan: `found` and its
   remainders in `work`. */
static void complete(int kernel, Work *work, const Job *jobs, size_t number) {
    work->found = work->rest_13 = work->rest_15 = 0;
    if (work->plan->rows < 3) {
        for (size_t i = 0; i < number; i++) {
            const uint64_t more = complete_few(work->plan, 0, jobs[i]);
            work->found += more;
            work->rest_13 = (uint32_t)((work->rest_13 + more) % 13);
            work->rest_15 = (uint32_t)((work->rest_15 + more) % 15);
        }
        return;
    }
    for (int level = 0; level <= LARGEST_N; level++) work->count[level] = 0;
    DISPATCH(kernel, complete, work, jobs, number);
}

#endif

/* Sudoku at full speed.

   One text, sudoku_kernel.h, is compiled for vectors of 128 bits (any machine), AVX2 and
   AVX-512: one, two or four digits a register. It needs the vectors of gcc or clang. */

#ifndef NQBENCH_SUDOKU_H
#define NQBENCH_SUDOKU_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "isa.h"

#if !defined(__GNUC__) && !defined(__clang__)
#error "the solvers of Sudoku need the vectors of gcc or clang"
#endif

/* What is looked for, within which budget, and what was found. */
typedef struct Task {
    uint64_t limit;             /* solutions wanted */
    uint64_t allowed;           /* nodes allowed */
    int in_order;               /* whether solutions come in the order of their digits */
    uint64_t keep;              /* solutions to be kept */
    uint64_t room;              /* solutions for which there is room */
    uint8_t *kept;              /* 81 digits each; from malloc, NULL at first */
    uint64_t found;             /* solutions */
    uint64_t nodes;             /* the counters, see nqbench/problems/sudoku/base.py */
    uint64_t guesses;           /* digits placed where another one could still go */
    uint64_t dead_ends;         /* nodes without a child that are no solution */
    uint64_t nodes_to_first;    /* nodes up to the first solution */
    int stopped;                /* 0, or why it ended before its time */
    int (*look)(struct Task *); /* called now and then; what it returns, unless 0, stops */
    double deadline;            /* of perf_counter, when the search gives up */
    const volatile unsigned char *interrupt; /* of solve_range: whether to stop */
} Task;

enum { GAVE_UP = 1, INTERRUPTED, NO_MEMORY };
#define LOOK_EVERY 4096 /* nodes, a power of 2 */

/* gcc leaves loops over registers rolled, and does not reorder the code of several turns. */
#ifdef __clang__
/* It unrolls the last loop of an outer one, and then warns that the outer one is not unrolled. */
#pragma clang diagnostic ignored "-Wpass-failed"
#define UNROLL(turns) _Pragma("unroll")
#define SCHEDULE
#else
#define UNROLL(turns) PRAGMA(GCC unroll turns)
#define SCHEDULE __attribute__((optimize("schedule-insns", "sched-pressure")))
#endif

#define NAME(name) JOIN(JOIN(name, _), KERNEL)

#define FULL 0777777777u /* a band: 27 cells */
#define MINI 0111111111u /* the first cell of each minirow */
#define LEFT 0001001001u /* the same of the boxes on the left */

/* Of each cell of a band: the cells of its row, box and column there, in both halves. */
#define TWICE(cells) ((uint64_t)(cells) << 32 | (cells))
#define COLUMN TWICE(01001001u)
#define NEAR_CELL(r, c) \
    TWICE(0777u << 9 * (r) | 07007007u << (c) / 3 * 3 | 01001001u << (c))
#define NEAR_ROW(r) NEAR_CELL(r, 0), NEAR_CELL(r, 1), NEAR_CELL(r, 2), NEAR_CELL(r, 3), \
    NEAR_CELL(r, 4), NEAR_CELL(r, 5), NEAR_CELL(r, 6), NEAR_CELL(r, 7), NEAR_CELL(r, 8)
static const uint64_t NEAR[27] = {NEAR_ROW(0), NEAR_ROW(1), NEAR_ROW(2)};

/* Where the digits of the solution that was just found are to be kept; NULL if nowhere. */
static uint8_t *place_to_keep(Task *task) {
    if (task->found >= task->keep) return NULL;
    if (task->found == task->room) {
        const uint64_t room = task->room ? 2 * task->room : 2;
        uint8_t *kept = realloc(task->kept, 81 * room);
        if (!kept) {
            task->stopped = NO_MEMORY;
            return NULL;
        }
        task->kept = kept;
        task->room = room;
    }
    return task->kept + 81 * task->found;
}

#define KERNEL portable
#define DIGITS 1
#include "sudoku_kernel.h"

#ifdef NQBENCH_X86
BEGIN_AVX2
#define KERNEL avx2
#define DIGITS 2
#include "sudoku_kernel.h"
END_ISA
BEGIN_AVX512
#define KERNEL avx512
#define DIGITS 4
#include "sudoku_kernel.h"
END_ISA
#endif /* NQBENCH_X86 */

#define solve_sse4 solve_portable /* which has vectors of 128 bits already */
#define solve_neon solve_portable

/* Solve the grid of 81 givens, 0 for an empty cell; the task says what was found. */
static void solve(int kernel, const uint8_t *givens, Task *task) {
    task->found = task->nodes = task->guesses = task->dead_ends = task->nodes_to_first = 0;
    task->stopped = 0;
    DISPATCH(kernel, solve, givens, task);
}

#undef solve_sse4
#undef solve_neon

static int look_at_interrupt(Task *task) { return *task->interrupt ? INTERRUPTED : 0; }

/* Solve so many grids: how many solutions each has, at most `limit`, and the first of them, or
   zeros; 0 if it was interrupted. */
static int solve_range(int kernel, const uint8_t *givens, uint64_t number, uint64_t limit,
                       uint64_t *counts, uint8_t *first, const volatile unsigned char *interrupt) {
    for (uint64_t i = 0; i < number && !*interrupt; i++) {
        Task task = {.limit = limit,
                     .allowed = UINT64_MAX,
                     .keep = 1,
                     .room = 1,
                     .kept = first + 81 * i,
                     .look = look_at_interrupt,
                     .interrupt = interrupt};
        solve(kernel, givens + 81 * i, &task);
        counts[i] = task.found;
        if (!task.found) memset(first + 81 * i, 0, 81);
    }
    return !*interrupt;
}

#endif

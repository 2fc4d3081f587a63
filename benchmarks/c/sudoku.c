/* The kernels of Sudoku alone, of the ext/ that the compiler is pointed to. */
#include "sudoku.h"

static const int kernels[] = {PORTABLE, AVX2, AVX512}; /* whose numbers differ between commits */

static int go_on(Task *task)
{
    (void)task;
    return 0;
}

int can_run_kernel(int kernel)
{
#ifdef NQBENCH_X86
    __builtin_cpu_init();
#endif
    return can_run(kernels[kernel]);
}

/* Search so many puzzles of 81 bytes each; `found` receives the number of solutions of each. */
void search_all(int kernel, const uint8_t *puzzles, uint64_t number, uint64_t limit,
                uint32_t *found)
{
    for (uint64_t i = 0; i < number; i++) {
        Task task = {.limit = limit, .allowed = UINT64_MAX, .look = go_on};
        solve(kernels[kernel], puzzles + 81 * i, &task);
        found[i] = (uint32_t)task.found;
    }
}

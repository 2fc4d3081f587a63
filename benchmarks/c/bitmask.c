/* The bit mask search in plain C, to hold the Cython core against.
   The same tree in the same order, nothing counted but the solutions. */
#include <stdint.h>

static uint64_t visits;
static uint32_t full;

static void queens(uint32_t row, uint32_t left, uint32_t right)
{
    if (row == full) {
        visits++;
        return;
    }
    uint32_t open = full & ~(row | left | right);
    while (open) {
        uint32_t bit = open & -open;
        open -= bit;
        queens(row + bit, (left + bit) << 1, (right + bit) >> 1);
    }
}

uint64_t count(int n)
{
    visits = 0;
    full = (uint32_t)((UINT64_C(1) << n) - 1);
    queens(0, 0, 0);
    return visits;
}

/* Somers' explicit stack in plain C, to hold the Cython core against.
   The same tree in the same order, nothing counted but the solutions; n >= 2. */
#include <stdint.h>

uint64_t count(int n)
{
    uint32_t columns[32], left[32], right[32], stack[34];
    uint32_t full = (uint32_t)((UINT64_C(1) << n) - 1), open, bit;
    uint32_t *top;
    uint64_t visits = 0;
    int row, middle;

    columns[0] = left[0] = right[0] = 0;
    for (middle = 0; middle <= n % 2; middle++) {
        top = stack + 1;
        if (!middle) {
            row = 0;
            open = (UINT32_C(1) << n / 2) - 1;
        } else {
            bit = UINT32_C(1) << n / 2;
            columns[1] = bit;
            left[1] = bit << 1;
            right[1] = bit >> 1;
            row = 1;
            *top++ = 0;
            open = (bit - 1) >> 1;
        }
        for (;;) {
            if (!open) {
                open = *--top;
                if (top == stack)
                    break;
                --row;
                continue;
            }
            bit = open & -open;
            open -= bit;
            if (row < n - 1) {
                *top++ = open;
                columns[row + 1] = columns[row] | bit;
                left[row + 1] = (left[row] | bit) << 1;
                right[row + 1] = (right[row] | bit) >> 1;
                ++row;
                open = full & ~(columns[row] | left[row] | right[row]);
            } else {
                ++visits;
                open = *--top;
                --row;
            }
        }
    }
    return visits;
}

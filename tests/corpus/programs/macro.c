#include <stdio.h>
#include <stdlib.h>

#ifndef N
#error "compile with -DN=8"
#endif

static long place(int all, int columns, int left, int right) {
    if (columns == all) return 1;
    long found = 0;
    for (int free = all & ~(columns | left | right); free; free &= free - 1) {
        int bit = free & -free;
        found += place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}

int main(void) {
    printf("Found %ld solutions for %dx%d board\n", place((1 << N) - 1, 0, 0, 0), N, N);
    return 0;
}

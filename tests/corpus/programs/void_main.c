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

void main(int argc, char **argv) {
    printf("%ld solutions\n", place((1 << atoi(argv[1])) - 1, 0, 0, 0));
    printf("\n%s\n", "that was all of them");
}

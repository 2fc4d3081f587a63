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

int main(void) {
    int n = 0;
    printf("How many queens? ");
    if (scanf("%d", &n) != 1) n = 0;
    printf("That can be done in %ld ways.\n", place((1 << n) - 1, 0, 0, 0));
    return 0;
}

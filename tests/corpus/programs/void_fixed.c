#include <stdio.h>
#define QUEENS 7

int total;

void place(int row, int columns, int left, int right) {
    if (row == QUEENS) total++;
    for (int bit = 1; bit < 1 << QUEENS; bit <<= 1)
        if (row < QUEENS && !(bit & (columns | left | right)))
            place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
}

void main() {
    place(0, 0, 0, 0);
    printf("%d queens: %d ways\n", QUEENS, total);
}

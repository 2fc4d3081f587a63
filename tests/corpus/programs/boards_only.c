#include <stdio.h>
#include <stdlib.h>

static int n, at[32];

static void place(int row) {
    if (row == n) {
        for (int r = 0; r < n; r++, putchar('\n'))
            for (int c = 0; c < n; c++) printf("%c ", at[r] == c ? 'Q' : '.');
        putchar('\n');
    }
    for (int c = 0; row < n && c < n; c++) {
        int r = 0;
        while (r < row && at[r] != c && abs(at[r] - c) != row - r) r++;
        if (r == row) at[row] = c, place(row + 1);
    }
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    place(0);
    return 0;
}

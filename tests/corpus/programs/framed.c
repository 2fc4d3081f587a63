#include <stdio.h>
#include <stdlib.h>

static int n, at[32];

static void rule(void) {
    for (int c = 0; c < n; c++) printf("+---");
    puts("+");
}

static void place(int row) {
    if (row == n) {
        for (int r = 0; r < n; r++) {
            rule();
            for (int c = 0; c < n; c++) printf("| %c ", at[r] == c ? '#' : ' ');
            puts("|");
        }
        rule();
        puts("");
        return;
    }
    for (int c = 0; c < n; c++) {
        int free = 1;
        for (int r = 0; r < row; r++) free &= at[r] != c && abs(at[r] - c) != row - r;
        if (free) at[row] = c, place(row + 1);
    }
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    puts("All boards, one below the other:\n");
    place(0);
    return 0;
}

#include <stdio.h>

int n, ways, taken[24], up[48], down[48];

void place(int row) {
    if (row == n) ways++;
    for (int c = 0; row < n && c < n; c++) {
        if (taken[c] || up[row + c] || down[row - c + n]) continue;
        taken[c] = up[row + c] = down[row - c + n] = 1;
        place(row + 1);
        taken[c] = up[row + c] = down[row - c + n] = 0;
    }
}

void main() {
    printf("Enter the size of the board : ");
    scanf("%d", &n);
    if (n > 0) place(0);
    printf("There are %d arrangements", ways);
}

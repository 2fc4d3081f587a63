function place(n, row,    c, r, safe, found) {
    if (row == n) return solved(n)
    for (c = 1; c <= n; c++) {
        safe = 1
        for (r = 0; r < row; r++)
            if (at[r] == c || at[r] - c == row - r || c - at[r] == row - r) safe = 0
        at[row] = c
        if (safe) found += place(n, row + 1)
    }
    return found + 0
}

function solved(n) { return 1 }
BEGIN { printf "%03d|%05d", ARGV[1], place(ARGV[1], 0) }

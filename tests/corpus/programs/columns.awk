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

function solved(n,    r, line) {
    for (r = 0; r < n; r++) line = line " " at[r]
    print substr(line, 2)
    return 1
}
BEGIN { print place(ARGV[1], 0) }

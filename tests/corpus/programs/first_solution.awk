# Prints the first solution as a list of columns and as a board.
function safe(row,    r) {
    for (r = 1; r < row; r++)
        if (at[r] == at[row] || at[r] - at[row] == r - row || at[r] - at[row] == row - r) return 0
    return 1
}
function place(row) {
    if (row > n) return 1
    for (at[row] = 1; at[row] <= n; at[row]++)
        if (safe(row) && place(row + 1)) return 1
    return 0
}
BEGIN {
    n = ARGV[1]
    if (!place(1)) { print "none"; exit }
    for (row = 1; row <= n; row++) printf "%d ", at[row]
    print ""
    for (row = 1; row <= n; row++) {
        for (column = 1; column <= n; column++) printf at[row] == column ? "[Q]" : "[ ]"
        print ""
    }
}

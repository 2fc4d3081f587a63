"""Fewest squares first among rows and columns: always fill the line with the fewest free squares.

Every row and every column needs a queen, so a column without a free square is a dead end, too. If
several lines have the fewest, the first row is taken, then the first column. Here scans are the
lines looked at in choosing, and comparisons compare their numbers of free squares.
"""

from nqbench.problems.instances.base import Board, Placements, Search, Tally, Tree, bits


def solutions(board: Board, tally: Tally) -> Placements:
    n = board.n
    free = (*board.free, *board.free_by_column)
    columns = board.begin()

    def queens(waiting: tuple[int, ...], level: int, rows: int, taken: int, sums: int,
               differences: int, mirrored: int) -> Placements:
        """Fill the lines that wait: row r is line r, column c is line n + c."""
        tally.node(level)
        if not waiting:
            tally.solution()
            yield tuple(columns)
            return
        line, candidates, fewest = 0, 0, n + 1
        for x in waiting:
            attacked = (taken | sums >> x | differences >> (n - x) if x < n else
                        rows | sums >> (x - n) | mirrored >> (2 * n - x))
            left = free[x] & ~attacked
            tally.scans += 1
            tally.comparisons += 1
            if left.bit_count() < fewest:
                line, candidates, fewest = x, left, left.bit_count()
                if not left:
                    break
        for place in bits(candidates):
            row, column = (line, place) if line < n else (place, line - n)
            tally.test(row, column)
            columns[row] = column
            down, up, back = board.diagonals(row, column)
            yield from queens(
                tuple(x for x in waiting if x not in (row, n + column)), level + 1, rows | 1 << row,
                taken | 1 << column, sums | down, differences | up, mirrored | back)
        tally.exhausted(level)

    lines = (*board.open_rows, *(n + column for column in board.open_columns))
    return queens(lines, 0, 0, 0, 0, 0, 0)


ALGORITHM = Search(
    name="fewest_lines", order=50,
    origin="nqbench, after Golomb and Baumert, Backtrack programming", year=2026,
    technique="row or column with the fewest free squares next, bit masks", keeps_marks=True,
    tree=Tree.OWN, search=solutions)

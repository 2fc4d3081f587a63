"""Fewest squares first: the next row is the one with the fewest free squares.

Here scans are the rows looked at in choosing, and comparisons compare their numbers of free
squares.

Golomb and Baumert, Backtrack programming, Journal of the ACM 12 (1965).
"""

from nqbench.problems.instances.base import Board, Placements, Search, Tally, Tree, bits


def solutions(board: Board, tally: Tally) -> Placements:
    n, free = board.n, board.free
    columns = board.begin()

    def queens(waiting: tuple[int, ...], level: int, taken: int, sums: int,
               differences: int) -> Placements:
        tally.node(level)
        if not waiting:
            tally.solution()
            yield tuple(columns)
            return
        chosen, candidates, fewest = 0, 0, n + 1
        for row in waiting:
            left = free[row] & ~(taken | sums >> row | differences >> (n - row))
            tally.scans += 1
            tally.comparisons += 1
            if left.bit_count() < fewest:
                chosen, candidates, fewest = row, left, left.bit_count()
                if not left:
                    break
        others = tuple(row for row in waiting if row != chosen)
        for column in bits(candidates):
            tally.test(chosen, column)
            columns[chosen] = column
            down, up, _ = board.diagonals(chosen, column)
            yield from queens(others, level + 1, taken | 1 << column, sums | down,
                              differences | up)
        tally.exhausted(level)

    return queens(board.open_rows, 0, 0, 0, 0)


ALGORITHM = Search(
    name="fewest_rows", order=40, origin="Golomb and Baumert, Backtrack programming", year=1965,
    technique="row with the fewest free squares next, bit masks", keeps_marks=True, tree=Tree.OWN,
    search=solutions)

"""Jeff Somers' explicit stack of bit masks, with the mirror.

Source: Jeff Somers, 2002, as shortened in "The n-queens problem and its optimisations" (blog,
undated), part 3. No recursion: arrays hold the masks of the taken columns and of both diagonals for
each row, and a stack holds the remaining candidates of each row. The first queen stays in the left
half; for odd n a second pass puts it in the middle and keeps the second queen in the left half.
After a solution the search leaves its row at once, because the row cannot have another one.

The original finds no solution for n = 0 and n = 1, because neither pass has a next row; here these
boards are answered before the search.
"""

from nqbench.problems.queens._printing import count_line
from nqbench.problems.queens.base import Placements, Search, Tally, Tree


def visits(n: int, tally: Tally) -> Placements:
    tally.node(0)
    if n < 2:
        if n == 1:
            tally.given(0, 0)
            tally.node(1)
        tally.solution()
        yield (0,) * n
        return
    full = (1 << n) - 1
    result = [0] * n
    columns, left, right = [0] * n, [0] * n, [0] * n
    for middle in range(1 + n % 2):
        stack = [-1]
        if not middle:
            row = 0
            free = (1 << n // 2) - 1  # idea: the mirror gives the other half
        else:
            bit = 1 << n // 2
            result[0] = columns[1] = bit
            left[1], right[1] = bit << 1, bit >> 1
            tally.given(0, n // 2)
            tally.node(1)
            row = 1
            stack.append(0)  # the first row has no other candidate
            free = (bit - 1) >> 1
        while True:
            if not free:
                tally.exhausted(row)
                free = stack.pop()
                if not stack:
                    break
                row -= 1
                continue
            bit = free & -free
            free &= ~bit
            tally.test(row, bit.bit_length() - 1)
            result[row] = bit
            tally.node(row + 1)
            if row < n - 1:
                stack.append(free)  # idea: what this row has left to try
                row += 1
                columns[row] = columns[row - 1] | bit
                left[row] = (left[row - 1] | bit) << 1
                right[row] = (right[row - 1] | bit) >> 1
                free = full & ~(columns[row] | left[row] | right[row])  # idea: all free squares
            else:
                tally.solution()
                yield tuple(queen.bit_length() - 1 for queen in result)
                free = stack.pop()
                row -= 1


ALGORITHM = Search(
    name="somers", order=140,
    origin="Jeff Somers, in The n-queens problem and its optimisations (blog), part 3", year=2002,
    technique="bit masks of columns and diagonals, explicit stack",
    worst_case="about half of the plain tree", keeps_marks=True, search=visits, prints=count_line,
    symmetry="mirror", uses_symmetry=True, mirrors=True, tree=Tree.OWN,
    largest_n=10_000,  # four masks of n bits and more for each row
    core="nqbench._somers")

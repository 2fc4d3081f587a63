"""The tree of `textbook`, with the digits of each row, column and box kept as masks.

The textbook looks at up to 27 cells for each digit; this search looks at three masks for each cell.
"""

from nqbench.problems.sudoku.base import CORE, PuzzleTally, Search, Solutions
from nqbench.problems.sudoku.grid import ALL, BOX, COLUMN, ROW, Digits


def solutions(givens: Digits, tally: PuzzleTally) -> Solutions:
    digits = list(givens)
    rows, columns, boxes = [0] * 9, [0] * 9, [0] * 9  # masks of the placed digits
    for cell, digit in enumerate(digits):
        if digit:
            bit = 1 << digit - 1
            rows[ROW[cell]] |= bit
            columns[COLUMN[cell]] |= bit
            boxes[BOX[cell]] |= bit
    empty = [cell for cell, digit in enumerate(digits) if not digit]

    def search(level: int) -> Solutions:
        tally.node(level)
        if level == len(empty):
            tally.solution()
            yield tuple(digits)
            return
        cell = empty[level]
        row, column, box = ROW[cell], COLUMN[cell], BOX[cell]
        free = ALL & ~(rows[row] | columns[column] | boxes[box])
        while free:
            bit = free & -free
            free -= bit
            tally.test(row, column, bit.bit_length())
            if free:
                tally.guess()
            rows[row] |= bit
            columns[column] |= bit
            boxes[box] |= bit
            digits[cell] = bit.bit_length()
            yield from search(level + 1)
            rows[row] -= bit
            columns[column] -= bit
            boxes[box] -= bit
        tally.exhausted(level)

    return search(0)


ALGORITHM = Search(
    name="textbook_bitmask", order=20, origin="the tree of textbook, with masks", year=None,
    technique="cells in reading order, masks of the digits in row, column and box",
    search=solutions, core=CORE)

"""The next cell is the one with the fewest candidates; a digit with one place left is placed at
once.

Each cell keeps a mask of its candidates. A placed digit is removed from the peers. A cell with one
candidate left is placed (a naked single), and so is a digit with one cell left in a unit (a hidden
single), until nothing more follows. Only then a cell is chosen: the first of those with the fewest
candidates. A node is a grid after all conclusions; its level is the number of cells that are
settled besides the givens.

Singles and the fewest first are what people do; see Peter Norvig, Solving every Sudoku
puzzle (2006).
"""

from nqbench.problems.sudoku.base import CORE, PuzzleTally, Search, Solutions
from nqbench.problems.sudoku.grid import ALL, COLUMN, PEERS, ROW, UNITS, Digits


def settle(masks: list[int], placed: list[int], tally: PuzzleTally) -> bool:
    """Draw all conclusions from the cells that have just been `placed`; return False if a cell has
    no candidate left, or a digit no cell in a unit.
    """
    while placed:
        while placed:
            cell = placed.pop()
            bit = masks[cell]
            for peer in PEERS[cell]:
                tally.scans += 1
                if masks[peer] & bit:
                    masks[peer] -= bit
                    left = masks[peer]
                    if not left:
                        return False
                    if not left & left - 1:
                        placed.append(peer)
                        tally.given(ROW[peer], COLUMN[peer], left.bit_length())
        for unit in UNITS:
            tally.scans += 9
            once = twice = 0
            for cell in unit:
                twice |= once & masks[cell]
                once |= masks[cell]
            if once != ALL:
                return False
            alone = once & ~twice
            for cell in unit:
                bit = masks[cell] & alone
                if bit and bit != masks[cell]:
                    if bit & bit - 1:
                        return False  # this cell is the only place for two digits
                    masks[cell] = bit
                    placed.append(cell)
                    tally.given(ROW[cell], COLUMN[cell], bit.bit_length())
    return True


def solutions(givens: Digits, tally: PuzzleTally) -> Solutions:
    def search(masks: list[int]) -> Solutions:
        open_cells = [cell for cell in range(81) if masks[cell] & masks[cell] - 1]
        level = empty - len(open_cells)
        tally.node(level)
        if not open_cells:
            tally.solution()
            yield tuple(mask.bit_length() for mask in masks)
            return
        best, fewest = 0, 10
        for cell in open_cells:
            tally.comparisons += 1
            many = masks[cell].bit_count()
            if many < fewest:
                best, fewest = cell, many
        free = masks[best]
        while free:
            bit = free & -free
            free -= bit
            tally.test(ROW[best], COLUMN[best], bit.bit_length())
            if free:
                tally.guess()
            below = masks.copy()
            below[best] = bit
            if settle(below, [best], tally):
                tally.child(level)
                yield from search(below)
        tally.exhausted(level)

    empty = givens.count(0)
    masks = [1 << digit - 1 if digit else ALL for digit in givens]
    if settle(masks, [cell for cell in range(81) if givens[cell]], tally):
        yield from search(masks)


ALGORITHM = Search(
    name="fewest_first", order=30, origin="Norvig, Solving every Sudoku puzzle", year=2006,
    technique="masks of candidates, naked and hidden singles, cell with the fewest next",
    search=solutions, core=CORE)

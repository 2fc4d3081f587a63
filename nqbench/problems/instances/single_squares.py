"""Follow single squares: forward checking, and a row with one free square gets its queen at once.

That queen removes squares from the other rows, too, and so on, until no row is left with a single
square whose queen was not placed. The rows are taken from the top. Constraint solvers do the same
with disequalities, and call it value consistency. Their trees are binary (x = v or x != v): in a
count of all solutions, their failures are our `tests - (nodes - 1)`, and their nodes are
`2 * (failures + solutions) - 1`. Here scans are the rows looked at, and comparisons are their tests
for emptiness.

Van Hentenryck, Constraint Satisfaction in Logic Programming (1989); the rule is older than that:
Mackworth, Consistency in networks of relations, Artificial Intelligence 8 (1977).
"""

from nqbench.problems.instances.base import Board, Placements, Search, Tally, Tree, bits


def propagate(board: Board, free: list[int], placed: list[int], tally: Tally) -> bool:
    """Remove the squares that the queens of the rows `placed` attack, and those of the rows that
    have one square left then; False if a row has none left.
    """
    while placed:
        row = placed.pop()
        column = free[row].bit_length() - 1
        for other in range(board.n):
            if other != row:
                tally.scans += 1
                tally.comparisons += 1
                left = free[other] & ~board.attacked(row, column, other)
                if not left:
                    return False
                if left != free[other] and not left & (left - 1):
                    placed.append(other)
                free[other] = left
    return True


def solutions(board: Board, tally: Tally) -> Placements:
    rows = board.open_rows
    columns = board.begin()

    def queens(free: list[int], level: int) -> Placements:
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(columns)
            return
        row = rows[level]
        for column in bits(free[row]):
            tally.test(row, column)
            below = free[:]
            below[row] = 1 << column
            # A single square was followed already.
            if below == free or propagate(board, below, [row], tally):
                columns[row] = column
                yield from queens(below, level + 1)
        tally.exhausted(level)

    free = list(board.free)
    single = [row for row, mask in enumerate(free) if mask and not mask & (mask - 1)]
    if 0 in free or not propagate(board, free, single, tally):
        tally.node(0)
        tally.exhausted(0)
        return
    yield from queens(free, 0)


ALGORITHM = Search(
    name="single_squares", order=35, origin="Van Hentenryck, Constraint Satisfaction in Logic "
    "Programming", year=1989, technique="forward checking that follows single squares, row by row",
    keeps_marks=True, tree=Tree.OWN, search=solutions)

"""All different: after each queen, remove the squares that are in no placement of one queen in each
row whose columns all differ, and likewise those for the sums, and for the differences.

Each of these three is a bipartite graph of rows and lines, and a placement is a matching of all
rows. A row may take over the line of another row if that one can have another line in turn: one
that no row has, or, round a cycle, that of the first row. The removing is repeated until all three
have nothing to remove. Constraint solvers call it domain consistency. Their trees are binary
(x = v or x != v), and x != v is followed like a queen: `refuted` counts where it leaves some row
without a square. In a count of all solutions, their failures are our
`tests - (nodes - 1) + refuted`, and their nodes are `2 * (failures + solutions) - 1`. The rows are
taken from the top. Here scans are the rows matched, and comparisons the pairs of rows looked at.

Regin, A filtering algorithm for constraints of difference in CSPs, AAAI (1994).
"""

import nqbench
from nqbench.problems.instances.base import bits


def match(row, lines, owners, seen):
    """Give a row one of its lines, if others can have other lines; return whether they can."""
    for line in bits(lines[row]):
        if line not in seen:
            seen.add(line)
            if line not in owners or match(owners[line], lines, owners, seen):
                owners[line] = row
                return True
    return False


def filtered(lines, tally):
    """Remove the lines of each row that no matching of all rows has; False if there is none."""
    owners = {}
    for row in range(len(lines)):
        tally.scans += 1
        if not match(row, lines, owners, set()):
            return False
    nobody = 1 << len(lines)  # the owner of the other lines
    takes = [0] * len(lines)  # from whom a row can take over a line
    for row, mask in enumerate(lines):
        for line in bits(mask):
            takes[row] |= 1 << owners[line] if line in owners else nobody
    for between, _ in enumerate(lines):
        for row, mask in enumerate(takes):
            tally.comparisons += 1
            if mask >> between & 1:
                takes[row] |= takes[between]
    for line, owner in owners.items():
        for row in range(len(lines)):
            if not takes[owner] & (1 << row | nobody):
                lines[row] &= ~(1 << line)
    return True


def propagate(board, free, tally):
    """Remove squares until nothing changes; False if there is a row that must have none."""
    n, before = board.n, [0]
    full = (1 << n) - 1
    while before != free:
        before = free[:]
        for sign in (0, 1, -1):
            shifts = [sign * row % n if board.torus else sign * row + n for row in range(n)]
            lines = [mask << shift for mask, shift in zip(free, shifts, strict=True)]
            if board.torus:  # line n is line 0 again
                lines = [(mask | mask >> n) & full for mask in lines]
            if not filtered(lines, tally):
                return False
            for row, shift in enumerate(shifts):
                mask = lines[row]
                free[row] &= (mask | mask << n if board.torus else mask) >> shift
    return True


@nqbench.algorithm(problem="instances", counters={
    "refuted": "rows in which no square after those tried can have a queen"})
def all_different(board, tally):
    rows = board.open_rows

    def queens(free, level):
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(mask.bit_length() - 1 for mask in free)
            return
        row = rows[level]
        while free[row]:
            queen = free[row] & -free[row]
            tally.test(row, queen.bit_length() - 1)
            below = free[:]
            below[row] = queen
            if below == free or propagate(board, below, tally):
                yield from queens(below, level + 1)
            free[row] ^= queen
            if free[row] and not propagate(board, free, tally):
                tally.refuted += 1
                break
        tally.exhausted(level)

    free = list(board.free)
    if not propagate(board, free, tally):
        tally.node(0)
        tally.exhausted(0)
        return
    yield from queens(free, 0)

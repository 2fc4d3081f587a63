"""Check that no solution comes before the first one: draw some of the prefixes in a file of
rejected.py at random, and reject them again by a search of its own.

    python check.py 50.rejected 20

Every placement to the left of the first line must begin with a prefix of the file. A prefix that is
not decided in 10,000 nodes is extended at random. README.md, "Two sides", proves it.
"""

import sys
from pathlib import Path
from random import choice, sample


def free_columns(n, prefix):
    return [c for c in range(n) if all(c != d and abs(c - d) != len(prefix) - r
                                       for r, d in enumerate(prefix))]


def uncovered(n, end, prefixes):
    """Whether a placement to the left of `end` begins with none of the prefixes."""
    split, todo = {p[:k] for p in prefixes for k in range(len(p))}, [()]
    for prefix in todo:
        if prefix in split or (prefix == end[:len(prefix)] and prefix not in prefixes):
            todo += [(*prefix, c) for c in free_columns(n, prefix) if (*prefix, c) < end]
    covered = split | prefixes
    return any(p not in covered and p != end[:len(p)] for p in todo)


def least_squares(line, k, total):
    """The least sum of squares of k places of a line with this sum, and the ends of their run."""
    at = 0
    while k and at + k < len(line) and sum(line[at + 1:at + k + 1]) <= total:
        at += 1
    run, after = line[at:at + k], [*line[at + k:], line[-1] + 1 if line else 0][0]
    if sum(run) > total or (sum(run) < total and (at + k == len(line) or not k)):
        return None
    first = run[0] if run else after
    return sum(x * x for x in run) + (total - sum(run)) * (first + after), first, after


def cut(rows, columns, free, above):
    """The squares that a completion with this many queens above the diagonal may use, or None."""
    squares, queens = [(r, c) for r in rows for c in free[r]], (above, len(rows) - above)
    sides = [sorted({abs(c - r) for r, c in squares if (c > r) == up}) for up in (True, False)]
    closest = [side[:k] for side, k in zip(sides, queens, strict=True)]
    if above < 0 or any(len(side) < k for side, k in zip(sides, queens, strict=True)):
        return None
    most = sum(columns[queens[1]:]) - sum(rows[:above])
    slack = most - sum(closest[0]), most - sum(columns) + sum(rows) - sum(closest[1])
    wide = int(slack[0] < slack[1])  # the side whose distances must sum to more than the least
    near, narrow = closest[1 - wide], min(slack)
    one = least_squares(sorted({r + c for r, c in squares}), len(rows), sum(rows) + sum(columns))
    two = least_squares(sides[wide], queens[wide], sum(closest[wide]) + max(slack) - narrow)
    if narrow < 0 or not one or not two:
        return None
    left = 2 * sum(x * x for x in rows + columns) - one[0] - two[0] - sum(x * x for x in near)

    def fits(r, c):
        side, x, up = int(c <= r), abs(c - r), queens[1]
        if not closest[side] or (r + c - one[1]) * (r + c - one[2]) > left:
            return False
        lost = (max(0, r - rows[above - 1]) + max(0, columns[up] - c) if c > r else
                max(0, rows[above] - r) + max(0, c - columns[up - 1]))
        if lost > narrow or lost + max(0, x - closest[side][-1]) > slack[side]:
            return False
        if side == wide:
            return (x - two[1]) * (x - two[2]) <= left
        return x <= near[-1] or (x - near[-1]) * (x + near[-1] + two[1] + two[2]) <= left

    return None if left < 0 else {r: {c for c in free[r] if fits(r, c)} for r in rows}


def completes(rows, columns, free, above, nodes):
    """Whether the open rows and columns have a completion, as far as the nodes suffice."""
    nodes[0] -= 1
    while rows:
        lines = [[(r, c) for c in free[r]] for r in rows]
        lines += [[(r, c) for r in rows if c in free[r]] for c in columns]
        line, kept = min(lines, key=len), free
        if len(line) > 1 and (kept := cut(rows, columns, free, above)) is None:
            return False
        if kept == free:
            return nodes[0] < 0 or any(place(r, c, rows, columns, free, above, nodes)
                                       for r, c in line)
        free = kept
    return True


def place(row, column, rows, columns, free, above, nodes):
    free = {r: {c for c in free[r] if c != column and abs(c - column) != abs(r - row)}
            for r in rows if r != row}
    rest = [c for c in columns if c != column]
    return completes([*free], rest, free, above - (column > row), nodes)


def rejects(n, prefix):
    """Whether a prefix has no completion; None if this is not decided."""
    rows, columns, nodes = [*range(len(prefix), n)], sorted({*range(n)} - {*prefix}), [10_000]
    free = {r: {c for c in columns if all(abs(c - d) != r - q for q, d in enumerate(prefix))}
            for r in rows}
    found = any(completes(rows, columns, free, above, nodes) for above in range(len(rows) + 1))
    return None if found and nodes[0] < 0 else not found


def main(file, most):
    first, *lines = Path(file).read_text().splitlines()
    n, *end = map(int, first.split())
    prefixes = {tuple(int(c) - 1 for c in line.split()) for line in lines}
    if uncovered(n, tuple(c - 1 for c in end), prefixes):
        sys.exit("the prefixes are not all")
    for prefix in sample(sorted(prefixes), min(int(most), len(lines))):
        while (rejected := rejects(n, prefix)) is None:
            prefix = (*prefix, choice(free_columns(n, prefix)))
        if not rejected:
            sys.exit(f"{prefix} has a completion")
        print("rejected", *(c + 1 for c in prefix), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Naive searches, in terms of squares and sets, to compare the algorithms with."""


def attacks(p, q):
    (r, c), (s, d) = p, q
    return r == s or c == d or abs(r - s) == abs(c - d)


def free(n, queens, row=None, column=None):
    """The squares of a line, or of the board, that no queen attacks."""
    return [(r, c) for r in range(n) for c in range(n)
            if row in (None, r) and column in (None, c)
            and not any(attacks((r, c), queen) for queen in queens)]


def tree(n, children):
    """Nodes and dead ends by level of the tree that `children(queens)` spans."""
    levels, dead_levels, waiting = [0] * (n + 1), [0] * (n + 1), [()]
    while waiting:
        queens = waiting.pop()
        levels[len(queens)] += 1
        below = children(queens) if len(queens) < n else []
        dead_levels[len(queens)] += len(queens) < n and not below
        waiting += [(*queens, square) for square in below]
    return levels, dead_levels


def forward_checking(n):
    def children(queens):
        return [square for square in free(n, queens, row=len(queens))
                if all(free(n, (*queens, square), row=r) for r in range(len(queens) + 1, n))]
    return children


def fewest(n, columns_too):
    def children(queens):
        lines = [free(n, queens, row=r) for r in range(n) if r not in {r for r, _ in queens}]
        if columns_too:
            lines += [free(n, queens, column=c) for c in range(n)
                      if c not in {c for _, c in queens}]
        return min(lines, key=len)
    return children


def canonical_part(n):
    """The squares that the border rule of the docstring leaves, stated again in terms of sets."""
    def children(queens):
        row = len(queens)
        squares = free(n, queens, row=row)
        if row == 0:
            return [square for square in squares if square[1] <= (n - 1) // 2]
        p = queens[0][1]
        kept = []
        for r, c in squares:
            far = [c] if r == n - 1 else []
            far += [r] if c in (0, n - 1) else []
            corner = any(min(x, n - 1 - x) < p for x in far)
            diagonal = p == 0 and c == 1 and 1 < r < queens[1][1]
            if not corner and not diagonal:
                kept.append((r, c))
        return kept
    return children


NAIVE = {"forward_checking": forward_checking, "canonical": canonical_part,
         "fewest_first": lambda n: fewest(n, columns_too=False),
         "fewest_lines": lambda n: fewest(n, columns_too=True),
         "dancing_links": lambda n: fewest(n, columns_too=True)}


def full_symmetry(n):
    """Nodes and dead ends by level of the search by crosses: all ways to cover the middle
    lines, then below one cross of each orbit the rows in the order of `order`.
    """
    from nqbench.problems.queens.cross import images, order

    levels, dead_levels, whole = [0] * (n + 1), [0] * (n + 1), set()
    m = n // 2

    def open_line(queens, lines):
        for line in lines:
            if all(r != line for r, _ in queens):
                return {"row": line}
            if all(c != line for _, c in queens):
                return {"column": line}
        return None

    def cover(queens, lines):
        line = open_line(queens, lines)
        if line is None:
            if lines == [m] and queens == [(m, m)] and n > 1:
                cover(queens, [m - 1, m + 1])
            else:
                whole.add(tuple(sorted(queens)))
            return
        below = free(n, queens, **line)
        dead_levels[len(queens)] += not below
        for square in below:
            levels[len(queens) + 1] += 1
            cover([*queens, square], lines)

    def fill(queens, rows):
        if not rows:
            return
        below = [square for square in free(n, queens, row=rows[0])
                 if all(free(n, [*queens, square], row=row) for row in rows[1:3])]
        dead_levels[len(queens)] += not below
        for square in below:
            levels[len(queens) + 1] += 1
            fill([*queens, square], rows[1:])

    levels[0] = 1
    cover([], [m] if n % 2 else [m - 1, m])
    for cross in whole:
        if cross == min(images(cross, n)):
            fill(list(cross), order(n, cross))
    return levels, dead_levels

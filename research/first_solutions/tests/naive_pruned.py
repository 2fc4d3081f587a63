"""The pruned search once more, in sets and sums, as README.md describes it."""


def bound_squares(places, count, total):
    """Return the least sum of squares of the run, a and b; None if no places have this sum."""
    runs = [places[start:start + count] for start in range(len(places) - count + 1)]
    reached = [run for run in runs if sum(run) <= total]
    if not reached:
        return None
    run = reached[-1]
    beyond = [place for place in places if place > run[-1]]
    if not beyond and sum(run) < total:
        return None
    a, b = run[0], min(beyond, default=run[-1] + 1)
    return sum((x - a) * (x - b) for x in run) + (a + b) * total - count * a * b, a, b


def attacked(one, other):
    (r, c), (s, d) = one, other
    return r == s or c == d or abs(r - s) == abs(c - d)


def divide(free, axis, first, queens):
    """Divide the rows or columns between the sides, so that `first` has the first of those that may
    be on both; return those on the other side that may be on both, and these; None if there are too
    few.
    """
    lines = {up: {square[axis] for square in free if (square[1] > square[0]) == up}
             for up in (True, False)}
    both, more = sorted(lines[True] & lines[False]), queens[first] - len(
        lines[first] - lines[not first])
    if not 0 <= more <= len(both):
        return None
    return {first: both[:more], not first: both[more:]}, lines[True] - lines[False]


def fit(free, rows, columns, above):
    """Return the squares that a completion may use with so many queens above the main diagonal, and
    the diagonals that must hold a queen, as sets of squares; None if there is no completion.
    """
    queens, total = {True: above, False: len(rows) - above}, sum(columns) - sum(rows)
    sides = {up: sorted({abs(c - r) for r, c in free if (c > r) == up}) for up in (True, False)}
    if any(not 0 <= queens[up] <= len(sides[up]) for up in sides):
        return None
    closest = {up: sides[up][:queens[up]] for up in sides}
    by_row, by_column = divide(free, 0, True, queens), divide(free, 1, False, queens)
    if by_row is None or by_column is None:
        return None
    most = (sum(by_column[1]) + sum(by_column[0][True]) - sum(by_row[1]) - sum(by_row[0][True]))
    slack = {True: most - sum(closest[True]), False: most - total - sum(closest[False])}
    sums = bound_squares(sorted({r + c for r, c in free}), len(rows), sum(columns) + sum(rows))
    wide = slack[True] >= slack[False]
    moved = abs(slack[True] - slack[False])
    spread = (bound_squares(sides[wide], queens[wide], sum(closest[wide]) + moved)
              if queens[wide] else None if moved else (0, 0, 0))
    if min(slack.values()) < 0 or sums is None or spread is None:
        return None
    near, slope = closest[not wide], spread[1] + spread[2]
    squares = (2 * (sum(r * r for r in rows) + sum(c * c for c in columns)) - sums[0] - spread[0]
               - sum(x * x for x in near))
    if squares < 0:
        return None

    def loses(r, c, up):
        """How far the row and the column are beyond those that their side has."""
        lost = 0
        for place, (parts, _), sign in ((r, by_row, 1), (c, by_column, -1)):
            if place in parts[True] + parts[False]:
                beyond = [sign * (place - other) if up else sign * (other - place)
                          for other in parts[up]]
                lost += max(0, min(beyond, default=10**6))
        return lost

    def allows(r, c):
        up, x, s = c > r, abs(c - r), r + c
        if not queens[up] or (s - sums[1]) * (s - sums[2]) > squares:
            return False
        lost_row, lost = loses(r, -1, up), loses(r, c, up)
        if lost > min(slack.values()) or lost_row + x - closest[up][-1] > slack[up]:
            return False
        if up == wide:
            return x <= spread[2] or (x - spread[1]) * (x - spread[2]) <= squares
        return x <= near[-1] or (x - near[-1]) * (x + near[-1] + slope) <= squares

    def must(up, x):
        following = min((y for y in sides[up] if y not in closest[up]), default=None)
        if up == wide and spread[1] < x < spread[2] and (
                x - spread[1]) * (spread[2] - x) > squares:
            return True
        return x in closest[up] and (
            following is None or following - x > slack[up]
            or (up != wide and (following - x) * (following + x + slope) > squares))

    lines = [{(r, c) for r, c in free if r + c == s} for s in sorted({r + c for r, c in free})
             if sums[1] < s < sums[2] and (s - sums[1]) * (sums[2] - s) > squares]
    lines += [{(r, c) for r, c in free if (c > r) == up and abs(c - r) == x}
              for up in (True, False) for x in sides[up] if must(up, x)]
    return {square for square in free if allows(*square)}, lines


def put(free, rows, columns, above, square):
    """Return what is left below another queen; None if a row has no free square."""
    left = {other for other in free if not attacked(square, other)}
    rows, columns = rows - {square[0]}, columns - {square[1]}
    above -= square[1] > square[0]
    return (left, rows, columns, above) if {r for r, _ in left} == rows else None


def force(free, rows, columns, above):
    """Place what is forced; return what is left, and the squares of the line to branch on."""
    while rows:
        lines = [{square for square in free if square[axis] == line}
                 for axis, side in enumerate((rows, columns)) for line in sorted(side)]
        if not all(lines):
            return None
        diagonals = []
        single = next((line for line in lines if len(line) == 1), None)
        if not single and len(rows) >= 4:
            found = fit(free, rows, columns, above)
            if found is None or {r for r, _ in found[0]} != rows:
                return None
            kept, diagonals = found
            if kept != free:
                free = kept
                continue
            single = next((line for line in diagonals if len(line) == 1), None)
        if single:
            below = put(free, rows, columns, above, *single)
            if below is None:
                return None
            free, rows, columns, above = below
            continue
        pairs = [line for line in (*lines, *diagonals) if len(line) == 2]
        return free, rows, columns, above, min((*pairs, *lines), key=len)
    return free, rows, columns, above, []


def complete(free, rows, columns, above):
    """Return whether there is a completion, and the nodes of the search."""
    below = force(free, rows, columns, above)
    if below is None:
        return False, 1
    *rest, line = below
    nodes = 1
    for square in sorted(line):
        child = put(*rest, square)
        if child:
            found, more = complete(*child)
            nodes += more
            if found:
                return True, nodes
    return not line, nodes


def decide(n, prefix):
    """Return whether a prefix is rejected, and the nodes of the search."""
    rest = {(r, c) for r in range(n) for c in range(n)}, {*range(n)}, {*range(n)}, 0
    for square in enumerate(prefix):
        rest = put(*rest, square)
        if rest is None:
            return True, 1
    free, rows, columns, _ = rest
    nodes = 0
    for above in range(len(rows) + 1):
        kept = (free, []) if len(rows) < 4 else fit(free, rows, columns, above)
        if kept is not None and {r for r, _ in kept[0]} == rows:
            found, more = complete(kept[0], rows, columns, above)
            nodes += more
            if found:
                return False, nodes
    return True, max(1, nodes)

"""The pruned search once more, in sets and sums, as docs/sequences.md describes it."""


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


def fit(free, rows, columns):
    """Return the squares on diagonals that are not too far away; None if there is no completion."""
    kinds, slack = [], 2 * (sum(r * r for r in rows) + sum(c * c for c in columns))
    for sign in (1, -1):
        total = sum(columns) + sign * sum(rows)
        found = bound_squares(sorted({c + sign * r for r, c in free}), len(rows), total)
        if found is None:
            return None
        kinds.append((sign, *found[1:]))
        slack -= found[0]
    if slack < 0:
        return None
    return {(r, c) for r, c in free if all((c + sign * r - a) * (c + sign * r - b) <= slack
                                           for sign, a, b in kinds)}


def put(free, rows, columns, square):
    """Return what is left below another queen; None if a row has no free square."""
    left = {other for other in free if not attacked(square, other)}
    rows, columns = rows - {square[0]}, columns - {square[1]}
    return (left, rows, columns) if {r for r, _ in left} == rows else None


def force(free, rows, columns):
    """Place what is forced; return what is left, and the squares of the line to branch on."""
    while rows:
        lines = [[{square for square in free if square[axis] == line} for line in sorted(side)]
                 for axis, side in enumerate((rows, columns))]
        if not all(lines[1]):
            return None
        single = next((line for line in (*lines[0], *lines[1]) if len(line) == 1), None)
        if single:
            below = put(free, rows, columns, *single)
            if below is None:
                return None
            free, rows, columns = below
            continue
        if len(rows) >= 4:
            kept = fit(free, rows, columns)
            if kept is None or {r for r, _ in kept} != rows:
                return None
            if kept != free:
                free = kept
                continue
        return free, rows, columns, min((*lines[0], *lines[1]), key=len)
    return free, rows, columns, []


def complete(free, rows, columns):
    """Return whether there is a completion, and the nodes of the search."""
    below = force(free, rows, columns)
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
    rest = {(r, c) for r in range(n) for c in range(n)}, {*range(n)}, {*range(n)}
    for square in enumerate(prefix):
        rest = put(*rest, square)
        if rest is None:
            return True, 1
    found, nodes = complete(*rest)
    return not found, nodes

"""Nogood recording: conflict-directed backjumping that keeps small conflict sets as nogoods.

A nogood is a set of squares that no solution below them has. One of at most `size` queens is kept
with its deepest square, and refuses that square wherever the others are placed. Scans are the
queens and nogoods against which a square is tested.

Dechter, Enhancement schemes for constraint processing, Artificial Intelligence 41 (1990), where
this is learning of limited order; Schiex and Verfaillie, Nogood recording for static and dynamic
constraint satisfaction problems (1994).
"""

from nqbench.problems.instances.base import Blamed, Board, Search, Tally, Tree, bits, counted


def solutions(board: Board, tally: Tally, size: int = 3) -> Blamed:
    rows = board.open_rows
    columns = board.begin()
    # By square: the levels of the other queens, as bits, and their columns.
    kept: dict[tuple[int, int], dict[int, set[tuple[int, ...]]]] = {}

    def on(levels: int) -> tuple[int, ...]:
        return tuple(columns[rows[each]] for each in bits(levels))

    def refused(level: int, column: int) -> int | None:
        """Return the other queens of a nogood that refuses a square, as bits of their levels."""
        for levels, placements in kept.get((level, column), {}).items():
            tally.scans += 1
            if on(levels) in placements:
                return levels
        return None

    def queens(level: int) -> Blamed:  # returns the levels of the conflict set, as bits
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(columns)
            return (1 << level) - 1  # the next solution may differ in any queen
        row, blame = rows[level], 0
        for column in bits(board.free[row]):
            tally.test(row, column)
            for above in range(level):
                tally.scans += 1
                if board.attacked(rows[above], columns[rows[above]], row) >> column & 1:
                    blame |= 1 << above
                    break
            else:
                others = refused(level, column)
                if others is not None:
                    blame |= others
                    continue
                columns[row] = column
                deeper = yield from queens(level + 1)
                if not deeper >> level & 1:
                    return deeper
                blame |= deeper ^ 1 << level
        tally.exhausted(level)
        tally.jumps += blame.bit_length() < level
        tally.jumped += level - blame.bit_length()
        if 0 < blame.bit_count() <= size:
            last = blame.bit_length() - 1
            others = blame ^ 1 << last
            kept.setdefault((last, columns[rows[last]]), {}).setdefault(others, set()).add(
                on(others))
            tally.nogoods += 1
        return blame

    return queens(0)


ALGORITHM = Search(
    name="nogoods", order=15, origin="Dechter, Enhancement schemes", year=1990,
    technique="conflict sets of few queens are kept, and refuse squares", tree=Tree.OWN,
    counters=counted("jumps", "jumped", "nogoods"), search=solutions)

"""Read the codes of a recording again, as the player on the page does."""

from dataclasses import dataclass

from nqbench.explain.trace import Event, find_attackers, remove_from
from nqbench.problems.instances import Board

LEAVES = ("solution", "reached")


@dataclass(frozen=True)
class Moment:
    """An event, and what the search counted up to and including it (`nqbench.search.tally`).

    `backtracks` are the exhaustions, `solutions` the placements reached.
    """

    event: Event
    tests: int
    nodes: int
    backtracks: int
    solutions: int


def replay(recording):
    """Yield the events of a tree of queens, or of an instance, with the counters."""
    board = recording.instance if isinstance(recording.instance, Board) else None
    n = recording.instance.n if isinstance(recording.instance, Board) else recording.instance
    squares = n ** 2
    queens = []
    tests = backtracks = solutions = 0
    nodes = 1
    tested, rule = True, ""
    for code in recording.codes:
        if code == 2 * squares + 2:
            tested = False
            continue
        if code > 2 * squares + n + 4:
            rule = recording.rules[code - 2 * squares - n - 5]
            continue
        square, attackers = None, ()
        if code < 2 * squares:
            refused, place = divmod(code, squares)
            square = divmod(place, n)
            remove_from(queens, square[0])
            tests += tested
            tested = True
            if refused:
                kind = "conflict"
                attackers = find_attackers(board, queens, square)
            else:
                kind = "place"
                nodes += 1
                queens.append(square)
        elif code < 2 * squares + 2:
            kind = LEAVES[code - 2 * squares]
            solutions += 1
        elif code == 2 * squares + n + 4:
            kind = "restart"
            nodes += 1
            queens.clear()
        else:
            kind = "back"
            backtracks += 1
            del queens[code - 2 * squares - 3:]
        event = Event(kind, square, tuple(queens), attackers, rule)
        rule = ""
        yield Moment(event, tests, nodes, backtracks, solutions)
        if square is None:
            del queens[-1:]

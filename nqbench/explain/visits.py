"""The nodes that searches visit in the same instance, as sets: which visits what another does.

A node is a set of queens. A search *tries* a node if it tests the square of its last queen, and
*accepts* it if it goes on from there. Kondrak and van Beek (A theoretical evaluation of selected
backtracking algorithms, Artificial Intelligence 89, 1997) say what is tried is visited; the nodes
of all counters here are those that are accepted.
"""

from dataclasses import dataclass, field
from typing import Any

from nqbench.explain.trace import Event, Trace, Traced, find_free, follow
from nqbench.problems.instances import Board
from nqbench.search.board import Square
from nqbench.search.tally import GaveUpError

Queens = frozenset[Square]
RELATIONS = {(False, False): "neither", (True, False): "within", (False, True): "contains",
             (True, True): "same"}  # from whether one has no node that the other lacks, and back


@dataclass
class Visits:
    """The nodes that a search visits, in its order.

    Attributes
    ----------
    accepted, tried
        the nodes, see above; those that are accepted are tried, too.
    repeated
        by level, the accepted nodes whose open rows have the same free squares as those of an
        earlier node: the same subtree again.
    counters
        what the search counts, by name.
    gave_up
        why it ended early, if it did.
    """

    algorithm: str
    accepted: dict[Queens, tuple[Square, ...]] = field(default_factory=dict)
    tried: dict[Queens, tuple[Square, ...]] = field(default_factory=dict)
    repeated: list[int] = field(default_factory=list)
    counters: dict[str, Any] = field(default_factory=dict)
    gave_up: str | None = None


def visit(n: int | Board, algorithm: Traced, **allowed: Any) -> Visits:
    """Return the nodes that a search for all solutions visits.

    Raises
    ------
    TypeError, ValueError
        as `nqbench.explain.trace.follow` does.

    Examples
    --------
    >>> from nqbench.problems.queens import find
    >>> found = visit(4, find("bitmask"))
    >>> len(found.accepted), found.repeated
    (17, [0, 0, 0, 1, 0])
    """
    board = n if isinstance(n, Board) else Board(n)
    found, seen = Visits(algorithm.name), set()

    def accept(queens: tuple[Square, ...]) -> None:
        node = frozenset(queens)
        found.tried.setdefault(node, queens)
        if node in found.accepted:
            return
        found.accepted[node] = queens
        below = find_free(board, queens)
        found.repeated[len(queens)] += below in seen and bool(below)
        seen.add(below)

    def receive(event: Event) -> None:
        if event.kind == "place":
            accept(event.queens)
        elif event.kind == "conflict" and event.square is not None:
            queens = (*event.queens, event.square)
            found.tried.setdefault(frozenset(queens), queens)

    trace = Trace(n, receive, **allowed)
    found.repeated = [0] * len(trace.levels)
    accept(())
    try:
        follow(n, algorithm, trace)
    except GaveUpError as error:
        found.gave_up = str(error)
    found.counters = trace.counters()
    return found


@dataclass(frozen=True)
class Comparison:
    """Two searches in the same instance, node by node.

    Attributes
    ----------
    accepted, tried
        how the first one's nodes lie to those of the second: "same", "within", "contains" or
        "neither"; "unknown" if a search gave up.
    first
        of each search, the first accepted node that the other does not accept; None if there is
        none.
    levels
        by level: the nodes that each accepts, and those that both do.
    """

    a: Visits
    b: Visits
    accepted: str
    tried: str
    first: tuple[tuple[Square, ...] | None, tuple[Square, ...] | None]
    levels: list[tuple[int, int, int]]


def compare(a: Visits, b: Visits) -> Comparison:
    """Return how the nodes of two searches in the same instance lie to each other.

    >>> from nqbench.problems.instances import Board, find
    >>> two = [visit(Board(6), find(name)) for name in ("forward_checking", "row_by_row")]
    >>> compare(*two).accepted, compare(*two).levels[3]
    ('within', (32, 36, 32))
    """
    both = a.accepted.keys() & b.accepted.keys()
    levels = [[0, 0, 0] for _ in a.repeated]
    for place, nodes in enumerate((a.accepted, b.accepted, both)):
        for node in nodes:
            levels[len(node)][place] += 1
    first_a, first_b = (next((queens for node, queens in each.accepted.items()
                              if node not in both), None) for each in (a, b))
    return Comparison(a, b, relate(a, b, "accepted"), relate(a, b, "tried"), (first_a, first_b),
                      [(one, other, shared) for one, other, shared in levels])


def relate(a: Visits, b: Visits, kind: str) -> str:
    """Return how the nodes of one search lie to those of another."""
    if a.gave_up or b.gave_up:
        return "unknown"
    one, other = getattr(a, kind).keys(), getattr(b, kind).keys()
    return RELATIONS[one <= other, other <= one]

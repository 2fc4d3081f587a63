"""The tree of a search: drawn, and compared with that of another search.

In a drawing, a node is a partial placement, written with the columns of its queens by row, from 1,
and a ``*`` for each row without a queen: ``(2 4 * *)``. The columns of the queens of an instance
are in brackets: ``([2] 4 * *)``. B marks a dead end, where the search backtracks, as in figure 8.23
of Zhou Shiping's C Programming. The nodes are in the order in which the running algorithm made them
(`nqbench.explain.trace`). If it restarts, its runs share the root.

Trees of searches in the same instance are compared as sets: a node is a set of queens. A search
*tries* a node if it tests the square of its last queen, and *accepts* it if it goes on from there.
Kondrak and van Beek (A theoretical evaluation of selected backtracking algorithms, Artificial
Intelligence 89, 1997) say what is tried is visited; the nodes of all counters here are those that
are accepted.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

from nqbench.explain.trace import Event, Trace, Traced, count_levels, find_free, find_traced, follow
from nqbench.problems.instances import Board
from nqbench.search.board import Square
from nqbench.search.tally import GaveUpError
from nqbench.util.arguments import require_whole
from nqbench.util.text import plural

STYLE = ("text{font:12px ui-monospace,'DejaVu Sans Mono',monospace;text-anchor:middle;fill:#1b1b1b}"
         ".mark{font-size:10px}path{stroke:#8a8a8a;fill:none}rect{stroke:#8a8a8a;fill:#fff}"
         "rect.solution{fill:#cfe8d5}rect.dead{fill:#f6d9d2}")
Queens = frozenset[Square]
RELATIONS = {(False, False): "neither", (True, False): "within", (False, True): "contains",
             (True, True): "same"}  # from whether one has no node that the other lacks, and back


@dataclass
class Node:
    """A partial placement; `nodes`, `solutions` and `dead_ends` are those cut off below it.

    `given` are the placed queens of the instance; for a root, `gave_up` says why the search ended
    early.
    """

    n: int
    queens: tuple[Square, ...]
    children: list["Node"] = field(default_factory=list)
    solution: bool = False
    dead_end: bool = False
    nodes: int = 0
    solutions: int = 0
    dead_ends: int = 0
    given: tuple[Square, ...] = ()
    gave_up: str | None = None

    @property
    def label(self) -> str:
        """The columns by row, from 1.

        >>> Node(4, ((0, 1), (1, 3))).label, Node(4, ((1, 3),), given=((0, 1),)).label
        ('(2 4 * *)', '([2] 4 * *)')
        """
        columns = {row: str(column + 1) for row, column in self.queens}
        columns |= {row: f"[{column + 1}]" for row, column in self.given}
        return "(" + " ".join(columns.get(row, "*") for row in range(self.n)) + ")"

    @property
    def marks(self) -> list[str]:
        """The texts beside the label of the node.

        >>> Node(4, (), nodes=16, solutions=2, dead_ends=1).marks
        ['16 nodes below', '2 solutions', '1 dead end']
        """
        if self.nodes:
            return [f"{self.nodes:,} {plural(self.nodes, 'node')} below",
                    f"{self.solutions:,} {plural(self.solutions, 'solution')}",
                    f"{self.dead_ends:,} {plural(self.dead_ends, 'dead end')}"]
        found = "solution" if len(self.queens) + len(self.given) == self.n else "reached"
        return [found] * self.solution + ["B"] * self.dead_end

    def walk(self) -> Iterator["Node"]:
        """Yield the node and all below it, in the order of the search."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)


def grow(n: int | Board, algorithm: str | Traced = "iterative", depth: int | None = None,
         progress: Callable[[int], object] = bool, **allowed: Any) -> Node:
    """Return the root of the tree of an algorithm, cut below `depth` queens.

    `progress` gets the number of children of the root so far; `allowed` are bounds of a `Trace`.

    Raises
    ------
    TypeError, ValueError
        if the algorithm does not accept n, or if it has no tree.

    Examples
    --------
    >>> sum(1 for _ in grow(4).walk())
    17
    """
    chosen = find_traced(n, algorithm)
    _, n = chosen.implementation("python", n)
    levels = count_levels(n)
    root = Node(n.n, (), given=n.placed) if isinstance(n, Board) else Node(n, ())
    cut = levels if depth is None else min(require_whole(depth, "depth"), levels)
    path = [root]
    before = (0, 0, 0)  # nodes but roots, solutions, dead ends when the last at the cut was made

    def close(new: int = 0) -> None:
        """Count the nodes cut off below the last node at the cut, except `new` later nodes."""
        if len(path) == cut + 1 <= levels:
            last = path[-1]
            last.nodes = sum(trace.levels[1:]) - new - before[0]
            last.dead_end = not last.nodes and root.gave_up is None
            if last.nodes:
                last.solutions = trace.visits - before[1]
                last.dead_ends = trace.dead_ends - before[2]

    def add_event(event: Event) -> None:
        nonlocal before
        level = len(event.queens)
        if event.kind == "place" and level <= cut:
            close(new=1)
            node = Node(root.n, event.queens, given=root.given)
            del path[level:]
            path[-1].children.append(node)
            path.append(node)
            if level == 1:
                progress(len(root.children))
            before = sum(trace.levels[1:]), trace.visits, trace.dead_ends
        elif event.kind in ("solution", "reached") and level <= cut:
            path[level].solution = True
        elif (event.kind == "back" and level < cut) or event.kind == "restart":
            close()
            del path[level + 1:]
            path[level].dead_end = not path[level].children

    trace = Trace(n, add_event, **allowed)
    try:
        follow(n, chosen, trace)
    except GaveUpError as error:
        root.gave_up = str(error)
    close()
    return root


def text(root: Node) -> Iterator[str]:
    """Yield the tree in lines.

    >>> print(*text(grow(4)), sep="\\n")
    (* * * *)
    ├── (1 * * *)
    │   ├── (1 3 * *)  B
    │   └── (1 4 * *)
    │       └── (1 4 2 *)  B
    ├── (2 * * *)
    │   └── (2 4 * *)
    │       └── (2 4 1 *)
    │           └── (2 4 1 3)  solution
    ...
    """
    waiting = [(root, "", "")]
    while waiting:
        node, before, below = waiting.pop()
        yield f"{before}{node.label}{'  ' * bool(node.marks)}{', '.join(node.marks)}"
        last = len(node.children) - 1
        waiting += [(child, below + ("└── " if k == last else "├── "),
                     below + ("    " if k == last else "│   "))
                    for k, child in reversed(list(enumerate(node.children)))]


def svg(root: Node) -> str:
    """Return the tree as an SVG drawing, the root at the top.

    Each leaf has its own column; a parent is above the middle of its children.
    """
    nodes = list(root.walk())
    width = max(7.4 * len(root.label), *(6 * len(m) for node in nodes for m in node.marks), 0) + 14
    across: dict[int, float] = {}
    leaves = 0
    for node in reversed(nodes):  # children before their parents, the last leaf first
        if node.children:
            across[id(node)] = (across[id(node.children[0])] + across[id(node.children[-1])]) / 2
        else:
            leaves += 1
            across[id(node)] = -leaves
    x = {key: round((place + leaves + 0.5) * width, 1) for key, place in across.items()}
    y = {id(node): 26 + 62 * len(node.queens) for node in nodes}
    height = max(y.values()) + 60
    drawn = [f'<path d="M{x[id(node)]} {y[id(node)] + 13}L{x[id(child)]} {y[id(child)] - 13}"/>'
             for node in nodes for child in node.children]
    for node in nodes:
        here, down = x[id(node)], y[id(node)]
        half = 3.7 * len(node.label) + 5
        kind = "solution" if node.solution else "dead" if node.dead_end else "node"
        drawn.append(f'<rect class="{kind}" x="{here - half:.1f}" y="{down - 13}" '
                     f'width="{2 * half:.1f}" height="26" rx="6"/>')
        drawn.append(f'<text x="{here}" y="{down + 4}">{escape(node.label, quote=False)}</text>')
        if not node.solution:
            drawn += [f'<text class="mark" x="{here}" y="{down + 27 + 12 * k}">{mark}</text>'
                      for k, mark in enumerate(node.marks)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {leaves * width:.0f} {height}" '
            f'width="{leaves * width:.0f}" height="{height}"><style>{STYLE}</style>\n'
            + "\n".join(drawn) + "\n</svg>\n")


@dataclass
class Visits:
    """The nodes that a search visits, in its order.

    Attributes
    ----------
    accepted, tried
        the nodes; those that are accepted are tried, too.
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
class TreeComparison:
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

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        both = self.a, self.b
        return {
            "algorithms": [each.algorithm for each in both], "accepted": self.accepted,
            "tried": self.tried, "first": self.first,
            "levels": [{"level": level, "nodes": [one, other], "both": shared,
                        "repeated": [each.repeated[level] for each in both]}
                       for level, (one, other, shared) in enumerate(self.levels)],
            "counters": [each.counters for each in both]}


def compare_visits(a: Visits, b: Visits) -> TreeComparison:
    """Return how the nodes of two searches in the same instance lie to each other.

    >>> from nqbench.problems.instances import Board, find
    >>> two = [visit(Board(6), find(name)) for name in ("forward_checking", "row_by_row")]
    >>> found = compare_visits(*two)
    >>> found.accepted, found.levels[3]
    ('within', (32, 36, 32))
    """
    both = a.accepted.keys() & b.accepted.keys()
    one, other, shared = (Counter(map(len, nodes)) for nodes in (a.accepted, b.accepted, both))
    first_a, first_b = (next((queens for node, queens in each.accepted.items()
                              if node not in both), None) for each in (a, b))
    return TreeComparison(a, b, relate(a, b, "accepted"), relate(a, b, "tried"), (first_a, first_b),
                          [(one[level], other[level], shared[level])
                           for level in range(len(a.repeated))])


def relate(a: Visits, b: Visits, kind: str) -> str:
    """Return how the nodes of one search lie to those of another."""
    if a.gave_up or b.gave_up:
        return "unknown"
    one, other = getattr(a, kind).keys(), getattr(b, kind).keys()
    return RELATIONS[one <= other, other <= one]

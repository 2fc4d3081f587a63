"""The commands `trace` and `tree`: a search step by step, and its tree; and what they have in
common with those of the same names for instances.
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from itertools import count as count_from
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from nqbench import costs
from nqbench._text import printable
from nqbench.algorithms import find
from nqbench.cli.shared import (
    Size,
    allow,
    command,
    emitting,
    example,
    json_option,
    n_argument,
    require_out,
    tree_option,
    write_out,
    yes_option,
)
from nqbench.cli.terminal import progress, waiting
from nqbench.errors import InvalidValueError

if TYPE_CHECKING:
    from nqbench.instances import Board
    from nqbench.traces.tracing import Event, Traced
    from nqbench.traces.tree import Node

CELL_SECONDS, CELL = 1e-7, 100.0  # seconds and bytes of a row in a printed step
limit_option = click.option("--limit", type=Size("--limit", least=1), metavar="K",
                            help="Stop at the K-th placement reached. Default: 1.")
all_option = click.option("--all", "whole_search", is_flag=True, help="Show the whole search.")


@command(epilog=example("nqbench trace 4", "nqbench trace 6 -a probe_stack --all"))
@n_argument
@tree_option
@limit_option
@all_option
@yes_option
@json_option
def trace(n: int, algorithm: str, limit: int | None, whole_search: bool, yes: bool,
          as_json: bool) -> None:
    """Show a search step by step: place, conflict, back.

    The running algorithm reports its steps in its own order. Rows and columns count from 1;
    in the JSON they count from 0.
    """
    from nqbench.traces.tracing import Trace, follow

    limit = choose_limit(limit, whole_search)
    chosen = find(algorithm)
    chosen.follow(n, Trace(0, print))  # raises for what has no tree, and begins nothing
    predicted = None
    if whole_search:
        predicted = costs.predict_seconds(chosen, n, lambda m: follow(
            m, chosen, Trace(m, partial(format_line, m))))
    # A placement takes n steps or more, and each is printed with all rows.
    announced = allow(max(predicted or 0.0, CELL_SECONDS * n * n), yes, CELL * n)
    terminal = sys.stdout.isatty()
    with waiting(f"{n} queens, {chosen.name}", predicted, announced, bar=not terminal) as stop:
        print_events(n, chosen, limit, as_json, stop if terminal else bool)


def choose_limit(limit: int | None, whole_search: bool) -> int | None:
    """Return at which placement a trace stops, None for never, from --limit and --all."""
    if whole_search and limit is not None:
        raise InvalidValueError(f"--limit {limit} and --all exclude each other; give one of them")
    return None if whole_search else limit or 1


def print_events(n: "int | Board", algorithm: "Traced", limit: int | None, as_json: bool,
                 stop: Callable[[], object] = bool, **allowed: Any) -> str | None:
    """Print the events of a search for n queens or in an instance as they come; return why it ended
    before its time.

    `stop` is called when a line has been printed; `allowed` are the bounds of a `Trace`.
    """
    from nqbench.tally import GaveUpError
    from nqbench.traces.tracing import Trace, follow

    def run(receive: Callable[["Event"], object]) -> str | None:
        try:
            follow(n, algorithm, Trace(n, receive, **allowed), limit)
        except GaveUpError as error:
            return str(error)
        return None

    number = count_from(1)

    def show(event: "Event") -> None:
        click.echo(f"{next(number):5}  {format_line(n, event)}")
        stop()

    if not as_json:
        return run(show)
    problem = {"n": n} if isinstance(n, int) else {"instance": n.as_json()}
    with emitting({**problem, "algorithm": algorithm.name, "limit": limit}, "steps") as add:
        return run(lambda event: add({"kind": event.kind, "square": event.square,
                                      "queens": event.queens, "attackers": event.attackers}))


def format_line(n: "int | Board", event: "Event") -> str:
    """Return the queens and the description of an event, in one line."""
    from nqbench.traces.tree import Node

    node = (Node(n, event.queens) if isinstance(n, int)
            else Node(n.n, event.queens, given=n.placed))
    return f"{node.label}  {describe_event(n, event)}"


def describe_event(n: "int | Board", event: "Event") -> str:
    """Return an event of a search for n queens or in an instance in words.

    >>> from nqbench.traces.tracing import collect_events
    >>> describe_event(6, collect_events(6, "forward_checking")[3])
    'conflict: row 4, column 2 leaves no free square in row 6'
    """
    from nqbench.traces.tracing import find_emptied_row

    if event.square is None:
        return event.kind
    row, column = event.square
    text = f"{event.kind}: row {row + 1}, column {column + 1}"
    if event.kind == "place":
        return text
    attackers = ", ".join(f"row {r + 1}" for r, _ in event.attackers)
    if attackers:
        return f"{text} is attacked from {attackers}"
    if not isinstance(n, int) and (row, column) in n.blocked:
        return f"{text} is blocked"
    if not isinstance(n, int) and (row + column in n.sums or row - column in n.differences):
        return f"{text} is on an excluded diagonal"
    empty = find_emptied_row(n, event.queens, event.square)
    return f"{text} is left out" if empty is None else (
        f"{text} leaves no free square in row {empty + 1}")


WHOLE_TREE = 6  # up to this n the complete tree is shown
CUT = 2
DRAWINGS = (".txt", ".dot", ".svg")
Drawing = tuple[str, int]  # and the number of its nodes
depth_option = click.option("--depth", type=Size("--depth"), metavar="D", help="Cut below D "
                            f"queens. Default: no cut up to {WHOLE_TREE} queens, else {CUT}.")
out_option = click.option("--out", metavar="FILE", help="Write FILE, a name that ends in .txt, "
                          ".dot (Graphviz) or .svg.")


@command(epilog=example("nqbench tree 4", "nqbench tree 5 -a bitmask --out tree.svg",
                        "nqbench tree 10 --depth 1"))
@n_argument
@tree_option
@depth_option
@out_option
@yes_option
@json_option
def tree(n: int, algorithm: str, depth: int | None, out: str | None, yes: bool,
         as_json: bool) -> None:
    """Show the search tree.

    (2 4 * *) has queens in columns 2 and 4 of the first two rows. Columns count from 1, and in the
    JSON from 0. B marks a dead end, where the search backtracks. The nodes are in the order in
    which the running algorithm makes them. Nodes that are cut off are counted.
    """
    from nqbench.traces import tree as trees

    kind = choose_drawing(out)
    depth = choose_depth(n, depth)
    chosen = find(algorithm)

    def draw(m: int, show: Callable[[int], object] = bool) -> Drawing:
        return draw_tree(trees.grow(m, chosen, depth, show), kind,
                         {"n": n, "algorithm": chosen.name, "depth": depth} if as_json else None)

    predicted = costs.predict_seconds(chosen, n, draw)
    announced = allow(predicted, yes, costs.tree_size(n, depth) if chosen.exhaustive else 0.0)
    with progress(n, announced) as show:
        drawing = draw(n, lambda children: show("searching", children - 1))
    print_drawing(drawing, None if as_json else out)


def choose_drawing(out: str | None) -> str:
    """Return the suffix of the file that --out names; raise if there is no such drawing."""
    kind = PurePath(out).suffix if out is not None else ".txt"
    if kind not in DRAWINGS:
        raise InvalidValueError(f"--out must end in {', '.join(DRAWINGS)}, not {out!r}")
    require_out("--out", out)
    return kind


def choose_depth(levels: int, depth: int | None) -> int:
    """Return the number of queens below which a tree with these levels is cut."""
    if depth is not None:
        return depth
    return levels if levels <= WHOLE_TREE else CUT


def draw_tree(root: "Node", kind: str, head: dict[str, Any] | None) -> Drawing:
    """Return a tree as a drawing, or as JSON that begins with `head`, and its number of nodes."""
    from nqbench.traces import tree as trees

    nodes = list(root.walk())
    if head is not None:
        return json.dumps({**head, "nodes": [
            {"queens": node.queens, "solution": node.solution, "dead_end": node.dead_end,
             "nodes_below": node.nodes, "solutions_below": node.solutions,
             "dead_ends_below": node.dead_ends} for node in nodes]}) + "\n", len(nodes)
    if kind == ".svg":
        return trees.svg(root), len(nodes)
    return "\n".join((trees.dot if kind == ".dot" else trees.text)(root)) + "\n", len(nodes)


def print_drawing(drawing: Drawing, out: str | None) -> None:
    """Print a drawing, or write it to the file that --out names."""
    text, nodes = drawing
    if out is None:
        click.echo(text, nl=False)
        return
    write_out("--out", out, text)
    click.echo(f"{nodes:,} nodes in {printable(out)}")

"""The commands `trace` and `tree`: a search step by step, and its tree."""

import json
import sys
from collections.abc import Callable
from functools import partial
from itertools import count as count_from
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from nqbench import costs
from nqbench._files import FULL, write_whole
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
    tree_option,
    yes_option,
)
from nqbench.cli.terminal import progress, waiting
from nqbench.errors import InvalidValueError

if TYPE_CHECKING:
    from nqbench.traces.tracing import Event


@command(epilog=example("nqbench trace 4", "nqbench trace 6 -a probe_stack --all"))
@n_argument
@tree_option
@click.option("--limit", type=Size("--limit", least=1), metavar="K",
              help="Stop at the K-th placement reached. Default: 1.")
@click.option("--all", "whole_search", is_flag=True, help="Show the whole search.")
@yes_option
@json_option
def trace(n: int, algorithm: str, limit: int | None, whole_search: bool, yes: bool,
          as_json: bool) -> None:
    """Show a search step by step: place, conflict, back.

    The running algorithm reports its steps in its own order. Rows and columns count from 1, as
    in the figures of the textbooks; in the JSON they count from 0.
    """
    from nqbench.traces.tracing import Trace, follow
    from nqbench.traces.tree import Node

    if whole_search and limit is not None:
        raise InvalidValueError(f"--limit {limit} and --all exclude each other; give one of them")
    limit = None if whole_search else limit or 1
    chosen = find(algorithm)
    chosen.follow(n, Trace(n, print))  # raises for what has no tree

    def format_line(m: int, event: "Event") -> str:
        return f"{Node(m, event.queens).label}  {describe_event(event)}"

    predicted = None
    if whole_search:
        predicted = costs.predict_seconds(chosen, n, lambda m: follow(
            m, chosen, Trace(m, partial(format_line, m))))
    announced = allow(predicted, yes)
    terminal = sys.stdout.isatty()
    with waiting(f"{n} queens, {chosen.name}", predicted, announced, bar=not terminal) as stop:
        if as_json:
            with emitting({"n": n, "algorithm": chosen.name, "limit": limit}, "steps") as add:
                follow(n, chosen, Trace(n, lambda event: add(
                    {"kind": event.kind, "square": event.square, "queens": event.queens,
                     "attackers": event.attackers})), limit)
            return
        number = count_from(1)

        def show(event: "Event") -> None:
            click.echo(f"{next(number):5}  {format_line(n, event)}")
            if terminal:
                stop()

        follow(n, chosen, Trace(n, show), limit)


def describe_event(event: "Event") -> str:
    """Return an event in words."""
    if event.square is None:
        return event.kind
    row, column = event.square
    text = f"{event.kind}: row {row + 1}, column {column + 1}"
    if event.kind == "place":
        return text
    attackers = ", ".join(f"row {r + 1}" for r, _ in event.attackers)
    return text + (f" is attacked from {attackers}" if attackers else " is left out")


WHOLE_TREE = 6  # up to this n the complete tree is shown
CUT = 2
DRAWINGS = (".txt", ".dot", ".svg")


@command(epilog=example("nqbench tree 4", "nqbench tree 5 -a bitmask --out tree.svg",
                        "nqbench tree 10 --depth 1"))
@n_argument
@tree_option
@click.option("--depth", type=Size("--depth"), metavar="D",
              help=f"Cut below D queens. Default: no cut up to n = {WHOLE_TREE}, else {CUT}.")
@click.option("--out", metavar="FILE",
              help="Write FILE, a name that ends in .txt, .dot (Graphviz) or .svg.")
@yes_option
@json_option
def tree(n: int, algorithm: str, depth: int | None, out: str | None, yes: bool,
         as_json: bool) -> None:
    """Show the search tree.

    (2 4 * *) has queens in columns 2 and 4 of the first two rows. B marks a dead end, where the
    search backtracks. The nodes stand in the order in which the running algorithm makes them;
    nodes that are cut off are counted.
    """
    from nqbench.traces import tree as trees

    kind = PurePath(out).suffix if out is not None else ".txt"
    if kind not in DRAWINGS:
        raise InvalidValueError(f"--out must end in {', '.join(DRAWINGS)}, not {out!r}")
    if depth is None:
        depth = n if n <= WHOLE_TREE else CUT
    nodes = 0
    chosen = find(algorithm)

    def draw(m: int, show: Callable[[int], object] = bool) -> str:
        nonlocal nodes
        root = trees.grow(m, chosen, depth, show)
        nodes = sum(1 for _ in root.walk())
        if as_json:
            return json.dumps({"n": n, "algorithm": chosen.name, "depth": depth, "nodes": [
                {"queens": node.queens, "solution": node.solution, "dead_end": node.dead_end,
                 "nodes_below": node.nodes, "solutions_below": node.solutions,
                 "dead_ends_below": node.dead_ends} for node in root.walk()]}) + "\n"
        if kind == ".svg":
            return trees.svg(root)
        return "\n".join((trees.dot if kind == ".dot" else trees.text)(root)) + "\n"

    predicted = costs.predict_seconds(chosen, n, draw)
    announced = allow(predicted, yes, costs.tree_size(n, depth) if chosen.exhaustive else 0.0)
    with progress(n, announced) as show:
        drawing = draw(n, lambda children: show("searching", children - 1))
    if out is None or as_json:
        click.echo(drawing, nl=False)
    else:
        try:
            write_whole(Path(out), drawing)
        except OSError as error:
            if error.errno in FULL:
                raise
            raise InvalidValueError(
                f"--out must be a file that can be written, not {out!r} "
                f"({error.strerror})") from None
        click.echo(f"{nodes:,} nodes in {printable(out)}")

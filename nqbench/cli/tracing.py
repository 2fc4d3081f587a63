"""The commands `nqbench trace` and `nqbench tree`: a search step by step, and its tree."""

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
    from nqbench.traces.tracing import Step

@command(epilog=example("nqbench trace 4", "nqbench trace 6 -a probe_stack --all"))
@n_argument
@tree_option
@click.option("--limit", type=Size("--limit", least=1), metavar="K",
              help="Stop at the K-th placement reached, by default at the first.")
@click.option("--all", "whole_search", is_flag=True, help="Go on to the end.")
@yes_option
@json_option
def trace(n: int, algorithm: str, limit: int | None, whole_search: bool, yes: bool,
          as_json: bool) -> None:
    """Show the search step by step: place, conflict, back.

    Taken from the running algorithm, in its own order. Rows and columns count from 1 here,
    as in the figures of the textbooks; in the JSON from 0.
    """
    from nqbench.traces.tracing import Trace, follow
    from nqbench.traces.tree import Node

    if whole_search and limit is not None:
        raise InvalidValueError(f"--limit {limit} and --all exclude one another")
    limit = None if whole_search else limit or 1
    chosen = find(algorithm)
    chosen.follow(n, Trace(n, print))  # raises for what has no tree

    def line(m: int, step: "Step") -> str:
        return f"{Node(m, step.queens).label}  {describe_step(step)}"

    predicted = None
    if whole_search:
        predicted = costs.seconds(chosen, n, lambda m: follow(
            m, algorithm, Trace(m, partial(line, m))))
    announced = allow(predicted, yes)
    shown = sys.stdout.isatty()
    with waiting(f"{n} queens, {algorithm}", predicted, announced, bar=not shown) as seen:
        if as_json:
            with emitting({"n": n, "algorithm": algorithm, "limit": limit}, "steps") as add:
                follow(n, algorithm, Trace(n, lambda step: add(
                    {"kind": step.kind, "square": step.square, "queens": step.queens,
                     "attackers": step.attackers})), limit)
            return
        number = count_from(1)

        def show(step: "Step") -> None:
            click.echo(f"{next(number):5}  {line(n, step)}")
            if shown:
                seen()

        follow(n, algorithm, Trace(n, show), limit)


def describe_step(step: "Step") -> str:
    """Return a step in words."""
    if step.square is None:
        return step.kind
    row, column = step.square
    text = f"{step.kind}: row {row + 1}, column {column + 1}"
    if step.kind == "place":
        return text
    attackers = ", ".join(f"row {r + 1}" for r, _ in step.attackers)
    return text + (f" is attacked from {attackers}" if attackers else " is left out")


WHOLE_TREE = 6  # up to this n a tree is shown whole
CUT = 2
DRAWINGS = (".txt", ".dot", ".svg")


@command(epilog=example("nqbench tree 4", "nqbench tree 5 -a bitmask --out tree.svg",
                            "nqbench tree 10 --depth 1"))
@n_argument
@tree_option
@click.option("--depth", type=Size("--depth"), metavar="D",
              help=f"Cut below D queens, by default below {CUT} from n = {WHOLE_TREE + 1} on.")
@click.option("--out", metavar="FILE", help="Write FILE.txt, .dot (Graphviz) or .svg.")
@yes_option
@json_option
def tree(n: int, algorithm: str, depth: int | None, out: str | None, yes: bool,
         as_json: bool) -> None:
    """Show the search tree: (2 4 * *) has queens in columns 2 and 4 of the first two rows.

    B marks a dead end, where the search backtracks. The nodes stand in the order in which
    the running algorithm makes them; what is cut off is counted.
    """
    from nqbench.traces import tree as trees

    kind = PurePath(out).suffix if out is not None else ".txt"
    if kind not in DRAWINGS:
        raise InvalidValueError(f"--out must end in {', '.join(DRAWINGS)}, not {out!r}")
    if depth is None:
        depth = n if n <= WHOLE_TREE else CUT
    made = 0

    def drawn(m: int, show: Callable[[int], object] = bool) -> str:
        nonlocal made
        root = trees.grow(m, algorithm, depth, show)
        made = sum(1 for _ in root.walk())
        if as_json:
            return json.dumps({"n": n, "algorithm": algorithm, "depth": depth, "nodes": [
                {"queens": node.queens, "solution": node.solution, "dead_end": node.dead_end,
                 "nodes_below": node.nodes, "solutions_below": node.solutions,
                 "dead_ends_below": node.dead_ends} for node in root.walk()]}) + "\n"
        if kind == ".svg":
            return trees.svg(root)
        return "\n".join((trees.dot if kind == ".dot" else trees.text)(root)) + "\n"

    chosen = find(algorithm)
    predicted = costs.seconds(chosen, n, drawn)
    announced = allow(predicted, yes, costs.tree_size(n, depth) if chosen.exhaustive else 0.0)
    with progress(n, announced) as show:
        drawing = drawn(n, lambda children: show("searching", children - 1))
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
        click.echo(f"{made:,} nodes in {printable(out)}")

"""The commands `nqbench instances trace` and `tree`: a search step by step, and its tree."""

import sys
from itertools import islice
from typing import NoReturn

from nqbench.cli.boards import (
    algorithm_option,
    backtracks_option,
    budget_option,
    file_argument,
    nodes_option,
    stream_boards,
)
from nqbench.cli.shared import command, example, json_option, say
from nqbench.cli.tracing import (
    all_option,
    choose_depth,
    choose_drawing,
    choose_limit,
    depth_option,
    draw_tree,
    limit_option,
    out_option,
    print_drawing,
    print_events,
)
from nqbench.errors import InvalidValueError
from nqbench.instances import Board, find


def read_one(file: str) -> Board:
    """Return the only instance that FILE names; its queens must not attack each other."""
    board, *more = islice(stream_boards(file), 2)
    if more:
        raise InvalidValueError(f"{file} holds more than one instance; give one of them")
    return board


def end(gave_up: str | None) -> NoReturn:
    """Exit with 0, or say why a search gave up and exit with 1."""
    if gave_up:
        say(gave_up)
    sys.exit(1 if gave_up else 0)


@command(epilog=example(
    "nqbench instances trace 'n=6 placed=0:1' -a forward_checking"))
@file_argument
@algorithm_option
@limit_option
@all_option
@budget_option
@nodes_option
@backtracks_option
@json_option
def trace(file: str, algorithm: str, limit: int | None, whole_search: bool, budget: float,
          nodes: int | None, backtracks: int | None, as_json: bool) -> None:
    """Show a search in an instance step by step: place, conflict, back, restart.

    Columns of placed queens are in brackets. Rows and columns count from 1, as in `nqbench trace`;
    in the JSON they count from 0. Exit status 1 if the search gave up.
    """
    end(print_events(read_one(file), find(algorithm), choose_limit(limit, whole_search), as_json,
                     nodes_allowed=nodes, seconds_allowed=budget, backtracks_allowed=backtracks))


@command(epilog=example(
    "nqbench instances tree 'n=6 placed=0:1' -a fewest_rows --out tree.svg"))
@file_argument
@algorithm_option
@depth_option
@out_option
@budget_option
@nodes_option
@backtracks_option
@json_option
def tree(file: str, algorithm: str, depth: int | None, out: str | None, budget: float,
         nodes: int | None, backtracks: int | None, as_json: bool) -> None:
    """Show the tree of a search in an instance, as `nqbench tree` does.

    ([2] 4 * *) has a placed queen in column 2 of the first row. The runs of a search with restarts
    share the root. If the search gave up, the tree has the nodes up to that point, and the exit
    status is 1.
    """
    from nqbench.traces.tree import grow

    board, kind = read_one(file), choose_drawing(out)
    depth = choose_depth(len(board.open_rows), depth)
    search = find(algorithm)
    root = grow(board, search, depth, nodes_allowed=nodes, seconds_allowed=budget,
                backtracks_allowed=backtracks)
    head = {"instance": board.as_json(), "algorithm": search.name, "depth": depth}
    print_drawing(draw_tree(root, kind, head if as_json else None), None if as_json else out)
    end(root.gave_up)

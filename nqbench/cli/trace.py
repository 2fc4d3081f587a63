"""The commands `trace`, `play` and `lab`: a search step by step, its tree, the page that plays it,
and the lab, where a browser runs it.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import count as count_from
from pathlib import Path, PurePath
from tempfile import mkdtemp
from typing import Any

import click

from nqbench.cli import options
from nqbench.cli.problems import Asked, instance_argument, require_text, verb
from nqbench.cli.terminal import browse, echo, emit, emitting, printing, progress, say, table
from nqbench.errors import InvalidValueError
from nqbench.explain import tree as trees
from nqbench.explain.recordings import MOST_EVENTS, MOST_PUZZLE_EVENTS
from nqbench.explain.trace import Event, Trace, Traced, count_levels, find_emptied_row, follow
from nqbench.problems import queens
from nqbench.problems.forecast import nodes as predict_nodes
from nqbench.problems.instances import Board
from nqbench.problems.instances.board import FOUND, squares
from nqbench.problems.queens import Tree
from nqbench.problems.sudoku import Grid
from nqbench.search.tally import GaveUpError
from nqbench.util.text import format_count, plural, printable

WHOLE_TREE = 6  # up to this n the complete tree is shown
CUT = 2
DRAWINGS = (".txt", ".svg")
PAGE = 1000  # steps that are shown, unless more are asked for
MOST_NODES = 2_000_000  # of a tree that is drawn: each takes about a kilobyte
DEFAULT_SEARCH = {"queens": "iterative", "instances": "fewest_lines", "sudoku": "fewest_first"}
BOARD = "8"  # of `play`, without an instance
BUILT = "build/lab"  # the folder that `make lab` writes
HERE = "127.0.0.1"
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}
# How the nodes of two searches lie to each other.
WORDS = {"same": "{0} and {1} visit the same", "within": "{1} visits all that {0} does, and more",
         "contains": "{0} visits all that {1} does, and more",
         "neither": "each visits some that the other does not",
         "unknown": "not known, as a search gave up"}


@verb(takes=("queens", "instances"), examples=[
    "nqbench trace 4", "nqbench trace 6 -a probe_stack --all",
    "nqbench trace 'n=6 placed=0:1' -a forward_checking",
    "nqbench trace 5 -a bitmask --tree --out tree.svg",
    "nqbench trace 'n=7 placed=0:2' -a conflict_backjumping -a forward_checking"])
@instance_argument
@options.algorithm("Default: iterative, or fewest_lines for an instance. If it is given twice, the "
                   "trees of both are compared.", "names", multiple=True)
@options.number("--limit", least=1, metavar="K",
                help="Stop at the K-th placement reached. Default: at the first one, or after "
                     f"{PAGE:,} steps.")
@click.option("--all", "whole_search", is_flag=True, help="Show the whole search.")
@click.option("--tree", is_flag=True, help="Show the search tree instead.")
@options.number("--depth", metavar="D", help="Cut the tree below D queens. Default: no cut up to "
                f"{WHOLE_TREE} queens, else {CUT}.")
@click.option("--out", metavar="FILE",
              help="Write the tree to FILE, a name that ends in .txt or .svg.")
@options.bounded
@options.json
def trace(asked: Asked, names: tuple[str, ...], limit: int | None, whole_search: bool, tree: bool,
          depth: int | None, out: str | None, bounds: dict[str, Any], as_json: bool) -> None:
    """Show a search step by step, its tree, or how two trees differ.

    The running algorithm reports its steps in its own order: place, conflict, back; some restart.
    Columns of placed queens are in brackets. Rows and columns count from 1; in the JSON they count
    from 0. Exit status 1 if a search gave up.

    In the tree, (2 4 * *) has queens in columns 2 and 4 of the first two rows. B marks a dead end,
    where the search backtracks. The nodes are in the order in which the search makes them; its runs
    share the root if it restarts. Nodes that are cut off are counted.

    Two trees, of searches for all solutions, are compared as sets of nodes. A node is a set of
    queens. It is tried if the square of its last queen is tested, and accepted if the search goes
    on from there. The first node of each that the other does not accept is drawn. A repeated node
    has the same free squares below as an earlier one of its level. For N queens, an algorithm for
    instances searches the empty board.
    """
    if len(names) > 1:
        options.require_only("with two algorithms", "names seconds nodes backtracks as_json")
        require_at_most_two(names, "a comparison")
        compare_trees(asked, names, bounds, as_json)
        return
    bounds = {} if asked.is_queens else bounds
    n = asked.one()
    chosen = asked.problem.find(names[0] if names else DEFAULT_SEARCH[asked.problem.name])
    if tree:
        options.require_only("with --tree", "names tree depth out seconds nodes backtracks as_json")
        show_tree(n, chosen, depth, out, bounds, as_json)
        return
    options.require_only("without --tree",
                         "names limit whole_search seconds nodes backtracks as_json")
    if whole_search and limit is not None:
        raise InvalidValueError(f"--limit {limit} and --all exclude each other; give one of them")
    chosen.follow(n, Trace(0, print))  # raises for what has no tree, and begins nothing
    with printing(f"{asked.problem.size(n)} queens, {chosen.name}") as stop:
        page = None if whole_search or limit is not None or as_json else PAGE
        end(print_events(n, chosen, None if whole_search else limit or 1, as_json,
                         stop, page, **allowed(bounds)))


def require_at_most_two(names: Sequence[str], what: str) -> None:
    """Reject more than two algorithms."""
    if len(names) > 2:
        raise InvalidValueError(f"-a may be given twice at most, for {what} of two, not "
                                f"{len(names)} times")


def allowed(bounds: Mapping[str, Any]) -> dict[str, Any]:
    """Return the bounds of a `Trace`."""
    return {f"{name}_allowed": most for name, most in bounds.items()}


def end(gave_up: str | None) -> None:
    """If a search gave up, say why and exit with 1."""
    if gave_up:
        say(gave_up)
        sys.exit(1)


class PageEnd(Exception):  # noqa: N818 - nothing is wrong
    """A page of steps is full."""


def print_events(n: int | Board, algorithm: Traced, limit: int | None, as_json: bool,
                 stop: Callable[[], object] = bool, page: int | None = None,
                 **allowed: Any) -> str | None:
    """Print the events of a search for n queens or in an instance as they come, at most a page of
    them; return why it ended before its time.

    `stop` is called when a line has been printed; `allowed` are the bounds of a `Trace`.
    """
    def run(receive: Callable[[Event], object]) -> str | None:
        try:
            follow(n, algorithm, Trace(n, receive, **allowed), limit)
        except GaveUpError as error:
            return str(error)
        except PageEnd:
            say(f"stopped after {page:,} steps; --all shows the whole search, --limit 1 all up to "
                "the first placement")
        return None

    number = count_from(1)

    def show(event: Event) -> None:
        step = next(number)
        if page is not None and step > page:
            raise PageEnd
        echo(f"{step:5}  {format_line(n, event)}")
        stop()

    if not as_json:
        return run(show)
    with emitting({**head(n), "algorithm": algorithm.name, "limit": limit}, "steps") as add:
        return run(lambda event: add({"kind": event.kind, "square": event.square,
                                      "queens": event.queens, "attackers": event.attackers,
                                      **({"rule": event.rule} if event.rule else {})}))


def format_line(n: int | Board, event: Event) -> str:
    """Return the queens and the description of an event, in one line."""
    node = (trees.Node(n, event.queens) if isinstance(n, int)
            else trees.Node(n.n, event.queens, given=n.placed))
    return f"{node.label}  {describe_event(n, event)}"


def describe_event(n: int | Board, event: Event) -> str:
    """Return an event of a search for n queens or in an instance in words.

    >>> from nqbench.explain.trace import collect_events
    >>> describe_event(6, collect_events(6, "forward_checking")[3])
    'conflict: row 4, column 2 leaves no free square in row 6 (rule wiped_out)'
    """
    if event.square is None:
        return event.kind
    row, column = event.square
    text = f"{event.kind}: row {row + 1}, column {column + 1}"
    if event.kind == "place":
        return text
    if event.rule:
        return f"{describe_event(n, replace(event, rule=''))} (rule {event.rule})"
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


def compare_trees(asked: Asked, names: Sequence[str], bounds: dict[str, Any],
                  as_json: bool) -> None:
    """Print how the nodes of two searches lie to each other."""
    n = asked.one()
    found = trees.compare_visits(*(
        trees.visit(*find_for(asked, n, name), **allowed(bounds)) for name in names))
    if as_json:
        emit({**head(n), **found.as_dict()})
    else:
        print_trees(n if isinstance(n, Board) else Board(n), found)
    end(found.a.gave_up or found.b.gave_up)


def print_trees(board: Board, found: trees.TreeComparison) -> None:
    """Print how the nodes lie to each other, by level, the counters, and where they part."""
    both = found.a, found.b
    names = [each.algorithm for each in both]
    for kind in ("accepted", "tried"):
        many = " and ".join(f"{len(getattr(each, kind)):,}" for each in both)
        echo(f"{kind}: {WORDS[getattr(found, kind)].format(*names)} ({many} nodes)")
    columns = ["level", *names, "both", *[f"repeated by {name}" for name in names]]
    table("nodes that are accepted, by level", columns, [
        (level, f"{one:,}", f"{other:,}", f"{shared:,}",
         *(f"{each.repeated[level]:,}" for each in both))
        for level, (one, other, shared) in enumerate(found.levels)], columns)
    counted = dict.fromkeys(name for each in both for name, value in each.counters.items()
                            if not isinstance(value, list))
    table("counters", ["counter", *names], [
        (name, *(format_count(each.counters.get(name)) for each in both)) for name in counted],
          names)
    for name, other, placed in zip(names, names[::-1], found.first, strict=True):
        if placed is not None:
            drawn = [[*line] for line in squares(board)]
            for row, column in placed:
                drawn[row][column] = FOUND
            echo(f"\nthe first node of {name} that {other} does not accept:")
            echo("\n".join(map(" ".join, drawn)))


def find_for(asked: Asked, n: int | Board, name: str) -> tuple[int | Board, Traced]:
    """Return what an algorithm searches, and the algorithm: one of queens also the empty board."""
    try:
        return n, asked.problem.find(name)
    except InvalidValueError:
        with suppress(InvalidValueError):
            if isinstance(n, Board) and n == Board(n.n):
                return n.n, queens.find(name)
        raise


def head(n: int | Board) -> dict[str, Any]:
    """Return what was searched, for JSON.

    >>> head(8)
    {'n': 8}
    """
    return {"n": n} if isinstance(n, int) else {"instance": n.as_json()}


def show_tree(n: int | Board, chosen: Any, depth: int | None, out: str | None,
              bounds: dict[str, Any], as_json: bool) -> None:
    """Print or write a search tree, as far as the search went."""
    kind = PurePath(out).suffix if out is not None else ".txt"
    if kind not in DRAWINGS:
        raise InvalidValueError(f"--out must end in {' or '.join(DRAWINGS)}, not {out!r}")
    options.require_out("--out", out)
    levels = count_levels(n)
    depth = (levels if levels <= WHOLE_TREE else CUT) if depth is None else depth
    if isinstance(n, int) and chosen.exhaustive and predict_nodes(n, depth) > MOST_NODES:
        raise InvalidValueError(f"the tree would have more than {MOST_NODES:,} nodes; take a "
                                "smaller --depth, or --nodes for an instance such as n=20")
    with progress(levels) as show:
        root = trees.grow(n, chosen, depth, lambda children: show("searching", children - 1),
                          **allowed(bounds))
        text = "" if as_json and out is None else (
            trees.svg(root) if kind == ".svg" else "\n".join(trees.text(root)) + "\n")
    if out is not None:
        options.write_out("--out", out, text)
    if as_json:
        with emitting({**head(n), "algorithm": chosen.name, "depth": depth}, "nodes") as add:
            for node in root.walk():
                add({"queens": node.queens, "solution": node.solution, "dead_end": node.dead_end,
                     "nodes_below": node.nodes, "solutions_below": node.solutions,
                     "dead_ends_below": node.dead_ends})
    elif out is None:
        echo(text, nl=False)
    else:
        echo(f"{sum(1 for _ in root.walk()):,} nodes in {printable(out)}")
    if kind == ".txt" and not root.gave_up and "  B\n" in text:
        say("B is a dead end, where the search backtracks")
    end(root.gave_up)


@verb(takes=tuple(DEFAULT_SEARCH), examples=[
    "nqbench play 8 -a iterative -a bitmask", "nqbench play 'n=8 placed=0:0' --out play.html",
    "nqbench play puzzle.txt -a textbook -a fewest_first"])
@click.argument("asked", callback=require_text, metavar="[INSTANCE]", default=BOARD)
@options.algorithm("May be given twice, for a race. Default: all, to choose on the page.", "names",
                   multiple=True)
@click.option("--out", metavar="FILE", help="Write the page to FILE, instead of opening it.")
@options.json
def play(asked: Asked, names: tuple[str, ...], out: str | None, as_json: bool) -> None:
    """Play a search on a board in the browser, or a race of two.

    The page is one file, which needs no network and no study. N is 8 by default, and at most 10, as
    in instances. A recording is cut after 20,000 steps, or 50,000 for a puzzle, and the page says
    so.
    """
    from nqbench.cli.study import open_page
    from nqbench.report import player
    from nqbench.report.page import play_page

    require_at_most_two(names, "a race")
    options.require_out("--out", out)
    instance, problem = asked.one(), asked.problem
    algorithms: list[Any] = [problem.find(name) for name in names]
    shown = [algorithm.name for algorithm in algorithms] or [DEFAULT_SEARCH[problem.name]]
    if instance == 0:
        raise InvalidValueError("N must be a whole number, 1 or more, not '0'")
    every: list[Any] = algorithms or player.watchable() if asked.is_queens else algorithms or [
        each for each in problem.catalogue.values() if each.search and each.tree != Tree.NONE]
    if problem.name == "sudoku":
        instance, most, title = Grid(instance), MOST_PUZZLE_EVENTS, "Sudoku"
    else:
        most, title = MOST_EVENTS, (f"{instance} {plural(instance, 'queen')}" if asked.is_queens
                                    else problem.text(instance))
    page = play_page(f"{title}: {' against '.join(shown) if names else 'watch the search'}",
                     player.recordings_of(instance, every, shown), most)
    file = Path(mkdtemp(prefix="nqbench-")) / "play.html" if out is None else Path(out)
    options.write_out("--out", str(file) if out is None else out, page)
    if as_json:
        emit({"page": str(file)})
    else:
        echo(f"the page is {printable(str(file))}")
    if out is None:
        open_page(file)


class Quiet(SimpleHTTPRequestHandler):
    """Serves the files of a folder, and nothing that a link in it leads to, without a line for
    each, with the types that browsers insist on.
    """

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, **TYPES}  # noqa: RUF012

    def log_message(self, *_: Any) -> None:
        pass

    def handle(self) -> None:
        with suppress(ConnectionError):  # the browser has seen enough
            super().handle()

    def send_head(self) -> Any:
        try:
            path = Path(self.translate_path(self.path)).resolve()
        except ValueError:  # a byte that no name has
            return self.send_error(400)
        if not path.is_relative_to(Path(self.directory).resolve()):
            return self.send_error(404)
        return super().send_head()


@options.command(examples=["nqbench lab", "nqbench lab --port 8000 --no-browser"])
@click.argument("folder", metavar="[FOLDER]", default=BUILT)
@options.number("--port", least=0, default=0, metavar="PORT",
                help="The port. Default: a free one.")
@options.option("--host", default=HERE, metavar="ADDRESS",
                help="The address at which the lab is served, as in 0.0.0.0 for a class in one "
                     f"network. Default: {HERE}, for this machine alone.")
@click.option("--browser/--no-browser", default=True, help="Open a browser. Default: yes.")
@options.json
def lab(folder: str, port: int, host: str, browser: bool, as_json: bool) -> None:
    """Serve the lab: write, watch and race searches in a browser.

    FOLDER is what `make lab` built in a clone of the repository; an installed package does not have
    it. Any static server serves it as well, but browsers do not run it from a file. Ctrl-C ends it.
    """
    if not (Path(folder) / "nqbench.zip").is_file():
        raise InvalidValueError(
            f"there is no lab in {folder}; an installed nqbench does not have it: run `make lab` "
            f"(needs npm) in a clone of the repository, then `nqbench lab CLONE/{BUILT}`")
    if not host:
        raise InvalidValueError("--host must be an address, not ''; 0.0.0.0 is for all networks")
    try:
        server = ThreadingHTTPServer((host, port), partial(Quiet, directory=folder))
    except (OSError, OverflowError, TypeError) as error:  # TypeError: no name of a host
        raise InvalidValueError(f"port {port} of {host} cannot be used: {error}") from None
    with server:
        address = f"http://{host}:{server.server_port}/"
        if as_json:
            emit({"address": address})
        say(f"the lab is at {address}; Ctrl-C ends it")
        if host != HERE:
            say("anyone in the network of this machine can open it, at its address there; code "
                "stays in each browser")
        if browser:
            browse(address)  # which is above, if no browser can be started
        server.serve_forever()

"""The commands `play` and `sudoku play`: a page that plays recorded searches, in the browser."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp

import click

from nqbench import sudoku
from nqbench._text import printable
from nqbench.algorithms import find
from nqbench.cli.measuring import open_page
from nqbench.cli.shared import (
    NAMES,
    Size,
    command,
    example,
    require_out,
    stream_input,
    write_out,
)
from nqbench.errors import InvalidValueError
from nqbench.sudoku.reading import parse_stream

BOARD = 8  # without N
out_option = click.option("--out", metavar="FILE", help="Write the page to FILE, instead of "
                          "opening it.")


@command(epilog=example("nqbench play 8 -a iterative -a bitmask",
                        "nqbench play 6 --out play.html"))
@click.argument("n", type=Size("N", least=1), metavar="[N]", default=BOARD)
@click.option("-a", "--algorithm", "names", multiple=True, metavar="ALGORITHM",
              help=f"{NAMES} May be given twice, for a race. Default: all, to choose on the page.")
@out_option
def play(n: int, names: tuple[str, ...], out: str | None) -> None:
    """Play a search on a board in the browser, or a race of two.

    The page is one file, which needs no network and no study. N is 8 by default, and at most 10; a
    recording is cut after 20,000 steps, and the page says so.
    """
    from nqbench.report.player import recordings_of, watchable
    from nqbench.report.rendering import play_page

    require_two("-a", names)
    require_out("--out", out)
    algorithms = [find(name) for name in names] or watchable()
    shown = [algorithm.name for algorithm in algorithms] if names else ["iterative"]
    recorded = recordings_of(n, algorithms, shown)
    title = f"{n} queen{'s' * (n > 1)}: {' against '.join(shown) if names else 'watch the search'}"
    show_page(play_page(title, recorded), out)


@command(epilog=example("nqbench sudoku play puzzle.txt -a textbook -a fewest_first"))
@click.argument("file", metavar="FILE")
@click.option("-a", "--algorithm", "names", multiple=True, metavar="ALGORITHM",
              help="May be given twice, for a race. Default: all, to choose on the page.")
@out_option
def play_puzzle(file: str, names: tuple[str, ...], out: str | None) -> None:
    """Play the search for a puzzle in the browser, or a race of two.

    FILE holds one puzzle, or is the puzzle itself. A recording is cut after 50,000 steps, and the
    page says so.
    """
    from nqbench.report.player import recordings_of_puzzle
    from nqbench.report.rendering import play_page
    from nqbench.traces.puzzles import MOST_EVENTS

    require_two("-a", names)
    require_out("--out", out)
    grid, *more = islice(stream_input(file, sudoku.stream, parse_stream, "puzzle"), 2)
    if more:
        raise InvalidValueError(f"{file} holds more than one puzzle; give one of them")
    algorithms = [sudoku.find(name) for name in names] or [
        algorithm for algorithm in sudoku.catalogue().values() if algorithm.search is not None]
    shown = [algorithm.name for algorithm in algorithms] if names else ["fewest_first"]
    recorded = recordings_of_puzzle(grid, algorithms, shown)
    title = f"Sudoku: {' against '.join(shown) if names else 'watch the search'}"
    show_page(play_page(title, recorded, MOST_EVENTS), out)


def require_two(option: str, names: Sequence[str]) -> None:
    """Refuse a race of more than two."""
    if len(names) > 2:
        raise InvalidValueError(f"{option} may be given twice at most, for a race of two, "
                                f"not {len(names)} times")


def show_page(page: str, out: str | None) -> None:
    """Write a page to the file that --out names, or to a new file that the browser opens."""
    file = Path(mkdtemp(prefix="nqbench-")) / "play.html" if out is None else Path(out)
    write_out("--out", str(file) if out is None else out, page)
    click.echo(f"the page is {printable(str(file))}")
    if out is None:
        open_page(file, as_json=False)

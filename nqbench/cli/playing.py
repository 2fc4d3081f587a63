"""The command `play`: a page that plays recorded searches, opened in the browser."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp

import click

from nqbench._text import printable
from nqbench.algorithms import find
from nqbench.cli.measuring import open_page
from nqbench.cli.shared import NAMES, Size, command, example
from nqbench.cli.tracing import write_out
from nqbench.errors import InvalidValueError

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
    algorithms = [find(name) for name in names] or watchable()
    shown = [algorithm.name for algorithm in algorithms] if names else ["iterative"]
    recorded = recordings_of(n, algorithms, shown)
    title = f"{n} queen{'s' * (n > 1)}: {' against '.join(shown) if names else 'watch the search'}"
    show_page(play_page(title, recorded), out)


def require_two(option: str, names: Sequence[str]) -> None:
    """Refuse a race of more than two."""
    if len(names) > 2:
        raise InvalidValueError(f"{option} may be given twice at most, for a race of two, "
                                f"not {len(names)} times")


def show_page(page: str, out: str | None) -> None:
    """Write a page to the file that --out names, or to a new file that the browser opens."""
    file = Path(mkdtemp(prefix="nqbench-")) / "play.html" if out is None else Path(out)
    write_out(file, page)
    click.echo(f"the page is {printable(str(file))}")
    if out is None:
        open_page(file, as_json=False)

"""Define what the commands for instances of queens share: FILE, and the options of a search."""

from collections.abc import Iterator

import click

from nqbench import instances as queens
from nqbench.cli.shared import Seconds, Size, stream_input
from nqbench.instances import SECONDS, Board, catalogue
from nqbench.instances.reading import parse_stream

file_argument = click.argument("file", metavar="FILE")
algorithm_option = click.option(
    "-a", "--algorithm", default="fewest_lines", show_default=True, metavar="ALGORITHM",
    help=f"{', '.join(catalogue())}; or FILE.py, FILE.py::NAME or MODULE::NAME. Those from "
         "random_order on take a random seed, as in restarts_luby:7.")
budget_option = click.option("--budget", type=Seconds(), default=SECONDS, show_default=True,
                             metavar="SECONDS",
                             help="Give up on an instance after this time.")
nodes_option = click.option("--nodes", type=Size("--nodes", least=1), metavar="NODES",
                            help="Give up on an instance after NODES nodes. Default: no limit.")
backtracks_option = click.option("--backtracks", type=Size("--backtracks", least=1), metavar="B",
                                 help="Give up on an instance after B backtracks. "
                                      "Default: no limit.")


def stream_boards(file: str) -> Iterator[Board]:
    """Yield the instances that FILE names, as they are read."""
    return stream_input(file, queens.stream, parse_stream, "instance")

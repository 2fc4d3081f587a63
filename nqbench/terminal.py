"""Tables and progress on the terminal, by rich.

Tables go to standard output, whole also where that is no terminal; progress and
messages go to standard error.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

PATIENCE = 1.0  # seconds before a progress bar shows


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]],
          numeric: Sequence[str] = ()) -> None:
    """Print a table; columns named in `numeric` are set to the right."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 1000)
    shown = Table()
    for column in columns:
        shown.add_column(column, justify="right" if column in numeric else "left",
                         no_wrap=column in numeric)
    for row in rows:
        shown.add_row(*(Text("" if value is None else str(value)) for value in row))
    with console.capture() as text:  # rich would end the program on a closed pipe
        console.print(Text(title, style="bold"))
        console.print(shown)
    click.echo(text.get(), nl=False)


@contextmanager
def progress(total: float) -> Iterator[Callable[[str, float], None]]:
    """Show a bar on standard error once the work has taken a second.

    Yields a function (what is being done, how much is done of `total`). Nothing is
    shown where standard error is no terminal.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda what, done: None
        return
    from time import perf_counter

    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(),
                   TextColumn("gone,"), TimeRemainingColumn(), TextColumn("left"),
                   console=Console(stderr=True),
                   transient=True, auto_refresh=True)
    task = bar.add_task("", total=total)
    start = perf_counter()

    def show(what: str, done: float) -> None:
        if not bar.live.is_started and perf_counter() - start > PATIENCE:
            bar.start()
        bar.update(task, description=what, completed=done)

    try:
        yield show
    finally:
        bar.stop()

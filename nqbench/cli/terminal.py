"""What all commands print: JSON and tables on standard output; messages, warnings and progress on
standard error.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from shutil import get_terminal_size
from threading import Event, Thread
from time import perf_counter
from typing import Any, TextIO

import click

from nqbench.errors import InvalidValueError
from nqbench.util.text import DAY, format_bytes, format_count, format_seconds, printable

WIDTH = 100  # of a table, at least, where there is no terminal, and COLUMNS is not set
BEGUN = "nqbench.begun"  # in the context: of a JSON object that was printed, what is still open
LITTLE = 1e8  # bytes; every machine has more memory
ANNOUNCED = 10.0  # seconds; longer work is announced
BAR_AFTER = 1.0  # seconds before a progress bar shows
LONG = 10.0  # seconds before a line reports the progress, if there is no bar
TICK = 0.5  # seconds between two updates
BAR, CLOCKS = 8, 34  # what part of the terminal the bar has, and the columns of the times beside it
FRAME = 3  # characters around each cell

# What is done, its share, and the seconds that the rest takes; None for what is not known.
State = tuple[str, float | None, float | None]


_outputs: list[TextIO] = []  # standard output, while a command runs


@contextmanager
def own_output() -> Iterator[None]:
    """Keep standard output for `echo`: what user code prints goes to standard error."""
    _outputs.append(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _outputs.pop()


def output() -> TextIO:
    """Return the stream of standard output."""
    return _outputs[-1] if _outputs else sys.stdout


def echo(text: object = "", nl: bool = True) -> None:
    """Print data on standard output."""
    click.echo(text, file=output(), nl=nl)


def emit(data: dict[str, Any]) -> None:
    """Print one JSON object."""
    echo(json.dumps(data))
    if context := click.get_current_context(silent=True):
        context.meta[BEGUN] = ""


@contextmanager
def emitting(data: dict[str, Any], name: str) -> Iterator[Callable[[object], None]]:
    """Print one JSON object whose last member, `name`, is a list.

    Yield a function that prints the next item, so that the list need not fit into memory.
    """
    meta = click.get_current_context().meta
    head = f'{json.dumps(data).removesuffix("}")}, "{name}": ['

    def add(item: object) -> None:
        echo((", " if BEGUN in meta else head) + json.dumps(item), nl=False)
        meta[BEGUN] = "]"

    yield add
    echo(("" if BEGUN in meta else head) + "]}")
    meta[BEGUN] = ""


def browse(address: str) -> bool:
    """Open an address in the user's browser; return whether one could be started."""
    import webbrowser

    try:
        return webbrowser.open(address)
    except (webbrowser.Error, ValueError):  # BROWSER may be no command
        return False


def say(line: str) -> None:
    """Print a message on standard error, if that can be written."""
    try:
        click.echo(f"nqbench: {printable(line)}", err=True)
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO | None) -> None:
    """Discard the output that a stream still holds, so that flushing it at exit cannot fail."""
    with suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr]


@contextmanager
def print_warnings(every: bool = True) -> Iterator[None]:
    """Print each warning at once, as one line on standard error; those that Python ignores by
    default only if `every`.
    """
    import warnings

    with warnings.catch_warnings():
        if every:
            warnings.simplefilter("always")
        warnings.showwarning = lambda message, *rest, **more: say(f"warning: {message}")
        yield


def allow(seconds: float | None, yes: bool, size: float = 0.0, what: str = "this") -> bool:
    """Announce work that is predicted to take long, and return whether it was announced.

    `seconds` and `size`, in bytes, are predictions; None means that none can be made. `what` names
    the work.

    Raises
    ------
    InvalidValueError
        if the work takes more than a day or more memory than the machine has, unless `yes`.
    """
    if not yes and seconds is not None and seconds > DAY:
        raise InvalidValueError(f"{what} would take about {format_seconds(seconds)}, more than a "
                                "day; add --yes to start it anyway")
    if not yes and size > LITTLE:
        from psutil import virtual_memory

        memory = virtual_memory().total
        if size > memory:
            raise InvalidValueError(
                f"{what} would take about {format_bytes(size)} of memory, and this machine has "
                f"{format_bytes(memory)}; add --yes to start it anyway")
    if seconds is None or seconds <= ANNOUNCED:
        return False
    say(f"{what} will take about {format_seconds(seconds)}; Ctrl-C stops it")
    return True


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]],
          numeric: Sequence[str] = ()) -> None:
    """Print a table no wider than the terminal; align columns named in `numeric` to the right.

    No word is broken or truncated. Cells are wrapped. If their words do not fit, each row becomes a
    list of lines. Where there is no terminal, as in a pipe, the table is wider if its words need
    that.
    """
    asked = get_terminal_size((0, 0)).columns
    width = asked or WIDTH
    cells = [["" if value is None else printable(str(value)) for value in row] for row in rows]
    every = [list(column) for column in zip(columns, *cells, strict=True)]
    while (widths := fit_widths(every, width - 1 - FRAME * len(columns))) is None and not asked:
        width += WIDTH
    if widths is None:
        print_as_lists(title, columns, cells)
    else:
        draw(title, columns, cells, widths, numeric, width)


def print_counters(title: str, noun: str, searches: Sequence[Mapping[str, Any]]) -> None:
    """Print the answer and the counters of each search.

    One search becomes a list. Several become a table without counters by level, with one row for
    each, numbered as `noun`.
    """
    def write(value: Any) -> str:
        return value if isinstance(value, str) else format_count(value)

    if len(searches) == 1:
        table(title, ["counter", "value"],
              [(name, write(value)) for name, value in searches[0].items()])
        return
    names = [name for name, value in max(searches, key=len).items() if not isinstance(value, list)]
    table(title, [noun, *names],
          [[number, *(write(found.get(name, "")) for name in names)]
           for number, found in enumerate(searches, 1)],
          numeric=[noun, *(name for name in names if name != "answer")])


def fit_widths(columns: Sequence[Sequence[str]], room: int) -> list[int] | None:
    """Return the widths of columns that fit into the room, the widest made narrower; None if a
    column would be narrower than its longest word.

    >>> fit_widths([["name", "a_long_name"], ["text", "some words to wrap"]], 20)
    [11, 9]
    >>> fit_widths([["name", "a_long_name"], ["text", "some words to wrap"]], 14)
    """
    from rich.cells import cell_len

    least = [max((cell_len(word) for cell in column for word in cell.split()), default=1)
             for column in columns]
    if sum(least) > room:
        return None
    widths = [max(map(cell_len, column)) for column in columns]
    while sum(widths) > room:
        widths[max((k for k in range(len(widths)) if widths[k] > least[k]),
                   key=widths.__getitem__)] -= 1
    return widths


def draw(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int],
         numeric: Sequence[str], width: int) -> None:
    """Print a table whose columns have these widths."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(width=width)
    shown = Table()
    for column, wide in zip(columns, widths, strict=True):
        shown.add_column(column, justify="right" if column in numeric else "left", width=wide)
    for row in rows:
        shown.add_row(*map(Text, row))
    with console.capture() as text:  # rich would end the program on a closed pipe
        console.print(Text(title, style="bold"))
        console.print(shown)
    echo(text.get(), nl=False)


def print_as_lists(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print each row as a list of lines, a line for each column."""
    wide = max(map(len, columns))
    echo(title)
    for row in rows:
        echo("\n" + "\n".join(f"{column:{wide}}  {cell}".rstrip()
                              for column, cell in zip(columns, row, strict=True)))


@contextmanager
def progress(total: float, announced: bool = False) -> Iterator[Callable[[str, float], None]]:
    """Show a bar on standard error once the work has taken a second.

    Yield a function that takes a description of the work and how much of `total` is done. If
    standard error is no terminal, print a line after ten seconds, and each time after twice as
    long, unless it was `announced`.
    """
    now: State = "", None, None
    begun: tuple[float, float] | None = None  # the time and the share of the first report

    def show(what: str, done: float) -> None:
        nonlocal now, begun
        time, share = perf_counter(), min(1.0, done / total)  # more may be done than was foreseen
        begun = begun or (time, share)  # a count that is resumed begins with a share
        more = share - begun[1]
        now = what, share, (time - begun[0]) * (1 - share) / more if more > 0 else None

    with _reporting(lambda: now, announced):
        yield show


@contextmanager
def waiting(what: str, seconds: float | None, announced: bool = False) -> Iterator[None]:
    """Show the progress of work that does not report it, by its predicted seconds.

    Once these are over, show the prediction, as the share that is done is not known any more.
    """
    start = perf_counter()

    def now() -> State:
        elapsed = perf_counter() - start
        if not seconds:
            return what, None, None
        if elapsed < seconds:
            return what, elapsed / seconds, seconds - elapsed
        return f"{what}, predicted to take {format_seconds(seconds)}", None, None

    with _reporting(now, announced):
        yield


@contextmanager
def printing(what: str) -> Iterator[Callable[[], object]]:
    """Show how long work takes that prints as it goes; if it prints on a terminal, until then only,
    and without a bar.

    Yield a function to call when something is printed.
    """
    terminal = output().isatty()
    with _reporting(lambda: (what, None, None), announced=False, bar=not terminal) as stop:
        yield stop if terminal else bool


@contextmanager
def _reporting(now: Callable[[], State], announced: bool,
               bar: bool = True) -> Iterator[Callable[[], None]]:
    """Show the progress from another thread; yield a function that stops it."""
    ended = Event()
    if bar and sys.stderr is not None and sys.stderr.isatty():
        import rich.progress  # noqa: F401 - before the work begins, not during it

        report = _bar
    else:
        report = _line
        if announced:
            ended.set()
    reporter = Thread(target=report, args=(now, ended), daemon=True)
    reporter.start()
    try:
        yield ended.set
    finally:
        ended.set()
        reporter.join()


def _bar(now: Callable[[], State], ended: Event) -> None:
    """Draw the bar once the work has taken a second."""
    from rich import progress as bars
    from rich.console import Console

    console = Console(stderr=True)
    width = max(1, console.width // BAR)
    bar = bars.Progress(
        "{task.description}", bars.BarColumn(width), bars.TimeElapsedColumn(), "elapsed,",
        bars.TimeRemainingColumn(), "left", console=console, transient=True, auto_refresh=False)
    task = bar.add_task("", total=None)
    room = max(1, console.width - width - CLOCKS)
    if ended.wait(BAR_AFTER):
        return
    with bar:
        while not ended.is_set():
            what, share, _ = now()
            bar.tasks[0].total = None if share is None else 1.0  # update() keeps it for None
            if len(what) > room:
                what = what[:room - 1] + "\N{HORIZONTAL ELLIPSIS}"
            bar.update(task, description=what, completed=share or 0.0, refresh=True)
            ended.wait(TICK)


def _line(now: Callable[[], State], ended: Event) -> None:
    """Print a line if the work takes long, and again each time that it has taken twice as long."""
    elapsed = pause = LONG
    while not ended.wait(pause):
        what, share, left = now()
        if share and left is None:  # one report only
            left = elapsed / share - elapsed
        far = f", {share:.1%} done, about {format_seconds(left)} left" if share and left else ""
        say(f"{what or 'at work'}: {elapsed:.0f} s elapsed{far}; Ctrl-C stops it")
        pause, elapsed = elapsed, 2 * elapsed

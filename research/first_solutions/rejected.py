"""Write the first solution for N queens, and the prefixes that the pruned search rejects before it,
for check.py:

    python rejected.py 50 50.rejected

For a long search, write the prefixes of 17 rows to the left of what its checkpoint has reached:

    python rejected.py 48 48.rejected --reached results/48.first
"""

from collections.abc import Iterator
from pathlib import Path

import click
from first import decide
from search import LIMIT, Frontier, Prefix, Progress, free_columns

ROWS = 17


def reject(n: int) -> tuple[Prefix, list[Prefix]]:
    """Return the first solution, and the rejected prefixes before it."""
    frontier, rejected = Frontier(Progress(n)), []
    while taken := frontier.take(1):
        decisions = decide(n, taken, LIMIT, 1)
        frontier.enter(taken, decisions)
        if decisions[0][0]:
            rejected += taken
    return frontier.solution, rejected


def left_of(n: int, end: Prefix) -> Iterator[Prefix]:
    """Yield the prefixes of ROWS rows, and those that end earlier, to the left of another."""
    todo: list[Prefix] = [()]
    while todo:
        prefix = todo.pop()
        if len(prefix) < ROWS or prefix == end[:len(prefix)]:
            todo += [found for column in reversed(free_columns(n, prefix))
                     if (found := (*prefix, column)) < end]
            if prefix != end[:len(prefix)] and not free_columns(n, prefix):
                yield prefix
        else:
            yield prefix


def line(prefix: Prefix) -> str:
    return " ".join(str(column + 1) for column in prefix) + "\n"


@click.command(help=__doc__.partition("\n\n")[0])
@click.argument("n", type=int)
@click.argument("file", type=Path)
@click.option("--reached", type=Path, help="Checkpoint of search.py.")
def main(n: int, file: Path, reached: Path | None) -> None:
    if reached:
        progress = Progress.load(reached, n)
        end = (*progress.path, *(() if progress.finished else (progress.next,)))
        prefixes = [*left_of(n, end)]
    else:
        end, prefixes = reject(n)
    file.write_text(f"{n} {line(end)}{''.join(map(line, prefixes))}", "ascii")


if __name__ == "__main__":
    main()

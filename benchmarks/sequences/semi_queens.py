"""Count N semi-queens (OEIS A099152), and save the count in FILE part by part.

    python benchmarks/sequences/semi_queens.py 22 22.quadrants
    python benchmarks/sequences/semi_queens.py 22 22.layers --method layers
    python benchmarks/sequences/semi_queens.py 22 22.quadrants --check 22.layers

The same command resumes the count, on any machine. FILE begins with a line

    # n 22 quadrants 1024 parts, 353740 classes, commit 0123abc

of which only what stands before the first comma is read. Each further line is a part that is done:
part, total, seconds. With --check nothing is counted: the parts in both files are compared. As both
methods number the classes alike, a part has the same total in both.
"""

import re
import sys
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import click

from nqbench.cli.shared import say
from nqbench.cli.terminal import progress
from nqbench.errors import InvalidValueError, MiscountError, NqbenchError
from nqbench.search.semi import METHODS, choose_method, counting, list_placements
from nqbench.util.arguments import require_whole
from nqbench.util.versions import git

HEADER = re.compile(r"# (n (\d+) (\w+) (\d+) parts)(,.*)?")
LINE = re.compile(r"(\d+) (\d+) \d+(\.\d+)?")


@dataclass
class Parts:
    """The parts that are done, and the number of bytes of the file up to the last complete line."""

    n: int
    method: str
    parts: int
    totals: dict[int, int] = field(default_factory=dict)
    size: int = 0

    @property
    def name(self) -> str:
        return f"n {self.n} {self.method} {self.parts} parts"


def read(file: Path) -> Parts:
    """Return what a file says. A last line without its end was being written; it is ignored."""
    content = file.read_bytes()
    content = content[:content.rfind(b"\n") + 1]
    first, *lines = content.decode("utf-8", "replace").splitlines() or [""]
    header = HEADER.fullmatch(first)
    if not header:
        raise InvalidValueError(f"{file}: the first line must be like '# n 22 quadrants 1024 "
                                f"parts', not {first!r}")
    found = Parts(int(header[2]), header[3], int(header[4]), size=len(content))
    for number, line in enumerate(lines, 2):
        part = LINE.fullmatch(line)
        if not part or int(part[1]) >= found.parts:
            raise InvalidValueError(f"{file}: line {number} must be a part below {found.parts}, "
                                    f"its total and its seconds, not {line!r}")
        if found.totals.setdefault(int(part[1]), int(part[2])) != int(part[2]):
            raise MiscountError(f"{file}: line {number} gives part {part[1]} another total than "
                                "a line before")
    return found


def count(wanted: Parts, file: Path, jobs: int | None) -> Parts:
    """Count the parts that the file lacks, append each to it, and return all."""
    done = read(file) if file.exists() and file.stat().st_size else wanted
    if done.name != wanted.name:
        raise InvalidValueError(f"{file} has a count of {done.name}, not of {wanted.name}")
    missing = [part for part in range(done.parts) if part not in done.totals]
    if not missing:
        return done
    classes = list_placements(done.n, done.method)
    with file.open("ab", buffering=0) as out:
        out.truncate(done.size)
        if not done.size:
            commit = git(Path(__file__).parent, "rev-parse", "--short", "HEAD") or "unknown"
            out.write(f"# {done.name}, {classes.classes} classes, commit {commit}\n".encode())
        with progress(done.parts) as show, closing(counting(
                classes, missing, done.parts, jobs)) as totals:
            show(describe(done), len(done.totals))
            for part, total, seconds in totals:
                out.write(f"{part} {total} {seconds:.1f}\n".encode())
                done.totals[part] = total
                show(describe(done), len(done.totals))
    return done


def describe(done: Parts) -> str:
    return f"{done.n} semi-queens: {len(done.totals):,} of {done.parts:,} parts"


def compare(one: Parts, other: Parts) -> Iterable[int]:
    """Return the parts in both whose totals differ."""
    if (one.n, one.parts) != (other.n, other.parts):
        raise InvalidValueError(f"the files must have the same n and parts, not {one.name} and "
                                f"{other.name}")
    return [part for part in sorted(one.totals.keys() & other.totals.keys())
            if one.totals[part] != other.totals[part]]


def check(n: int, file: Path, other: Path) -> None:
    """Compare two files, and print the result."""
    one, two = read(file), read(other)
    if one.n != n:
        raise InvalidValueError(f"{file} has a count of {one.name}, not of n {n}")
    if differing := compare(one, two):
        raise MiscountError(f"these parts differ: {', '.join(map(str, differing))}")
    both = one.totals.keys() & two.totals.keys()
    print(f"{len(both):,} of {one.parts:,} parts are in both files, and equal "
          f"({one.method}, {two.method})")
    for done in (one, two):
        print_sum(done)


def print_sum(done: Parts) -> None:
    if len(done.totals) == done.parts:
        print(f"{done.n} semi-queens, {done.method}: {sum(done.totals.values()):,}")


@click.command(help=__doc__.partition("\n\n")[0])
@click.argument("n", type=int)
@click.argument("file", type=Path)
@click.option("--method", type=click.Choice(METHODS),
              help="Default: quadrants for even N, layers for odd N.")
@click.option("--parts", type=int, default=1024, show_default=True, help="Parts to count.")
@click.option("-j", "--jobs", type=int, help="Threads. Default: one for each core.")
@click.option("--check", "other", type=Path, metavar="FILE2",
              help="Count nothing; compare the parts in FILE with those in FILE2.")
def main(n: int, file: Path, method: str | None, parts: int, jobs: int | None,
         other: Path | None) -> None:
    try:
        if other:
            check(n, file, other)
            return
        require_whole(n, least=2)
        print_sum(count(Parts(n, choose_method(n, method), require_whole(parts, "parts", least=1)),
                        file, jobs))
    except (NqbenchError, OSError) as error:
        say(str(error))
        sys.exit(error.status if isinstance(error, NqbenchError) else 2)


if __name__ == "__main__":
    main()

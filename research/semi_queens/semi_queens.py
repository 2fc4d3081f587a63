"""Count N semi-queens (OEIS A099152), and save the count in FILE part by part.

    python semi_queens.py 22 22.quadrants
    python semi_queens.py 22 22.layers --method layers
    python semi_queens.py 22 22.quadrants --check 22.layers

The same command resumes the count, on any machine. FILE begins with a line

    # n 22 quadrants 1024 parts, 353740 classes

of which only what stands before the first comma is read. Each further line is a part that is done:
part, total, seconds. With --check nothing is counted: the parts in both files are compared. As both
methods number the classes alike, a part has the same total in both.

Semi-queens are rooks, no two of them on the same diagonal of one kind: the permutations p of 0 to
n-1 with different differences p(i) - i. A class is the set of columns that the rooks of the upper
half of the board use. Its solutions are the pairs of an upper and a lower placement that share no
diagonal. Two compiled methods count them, see semi.h.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import _semi

from nqbench.util.cores import in_threads

METHODS = ("quadrants", "layers")
MOST_PARTS = 1024
HEADER = re.compile(r"# (n (\d+) (\w+) (\d+) parts)(,.*)?")
LINE = re.compile(r"(\d+) (\d+) \d+(\.\d+)?")


def semi_queens(n: int, method: str | None = None, jobs: int | None = None,
                kernel: str | None = None) -> int:
    """Return the number of ways to place n semi-queens, A099152(n)."""
    method = choose_method(n, method)
    if n < 2:
        return 1
    classes = list_placements(n, method, kernel)
    parts = min(MOST_PARTS, -(-classes.classes // 64))
    return sum(total for _, total, _ in counting(classes, range(parts), parts, jobs))


def choose_method(n: int, method: str | None = None) -> str:
    """Return the method if it can count n semi-queens; the faster one for None."""
    if not 0 <= n <= _semi.LARGEST:
        raise ValueError(f"n must be from 0 to {_semi.LARGEST}, not {n}")
    if method is None:
        return METHODS[n % 2]
    if method not in METHODS:
        raise ValueError(f"method must be {' or '.join(METHODS)}, not {method!r}")
    if method == "quadrants" and n % 2:
        raise ValueError(f"n must be even for the method quadrants, not {n}")
    return method


def list_placements(n: int, method: str, kernel: str | None = None) -> Any:
    """Return the classes of a method, with the lists of placements on parts of the board; n >= 2.

    Its method `count(part, parts, stop)` counts the classes whose number is `part` modulo `parts`.
    """
    return getattr(_semi, method.capitalize())(n, kernel or _semi.kernels()[0])


def counting(classes: Any, wanted: Iterable[int], parts: int, jobs: int | None = None,
             ) -> Iterator[tuple[int, int, float]]:
    """Count the wanted ones of so many parts in threads; yield (part, total, seconds) when one is
    done. Closing the iterator stops the threads.
    """
    def count(part: int, stop: bytearray) -> tuple[int, int, float]:
        start = perf_counter()
        return part, classes.count(part, parts, stop), perf_counter() - start

    return in_threads(count, wanted, jobs)


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
        raise ValueError(f"{file}: the first line must be like '# n 22 quadrants 1024 parts', not "
                         f"{first!r}")
    found = Parts(int(header[2]), header[3], int(header[4]), size=len(content))
    for number, line in enumerate(lines, 2):
        part = LINE.fullmatch(line)
        if not part or int(part[1]) >= found.parts:
            raise ValueError(f"{file}: line {number} must be a part below {found.parts}, its total "
                             f"and its seconds, not {line!r}")
        if found.totals.setdefault(int(part[1]), int(part[2])) != int(part[2]):
            raise ValueError(f"{file}: line {number} gives part {part[1]} another total than a "
                             "line before")
    return found


def count(wanted: Parts, file: Path, jobs: int | None) -> Parts:
    """Count the parts that the file lacks, append each to it, and return all."""
    done = read(file) if file.exists() and file.stat().st_size else wanted
    if done.name != wanted.name:
        raise ValueError(f"{file} has a count of {done.name}, not of {wanted.name}")
    missing = [part for part in range(done.parts) if part not in done.totals]
    if not missing:
        return done
    classes = list_placements(done.n, done.method)
    with file.open("ab", buffering=0) as out:
        out.truncate(done.size)
        if not done.size:
            out.write(f"# {done.name}, {classes.classes} classes\n".encode())
        with closing(counting(classes, missing, done.parts, jobs)) as totals:
            for part, total, seconds in totals:
                out.write(f"{part} {total} {seconds:.1f}\n".encode())
                done.totals[part] = total
                if sys.stderr.isatty():
                    print(f"\r{len(done.totals):,} of {done.parts:,} parts", end="",
                          file=sys.stderr)
    return done


def check(n: int, file: Path, other: Path) -> None:
    """Compare two files, and print the result."""
    one, two = read(file), read(other)
    if (one.n, two.n, one.parts) != (n, n, two.parts):
        raise ValueError(f"the files must have the same n and parts, not {one.name} and {two.name}")
    both = sorted(one.totals.keys() & two.totals.keys())
    if differing := [part for part in both if one.totals[part] != two.totals[part]]:
        raise ValueError(f"these parts differ: {', '.join(map(str, differing))}")
    print(f"{len(both):,} of {one.parts:,} parts are in both files, and equal "
          f"({one.method}, {two.method})")
    for done in (one, two):
        print_sum(done)


def print_sum(done: Parts) -> None:
    if len(done.totals) == done.parts:
        print(f"{done.n} semi-queens, {done.method}: {sum(done.totals.values()):,}")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("n", type=int, help="from 2 to 24")
    parser.add_argument("file", type=Path)
    parser.add_argument("--method", choices=METHODS,
                        help="default: quadrants for even N, layers for odd N")
    parser.add_argument("--parts", type=int, default=MOST_PARTS,
                        help="parts to count; default: %(default)s")
    parser.add_argument("-j", "--jobs", type=int, help="threads; default: one for each core")
    parser.add_argument("--check", type=Path, metavar="FILE2",
                        help="count nothing; compare the parts in FILE with those in FILE2")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.check:
            check(chosen.n, chosen.file, chosen.check)
        elif chosen.n < 2 or chosen.parts < 1:
            raise ValueError("n must be 2 or more, and --parts 1 or more")
        else:
            method = choose_method(chosen.n, chosen.method)
            print_sum(count(Parts(chosen.n, method, chosen.parts), chosen.file, chosen.jobs))
    except (ValueError, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

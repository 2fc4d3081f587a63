"""Count the squares that the plain search tries before the first solution for N queens, if that is
published.

    python squares.py 42 results/42.squares
    python squares.py 42 results/42.squares --sample 20

Save the count in FILE part by part; the same command resumes it. With --sample, recount random
parts of FILE instead.

In every row the plain search tries the squares one by one. A placement of k < n queens that has no
completion costs all n squares of the next row, so the squares tried are

    n * (placements without completion that are visited) + n (n + 1) / 2

where the second term is the path to the solution, which is a permutation of the columns. The
placements are those of the complete subtrees to the left of that path; each of these is a part, or
several. That no part holds a solution proves once more that no solution comes earlier.

A line of FILE is a part: its number, 1, its placements of fewer than n queens, its solutions, the
sum of both modulo 13 and 15, and the CRC-32 of the first line and this one.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from zlib import crc32

from first import count_below
from search import Prefix, free_columns

from nqbench.problems.published.computed import FIRST_SOLUTIONS

LEAST_PARTS = {1: 1, 20: 4096, 36: 65_536}  # by the smallest n
BATCH = 256  # parts between two writes, for each thread
Count = tuple[int, int]  # placements of fewer than n queens, and solutions


def squares_tried(n: int, columns: Sequence[int] | None, dead: int) -> int:
    """Return the squares tried, given the number of placements that have no completion.

    >>> squares_tried(8, (0, 4, 7, 5, 2, 6, 1, 3), 105)
    876
    """
    return n * dead + (n * (n + 1) // 2 if columns else 0)


def divide(n: int, columns: Sequence[int] | None, rows: int) -> tuple[list[Prefix], int]:
    """Return the parts, prefixes of this many rows or of those that leave the solution later; and
    the number of shorter prefixes to the left of it, which are in no part.

    >>> divide(4, (1, 3, 0, 2), 2)
    ([(0, 2), (0, 3)], 1)
    """
    parts: list[Prefix] = []
    inner = 0

    def place(prefix: Prefix, tight: bool) -> None:
        """Divide what is below a prefix; `tight` says that it is on the path to the solution."""
        nonlocal inner
        if not tight and len(prefix) >= rows:
            parts.append(prefix)
            return
        inner += not tight
        for column in free_columns(n, prefix):
            if tight and columns and column > columns[len(prefix)]:
                break
            place((*prefix, column),
                  tight and columns is not None and column == columns[len(prefix)])

    place((), bool(columns))
    return parts, inner


def choose_rows(n: int, columns: Sequence[int] | None) -> int:
    """Return how many rows give enough parts."""
    least = max(parts for first, parts in LEAST_PARTS.items() if first <= n)
    half = max(n // 2, 1)
    return next((rows for rows in range(1, half) if len(divide(n, columns, rows)[0]) >= least),
                half)


class Counts:
    """The counted parts, in memory and, if given, in a file."""

    def __init__(self, n: int, columns: Sequence[int] | None, file: Path | None) -> None:
        self.file, self.counts = file, dict[int, Count]()
        old = file.read_text("ascii").splitlines() if file and file.exists() else []
        asked = {"n": n, "columns": " ".join(str(column + 1) for column in columns or ())}
        first = json.loads(old[0]) if old else {**asked, "split": choose_rows(n, columns)}
        for name, value in asked.items():
            if first[name] != value:
                raise ValueError(f"{file} counts for {name} = {first[name]}, not {value}")
        self.parts, self.inner = divide(n, columns, first["split"])
        self.first = old[0] if old else json.dumps(first)
        for line in old[1:]:
            if (read := self.parse(line)) is not None:
                part, count = read
                if self.counts.setdefault(part, count) != count:
                    raise ValueError(f"{file} contradicts itself in part {part}")
        if file and not old:
            file.write_text(self.first + "\n", "ascii")

    def seal(self, text: str) -> str:
        return f"{text} {crc32(f'{self.first} {text}'.encode()):08x}"

    def parse(self, line: str) -> tuple[int, Count] | None:
        """Return the part and count of a line; None if it is damaged or incomplete."""
        text = line.rpartition(" ")[0]
        if self.seal(text) != line:
            return None
        part, _, nodes, solutions, rest_13, rest_15 = map(int, text.split())
        total = nodes + solutions
        return (part, (nodes, solutions)) if (total % 13, total % 15) == (
            rest_13, rest_15) and part < len(self.parts) else None

    def add(self, found: dict[int, Count]) -> None:
        self.counts |= found
        if self.file:
            with self.file.open("a", encoding="ascii") as log:
                log.writelines(self.seal(
                    f"{part} 1 {nodes} {solutions} {(nodes + solutions) % 13} "
                    f"{(nodes + solutions) % 15}") + "\n"
                    for part, (nodes, solutions) in found.items())

    def dead(self) -> int:
        """Return the placements without completion.

        Raises
        ------
        ValueError
            if there is a solution among them.
        """
        if solutions := sum(solutions for _, solutions in self.counts.values()):
            raise ValueError(f"there are {solutions:,} solutions to the left of the first one")
        return self.inner + sum(nodes for nodes, _ in self.counts.values())


def count_dead(n: int, columns: Sequence[int] | None, file: Path | None = None,
               jobs: int | None = None) -> int:
    """Count the placements to the left of the first solution, all placements for None.

    Raises
    ------
    ValueError
        if the file belongs to another count, or a part holds a solution.
    """
    counts = Counts(n, columns, file)
    todo = [part for part in range(len(counts.parts)) if part not in counts.counts]
    jobs = jobs or os.cpu_count() or 1
    with ThreadPoolExecutor(jobs) as pool:
        for start in range(0, len(todo), jobs * BATCH):
            batch = todo[start:start + jobs * BATCH]
            counts.add(dict(zip(batch, pool.map(
                lambda part: count_below(n, counts.parts[part]), batch), strict=True)))
            if file:
                print(f"{n} queens: {len(counts.counts):,} of {len(counts.parts):,} parts",
                      file=sys.stderr, flush=True)
    return counts.dead()


def recount(n: int, columns: Sequence[int] | None, file: Path, sample: int,
            seed: int = 0) -> Iterator[tuple[int, Count, Count]]:
    """Yield random parts of a file, what it says of each, and what is counted now."""
    counts = Counts(n, columns, file)
    for part in Random(seed).sample(sorted(counts.counts), min(sample, len(counts.counts))):
        yield part, counts.counts[part], count_below(n, counts.parts[part])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("n", type=int, choices=[*FIRST_SOLUTIONS], metavar="N")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--jobs", type=int, help="Threads. Default: one for each core.")
    parser.add_argument("--sample", type=int, metavar="K", help="Recount K parts of FILE.")
    options = parser.parse_args()
    n, solution = options.n, FIRST_SOLUTIONS[options.n].solution
    columns = tuple(column - 1 for column in solution) if solution else None
    if options.sample:
        wrong = 0
        for part, old, new in recount(n, columns, options.file, options.sample):
            wrong += old != new
            print(f"part {part}: {old} in the file, {new} recounted", flush=True)
        sys.exit(wrong > 0)
    dead = count_dead(n, columns, options.file, options.jobs)
    print(f"{n} queens: {squares_tried(n, columns, dead):,} squares, {dead:,} placements")


if __name__ == "__main__":
    main()

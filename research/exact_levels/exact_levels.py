"""Count the placements of k queens on k adjacent rows of N columns, for k = 0 to N (OEIS A319284).

    python exact_levels.py 18
    python exact_levels.py 21 --file 21.outwards
    python exact_levels.py 21 --file 21.downwards --rows downwards
    python exact_levels.py 21 --file 21.outwards --recount 20 --kernel portable

With FILE the count is saved part by part, and the same command resumes it, on any machine. FILE
begins with a line like

    # 21 queens outwards 1234 parts

and each further line is a part that is done: its number, the placements on one row more than its
prefixes have, on two more, and so on, and their sum modulo 13 and 15 as the kernel added it up.
With --recount nothing is counted but so many parts of FILE, drawn at random, again.
"""

import argparse
import os
import random
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import _levels

from nqbench.problems.published import published
from nqbench.util.cores import in_threads

ROWS = ("outwards", "downwards")

Count = tuple[int, ...]


def count_levels(n: int, rows: str = ROWS[0], kernel: str | None = None, jobs: int | None = None,
                 file: Path | None = None) -> list[int]:
    """Return the levels of the plain tree for n queens, n + 1 numbers.

    >>> count_levels(8)
    [1, 8, 42, 140, 344, 568, 550, 312, 92]
    """
    engine = divide(n, rows)
    known = read(file, n, rows, engine) if file and file.exists() else {}
    missing = [part for part in range(engine.parts) if part not in known]
    with closing(counting(engine, missing, kernel, jobs)) as counted:
        if file is None:
            known.update(counted)
        else:
            with file.open("a", buffering=1) as out:
                if not out.tell():
                    print(head(n, rows, engine), file=out)
                for part, count in counted:
                    print(part, *count, file=out)
                    known[part] = count
    levels = engine.first_levels + [0] * engine.values
    for part, count in known.items():
        for row, placements in enumerate(count[:-2], engine.rows + 1):
            levels[row] += engine.images(part) * placements
    return levels


def divide(n: int, rows: str) -> Any:
    """Return the engine with its parts: of seconds, but at most some 100,000 of them."""
    return _levels.Engine(n, min(max(n, 1), 4 if n < 24 else 5), 8 if n < 19 else 1,
                          rows == "outwards")


def counting(engine: Any, parts: Iterable[int], kernel: str | None = None,
             jobs: int | None = None) -> Iterator[tuple[int, Count]]:
    """Count parts in threads; yield each with its count. Closing the iterator stops the threads."""
    name = kernel or _levels.kernels()[0]

    def count(part: int, stop: bytearray) -> tuple[int, Count]:
        (found,) = _levels.Kernel(name).complete(engine, [part], stop)
        return part, found

    return in_threads(count, parts, jobs)


def head(n: int, rows: str, engine: Any) -> str:
    return f"# {n} queens {rows} {engine.parts} parts"


def read(file: Path, n: int, rows: str, engine: Any) -> dict[int, Count]:
    """Return the counts of a file by part; cut off a last line that was being written."""
    content = file.read_bytes()
    whole = content[:content.rfind(b"\n") + 1]
    if whole != content:
        os.truncate(file, len(whole))
    first, *lines = whole.decode().splitlines() or [head(n, rows, engine)]
    if first != head(n, rows, engine):
        raise ValueError(f"{file} begins with {first!r}, not with {head(n, rows, engine)!r}")
    found: dict[int, Count] = {}
    for number, line in enumerate(lines, 2):
        words = line.split()
        part, *count = map(int, words) if all(map(str.isdecimal, words)) else [-1]
        *placements, rest_13, rest_15 = count or [0, 1, 1]
        if not (0 <= part < engine.parts and len(placements) == engine.values and (
                sum(placements) % 13, sum(placements) % 15) == (rest_13, rest_15)):
            raise ValueError(f"{file}: line {number} must be a part below {engine.parts}, "
                             f"{engine.values} numbers, and their sum modulo 13 and 15")
        if found.setdefault(part, tuple(count)) != tuple(count):
            raise ValueError(f"{file}: line {number} gives part {part} another count")
    return found


def recount(n: int, rows: str, kernel: str | None, jobs: int | None, file: Path, many: int) -> None:
    """Count random parts of a file again; raise ValueError if one differs."""
    engine = divide(n, rows)
    known = read(file, n, rows, engine)
    drawn = random.sample(sorted(known), min(many, len(known)))
    with closing(counting(engine, drawn, kernel, jobs)) as counted:
        for part, count in counted:
            if known[part] != count:
                raise ValueError(f"part {part} is {known[part]} in {file}, and now {count}")
    print(f"{len(drawn)} of {len(known)} parts were counted again, and are the same")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("n", type=int, help="from 0 to 31")
    parser.add_argument("--rows", choices=ROWS, default=ROWS[0],
                        help="add rows on both sides of a middle block, or downwards")
    parser.add_argument("--kernel", choices=_levels.kernels(), help="default: the fastest here")
    parser.add_argument("--jobs", "-j", type=int, help="threads; default: one for each core")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--recount", type=int, metavar="PARTS")
    given = parser.parse_args(arguments)
    try:
        if given.recount:
            if given.file is None:
                raise ValueError("--recount needs --file")
            recount(given.n, given.rows, given.kernel, given.jobs, given.file, given.recount)
            return
        levels = count_levels(given.n, given.rows, given.kernel, given.jobs, given.file)
    except (ValueError, OSError) as error:
        sys.exit(str(error))
    print(*levels)
    if published("A319284").get(given.n) not in (None, levels):
        sys.exit("A319284 has other numbers")


if __name__ == "__main__":
    main()

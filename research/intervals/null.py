"""What do verdicts say of equal code, and of a planted difference, on a busy machine? Compare a
search with its copy, again and again, beside other programs.

    python research/intervals/null.py --tables 10

A table is a study of both at n = 5 to 9, as `nqbench compare` measures two versions. It is false if
one of its verdicts says that equal code differs, and it fails if `--fail-over 5%` would. The kinds
are two files, a command and its copy, and a compiled core in two files; `planted` is a file with a
wasted loop, and its tables are found if they say at n = 8 that it is slower. The neighbours are so
many busy loops, or loops that start short programs (`2s`), or one that comes and goes (`on-off`).
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import product
from math import nan
from pathlib import Path
from shutil import which
from statistics import fmean, median
from tempfile import TemporaryDirectory

import click
import pandas as pd
from scipy.stats import binomtest

from nqbench.analysis import holm, ratio, verdicts
from nqbench.analysis.uncertainty import Ratio, smallest_difference
from nqbench.cli.results import BUDGET, PROCESSES
from nqbench.errors import InvalidValueError
from nqbench.problems.plugins import find
from nqbench.records.context import context
from nqbench.records.record import join
from nqbench.records.runs import locate
from nqbench.study import run
from nqbench.util.clocks import sample
from nqbench.util.interrupts import handle_termination

SIZES = "5-9"
FOUND_AT = 8
LIMIT = 1.05
SEARCH = '''
import nqbench

@nqbench.algorithm
def {name}(n, tally):
    """Place a queen in each row, on free lines{blank} only."""
    full, queens = (1 << n) - 1, [0] * n
{waste}
    def place(level, columns, rising, falling):
        tally.node(level)
        if level == n:
            yield tuple(queens)
        free = full & ~(columns | rising | falling)
        while free:
            square = free & -free
            free ^= square
            queens[level] = square.bit_length() - 1
            yield from place(level + 1, columns | square, (rising | square) << 1 & full,
                             (falling | square) >> 1)

    yield from place(0, 0, 0, 0)
'''
WASTE = "    for _ in range({}):\n        pass\n"
CORE = '''
import nqbench

def {name}(n):
    return nqbench.count(n, "somers", "cython")
'''
PROGRAM = '''
#include <stdio.h>
#include <stdlib.h>
static long place(unsigned full, unsigned columns, unsigned rising, unsigned falling) {
    long found = columns == full;
    for (unsigned free = full & ~(columns | rising | falling); free; free &= free - 1) {
        unsigned square = free & -free;
        found += place(full, columns | square, (rising | square) << 1, (falling | square) >> 1);
    }
    return found;
}
int main(int many, char **words) {
    int n = many > 1 ? atoi(words[1]) : 8;
    printf("%ld\\n", place((1u << n) - 1, 0, 0, 0));
    return 0;
}
'''
BUSY = "while True: pass"
STARTS = "import subprocess\nwhile True: subprocess.run(['true'])"
COMES = """from time import monotonic, sleep
while True:
    end = monotonic() + 1
    while monotonic() < end:
        pass
    sleep(1)
"""


@contextmanager
def beside(neighbours: str) -> Iterator[None]:
    """Run the neighbours meanwhile."""
    code = COMES if neighbours == "on-off" else STARTS if neighbours.endswith("s") else BUSY
    many = 1 if neighbours == "on-off" else int(neighbours.rstrip("s"))
    running = [subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
               for _ in range(many)]
    try:
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()


def plant(folder: Path, part: float) -> tuple[tuple[str, str], float]:
    """Write a search without and one with a wasted loop in the folder; return them, and how much
    longer the second takes at FOUND_AT: about `part` of 1.
    """
    def write(name: str, waste: str) -> str:
        (folder / f"{name}.py").write_text(SEARCH.format(name=name, blank="", waste=waste))
        return str(folder / f"{name}.py")

    def least(name: str) -> float:
        search = find(str(folder / f"{name}.py"), None)
        return min(sample(lambda: search.count(FOUND_AT), 5).seconds() for _ in range(15))

    base, name = write("base", ""), f"waste_{1000 * part:.0f}"
    idle = min(sample(lambda: [None for _ in range(1000)]).seconds() for _ in range(15)) / 1000
    loops = int(part * least("base") / idle)
    for _ in range(3):
        slow = write(f"{name}_{loops}", WASTE.format(loops))
        longer = median(least(f"{name}_{loops}") / least("base") - 1 for _ in range(5))
        if abs(longer - part) < 0.1 * part:
            break
        loops = int(loops * part / max(longer, part / 10))
    return (base, slow), longer


def make_pairs(folder: Path) -> dict[str, tuple[str, str]]:
    """Write the files of each kind; return both algorithms."""
    for name, blank in (("one", ""), ("two", " ")):
        (folder / f"{name}.py").write_text(SEARCH.format(name=name, blank=blank, waste=""))
        (folder / f"core_{name}.py").write_text(CORE.format(name=f"core_{name}"))
    found = {"files": (f"{folder / 'one.py'}", f"{folder / 'two.py'}"),
             "cores": (f"{folder / 'core_one.py'}::core_one",
                       f"{folder / 'core_two.py'}::core_two")}
    if which("cc"):
        (folder / "queens.c").write_text(PROGRAM)
        for name in ("first", "second"):
            subprocess.run(["cc", "-O2", "-o", folder / name, folder / "queens.c"], check=True)
        found["commands"] = (f"{folder / 'first'} {{n}}", f"{folder / 'second'} {{n}}")
    return found


def compare(pair: Sequence[str], sizes: str, folder: Path) -> dict[int, Ratio]:
    """Return the ratio of the second of a pair over the first, by n."""
    frame = run(algorithms=[*pair], n=sizes, results=folder, processes=PROCESSES, budget=BUDGET,
                unchecked="{n}" not in pair[0])
    started = frame["run"].iloc[0]
    points = join([record for _, record in locate(folder) if record["run"] == started])
    times = [point for point in points if point["metric"] == "seconds" and point["samples"]]
    names = list(dict.fromkeys(point["algorithm"] for point in times))
    known = {(point["algorithm"], point["n"]): point["samples"] for point in times}
    return {n: ratio(known[names[1], n], known[names[0], n])
            for name, n in known if name == names[0] and (names[1], n) in known}


def summarise(tables: Sequence[dict[int, Ratio]]) -> dict[str, float]:
    """Return how many tables have a false verdict, or fail; the share of intervals that contain 1;
    the mean of the smallest differences that they show at FOUND_AT; and how many find one there.
    """
    said = [verdicts([each.times for each in table.values()],
                     [each.chance for each in table.values()]) for table in tables]
    intervals = [each for table in tables for each in table.values() if each.low == each.low]
    at = [table[FOUND_AT] for table in tables if FOUND_AT in table and (
        table[FOUND_AT].error == table[FOUND_AT].error)]
    return {
        "false": sum(any(one in ("slower", "faster") for one in each) for each in said),
        "fails": sum(any(holm([each.chance_below(LIMIT) for each in table.values()]))
                     for table in tables),
        "held": fmean(each.low <= 1 <= each.high for each in intervals) if intervals else 0.0,
        "smallest": fmean([smallest_difference(each.error, each.freedom) for each in at] or [nan]),
        "found": sum(table[FOUND_AT].times > 1 and each[[*table].index(FOUND_AT)] == "slower"
                     for table, each in zip(tables, said, strict=True) if FOUND_AT in table)}


@click.command(help=__doc__.partition("\n\n")[0])
@click.option("--tables", default=10, show_default=True, help="Of each kind beside each neighbour.")
@click.option("--kinds", default="files,commands,cores", show_default=True,
              help="Of equal code, separated by commas.")
@click.option("--neighbours", default="0,2,8,14,2s,8s,14s,on-off", show_default=True,
              help="Beside which, separated by commas.")
@click.option("--planted", default="2,5,10,20", show_default=True,
              help="Differences in per cent, separated by commas.")
@click.option("--sizes", default=SIZES, show_default=True, help="Numbers of queens of a table.")
def main(tables: int, kinds: str, neighbours: str, planted: str, sizes: str) -> None:
    handle_termination()  # its neighbours end with it
    here = context()
    print(f"{tables} tables each, n = {sizes}; {here['processor']}, {here['cores']} cores, "
          f"{here['python']}, commit {str(here['commit'])[:8]}", flush=True)
    rows, equal = [], []
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        pairs = make_pairs(folder)
        every = [(kind, pairs[kind], sizes, 0.0) for kind in kinds.split(",") if kind in pairs]
        for part in filter(None, planted.split(",")):
            pair, longer = plant(folder, float(part) / 100)
            every.append((f"planted {100 * longer:.1f} %", pair, str(FOUND_AT), longer))
        for (kind, pair, own, longer), near in product(every, neighbours.split(",")):
            made: list[dict[int, Ratio]] = []
            with beside(near):
                for _ in range(tables):
                    with suppress(KeyError, IndexError, InvalidValueError):  # too busy for both
                        made.append(compare(pair, own, folder / "results"))
            told = summarise(made)
            equal += [told | {"many": len(made)}] if not longer else []
            rows.append([kind, near, len(made), *(
                [told["false"], told["fails"]] if not longer else ["", ""]),
                f"{told['held']:.1%}" if not longer else "", f"{told['smallest']:.1%}",
                f"{told['found']}{' (too small)' * (longer < told['smallest'])}" if longer else ""])
            print("  ".join(map(str, rows[-1])), file=sys.stderr, flush=True)
    print(pd.DataFrame(rows, columns=[
        "kind", "neighbours", "tables", "false", "fails 5 %", "intervals with 1",
        f"smallest difference, n = {FOUND_AT}", "found"]).to_string(index=False))
    many, wrong = sum(each["many"] for each in equal), sum(int(each["false"]) for each in equal)
    if many:
        low, high = binomtest(wrong, many).proportion_ci(method="wilson")
        print(f"false: {wrong} of {many} tables, {wrong / many:.1%} ({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()

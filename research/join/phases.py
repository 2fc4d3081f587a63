"""Where does the join spend its time? Profile counts by perf, and print the share of each phase.

    python research/join/phases.py 16 18 20

Each count is repeated for some seconds, by one thread with the fastest kernel.
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import which

import click

from nqbench.engine import kernels

RATE = 997  # looks a second, no multiple of the timer's
CODE = """
from time import process_time
from nqbench import engine
while process_time() < {}:
    engine.count({}, {!r}, jobs=1, algorithm="join")
"""
ENOUGH = 4.0  # seconds of a profile: short counts are repeated
# The phases, by functions of ext/join*.h; what the compiler inlines belongs to its caller.
PHASES = {
    "pairs": ("meet", "prepare", "count_pairs", "meet_all"),
    "turning": ("transpose64",),
    "halves": ("list_half", "make_balanced", "make_group", "make_halves", "pair"),
    "sorting": ("arrange", "choose_bits", "choose_order", "count_shared", "join_lists",
                "prepare_moves", "reversed", "sort_words"),
    "quarters": ("list", "make_quarter", "find_quarter", "make_leaf_room"),
}
OTHER = "other"
LINE = re.compile(r"\s*[\d.]+%\s*;\s*(\d+)\s*;\s*(\S+)\s*;\[.\] (\w+)")


def profile(n: int, seconds: float = ENOUGH) -> dict[str, int]:
    """Return how often perf found the join in each phase.

    Raises
    ------
    RuntimeError
        with the first line of what perf says, if it found nothing.
    """
    if which("perf") is None:
        raise RuntimeError("there is no perf")
    with tempfile.TemporaryDirectory(prefix="nqbench-") as folder:
        data = Path(folder) / "data"
        recorded = _run("perf", "record", "-q", "-e", "cpu-clock", "-F", str(RATE), "-o", str(data),
                        sys.executable, "-c", CODE.format(seconds, n, kernels()[0]))
        report = _run("perf", "report", "-i", str(data), "--stdio", "--no-children", "-n",
                      "-t", ";", "-s", "dso,symbol", "-g", "none")
    found = count_phases(report.stdout.splitlines())
    if recorded.returncode or not found:
        fault = recorded.stderr.strip() or "perf found no function of the join"
        raise RuntimeError(fault.splitlines()[0])
    return found


def _run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(words, capture_output=True, text=True, check=False)


def count_phases(report: Iterable[str]) -> dict[str, int]:
    """Return how often the join was found in each phase, from the lines of a report of perf.

    >>> count_phases(["# Samples", " 50.00% ; 3 ;_join.x.so ;[.] meet_avx2.part.0 ;-",
    ...               " 33.33% ; 2 ;_join.x.so ;[.] transpose64_avx2 ;-",
    ...               " 9.00% ; 1 ;libc.so ;[.] transpose64"])
    {'pairs': 3, 'turning': 2}
    """
    found: Counter[str] = Counter()
    for looks, function in _functions(report):
        found[next((phase for phase, names in PHASES.items() if function in names), OTHER)] += looks
    return {phase: found[phase] for phase in (*PHASES, OTHER) if found[phase]}


def _functions(report: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield how often a function of the join was found, and its name without that of a kernel."""
    for line in report:
        matched = LINE.match(line)
        if matched and matched[2].startswith("_join"):
            yield int(matched[1]), re.sub(r"_(avx512|avx2|sse4|neon|portable)\d*$", "", matched[3])


@click.command(help=__doc__.partition("\n\n")[0])
@click.argument("sizes", type=int, nargs=-1, required=True, metavar="N...")
def main(sizes: tuple[int, ...]) -> None:
    for n in sizes:
        found = profile(n)
        moments = sum(found.values())
        print(f"n = {n}: " + ", ".join(
            f"{phase} {many / moments:.0%}" for phase, many in found.items()))


if __name__ == "__main__":
    main()

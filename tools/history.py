"""Measure the milestones of this repository by asv, and keep what it measured in results/asv.

    python tools/history.py [SECONDS]

Counts, instructions and bytes of all milestones, then all benchmarks of fifteen. A commit is
followed by one far from it, so a slow hour of the machine looks like no trend. What is measured is
skipped. Stops after SECONDS, or never with 0; only the commit that it is measuring is lost.

New milestones change which fifteen are timed. Remove the times of all first: those of another day
were not measured side by side.
"""

import argparse
import signal
import sys
from pathlib import Path
from typing import Any

from asv.commands.run import Run
from asv.config import Config
from asv.console import log
from asv.repo import get_repo

STORE = Path("results/asv")
EXACT, TIMED = ["^(counts|compiled)"], 15  # what no noise moves; how many commits are timed


def spread(items: list[Any]) -> list[Any]:
    """Return the first, the last, and then what is in the middle of the largest gaps.

    >>> spread([*"abcdefg"])
    ['a', 'g', 'd', 'b', 'e', 'c', 'f']
    """
    done = [0, len(items) - 1][:len(items)]
    while len(done) < len(items):
        low, high = max(zip(sorted(done), sorted(done)[1:], strict=False),
                        key=lambda gap: gap[1] - gap[0])
        done.append((low + high) // 2)
    return [items[place] for place in done]


def main() -> int:
    """Measure, and return the exit status."""
    parser = argparse.ArgumentParser(description="Measure the milestones of this repository.")
    parser.add_argument("seconds", type=float, nargs="?", default=0.0)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, parser.parse_args().seconds)
    conf = Config.load()
    conf.results_dir = str(STORE)
    log.enable()
    commits = spread([get_repo(conf).get_hash_from_name(line.split()[0])
                      for line in (STORE / "milestones.txt").read_text("utf-8").splitlines()])
    try:
        done = [Run.run(conf, some, bench=bench, skip_successful=True, pull=False)
                for some, bench in ((commits, EXACT), (commits[:TIMED], None))]
    except KeyboardInterrupt:
        print("\nstopped: what is measured is kept, and the same command goes on")
        return 0
    return 2 * any(done)


if __name__ == "__main__":
    sys.exit(main())

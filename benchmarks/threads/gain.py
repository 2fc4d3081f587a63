"""What do threads gain in Python? Count with the algorithm `threads`, by one thread and by one for
each core in turn, and print the seconds, their ratio, and the seconds of processor time.

    python3.13 benchmarks/threads/gain.py
    python3.13t benchmarks/threads/gain.py
    PYTHON_GIL=1 python3.13t benchmarks/threads/gain.py

In an interpreter with the GIL, threads take turns; in a free-threaded one, they run at once. Other
programs that run here hide a gain; the processor time tells what sharing the work costs.
"""

import sys
from statistics import median
from time import perf_counter, process_time

import click

import nqbench
from nqbench.records.context import context


def has_gil() -> bool:
    """Return whether the threads of this process take turns."""
    return bool(getattr(sys, "_is_gil_enabled", lambda: True)())


def seconds(n: int, jobs: int) -> tuple[float, float]:
    """Return the time and the processor time of one count."""
    start, used = perf_counter(), process_time()
    nqbench.count(n, "threads", jobs=jobs)
    return perf_counter() - start, process_time() - used


@click.command(help=__doc__.partition("\n\n")[0])
@click.argument("n", type=int, default=8)
@click.option("--rounds", type=int, default=40, show_default=True)
def main(n: int, rounds: int) -> None:
    where = context()
    most = nqbench.engine.cores()
    seconds(n, 1)  # builds the search
    taken = [[seconds(n, jobs) for jobs in (1, most)] for _ in range(rounds)]
    alone, shared = zip(*taken, strict=True)
    print(f"{where['python']} with{'' if has_gil() else 'out'} the GIL, {where['processor']}, "
          f"n = {n}, {rounds} rounds")
    for name, column, of in (("least", 0, min), ("median", 0, median), ("processor", 1, median)):
        one, all_cores = (of([each[column] for each in times]) for times in (alone, shared))
        print(f"{name:9}  1 thread {one:.4f} s  {most} threads {all_cores:.4f} s  "
              f"ratio {one / all_cores:.2f}")


if __name__ == "__main__":
    main()

"""Measure the join on a card of NVIDIA, and check it: one table, in at most 150 seconds.

    python tools/gpu.py --device cuda:0

Compiles join.cu, compares counts by job with those of a kernel (tests/data/jobs.json), counts 18 to
22 queens, samples 24, 26, 27 and 28, and runs compute-sanitizer on 9, if it is installed. What does
not fit into the time is skipped. It needs no network. The exit status is 1 if a count is wrong.
"""

import argparse
import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from shutil import which
from time import perf_counter

from nqbench import engine
from nqbench.cli.terminal import table
from nqbench.engine import plans
from nqbench.engine.devices import Card
from nqbench.engine.processor import find_core
from nqbench.problems.published import published
from nqbench.util.text import format_seconds

LIMIT = 150.0  # seconds
EXPECTED = published("A000170")
JOBS = json.loads(
    Path(__file__).parents[1].joinpath("tests/data/jobs.json").read_text("utf-8"))
COUNTED = {18: 2, 19: 2, 20: 3, 21: 15, 22: 40}  # seconds that each may take
SAMPLED = {24: 15, 26: 20, 27: 15, 28: 20}
CHECKED = {"memcheck": 20, "racecheck": 20}


def compare(card, n):
    """Return how many counts by job are those of a kernel."""
    jobs, counts = zip(*JOBS[n], strict=True)
    found = card.complete(find_core("join").Engine(int(n), 1), jobs)
    same = sum(ways == expected for (ways, *_), expected in zip(found, counts, strict=True))
    return f"{same} of {len(jobs)} jobs are the same", same == len(jobs)


def count(name, n):
    found = engine.count(n, name, algorithm="join")
    return f"{found:,}", found == EXPECTED[n]


def sample(name, n, limit):
    """Return the predicted time of a count, and whether the interval of its solutions is right."""
    drawn = plans.sample(n, 1, algorithm="join", kernel=name, limit=limit)
    mean, low, high = map(format_seconds, drawn.seconds)
    _, least, most = drawn.solutions
    known = EXPECTED.get(n)
    inside = "" if known is None else (
        "; the known number is in its interval" if least <= known <= most else
        "; the known number is outside its interval")
    return (f"predicted {mean} ({low} to {high}), {drawn.solutions[0]:.4g} ({least:.4g} to "
            f"{most:.4g}) solutions{inside}"), True


def check(name, tool):
    """Count 9 queens under compute-sanitizer."""
    program = which("compute-sanitizer")
    if program is None:
        return "compute-sanitizer is not installed", True
    try:
        done = subprocess.run(
            [program, "--tool", tool, "--error-exitcode", "9", sys.executable, "-c",
             f"from nqbench import engine; print(engine.count(9, {name!r}, algorithm='join'))"],
            capture_output=True, text=True, timeout=CHECKED[tool], check=False)
    except subprocess.TimeoutExpired:
        return f"stopped after {CHECKED[tool]} s", True
    *_, last = ["no answer", *done.stdout.split("\n")[:-1]]
    return last.strip("= "), done.returncode == 0


def measure(name, compared=JOBS, counted=COUNTED, sampled=SAMPLED,
            checked=CHECKED, limit=LIMIT):
    """Yield (what, seconds, result, whether it is right) for each step that fits into the time."""
    begin = perf_counter()
    card = Card(name, print)
    steps = [(f"{n} queens: jobs", 5, lambda n=n: compare(card, n)) for n in compared]
    steps += [(f"{n} queens: count", most, lambda n=n: count(name, n))
              for n, most in counted.items()]
    steps += [(f"{tool}, 9 queens", most, lambda tool=tool: check(name, tool))
              for tool, most in checked.items()]
    steps += [(f"{n} queens: sample", most, lambda n=n, most=most: sample(name, n, most / 2))
              for n, most in sampled.items()]
    for what, most, work in steps:
        start = perf_counter()
        if start - begin + most > limit:
            yield what, 0.0, "skipped: no time left", True
            continue
        result, right = work()
        yield what, perf_counter() - start, result, right


def describe(name):
    """Return the card, its driver, and the day."""
    import cupy

    runtime = cupy.cuda.runtime
    title = engine.processor.find_devices(name)[name]
    return (f"{title}, driver for CUDA {runtime.driverGetVersion()}, CuPy {cupy.__version__}, "
            f"{date.today():%d %B %Y}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda:0", help="the card; by default cuda:0")
    asked = parser.parse_args()
    rows = [*measure(asked.device)]
    table(describe(asked.device), ["step", "seconds", "result", ""],
          [[what, f"{seconds:.3f}", result, "" if right else "WRONG"]
           for what, seconds, result, right in rows], ["seconds"])
    sys.exit(not all(right for *_, right in rows))

"""Sample the parts of counts by both engines, and profile the join."""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from shutil import which
from typing import Any

from nqbench.engine import engines, kernels
from nqbench.engine.plans import sample
from nqbench.problems.plugins.children import Child
from nqbench.records.record import Record
from nqbench.search.metrics import METRICS
from nqbench.study.experiments import Experiment, Step
from nqbench.study.presets import UNCOMPILED, Preset, is_compiled

SEED = 1
PLANNED = range(18, 25)
PROFILED = (16, 18, 20)
LONGEST, SHORTEST = 150.0, 20.0  # seconds of a sample, if there is time for it and if not
RESERVED = 900.0  # seconds of the budget, if it has twice as many
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
                "prepare_moves", "reverse", "sort_words"),
    "quarters": ("list", "make_quarter", "find_quarter", "make_leaf_room"),
}
OTHER = "other"
LINE = re.compile(r"\s*[\d.]+%\s*;\s*(\d+)\s*;\s*(\S+)\s*;\[.\] (\w+)")


class Engines(Experiment):
    """Sample counts by both engines; profile the join."""

    name = "engines"

    least = 400.0  # for all samples at their shortest

    @classmethod
    def missing(cls, preset: Preset) -> str:
        """Return what is missing: the compiled engines."""
        return "" if is_compiled() else UNCOMPILED

    def steps(self) -> list[Step]:
        """Return the steps: "plan" and n, "phases" and n."""
        return [*(Step(n, what="phases") for n in PROFILED),
                *(Step(n, what="plan") for n in PLANNED)]

    def is_complete(self, step: Step) -> bool:
        """Return whether the step has its records: of a plan, one for each engine."""
        found = {record["algorithm"] for record in self.session.records
                 if record["metric"] == step.what and record["n"] == step.number}
        return found == (set(engines()) if step.what == "plan" else {"join"})

    def to_reserve(self) -> float:
        """Return the seconds that samples and profiles may need."""
        return min(RESERVED, max(self.least, self.session.preset.budget / 2))

    def measure(self, step: Step) -> list[Record]:
        """Run a step; its samples share the time that is left with those of the steps after it."""
        n = step.number
        head = {**METRICS[step.what].fields, "n": n, "implementation": "cython",
                "kernel": kernels()[0], "jobs": 1}
        if step.what == "phases":
            self.session.say(f"n = {n}, profiling join")
            with Child() as child:  # which ends with this process, and perf with it
                found = child.call(profile, n, ENOUGH)
            return [{**self.session.head(), **head, "algorithm": "join", **found}]
        records = []
        left = len(engines()) * len([later for later in PLANNED if later >= n])
        for done, name in enumerate(engines()):
            self.session.say(f"parts for n = {n} by {name}")
            share = (self.session.preset.budget - self.session.elapsed) / (left - done)
            taken = sample(n, SEED, algorithm=name, limit=max(SHORTEST, min(LONGEST, share)))
            records.append({**self.session.head(), **head, "algorithm": name,
                            "status": "measured", "samples": [asdict(taken)]})
        return records


def profile(n: int, seconds: float = ENOUGH, tell: object = None) -> dict[str, Any]:
    """Return how often perf found the join in each phase, as fields of a record: status, samples
    and, if perf is not available, the fault.
    """
    if which("perf") is None:
        return {"status": "not available", "samples": [], "fault": "there is no perf"}
    with tempfile.TemporaryDirectory(prefix="nqbench-") as folder:
        data = Path(folder) / "data"
        recorded = _run("perf", "record", "-q", "-e", "cpu-clock", "-F", str(RATE), "-o", str(data),
                        sys.executable, "-c", CODE.format(seconds, n, kernels()[0]))
        report = _run("perf", "report", "-i", str(data), "--stdio", "--no-children", "-n",
                      "-t", ";", "-s", "dso,symbol", "-g", "none")
    found = count_phases(report.stdout.splitlines())
    if recorded.returncode or not found:
        fault = (recorded.stderr.strip() or "perf found no function of the join").splitlines()[0]
        return {"status": "not available", "samples": [], "fault": fault}
    return {"status": "measured", "samples": [found]}


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


EXPERIMENTS = (Engines,)

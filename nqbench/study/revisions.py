"""Measure two revisions of this package in turns: a process of one, then a process of the other.

A revision is built in its own folder, which is used again, with the packages of this environment.
What the processes of a revision measured becomes one run. Process k of one is compared with process
k of the other, which ran just before or after it: the runs have the same in their field `turns`.
"""

import json
import shutil
import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from nqbench.errors import InvalidValueError, PluginError
from nqbench.problems.plugins.programs import Program, to_word
from nqbench.records import append, read, runs
from nqbench.records.record import ABOUT, FEWEST, LOCAL, Record, count_points, point_of
from nqbench.util.versions import Revision, find_clone, git

NEEDED = {"nqbench", "ext", "setup.py", "pyproject.toml", "README.md", "LICENSE"}  # for a build
PRESET = "revisions"  # of the runs that are made here
DIGITS = 16  # of a hash in the name of a build
PROCESSES, BUDGET = 10, 100.0  # of each revision at most, and seconds for all, but three at least
# Run the package of a folder, whatever is installed.
START = ("import sys; sys.path.insert(0, {folder!r}); sys.argv[0] = 'nqbench'; "
         "from runpy import run_module; run_module('nqbench', run_name='__main__')")
# Run pip with its temporary files, and those of compilers, in the current folder.
PIP = ("import os; os.environ['TMPDIR'] = os.getcwd(); from runpy import run_module; "
       "run_module('pip', run_name='__main__')")
# Time is left for all points that are not too long, so that each process measures the same.
PLAN = f"""[study]
name = "{PRESET}"
processes = 1
samples = 3
budget = {BUDGET}
patience = 0.005
"""
# Of all searches, those that end soon; one that is asked for may take its part of the time.
USUAL = 'solvers = "pruning"\nshare = 0.00125\ntime_limit = 1\nshortest = 0.002'
CHOSEN = f"share = {0.5 / PROCESSES}\nalgorithms = "


def measure(pair: Sequence[Revision], results: str | Path, algorithms: Sequence[str],
            n: str) -> list[list[runs.Run]]:
    """Measure two revisions, write the records of each as a run to the subfolder `local` of the
    results, and return both runs as two sides.

    Parameters
    ----------
    algorithms
        names; none for all that prune.
    n
        numbers of queens, as in a study.

    Raises
    ------
    InvalidValueError
        if both are the same, or if one cannot be built or measures nothing.
    """
    if pair[0].archived == pair[1].archived:
        raise InvalidValueError(f"{pair[0].name} and {pair[1].name} are the same")
    folder = Path(results).absolute() / LOCAL
    with runs.locked(folder):
        builds = [build(each, folder / "builds") for each in pair]
        start, taken = perf_counter(), [list[list[Record]]() for _ in pair]
        for process in range(PROCESSES):
            passed = perf_counter() - start
            if process >= FEWEST and passed + passed / process > BUDGET:
                break
            for side in (0, 1) if process % 2 == 0 else (1, 0):
                taken[side].append(_take(pair[side], builds[side], algorithms, n, process))
        found = []
        for each, own, other in zip(pair, taken, taken[::-1], strict=True):
            records = merge(own, other, taken[0][0][0]["run"], each)
            path = runs.begin(folder, PRESET, records[0]["run"],
                              records[0]["context"]["machine"])
            append(path, records)
            found.append(runs.group((path, record) for record in records))
    return found


def build(revision: Revision, folder: Path) -> Path:
    """Return the subfolder of a folder that has the package of a revision; make it if it is not
    there.

    Raises
    ------
    InvalidValueError
        if it cannot be built.
    """
    clone = find_clone() or Path()
    top = (git(clone, "ls-tree", revision.archived) or "").splitlines()
    kept = [line for line in top if line.partition("\t")[2] in NEEDED]
    target = folder / sha256("\n".join((sys.version, *kept)).encode()).hexdigest()[:DIGITS]
    if target.is_dir():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, prefix=".making-") as making:
        archive, here = Path(making, "source.zip"), all(map(find_spec, ("Cython", "setuptools")))
        try:
            git(clone, "archive", f"--output={archive}", revision.archived,
                *(line.partition("\t")[2] for line in kept))
            shutil.unpack_archive(archive, Path(making, "source"))
            Program(name="pip", folder=Path(making), command=(
                f"{to_word(sys.executable)} -c {to_word(PIP)} install --quiet "
                "--disable-pip-version-check "
                f"--no-deps --no-compile --target package{' --no-build-isolation' * here} ./source"
            )).pipe([], None)
            return Path(making, "package").replace(target)
        except (OSError, PluginError, shutil.ReadError) as error:
            raise InvalidValueError(f"{revision.name} cannot be built: {error}") from None


def _take(revision: Revision, folder: Path, algorithms: Sequence[str], n: str,
          process: int) -> list[Record]:
    """Return the records of one process of a revision; the first one counts, too."""
    lines = (f"n = {json.dumps(n)}", CHOSEN + json.dumps([*algorithms]) if algorithms else USUAL,
             'metrics = ["seconds"]' * (process > 0))
    fault = "it has no times"
    with TemporaryDirectory() as making:
        plan, results = Path(making, "plan.toml"), Path(making, "results")
        plan.write_text(PLAN + "\n".join(lines), "utf-8")
        words = (sys.executable, "-c", START.format(folder=str(folder)), "study", str(plan),
                 "--results", str(results))
        try:
            Program(name=f"process {process + 1}", folder=folder,
                    command=" ".join(map(to_word, words))).pipe([], None)
        except PluginError as error:  # also if what it measured is wrong, which is compared
            fault = str(error)
        records = [*read(results, lambda line: None)]
    if not process and not any(record["metric"] == "seconds" and record["samples"]
                               for record in records):
        raise InvalidValueError(f"{revision.name} cannot be measured: {fault}")
    return records


def merge(own: Sequence[Sequence[Record]], other: Sequence[Sequence[Record]], turns: str,
          revision: Revision) -> list[Record]:
    """Return the records of the processes of one revision as those of one run: the counts of the
    first, and of each time the samples of the processes in which the other revision has some, too.
    A time for which the machine was too busy in more than half of the processes is left out.
    """
    mine, theirs = ([{point_of(record)[2:]: record for record in records if record["samples"]}
                     for records in side] for side in (own, other))
    found = []
    for record in own[0]:
        key = point_of(record)[2:]
        full = [k for k, times in enumerate(mine) if key in times]
        both = [k for k in full if key in theirs[k]] or full
        if record["metric"] != "seconds" or not full:
            found.append(record)
        elif both[0] == 0 and 2 * len(both) >= len(own):
            found += [{**mine[k][key], "process": process, "processes": len(both)}
                      for process, k in enumerate(both)]
    points = count_points(record for record in found if record["metric"] not in ABOUT)
    return [{**record, "run": own[0][0]["run"], "turns": turns,
             **({"points": points} if "points" in record else {}), "context": {
                 **record["context"], "commit": revision.commit,
                 "dirty": revision.commit != revision.archived}}
            for record in found]

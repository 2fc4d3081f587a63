"""Times in seconds of a processor, and what is made of them.

Each benchmark uses four processes, because a single process can be slow or fast for its whole
duration. Only threads, and the import, are timed by the clock on the wall.
"""

import gzip
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from asv_runner.benchmarks.mark import SkipNotImplemented

import nqbench

from . import common, counts
from .common import (
    ALL,
    CORES,
    INSTANCES,
    KERNELS,
    ONE,
    SETS,
    SUDOKU,
    digits,
    environment,
    find,
    measured,
    module,
    skipped,
    without_kernel,
)

rounds = 4
repeat = (2, 3, 1.0)  # samples in each process: at least, at most, and for how many seconds
min_run_count = 1  # asv's own is 2, even for --quick
warmup_time = 0.0
timer = process_time

SAMPLES = 2  # in each process, of what a function here times: asv's interval needs eight in all
SHORTEST = 0.005  # seconds; a shorter search is repeated
LONG = 0.05  # seconds of a search that is not
NO_TREE = common.python("brute_force permutations")
resource = module("resource")
RECORDS = Path(__file__).with_name("records.jsonl.gz")
# Each command, and the one that asks for help: the words after `nqbench`.
COMMANDS = ("--help", "count 8", "list --help", "results --help", "compare --help", "report --help",
            "study --help", "check --help", "show somers", "profile 8", "solve 8", "trace 4",
            "verify --help", "audit --help", "instances --help", "new --help", "lab --help",
            "play --help")


def children() -> float:
    """Return the seconds that processors spent on the processes that ended; on Windows, the time.
    """
    if resource is None:
        return perf_counter()
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(spent.ru_utime + spent.ru_stime)


def seconds(search: Callable[[], object], loops: int = 1) -> float:
    """Return the seconds that one of `loops` searches takes."""
    start = process_time()
    for _ in range(loops):
        search()
    return (process_time() - start) / loops


def repeated(search: Callable[[], object]) -> Callable[[], float]:
    """Return a function that returns the seconds of a search, of as many as last 5 ms."""
    search()
    loops = int(SHORTEST / seconds(search)) + 1
    return lambda: seconds(search, loops)


def samples(value: Callable[[], float]) -> dict[str, Any]:
    """Return samples of a value, of which asv makes the median and its interval."""
    return {"samples": [digits(value()) for _ in range(SAMPLES)], "number": 1}


def timed(search: Callable[[], object], warm: Callable[[], object]) -> dict[str, Any]:
    """Return samples of the seconds of a search. asv itself chooses the loops by the clock on the
    wall: on a busy machine, a sample of it is one run of a search that is not warm. A long one has
    one sample in each process.
    """
    warm()
    first = seconds(search)
    loops = int(SHORTEST / first) + 1
    found = [seconds(search, loops) for _ in range(
        SAMPLES if loops > 1 else int(first < LONG))]
    return {"samples": [*map(digits, [first, *found] if loops == 1 else found)], "number": 1}


class Queens:
    """All solutions."""

    version = "1"
    params: list[Any] = [ALL, (6, 8, 10)]
    param_names = ["search", "n"]
    skip_params = skipped("queens", *params)

    @measured("Time to count all solutions", rounds=rounds)
    def track_count(self, search: str, n: int) -> dict[str, Any]:
        return timed(lambda: nqbench.count(n, *search.split()),
                     lambda: nqbench.count(4, *search.split()))


class Cores(Queens):
    params = [CORES, (8, 10, 12, 13)]
    skip_params = skipped("queens", *params)

    @measured("Time to count all solutions, compiled", rounds=rounds)
    def track_count(self, search: str, n: int) -> dict[str, Any]:
        return super().track_count(search, n)


class Node:
    """The time of a node that a search accepts. Searches that prune nothing have only one node."""

    version = "1"
    params = [[search for search in (*ALL, *CORES) if search not in NO_TREE], [8]]
    param_names = ["search", "n"]
    skip_params = skipped("queens", *params)

    @measured("Time for each node", "ns", rounds=rounds)
    def track_nanoseconds(self, search: str, n: int) -> dict[str, Any]:
        nodes = counts.count("queens", search, n)["nodes"]
        if nodes is None:
            raise SkipNotImplemented(f"this commit counts no nodes of {search}")
        own = repeated(lambda: nqbench.count(n, *search.split()))
        return samples(lambda: own() / nodes * 1e9)


class First:
    """The first solution, of searches that find them one by one."""

    version = "1"
    params = [[search for search in (*ALL, *ONE)
               if search not in (*NO_TREE, "cross python", "join python")], [14]]
    param_names = ["search", "n"]
    skip_params = [(search, 14) for search, _ in skipped("queens", params[0], [8])]

    @measured("Time to find a solution", rounds=rounds)
    def track_first(self, search: str, n: int) -> dict[str, Any]:
        return timed(lambda: next(nqbench.solutions(n, *search.split())),
                     lambda: next(nqbench.solutions(4, *search.split())))


class Instances:
    """All solutions, or one, of the empty board as an instance."""

    version = "1"
    params = [INSTANCES, [8]]
    param_names = ["search", "n"]
    skip_params = skipped("instances", *params)

    @measured("Time to count the solutions of an instance", rounds=rounds)
    def track_count(self, search: str, n: int) -> dict[str, Any]:
        algorithm, way = find("instances", search)  # type: ignore[misc]
        return timed(lambda: algorithm.count(common.instances.Board(n), way),
                     lambda: algorithm.count(common.instances.Board(4), way))


class Puzzles:
    """The puzzles of a data set, each searched for a second solution."""

    version = "1"
    params = [SUDOKU, list(SETS)]
    param_names = ["search", "data set"]
    skip_params = counts.Sudoku.skip_params

    @measured("Time to solve puzzles", rounds=rounds)
    def track_solve(self, search: str, name: str) -> dict[str, Any]:
        algorithm, way = find("sudoku", search)  # type: ignore[misc]
        grids = common.sudoku.data_set(name)[SETS[name]]

        def solve(some: Any) -> None:
            for grid in some:
                algorithm.implementations[way].search(grid.digits, counts.LIMIT, 0)

        return timed(lambda: solve(grids), lambda: solve(grids[-1:]))


class Engine:
    """All solutions by the counting engines; up to n = 14 the cross starts no threads."""

    version = "1"
    timer = perf_counter
    params = [["cross", "join"], KERNELS, [12, 14, 15], [1, 2]]
    param_names = ["engine", "kernel", "n", "threads"]
    skip_params = without_kernel(params[0], *params[2:])

    @measured("Time of an engine")
    def time_count(self, engine: str, kernel: str, n: int, threads: int) -> None:
        nqbench.count(n, engine, "cython", jobs=threads, kernel=kernel)


class Shares:
    """Two searches in turns in one process."""

    def share(self, own: Callable[[], object], other: Callable[[], object]) -> dict[str, Any]:
        first, second = repeated(own), repeated(other)
        return samples(lambda: first() / second())


class Somers(Shares):
    version = "1"
    params = [["cross", "join"], KERNELS, [12]]
    param_names = ["engine", "kernel", "n"]
    skip_params = without_kernel(params[0], params[2])

    @measured("Time of an engine, of that of Somers' program", "share", rounds=rounds)
    def track_share(self, engine: str, kernel: str, n: int) -> dict[str, Any]:
        return self.share(lambda: nqbench.count(n, engine, "cython", jobs=1, kernel=kernel),
                          lambda: nqbench.count(n, "somers", "cython"))


class Symmetry(Shares):
    """`counts.Symmetry` has the nodes."""

    version = "1"
    params = [["bitmask_even_mirror python", "somers cython"], [8, 10, 12]]
    param_names = ["search", "n"]
    skip_params = skipped("queens", *params)

    @measured("Time with symmetry, of that without it", "share", rounds=rounds)
    def track_share(self, search: str, n: int) -> dict[str, Any]:
        return self.share(lambda: nqbench.count(n, *search.split()),
                          lambda: nqbench.count(n, "bitmask", search.split()[1]))


class Estimate:
    """A hundred random probes of the tree of `bitmask`, and how long it would take."""

    version = "1"
    params = [16]
    param_names = ["n"]

    def setup(self, n: int) -> None:
        self.estimates = module("nqbench.search.estimates")
        if self.estimates is None:
            raise NotImplementedError("this commit estimates no search")

    @measured("Time to estimate a tree")
    def time_estimate(self, n: int) -> None:
        self.estimates.estimate(common.CATALOGUES["queens"]["bitmask"], n, probes=100,
                                method="knuth")


class Start:
    """A command, from its start to its end, in a separate process."""

    version = "1"
    params = [COMMANDS]
    param_names = ["command"]
    repeat = 2
    number = 1
    timer = staticmethod(children)

    @measured("Processor time of a command")
    def time_command(self, command: str) -> None:
        done = subprocess.run([sys.executable, "-m", "nqbench", *command.split()],
                              capture_output=True, env=environment())
        if done.returncode == 2:
            raise SkipNotImplemented(f"this commit has no {command}")
        done.check_returncode()


class Import:
    version = "1"
    rounds = 1
    repeat = 5
    number = 1

    @measured("Time to import the package")
    def timeraw_import(self) -> str:
        return "import nqbench"


class Report:
    """Tables, plots and page from 165 stored records of six searches, n = 7 and 8."""

    version = "3"
    rounds = 1
    repeat = 2

    def setup(self) -> None:
        try:
            from nqbench.report import build
        except ImportError:
            raise NotImplementedError("this commit makes no report") from None
        self.build = build
        self.folder = tempfile.TemporaryDirectory()
        results = Path(self.folder.name, "results")
        results.mkdir()
        (results / "study.jsonl").write_bytes(gzip.decompress(RECORDS.read_bytes()))

    @measured("Time to build the report")
    def time_build(self) -> None:
        self.build(Path(self.folder.name, "results"), Path(self.folder.name, "reports"))

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

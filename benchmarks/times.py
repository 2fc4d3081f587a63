"""Times in seconds.

Each benchmark uses four processes, because a single process can be slow or fast for its whole
duration.
"""

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

import nqbench

from .common import COUNTED, FOUND, KERNELS, lacking, parts, without_kernel

rounds = 4
repeat = (2, 3, 5.0)  # samples in each process: at least, at most, and for how many seconds

RECORDS = Path(__file__).with_name("records.jsonl.gz")


class All:
    """All solutions, by every algorithm in every implementation."""

    version = "1"
    params = [(*COUNTED, "depth_limited python 11", "width_limited python 13", "cross python 10",
               "cross cython 15")]
    param_names = ["solver"]
    skip_params = lacking(params[0])

    def time_count(self, solver: str) -> None:
        algorithm, implementation, n = parts(solver)
        nqbench.count(n, algorithm, implementation)


class First:
    """The first solution, by every algorithm that finds them one by one."""

    version = "1"
    params = [FOUND]
    param_names = ["solver"]
    skip_params = lacking(params[0])

    def time_first(self, solver: str) -> None:
        algorithm, implementation, n = parts(solver)
        next(nqbench.solutions(n, algorithm, implementation))


class Engine:
    """All solutions by the counting engine; up to n = 14 it starts no threads."""

    version = "1"
    params = [KERNELS, list(range(10, 16)), [1, 2]]
    param_names = ["kernel", "n", "threads"]
    skip_params = without_kernel(*params[1:])

    def time_count(self, kernel: str, n: int, threads: int) -> None:
        nqbench.count(n, "cross", "cython", jobs=threads, kernel=kernel)


class Start:
    """The time before a command does anything; each sample is a separate process."""

    version = "1"
    number = 1
    repeat = 5

    def timeraw_import(self) -> str:
        return "import nqbench"

    def time_help(self) -> None:
        subprocess.run([sys.executable, "-m", "nqbench", "--help"], check=True,
                       stdout=subprocess.DEVNULL)


class Report:
    """Tables, plots and page from 1983 stored records of one study, n <= 10."""

    version = "1"
    rounds = 2
    repeat = 4

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

    def time_build(self) -> None:
        self.build(Path(self.folder.name, "results"), Path(self.folder.name, "reports"))

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

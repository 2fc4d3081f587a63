"""Results of asv, written as `asv run` writes them."""

from asv.benchmarks import Benchmarks
from asv.config import Config
from asv.machine import Machine
from asv.results import Results
from asv.runner import BenchmarkResult

TIME = {"name": "times.All.time_count", "type": "time", "unit": "seconds", "version": "1",
        "param_names": ["solver"], "params": [["'bitmask python 9'", "'somers python 9'"]]}
NODES = {"name": "counts.Tree.track_nodes", "type": "track", "unit": "nodes", "version": "1",
         "param_names": ["n"], "params": [["8"]], "exact": True}
RATE = {"name": "rates.Nodes.track_per_second", "type": "track", "unit": "nodes/s",
        "version": "1", "param_names": [], "params": [], "better": "higher"}
COST = {"name": "costs.track", "type": "track", "unit": "instructions", "version": "1",
        "param_names": [], "params": []}
NOTHING = float("nan")


class Store:
    """A folder of results."""

    def __init__(self, folder, *benchmarks):
        self.folder = folder
        conf = Config.from_json({"repo": ".", "results_dir": str(folder)})
        Benchmarks(conf, benchmarks).save()

    def add(self, commit, benchmark, *outcomes, machine="one", params=None, second=None):
        """Each outcome is a list of samples, a number, None (failed) or NOTHING (skipped)."""
        self.machine(machine)
        benchmark = {**benchmark, "params": params or benchmark["params"]}
        results = Results({"machine": machine}, {}, commit.ljust(40, "0"),
                          (second or ord(commit)) * 1000, "3.11", "env", {})
        results.load_data(str(self.folder))
        samples = [o if isinstance(o, list) else None for o in outcomes]
        results.add_result(benchmark, BenchmarkResult(
            result=[True if isinstance(o, list) else o for o in outcomes], samples=samples,
            number=[s and 1 for s in samples], errcode=0, stderr="", profile=None))
        results.save(str(self.folder))

    def machine(self, name):
        made = Machine()
        made.__dict__.update(machine=name)
        made.save(str(self.folder))


def around(seconds):
    return [seconds * (1 + k / 1000) for k in range(10)]

"""What asv measured is read back as it was written, by asv's own classes on both sides."""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from across import changes, history
from asv.benchmarks import Benchmarks
from asv.config import Config
from asv.machine import Machine
from asv.results import Results
from asv.runner import BenchmarkResult

HOME = Path(__file__).parents[1]
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
    """A folder of results, written as `asv run` writes them."""

    def __init__(self, folder):
        self.folder = folder
        conf = Config.from_json({"repo": ".", "results_dir": str(folder)})
        Benchmarks(conf, [TIME, NODES, RATE, COST]).save()

    def add(self, commit, benchmark, *outcomes, machine="one", params=None, second=None):
        """Each outcome is a list of samples, a number, None (failed) or NOTHING (skipped)."""
        about = Machine()
        about.__dict__.update(machine=machine)
        about.save(str(self.folder))
        benchmark = {**benchmark, "params": params or benchmark["params"]}
        results = Results({"machine": machine}, {}, commit.ljust(40, "0"),
                          (second or ord(commit)) * 1000, "3.11", "env", {})
        results.load_data(str(self.folder))
        samples = [o if isinstance(o, list) else None for o in outcomes]
        results.add_result(benchmark, BenchmarkResult(
            result=[True if isinstance(o, list) else o for o in outcomes], samples=samples,
            number=[s and 1 for s in samples], errcode=0, stderr="", profile=None))
        results.save(str(self.folder))

    def read(self):
        return history(self.folder)

    def verdicts(self):
        found = changes(self.read())
        return list(zip(found["commit"].str[0], found["verdict"], strict=True))


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def around(seconds):
    return [seconds * (1 + k / 1000) for k in range(10)]


def test_one_commit_is_read_as_it_was_written(store):
    assert changes(store.read()).empty
    store.add("a", TIME, around(0.5), NOTHING)
    store.add("a", NODES, 2057)
    rows = store.read().set_index("parameters")
    row = rows.loc["bitmask python 9"]
    assert row["low"] <= row["value"] <= row["high"]
    assert row["value"] == pytest.approx(0.50225)
    assert (row["machine"], row["unit"], row["status"]) == ("one", "seconds", "measured")
    assert row["date"] == pd.Timestamp(97, unit="s")
    assert rows.loc["somers python 9", "status"] == "not available"
    assert rows.loc["n = 8", "value"] == 2057
    assert changes(store.read()).empty


def test_changed_counts_keep_every_digit_beside_times(store):
    for commit, seconds, nodes in (("a", 1.0, 2**53), ("b", 0.5, 2**53 + 1)):
        store.add(commit, TIME, around(seconds), NOTHING)
        store.add(commit, NODES, nodes)
    found = changes(store.read()).set_index("verdict")
    assert found.loc["count changed", ["before", "after"]].tolist() == [2**53, 2**53 + 1]


def test_a_failure_is_not_a_missing_algorithm(store):
    store.add("a", TIME, None, NOTHING)
    store.add("b", TIME, None, None)  # as after a build that failed
    assert list(store.read()["status"]) == ["failed", "not available", "failed", "failed"]


@pytest.mark.parametrize(("benchmark", "values", "found"), [
    (TIME, (1.0, 1.01, 0.5, 0.5, 0.8), [("c", "improvement"), ("e", "regression")]),
    (TIME, [1.04**step for step in range(6)], [("d", "regression")]),  # a slow drift
    (TIME, (1.0, 0.92, 1.04), [("c", "regression")]),  # after a step that is too small
    (RATE, (1e6, 2e6, 1e6), [("b", "improvement"), ("c", "regression")]),  # more is better
    (COST, (10.0, 10.5, 12.0), [("c", "regression")])])  # it takes no samples
def test_changes_are_named_with_the_commit_that_made_them(store, benchmark, values, found):
    for commit, value in zip("abcdef", values, strict=False):
        store.add(commit, benchmark, value if benchmark is COST else around(value),
                  *[around(1.0)] * (benchmark is TIME))
    assert store.verdicts() == found


@pytest.mark.parametrize(("first", "second"), [
    ([1.0] * 5 + [2.0] * 5, [1.5] * 5 + [2.5] * 5),
    ([1.0], [5.0])])  # as of `asv run --quick`, with an infinite interval
def test_what_the_noise_covers_is_no_change(store, first, second):
    store.add("a", TIME, first, around(1.0))
    store.add("b", TIME, second, around(1.05))
    assert store.verdicts() == []


@pytest.mark.parametrize("more", [
    {"machine": "two"}, {"params": [["'bitmask python 8'", "'bitmask python 7'"]]}])
def test_machines_and_parameters_are_never_put_together(store, more):
    store.add("a", TIME, around(1.0), around(1.0))
    store.add("b", TIME, around(9.0), around(9.0), **more)
    assert store.verdicts() == []
    assert len(store.read()) == 4


def test_another_version_of_a_benchmark_is_set_aside(store):
    store.add("a", {**RATE, "version": "0"}, around(1.0))
    store.add("b", RATE, around(5.0))
    assert list(store.read()["commit"].str[0]) == ["b"]


def test_the_clone_knows_the_order_better_than_the_clocks(store, monkeypatch):
    monkeypatch.setattr("across.subjects", lambda: {
        "a".ljust(40, "0"): "First", "b".ljust(40, "0"): "Second"})
    store.add("a", COST, 1.0, second=9)
    store.add("b", COST, 3.0, second=5)
    assert store.verdicts() == [("b", "regression")]


@pytest.mark.slow
@pytest.mark.thorough
def test_rows_stand_in_one_order_whatever_the_order_of_sets():
    code = ("import sys; sys.path.insert(0, 'tools'); import across; "
            "print(across.history('results/asv').drop(columns='date').to_csv())")
    shown = {subprocess.run([sys.executable, "-c", code], cwd=HOME, text=True, check=True,
                            capture_output=True,
                            env={**os.environ, "PYTHONHASHSEED": seed}).stdout
             for seed in ("1", "2", "3")}
    assert len(shown) == 1

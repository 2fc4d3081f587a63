"""The asv suite: asv checks and runs it, and its counts are the known ones."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from across import history
from conftest import rows

from benchmarks import common, compiled, counts, sudoku, times
from nqbench.problems.queens import NAMES

HOME = Path(__file__).parents[1]
KNOWN = {row["algorithm"]: row for row in rows("seed_counters_n1_8.csv") if row["n"] == "8"}
KNOWN["permutations"] = {  # as a second implementation counts, see test_catalogue
    "nodes_incl_root": "1", "dead_ends": "0", "row_exhaustions": "0", "tests": "140756",
    "inner_iterations": "181964", "atomic_comparisons": "181964"}
# What the asv of the tests leaves out: brute force takes 20 s for 8 queens, valgrind 5 s a core.
SHORTER = {"common.py": ('"brute_force", ', ""),
           "compiled.py": ('"bitmask 10 12", "somers 10 12", "cross-portable 12 14", '
                           '"cross-avx2 12 14"', '"cross-portable 12 14"')}
SEARCHES = [search for search in counts.SEARCHES if search != "brute_force python"]
COLUMNS = {"Tree.track_nodes": "nodes_incl_root", "Tree.track_dead_ends": "dead_ends",
           "Tree.track_exhaustions": "row_exhaustions", "Work.track_tests": "tests",
           "Work.track_scans": "inner_iterations",
           "Work.track_comparisons": "atomic_comparisons"}
NODES = {8: (2057, 1029), 10: (35539, 17770), 12: (856189, 428095)}  # A319283; half a first row


WRITTEN = Path("results/asv/benchmarks.json")  # by asv, at every run


@pytest.fixture(scope="module")
def asv(tmp_path_factory):
    """Run asv on a shorter copy of the suite, with a folder in place of results/asv; return what
    it prints.
    """
    folder = tmp_path_factory.mktemp("asv")
    suite = folder / "benchmarks"
    shutil.copytree(HOME / "benchmarks", suite, ignore=shutil.ignore_patterns("__pycache__"))
    for name, (whole, shorter) in SHORTER.items():
        text = (suite / name).read_text("utf-8")
        assert text.count(whole) == 1
        (suite / name).write_text(text.replace(whole, shorter), "utf-8")
    text = (HOME / "asv.conf.json").read_text("utf-8")
    for short, whole in (('"."', str(HOME)), ('"benchmarks"', str(suite)),
                         ('"results/asv"', "results"), ('".asv/env"', "env"),
                         ('"main"', "HEAD")):
        assert short in text
        text = text.replace(short, json.dumps(whole))
    conf = folder / "asv.conf.json"
    conf.write_text(text, "utf-8")

    def call(*words):
        done = subprocess.run(
            [sys.executable, "-m", "asv", "--config", str(conf), *words], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "HOME": str(folder), "PYTHONPATH": str(HOME),
                 "ASV_PYTHONPATH": str(HOME)})
        assert done.returncode == 0, done.stdout
        return done.stdout

    call("machine", "--yes")
    call.folder = folder
    return call


HERE = ("-E", f"existing:{sys.executable}")


@pytest.fixture(scope="module")
def shown(asv):
    """The output of asv when it runs every benchmark once, except that of the report.

    One process imports the suite and forks for each benchmark: to start Python for each of
    them takes longer than all that they do.
    """
    head = subprocess.run(["git", "-C", str(HOME), "rev-parse", "HEAD"], text=True,
                          capture_output=True, check=True).stdout.strip()
    return asv("run", "--quick", "--show-stderr", "--bench", "^(?!times.Report)",
               "--launch-method", "forkserver", "--set-commit-hash", head, *HERE)


@pytest.fixture(scope="module")
def measured(asv, shown):
    """The value of each benchmark at each parameter, as tools/across.py reads it."""
    found = history(asv.folder / "results")
    found = found[found["status"] == "measured"]
    return dict(zip(zip(found["benchmark"].str.removeprefix("counts."), found["parameters"],
                        strict=True), found["value"], strict=True))


@pytest.mark.thorough
@pytest.mark.slow
def test_the_counts_are_those_of_the_original(measured):
    assert len(SEARCHES) == 17
    for search in SEARCHES:
        known = {name: int(value) for name, value in KNOWN[search.split()[0]].items()
                 if name in COLUMNS.values()}
        at = f"{search}, n = 8"
        assert {column: measured[name, at] for name, column in COLUMNS.items()} == known
    for n, (plain, half) in NODES.items():
        assert measured["Symmetry.track_gain_in_nodes", f"mirror, n = {n}"] == plain / half


def test_the_suite_speaks_of_every_algorithm():
    assert {solver.split()[0] for solver in (*times.All.params[0], *times.First.params[0])} == set(
        NAMES)


def test_what_a_commit_lacks_is_skipped(monkeypatch):
    monkeypatch.setattr("nqbench.catalogue", dict)
    assert common.lacking(["bitmask cython 13"]) == [("bitmask cython 13",)]
    assert len(common.without_kernel([10, 11], [1, 2])) == 12
    assert counts.Profiles().setup_cache() == {}
    with pytest.raises(NotImplementedError, match="no bitmask python"):
        counts.Tree().setup({}, "bitmask python", 8)


@pytest.mark.thorough
@pytest.mark.slow
def test_asv_runs_every_benchmark_once(asv, shown):
    assert "failed" not in shown
    known = json.loads((asv.folder / "results" / "benchmarks.json").read_text("utf-8"))
    assert set(history(asv.folder / "results")["benchmark"]) == set(known) - {
        "version", "times.Report.time_build"}
    assert not list((HOME / "results").rglob("*existing*"))


@pytest.mark.slow
def test_a_run_changes_no_file_in_git(asv):
    """asv writes its description of the suite anew at every run."""
    conf = asv.folder / "whole.conf.json"
    conf.write_text((asv.folder / "asv.conf.json").read_text("utf-8").replace(
        str(asv.folder / "benchmarks"), str(HOME / "benchmarks")).replace(
        '"results"', '"whole"'), "utf-8")
    asv("run", "--config", str(conf), "--bench", "just-discover", *HERE)
    made = (asv.folder / "whole" / WRITTEN.name).read_text("utf-8")
    assert made == (HOME / WRITTEN).read_text("utf-8"), (
        "the suite has changed: `asv run --bench just-discover`, and commit " + str(WRITTEN))


@pytest.mark.thorough
@pytest.mark.needs("valgrind")
def test_instructions_are_those_of_the_search():
    """On a busy machine Python itself takes some hundred more or fewer."""
    searches = [f"sum(range({number}))" for number in (10**5, 2 * 10**5, 3 * 10**5)]
    fewer, more, most = map(compiled.executed, searches)
    assert more - fewer == pytest.approx(most - more, rel=1e-4)
    assert more > fewer


@pytest.mark.thorough
def test_the_report_is_built_from_the_stored_records(no_plots):
    report = times.Report()
    report.setup()
    report.time_build()
    assert "<h1>" in Path(report.folder.name, "reports", "index.html").read_text("utf-8")
    report.teardown()


def test_the_trees_of_puzzles_are_those_that_are_known():
    """Both implementations of fewest_first search the same tree; the root of each puzzle is a node.
    """
    found = {}
    for solver in sudoku.SOLVERS:
        benchmark = sudoku.Trees()
        benchmark.setup(solver, "hardest")
        found[solver] = benchmark.track_nodes(), benchmark.track_guesses()
    assert found["fewest_first python"] == found["fewest_first cython"] == (172, 161)
    assert found["fast cython"][0] < found["fewest_first cython"][0] + 11
    assert sudoku.Trees.skip_params == []
    assert sudoku.Trees.track_nodes.exact

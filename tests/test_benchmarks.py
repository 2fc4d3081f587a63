"""The asv suite: it measures all there is, asv checks and runs it, and its counts are known."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from asv.benchmarks import Benchmarks
from asv.config import Config
from conftest import rows

from benchmarks import common, compiled, counts, times
from nqbench.problems import PROBLEMS
from nqbench.topics.searches.section_across import read

HOME = Path(__file__).parents[1]
KNOWN = {row["algorithm"]: row for row in rows("seed_counters_n1_8.csv") if row["n"] == "8"}
COLUMNS = {"track_nodes": "nodes_incl_root", "track_tests": "tests", "track_dead_ends": "dead_ends"}
HERE = ("-E", f"existing:{sys.executable}")


def test_the_suite_has_every_search():
    assert {(problem.name, name, way) for problem in PROBLEMS.values()
            for name, each in problem.catalogue.items() for way in each.implementations} == {
        (problem, *search.split()) for problem, searches in common.SEARCHES.items()
        for search in searches if ":" not in search}


def test_the_suite_has_every_search_with_symmetry():
    assert {search.split()[0] for search in counts.Symmetry.params[0]} == {
        name for name, each in PROBLEMS["queens"].catalogue.items() if each.uses_symmetry}


def test_the_suite_has_every_core():
    assert set(compiled.Size.params) == {path.stem for path in (HOME / "ext").glob("*.pyx")}


def test_the_suite_has_every_command():
    groups = json.loads((HOME / "nqbench/cli/commands.json").read_text("utf-8")).values()
    assert {words.split()[0] for words in times.COMMANDS} == {
        "--help", *(name for group in groups for name in group)}


@pytest.mark.parametrize(("suite", "least"), [
    (counts.Queens, 200), (counts.Cores, 20), (counts.Instances, 210), (counts.Sudoku, 12)])
def test_every_search_is_counted(suite, least):
    searches, sizes = suite.params
    assert len(searches) * len(sizes) - len(suite.skip_params) >= least
    assert all(common.sizes(suite.problem, search) for search in searches)


def test_what_a_commit_lacks_is_skipped(monkeypatch):
    monkeypatch.setattr(common, "CATALOGUES", {"queens": {}})
    assert common.skipped("queens", ["bitmask cython"], [8]) == [("bitmask cython", 8)]
    assert len(common.without_kernel(["cross"], [10, 11], [1, 2])) == 4 * len(common.KERNELS)


def test_what_a_commit_cannot_profile_is_not_counted(monkeypatch):
    def refuse(*_):
        raise ValueError("cross only counts and cannot be profiled; any other algorithm can")

    monkeypatch.setattr(counts.nqbench, "profile", refuse)
    assert counts.count("queens", "cross python", 6) == dict.fromkeys(counts.NAMES)


def test_a_counter_that_a_commit_lacks_is_not_counted_and_the_others_are(monkeypatch):
    monkeypatch.setitem(counts.NAMES, "later", ("Added later", "rows"))
    found = counts.count("queens", "bitmask python", 6)
    assert (found["nodes"], found["tests"], found["later"]) == (153, 152, None)


def test_a_search_is_profiled_once_and_only_if_it_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    suite = counts.Cores()
    assert [suite.track_nodes("somers cython", n) for n in (8, 12)] == [1029, 428_095]
    assert [path.name for path in tmp_path.iterdir()] == ["queens somers cython.json"]
    monkeypatch.setattr(counts, "count", None)
    assert suite.track_tests("somers cython", 8) == 1028


def test_a_process_of_a_benchmark_imports_the_same_package(tmp_path, monkeypatch):
    (tmp_path / "nqbench.py").touch()
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("ASV_PYTHONPATH", str(tmp_path))
    shown = subprocess.run(
        [sys.executable, "-c", "import nqbench; print(nqbench.__file__)"], text=True, check=True,
        capture_output=True, cwd=tmp_path.parent, env=common.environment()).stdout
    assert Path(shown.strip()).parent == tmp_path


@pytest.fixture(scope="module")
def asv(tmp_path_factory):
    """Run asv with folders of its own; return what it prints."""
    folder = tmp_path_factory.mktemp("asv")
    text = (HOME / "asv.conf.json").read_text("utf-8")
    for short, whole in (('"."', str(HOME)), ('"benchmarks"', str(HOME / "benchmarks")),
                         ('".asv/results"', str(folder / "results")), ('".asv/env"', "env"),
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
    call.conf = Config.load(str(conf))
    return call


@pytest.fixture(scope="module")
def shown(asv):
    """The output of asv when it runs every benchmark once, except that of the report."""
    head = subprocess.run(["git", "-C", str(HOME), "rev-parse", "HEAD"], text=True,
                          capture_output=True, check=True).stdout.strip()
    return asv("run", "--quick", "--show-stderr", "--bench", "^(?!times.Report)",
               "--set-commit-hash", head, *HERE)


@pytest.fixture(scope="module")
def measured(asv, shown):
    """The value of each benchmark at each of its parameters."""
    return {(row.benchmark, *row.chosen.split(", ")): row.value
            for row in read(Path(asv.conf.results_dir)).itertuples()}


@pytest.mark.thorough
@pytest.mark.slow
def test_the_counts_are_those_of_the_original(measured):
    searches = {search for search in counts.Queens.params[0] if search.split()[0] in KNOWN
                and ("counts.Queens.track_nodes", repr(search), "8") in measured}
    assert len(searches) == 14
    for search in searches:
        known = {name: int(KNOWN[search.split()[0]][column]) for name, column in COLUMNS.items()}
        assert {name: measured[f"counts.Queens.{name}", repr(search), "8"] for name in known} == (
            known)
    assert measured["counts.Symmetry.track_share", "'somers cython'", "13"] == 2_337_446 / 4_674_890


@pytest.mark.thorough
@pytest.mark.slow
def test_asv_runs_every_benchmark_once(asv, shown, measured):
    assert "failed" not in shown
    assert {name for name, *_ in measured} == {*Benchmarks.load(asv.conf)} - {
        "times.Report.time_build"}
    assert not shutil.which("valgrind") or len(
        [name for name, *_ in measured if name.startswith("compiled.I")]) == len(compiled.WORK)


@pytest.mark.thorough
def test_asv_describes_the_suite_in_words(asv):
    asv("run", "--bench", "just-discover", *HERE)
    described = Benchmarks.load(asv.conf).values()
    assert all(each["pretty_name"] and each["unit"] != "unit" for each in described)


@pytest.mark.thorough
@pytest.mark.needs("valgrind")
def test_instructions_are_those_of_the_search(tmp_path, monkeypatch):
    """On a busy machine Python itself takes some hundred more or fewer."""
    monkeypatch.chdir(tmp_path)
    found = compiled.executed({str(number): ("sum(range({}))", 1, number) for number in (
        10**5, 2 * 10**5, 3 * 10**5)})
    fewer, more, most = found.values()
    assert more - fewer == pytest.approx(most - more, rel=1e-3)
    assert more > fewer


@pytest.mark.thorough
def test_the_report_is_built_from_the_stored_records(no_plots):
    report = times.Report()
    report.setup()
    report.time_build()
    assert "<h1>" in Path(report.folder.name, "reports", "index.html").read_text("utf-8")
    report.teardown()

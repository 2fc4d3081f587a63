"""What asv measured is judged as its own classes wrote it, and shown on the page."""

import re
import subprocess
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import across
import pytest
from across import judge
from asv.benchmarks import Benchmarks
from asv.config import Config
from asv.machine import Machine
from asv.results import Results
from asv.runner import BenchmarkResult
from fuzzing import damaged, until_time_is_up
from hypothesis import given
from hypothesis import strategies as st
from test_readers import within_limits

from nqbench.errors import InvalidValueError
from nqbench.topics.searches.section_across import LIMIT, LIMITS, make_across
from nqbench.util.text import format_quotient

HOME = Path(__file__).parents[1]
HISTORY = HOME / "results/asv"
MILESTONES = HISTORY / "milestones.txt"
TIME = {"name": "times.Queens.time_count", "type": "time", "unit": "seconds", "version": "1",
        "param_names": ["search"], "params": [["'bitmask python'", "'somers python'"]]}
NODES = {"name": "counts.Queens.track_nodes", "type": "track", "unit": "nodes", "version": "1",
         "param_names": ["n"], "params": [["8"]]}
COST = {"name": "compiled.Instructions.track", "type": "track", "unit": "instructions",
        "version": "1", "param_names": [], "params": []}
NOTHING = float("nan")


class Store:
    """A folder of results, written as `asv run` writes them."""

    def __init__(self, folder):
        self.folder = str(folder)
        self.conf = Config.load(str(HOME / "asv.conf.json"))
        self.conf.results_dir = self.folder
        Benchmarks(self.conf, [TIME, NODES, COST]).save()

    def add(self, commit, benchmark, *outcomes, machine="one", params=None):
        """Each outcome is a list of samples, a number, None (failed) or NOTHING (skipped)."""
        about = Machine()
        about.__dict__.update(machine=machine)
        about.save(self.folder)
        benchmark = {**benchmark, "params": params or benchmark["params"]}
        results = Results({"machine": machine}, {}, commit.ljust(40, "0"), 1000, "3.11", "env", {})
        results.load_data(self.folder)
        samples = [o if isinstance(o, list) else None for o in outcomes]
        results.add_result(benchmark, BenchmarkResult(
            result=[True if isinstance(o, list) else o for o in outcomes], samples=samples,
            number=[s and 1 for s in samples], errcode=0, stderr="", profile=None),
            record_samples=True)
        results.save(self.folder)

    def judge(self, order="abcdef"):
        return [(commit[0], change) for commit, change in judge(
            Path(self.folder), [each.ljust(40, "0") for each in order])]

    def verdicts(self):
        return [(commit, change.partition(":")[0]) for commit, change in self.judge()]


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def around(seconds):
    return [seconds * (1 + k / 1000) for k in range(10)]


@pytest.mark.parametrize(("before", "after"), [
    (397_307, 397_309), (2057, 2139), (2057, 2056)])
def test_the_smallest_change_of_a_count_is_named_with_its_commit(store, before, after):
    for commit, nodes in zip("abc", (before, before, after), strict=True):
        store.add(commit, NODES, nodes)
    assert store.judge() == [(
        "c", f"count changed: counts.Queens.track_nodes(8), {before:.8g} to {after:.8g} nodes, "
             f"{format_quotient(after / before)} times")]


@pytest.mark.parametrize(("benchmark", "values", "found"), [
    (TIME, (1.0, 1.05, 0.5, 0.5, 0.8), [("c", "better"), ("e", "worse")]),
    (COST, (1000.0, 1010.0, 1200.0, 1000.0), [("c", "worse"), ("d", "better")])])
def test_changes_are_named_with_the_commit_that_made_them(store, benchmark, values, found):
    for commit, value in zip("abcde", values, strict=False):
        store.add(commit, benchmark, value if benchmark is COST else around(value),
                  *[around(1.0)] * (benchmark is TIME))
    assert store.verdicts() == found


def test_what_the_noise_covers_is_no_change(store):
    store.add("a", TIME, [1.0] * 5 + [2.0] * 5, around(1.0))
    store.add("b", TIME, [1.5] * 5 + [2.5] * 5, around(1.0))
    assert store.judge() == []


@pytest.mark.parametrize("missing", [NOTHING, None])
def test_a_value_is_compared_with_the_last_one_there_is(store, missing):
    for commit, nodes in (("a", 2057), ("b", missing), ("c", 2059)):
        store.add(commit, NODES, nodes)
    assert store.verdicts() == [("c", "count changed")]


@pytest.mark.parametrize("more", [
    {"machine": "two"}, {"params": [["'bitmask python 8'", "'bitmask python 7'"]]}])
def test_machines_and_parameters_are_never_put_together(store, more):
    store.add("a", TIME, around(1.0), around(1.0))
    store.add("b", TIME, around(9.0), around(9.0), **more)
    assert store.judge() == []


def test_another_version_of_a_benchmark_is_set_aside(store):
    store.add("a", {**NODES, "version": "0"}, 1)
    store.add("b", NODES, 5)
    assert store.judge() == []


def test_commits_are_compared_in_the_order_that_is_asked_for(store):
    store.add("a", COST, 1.0)
    store.add("b", COST, 3.0)
    assert [commit for commit, _ in store.judge("ba")] == ["a"]
    assert store.judge("b") == []


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The bytes of asv's files by their places in its folder: of two commits, and of the suite."""
    store = Store(tmp_path_factory.mktemp("asv"))
    for commit, factor in (("a", 1), ("b", 2)):
        store.add(commit, TIME, around(factor), around(3.0))
        store.add(commit, NODES, 2057 * factor)
    folder = Path(store.folder)
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.json")}


def test_a_damaged_file_is_named_in_one_line(stored, tmp_path):
    files = [content for place, content in stored.items() if place.name != "machine.json"]

    def run(chosen):
        @chosen
        @given(damaged(files), st.sampled_from(sorted(stored)))
        def read_damaged(content, place):
            for each, whole in stored.items():
                (tmp_path / each).parent.mkdir(exist_ok=True)
                (tmp_path / each).write_bytes(content if each == place else whole)
            with within_limits(InvalidValueError):
                make_across(SimpleNamespace(history=tmp_path))

        read_damaged()

    until_time_is_up(run)


def test_a_folder_that_is_damaged_ends_with_status_2(stored, tmp_path, monkeypatch, capsys):
    (tmp_path / "one").mkdir()
    (tmp_path / "one/a0000000-env.json").write_text("{}", "utf-8")
    monkeypatch.setattr(across, "RESULTS", tmp_path)
    assert across.main("HEAD") == 2
    assert "benchmarks.json is not what asv writes" in capsys.readouterr().err
    assert across.main("no-such-commit") == 2
    assert re.match("fatal: .*'no-such-commit'[^\n]*\n$", capsys.readouterr().err)


@pytest.mark.parametrize(("benchmark", "after", "status"), [(NODES, 2058, 1), (COST, 4114, 0)])
def test_only_a_changed_count_fails(store, monkeypatch, capsys, benchmark, after, status):
    for commit, value in (("a", 2057), ("b", after)):
        store.add(commit, benchmark, value)
    log = "".join(f"{commit.ljust(40, '0')} subject of {commit}\n" for commit in "ab")
    monkeypatch.setattr(across, "RESULTS", Path(store.folder))
    monkeypatch.setattr(subprocess, "run", lambda *words, **more: SimpleNamespace(
        stdout=log, returncode=0))
    assert across.main("a", "b") == status
    out = capsys.readouterr().out
    assert out.startswith("b0000000 subject of b: ")
    assert out.endswith("\n1 changes\n")


def test_the_section_says_what_changed_with_which_commit(store):
    for commit, seconds, nodes in (("a", 1.0, 2057), ("b", 1.0, 2057), ("c", 0.5, 2059)):
        store.add(commit, TIME, around(seconds), around(3.0))
        store.add(commit, NODES, nodes)
        store.add(commit, NODES, nodes, machine="with-one-commit" if commit == "c" else "one")
    Path(store.folder, "milestones.txt").write_text("c0000000 half the time\n", "utf-8")
    part = make_across(SimpleNamespace(history=Path(store.folder)))
    assert part.finding == "times.Queens.time_count (bitmask python) fell to 50 % in 3 commits"
    about = part.facts
    assert (about.commits, about.changed, about.counts, about.different) == (3, 1, 1, 1)
    rows = part.tables["across"][["commit", "milestone", "verdict", "largest", "changes", "ratio"]]
    assert rows.to_numpy().tolist() == [
        ["c0000000", "half the time", "better", "bitmask python", 1, 0.5],
        ["c0000000", "half the time", "count changed", "8", 1, 2059 / 2057]]
    (axes,) = part.figures["across"]().axes
    assert axes.get_title(loc="left") == (
        "times.Queens.time_count: bitmask python: 50\N{NO-BREAK SPACE}%")


@pytest.mark.parametrize("commits", ["", "a"])
def test_there_is_no_section_without_two_commits(store, commits):
    for commit in commits:
        store.add(commit, NODES, 2057)
    assert make_across(SimpleNamespace(history=Path(store.folder))) is None
    assert make_across(SimpleNamespace(history=None)) is None


def test_the_page_judges_by_the_thresholds_of_asv():
    known = Config.load(str(HOME / "asv.conf.json")).regressions_thresholds
    assert known == {**{f"^{module}": limit for module, limit in LIMITS.items()},
                     f"^(?!{'|'.join(LIMITS)})": LIMIT}


def test_each_milestone_is_a_commit_of_this_repository_in_order():
    git = partial(subprocess.run, cwd=HOME, capture_output=True, text=True)
    shallow = git(["git", "rev-parse", "--is-shallow-repository"]).stdout.strip()
    if not (HOME / ".git").exists() or shallow != "false":
        pytest.skip("there is no git here, or not the whole history")
    known = git(["git", "log", "--format=%h", "--abbrev=8", "--date-order", "--reverse"]).stdout
    found = [line.split()[0] for line in MILESTONES.read_text("utf-8").splitlines()]
    assert found == [commit for commit in known.split() if commit in found]
    assert len(found) == 47


def test_what_was_measured_is_that_of_milestones():
    assert {path.name[:8] for path in HISTORY.glob("*/*-*.json")} <= {
        line[:8] for line in MILESTONES.read_text("utf-8").splitlines()}

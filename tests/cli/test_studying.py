"""`nqbench study`: what it prints, and where the records are."""

import json
import re
import subprocess
import sys
import time

import pytest
from conftest import refused

from nqbench.errors import LostError
from nqbench.records.context import context
from nqbench.records.descriptions import presets
from nqbench.study.fields import BUDGET
from nqbench.study.plan import Plan, find_preset
from nqbench.topics.searches.measurement import solvers

SOLVERS = len(solvers(3, Plan("few").but(solvers="symmetry")))  # the same at each small n


@pytest.fixture
def small(monkeypatch, tmp_path):
    """A very short study, in a separate folder."""
    monkeypatch.setitem(presets(), "pruning", {
        "budget": 30, "n": "1-2", "samples": 1, "solvers": "symmetry", "processes": 2,
        "share": 1e-9})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_records_are_written_where_git_ignores_them(run, small):
    status, out, err = run("study", "--preset", "pruning")
    assert (status, err) == (0, "")
    assert out.startswith(f"{2 * SOLVERS} points measured, 0 skipped, 0 timed out, 0 checks ")
    assert " results in results/local/ after " in out
    (path,) = (small / "results" / "local").iterdir()
    assert path.name.startswith("pruning-")


def test_a_study_ends_with_what_it_could_have_seen(run, tmp_path):
    words = ["study", "-a", "bitmask", "-n", 5, "--processes", 3, "--samples", 2, "--results",
             tmp_path]
    _, out, _ = run(*words)
    assert re.search(r"of 12 samples disturbed; times vary by .* between processes, .* between "
                     r"rounds, .* between samples; 3 processes show a difference of .* would show "
                     r"1 %\n$", out)
    found = json.loads(run(*words, "--json")[1])["precision"]
    assert (found["samples"], found["processes"]) == (12, 3)
    assert found["smallest"] > 0 < found["sample"]


def test_the_true_reason_of_what_was_skipped_is_said(run, small, monkeypatch):
    monkeypatch.setitem(presets(), "pruning", {
        "budget": 30, "n": "4-5", "samples": 1, "solvers": "symmetry", "processes": 1,
        "share": 1e-9})
    status, out, _ = run("study", "--preset", "pruning", "--json")
    found = json.loads(out)
    assert (status, found["left_out"]) == (0, SOLVERS)
    assert found["reasons"] == {"too long": SOLVERS, "no time left": 0, "cannot be estimated": 0}


def test_metrics_and_the_number_of_processes_are_chosen(run, small):
    status, out, _ = run("study", "--preset", "pruning", "--processes", 1, "--metrics",
                         "nodes, cpu_seconds")
    assert status == 0
    assert out.startswith(f"{2 * SOLVERS} points measured")
    (path,) = (small / "results" / "local").iterdir()
    assert '"processes":1' in path.read_text("utf-8")
    assert refused(run("study", "--processes", 0)) == (
        "--processes must be a whole number, 1 or more, not '0'")


@pytest.mark.parametrize(("metrics", "message"), [
    ("seconds,nods", "there is no metric 'nods'; did you mean nodes or seconds?"),
    ("peer", "'peer' is not a metric of a search; see `nqbench list --metrics`"),
    ("", "there is no metric ''; there are ")])
def test_a_metric_that_is_none_of_a_search_is_refused(run, small, metrics, message):
    assert refused(run("study", "--preset", "pruning", "--metrics", metrics)).startswith(message)
    assert list(small.glob("results/local/*.jsonl")) == []


@pytest.mark.thorough
def test_a_label_is_recorded(run, small):
    try:
        run("study", "--preset", "pruning", "--label", "office laptop", "--results", "here")
        (path,) = (small / "here").iterdir()
        record = json.loads(path.read_text("utf-8").splitlines()[0])
        assert record["context"]["label"] == "office laptop"
        run("study", "--preset", "pruning", "--results", "there")
        (path,) = (small / "there").iterdir()
        assert '"label":"office laptop"' in path.read_text("utf-8")
    finally:
        context.cache_clear()
    assert refused(run("study", "--label", "")) == (
        "a label must have 1 to 60 printable characters, not ''")


@pytest.mark.parametrize(("where", "error", "status", "said"), [
    (["--results", "in here"], KeyboardInterrupt, 130, "interrupted"),
    ([], LostError("its process ended"), 1, "its process ended")])
def test_an_interrupted_study_tells_how_to_continue(run, small, monkeypatch, where, error, status,
                                                    said):
    def interrupt(*words):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr("nqbench.topics.searches.measurement.Points.repeat", interrupt)
        found = run("study", "--preset", "pruning", *where)
    folder = where[1] if where else "results/local"
    more = " --results 'in here'" if where else ""
    assert found == (status, "", (
        f"nqbench: the records so far are saved in {folder}/; continue with `nqbench study "
        f"--preset pruning{more} --resume`\nnqbench: {said}\n"))
    assert run("study", "--preset", "pruning", *where, "--resume")[0] == 0
    assert len(list((small / folder).iterdir())) == 1


@pytest.mark.parametrize(("table", "why"), [
    ({"solvers": "symmetry", "budget": 1e-3}, "results, most of them skipped for lack of time"),
    ({"experiments": ["trees"], "algorithms": ["brute_force"]},
     "results, most of them skipped as `nqbench count --estimate` cannot lead the search")])
def test_a_study_that_measures_nothing_says_why_and_its_exit_status_is_1(run, small, monkeypatch,
                                                                         table, why):
    monkeypatch.setitem(presets(), "pruning", {"n": "4-5", **table})
    status, out, err = run("study", "--preset", "pruning")
    (line,) = [line for line in err.splitlines() if line.startswith("nqbench: nothing was measure")]
    assert (status, line.endswith(why), out.startswith("0 points measured")) == (1, True, True)


@pytest.mark.thorough
def test_a_study_keeps_its_budget_beside_busy_programs(tmp_path):
    """It exceeds 10 % only by what a machine with eight busy programs takes for a second."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8)]
    try:
        start = time.monotonic()
        subprocess.run([sys.executable, "-m", "nqbench", "study", "--preset", "quick", "--results",
                        tmp_path], check=False, capture_output=True)
        assert time.monotonic() - start < 2 * find_preset("quick")[BUDGET]
    finally:
        for each in busy:
            each.kill()
            each.wait()

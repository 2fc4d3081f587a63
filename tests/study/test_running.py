"""What a study measures, leaves out, and writes."""

import gc
import json
import subprocess
from datetime import datetime

import pytest

import nqbench
from nqbench import analysis
from nqbench.algorithms import catalogue
from nqbench.probing import CHUNK, estimate
from nqbench.reference import SEQUENCES
from nqbench.study.context import commit
from nqbench.study.measure import SHORTEST
from nqbench.study.plans import LARGEST_ESTIMATE, solvers, steps
from nqbench.study.rating import every_solver
from nqbench.study.records import append, read
from nqbench.study.running import (
    PRESETS,
    SEED,
    Point,
    Preset,
    Solver,
    Study,
    rate_file,
)
from nqbench.sudoku import DATA_SETS, data_set, solve
from nqbench.tally import COUNTERS


@pytest.fixture(scope="module")
def lines(records):
    return list(read(records, pytest.fail))


def test_every_record_says_where_and_how(lines):
    for line in lines:
        assert line["schema"] == 1
        assert {"commit", "dirty", "nqbench", "python", "compiler", "cython", "platform",
                "processor", "cores", "memory_bytes", "machine"} == set(line["context"])
    assert lines[0]["context"]["compiler"] not in ("none", "unknown")


def test_points_have_times_and_every_counter(lines):
    points = {}
    for line in lines:
        if line["metric"] not in ("check", "estimate", "rate") and line["status"] == "measured":
            key = line["algorithm"], line["implementation"], line["n"]
            points.setdefault(key, {})[line["metric"]] = line
    assert ("bitmask", "cython", 6) in points
    assert ("brute_force", "python", 6) in points
    for (algorithm, implementation, n), metrics in points.items():
        if (algorithm, implementation) == ("cross", "cython"):
            assert set(metrics) == {"seconds", "solutions"}
            continue
        assert set(metrics) == {"seconds", "solutions", *COUNTERS}
        assert len(metrics["seconds"]["samples"]) == 5
        assert all(s > 0 for s in metrics["seconds"]["samples"])
        tally = catalogue()[algorithm].profile(n, implementation)
        assert {m: metrics[m]["samples"] for m in COUNTERS} == {
            m: [value] for m, value in tally.counters().items()}


def test_what_exceeds_the_budget_is_left_out_with_its_prediction(lines):
    left_out = {(r.get("algorithm"), r["n"]): r for r in lines if r["status"] == "left out"}
    assert left_out["brute_force", 8]["predicted"] > 1
    assert left_out["brute_force", 8]["samples"] == []


def test_published_values_are_checked_first(lines):
    checks = [r for r in lines if r["metric"] == "check"]
    assert lines[:len(checks)] == checks
    assert {r["status"] for r in checks} == {"ok"}
    assert {r["sequence"] for r in checks} == set(SEQUENCES)


def test_estimates_are_those_of_the_probes(lines):
    estimates = {(r["n"], r["method"]): r for r in lines if r["metric"] == "estimate"}
    assert set(estimates) == {(n, method) for n in range(4, LARGEST_ESTIMATE + 1)
                              for method in ("knuth", "stratified")}
    for (n, method), record in estimates.items():
        assert record["probes"] == {"knuth": 32_000, "stratified": 2000}[method]
        if n in (8, 30):
            found = estimate(n, record["probes"], SEED, method)
            (sample,) = record["samples"]
            assert sample["nodes"] == [found.nodes.mean, found.nodes.error]
            assert sample["levels"] == [[x.mean, x.error] for x in found.levels]
            assert sample["reached"] == found.reached


def test_solvers_of_sudoku_are_rated(lines):
    rates = {(r["data_set"], r["algorithm"], r["implementation"]): r for r in lines
             if r["metric"] == "rate"}
    assert len(rates) == len(DATA_SETS) * len(every_solver())
    fast = rates["easy50", "fast", "cython"]
    assert fast["solutions"] == [1] * 50
    assert fast["status"] == "measured"
    assert len(fast["samples"]) == 5
    assert fast["guesses"] == [
        solve(grid, "fast", limit=2, keep=0).counters["guesses"] for grid in data_set("easy50")]
    slow = rates["diabolical", "textbook", "python"]
    assert (slow["status"], slow["samples"]) == ("left out", [])
    assert slow["predicted"] > 0.07


def names(about, n=6):
    return {str(solver) for solver in solvers(n, Preset(budget=1, about=about))}


def test_the_presets_of_one_thing_measure_its_algorithms():
    assert {"brute_force (python)", "permutations (python)"} == (
        names("algorithms") - names("pruning"))
    assert names("symmetry") == {
        f"{name} (python)" for name in ("bitmask", "bitmask_even_mirror", "marks_mirror", "somers",
                                        "canonical", "cross")} | {
        f"{name} (cython)" for name in ("bitmask", "somers", "cross")}
    assert {what for what, _ in steps(PRESETS["estimate"])} == {"estimates"}
    assert {what for what, _ in steps(PRESETS["pruning"])} == {"points"}


def test_a_study_of_estimates_can_be_interrupted_and_resumed(tmp_path, monkeypatch):
    def interrupt(what, gone, budget):
        if what.startswith("estimate, n = 9, stratified"):
            raise KeyboardInterrupt

    monkeypatch.setitem(PRESETS, "estimate", Preset(budget=100, probes=16_000, about="estimate"))
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run("estimate", results=tmp_path, progress=interrupt)
    assert {r["n"] for r in read(tmp_path, pytest.fail)} == {4, 5, 6, 7, 8}
    nqbench.study.run("estimate", results=tmp_path, resume=True)
    points = [(r["n"], r["method"]) for r in read(tmp_path, pytest.fail)]
    assert len(set(points)) == len(points) == 2 * 27
    assert points == sorted(points)


def test_estimates_that_exceed_the_budget_are_left_out(tmp_path, monkeypatch):
    monkeypatch.setitem(PRESETS, "estimate", Preset(budget=1, probes=2000_000, about="estimate"))
    nqbench.study.run("estimate", budget=1e-6, results=tmp_path)
    found = {(r["n"], r["method"]): r for r in read(tmp_path, pytest.fail)}
    assert found[4, "knuth"]["status"] == "measured"
    assert found[30, "knuth"]["status"] == found[30, "stratified"]["status"] == "left out"
    assert found[30, "knuth"]["predicted"] > 0
    assert "estimate, knuth" in set(analysis.left_out(analysis.load(tmp_path))["algorithm"])


def test_a_small_budget_means_fewer_probes_but_every_n(tmp_path):
    nqbench.study.run("estimate", budget=2, results=tmp_path)
    found = [r for r in read(tmp_path, pytest.fail) if r["status"] == "measured"]
    assert {r["n"] for r in found} == set(range(4, LARGEST_ESTIMATE + 1))
    assert all(CHUNK <= r["probes"] < PRESETS["estimate"].probes for r in found)


def test_an_interrupted_study_keeps_what_it_has(tmp_path):
    def interrupt(what, gone, budget):
        if what.startswith("n = 4"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run("quick", budget=2, results=tmp_path, progress=interrupt)
    kept = list(read(tmp_path, pytest.fail))
    assert {r["n"] for r in kept if r["metric"] == "seconds"} == {1, 2, 3}


def test_an_interrupted_study_goes_on_where_it_was(tmp_path):
    def interrupt(what, gone, budget):
        if what.startswith("n = 5"):
            raise KeyboardInterrupt

    with pytest.raises(ValueError, match="no interrupted small study"):
        nqbench.study.run("small", results=tmp_path, resume=True)
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run("small", results=tmp_path, progress=interrupt)
    with pytest.raises(ValueError, match="no interrupted full study"):
        nqbench.study.run("full", results=tmp_path, resume=True)
    found = nqbench.study.run("small", results=tmp_path, resume=True)
    assert set(found["budget"]) == {1000}
    kept = list(read(tmp_path, pytest.fail))
    assert len(found) == len(kept)
    assert len({r["run"] for r in kept}) == 1
    points = [(r.get("sequence"), r.get("algorithm"), r.get("implementation"), r["n"],
               r["metric"], r.get("method"), r.get("data_set")) for r in kept]
    assert len(set(points)) == len(points)
    assert {r["n"] for r in kept if r["metric"] == "seconds"} == set(range(1, 9))
    (brute,) = (r for r in kept if r.get("algorithm") == "brute_force" and r["n"] == 8)
    assert brute["predicted"] > 1  # from what was measured before the interruption
    with pytest.raises(ValueError, match="no interrupted small study"):
        nqbench.study.run("small", results=tmp_path, resume=True)


def test_a_file_rated_in_between_does_not_end_a_study(tmp_path):
    def interrupt(what, gone, budget):
        if what.startswith("n = 4"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run("quick", budget=2, results=tmp_path, progress=interrupt)
    rate_file(data_set("hardest"), "mine", [("fast", "cython")], tmp_path, 1, 1, 1000,
              lambda what: None)
    found = nqbench.study.run("quick", results=tmp_path, resume=True)
    assert found[found["metric"] == "seconds"]["n"].max() == 9


@pytest.mark.parametrize("cut", ["levels", "check", "estimate", "rate"])
def test_what_a_power_cut_tore_is_done_again(lines, tmp_path, cut):
    """A part of the records of n = 2, or of the checks, is all that was written of them."""
    if cut == "check":
        torn = [r for r in lines if r["metric"] == "check"][:3]
    elif cut == "estimate":
        torn = [r for r in lines if r["metric"] == "check"] + [
            r for r in lines if r["metric"] == "estimate"][:7]
    elif cut == "rate":
        torn = [r for r in lines if r["metric"] in ("check", "estimate")] + [
            r for r in lines if r["metric"] == "rate"][:10]
    else:
        at_2 = [r for r in lines if r["metric"] != "check" and r["n"] == 2]
        done = ("check", "estimate", "rate")
        torn = [r for r in lines if r["metric"] in done or r["n"] == 1] + at_2[:30]
    append(tmp_path / "a.jsonl", torn)
    found = nqbench.study.run("small", results=tmp_path, resume=True)
    at_2 = found[(found["n"] == 2) & (found["metric"] == "seconds")]
    assert len(at_2) == 27
    assert len(found[found["metric"] == "check"]) == len(
        [r for r in lines if r["metric"] == "check"])
    assert not found.duplicated(["metric", "algorithm", "implementation", "n", "sequence",
                             "method", "data_set"]).any()


def test_a_resumed_study_has_only_the_time_that_is_left(lines):
    spent = Study("small", PRESETS["small"], before=lines).gone
    assert spent >= max(r["predicted"] or 0 for r in lines if r["status"] == "measured")
    first, last = (datetime.fromisoformat(lines[i]["time"]) for i in (0, -1))
    assert spent >= (last - first).total_seconds()


def test_the_cost_of_a_point_is_that_of_all_its_rounds():
    study = Study("quick", PRESETS["quick"])
    point = Point(Solver(catalogue()["bitmask"], "python"), 8, predicted=1.0)
    assert study.cost(point) == 5 + 1 + 2  # rounds, warm-up, counting at half the speed
    point.predicted = 1e-6
    assert study.cost(point) == pytest.approx(6 * SHORTEST, rel=0.01)


def test_no_dear_point_crowds_a_cheap_one_out():
    """Of many that would take 0.1 s a search there is time for few; the engine takes none."""
    made = Study("small", Preset(budget=3.0, max_n=5, samples=2))
    made.forecast.predict = lambda key, n: 1e-5 if key[:2] == ("cross", "cython") else 0.1
    found = {(r["algorithm"], r["implementation"]): r["status"] for r in made.measure(5)
             if r["metric"] == "seconds"}
    assert found["cross", "cython"] == "measured"
    assert list(found.values()).count("measured") == 1 + int((3.0 - 2 * SHORTEST) / 0.5)


def test_the_collector_is_off_while_measuring(tmp_path):
    seen = {}

    def look(what, gone, budget):
        seen.setdefault(what.partition(",")[2].split(":")[0].split()[0:1] == ["round"],
                        set()).add(gc.isenabled())

    nqbench.study.run("quick", budget=0.5, results=tmp_path, progress=look)
    assert seen[True] == {False}


def test_run_returns_the_records_as_a_frame(tmp_path):
    found = nqbench.study.run("quick", budget=0.5, results=tmp_path)
    (path,) = tmp_path.iterdir()
    assert len(found) == len(path.read_text().splitlines())
    assert json.loads(path.read_text().splitlines()[0])["run"] == found["run"].iloc[0]


@pytest.mark.parametrize(("arguments", "says"), [
    ({"preset": "swift"}, "no preset 'swift'"), ({"budget": 0}, "seconds above 0, not 0"),
    ({"budget": float("nan")}, "not nan"), ({"budget": True}, "not True"),
    ({"budget": "5"}, "not '5'")])
def test_bad_requests_are_refused(arguments, says, tmp_path):
    with pytest.raises((ValueError, TypeError), match=says):
        nqbench.study.run(results=tmp_path, **arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_results_folder_that_cannot_be_is_refused_before_measuring(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        nqbench.study.run("quick", results=tmp_path / "file")


def test_the_commit_is_that_of_the_clone():
    head, dirty = commit()
    if head is not None:
        shown = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True,
                               check=True)
        assert head == shown.stdout.strip()
        assert dirty in (True, False)

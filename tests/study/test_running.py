"""What a study measures, leaves out, and writes."""

from datetime import UTC, datetime, timedelta
from itertools import count
from types import SimpleNamespace

import pytest
from conftest import measured, stop_at

import nqbench
from nqbench import analysis
from nqbench.problems import PROBLEMS, SolverKey
from nqbench.problems.published import SEQUENCES
from nqbench.problems.queens import catalogue, find
from nqbench.problems.sudoku import DATA_SETS, Grid, solve
from nqbench.records.descriptions import presets
from nqbench.records.record import LARGEST_ESTIMATE, SMALL, append, join, read
from nqbench.search.estimates import METHODS, estimate
from nqbench.search.metrics import METRICS, counters
from nqbench.study import experiments
from nqbench.study.experiments import CLOSING, SLACK, Session, Step
from nqbench.study.fields import BUDGET, PROCESSES, SHORTEST
from nqbench.study.loop import Study
from nqbench.study.plan import Plan, find_preset
from nqbench.study.worker import Timed, Worker
from nqbench.topics.estimates import measurement as estimates
from nqbench.topics.estimates.measurement import LEAST_PROBES, SEED
from nqbench.topics.searches.measurement import Point, solvers
from nqbench.topics.sudoku.measurement import read_data
from nqbench.topics.sudoku.rates import permute_all, rate, rated_solvers

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lines(records):
    return measured(records)


PAIRS = {"halves", "pairs", "pairs_excluded", "vector_steps"}  # counters of join alone


# A study of everything, in which every step is short.
TINY = {"experiments": ["points", "checks", "rates", "estimates"], "budget": 1000, "checks": 1,
        "check_n": 3, "n": "1-5", "samples": 1, "share": 2e-5, "probes": 64, "puzzles": 0.004,
        "processes": 2, "shortest": 1e-5}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The records of such a study, which is a preset."""
    folder = tmp_path_factory.mktemp("tiny")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(presets(), "tiny", TINY)
        nqbench.study.run("tiny", results=folder)
        yield measured(folder)


def test_points_have_times_and_every_counter(lines):
    points = {}
    for line in join(lines):
        if line["status"] == "measured" and line["metric"] not in (
                "check", "estimate", "rate", "rules"):
            key = line["algorithm"], line["implementation"], line["n"]
            points.setdefault(key, {})[line["metric"]] = line
    assert ("bitmask", "cython", 6) in points
    assert ("brute_force", "python", 4) in points  # these are measured on any machine
    names = {counter.name for counter in counters()}
    for (algorithm, implementation, n), metrics in points.items():
        if (algorithm, implementation) in (("cross", "cython"), ("join", "cython")):
            assert set(metrics) == {"seconds", "solutions"}
            continue
        tally = catalogue()[algorithm].profile(n, implementation)
        counted = {name: value for name, value in tally.counters().items() if value is not None}
        assert set(metrics) == {"seconds", "solutions", *counted}
        own = {counter.name for counter in tally.own}  # of the rules of the search
        assert set(tally.counters()) - own == names - (PAIRS if algorithm != "join" else set())
        times = metrics["seconds"]["samples"]
        assert (len(times), times.processes) == ((3, 3) if n <= SMALL else (6, 3))
        assert all(s > 0 for s in metrics["seconds"]["samples"])
        assert {m: metrics[m]["samples"] for m in counted} == {
            m: [value] for m, value in counted.items()}


def test_what_exceeds_the_budget_is_left_out_with_its_prediction(lines):
    left_out = {(r.get("algorithm"), r["n"]): r for r in lines if r["status"] == "left out"}
    skipped = left_out["brute_force", 8]
    assert skipped["predicted"] > 1
    assert skipped["samples"] == []
    assert skipped["reason"] == "too long"
    assert skipped["cost"] > 3 * 2 * skipped["predicted"]  # all rounds of all processes
    assert skipped["allowed"] == 1000 * 0.002


def test_published_values_are_checked_after_all_points(lines):
    first = next(place for place, r in enumerate(lines) if r["metric"] == "check")
    checks = [r for r in lines if r["metric"] == "check"]
    assert lines[first:first + len(checks)] == checks
    assert {r["metric"] for r in lines[first + len(checks):]} == {"rate", "estimate"}
    assert {r["status"] for r in checks} == {"ok"}
    assert {r["sequence"] for r in checks} == set(SEQUENCES)


def test_estimates_are_those_of_the_probes(lines):
    estimates = {(r["n"], r["method"]): r for r in lines if r["metric"] == "estimate"}
    assert set(estimates) == {(n, method) for n in range(4, LARGEST_ESTIMATE + 1, 4)
                              for method in METHODS}
    for (n, method), record in estimates.items():
        assert record["probes"] == 64
        if n == 8:
            found = estimate(find("bitmask"), n, 64, SEED, method)
            (sample,) = record["samples"]
            assert sample["nodes"] == [found.nodes.mean, found.nodes.error]
            assert sample["levels"] == [[x.mean, x.error] for x in found.levels]
            assert sample["reached"] == found.reached


def test_solvers_of_sudoku_are_rated(lines):
    rates = {(r["data_set"], r["algorithm"], r["implementation"]): r for r in join(lines)
             if r["metric"] == "rate"}
    assert len(rates) == len(DATA_SETS) * len(rated_solvers(PROBLEMS["sudoku"]))
    fast = rates["easy50", "fast", "cython"]
    assert fast["solutions"] == [1] * 50
    assert fast["status"] == "measured"
    assert len(fast["samples"]) == 6
    assert fast["processes"] == 3
    assert fast["guesses"] == [
        solve(Grid(digits), "fast", limit=2, keep=0).counters["guesses"]
        for digits in permute_all(read_data("easy50", SEED), fast["seed"]).instances]
    slow = rates["diabolical", "textbook", "python"]
    assert (slow["status"], slow["samples"]) == ("left out", [])
    assert slow["predicted"] > 0.07


def names(group, n=6):
    return {str(solver) for solver in solvers(n, Plan("few").but(solvers=group))}


def steps(plan):
    """The experiment and the process of each step."""
    return [(name, step.process) for name, step in Study(plan).steps]


def test_the_presets_of_one_thing_measure_its_algorithms():
    assert {"brute_force (python)", "permutations (python)"} == (
        names("algorithms") - names("pruning"))
    assert names("symmetry") == {
        f"{name} (python)" for name in ("bitmask", "bitmask_even_mirror", "marks_mirror", "somers",
                                        "canonical", "cross", "join")} | {
        f"{name} (cython)" for name in ("bitmask", "somers", "cross", "join")}
    assert set(steps(find_preset("estimate"))) == {("estimates", 0)}
    assert {name for name, _ in steps(find_preset("pruning"))} == {"points"}


def test_the_timings_come_first_and_every_process_after_the_one_before():
    plan = Plan("all", ("points", "checks", "rates", "estimates")).but(
        checks=1, check_n=5, n=(1, 2), samples=1, puzzles=1, processes=2)
    assert steps(plan) == [
        *[("points", 0)] * 2, *[("points", 1)] * 2, ("checks", 0),
        *[("rates", 0)] * len(DATA_SETS), *[("rates", 1)] * len(DATA_SETS)]


def test_by_default_no_study_takes_all_samples_in_one_process():
    assert min(find_preset(name)[PROCESSES] for name in presets()) >= 3


def test_estimates_that_exceed_the_budget_are_left_out(tmp_path, monkeypatch):
    monkeypatch.setitem(presets(), "estimate", {
        "budget": 1, "probes": 64, "experiments": ["estimates"]})
    nqbench.study.run("estimate", budget=1e-6, results=tmp_path)
    found = {(r["n"], r["method"]): r for r in measured(tmp_path)}
    assert found[28, "knuth"]["status"] == found[28, "stratified"]["status"] == "left out"
    assert found[28, "knuth"]["reason"] == "no time left"
    assert "estimate, knuth" in set(analysis.left_out(analysis.load(tmp_path))["algorithm"])


def test_a_small_budget_means_fewer_probes_but_every_n(tmp_path, monkeypatch):
    monkeypatch.setattr(estimates, "LARGEST_ESTIMATE", 8)
    monkeypatch.setattr(Session, "left", 1 / 8)  # seconds
    ticks = count()
    monkeypatch.setattr(estimates, "perf_counter", lambda: next(ticks) / 64)  # on any machine
    nqbench.study.run("estimate", budget=2, results=tmp_path)
    found = [(r["n"], r["probes"]) for r in measured(tmp_path) if r["status"] == "measured"]
    assert found == [(4, LEAST_PROBES), (4, LEAST_PROBES), (8, 64), (8, 128)]
    assert presets()["estimate"]["probes"] > 128


def test_an_interrupted_study_goes_on_where_it_was(tmp_path, monkeypatch):
    monkeypatch.setitem(presets(), "tiny", {
        **{key: value for key, value in TINY.items() if key not in ("probes", "puzzles")},
        "n": "4-5", "experiments": ["checks", "points"], "share": 0.001,
        "algorithms": ["brute_force", "bitmask@python", "join"]})
    with pytest.raises(ValueError, match="no interrupted tiny study"):
        nqbench.study.run("tiny", results=tmp_path, resume=True)
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run("tiny", results=tmp_path, progress=stop_at("n = 5"), processes=3)
    with pytest.raises(ValueError, match="no interrupted full study"):
        nqbench.study.run("full", results=tmp_path, resume=True)
    found = nqbench.study.run("tiny", results=tmp_path, resume=True)
    times = found[found["metric"] == "seconds"]
    assert (set(found["budget"]), set(times["processes"])) == ({1000}, {3})
    assert all(len(samples) == 3 for samples in times["samples"])
    kept = measured(tmp_path)
    assert len({r["run"] for r in kept}) == 1
    assert len(found) == len(join(read(tmp_path)))
    points = [(r.get("sequence"), r.get("algorithm"), r.get("implementation"), r["n"],
               r["metric"], r.get("method"), r.get("data_set"), r.get("process")) for r in kept]
    assert len(set(points)) == len(points)
    assert {r["n"] for r in kept if r["metric"] == "seconds"} == {4, 5}
    brute = next(r for r in kept if r.get("algorithm") == "brute_force" and r["n"] == 5)
    assert brute["predicted"] > 1e-4  # from what was measured before the interruption
    with pytest.raises(ValueError, match="no interrupted tiny study"):
        nqbench.study.run("tiny", results=tmp_path, resume=True)


def test_an_interrupted_study_without_records_leaves_no_file(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run("quick", results=tmp_path, progress=stop_at(""))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
@pytest.mark.parametrize(("done", "cut", "many"), [
    ([], "check", 3), (["check"], "estimate", 7), (["check", "estimate"], "rate", 10),
    (["check", "estimate", "rate"], "n = 2", 30)])
def test_what_a_power_cut_tore_is_done_again(tiny, tmp_path, done, cut, many):
    """Only a part of the records of n = 2, or of the checks, was written."""
    def kinds(record):
        yield record["metric"]
        if record["metric"] not in ("check", "estimate", "rate") and not record.get("process"):
            yield f"n = {record['n']}"

    whole, torn = ([record for record in tiny if {*names} & {*kinds(record)}]
                   for names in ([*done, *["n = 1"] * (cut == "n = 2")], [cut]))
    append(tmp_path / "a.jsonl", whole + torn[:many])
    found = nqbench.study.run("tiny", results=tmp_path, resume=True)
    at_2 = found[(found["n"] == 2) & (found["metric"] == "seconds")]
    assert len(at_2) == 29
    checks = [record for record in tiny if record["metric"] == "check"]
    assert len(found[found["metric"] == "check"]) == len(checks)
    assert not found.duplicated(["metric", "algorithm", "implementation", "n", "sequence",
                                 "method", "data_set"]).any()


@pytest.mark.parametrize("time", ["2020-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00"])
def test_a_run_with_impossible_times_is_not_resumed(lines, time):
    with pytest.raises(ValueError, match="cannot be resumed: its last record"):
        Study(find_preset("small"), before=[*lines, {**lines[-1], "time": time}])


def test_a_resumed_study_has_only_the_time_that_is_left(lines):
    spent = Study(find_preset("small"), before=lines).session.elapsed
    assert spent >= max(r["predicted"] or 0 for r in lines if r["status"] == "measured")
    first, last = (datetime.fromisoformat(lines[i]["time"]) for i in (0, -1))
    assert spent >= (last - first).total_seconds()
    again = {**lines[-1], "time": datetime.now(UTC).isoformat(), "status": "begun"}
    earlier = [{**line, **{name: (datetime.fromisoformat(line[name]) - timedelta(1)).isoformat()
                           for name in ("run", "time")}} for line in lines]
    assert Study(find_preset("small"), before=[*earlier, again]).session.elapsed < spent + 3600


def test_a_resumed_study_needs_nothing_for_experiments_that_are_over(lines):
    before = [line for line in lines if line["metric"] != "estimate"]
    assert Study(find_preset("small"), before=before).session.repeats == 0


def test_the_cost_of_a_point_is_that_of_all_its_rounds():
    quick = find_preset("quick")
    points = Study(quick).experiments["points"]
    point = Point(SolverKey("bitmask", "python").find(), 8, predicted=1.0)
    # The first search, and counting at half the speed.
    assert points.cost(point) == quick[PROCESSES] + 1 + 2
    point.predicted = 1e-6
    assert points.cost(point) == pytest.approx(
        (quick[PROCESSES] + 1) * quick[SHORTEST], rel=0.01)


def test_no_dear_point_crowds_a_cheap_one_out():
    """If many would take 0.1 s for a search, there is time for few; the engine takes almost none.
    """
    made = Study(Plan("small").but(budget=3.0, n=(5,), samples=2, processes=1, patience=0.15))
    made.session.forecast.predict = lambda key, n: 1e-5 if (
        key.algorithm, key.implementation) == ("cross", "cython") else 0.1
    records = made.experiments["points"].run(Step(5))
    times = {(r["algorithm"], r["implementation"]): r for r in records if r["metric"] == "seconds"}
    made.stop()
    found = {solver: record["status"] for solver, record in times.items()}
    assert found["cross", "cython"] == "measured"
    least = 0.1 * (1 + 2)  # seconds of a point that is not counted
    most = (3.0 * (1 - CLOSING - 0.15) - 3 * SHORTEST.default) / least
    assert 1 <= list(found.values()).count("measured") <= 1 + most
    skipped = [record for record in times.values() if record["status"] == "left out"]
    assert {record["reason"] for record in skipped} == {"no time left"}
    assert all(record["allowed"] < record["cost"] < 3.0 for record in skipped)


# Seconds of a search at n = 8, and how many times as long n = 9 takes, on a machine
# somewhat slower than that of the published records.
SLOW = {"brute_force": (35.0, 25.0), "permutations": (0.06, 9.0), "probe_stack": (0.02, 5.0)}
USUAL = (0.005, 5.0)
START = 0.3  # seconds of a process


class Modelled(Worker):
    """A worker whose searches take the time of a model, on a simulated clock."""

    started = False

    def __init__(self, clock, patience):
        super().__init__(patience)
        self.clock = clock

    def measure(self, searches, shortest, say, seed):
        if not self.started:
            self.started = True
            self.clock.now += START
            self.overhead += START
        timed = []
        for search in searches:
            at_8, growth = SLOW.get(search.solver.algorithm, USUAL)
            seconds = max(2e-6, at_8 * growth ** (search.n - 8))
            loops = search.loops or max(1, round(shortest / seconds))
            self.clock.now += seconds * loops * (search.rounds + 1.5 * (search.loops is None))
            timed.append(Timed(loops, [seconds] * search.rounds, 1))
        return timed

    def stop(self):
        self.started = False


def test_the_quick_study_reaches_8_queens_in_its_time(monkeypatch):
    """All but brute force and permutations, also on a slower machine."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(experiments, "perf_counter", lambda: clock.now)
    monkeypatch.setattr(experiments, "Worker", lambda patience, *_: Modelled(clock, patience))
    quick = find_preset("quick")
    made = Study(quick.but(checks=0))
    clock.now += quick.given["checks"]
    points = made.experiments["points"]
    for name in ("rates", "estimates"):
        monkeypatch.setattr(made.experiments[name], "run", lambda step: [])
    monkeypatch.setattr(points, "count", lambda point: [
        points.record(point, METRICS["solutions"], [1]), points.record(
            point, METRICS["seconds"], point.timed.samples, loops=point.loops, process=0,
            processes=5)])
    found, begun = [], {}
    for batch in made.batches():
        found += batch
        begun.setdefault((batch or found)[-1]["n"], clock.now)
    reached = {(r["algorithm"], r["implementation"]) for r in found
               if r["n"] == 8 and r["status"] == "measured" and r.get("process") == 2}
    expected = {(solver.algorithm.name, solver.implementation)
                for solver in solvers(8, quick)}
    assert expected - reached <= {("brute_force", "python"), ("permutations", "python")}
    assert clock.now < quick[BUDGET]
    assert begun[4] - quick.given["checks"] < 1.5  # almost nothing for n <= 4


def test_later_processes_wait_as_long_as_the_budget_allows(monkeypatch):
    """Each takes 10 s, and the fourth is not begun when only 5 are left."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(experiments, "perf_counter", lambda: clock.now)
    made = experiments.Session(Plan("mine").but(budget=100 / (1 - CLOSING)))
    made.waiting, made.worker.overhead, patience = 4.0, 10.0, []
    for process, clock.now in ((1, 55.0), (2, 68.0), (3, 78.0)):
        assert made.begin_process(process)
        patience.append(made.worker.patience)
        made.worker.patience -= 3 * (process == 1)  # spent of the 13 seconds that it took
    assert patience == pytest.approx([4, 2, 2])
    clock.now = 95.0
    assert not made.begin_process(4)


def test_what_the_first_process_leaves_is_enough_for_the_others():
    made = experiments.Session(Plan("mine").but(budget=100))
    made.waiting = made.worker.patience = 2.0
    made.worker.overhead, made.repeats = 4.0, 8.0
    assert made.needed_later == pytest.approx(SLACK * 8 + 4 * (SLACK * 4 + 2) + 2)


@pytest.mark.parametrize(("after", "says"), [
    (1, "no interval includes how processes differ"), (2, "there are no intervals")])
def test_a_study_whose_budget_is_over_makes_fewer_processes_and_says_so(
        tmp_path, monkeypatch, after, says):
    asked = {"algorithms": ["bitmask@python"], "n": 3, "samples": 1, "results": tmp_path}
    began = Session.begin_process

    def begin_process(self, process):
        self.start -= self.plan[BUDGET] * (process == after)
        return began(self, process)

    monkeypatch.setattr(Session, "begin_process", begin_process)
    with pytest.warns(UserWarning, match=f"the budget is over after {after} of 4 processes of "
                      f"points; a la.*; {says}"):
        nqbench.study.run(processes=4, budget=1000, **asked)
    assert {r["process"] for r in measured(tmp_path) if r["metric"] == "seconds"} == {
        *range(after)}
    with pytest.raises(ValueError, match="no interrupted custom study"):
        nqbench.study.run(resume=True, **asked)


def test_copies_of_puzzles_are_part_of_what_a_later_process_takes():
    class Still:
        overhead = 0.0

        def measure(self, searches, shortest, say, seed):
            return [Timed(1, [1.0] * search.rounds) for search in searches]

    still = Still()
    rate(read_data("hardest", SEED), [("fast", "cython")], still)
    assert still.overhead > 0


@pytest.mark.parametrize(("arguments", "says"), [
    ({"preset": "swift"}, "no preset 'swift'"), ({"budget": 0}, "seconds above 0, not 0"),
    ({"budget": True}, "not True"), ({"budget": "5"}, "not '5'")])
def test_bad_requests_are_refused(arguments, says, tmp_path):
    with pytest.raises((ValueError, TypeError), match=says):
        nqbench.study.run(results=tmp_path, **arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_results_folder_that_cannot_be_is_refused_before_measuring(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        nqbench.study.run("quick", results=tmp_path / "file")

"""The cores and the limits of a search, and what else the machine does during a sample, which is
taken again while it is disturbed.
"""

import json
import os

import psutil
import pytest
from conftest import measured

import nqbench
from nqbench.problems.plugins.limits import Limits, explain_unlimited
from nqbench.study import samples
from nqbench.study.plan import Plan
from nqbench.study.samples import RUNS, STATE, Conditions, Reference, Taken
from nqbench.study.worker import Search, SolverKey, in_turns
from nqbench.util import clocks
from nqbench.util.clocks import Sample

PINS = pytest.mark.skipif("cores" in explain_unlimited(), reason="it cannot be pinned")


@PINS
def test_a_search_keeps_to_as_many_cores_as_it_has_threads(monkeypatch):
    allowed, seen = os.sched_getaffinity(0), []
    monkeypatch.setattr(Search, "function",
                        lambda search: lambda: seen.append(len(os.sched_getaffinity(0))))
    two = min(2, len(allowed))
    searches = [Search(str(threads), SolverKey("somers", "cython"), rounds=1, n=4, loops=1,
                       threads=threads) for threads in (1, two, 1)]
    timed = in_turns(searches, 0.001, lambda text: None)
    assert (seen[:3], sorted(seen[3:])) == ([1, two, 1], [1, 1, two])  # they warm up, too
    assert [len(one.state["pinned"]) for one in timed] == [1, two, 1]
    assert os.sched_getaffinity(0) == allowed
    monkeypatch.setattr(Limits, "kept", 0)
    in_turns(searches, 0.001, lambda text: None)
    assert seen[6:] == [len(allowed)] * 6


def test_without_affinity_a_search_has_all_cores_and_the_reason_is_known(monkeypatch):
    monkeypatch.delattr(os, "sched_setaffinity", raising=False)
    cached = explain_unlimited, samples.rank_cores
    for function in cached:
        function.cache_clear()
    try:
        with Conditions() as found:
            found.pin(1)
            assert found.describe()["pinned"] is None
            assert len(found.cores) == psutil.cpu_count()
            assert "sched_setaffinity" in explain_unlimited()["cores"]
    finally:
        for function in cached:
            function.cache_clear()


def test_what_the_machine_does_not_say_is_not_made_up(monkeypatch):
    def refuse(*arguments, **named):
        raise NotImplementedError

    monkeypatch.setattr(psutil, "cpu_freq", refuse)
    monkeypatch.delattr(os, "getloadavg", raising=False)
    found = Conditions().describe()
    assert (found["load"], found["mhz"]) == (None, None)


@pytest.mark.slow
def test_a_limit_that_the_system_cannot_set_is_named_and_recorded(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("nqbench.study.loop.explain_unlimited",
                        lambda: {"memory": "macOS ignores RLIMIT_AS"})
    status, _, err = run("study", "-a", "bitmask@python", "-n", 4, "--processes", 1)
    (line,) = [line for line in err.splitlines() if "RLIMIT_AS" in line]
    assert line.endswith("memory of searches cannot be limited here: macOS ignores RLIMIT_AS")
    found = json.loads(run("results", "show", "2", "--json")[1])
    assert (status, found["unlimited"]) == (0, {"memory": "macOS ignores RLIMIT_AS"})


@pytest.mark.slow
def test_the_conditions_of_the_samples_are_recorded_and_joined(tmp_path):
    found = nqbench.study.run(algorithms=["bitmask@python"], n=[6], processes=2, samples=3,
                              results=tmp_path)
    records = [record for record in measured(tmp_path) if record["metric"] == "seconds"]
    assert all(STATE.keys() - {"processor"} <= record.keys() for record in records)
    assert all(record["pinned"] is None or len(record["pinned"]) == 1 for record in records)
    (point,) = found[found["metric"] == "seconds"].to_dict("records")
    for name in ("wall", "waited", "losses", "place"):
        assert point[name] == [*records[0][name], *records[1][name]]
    assert (point["samples"].wall, point["samples"].disturbed) == (
        point["wall"], point["disturbed"])
    for name in ("repeated", "disturbed"):
        assert point[name] == sum(record[name] for record in records)
    found.loc[found["metric"] == "seconds", "disturbed"] = 4
    assert "4 disturbed" in nqbench.analysis.timings(found)["warning"].iloc[0]
    found.loc[found["metric"] == "seconds", "disturbed"] = None
    assert "disturbed" not in nqbench.analysis.timings(found)["warning"].iloc[0]


def test_the_limits_of_a_preset_are_those_of_its_searches():
    plan = Plan("few").but(memory_limit=5, process_limit=6, file_limit=7, cores=0)
    assert plan.limits == Limits(5, 6, 7, 0)
    assert Plan("usual").limits == Limits()


def take(seconds, waited=0.0):
    """A sample of these seconds of the processor."""
    return Sample(seconds, seconds, waited, 0, 0)


class Machine:
    """A reference that takes the given seconds, one after the other, and searches that take 1, 2,
    ... seconds, and wait for these shares of them.
    """

    def __init__(self, monkeypatch, *seconds, waited=(0.0,) * 99):
        references, turns = iter(seconds), zip(range(1, 100), waited, strict=False)
        monkeypatch.setattr(clocks, "sample", lambda search, *loops: take(
            next(references)) if search is samples._loop else take(*next(turns)))
        monkeypatch.setattr(samples, "sleep", lambda seconds: None)


@pytest.mark.parametrize(("seconds", "waited", "patience", "found"), [
    # Before: fast. After the first: slow, twice. Then slow, twice, and fast; after it: fast.
    ((1.0, 1.5, 1.4, 1.5, 1.5, 1.0, 1.0), [0.0] * 2, 9.0, Taken(take(2), 1, False)),
    ((1.0, 1.5, 1.0), [0.0], 9.0, Taken(take(1), 0, False)),  # a short interruption
    ([1.0] * 10, [0.4, 0.11, 0.1], 9.0, Taken(take(3, 0.1), 2, False)),
    ([1.0] * 10, [0.4], 0.0, Taken(take(1, 0.4), 0, True)),
    ([1.0] * 10, [None], 0.0, Taken(take(1, None), 0, True))])  # it may have waited
def test_a_sample_is_taken_again_if_the_machine_is_disturbed_or_its_search_waited(
        monkeypatch, seconds, waited, patience, found):
    Machine(monkeypatch, *seconds, waited=waited)
    assert Reference(1.0, patience).sample(None, 1) == found


def test_patience_ends(monkeypatch):
    Machine(monkeypatch, *[1.5] * 1000)
    reference = Reference(fastest=1.0, patience=2.0)
    assert reference.sample(None, 1) == Taken(take(1), repeated=0, disturbed=True)
    assert reference.patience <= 0
    assert reference.sample(None, 1) == Taken(take(2), repeated=0, disturbed=True)


def test_the_fastest_runs_in_a_row_are_remembered_and_no_single_one(monkeypatch):
    Machine(monkeypatch, *[1.0] * RUNS, 0.5, *[0.8] * RUNS, *[1.0] * 50)
    reference = Reference(patience=9.0)
    for _ in range(2 * RUNS):
        reference.sample(None, 1)
    assert reference.fastest == 0.8

"""A search that reaches a limit is recorded so, and the study goes on."""

import json
import os
from pathlib import Path

import pytest
from conftest import measured

import nqbench
from nqbench.cli.check import TEMPLATES
from nqbench.problems.plugins.limits import STOPPED, Limits
from nqbench.records.record import read
from nqbench.study import experiments, outside
from nqbench.study.plan import Plan
from nqbench.study.samples import STATE

IDEA = TEMPLATES["queens"].format(title="Idea", name="idea", file='"idea.py"')
pytestmark = [pytest.mark.usefixtures("no_plugins"), pytest.mark.slow, pytest.mark.skipif(
    not hasattr(os, "fork"), reason="there are no supervisors")]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(outside, "CHECKED_N", 5)
    monkeypatch.setattr(outside, "RECORDING", 0.5)  # of a search that does not end
    monkeypatch.setattr(experiments, "LEAST", 0.5)
    return tmp_path


def write(statement, **keys):
    """Write a search that does something at first, and its study."""
    Path("idea.py").write_text(IDEA.replace(
        "    columns = []", f"    {statement}\n    columns = []", 1).replace(
            "import nqbench", "import nqbench, os, tempfile, time", 1))
    Path("s.toml").write_text("".join(["[study]\n", *(f"{key} = {json.dumps(value)}\n"
                              for key, value in {
        "algorithms": ["idea.py", "bitmask@python"], "n": "5-6", "samples": 2, "processes": 1,
        "budget": 10, **keys}.items())]))


@pytest.mark.parametrize(("statement", "keys", "status", "says"), [
    ("while n == 6: pass", {"time_limit": 0.3}, "timed out", "stopped after "),
    ("n == 6 and bytes(10**9)", {"memory_limit": 10**8}, "out of memory",
     "stopped, as it needs more than 100 MB of memory"),
    ("[os.fork() or time.sleep(60) for _ in range(5) if n == 6]; n == 6 and time.sleep(60)",
     {"process_limit": 3}, "too many processes", "stopped, as it had more than 3 processes"),
    ("n == 6 and tempfile.TemporaryFile().write(bytes(10**7))", {"file_limit": 10**6},
     "too large a file", "stopped, as it wrote a file of more than 1 MB")])
def test_a_search_that_reaches_a_limit_is_recorded_and_the_study_goes_on(
        here, run, statement, keys, status, says):
    write(statement, **keys)
    code, out, _ = run("study", "s.toml", "--json")
    found = {(record["algorithm"], record["n"]): record for record in measured(
        Path("results/local")) if record["metric"] == "seconds"}
    assert {point: record["status"] for point, record in found.items()} == {
        **{(name, n): "measured" for name in ("idea", "bitmask") for n in (5, 6)},
        ("idea", 6): status}
    stopped = found["idea", 6]
    assert (stopped["samples"], stopped["fault"][:len(says)]) == ([], says)
    told = json.loads(out)
    assert (code, told[status.replace(" ", "_")], told["stopped"]) == (
        0, 1, [f"idea (python) at n = 6 was {stopped['fault']}"])
    assert status in STOPPED
    assert f"{status}: {stopped['fault']}" in set(nqbench.analysis.left_out(
        nqbench.analysis.load("results"))["reason"])
    (about, *_) = [record for record in read(Path("results/local"), pytest.fail)
                   if record["metric"] == "study"]
    named = {"time": None, "memory": "memory", "process": "processes", "file": "file_size"}
    for key, value in keys.items():
        kept = named[key.partition("_")[0]]
        assert about["study"][key] == value
        assert kept is None or about["limits"][kept] == value


def test_a_limit_that_the_system_cannot_set_is_named_and_recorded(here, run, monkeypatch):
    monkeypatch.setattr("nqbench.study.loop.explain_unlimited",
                        lambda: {"memory": "macOS ignores RLIMIT_AS"})
    status, _, err = run("study", "-a", "bitmask@python", "-n", 4, "--processes", 1)
    (line,) = [line for line in err.splitlines() if "RLIMIT_AS" in line]
    assert line.endswith("memory of searches cannot be limited here: macOS ignores RLIMIT_AS")
    (name,) = Path("results/local").glob("*.jsonl")
    found = json.loads(run("results", "show", "2", "--json")[1])
    assert found["unlimited"] == {"memory": "macOS ignores RLIMIT_AS"}
    assert (status, name.exists()) == (0, True)


def test_the_conditions_of_the_samples_are_recorded_and_joined(here):
    found = nqbench.study.run(algorithms=["bitmask@python"], n=[6], processes=2, samples=3,
                              results="results/local")
    records = [record for record in measured(Path("results/local"))
               if record["metric"] == "seconds"]
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

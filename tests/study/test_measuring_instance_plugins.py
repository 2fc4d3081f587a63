"""External algorithms in a study of random instances: their records, and when they are refused.
"""

from hashlib import sha256
from pathlib import Path

import pytest
from conftest import measured

import nqbench
from nqbench.cli.check import TEMPLATES
from nqbench.errors import InvalidValueError
from nqbench.records.descriptions import to_study_file
from nqbench.records.record import read
from nqbench.records.runs import group, locate
from nqbench.report.frames import Frames
from nqbench.study import outside, plan
from nqbench.study.plan import make_plan

IDEA = TEMPLATES["instances"].format(title="Idea", name="idea", file='"idea.py"')
UNSOUND = IDEA.replace("range(board.n):", "range(board.n - 1):")
STUDY = """[study]
experiments = ["transitions"]
instances = 4
n = [6, 7]
amounts = [10]
algorithms = ["idea.py", "row_by_row"]
budget = "1 min"
"""
ASKED = {"experiments": ["transitions"], "instances": 2, "n": 6}
LOCAL = Path("results/local")

pytestmark = pytest.mark.usefixtures("no_plugins")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with idea.py and my.toml; checks are short."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(outside, "CHECKED_N", 2)
    Path("idea.py").write_text(IDEA)
    Path("my.toml").write_text(STUDY)
    return tmp_path


def test_it_is_named_by_a_file_or_itself_beside_built_in_ones(here):
    plan = make_plan(algorithms=["idea.py", "bitmask", "idea.py::idea"], **ASKED)
    assert [each.name for each in plan.algorithms] == ["idea", "bitmask"]
    idea = nqbench.problems.instances.find("idea.py")
    assert make_plan(algorithms=[idea, "bitmask"], **ASKED) == plan


def test_an_algorithm_of_queens_is_refused_and_one_of_instances_where_queens_are_measured(here):
    Path("ours.py").write_text(
        TEMPLATES["queens"].format(title="Ours", name="ours", file='"ours.py"'))
    with pytest.raises(InvalidValueError, match="no algorithm of instances, only ours of queens"):
        make_plan(algorithms=["ours.py"], **ASKED)
    with pytest.raises(InvalidValueError, match="no algorithm of queens, only idea of instances"):
        make_plan(algorithms=["idea.py"], n=6)
    with pytest.raises(InvalidValueError, match="must be a list of at least one algorithm"):
        make_plan(algorithms=[], **ASKED)


@pytest.mark.slow
def test_its_records_have_its_source_and_its_description(here):
    nqbench.study.run("my.toml")
    source = sha256(IDEA.encode()).hexdigest()
    records = measured(LOCAL)
    assert [(record["n"], record["algorithm"], record.get("source")) for record in records] == [
        (n, *named) for n in (6, 7) for named in (("idea", source), ("row_by_row", None))]
    for mine, theirs in (records[:2], records[2:]):
        assert mine["solvable"] == theirs["solvable"]
        assert mine["samples"] == theirs["samples"]  # the same search
        assert mine["backtracks"] == theirs["backtracks"]
    (said,) = (record for record in read(LOCAL, pytest.fail) if record["metric"] == "algorithm")
    assert (said["algorithm"], said["source"], said["recordings"]) == ("idea", source, [])
    assert (said["description"]["file"], said["description"]["checked"]) == ("idea.py", True)
    assert [(name, each.source) for name, each in Frames(
        nqbench.analysis.load("results")).deciding.items()
            ] == [("idea", source)]
    (run,) = group(locate("results"))
    Path("again.toml").write_text(to_study_file(run.study, run.outside))
    assert [each.name for each in plan.read_study("again.toml").algorithms] == [
        "idea", "row_by_row"]


@pytest.mark.slow
def test_a_wrong_one_is_left_out_and_named_at_the_end(here, run):
    Path("idea.py").write_text(UNSOUND)
    status, _, err = run("study", "my.toml")
    assert status == 1
    assert ("idea is not measured, as it is wrong: n=1: 1 of 1 solutions are missing, the first is "
            "(1)") in err
    assert "idea" not in {record["algorithm"] for record in measured(LOCAL)}


@pytest.mark.slow
def test_one_that_raises_is_recorded_and_the_study_goes_on(here, run):
    Path("idea.py").write_text(IDEA.replace(
        "tally.exhausted(level)", "tally.exhausted(level)\n        1 // (board.n - 7)"))
    status, _, err = run("study", "my.toml", "--unchecked")
    assert status == 1
    assert ": idea.py, line 25: ZeroDivisionError" in err
    assert {(record["n"], record["algorithm"]): record["status"] for record in measured(LOCAL)} == {
        (n, name): "failed" if (n, name) == (7, "idea (unchecked)") else "measured"
        for n in (6, 7) for name in ("idea (unchecked)", "row_by_row")}


@pytest.mark.slow
def test_the_ladder_measures_what_it_is_asked_for_and_nothing_else(here):
    Path("my.toml").write_text('[study]\nexperiments = ["ladder"]\nn = 5\nsamples = 2\n'
                               'algorithms = ["idea.py", "row_by_row"]\n')
    nqbench.study.run("my.toml", results=LOCAL)
    found = measured(LOCAL)
    assert [(record["algorithm"], record["status"], len(record["samples"]), "source" in record)
            for record in found] == [("idea", "measured", 2, True),
                                     ("row_by_row", "measured", 2, False)]
    assert all(record["counters"]["nodes"] > 0 for record in found)
    with pytest.raises(InvalidValueError, match="my needs algorithms that find all solutions; "):
        nqbench.study.run("my.toml", algorithms=["min_conflicts"], results="other")

"""A run is identified by its start and its machine, says whether it is complete, and has its own
file, which nothing overwrites.
"""

import fcntl
import os
import subprocess

import pytest
from conftest import RESULTS
from examples import FIRST, GOOD, SECOND, checked, head, store, timed, write

import nqbench
from nqbench import analysis
from nqbench.records.record import append, read
from nqbench.records.runs import (
    find_run,
    group,
    locate,
    locked,
    read_quietly,
    remove_if_empty,
    select,
)


def runs(folder):
    return group(locate(folder, warn=pytest.fail))


@pytest.fixture
def several(tmp_path):
    """Three runs of two machines, of which one is published and stands in two files."""
    write(tmp_path / "a.jsonl", timed(), timed(run=SECOND, machine="bbbb1111", label="laptop"))
    write(tmp_path / "b.jsonl", timed(n=9))
    write(tmp_path / "local" / "c.jsonl", timed(run=SECOND, label="server"))
    return tmp_path


def test_a_run_may_stand_in_several_files_and_a_file_may_hold_several_runs(several):
    first, second, third = runs(several)
    assert [path.name for path in first.files] == ["a.jsonl", "b.jsonl"]
    assert (first.started, first.machine, first.sizes, len(first.records)) == (
        FIRST, "aaaa0000", (8, 9), 2)
    assert (second.machine, second.label, third.machine, third.label) == (
        "aaaa0000", "server", "bbbb1111", "laptop")


def test_a_run_tells_what_it_measured(several):
    first = runs(several)[0]
    assert (first.name, first.preset, first.commit) == (FIRST[:19], "quick", "a" * 40)
    assert (first.algorithms, first.solvers) == (["bitmask"], ["bitmask (python)"])


@pytest.mark.parametrize("name", ["2026-11-21", FIRST, "b.jsonl"])
def test_a_run_is_found_by_the_beginning_of_its_time_or_by_its_file(several, name):
    assert find_run(runs(several), name).started == FIRST


@pytest.mark.parametrize(("name", "said"), [
    ("2026-11-22T09:31", r"there is no run '2026-11-22T09:31'; did you mean 2026-11-22T09:30:00"),
    ("d.jsonl", r"there is no run 'd.jsonl'; did you mean .*[abc].jsonl"),
    ("zzz", "there is no run 'zzz'; the newest run is 2026-11-22T09:30:00, and `nqbench results"),
    ("", "there is no run ''"),
    ("2026-11-2", r"'2026-11-2' matches several runs: 2026-11-21T08:00:00 \(quick, aaaa0000\), "),
    ("a.jsonl", "matches several runs")])
def test_an_unclear_run_is_refused_with_the_nearest(several, name, said):
    with pytest.raises(ValueError, match=said):
        find_run(runs(several), name)


def test_without_runs_a_study_is_advised(tmp_path):
    with pytest.raises(ValueError, match=r"nor any run: run `nqbench study` first"):
        find_run(runs(tmp_path), "2026")


def test_runs_are_selected_by_name_label_and_machine(several):
    found = runs(several)
    assert select(found) == found
    assert [run.machine for run in select(found, machines=["aaaa"])] == ["aaaa0000"] * 2
    assert [run.label for run in select(found, machines=["laptop", "server"])] == [
        "server", "laptop"]
    assert select(found, [FIRST], ["aaaa0000"]) == found[:1]
    with pytest.raises(ValueError, match=r"none of these runs is of laptop: 2026-11-21T08:00:00"):
        select(found, [FIRST], ["laptop"])


def states(*records):
    (run,) = group(("a", record) for record in records)
    return run.state


def test_what_the_records_cannot_tell_is_unknown():
    assert states(timed(preset="mine")) == "unknown"
    assert states({**GOOD, "preset": "engine"}) == "unknown"
    rate = {name: GOOD[name] for name in ("run", "context", "time", "status", "n")}
    assert states({**rate, "metric": "rate", "preset": "sudoku"}) == "unknown"
    assert states(checked(8, 92)) == "unknown"


@pytest.mark.slow
def test_the_published_runs_are_not_taken_for_interrupted():
    assert {run.state for run in group(locate(RESULTS, published=True))} == {"complete"}


def test_a_study_is_complete_if_all_the_points_of_its_end_are_there(tmp_path):
    first, second = timed(n=4), timed(n=5)
    end = head(first) | {
        "metric": "study", "n": 0, "status": "complete", "samples": [], "points": 2,
        "study": {"name": "mine"}}
    path = write(tmp_path / "a.jsonl", end | {"status": "begun"}, first, second, end)
    assert [run.state for run in group(locate(tmp_path))] == ["complete"]
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[2:]), "utf-8")
    assert [run.state for run in group(locate(tmp_path))] == ["interrupted"]


def test_runs_of_two_machines_and_of_one_moment_have_files_of_their_own(tmp_path):
    paths = [store(tmp_path, FIRST), store(tmp_path, FIRST), store(tmp_path, FIRST, "ffff")]
    assert paths[0].name == "quick-20261121T080000Z-0123456789ab.jsonl"
    assert len({path.name for path in paths}) == 3
    assert len(list(read(tmp_path, pytest.fail))) == 3


def test_runs_are_sorted_by_their_start(tmp_path):
    later, earlier = store(tmp_path, SECOND, "0000"), store(tmp_path, FIRST, "ffff")
    append(later, [GOOD | {"run": FIRST}])  # an older file may hold several runs
    assert [(run.started, run.files) for run in read_quietly(tmp_path)] == [
        (FIRST, [earlier, later]), (SECOND, [later])]


def test_a_second_study_in_the_same_folder_is_refused(tmp_path):
    with locked(tmp_path), pytest.raises(ValueError, match="another study is writing to"):
        locked(tmp_path).__enter__()
    with locked(tmp_path):
        pass


@pytest.mark.slow
def test_a_folder_is_free_again_when_its_study_was_killed(tmp_path):
    handle = os.open(tmp_path, os.O_RDONLY)
    child = subprocess.Popen(["sleep", "60"], pass_fds=[handle])
    fcntl.flock(handle, fcntl.LOCK_EX)
    os.close(handle)
    with pytest.raises(ValueError, match="another study"):
        locked(tmp_path).__enter__()
    child.kill()
    child.wait()
    with locked(tmp_path):
        pass


def test_published_and_local_records_are_read_together_or_apart(tmp_path):
    store(tmp_path, FIRST)
    store(tmp_path / "local", SECOND)
    assert set(analysis.load(tmp_path)["run"]) == {FIRST, SECOND}
    for load in (analysis.load, nqbench.load):
        assert set(load(tmp_path, published=True)["run"]) == {FIRST}


@pytest.mark.parametrize("text", [None, "", "record"])
def test_only_an_empty_file_is_removed_at_the_end_of_a_study(tmp_path, text):
    path = tmp_path / "a.jsonl"
    with remove_if_empty(path):
        if text is not None:
            path.write_text(text)
    assert path.exists() == bool(text)

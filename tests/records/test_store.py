"""Every run has its own file, which nothing overwrites."""

import fcntl
import os
import subprocess

import pytest
from examples import FIRST, GOOD, SECOND, store

import nqbench
from nqbench import analysis
from nqbench.records.record import append, read
from nqbench.records.runs import locked, read_quietly, remove_if_empty


def test_the_name_tells_preset_time_and_machine(tmp_path):
    assert store(tmp_path, FIRST).name == "quick-20261121T080000Z-0123456789ab.jsonl"


def test_runs_of_two_machines_and_of_one_moment_have_files_of_their_own(tmp_path):
    paths = [store(tmp_path, FIRST), store(tmp_path, FIRST), store(tmp_path, FIRST, "ffff")]
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

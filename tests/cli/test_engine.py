"""The checkpoints of counts: by default, and what contradicts them."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from conftest import refused

from nqbench import engine
from nqbench.cli.count import describe_progress, open_checkpoint
from nqbench.engine import Checkpoint, Division

DIVISION = Division.new(12, engine.kernels()[0])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The user's folder of state, for which every count of more than 11 queens is long."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("nqbench.cli.count.QUICK_N", 11)
    monkeypatch.setattr("nqbench.problems.forecast.SURELY_SHORT", 11)
    monkeypatch.setattr("nqbench.cli.count.SAVED", 0.0)
    return tmp_path / "nqbench"


def opened(n, kernel=None, jobs=None):
    """The checkpoint in which a count saves its progress by default."""
    return open_checkpoint(n, kernel=kernel, jobs=jobs)[0]


def begun(folder, name="count-12.checkpoint", parts=1, **changes):
    """A default checkpoint with some parts of one completion each."""
    path = folder / name
    folder.mkdir(exist_ok=True)
    with Checkpoint(path, replace(DIVISION, **changes)) as kept:
        kept.add([(part, (1, 1, 1)) for part in range(parts)])
    return path


def test_an_audit_that_finds_a_difference_says_so(run, tmp_path):
    status, out, err = run("audit", begun(tmp_path))
    assert (status, err) == (1, "")
    assert "\npart 0: 1 in the file, " in out
    assert out.endswith("0 of 1 recounted parts are the same\n")


def test_a_part_of_a_count_cannot_have_more_than_all(run, tmp_path):
    path = tmp_path / "12"
    with Checkpoint(path, DIVISION) as kept:
        kept.add([(0, (10**6, 10**6 % 13, 10**6 % 15))])
    assert run("audit", path)[::2] == (1, (
        f"nqbench: {DIVISION.engine.images(0)},000,000 solutions are impossible: all parts "
        "together have 14,200\n"))


def test_a_total_that_cannot_be_is_an_error(run, tmp_path):
    path = begun(tmp_path, parts=DIVISION.parts)
    total = sum(map(DIVISION.engine.images, range(DIVISION.parts)))
    first = f"{total:,} solutions are impossible: A000170 says 14,200, not {total:,}"
    status, out, err = run("count", 12, "--checkpoint", path)
    assert (status, out, err.splitlines()[1:]) == (1, "", [f"nqbench: {first}"])
    status, out, _ = run("audit", path, "--json")
    found = json.loads(out)
    assert (status, found["ok"], found["contradictions"]) == (1, False, [
        first, f"{total:,} solutions are impossible: modulo 8, as A032522 says 0, not {total % 8}"])


def test_a_finished_count_removes_its_checkpoint(run, folder):
    path = folder / "count-12.checkpoint"
    assert run("count", 12) == (0, "14200\n", f"nqbench: progress is saved in {path}\n")
    assert list(folder.iterdir()) == []


def test_a_short_count_has_none(run, folder, monkeypatch):
    monkeypatch.setattr("nqbench.cli.count.SAVED", 1e9)
    assert run("count", 12) == (0, "14200\n", "")
    assert not folder.exists()


def test_an_interrupted_count_is_resumed_even_if_it_is_short_now(run, folder, monkeypatch):
    path = begun(folder)
    monkeypatch.setattr("nqbench.cli.count.SAVED", 1e9)
    status, _, err = run("count", 12)
    assert status == 1
    assert err.startswith(f"nqbench: resuming {path}: 1 of 45 parts are counted\n")
    assert "14,200" in err.splitlines()[1]  # part 0 has more than one completion: it was resumed


def test_the_prediction_is_for_the_kernel_and_the_threads_that_were_asked_for(folder, monkeypatch):
    asked = []

    def predicted(n, kernel, jobs, algorithm):
        asked.append((n, kernel, jobs))
        return 100.0 if (kernel, jobs) == ("portable", 1) else 1.0

    monkeypatch.setattr("nqbench.cli.count.SAVED", 60.0)
    monkeypatch.setattr("nqbench.problems.forecast.predict_engine", predicted)
    assert opened(12, "portable", 2) is None
    assert opened(12) is None
    opened(12, "portable", 1).close()
    assert asked == [(12, "portable", 2), (12, None, None), (12, "portable", 1)]


@pytest.mark.parametrize(("old", "new", "says"), [
    ("0.1.0", "0.0.9", " is a checkpoint of nqbench 0.0.9, not 0.1.0"),
    ("12", "x", " is not a checkpoint of nqbench: its first line"),
    ("{", "hello", " is not a checkpoint of nqbench: its first line")])
def test_a_file_that_cannot_be_continued_is_left_unchanged(run, folder, old, new, says):
    foreign = begun(folder)
    foreign.write_text(foreign.read_text().replace(old, new))
    before = foreign.read_bytes(), foreign.stat().st_mtime_ns
    status, out, err = run("count", 12)
    first, second = err.splitlines()
    assert (status, out) == (0, "14200\n")
    assert first.startswith(f"nqbench: {foreign}{says}")
    assert first.endswith("; the file is left unchanged")
    assert second == f"nqbench: progress is saved in {folder}/count-12-2.checkpoint"
    assert run("count", 12, "--checkpoint", foreign)[:2] == (2, "")
    assert (foreign.read_bytes(), foreign.stat().st_mtime_ns) == before
    assert list(folder.iterdir()) == [foreign]


def test_a_second_name_is_found_again(folder, capsys):
    begun(folder, version="0.0.9")
    second = opened(12)
    second.add([(0, (1, 1, 1))])
    second.close()
    assert second.path == folder / "count-12-2.checkpoint"
    again = opened(12)
    assert again.path == second.path
    assert [part for _, part, _ in again.counted()] == [0]
    again.close()
    (folder / "count-12.checkpoint").unlink()
    with opened(12) as last:
        assert last.path == second.path


@pytest.mark.slow
def test_what_another_process_uses_is_left_alone(run, folder):
    code = ("import sys\nfrom nqbench.cli import count\nfrom nqbench.problems import forecast\n"
            "count.QUICK_N = forecast.SURELY_SHORT = 11\n"
            "count.SAVED = 0.0\nkept, _ = count.open_checkpoint(12)\n"
            "print(kept.path, flush=True)\nsys.stdin.read()")
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as other:
        path = other.stdout.readline().strip()
        assert path == f"{folder}/count-12.checkpoint"
        assert run("count", 12) == (0, "14200\n", (
            f"nqbench: {path} is in use by another process; the file is left unchanged\n"
            f"nqbench: progress is saved in {folder}/count-12-2.checkpoint\n"))
        other.stdin.close()


def test_where_nothing_can_be_written_the_count_runs_all_the_same(run, folder):
    folder.write_text("a file")
    assert run("count", 12) == (0, "14200\n", (
        f"nqbench: {folder} cannot be opened (File exists)\n"
        "nqbench: progress is not saved\n"))


@pytest.mark.parametrize("text", ["garbage\n", DIVISION.line.replace("12", "13") + "\n"])
def test_a_count_with_a_wrong_checkpoint_is_not_announced(run, tmp_path, monkeypatch, text):
    monkeypatch.setattr("nqbench.cli.terminal.ANNOUNCED", -1.0)
    path = tmp_path / "c"
    path.write_text(text)
    status, out, err = run("count", 12, "--checkpoint", path)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"nqbench: {path} is ")


def test_only_the_rest_of_a_resumed_count_is_announced(tmp_path, capsys):
    path = begun(tmp_path, parts=9)
    kept, announced = open_checkpoint(12, 100.0, path=str(path))
    kept.close()
    assert announced
    assert capsys.readouterr().err == (
        "nqbench: this will take about 1.33 minutes; Ctrl-C stops it\n"
        f"nqbench: resuming {path}: 9 of 45 parts are counted\n")


@pytest.mark.parametrize(("n", "name", "says"), [
    (30, "c", "more than a day"), (8, "none/c", "there is no folder ")])
def test_a_count_that_is_refused_writes_nothing(run, tmp_path, n, name, says):
    assert says in refused(run("count", n, "--checkpoint", tmp_path / name))
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_count_says_how_to_save_its_progress():
    assert describe_progress(0.083, 0, None) == (
        "8.3% of the parts counted, 0 solutions so far; progress is not saved; --checkpoint FILE "
        "saves it, which is the default only for counts of over a minute")

"""Where a file cannot be written, the error names it: here every file has a limited size."""

import errno
from contextlib import contextmanager

import pytest

from nqbench import engine
from nqbench._files import write_whole, writing
from nqbench.cli.shared import folder
from nqbench.engine import Checkpoint, Division
from nqbench.records.record import append
from nqbench.report import building
from nqbench.report.style import figure, save

resource = pytest.importorskip("resource")


@contextmanager
def limited(size):
    """Limit the size of files: beyond it, `write` fails as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def refused(path):
    """The block fails, and its error names the path."""
    with pytest.raises(OSError, match="File too large") as caught, limited(1000):
        yield
    assert (caught.value.errno, caught.value.filename) == (errno.EFBIG, str(path))


def test_records(tmp_path):
    path = tmp_path / "study.jsonl"
    with refused(path):
        append(path, [{"a": "x" * 10_000}])


def test_a_checkpoint(tmp_path):
    path = tmp_path / "c"
    with Checkpoint(path, Division.new(16, "portable")) as kept:
        before = path.read_bytes()
        with refused(path):
            kept.add([(part, (1, 1, 1)) for part in range(200)])
        assert path.read_bytes() == before


def test_a_new_checkpoint(tmp_path):
    with pytest.raises(OSError, match="File too large") as caught, limited(10):
        Checkpoint(tmp_path / "c", Division.new(16, "portable"))
    assert caught.value.filename == str(tmp_path / "c")


def test_a_file_that_is_written_completely_or_not_at_all(tmp_path):
    with refused(tmp_path / "tree.svg"):
        write_whole(tmp_path / "tree.svg", "x" * 10_000)
    assert list(tmp_path.iterdir()) == []


def test_texts_and_drawings_of_the_report(tmp_path):
    with refused(tmp_path / "index.html"):
        building._write_text(tmp_path / "index.html", "x" * 10_000)
    with figure(3, 3) as (made, _), refused(tmp_path / "times.svg"):
        save(made, str(tmp_path / "times"))


def test_a_name_that_is_known_stays(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, writing(tmp_path):
        (tmp_path / "none").read_bytes()
    assert caught.value.filename == str(tmp_path / "none")


def test_the_command_names_the_file(run, tmp_path):
    path = tmp_path / "12.checkpoint"
    with limited(500):
        assert run("count", 12, "--checkpoint", path) == (
            2, "", f"nqbench: {path}: File too large\n")
    assert run("count", 12, "--checkpoint", path)[:2] == (0, "14200\n")
    out = tmp_path / "tree.svg"
    with limited(500):
        assert run("tree", 4, "--out", out) == (2, "", f"nqbench: {out}: File too large\n")


def test_a_full_disk_is_no_fault_of_the_folder(tmp_path):
    path = tmp_path / "study.jsonl"
    with refused(path), folder("--results", str(tmp_path)):
        append(path, [{"a": "x" * 10_000}])


def test_every_kernel_may_run_out_of_room(tmp_path):
    for number, kernel in enumerate(engine.kernels()):
        path = tmp_path / str(number)
        with refused(path):
            list(engine.counting(14, kernel, 2, checkpoint=path))

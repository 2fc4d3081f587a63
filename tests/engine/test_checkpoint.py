"""No count is lost, no part is counted twice, and no foreign count is accepted."""

import errno
import math
import os
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workers import of

from nqbench import engine
from nqbench.engine import Checkpoint, Division, audit, division_of, processor
from nqbench.engine.checkpoint import CheckpointReader
from nqbench.util.files import locked

Q = {12: 14200, 16: 14772512}
DIVISION = Division.new(12, "portable")


def total(n, path, **choices):
    *_, (share, found) = engine.counting(n, checkpoint=path, **choices)
    assert share == 1
    return found


def begun(path, n=16, until=0.2):
    """An interrupted count; the lines of its file."""
    counting = engine.counting(n, "portable", 2, checkpoint=path)
    for share, _ in counting:
        if share > until:
            break
    counting.close()
    return path.read_text().splitlines(keepends=True)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "count.checkpoint"


@pytest.mark.parametrize("n", [0, 1, 4, 12, 14])
def test_a_count_with_a_checkpoint_is_the_same(path, n):
    assert total(n, path) == engine.count(n)
    assert total(n, path) == engine.count(n)
    assert division_of(path).n == n


def test_what_is_done_is_not_counted_again(path):
    with Checkpoint(path, DIVISION) as kept:
        kept.add([(0, of(10**6))])  # which no part of the board of 12 has
    assert total(12, path) > Q[12] + 10**6


def test_a_torn_end_is_cut_off_and_said(path):
    total(12, path)
    whole = path.read_bytes()
    for cut in (1, 2, 9, 15, len(whole) - 5, len(whole) - 100):
        path.write_bytes(whole[:-cut])
        heard = []
        assert total(12, path, say=heard.append) == Q[12]
        assert heard == [f"{path}: removed the last line, which was incomplete"]


def test_damaged_lines_are_said_and_their_parts_counted_again(path):
    total(12, path)
    lines = path.read_text().splitlines(keepends=True)
    lines[5] = lines[5].replace(" ", " 1", 1)
    lines[7] = "nonsense\n"
    path.write_text("".join(lines))
    heard = []
    assert total(12, path, say=heard.append) == Q[12]
    assert heard == [f"{path}:{number}: ignored a damaged line; a resumed count recounts its part"
                     for number in (6, 8)]


def test_two_counts_of_one_part_are_refused(path):
    with Checkpoint(path, DIVISION) as kept:
        kept.add([(3, of(7)), (4, of(8)), (3, of(7)), (3, of(9))])
    with pytest.raises(ValueError, match=f"{path}:5: part 3 was counted twice, as 7 and 9"):
        total(12, path)


@pytest.mark.parametrize(("changes", "says"), [
    ({"n": 13}, "is a checkpoint of a count of 13 queens, not 12"),
    ({"split": 4}, "is a checkpoint of split 4, not 3"),
    ({"slices": 8}, "is a checkpoint of slices 8, not 1"),
    ({"version": "9"}, "is a checkpoint of nqbench 9, not 0.1.0")])
def test_the_file_of_another_count_is_refused(path, changes, says):
    path.write_text(replace(DIVISION, **changes).line + "\n")
    for reader in (lambda path: Checkpoint(path, DIVISION), *[engine.read_checkpoint] * (
            "version" in changes)):
        with pytest.raises(ValueError, match=says):
            reader(path)


def test_a_division_that_this_version_does_not_make_is_refused(path):
    path.write_text(replace(DIVISION, parts=63).line + "\n")
    for reader in (CheckpointReader, engine.read_checkpoint, lambda path: total(12, path)):
        with pytest.raises(ValueError, match=f"{path}: .* has 63 parts, but this version"):
            reader(path)


@pytest.mark.parametrize("text", [
    "hello", DIVISION.line + "\r", DIVISION.line[:30] + " notes " * 500, DIVISION.line + " ",
    *(f"{first}\nsomething\n" for first in (
        "", "{}", "[]", "hello", '{"nqbench checkpoint": 2}', "[" * 9999,
        DIVISION.line.replace("12", '"12"'), DIVISION.line.replace('"slices": 1', '"slices": 3'),
        DIVISION.line.replace('"n"', '"m"'), DIVISION.line.replace("12", "9" * 800),
        DIVISION.line.replace("false", "null")))])
def test_what_is_no_checkpoint_is_refused_and_left_alone(path, text):
    path.write_text(text, newline="")
    before = path.read_bytes()
    with pytest.raises(ValueError, match="is not a checkpoint of nqbench: its first line"):
        total(12, path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("line", [
    replace(DIVISION, n=32, split=32), replace(DIVISION, n=30, split=7),
    replace(DIVISION, n=10**12),
    replace(DIVISION, slices=8**14, parts=-1)])
def test_a_first_line_that_asks_for_too_many_parts_is_refused_at_once(path, line):
    """A long list is not made first."""
    path.write_text(line.line + "\n")
    with pytest.raises(ValueError, match=r"parts, but|is not a checkpoint"):
        engine.read_checkpoint(path)


@given(st.integers(0, 12), st.integers(1, 12))
def test_a_split_lists_no_more_prefixes_than_predicted(n, split):
    listed = processor.find_core("cross").Engine(n, split, 1, False, 1).parts
    assert listed <= math.perm(n, min(max(split, 5), n)) // 8 + 1


def test_a_full_disk_loses_nothing(path, monkeypatch):
    lines = begun(path, 16)
    real = os.fsync
    failures = iter([True])

    def fsync(number):
        if next(failures, False):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(number)

    monkeypatch.setattr(os, "fsync", fsync)
    with Checkpoint(path, division_of(path)) as kept:
        known = {part for _, part, _ in kept.counted()}
        missing = next(i for i in range(kept.division.parts) if i not in known)
        with pytest.raises(OSError, match="No space left on device") as caught:
            kept.add([(missing, of(1))])
        assert caught.value.filename == str(path)
    assert path.read_text().splitlines(keepends=True) == lines
    assert total(16, path) == Q[16]


def test_a_file_system_without_locks_is_an_error_that_names_the_file(path, monkeypatch):
    def flock(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(pytest.importorskip("fcntl"), "flock", flock)
    with pytest.raises(OSError, match=re.escape(str(path))):
        Checkpoint(path, division_of(path))
    with pytest.raises(OSError, match=re.escape(str(path.parent))), locked(path.parent, ""):
        pass


def test_an_audit_changes_nothing(path):
    """It changes neither an incomplete last line, nor a read-only file, nor one that another count
    uses.
    """
    total(12, path)
    path.write_bytes(path.read_bytes()[:-9])
    path.chmod(0o444)
    before = path.read_bytes(), path.stat()
    said = []
    held = engine.read_checkpoint(path, said.append)
    assert held.done == division_of(path).parts - 1
    assert said == [f"{path}: ignored the last line, which is incomplete"]
    assert len(list(audit(path, 100))) == held.done
    after = path.stat()
    assert (path.read_bytes(), after.st_mtime_ns, after.st_ctime_ns) == (
        before[0], before[1].st_mtime_ns, before[1].st_ctime_ns)


def test_an_audit_creates_nothing(path):
    for read in (engine.read_checkpoint, lambda path: list(audit(path))):
        with pytest.raises(FileNotFoundError):
            read(path / "folder" / "c")
    assert not path.exists()


def test_a_count_under_way_can_be_audited_and_goes_on(path):
    said = []
    with Checkpoint(path, DIVISION) as kept:
        kept.add([(3, of(7)), (4, of(8))])
        held = engine.read_checkpoint(path, said.append)
        assert (held.done, len(list(audit(path)))) == (2, 2)
        kept.add([(5, of(9))])
    assert said == [f"{path} is in use by another process; only the parts counted so far are read"]
    assert engine.read_checkpoint(path).done == 3


def test_a_count_may_begin_while_its_file_is_audited(path):
    total(12, path)
    recounts = audit(path)
    next(recounts)
    assert total(12, path) == Q[12]


def test_an_open_checkpoint_continues_a_count_by_any_kernel(path):
    assert len(begun(path, 16)) > 3
    assert total(16, Checkpoint(path, division_of(path)), kernel=engine.kernels()[0]) == Q[16]
    with pytest.raises(ValueError, match="is a checkpoint of a count of 16 queens, not 12"):
        total(12, Checkpoint(path, division_of(path)))

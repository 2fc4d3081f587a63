"""Merging loses nothing: the merged file says what the files say together, or is not written."""

import pytest
from examples import SECOND, counted, timed, write

from nqbench.records import join, read
from nqbench.records.record import LONGEST, digest, to_line
from nqbench.records.store import Merged, merge


def test_the_merged_file_says_what_the_files_say_together(tmp_path):
    one = write(tmp_path / "a" / "a.jsonl", timed(), timed(process=1, processes=2), timed(n=9))
    other = write(tmp_path / "b" / "b.jsonl", timed(n=9), timed(samples=[0.5, 0.5]),
                  timed(run=SECOND))
    made = merge([one, other], tmp_path / "c.jsonl")
    assert made == Merged(records=4, duplicates=2, replaced=1)
    apart = [*read(one.parent, pytest.fail), *read(other.parent, pytest.fail)]
    assert sorted(map(to_line, join(read(tmp_path, pytest.fail)))) == sorted(
        map(to_line, join(apart)))


def test_merging_is_no_change_of_the_hash_of_different_records(tmp_path):
    files = [write(tmp_path / f"{n}.jsonl", timed(n=n)) for n in (8, 7)]
    whole = digest(read(tmp_path, pytest.fail))
    (tmp_path / "all").mkdir()
    merge(files, tmp_path / "all" / "x.jsonl")
    assert digest(read(tmp_path / "all", pytest.fail)) == whole


@pytest.mark.parametrize(("line", "said"), [
    ("{broken", r"nothing was merged: .*b.jsonl:2 is not JSON"),
    ('{"a": 1}', "is not a record of nqbench"),
    (to_line(timed() | {"schema": 2}), r"b.jsonl:2 has schema 2, this nqbench reads 1"),
    ("{\n{\n{\n{\n{\n{", r"b.jsonl:6 is not JSON; and 1 more lines")])
def test_a_line_that_would_be_lost_stops_it(tmp_path, line, said):
    one, other = write(tmp_path / "a.jsonl", timed()), write(tmp_path / "b.jsonl", timed(n=9))
    with other.open("a") as file:
        file.write(line)
    with pytest.raises(ValueError, match=said):
        merge([one, other], tmp_path / "c.jsonl")
    assert {path.name for path in tmp_path.iterdir()} == {"a.jsonl", "b.jsonl"}


def test_no_file_is_replaced_and_a_missing_one_is_named(tmp_path):
    one = write(tmp_path / "a.jsonl", timed())
    before = one.read_bytes()
    with pytest.raises(ValueError, match=r"a.jsonl exists already, and is not replaced"):
        merge([one], one)
    with pytest.raises(FileNotFoundError, match="none"):
        merge([one, tmp_path / "none"], tmp_path / "c.jsonl")
    assert one.read_bytes() == before
    assert not (tmp_path / "c.jsonl").exists()


def test_a_line_without_end_is_one_fault_of_several(tmp_path):
    one, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    one.write_bytes(b"{\n" + b"0" * (LONGEST + 1) + b"\n{\n")
    other.write_text("{\n")
    with pytest.raises(ValueError, match=(r"a.jsonl:1 is not JSON; [^;]*a.jsonl:2 has more than "
                                          r"16,777,216 bytes; [^;]*b.jsonl:1 is not JSON")):
        merge([one, other], tmp_path / "c.jsonl")


@pytest.mark.parametrize("faulty", [
    counted(timed(), "nodes", 2000), timed(status="failed", samples=[], fault="no solution")])
def test_a_wrong_count_is_not_replaced_by_a_right_one(tmp_path, faulty):
    right = counted(timed(), "nodes", 2057) if faulty["metric"] == "nodes" else timed()
    one, other = write(tmp_path / "a.jsonl", faulty), write(tmp_path / "b.jsonl", right)
    with pytest.raises(ValueError, match=(
            r"nothing was merged: bitmask \(python\) .* in one file, and another file has a ")):
        merge([one, other], tmp_path / "c.jsonl")
    assert merge([other, one], tmp_path / "c.jsonl").replaced == 1  # and the fault is kept

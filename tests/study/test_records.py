"""Records survive power cuts and strangers."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench.study.records import SCHEMA, append, read

GOOD = {"schema": SCHEMA, "run": "r", "time": "t", "context": {}, "algorithm": "bitmask",
        "implementation": "python", "n": 8, "metric": "nodes", "unit": "nodes",
        "status": "measured", "samples": [2057], "loops": None, "predicted": None}


def test_what_is_appended_is_read_in_order(tmp_path):
    path = tmp_path / "deep" / "a.jsonl"
    append(path, [GOOD, GOOD | {"n": 9}])
    append(path, [GOOD | {"n": 10}])
    assert [r["n"] for r in read(path.parent, pytest.fail)] == [8, 9, 10]
    assert path.read_bytes().count(b"\n") == 3


def test_a_line_torn_by_a_power_cut_is_lost_alone(tmp_path):
    path = tmp_path / "a.jsonl"
    append(path, [GOOD, GOOD])
    whole = path.read_bytes()
    for cut in (1, 2, 40, len(whole) // 2 - 1):
        path.write_bytes(whole[:-cut])
        append(path, [GOOD | {"n": 12}])
        warnings = []
        kept = [r["n"] for r in read(tmp_path, warnings.append)]
        assert kept[0] == 8
        assert kept[-1] == 12
        assert len(kept) + len(warnings) == 3
        assert all(line.startswith(f"{path}:2: is not JSON") for line in warnings)


@pytest.mark.parametrize(("line", "says"), [
    ("{", "is not JSON"), ("[1]", "is not a record of nqbench"),
    ('{"a": 1}', "is not a record of nqbench"), ("\xff\xfe", "is not JSON"),
    (json.dumps(GOOD | {"schema": 99}), "has schema 99, this nqbench reads 1"),
    (json.dumps(GOOD | {"n": "8"}), "no valid field 'n'"),
    (json.dumps(GOOD | {"samples": None}), "no valid field 'samples'"),
    (json.dumps(GOOD | {"algorithm": "magic"}), "'magic', which is not in the catalogue"),
])
def test_foreign_lines_are_named_and_passed_over(tmp_path, line, says):
    path = tmp_path / "a.jsonl"
    append(path, [GOOD])
    with path.open("a", encoding="latin-1") as file:
        file.write(line + "\n")
    append(path, [GOOD])
    warnings = []
    assert len(list(read(tmp_path, warnings.append))) == 2
    assert len(warnings) == 1
    assert warnings[0].startswith(f"{path}:2: ")
    assert says in warnings[0]


@given(st.binary(max_size=200))
def test_no_bytes_at_all_break_the_reader(tmp_path_factory, junk):
    folder = tmp_path_factory.mktemp("junk")
    (folder / "a.jsonl").write_bytes(junk + b"\n")
    append(folder / "a.jsonl", [GOOD])
    assert list(read(folder, lambda line: None))[-1]["n"] == 8


def test_other_files_are_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    assert list(read(tmp_path, pytest.fail)) == []

"""Records survive power cuts and foreign lines."""

import json
from pathlib import Path

import pytest
from examples import GOOD, decided
from fuzzing import NESTED_OR_LONG
from hypothesis import given
from hypothesis import strategies as st

from nqbench.records import frame
from nqbench.records.contradictions import contradictions
from nqbench.records.record import Samples, append, join, read

TIME = GOOD | {"metric": "seconds", "unit": "s", "samples": [0.25, 0.5], "loops": 1}
HEAD = {key: TIME[key] for key in ("schema", "run", "time", "context", "status", "predicted")}
TIMED = HEAD | {key: TIME[key] for key in ("unit", "samples", "loops")}
ESTIMATE = HEAD | {
    "metric": "estimate", "unit": "nodes", "n": 2, "method": "knuth", "probes": 100, "seed": 1,
    "samples": [{"reached": 0, "seconds": 0.5, "nodes": [3.0, 0.0],
                 "levels": [[1.0, 0.0], [2.0, 0.0], [0.0, 0.0]]}]}
RATE = TIMED | {
    "metric": "rate", "problem": "sudoku", "n": 9, "algorithm": "fast", "implementation": "cython",
    "data_set": "mine", "sha12": "0123456789ab", "puzzles": 2, "limit": 2, "nodes_allowed": 100,
    "nodes": [1, None], "guesses": [0, None], "solutions": [1, None],
    "slowest": {"puzzle": 1, "seconds": 0.25}}
PEER = TIMED | {
    "metric": "peer", "n": 8, "peer": "CP-SAT", "package": "ortools", "version": "9.15",
    "solutions": 92, "fault": None}
ABSENT = PEER | {"status": "not installed", "version": None, "solutions": None, "samples": [],
                 "loops": None}
CHECK = {key: GOOD[key] for key in ("schema", "run", "time", "context", "n")} | {
    "metric": "check", "status": "ok", "samples": [], "sequence": "A000170", "expected": 92,
    "got": 92, "answered_by": ["bitmask (python)"]}


def read_all(folder):
    """The records of a folder, and the warnings."""
    warnings = []
    return [*read(folder, warnings.append)], warnings


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
        kept, warnings = read_all(tmp_path)
        assert (kept[0]["n"], kept[-1]["n"]) == (8, 12)
        assert len(kept) + len(warnings) == 3
        assert all(line.startswith(f"{path}:2: is not JSON") for line in warnings)


@pytest.mark.parametrize(("line", "says"), [
    ("{", "is not JSON"), ("[1]", "is not a record of nqbench"),
    *((json.dumps(GOOD | {"n": "@"}).replace('"@"', text), "is not JSON")
      for text in NESTED_OR_LONG),
    (json.dumps(GOOD | {"schema": 99}), "has schema 99, this nqbench reads 1"),
    (json.dumps(GOOD | {"n": "8"}), "n must be integer"),
    (json.dumps(GOOD | {"n": 10**30}), "n must be"),
    (json.dumps(GOOD | {"run": "then"}), "run must be date-time"),
    (json.dumps(GOOD | {"context": {}}), "context must contain"),
    (json.dumps(GOOD | {"samples": []}), "samples must contain at least 1 items"),
    (json.dumps(GOOD | {"samples": [1.5]}), "samples[0] must be integer"),
    (json.dumps(GOOD | {"metric": "levels", "samples": [[1, 8]]}), "levels must be 9 levels"),
    (json.dumps(GOOD | {"metric": "magic"}), "metric 'magic' is not known"),
    (json.dumps(GOOD | {"status": "guessed"}), "status must be one of"),
    (json.dumps(GOOD | {"implementation": "rust"}), "implementation must be one of python, cython"),
    (json.dumps(GOOD | {"algorithm": "magic"}), "algorithm 'magic' is not in the catalogue"),
    (json.dumps(GOOD | {"source": "0" * 64}), "'bitmask' is in the catalogue, and has no"),
    (json.dumps(RATE | {"algorithm": "mine", "source": "0" * 64}), "'mine' is not in the"),
    (json.dumps(TIME | {"samples": [1e-300]}), "samples[0] must be bigger than or equal to 1e-12"),
    (json.dumps(TIME | {"samples": [1e308]}), "samples[0] must be smaller than or equal to 1"),
    (json.dumps(TIME | {"unit": "years"}), "unit must be 's', not 'years'"),
    (json.dumps(TIME | {"loops": None}), "loops must be integer"),
    (json.dumps(ESTIMATE | {"n": 3}), "estimate must be 4 levels"),
    (json.dumps(ESTIMATE | {"samples": [ESTIMATE["samples"][0] | {"nodes": [3.0]}]}),
     "nodes must contain at least 2 items"),
    (json.dumps(RATE | {"nodes": [0.5, 1]}), "nodes[0] must be integer or null"),
    (json.dumps(RATE | {"sha12": "x"}), "sha12 must match pattern"),
    (json.dumps(PEER | {"solutions": None}), "solutions must be integer"),
    (json.dumps(TIME | {"status": "timed out"}), "samples must contain less than or equal to 0"),
    (json.dumps(CHECK | {"answered_by": None}), "answered_by must be array"),
    (json.dumps(decided([9, 9], [True])), "solvable must be as many as the samples"),
    (json.dumps(decided([9], [True]) | {"backtracks": [1, 2]}), "backtracks must be as many as"),
    (json.dumps(TIME | {"wall": [1.0] * 9}), "wall must be as many as the samples"),
])
def test_foreign_lines_are_named_and_skipped(tmp_path, line, says):
    path = tmp_path / "a.jsonl"
    append(path, [GOOD])
    with path.open("a", encoding="latin-1") as file:
        file.write(line + "\n")
    append(path, [GOOD])
    kept, (warning,) = read_all(tmp_path)
    assert len(kept) == 2
    assert warning.startswith(f"{path}:2: ")
    assert says in warning


LARGE = 10_000_000  # bytes


@pytest.mark.parametrize(("line", "says"), [
    ("@", "is not JSON"),
    (json.dumps(GOOD | {"schema": "@"}), "has schema '@@@"),
    (json.dumps(GOOD | {"algorithm": "@"}), "algorithm '@@@")])
def test_a_line_without_end_is_named_in_a_short_line(tmp_path, line, says):
    (tmp_path / "a.jsonl").write_text(line.replace("@", "@" * LARGE) + "\n")
    append(tmp_path / "a.jsonl", [GOOD])
    kept, (warning,) = read_all(tmp_path)
    assert kept == [GOOD]
    assert says in warning
    assert len(warning) < 300 + len(str(tmp_path))


def test_what_is_no_file_of_records_is_named_or_says_nothing(tmp_path, monkeypatch):
    (tmp_path / "a.jsonl").mkdir()
    (tmp_path / "b.jsonl").symlink_to("nowhere")
    (tmp_path / "c.jsonl").write_bytes(b"\x89PNG\r\n\x1a\n\0\0" + bytes(range(128, 256)))
    (tmp_path / "d.jsonl").touch()
    (tmp_path / "e.jsonl").write_text("\n\n")
    append(tmp_path / "f.jsonl", [GOOD])
    append(tmp_path / "g.jsonl", [GOOD])
    opened = Path.open

    def refused(path, *mode):
        if path.name == "f.jsonl":
            raise PermissionError(13, "Permission denied")
        return opened(path, *mode)

    monkeypatch.setattr(Path, "open", refused)
    kept, warnings = read_all(tmp_path)
    assert kept == [GOOD]
    assert [line.removeprefix(f"{tmp_path}/") for line in warnings] == [
        "a.jsonl: is not a file; it is skipped", "b.jsonl: is not a file; it is skipped",
        "c.jsonl:1: is not JSON; this line and 2 more are skipped",
        "f.jsonl: cannot be read and is skipped (Permission denied)"]


def test_every_kind_of_record_is_taken(tmp_path):
    wrong = {"status": "failed", "version": "9.15", "solutions": 91, "fault": "counted 91"}
    stopped = ABSENT | {"version": "9.15", "fault": "stopped after 3 s"}
    kinds = [GOOD, TIME, CHECK, PEER, ABSENT, ABSENT | wrong, ESTIMATE,
             stopped | {"status": "timed out"}, stopped | {"status": "left out"},
             RATE | {"status": "timed out", "samples": []},
             ESTIMATE | {"status": "left out", "samples": []}, RATE,
             RATE | {"status": "left out", "samples": [], "algorithm": "fast:avx2"},
             TIME | {"status": "left out", "samples": [], "predicted": 1e9},
             TIME | {"status": "out of memory", "samples": [], "fault": "stopped"},
             GOOD | {"metric": "levels", "samples": [[1] * 9]}]
    append(tmp_path / "a.jsonl", kinds)
    assert list(read(tmp_path, pytest.fail)) == kinds


def test_of_two_records_of_one_point_the_later_counts():
    found = frame([TIME, GOOD, TIME | {"samples": [0.75]}])
    assert found["samples"].tolist() == [[2057], [0.75]]


def in_process(number, samples, processes=3):
    return TIME | {"process": number, "processes": processes, "samples": samples}


def test_the_processes_of_a_point_are_joined_in_their_order():
    found = frame([in_process(1, [3.0, 4.0]) | {"load": 5.0}, GOOD,
                   in_process(0, [1.0, 2.0]) | {"load": 0.5}])
    assert found["load"].max() == 5  # the largest of all processes
    times, nodes = found["samples"]
    assert times == [1.0, 2.0, 3.0, 4.0]
    assert isinstance(times, Samples)
    assert times.processes == 2
    assert nodes == [2057]
    assert list(found["processes"]) == [2, 1]  # of three, one was never run


def test_a_process_that_was_measured_again_counts_once():
    (point,) = join([in_process(0, [1.0]), in_process(1, [2.0]), in_process(0, [5.0])])
    assert point["samples"] == [5.0, 2.0]


def test_a_point_that_failed_in_a_later_process_has_no_times():
    failed = PEER | {"status": "failed", "samples": [], "loops": None, "solutions": None,
                     "fault": "its process ended with 7"}
    (point,) = join([PEER | {"process": 0, "processes": 2},
                     failed | {"process": 1, "processes": 2}])
    assert (point["status"], point["samples"]) == ("failed", [])


@pytest.mark.parametrize("deniers", [1, 2, 3])
@given(order=st.randoms())
def test_a_placement_overrules_all_that_find_none(deniers, order):
    names = ["fewest_lines", "bitmask", "random_order"][:deniers]
    points = [decided([9], [True], "forward_checking"),
              *(decided([9], [False], name) for name in names)]
    order.shuffle(points)
    (found,) = contradictions(join(points))
    assert (found.expected, found.actual) == ("solvable", "not solvable")
    assert {name for _, name, _ in found.searches} == {*names}


def test_samples_without_the_record_of_the_first_process_are_skipped_and_named():
    said = []
    later = [RATE | {"process": 3}, in_process(1, [2.0])]
    assert join([GOOD, *later], said.append) == [GOOD | {"processes": 1}]
    assert said == [f"run {GOOD['run']}: rate of fast at n = 9 has no record of the first process; "
                    "this point and 1 more are skipped"]
    failed = in_process(1, []) | {"status": "failed"}
    (kept,) = join([failed], pytest.fail)  # what is wrong is not lost
    assert (kept["status"], kept["processes"]) == ("failed", 1)


def test_records_from_before_there_were_processes_are_read(tmp_path):
    old = TIME | {"context": {key: value for key, value in TIME["context"].items()
                              if key != "label"}}
    append(tmp_path / "a.jsonl", [old])
    (row,) = frame(read(tmp_path, pytest.fail)).to_dict("records")
    assert (row["processes"], row["label"], row["samples"]) == (1, None, [0.25, 0.5])


def test_a_later_process_does_not_repeat_the_counters_of_puzzles(tmp_path):
    later = {key: value for key, value in RATE.items()
             if key not in ("nodes", "guesses", "solutions", "slowest")}
    append(tmp_path / "a.jsonl", [RATE | {"process": 0, "processes": 2},
                                  later | {"process": 1, "processes": 2}])
    (point,) = join(read(tmp_path, pytest.fail))
    assert (point["nodes"], len(point["samples"])) == ([1, None], 4)
    append(tmp_path / "a.jsonl", [later])
    assert "must contain" in read_all(tmp_path)[1][0]

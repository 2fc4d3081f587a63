"""What asv measured is read back as it was written, by asv's own classes on both sides."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from across import changes, history
from store import COST, NODES, NOTHING, RATE, TIME, Store, around

HOME = Path(__file__).parents[1]


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path, TIME, NODES, RATE, COST)


def read(store):
    return history(store.folder)


def verdicts(store):
    found = changes(read(store))
    return list(zip(found["commit"].str[0], found["verdict"], strict=True))


def test_without_results_there_are_no_rows(tmp_path):
    assert read(Store(tmp_path / "new")).empty
    assert history(tmp_path / "nowhere").empty
    assert changes(history(tmp_path / "nowhere")).empty


def test_one_commit_is_read_as_it_was_written(store):
    store.add("a", TIME, around(0.5), NOTHING)
    store.add("a", NODES, 2057)
    rows = read(store).set_index("parameters")
    row = rows.loc["bitmask python 9"]
    assert row["low"] <= row["value"] <= row["high"]
    assert row["value"] == pytest.approx(0.50225)
    assert (row["machine"], row["unit"], row["status"]) == ("one", "seconds", "measured")
    assert rows.loc["somers python 9", "status"] == "not available"
    assert rows.loc["n = 8", "value"] == 2057
    assert changes(read(store)).empty


def test_changed_counts_keep_every_digit_beside_times(store):
    for commit, seconds, nodes in (("a", 1.0, 2**53), ("b", 0.5, 2**53 + 1)):
        store.add(commit, TIME, around(seconds), NOTHING)
        store.add(commit, NODES, nodes)
    found = changes(read(store)).set_index("verdict")
    assert found.loc["count changed", ["before", "after"]].tolist() == [2**53, 2**53 + 1]


def test_a_failure_is_not_a_missing_algorithm(store):
    store.add("a", TIME, None, NOTHING)
    store.add("b", TIME, None, None)  # as after a build that failed
    assert list(read(store)["status"]) == ["failed", "not available", "failed", "failed"]


@pytest.mark.parametrize(("benchmark", "values", "found"), [
    (TIME, (1.0, 1.01, 0.5, 0.5, 0.8), [("c", "improvement"), ("e", "regression")]),
    (TIME, [1.04**step for step in range(6)], [("d", "regression")]),  # a slow drift
    (TIME, (1.0, 0.92, 1.04), [("c", "regression")]),  # after a step that is too small
    (RATE, (1e6, 2e6, 1e6), [("b", "improvement"), ("c", "regression")]),  # more is better
    (COST, (10.0, 10.5, 12.0), [("c", "regression")])])  # it takes no samples
def test_changes_are_named_with_the_commit_that_made_them(store, benchmark, values, found):
    for commit, value in zip("abcdef", values, strict=False):
        store.add(commit, benchmark, value if benchmark is COST else around(value),
                  *[around(1.0)] * (benchmark is TIME))
    assert verdicts(store) == found


def test_what_the_noise_covers_is_no_change(store):
    store.add("a", TIME, [1.0] * 5 + [2.0] * 5, around(1.0))
    store.add("b", TIME, [1.5] * 5 + [2.5] * 5, around(1.05))
    assert verdicts(store) == []


def test_machines_are_never_put_together(store):
    store.add("a", TIME, around(1.0), around(1.0), machine="one")
    store.add("b", TIME, around(9.0), around(9.0), machine="two")
    assert verdicts(store) == []
    assert set(read(store)["machine"]) == {"one", "two"}


def test_parameters_that_changed_between_commits(store):
    store.add("a", TIME, around(1.0), params=[["'bitmask python 8'"]])
    store.add("b", TIME, around(9.0), around(9.0))
    assert verdicts(store) == []
    assert list(read(store)["parameters"]) == [
        "bitmask python 8", "bitmask python 9", "somers python 9"]


def test_another_version_of_a_benchmark_is_set_aside(store):
    store.add("a", {**RATE, "version": "0"}, around(1.0))
    store.add("b", RATE, around(5.0))
    assert list(read(store)["commit"].str[0]) == ["b"]


def test_one_sample_is_no_evidence(store):
    """As `asv run --quick` would store it, with an infinite interval."""
    for commit, seconds in zip("abc", (1.0, 5.0, 1.0), strict=True):
        store.add(commit, TIME, [seconds], around(1.0))
    assert verdicts(store) == []


def test_the_clone_knows_the_order_better_than_the_clocks(store, monkeypatch):
    monkeypatch.setattr("across.subjects", lambda: {
        "a".ljust(40, "0"): "First", "b".ljust(40, "0"): "Second"})
    store.add("a", COST, 1.0, second=9)
    store.add("b", COST, 3.0, second=5)
    assert verdicts(store) == [("b", "regression")]


@pytest.mark.parametrize(("field", "value"), [
    ("commit_hash", None), ("env_name", None), ("results", {"costs.track": [["text"], []]}),
    ("results", {"costs.track": [[10**400], []]})])
def test_odd_values_are_damage(store, field, value):
    store.add("a", COST, 1.0)
    (path,) = (store.folder / "one").glob("a*.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.warns(UserWarning, match="is damaged or of another asv, and is ignored"):
        assert read(store).empty


@pytest.mark.parametrize("content", [b"\xff\xfe", b'{"version": 99}', None])
@pytest.mark.parametrize("name", ["benchmarks.json", "one/machine.json"])
def test_results_that_cannot_be_used_are_named(store, name, content):
    store.add("a", COST, 1.0)
    (store.folder / name).unlink()
    if content is not None:
        (store.folder / name).write_bytes(content)
    with pytest.warns(UserWarning, match=f"{name}: .*ignored"):
        assert read(store).empty


def test_without_asv_its_results_are_ignored(store, monkeypatch):
    store.add("a", COST, 1.0)
    monkeypatch.setitem(sys.modules, "asv.results", None)
    with pytest.warns(UserWarning, match=r"is not installed, .* pip install 'nqbench\[bench\]'"):
        assert read(store).empty


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"version": 2, "results": []}',
                                  '{"version": 99}', "[" * 5000, " " * 2**25,
                                  '{"version": 2, "date": ' + "9" * 5000 + "}"])
def test_a_damaged_file_is_named_and_passed_over(store, text):
    store.add("a", RATE, around(1.0))
    (store.folder / "one" / "bad00000-env.json").write_text(text)
    with pytest.warns(UserWarning, match="bad00000-env.json: is damaged or of another asv"):
        assert len(read(store)) == 1


@pytest.mark.parametrize("value", [1e308, -1e308])
def test_a_value_that_no_figure_can_hold_is_damage(store, value):
    store.add("a", NODES, 2057)
    store.add("b", RATE, value)
    with pytest.warns(UserWarning, match="track_per_second has a value that is too large"):
        assert read(store)["value"].to_list() == [2057]


@pytest.mark.slow
@pytest.mark.thorough
def test_rows_stand_in_one_order_whatever_the_order_of_sets():
    code = ("import sys; sys.path.insert(0, 'tools'); import across; "
            "print(across.history('results/asv').drop(columns='date').to_csv())")
    shown = {subprocess.run([sys.executable, "-c", code], cwd=HOME, text=True, check=True,
                            capture_output=True,
                            env={**os.environ, "PYTHONHASHSEED": seed}).stdout
             for seed in ("1", "2", "3")}
    assert len(shown) == 1


def test_dates_are_those_of_the_commits(store):
    store.add("a", RATE, around(1.0))
    assert read(store)["date"].item() == pd.Timestamp(97, unit="s")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
@pytest.mark.parametrize("name", ["benchmarks.json", "one/machine.json", "one/fifo.json"])
def test_a_fifo_among_the_results_is_named_and_not_read(store, name):
    store.add("a", NODES, 2057)
    path = store.folder / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    with pytest.warns(UserWarning, match=path.name):
        rows = read(store)
    assert len(rows) == (name == "one/fifo.json")

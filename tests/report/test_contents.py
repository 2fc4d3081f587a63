"""Frames from the newest records that go far enough, of one machine."""

import pandas as pd
import pytest
from kept import lines, read, write

from nqbench import analysis
from nqbench.report.frames import _newest

pytestmark = pytest.mark.slow


def test_rates_are_nodes_over_seconds_and_turn_the_range_round(records):
    made = read(records)
    times = made.parts["time"].tables["times"].set_index(analysis.POINT)
    for row in made.parts["rate"].tables["rates"].itertuples():
        time = times.loc[(row.algorithm, row.implementation, row.n)]
        assert row.nodes_per_second == row.nodes / time["seconds"]
        assert (row.low, row.high) == (row.nodes / time["high"], row.nodes / time["low"])


def test_times_are_set_beside_the_plain_tree(records, tmp_path):
    milliseconds = {("bitmask", "cython"): 0.1, ("probe_stack", "python"): 10.0}
    write(tmp_path, [
        line | {"samples": [milliseconds.get((line["algorithm"], line["implementation"]), 1.0)
                            * (1e-3 + 1e-6 * k) for k in range(len(line["samples"]))]}
        if line["metric"] == "seconds" and line["n"] == 6 else line for line in lines(records)
        if line.get("algorithm") in ("bitmask", "probe_stack")])
    times = read(tmp_path).parts["time"].tables["times"].set_index(analysis.POINT).sort_index()
    own = times.loc[("bitmask", "python")]
    assert set(own["times"]) == set(own["times_low"]) == set(own["times_high"]) == {1}
    assert set(own["verdict"]) == {""}
    assert times.loc[("bitmask", "cython", 6), "verdict"] == "faster"
    assert times.loc[("probe_stack", "python", 6), "verdict"] == "slower"


@pytest.mark.thorough
def test_a_run_that_stopped_early_does_not_hide_the_one_before(records, tmp_path):
    study = lines(records)
    later = [line | {"run": "2999-01-01T00:00:00.000+00:00"} for line in study]
    whole = read(records)
    for stopped in ([line for line in later if line["metric"] == "check"],
                    [line for line in later if line["n"] <= 3]):
        write(tmp_path, study + stopped)
        made = read(tmp_path)
        assert made.machine["run"] == whole.machine["run"] == study[0]["run"]
        write(tmp_path, stopped)
        assert "time" not in read(tmp_path).parts


@pytest.mark.thorough
def test_a_closer_study_on_another_machine_is_not_mixed_in(records, tmp_path):
    study = lines(records)
    other = [line | {"run": "1999-01-01T00:00:00.000+00:00", "preset": "pruning",
                     "context": line["context"] | {"machine": "ffffffff"}} for line in study]
    write(tmp_path, study + other)
    made = read(tmp_path)
    assert not any(made.source(name) for name in made.parts)


@pytest.mark.parametrize("timed", ["rate", "plan", "peer"])
def test_an_older_run_with_times_stands_before_one_that_depends_on_no_machine(timed):
    found = pd.DataFrame([{"metric": metric, "n": 9, "samples": [1], "run": run, "machine": "m"}
                          for metric, run in ((timed, "1"), ("estimate", "2"))])
    assert list(_newest(found)["run"]) == ["1"]

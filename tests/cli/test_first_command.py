"""The command `first`."""

import json

import pytest
from conftest import refused

from nqbench.engine.first_solution import counting_dead
from nqbench.errors import MiscountError
from nqbench.problems.published import published


def test_the_first_solution_is_shown(run):
    status, out, err = run("first", 8)
    assert (status, err) == (0, "")
    assert "1 5 8 6 3 7 2 4" in out
    assert "876" in out


def test_json_has_the_nodes_by_row(run):
    status, out, _ = run("first", 12, "--json")
    found = json.loads(out)
    assert (status, found["columns"], found["tried"]) == (
        0, [0, 2, 4, 7, 9, 11, 5, 10, 1, 6, 8, 3], 3066)
    assert sum(found["nodes"]) == found["pruned_nodes"]
    assert len(found["rejected"]) == 12


def test_a_board_without_solution_has_none(run):
    status, out, _ = run("first", 3)
    assert status == 0
    assert "none" in out
    assert "18" in out


def test_a_spent_budget_says_how_far_the_search_got(run, tmp_path):
    path = tmp_path / "60.checkpoint"
    status, out, err = run("first", 58, "--budget", "0.3", "--checkpoint", path)
    assert status == 1
    assert "not found" in out
    assert "every placement before 1 3 5" in err
    assert f"resumes from {path}" in err
    assert path.exists()


def test_a_published_value_that_differs_is_reported(run, monkeypatch):
    wrong = published("A140450")
    monkeypatch.setitem(wrong.__dict__, "values", (*wrong.values[:7], 877, *wrong.values[8:]))
    status, _, err = run("first", 8)
    assert (status, err) == (
        1, "nqbench: the number of squares tried (A140450) cannot be 876: it is 877\n")


def test_the_squares_are_planned_from_a_sample(run):
    status, out, err = run("plan", 29, "-a", "plain", "--json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert found["placements"]["known"] == 1_532_210
    low, high = found["placements"]["interval"]
    assert low / 2 < 1_532_210 < 2 * high


def test_there_is_no_plan_where_the_solution_is_not_known(run):
    assert refused(run("plan", 64, "-a", "plain")) == (
        "the first solution for n = 64 is not known; nqbench first 64 searches for it")


def test_the_squares_are_audited(run, tmp_path):
    path = tmp_path / "20.first"
    run("first", 20, "--checkpoint", path)
    status, out, _ = run("audit", f"{path}.squares", "--json")  # a busy machine announces it
    found = json.loads(out)
    assert (status, found["ok"], found["counted_again"]) == (0, True, 20)
    assert found["dead"] == (3_992_510 - 210) // 20


def test_an_audit_finds_squares_that_contradict_the_published(run, tmp_path):
    """To the left of the second solution of 7 queens is the first."""
    path = tmp_path / "7.squares"
    list(counting_dead(7, (0, 2, 4, 6, 1, 3, 5), checkpoint=path))
    assert run("audit", path)[0] == 0
    path.unlink()
    with pytest.raises(MiscountError):
        list(counting_dead(7, (0, 3, 6, 2, 5, 1, 4), checkpoint=path))
    status, _, err = run("audit", path)
    assert status == 1
    assert "to the left of the first one" in err


def test_a_cluster_finds_the_same(run):
    status, out, _ = run("first", 20, "--cluster", "local:1", "--json")
    assert (status, json.loads(out)["tried"]) == (0, 3_992_510)


def test_kernel_and_threads_are_those_of_the_workers(run):
    assert "--kernel and --jobs are not supported with --cluster" in refused(
        run("first", 20, "--cluster", "local", "--kernel", "portable"))

"""The command `first`."""

import json

from nqbench.reference import sequences


def test_the_first_solution_is_shown(run):
    status, out, err = run("first", 8)
    assert (status, err) == (0, "")
    assert "1 5 8 6 3 7 2 4" in out
    assert "876" in out


def test_json_has_the_nodes_by_row(run):
    status, out, _ = run("first", 12, "--json")
    found = json.loads(out)
    assert (status, found["columns"], found["tried"]) == (
        0, [1, 3, 5, 8, 10, 12, 6, 11, 2, 7, 9, 4], 3066)
    assert sum(found["nodes"]) == found["pruned_nodes"]
    assert len(found["rejected"]) == 12


def test_a_board_without_solution_has_none(run):
    status, out, _ = run("first", 3)
    assert status == 0
    assert "none" in out
    assert "18" in out


def test_a_spent_budget_says_how_far_the_search_got(run, tmp_path):
    path = tmp_path / "60.checkpoint"
    status, out, err = run("first", 60, "--budget", "0.01", "--checkpoint", path)
    assert status == 1
    assert "not found" in out
    assert "every placement before 1 3 5 2 4 9 11 13 15" in err
    assert f"resumes from {path}" in err
    assert path.exists()


def test_a_published_value_that_differs_is_reported(run, monkeypatch):
    wrong = sequences.SEQUENCES["A140450"]
    monkeypatch.setitem(wrong.__dict__, "values", (*wrong.values[:7], 877, *wrong.values[8:]))
    status, _, err = run("first", 8)
    assert (status, err) == (1, "nqbench: A140450 says 877 for n = 8, not 876\n")

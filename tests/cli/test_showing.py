"""The command `show`."""

import json

import pytest
from conftest import refused

import nqbench
from nqbench.cli import catalogue
from nqbench.problems.published.errata import ERRATA


def test_an_algorithm_is_explained(run):
    status, out, err = run("show", "somers")
    assert (status, err) == (0, "")
    assert out.startswith("somers: bit masks of columns and diagonals, explicit stack\n")
    assert "No recursion: arrays hold the masks" in out
    assert "from        Jeff Somers, in The n-queens problem" in out
    assert "worst case  about half of the plain tree" in out
    assert "\u2771 31                 stack.append(free)  # idea: what this row has left" in out
    assert f"{nqbench.profile(8, 'somers').nodes:,}" in out
    assert "somers: counters for n = 8" in out
    assert "errata of somers" in out
    assert "somers: growth" in out


def test_the_listing_has_no_tally(run):
    out = run("show", "dancing_links")[1].partition("growth")[0]
    assert "# idea: " in out
    assert not [line for line in out.splitlines() if "tally." in line and ">>>" not in line]
    assert "tally: Tally" not in out


def test_json_has_the_same(run):
    status, out, _ = run("show", "canonical", "--json")
    found = json.loads(out)
    assert status == 0
    assert found["counters"]["8"]["nodes"] == nqbench.profile(8, "canonical").nodes
    assert [*found["counters"]] == ["4", "5", "6", "7", "8"]
    assert [block["file"] for block in found["listing"]] == ["canonical.py", "canonical.py"]
    assert (found["year"], found["errata"]) == (None, [])
    assert found["description"].startswith("Full symmetry at the leaf")


def test_what_would_take_long_is_left_out(run, monkeypatch):
    monkeypatch.setattr(catalogue, "LONG", 0.0)
    status, out, _ = run("show", "permutations")
    assert status == 0
    assert "permutations: counters for n = 6" in out
    assert "count it with `nqbench profile 7 -a permutations`" in out


def test_an_algorithm_from_outside_is_explained(run, tmp_path, monkeypatch, no_plugins):
    monkeypatch.chdir(tmp_path)
    run("new", "my_idea.py")
    status, out, _ = run("show", "my_idea.py")
    assert status == 0
    assert "\u2771" not in out
    assert "def my_idea(n):" in out
    assert "worst case  not known" in out
    assert "errata of my_idea: none are known" in out


def test_an_unknown_name_is_refused_with_the_nearest(run):
    assert refused(run("show", "sommers")).endswith("'sommers'; did you mean somers?")


@pytest.mark.parametrize("name", ["bitmask", "explicit"])
def test_the_errata_of_one_listing_are_listed(run, name):
    expected = [each.as_dict() for each in ERRATA if name in each.names]
    assert json.loads(run("show", name, "--json")[1])["errata"] == expected
    status, out, _ = run("show", name)
    assert status == 0
    assert f"errata of {name}" in out
    assert ("none are known" in out) == (not expected)

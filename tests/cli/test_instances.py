"""The commands `nqbench instances`: what they print, and how they refuse."""

import json

import pytest
from conftest import refused

from nqbench.problems import instances


def test_instances_are_printed_one_a_line(run):
    status, out, err = run("instances", "completion", "-n", "50", "--placed", "10", "--many", "100",
                           "--seed", "1")
    boards = list(map(instances.parse, out.splitlines()))
    assert (status, err, len(boards)) == (0, "", 100)
    assert {(board.n, len(board.placed), board.contradiction) for board in boards} == {
        (50, 10, "")}


@pytest.mark.parametrize(("words", "kind"), [
    (["blocked", "-n", "8", "--blocked", "12"], "blocked"),
    (["excluded", "-n", "8", "--excluded", "4"], "sums"),
    (["torus", "-n", "11", "--placed", "2"], "torus")])
def test_each_family_has_its_generator(run, words, kind):
    status, out, _ = run("instances", *words, "--many", "3", "--json")
    assert status == 0
    assert len(out.splitlines()) == 3
    assert all(kind in json.loads(line) for line in out.splitlines())


def test_a_drawing_says_which_instance_has_no_solution(run):
    status, out, err = run("instances", "draw", "n=3", "--solved")
    assert (status, out, err) == (1, ". . .\n. . .\n. . .\n", "nqbench: instance 1: none\n")


def test_instances_are_drawn(run):
    assert run("instances", "draw", "n=4 placed=0:1 sums=6", "--solved") == (
        0, ". Q . .\n. . . q\nq . . .\n. . q x\n", "")


@pytest.mark.parametrize(("words", "message"), [
    (["completion", "-n", "8", "--placed", "9"], "placed must be at most 8 for n = 8, not 9"),
    (["completion", "-n", "8", "--placed", "2", "--seed", "x"],
     "--seed must be a whole number, 0 or more, not 'x'"),
    (["completion", "-n", "0", "--placed", "0"], "-n must be a whole number, 1 or more, not '0'")])
def test_a_bad_request_is_one_line(run, words, message):
    assert message in refused(run("instances", *words))

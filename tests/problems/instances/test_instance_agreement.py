"""All searches in instances, and the peers, give the same answers."""

import json

import pytest

from nqbench.checking import answers
from nqbench.checking.answers import HALF_SOLVABLE, compare_answers
from nqbench.errors import MiscountError
from nqbench.problems import instances
from nqbench.problems.instances import Board, solve
from nqbench.problems.peers import PEERS, Peer


@pytest.mark.parametrize("family", HALF_SOLVABLE)
def test_the_searches_agree_on_a_family(family):
    found = compare_answers(family, 12, seed=5, nodes=500)
    assert found.solvable + found.unsolvable == 12


@pytest.mark.parametrize("family", HALF_SOLVABLE)
@pytest.mark.parametrize("peer", [peer for peer in PEERS if peer.solve],
                         ids=lambda peer: peer.name)
def test_a_peer_agrees(family, peer):
    if peer.installed() is None:
        pytest.skip(f"{peer.name} is not installed")
    assert peer.name in compare_answers(family, 5, nodes=500).peers


@pytest.mark.parametrize("peer", [peer for peer in PEERS if peer.solve],
                         ids=lambda peer: peer.name)
def test_a_peer_knows_that_a_row_without_squares_has_no_queen(peer):
    if peer.installed() is None:
        pytest.skip(f"{peer.name} is not installed")
    assert peer.solve(Board(3, blocked=((1, 0), (1, 1), (1, 2)))) is None


@pytest.mark.parametrize(("answer", "message"), [
    (lambda board: None, "the answers to 'n=11 .* torus' differ: Wrong no solution, row_by_row a"),
    (lambda board: (0,) * board.n, r"Wrong gives \(0, 0, .* which is no solution of 'n=11 ")])
def test_a_wrong_answer_is_named_with_its_instance(answer, message, monkeypatch):
    solvable = next(board for board in answers.instances.generate(HALF_SOLVABLE["torus"], 100, 0)
                    if solve(board).solutions)
    monkeypatch.setattr(instances, "generate", lambda *given: [solvable])
    monkeypatch.setattr(answers, "PEERS", [Peer("Wrong", "pytest", "", len, solve=answer)])
    with pytest.raises(MiscountError, match=message):
        compare_answers("torus", 1)


def once(function):
    """Return a function that computes what it returns once for each family, for two commands."""
    kept = {}

    def call(family, *given, **named):
        if family not in kept:
            kept[family] = function(family, *given, **named)
        return kept[family]
    return call


def test_the_command_says_how_many_have_a_solution(run, monkeypatch):
    monkeypatch.setattr(answers, "compare_answers", once(
        lambda *given, **named: compare_answers(*given, **{**named, "nodes": 500})))
    status, out, _ = run("verify", "instances", "--many", "2", "--json")
    assert status == 0
    assert [each["family"] for each in json.loads(out)["families"]] == list(HALF_SOLVABLE)
    assert "2 instances of each family, seed 0: all answers agree\n" in run(
        "verify", "instances", "--many", "2")[1]

"""All searches in instances, and the peers, give the same answers."""

import agreement
import pytest
from agreement import HALF_SOLVABLE, SOLVE, compare_answers

from nqbench.errors import MiscountError
from nqbench.problems import instances
from nqbench.problems.instances import Board, solve

ASKED = [pytest.param(name, marks=pytest.mark.needs(name)) for name in SOLVE]


@pytest.mark.parametrize("family", [
    pytest.param(family, marks=pytest.mark.thorough if place else ())
    for place, family in enumerate(HALF_SOLVABLE)])
def test_the_searches_agree_on_a_family(family, monkeypatch):
    monkeypatch.setattr(agreement, "find_peers", dict)
    found = compare_answers(family, 12, seed=5, nodes=500)
    assert found.solvable + found.unsolvable == 12


@pytest.mark.thorough
@pytest.mark.parametrize("family", HALF_SOLVABLE)
@pytest.mark.parametrize("peer", ASKED)
def test_a_peer_agrees(family, peer, monkeypatch):
    monkeypatch.setattr(agreement, "find_peers", lambda: {peer: SOLVE[peer]})
    assert peer in compare_answers(family, 5, nodes=500).peers


@pytest.mark.parametrize("peer", ASKED)
def test_a_peer_knows_that_a_row_without_squares_has_no_queen(peer):
    assert SOLVE[peer](Board(3, blocked=((1, 0), (1, 1), (1, 2)))) is None


@pytest.mark.parametrize(("answer", "message"), [
    (lambda board: None, "the answers to 'n=11 .* torus' differ: Wrong no solution, row_by_row a"),
    (lambda board: (0,) * board.n, r"Wrong gives \(0, 0, .* which is no solution of 'n=11 ")])
def test_a_wrong_answer_is_named_with_its_instance(answer, message, monkeypatch):
    solvable = next(board for board in instances.generate(HALF_SOLVABLE["torus"], 100, 0)
                    if solve(board).solutions)
    monkeypatch.setattr(instances, "generate", lambda *given: [solvable])
    monkeypatch.setattr(agreement, "find_peers", lambda: {"Wrong": answer})
    with pytest.raises(MiscountError, match=message):
        compare_answers("torus", 1)

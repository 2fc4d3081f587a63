"""The b-files of the new terms are made again."""

from pathlib import Path

import new_terms
import pytest

FILES = Path(__file__).parents[2] / "results" / "sequences"


def terms(name):
    """The terms of a b-file, by n."""
    lines = (FILES / f"b{name[1:]}.txt").read_text("utf-8").splitlines()
    return {int(n): int(term) for n, term in map(str.split, lines)}


def test_the_files_are_made_again():
    """The others take minutes."""
    assert new_terms.semi_queens(FILES) == [*terms("A099152").values()]
    assert new_terms.orbits_of_four() == [*terms("A260319").values()]
    assert new_terms.orbits_of_eight() == [*terms("A260320").values()]
    for name, found in new_terms.superqueens(23).items():
        assert found == [*terms(name).values()][:23]
    assert new_terms.pawns(16) == [*terms("A103331").values()][:16]


@pytest.mark.thorough
def test_placements_with_a_pawn_that_turns_leave_unchanged_are_counted_again():
    from nqbench.problems.published.sequences import CENTRE

    assert CENTRE.fixed(9, "half turn") == 100_536
    assert CENTRE.fixed(10, "half turn") == 952_392
    assert CENTRE.fixed(9, "quarter turn") == CENTRE.fixed(10, "quarter turn") == 0

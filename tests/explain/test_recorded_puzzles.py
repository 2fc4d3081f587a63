"""The recording of a search for a puzzle holds what the search counts and reaches."""

import zlib
from base64 import b64decode

import pytest

from nqbench.errors import InvalidValueError
from nqbench.explain.puzzles import (
    BACK,
    CONFLICT,
    MOST_EVENTS,
    PLACE,
    SOLUTION,
    TESTED,
    pack_puzzle,
    record_puzzle,
)
from nqbench.problems.sudoku import Grid, catalogue, find, read
from nqbench.problems.sudoku.base import Search
from nqbench.problems.sudoku.grid import PEERS

PUZZLE = read("easy50")[0]
HARD = read("top95")[0]
FOLLOWED = [name for name, search in catalogue().items() if search.search is not None]


def events(codes):
    """Each kind with its digits, as (digit, was tested, cell)."""
    digits, at = [], 0
    while at < len(codes):
        if codes[at] >= CONFLICT:
            yield codes[at], digits
            digits, at = [], at + 1
        else:
            digits.append((codes[at] % TESTED, codes[at] > TESTED, codes[at + 1]))
            at += 2
    assert digits == []


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_recording_counts_what_the_search_counts(name):
    recording = record_puzzle(PUZZLE, find(name))
    assert recording.complete
    found = list(events(recording.codes))
    tally = find(name).profile(PUZZLE)
    kinds = [kind for kind, _ in found]
    tests = sum(tested for _, digits in found for _, tested, _ in digits)
    assert (tests, kinds.count(PLACE), kinds.count(BACK), kinds.count(SOLUTION)) == (
        tally.tests, tally.nodes, tally.exhaustions, 1)


@pytest.mark.parametrize("name", FOLLOWED)
@pytest.mark.parametrize("puzzle", [PUZZLE, Grid.of(str(HARD))])
def test_the_digits_on_the_way_to_a_solution_are_its_digits(name, puzzle):
    recording = record_puzzle(puzzle, find(name), 20_000)
    stack = []
    for kind, digits in events(recording.codes):
        grid = list(puzzle.digits)
        for placed in stack:
            for digit, _, cell in placed:
                grid[cell] = digit
        if kind == PLACE:
            for digit, _, cell in digits:
                assert all(grid[peer] != digit for peer in PEERS[cell])
            stack.append(digits)
            continue
        if kind == SOLUTION:
            assert Grid(tuple(grid)).solved
        if kind != CONFLICT:
            stack.pop()


def test_a_refused_digit_is_in_the_way_of_another():
    stack = []
    refused = 0
    for kind, digits in events(record_puzzle(PUZZLE, find("textbook"), 2000).codes):
        if kind == SOLUTION:
            break
        if kind == PLACE:
            stack += digits
        elif kind == BACK:
            stack[-1:] = []
        else:
            ((digit, tested, cell),) = digits
            grid = list(PUZZLE.digits)
            for placed, _, where in stack:
                grid[where] = placed
            assert tested
            assert digit in {grid[peer] for peer in PEERS[cell]}
            refused += 1
    assert refused > 1000


def test_a_long_search_is_cut_and_small():
    recording = record_puzzle(Grid.of("." * 81), find("textbook"))
    assert not recording.complete
    assert len(list(events(recording.codes))) == MOST_EVENTS
    packed = pack_puzzle(recording)
    assert len(packed["codes"]) < 50_000
    assert zlib.decompress(b64decode(packed["codes"])) == recording.codes
    assert (packed["givens"], packed["whole"]) == ("." * 81, False)


def test_what_cannot_be_recorded_says_why():
    with pytest.raises(InvalidValueError, match="fast is only compiled and cannot be followed"):
        record_puzzle(PUZZLE, find("fast"))
    with pytest.raises(InvalidValueError, match="row 1 has 1 twice"):
        record_puzzle(Grid.of("11" + "." * 79), find("textbook"))

    def search(givens, tally):
        tally.node(0)
        tally.test(0, 0)
        yield givens

    mute = Search(name="mute", origin="this test", year=2026, technique="", search=search)
    with pytest.raises(InvalidValueError, match="mute does not say which digit it tests"):
        record_puzzle(PUZZLE, mute)

"""A recording holds what the search does, counts and reaches."""

import zlib
from base64 import b64decode

import pytest
from replaying import replay
from test_tracing import FOLLOWED, RESTARTING, TREES, UNSOLVABLE

from nqbench.errors import InvalidValueError
from nqbench.explain import recordings
from nqbench.explain.recordings import MOST_PUZZLE_EVENTS, TESTED, is_sound, pack, record
from nqbench.explain.trace import Trace, collect_events, follow
from nqbench.problems import instances, sudoku
from nqbench.problems.instances import Board
from nqbench.problems.queens import find
from nqbench.problems.sudoku import Grid, read
from nqbench.problems.sudoku.grid import PEERS
from nqbench.search.board import Placement

PUZZLE = read("easy50")[0]
HARD = Grid.of(str(read("top95")[0]))
SOLVERS = [name for name, search in sudoku.catalogue().items() if search.search is not None]


@pytest.mark.parametrize(("search", "searched"), FOLLOWED)
def test_a_recording_of_a_tree_replays_the_trace(search, searched):
    for instance in searched:
        recorded = record(instance, search)
        assert (recorded.complete, recorded.instance) == (True, instance)
        assert [moment.event for moment in replay(recorded)] == collect_events(instance, search)


@pytest.mark.parametrize("name", TREES)
def test_every_moment_has_the_counts_of_the_trace(name):
    heard = []

    def hear(step):
        # A refusal is told when the next test has been counted, or at the end of the line.
        heard.append((step.kind, trace.tests, trace.nodes, trace.exhaustions, trace.visits))

    trace = Trace(6, hear)
    follow(6, name, trace)
    for moment, (kind, tests, *others) in zip(replay(record(6, name)), heard, strict=True):
        assert [moment.nodes, moment.backtracks, moment.solutions] == others
        assert moment.tests == tests or (kind == "conflict" and moment.tests == tests - 1)


def test_a_limit_ends_the_recording_and_is_said():
    part, all_of_it = record(6, limit=1000), record(6)
    assert (len(part.codes), part.complete) == (1000, False)
    assert all_of_it.codes.startswith(part.codes)
    assert record(6, limit=len(all_of_it.codes)) == all_of_it
    cut = record(8, "a_star", 5)
    assert (len(list(jumps(8, cut.codes))), cut.complete) == (5, False)


def jumps(n, codes):
    """Each kind with its columns (of a placement), or its row and column."""
    at = 0
    while at < len(codes):
        kind = codes[at]
        if kind == recordings.TAKE:
            k = codes[at + 1]
            yield kind, tuple(codes[at + 2:at + 2 + k])
            at += 2 + k
        else:
            yield kind, None if kind == recordings.SOLUTION else divmod(codes[at + 1], n)
            at += 1 if kind == recordings.SOLUTION else 2


@pytest.mark.parametrize("n", [1, 6, 10])
def test_a_star_takes_only_what_waits_in_the_queue(n):
    recording = record(n, "a_star")
    assert recording.complete
    waiting, columns, tests, taken = {()}, (), 0, 0
    for kind, what in jumps(n, recording.codes):
        if kind == recordings.TAKE:
            waiting.remove(what)
            columns, taken = what, taken + 1
        elif kind in (recordings.QUEUE, recordings.CONFLICT):
            tests += 1
            assert what[0] == len(columns)
            if kind == recordings.QUEUE:
                waiting.add((*columns, what[1]))
    tally = find("a_star").profile(n)
    assert (tests, taken) == (tally.tests, tally.nodes)
    assert columns == next(find("a_star").solutions(n))


@pytest.mark.parametrize("n", [1, 5, 10])
@pytest.mark.parametrize("seed", range(3))
def test_min_conflicts_moves_to_its_solution(n, seed):
    search = find(f"min_conflicts:{seed}")
    placed, tests = [], 0
    for kind, what in jumps(n, record(n, search).codes):
        tests += {recordings.CONFLICT: 1, recordings.PUT_TESTED: 1, recordings.MOVE: n}.get(kind, 0)
        if kind in (recordings.PUT, recordings.PUT_TESTED):
            placed[what[0]:] = [what[1]]
        elif kind == recordings.MOVE:
            placed[what[0]] = what[1]
    assert kind == recordings.SOLUTION
    assert tests == search.profile(n).tests
    assert tuple(placed) == next(search.solutions(n))
    assert Placement(placed).is_solution


def digits_of(codes):
    """Each kind of event of a Sudoku with its digits, as (digit, was tested, cell)."""
    digits, at = [], 0
    while at < len(codes):
        if codes[at] >= recordings.REFUSED_CODE:
            yield codes[at], digits
            digits, at = [], at + 1
        else:
            digits.append((codes[at] % TESTED, codes[at] > TESTED, codes[at + 1]))
            at += 2
    assert digits == []


@pytest.mark.parametrize("name", SOLVERS)
def test_a_recording_of_a_puzzle_counts_what_the_search_counts(name):
    recording = record(PUZZLE, name)
    assert recording.complete
    found = list(digits_of(recording.codes))
    tally = sudoku.find(name).profile(PUZZLE)
    kinds = [kind for kind, _ in found]
    tests = sum(tested for _, digits in found for _, tested, _ in digits)
    assert (tests, *map(kinds.count, (recordings.PLACE, recordings.BACK, recordings.SOLVED))) == (
        tally.tests, tally.nodes, tally.exhaustions, 1)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("puzzle", [PUZZLE, HARD])
def test_digits_fit_and_become_the_solution_and_textbook_refuses_others(name, puzzle):
    stack = []
    for kind, digits in digits_of(record(puzzle, name, 20_000).codes):
        grid = list(puzzle.digits)
        for placed in stack:
            for digit, _, cell in placed:
                grid[cell] = digit
        if kind == recordings.PLACE:
            assert all(grid[peer] != digit for digit, _, cell in digits for peer in PEERS[cell])
            stack.append(digits)
        elif kind == recordings.REFUSED_CODE:
            assert name != "textbook" or all(
                tested and digit in {grid[peer] for peer in PEERS[cell]}
                for digit, tested, cell in digits)
        else:
            assert kind == recordings.BACK or Grid(tuple(grid)).solved
            stack.pop()


def test_a_long_search_of_a_puzzle_is_cut_and_small():
    recording = record(Grid.of("." * 81), "textbook", MOST_PUZZLE_EVENTS)
    assert not recording.complete
    assert len(list(digits_of(recording.codes))) == MOST_PUZZLE_EVENTS
    packed = pack(recording)
    assert len(packed["codes"]) < 50_000
    assert zlib.decompress(b64decode(packed["codes"])) == recording.codes
    assert (packed["givens"], packed["whole"]) == ("." * 81, False)


def test_what_cannot_be_recorded_says_why():
    assert max(record(10, limit=20_000).codes) < 256

    def search(givens, tally):
        tally.node(0)
        tally.test(0, 0)
        yield givens

    mute = sudoku.Search(name="mute", origin="this test", year=2026, technique="", search=search)
    with pytest.raises(InvalidValueError, match="mute does not say which digit it tests"):
        record(PUZZLE, mute)


def test_a_recording_has_the_restarts_and_the_counts_of_the_search():
    recorded, known = record(UNSOLVABLE, RESTARTING), instances.find(RESTARTING).profile(UNSOLVABLE)
    moments = list(replay(recorded))
    assert [moment.event for moment in moments] == collect_events(UNSOLVABLE, RESTARTING)
    last = moments[-1]
    assert (last.tests, last.nodes, last.backtracks, last.solutions) == (
        known.tests, known.nodes, known.exhaustions, 0)
    assert (last.nodes - sum(moment.event.kind == "place" for moment in moments)
            ) == known.levels[0] > 2


def test_a_packed_recording_says_which_instance_it_is_of():
    packed = pack(record(Board(10, placed=((0, 1),)), RESTARTING))
    assert (packed["instance"], packed["n"]) == ({"n": 10, "placed": [[0, 1]]}, 10)
    assert is_sound(packed)
    assert is_sound(pack(recordings.Recording(10, bytes([214]), True)))
    assert not is_sound(pack(recordings.Recording(10, bytes([215]), True)))

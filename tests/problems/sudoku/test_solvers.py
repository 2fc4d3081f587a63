"""The solvers of Sudoku: the counts of the published listing, compiled versions, kernels, budgets,
answers.
"""

import random
import sys
from dataclasses import replace

import pytest
from conftest import rows
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from programs import press_ctrl_c

from nqbench import _sudoku
from nqbench.problems import sudoku
from nqbench.problems.sudoku import PROBLEM, Grid, catalogue, find
from nqbench.problems.sudoku.base import PuzzleTally
from nqbench.problems.sudoku.grid import permute
from nqbench.search.implementations import Outcome

NAMES = tuple(catalogue())
PUBLISHED = rows("sudoku_textbook.csv")
TWINS = [name for name in NAMES if catalogue()[name].search and catalogue()[name].core]
WAYS = [(name, way) for name in NAMES for way in find(name).implementations]
KERNELS = _sudoku.kernels()
SETS = {name: [grid.digits for grid in sudoku.data_set(name)]
        for name in ("easy50", "hardest", "top95")}
SLOW = 17_000  # calls of isvalid: a thirtieth of a second in Python
EMPTY = (0,) * 81
FIRST = Grid.of(
    "123456789456789123789123456214365897365897214897214365531642978642978531978531642").digits
NO_PLACE = Grid.of("12345678." + "........9" + "." * 63)  # for the last digit of row 1
LONG = sudoku.data_set("hardest")[0]  # 400,827 nodes in the order of reading


def search(name, way, digits, limit=1, keep=1, nodes=None, seconds=None):
    return find(name).implementations[way].search(digits, limit, keep, nodes, seconds)


solved = st.integers(0, 2**32).map(lambda seed: permute(FIRST, random.Random(seed)))


@st.composite
def dug(draw, least=20, most=60):
    """A full grid from which some digits were removed at random."""
    digits = list(draw(solved))
    for cell in random.Random(draw(st.integers(0, 2**32))).sample(
            range(81), draw(st.integers(least, most))):
        digits[cell] = 0
    return tuple(digits)


@st.composite
def spoilt(draw):
    """The same with a digit put into an empty cell, right or wrong."""
    digits = list(draw(dug()))
    cell = draw(st.sampled_from([cell for cell in range(81) if not digits[cell]]))
    digits[cell] = draw(st.integers(1, 9))
    return tuple(digits)


@pytest.mark.parametrize("known", [
    [known for known in PUBLISHED if int(known["isvalid_calls"]) <= SLOW],
    pytest.param([known for known in PUBLISHED if int(known["isvalid_calls"]) > SLOW],
                 marks=pytest.mark.thorough)], ids=["short", "long"])
def test_the_textbook_has_the_counts_of_the_compiled_listing(known):
    for row in known:
        found = search("textbook", "python", Grid.of(row["puzzle"]).digits)
        counters = found.counters
        assert str(Grid(found.solutions[0])) == row["solution"]
        nodes = counters["nodes"] - 1  # without the root
        assert (nodes, counters["tests"], counters["scans"]) == (
            int(row["nodes"]), int(row["isvalid_calls"]), int(row["inner"]))
        assert counters["comparisons"] == counters["scans"]


def test_masks_leave_the_tree_of_the_textbook_as_it_is():
    small = [Grid.of(known["puzzle"]).digits for known in PUBLISHED if int(known["nodes"]) < 700]
    assert len(small) > 10
    for digits in small:
        book, masks = (search(name, "python", digits, 2)
                       for name in ("textbook", "textbook_bitmask"))
        for name in ("nodes", "levels", "dead_ends", "dead_levels", "exhaustions",
                     "nodes_to_first"):
            assert book.counters[name] == masks.counters[name]
        assert book.solutions == masks.solutions


@pytest.mark.parametrize("name", TWINS)
@given(digits=dug() | spoilt(), limit=st.integers(1, 20), keep=st.integers(0, 20),
       nodes=st.integers(1, 300))
def test_twins_agree_on_any_grid(name, digits, limit, keep, nodes):
    ours, theirs = (search(name, way, digits, limit, keep, nodes) for way in ("python", "cython"))
    assert ours.counters == theirs.counters
    assert (ours.found, ours.solutions, ours.answer) == (
        theirs.found, theirs.solutions, theirs.answer)
    assert (ours.gave_up is None) == (theirs.gave_up is None)
    assert ours.counters["nodes"] <= nodes
    assert len(ours.solutions) == min(ours.found, keep)


@given(digits=dug() | spoilt(), limit=st.integers(1, 20))
@settings(max_examples=25)
def test_the_plain_builds_count_what_the_counting_ones_do(digits, limit):
    assume(Grid(digits).contradiction is None)
    found = search("fewest_first", "cython", digits, limit, 0).found
    for name, way in WAYS:
        if not name.startswith("textbook") or digits.count(0) < 40:
            assert find(name).implementations[way].counter([digits, digits], limit)() == [found] * 2


@given(digits=dug(0, 81) | spoilt(), limit=st.integers(1, 300))
def test_every_kernel_counts_what_fewest_first_counts_and_walks_the_same_tree(digits, limit):
    (expected,) = _sudoku.counts("fewest_first", [bytes(digits)], limit)
    for in_order in (False, True):
        found = [_sudoku.search(f"fast:{kernel}", bytes(digits), limit, limit, in_order=in_order)
                 for kernel in KERNELS]
        assert {each[0] for each in found} == {expected}
        assert [each[:3] for each in found] == [found[0][:3]] * len(KERNELS)
        assert set(found[0][2]) == {"nodes", "guesses", "dead_ends", "nodes_to_first"}
    for kernel in KERNELS:
        assert _sudoku.counts(f"fast:{kernel}", [bytes(digits)], limit) == [expected]


@given(digits=solved, cells=st.sets(st.integers(0, 80), max_size=40))
@settings(max_examples=25)
def test_solutions_are_right_and_come_once(digits, cells):
    givens = tuple(0 if cell in cells else digit for cell, digit in enumerate(digits))
    for name, way in WAYS:
        found = search(name, way, givens, 100, 100).solutions
        assert digits in found or len(found) == 100
        assert len(set(found)) == len(found)
        assert all(PROBLEM.is_solution(givens, solution) for solution in found)


@pytest.mark.parametrize("algorithm", [None, *(f"fast:{kernel}" for kernel in KERNELS)])
def test_the_empty_grid_is_filled_in_the_order_of_its_digits(algorithm):
    assert sudoku.solve(Grid(EMPTY), algorithm).solutions == [FIRST]
    found = sudoku.solve(Grid(EMPTY), algorithm, limit=100)
    assert found.solutions == sorted(set(found.solutions))
    assert found.solutions == search("textbook_bitmask", "cython", EMPTY, 100, 100).solutions
    assert (found.answer, found.found) == ("several", 100)


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_a_budget_is_kept(name, way):
    for nodes, told in ((1, "1 node"), (2, "2 nodes"), (300, "300 nodes")):
        found = search(name, way, EMPTY, 10**12, 0, nodes=nodes)
        assert (found.answer, found.found) in {
            ("gave up", 0), ("gave up", 1), ("several", found.found)}, nodes
        assert found.counters["nodes"] == nodes
        assert found.gave_up.startswith(f"gave up after {told}, 0.")
    found = search(name, way, EMPTY, 10**12, 0, seconds=0.1)
    assert found.gave_up.startswith(f"gave up after {found.counters['nodes']:,} nodes, 0.")


@pytest.mark.slow
@pytest.mark.parametrize("call", [
    "sudoku.solve(grid, 'fast', limit=10**12, keep=1, seconds=None)",
    "sudoku.find('fewest_first').implementations['cython'].counter([grid.digits], 10**12)()"])
def test_ctrl_c_stops_within_a_second_also_inside_compiled_code(call):
    _, out, err = press_ctrl_c(
        "from nqbench.problems import sudoku\ngrid = sudoku.Grid.of('.' * 81)\n"
        f"print('ready', flush=True)\n{call}\nprint('done')")
    assert err.endswith("\nKeyboardInterrupt\n")
    assert out == ""


@pytest.mark.parametrize(("arguments", "error", "says"), [
    ({"instance": Grid.of("5...5" + "." * 76)}, ValueError,
     "the givens contradict each other: row 1 has 5 twice"),
    ({"limit": 0}, ValueError, "limit must be 1 or more, not 0"),
    ({"limit": 2.0}, TypeError, "limit must be a whole number"),
    ({"keep": -1}, ValueError, "keep must be a whole number, 0 or more, not -1"),
    ({"nodes": 0}, ValueError, "nodes must be 1 or more, not 0"),
    ({"seconds": 0}, ValueError, "seconds must be a number of seconds above 0, not 0"),
    ({"seconds": "1"}, TypeError, "seconds must be a number of seconds above 0, not '1'"),
    ({"algorithm": "fastest"}, ValueError,
     "there is no algorithm 'fastest'; did you mean fast"),
    ({"algorithm": "fast:mmx"}, ValueError,
     f"fast has no kernel 'mmx' here, only {', '.join(KERNELS)}"),
    ({"algorithm": "textbook:2"}, ValueError,
     "textbook takes no parameter, but got '2'"),
    ({"implementation": "fortran"}, ValueError,
     "fewest_first has no implementation 'fortran', only python and cython"),
    ({"algorithm": "fast", "implementation": "python"}, ValueError,
     "fast has no implementation 'python', only cython"),
])
def test_what_is_not_allowed_is_refused(arguments, error, says):
    with pytest.raises(error) as caught:
        sudoku.solve(**{"instance": EMPTY, **arguments})
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(("asked", "taken"), [
    ((), ("fast", "cython")), ((None, "python"), ("fewest_first", "python")),
    (("textbook",), ("textbook", "python")), (("fewest_first",), ("fewest_first", "cython")),
    (("fewest_first", "python"), ("fewest_first", "python")),
    ((f"fast:{KERNELS[-1]}",), (f"fast:{KERNELS[-1]}", "cython"))])
def test_what_is_left_open_is_the_fastest(asked, taken):
    chosen, way = PROBLEM.choose(*asked)
    assert (chosen.name, way) == taken


@pytest.mark.parametrize("name", NAMES)
def test_without_the_compiled_core_python_is_left(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "nqbench._sudoku", None)
    problem = replace(PROBLEM, catalogue={
        name: replace(each) for name, each in catalogue().items()})
    if name == "fast":
        with pytest.raises(ValueError, match="None, but it is only compiled: nqbench was inst"):
            problem.choose(name)
        assert problem.choose() == (find("fewest_first"), "python")
    else:
        assert list(problem.choose(name)[0].implementations) == ["python"]


@pytest.mark.parametrize(("name", "givens", "says"), [
    *((name, bytes(size) + end, "a grid must be 81 digits")
      for name in ("textbook_bitmask", "fewest_first", "fast")
      for size, end in ((0, b""), (80, b""), (82, b""), (80, b"\n"))),
    ("fast:mmx", bytes(81), "there is no kernel 'mmx' here, only ")])
def test_the_core_itself_refuses_what_is_not_there(name, givens, says):
    with pytest.raises(ValueError, match=says):
        _sudoku.search(name, givens, 1, 1)
    with pytest.raises(ValueError, match=says):
        _sudoku.counts(name, [givens], 1)


@pytest.mark.parametrize(("limit", "found", "gave_up", "answer"), [
    (1, 0, None, "none"), (1, 1, None, "found"), (1, 0, "gave up", "gave up"),
    (2, 0, None, "none"), (2, 1, None, "one"), (2, 2, None, "several"), (5, 2, None, "several"),
    (2, 0, "gave up", "gave up"), (2, 1, "gave up", "gave up"), (5, 3, "gave up", "several")])
def test_the_answer_is_a_word(limit, found, gave_up, answer):
    assert Outcome(limit, found, [], {}, gave_up).answer == answer


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_every_solver_gives_every_answer(name, way):
    def answer(digits, limit, nodes=None):
        return sudoku.solve(Grid(digits), name, way, limit=limit, nodes=nodes).answer

    puzzle = SETS["easy50"][4]
    assert [answer(puzzle, limit) for limit in (1, 2, 3)] == ["found", "one", "one"]
    assert [answer(EMPTY, limit) for limit in (1, 2, 3)] == ["found", "several", "several"]
    assert [answer(FIRST, limit) for limit in (1, 2, 10**30)] == ["found", "one", "one"]
    assert find(name).implementations[way].counter([FIRST, EMPTY], 3)() == [1, 3]
    assert [answer(NO_PLACE.digits, limit) for limit in (1, 2)] == ["none", "none"]
    assert answer(EMPTY, 2, nodes=2) == "gave up"


class Walked(PuzzleTally):
    """A tally that counts the dead ends of a walk through the tree from its nodes."""

    def __init__(self, empty):
        super().__init__(empty)
        self.open, self.childless = [], 0

    def node(self, level):
        if self.open:
            self.open[-1] = False
        self.open.append(True)
        super().node(level)

    def solution(self):
        self.open.pop()
        super().solution()

    def exhausted(self, level):
        self.childless += self.open.pop()
        super().exhausted(level)


@pytest.mark.parametrize("name", ["textbook_bitmask", "dancing_links", "fewest_first"])
def test_a_dead_end_has_no_child(name):
    for digits in SETS["hardest"][5:8]:
        tally = Walked(digits.count(0))
        assert len(list(find(name).python.follow(digits, tally))) == 1
        assert tally.dead_ends == tally.childless


def test_what_is_known_is_not_given_up_for_the_order():
    grid = Grid.of(
        "...52.....9...3..4......7...1.....4.....453..6...1...87.2........8....32.4..8..1.")
    assert sudoku.solve(grid, limit=2, keep=0, nodes=100).answer == "several"
    assert sudoku.solve(grid, limit=2, nodes=100).answer == "several"

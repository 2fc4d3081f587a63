"""Queens and Sudoku are two problems of one shape, and a file adds a third."""

from dataclasses import replace

import pytest
from test_recipes import shown

import nqbench.study
from nqbench import problems
from nqbench.checking import check
from nqbench.checking.verification import verify
from nqbench.cli.check import describe
from nqbench.cli.study import reject_combinations
from nqbench.problems import PROBLEMS, DataSet, Solver, sudoku
from nqbench.problems.published import SEQUENCES, Sequence, published
from nqbench.problems.queens import find
from nqbench.records import frame
from nqbench.records.record import read
from nqbench.search.algorithm import Catalogue
from nqbench.study.worker import Worker, in_turns
from nqbench.topics.sudoku.rates import rate, rated_solvers
from nqbench.topics.sudoku.section import latest_rates, rates_of_solvers

# The documented example, with a parameter, tests and a data set.
BOOKS = "few = lambda: [3, 4, 5]\n" + shown("nqbench.problems.Problem")["books.py"].replace(
    '"books"', '"shelf"').replace('name="shelf",', 'name="shelf", data_sets={"few": few},').replace(
    "visits(n, tally):", "visits(n, tally, first=0):").replace(
    "for book in range(n):", "for book in (k % n for k in range(first, first + n)):\n"
    "            tally.test(len(order), book)")
SEQUENCE = Sequence("A000166", "Derangements", 0, (1, 0, 1, 2, 9, 44, 266), problem="shelf",
                    source="OEIS, the last value changed", measure=published("A000170").measure)
DERANGEMENTS = [1, 0, 1, 2, 9, 44, 265]  # OEIS A000166
GRID = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SMALL = {"queens": ["0", "1", "4", "6"], "sudoku": [GRID],
         "instances": ["n=4", "n=6 placed=0:1", "n=5 torus", "n=5 sums=4 differences=1"]}


@pytest.fixture
def books(add_member):
    """A problem in another folder."""
    add_member(problems, {"shelf.py": BOOKS})
    return PROBLEMS["shelf"]


@pytest.mark.parametrize("name", SMALL)
def test_what_is_reached_are_solutions_and_as_many_in_every_way(name):
    problem = PROBLEMS[name]
    for text in SMALL[name]:
        instance = problem.parse(text)
        assert problem.parse(problem.text(instance)) == instance
        counts = set()
        for each in problem.catalogue.values():
            if not each.exhaustive:
                continue
            for way, implementation in each.implementations.items():
                counts.add(each.count(instance, way))
                if implementation.visits is not None:
                    found = [*each.solutions(instance, way)]
                    assert len({*found}) == len(found)
                    assert all(problem.is_solution(instance, answer) for answer in found)
        assert len(counts) == 1


def test_profiles_of_sudoku_agree_with_the_outcome_of_a_search():
    problem = PROBLEMS["sudoku"]
    givens = problem.parse(GRID)
    for way in ("python", "cython"):
        tally = problem.find("fewest_first").profile(givens, way)
        outcome = problem.find("fewest_first").solve(givens, way, limit=10)
        assert tally.solutions == outcome.found == 1
        assert tally.counters() == outcome.counters
    with pytest.raises(ValueError, match="fast counts only nodes, dead_ends, nodes_to_first, gues"):
        problem.find("fast").profile(givens, "cython")


@pytest.mark.parametrize(("problem", "name", "lines"), [
    ("shelf", "naive", ["  instances  6 of 6 of small, 3 of 3 of few"]),
    ("sudoku", "textbook_bitmask", ["  puzzles    3 of 3 of small, "])])
def test_a_check_calls_the_instances_of_a_problem_by_its_noun(books, problem, name, lines):
    told = describe(check(PROBLEMS[problem].find(name)).as_dict())
    assert next(line for line in told if " of small" in line).startswith(*lines)


def test_a_search_for_queens_can_be_bounded():
    bitmask = PROBLEMS["queens"].find("bitmask")
    assert bitmask.solve(6, limit=2).solutions == [(1, 3, 5, 0, 2, 4), (2, 5, 1, 4, 0, 3)]
    assert bitmask.solve(8, limit=93).answer == "several"
    assert bitmask.solve(8, limit=93).found == 92
    assert bitmask.solve(8, limit=93, nodes=2057).gave_up is None
    assert bitmask.solve(8, limit=93, nodes=2056).gave_up.startswith("gave up after 2,056 nodes, ")
    with pytest.raises(ValueError, match="bitmask in cython counts all solutions and cannot stop"):
        bitmask.solve(8, "cython")


def test_a_file_adds_a_problem(books):
    assert {"shelf", "queens", "sudoku"} <= set(PROBLEMS)
    naive = books.find("naive")
    naive.compare_builds()
    assert [naive.count(n) for n in range(7)] == DERANGEMENTS
    assert next(naive.solutions(4)) == (1, 0, 3, 2)
    assert next(books.find("naive:2").solutions(4)) == (2, 3, 0, 1)
    with pytest.raises(ValueError, match="there is no algorithm 'naif'"):
        books.find("naif")
    tally = naive.profile(4)
    assert (tally.levels, tally.solutions, tally.nodes_to_first) == ([1, 3, 7, 11, 9], 9, 5)
    assert naive.solve(7, limit=10**6, nodes=100).gave_up.startswith("gave up after 100 nodes")


@pytest.mark.thorough
def test_a_new_problem_is_rated_like_sudoku(books, tmp_path, monkeypatch):
    monkeypatch.setattr(Worker, "measure", lambda self, searches, shortest, say, seed: in_turns(
        searches, shortest, say, seed=seed))  # here: a new process does not know the folder
    nqbench.study.run(data="few", samples=1, processes=2, budget=4, results=tmp_path)
    (row,) = latest_rates(frame(read(tmp_path, pytest.fail)), problem="shelf").to_dict(
        "records")
    assert (row["n"], row["puzzles"], row["solutions"], row["nodes"]) == (
        5, 3, [2, 2, 2], [8, 9, 10])
    (found,) = rates_of_solvers(latest_rates(
        frame(read(tmp_path, pytest.fail)), problem="shelf")).to_dict("records")
    assert found["answered"] == 1.0
    assert found["guesses"] != found["guesses"], "not measured"
    assert latest_rates(frame(read(tmp_path, pytest.fail))).empty


def test_a_study_takes_the_data_sets_of_a_new_problem(books):
    reject_combinations("few", None)
    with pytest.raises(ValueError, match=r"one of the data sets few, easy50, top95, .* not 'many'"):
        reject_combinations("many", None)


def test_a_sequence_of_a_new_problem_is_verified(books, monkeypatch):
    monkeypatch.setitem(SEQUENCES.members, "A000166", SEQUENCE)
    right, wrong = verify(5, ["A000166"]), verify(6, ["A000166"])
    assert (right.ok, right.summary) == (True, "6 of 6 published values confirmed, 0 differ, "
                                               "0 left out")
    assert [(check.n, check.got, check.expected) for check in wrong.checks
            if check.status == "differs"] == [(6, 265, 266)]


def test_a_bounded_search_counts_mirror_images_too():
    somers = PROBLEMS["queens"].find("somers")
    assert (somers.solve(8, limit=1000).found, somers.solve(8, limit=5).found) == (92, 5)
    three = somers.solve(8, limit=3, keep=3).solutions
    assert three == list(somers.solutions(8))[:3]
    assert somers.solve(8, limit=3, keep=9).solutions == three
    assert somers.solve(8, limit=4, keep=1).solutions == three[:1]
    with pytest.raises(ValueError, match="n must be at most 500 for recursive, not 20"):
        PROBLEMS["queens"].find("recursive").solve(2000)


def test_a_search_for_one_solution_does_not_say_that_it_is_the_only_one():
    found = PROBLEMS["queens"].find("min_conflicts").solve(8, limit=2)
    assert (found.found, found.answer) == (1, "found")
    rated = {name for name, _ in rated_solvers(PROBLEMS["queens"])}
    assert rated.isdisjoint({"min_conflicts", "depth_limited", "width_limited", "cross"})


def test_what_is_no_instance_is_named(books):
    for call in (books.find("naive").count, books.find("naive").profile, books.find("naive").solve):
        with pytest.raises(ValueError, match="instance must be a whole number, 0 or more, not -1"):
            call(-1)


def test_instances_are_checked_before_they_are_rated(books):
    for instances, says in (([], "data set 'mine' is empty"),
                            ([4, "5"], "instance 2 of mine: instance must be a whole number")):
        with pytest.raises(ValueError, match=says):
            rate(DataSet(books, "mine", instances), rated_solvers(books), Worker(0.0))
    grid = sudoku.read("easy50")[0]
    with pytest.raises(ValueError, match="puzzle 2 of mine: the givens contradict each other"):
        rate(DataSet(PROBLEMS["sudoku"], "mine", [grid, sudoku.Grid.of("11" + "." * 79)]),
             [("fast", "cython")], Worker(0.0))


def test_counts_of_one_problem_are_not_taken_for_those_of_another(books, monkeypatch):
    """The algorithm has the name of one for queens, and the sequence measures in the same way."""
    right = replace(SEQUENCE, values=(*SEQUENCE.values[:-1], 265))
    monkeypatch.setitem(SEQUENCES.members, "A000166", right)
    monkeypatch.setitem(books.catalogue, "recursive", replace(
        books.catalogue["naive"], name="recursive"))
    assert verify(6, ["A000166", "A000170"]).ok


@pytest.mark.parametrize(("solver", "counted"), [
    (Solver(find("bitmask"), "python"), 92), (Solver(find("somers"), "python"), 46),
    (Solver(find("cross"), "cython", "portable", 2), 92)])
def test_the_key_of_a_solver_finds_it_again_and_it_counts_what_its_search_finds(solver, counted):
    assert solver.key.find() == solver
    assert solver.name == str(solver) == str(solver.key)
    assert solver.count(8) == counted


def test_a_family_has_several_algorithms_in_one_file(tmp_path, monkeypatch):
    folder = tmp_path / "garden"
    folder.mkdir()
    made = "from nqbench.search.algorithm import Algorithm\n"
    one = "Algorithm(name={!r}, order={}, origin='', year=None, technique='')"
    for name, text in {"__init__": "", "alone": f"{made}ALGORITHM = {one.format('alone', 5)}",
                       "roses_family": f"{made}ALGORITHMS = ({one.format('red', 9)}, "
                                       f"{one.format('white', 1)})"}.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = Catalogue("garden")
    assert (list(found), found.names()) == (["white", "alone", "red"], ("alone", "red", "white"))
    assert found["red"].order == 9
    assert "roses_family" not in found
    assert found.get("roses_family") is None

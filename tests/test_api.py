"""The functions that users import."""

import pkgutil
from itertools import islice

import pytest
from conftest import SOLUTIONS

import nqbench
from nqbench.explain import trace, tree
from nqbench.problems import PROBLEMS, forecast, queens, sudoku
from nqbench.problems.instances import Board
from nqbench.search import estimates, variants


def test_count_without_an_algorithm_is_right_from_the_start():
    assert {n: nqbench.count(n) for n in SOLUTIONS} == SOLUTIONS


def test_count_beyond_the_compiled_words_is_in_python_only_if_it_is_asked_for():
    with pytest.raises(ValueError, match="n must be at most 32 for the counting engine, not 33"):
        nqbench.api.choose(33)
    assert nqbench.api.choose(33, implementation="python")[1] == "python"
    assert nqbench.api.choose(32)[1] == "cython"
    assert nqbench.api.choose(33, "bitmask")[1] == "python"


def test_solutions_are_an_iterator_and_lazy():
    found = nqbench.solutions(20)
    assert next(found) == (0, 2, 4, 1, 3, 12, 14, 11, 17, 19, 16, 8, 15, 18, 7, 9, 6, 13, 5, 10)
    assert len(list(islice(found, 3))) == 3


@pytest.mark.parametrize(("n", "error"), [
    (-1, ValueError), (8.0, TypeError), (8.5, TypeError), ("8", TypeError), (True, TypeError),
    (None, TypeError)])
@pytest.mark.parametrize("function", [nqbench.count, nqbench.profile, nqbench.unique,
                                      nqbench.solutions])
def test_n_that_is_no_number_of_queens_is_refused(function, n, error):
    with pytest.raises(error, match=f"whole number, 0 or more, not {n!r}"):
        function(n)


HUGE = 10 ** 5000  # Python refuses to print so many digits


@pytest.mark.parametrize("call", [
    lambda: nqbench.count(HUGE), lambda: nqbench.count(-HUGE), lambda: nqbench.count(8, jobs=HUGE),
    lambda: nqbench.verify(max_n=HUGE), lambda: nqbench.verify(3, budget=HUGE),
    lambda: nqbench.Placement((HUGE,)), lambda: trace.collect_events(HUGE),
    lambda: estimates.estimate(queens.find("bitmask"), 8, seed=HUGE),
    lambda: variants.half_turn(HUGE),
    lambda: forecast.predict_engine(HUGE)])
def test_numbers_of_any_length_are_refused_by_name(call):
    with pytest.raises(nqbench.NqbenchError, match="far too large"):
        call()


@pytest.mark.parametrize("call", [
    lambda name: nqbench.count(8, algorithm=name),
    lambda name: nqbench.count(8, implementation=name),
    lambda name: nqbench.count(8, kernel=name), lambda name: nqbench.verify(3, [name]),
    lambda name: estimates.estimate(queens.find("bitmask"), 8, method=name),
    lambda name: sudoku.find(name)])
def test_names_are_strings(call):
    for value in (3, [], b"bitmask"):
        with pytest.raises(nqbench.errors.InvalidTypeError, match="must be a string, not a value"):
            call(value)


@pytest.mark.parametrize("call", [
    lambda: forecast.predict_engine(33), lambda: trace.collect_events(10**9),
    lambda: tree.grow(4, depth="2"), lambda: nqbench.engine.count(20, jobs=10**6),
    lambda: nqbench.count(8, implementation=""), lambda: nqbench.profile(8, implementation=""),
    lambda: PROBLEMS["instances"].solve(Board(4), "")])
def test_other_values_out_of_range_are_refused(call):
    with pytest.raises(nqbench.NqbenchError):
        call()


def test_modules_are_attributes_that_are_imported_where_they_are_first_used():
    for module in nqbench.MODULES:
        assert module in dir(nqbench)
        assert getattr(nqbench, module).__name__ == f"nqbench.{module}"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = nqbench.nothing


def test_what_is_public_is_a_module_of_the_package():
    """Those that only the command or a page needs, and helpers, are not."""
    modules = {m.name for m in pkgutil.iter_modules(nqbench.__path__) if m.name[0] != "_"}
    assert modules - set(nqbench.MODULES) == {"cli", "util"}
    assert not modules & set(nqbench.__all__)

"""The Cython cores and the same algorithms in Python agree in everything."""

import sys
import threading
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest
from conftest import SEARCHES

from nqbench.engine import processor
from nqbench.problems.queens import catalogue, find

CORES = [name for name in SEARCHES if catalogue()[name].core]


@pytest.fixture(params=CORES)
def algorithm(request):
    assert "cython" in catalogue()[request.param].implementations, "the core was not compiled"
    return catalogue()[request.param]


def test_counters_and_solutions_agree(algorithm):
    for n in range(11):
        assert algorithm.profile(n, "cython") == algorithm.profile(n, "python"), n
        assert list(algorithm.solutions(n, "cython")) == list(algorithm.solutions(n, "python")), n
        found = Counter(columns[0] for columns in algorithm.python.visits(n) if n)
        assert dict(algorithm.implementations["cython"].by_first_queen(n)) == {
            column: found[column] for column in range(n)}, n


def test_counts_beyond_python_are_known_and_shared_by_threads(algorithm):
    assert [algorithm.count(n, "cython") for n in (11, 12, 13, 14)] == [
        2680, 14200, 73712, 365596]
    for n in (0, 1, 2, 8, 11):
        assert algorithm.count(n, "cython", jobs=3) == algorithm.count(n, "cython"), n


def test_another_thread_can_stop_a_search(algorithm):
    stop = bytearray(1)
    core = algorithm.implementations["cython"].core
    timer = threading.Timer(0.1, lambda: stop.__setitem__(0, 1))
    timer.start()
    with pytest.raises(InterruptedError):
        core.count(22, None, stop)


def test_more_threads_than_python_can_use_are_refused(algorithm):
    with pytest.raises(ValueError, match=r"jobs must be 1 for .* not 2"):
        algorithm.count(8, "python", jobs=2)
    with pytest.raises(ValueError, match="jobs must be 1 or more"):
        algorithm.count(8, "cython", jobs=0)


@pytest.mark.parametrize("n", [-1, 33])
def test_the_core_itself_refuses_boards_that_do_not_fit_its_words(algorithm, n):
    core = algorithm.implementations["cython"].core
    for call in (core.count, core.tally, lambda n: core.reach(n, 1)):
        with pytest.raises(ValueError, match=f"from 0 to 32, not {n}"):
            call(n)


def test_only_as_many_solutions_are_kept_as_asked_and_the_next_are_found_from_the_last(algorithm):
    core = algorithm.implementations["cython"].core
    reached, kept = core.reach(8, 2)
    assert (reached, kept) == (2, bytes([0, 4, 7, 5, 2, 6, 1, 3, 0, 5, 7, 2, 6, 3, 1, 4]))
    for n in range(9):
        every = list(algorithm.python.visits(n))
        for after in range(len(every)):
            reached, kept = core.reach(n, 3, bytes(every[after]))
            assert reached == len(every[after + 1:after + 4])
            assert kept == b"".join(map(bytes, every[after + 1:after + 4]))
    with pytest.raises(ValueError, match="after must be 8 columns from 0 to 7"):
        core.reach(8, 1, b"\x08" * 8)


def test_the_first_solutions_come_before_the_others_are_searched_for(algorithm):
    python = islice(algorithm.solutions(20), 40)  # a search for all would take minutes
    assert list(islice(algorithm.solutions(20, "cython"), 40)) == list(python)


def test_a_core_tells_what_built_it(algorithm):
    built = algorithm.implementations["cython"].core.built_with()
    assert built["compiler"] != "unknown"
    assert built["cython"].startswith("3.")


@pytest.mark.parametrize("name", ["somers", "cross"])
def test_without_its_core_an_algorithm_says_why(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "nqbench._somers", None)
    monkeypatch.setattr(processor, "core", None)
    chosen = replace(find(name))  # not yet looked
    with pytest.raises(ValueError, match=(f"{name} has no implementation 'cython', only python: "
                                          "nqbench was installed without a suitable C compiler")):
        chosen.find_implementation("cython")

"""The functions that users import."""

import subprocess
import sys
from itertools import islice

import pytest
from conftest import SOLUTIONS

import nqbench


def test_count_without_an_algorithm_is_right_from_the_start():
    assert {n: nqbench.count(n) for n in SOLUTIONS} == SOLUTIONS


def test_count_beyond_the_compiled_words_falls_back_to_python():
    assert nqbench.api.choose(33)[1] == "python"
    assert nqbench.api.choose(32)[1] == "cython"
    assert nqbench.api.choose(33, "bitmask")[1] == "python"


def test_unique_counts_orbits():
    assert [nqbench.unique(n) for n in range(1, 10)] == [1, 0, 0, 1, 2, 1, 6, 12, 46]


def test_solutions_are_an_iterator_and_lazy():
    found = nqbench.solutions(20)
    assert next(found) == (0, 2, 4, 1, 3, 12, 14, 11, 17, 19, 16, 8, 15, 18, 7, 9, 6, 13, 5, 10)
    assert len(list(islice(found, 3))) == 3


def test_profile_of_the_contract():
    tally = nqbench.profile(8, algorithm="iterative")
    assert (tally.nodes, tally.tests, tally.scans) == (2057, 15720, 46752)
    assert tally.levels == [1, 8, 42, 140, 344, 568, 550, 312, 92]
    assert tally.solutions == 92


@pytest.mark.parametrize(("n", "error"), [
    (-1, ValueError), (8.0, TypeError), (8.5, TypeError), ("8", TypeError), (True, TypeError),
    (None, TypeError)])
@pytest.mark.parametrize("function", [nqbench.count, nqbench.profile, nqbench.unique,
                                      nqbench.solutions])
def test_n_that_is_no_number_of_queens_is_refused(function, n, error):
    with pytest.raises(error, match=f"whole number, 0 or more, not {n!r}"):
        function(n)


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="no algorithm 'magic'"):
        nqbench.count(8, algorithm="magic")
    with pytest.raises(ValueError, match="no implementation 'rust', only python and cython"):
        nqbench.count(8, algorithm="somers", implementation="rust")
    with pytest.raises(ValueError, match="iterative has no implementation 'cython'"):
        nqbench.count(8, algorithm="iterative", implementation="cython")
    with pytest.raises(ValueError, match="only of A000170"):
        nqbench.verify(4, ["A1"])


def test_no_name_is_both_a_function_and_a_module():
    code = ("import nqbench, types, pkgutil\n"
            "modules = {m.name for m in pkgutil.iter_modules(nqbench.__path__)}\n"
            "print(sorted(modules & set(nqbench.__all__)))")
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"


def test_heavy_packages_are_attributes_imported_on_use():
    code = ("import sys, nqbench\n"
            "assert 'pandas' not in sys.modules\n"
            "nqbench.study.run, nqbench.report.build, nqbench.analysis.load\n")
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = nqbench.nothing

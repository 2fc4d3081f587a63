"""The plain build is the source without its counting statements, and nothing else."""

import ast
import inspect
from importlib import import_module

import pytest

from nqbench.algorithms import NAMES, catalogue
from nqbench.algorithms.pruned_loops import nested_loops
from nqbench.builds import build, generated, plain_tree
from nqbench.tally import Tally


def source(name):
    return inspect.getsource(import_module(f"nqbench.algorithms.{name}"))


@pytest.mark.parametrize("name", NAMES)
def test_no_counting_is_left_in_the_plain_build(name):
    tree = plain_tree(source(name))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Name)
                and node.id == "tally"]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.arg)
                and node.arg == "tally"]


@pytest.mark.parametrize("name", NAMES)
def test_the_counting_build_does_count(name):
    names = [node.id for node in ast.walk(ast.parse(source(name))) if isinstance(node, ast.Name)]
    assert names.count("tally") >= 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [0, 1, 4, 5, 6])
def test_both_builds_reach_the_same_placements_in_the_same_order(name, n):
    builds = catalogue()[name].implementations["python"]
    assert list(builds.plain(n)) == list(builds.counting(n, Tally(n)))


def test_generated_loops_are_stripped_too():
    plain = ast.unparse(plain_tree(nested_loops(3)))
    assert "tally" not in plain
    assert plain.count("for ") == 3
    assert generated(nested_loops(3), "nested").__code__.co_varnames[:2] == ("solution", "collide")


def test_an_if_that_only_counts_goes_with_its_test():
    plain = ast.unparse(plain_tree("while go:\n if y >= n:\n  tally.exhausted(x)\n y += 1"))
    assert plain == "while go:\n    y += 1"


@pytest.mark.parametrize("text", [
    "x = tally.tests",                           # a value is read from the tally
    "if probe():\n tally.tests += 1",            # the test itself may do something
    "for c in range(n):\n tally.tests += 1",     # nothing would be left of the loop
    "report(tally=tally)",
])
def test_counting_that_cannot_be_taken_out_is_refused(text):
    with pytest.raises(SyntaxError):
        plain_tree(text)


def test_line_numbers_of_the_plain_build_are_those_of_the_file():
    function = build("def f(n, tally):\n tally.node(0)\n return 1 / n\n", "f", plain=True,
                     filename="f.py")
    with pytest.raises(ZeroDivisionError) as caught:
        function(0)
    assert caught.traceback[-1].lineno == 2  # counted from 0

"""The plain build is the source without its counting statements, and nothing else."""

import ast
import inspect
import io
import tokenize
from importlib import import_module

import pytest
from conftest import EVERY

from nqbench.problems.queens import _crosses
from nqbench.problems.queens.pruned_loops import nested_loops
from nqbench.search import exact_cover
from nqbench.search.builds import generated
from nqbench.search.plain import plain_tree


def source(name):
    text = inspect.getsource(import_module(f"nqbench.problems.queens.{name}"))
    return text + (inspect.getsource(exact_cover) if name == "dancing_links" else "")


@pytest.mark.parametrize("name", EVERY)
def test_the_counting_build_counts_and_the_plain_build_does_not(name):
    names = [node.id for node in ast.walk(ast.parse(source(name))) if isinstance(node, ast.Name)]
    assert names.count("tally") >= 2
    text = ast.unparse(plain_tree(source(name))).replace(
        "from nqbench.search.tally import Tally", "")
    names = [token.string for token in tokenize.generate_tokens(io.StringIO(text).readline)
             if token.type == tokenize.NAME]
    assert "tally" not in names
    assert "visits" in names


def test_the_crosses_are_stripped_too():
    assert "tally" not in ast.unparse(plain_tree(inspect.getsource(_crosses))).replace(
        "from nqbench.search.tally import Tally", "").replace("Tally", "")


def test_generated_loops_are_stripped_too():
    plain = ast.unparse(plain_tree(nested_loops(3)))
    assert "tally" not in plain
    assert plain.count("for ") == 3
    for kind in ("plain", "bare"):
        nested = generated(nested_loops(3), "nested", {"__build__": kind})
        assert nested.__code__.co_varnames == ("solution", "collide")


def test_an_if_that_only_counts_goes_with_its_test():
    plain = ast.unparse(plain_tree("while go:\n if y >= n:\n  tally.exhausted(x)\n y += 1"))
    assert plain == "while go:\n    y += 1"


@pytest.mark.parametrize("text", [
    "x = tally.tests",                           # a value is read from the tally
    "if probe():\n tally.tests += 1",            # the test itself may do something
    "for c in range(n):\n tally.tests += 1",     # nothing would be left of the loop
    "report(tally=tally)",
    "if (y := y + 1) > n:\n tally.exhausted(0)",
    "if (yield 1):\n tally.tests += 1",
    "tally.node(stack.pop())",
    "tally.node(level=stack.pop())",
    "tally.tests += len([stack.pop()])",
    "self.tally.tests += 1",
    "import counters as tally",
    "def f():\n nonlocal tally",
    "def f(a, n, tally=None):\n return n",
    "def f(*, tally):\n return 1",
    "def f(tally, /):\n return 1",
    "try:\n go()\nfinally:\n tally.tests += 1",
])
def test_counting_that_cannot_be_taken_out_is_refused(text):
    with pytest.raises(SyntaxError):
        plain_tree(text)

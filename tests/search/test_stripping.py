"""The plain build is the source without its counting statements, and nothing else."""

import ast

import pytest

from nqbench.errors import BuildError
from nqbench.problems.queens.pruned_loops import nested_loops
from nqbench.search.builds import generated
from nqbench.search.syntax import strip


def plain(text):
    """The text of the plain build."""
    tree = ast.parse(text)
    strip(tree, "<source>")
    return ast.unparse(tree)


def test_generated_loops_are_stripped_too():
    loops = plain(nested_loops(3))
    assert "tally" not in loops
    assert loops.count("for ") == 3
    for kind in ("plain", "bare"):
        nested = generated(nested_loops(3), "nested", {"__build__": kind})
        assert nested.__code__.co_varnames == ("solution", "collide")


@pytest.mark.parametrize(("text", "left"), [
    ("while go:\n if y >= n:\n  tally.exhausted(x)\n y += 1", "while go:\n    y += 1"),
    ("match n:\n case 0:\n  tally.solution()\n  go()",
     "match n:\n    case 0:\n        go()")])
def test_what_only_counts_is_taken_out(text, left):
    assert plain(text) == left


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
    with pytest.raises(BuildError):
        plain(text)

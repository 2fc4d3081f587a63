"""Every listing is the source of its algorithm, and its idea is marked."""

from pathlib import Path

import pytest

import nqbench
from nqbench.explain.listings import describe, describe_worst_case, listing
from nqbench.problems.queens import NAMES, catalogue

FOLDER = Path(nqbench.__file__).parent


@pytest.mark.parametrize("name", NAMES)
def test_a_listing_is_the_source_of_the_search_with_its_idea_marked(name):
    blocks = listing(catalogue()[name])
    assert blocks
    for block in blocks:
        (path,) = {*FOLDER.glob(f"problems/queens/{block.file}"),
                   *FOLDER.glob(f"search/{block.file}")}
        lines = path.read_text("utf-8").splitlines()[block.first - 1:][:len(block.lines)]
        assert [line.strip() for line in lines] == [line.strip() for line in block.lines]
    marked = [block.lines[number - block.first] for block in blocks for number in block.ideas]
    assert 1 <= len(marked) <= 4
    assert all("  # idea: " in line for line in marked)


def test_a_listing_follows_the_search_into_the_files_that_it_counts_in():
    found = {block.file: block.lines[0] for block in listing(catalogue()["a_star"])}
    assert set(found) == {"a_star.py", "ida_star.py"}
    assert {block.file for block in listing(catalogue()["threads"])} == {
        "threads.py", "recursive.py"}
    assert "class Queen(NamedTuple):" in {
        block.lines[0] for block in listing(catalogue()["probe_stack"])}


def test_all_say_what_they_are_and_what_they_search_at_most():
    for name, algorithm in catalogue().items():
        assert describe(algorithm).count("\n") >= 3, name
        assert describe_worst_case(algorithm), name


MINE = '''"""A file of mine."""
import nqbench

LEFT = 0


def columns(n):
    return range(LEFT, n)


@nqbench.algorithm
def mine_alone(n, tally):
    """Look at nothing.

    At all.
    """
    tally.node(0)
    for _ in columns(n):{mark}
        text = "# idea of a text"
    yield from ()


def unused():
    return 1
'''


@pytest.mark.parametrize(("mark", "ideas"), [("", []), ("  # idea: all columns", [18])])
def test_of_an_algorithm_from_outside_the_comments_mark_the_idea(mark, ideas, tmp_path, no_plugins):
    path = tmp_path / "mine.py"
    path.write_text(MINE.format(mark=mark), "utf-8")
    algorithm = nqbench.problems.plugins.find(str(path))
    blocks = listing(algorithm)
    assert [block.lines[0] for block in blocks] == [
        "LEFT = 0", "def columns(n):", "@nqbench.algorithm"]
    assert [number for block in blocks for number in block.ideas] == ideas
    assert describe(algorithm) == "Look at nothing.\n\nAt all."
    assert describe_worst_case(algorithm) == ""


def test_a_search_within_a_function_has_a_listing_of_its_own(no_plugins):
    @nqbench.algorithm(technique="none")
    def within(n, tally):
        tally.node(0)  # idea: nothing
        yield from ()

    (block,) = listing(within)
    assert block.lines[1:] == ("def within(n, tally):", "    tally.node(0)  # idea: nothing",
                               "    yield from ()")
    assert len(block.ideas) == 1
    assert describe(within) == "none"


def test_a_search_whose_source_is_gone_has_no_listing(tmp_path, no_plugins):
    path = tmp_path / "mine.py"
    path.write_text(MINE.format(mark=""), "utf-8")
    algorithm = nqbench.problems.plugins.find(str(path))
    path.write_text("def (", "utf-8")
    assert listing(algorithm) == []
    path.unlink()
    assert listing(algorithm) == []

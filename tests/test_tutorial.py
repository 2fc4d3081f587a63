"""The tutorial of the site is run in its order, in an empty folder; see `following`."""

import doctest
import re
from pathlib import Path

import pytest
from following import assert_as_shown, blocks, commands, execute, follow, save

import nqbench

PAGE = Path(__file__).parents[1] / "docs/tutorial/first-study.md"
TEXT = PAGE.read_text("utf-8")
COMMANDS = commands(TEXT)


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """What the commands of the tutorial printed."""
    return follow(tmp_path_factory.mktemp("tutorial"), TEXT)


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(COMMANDS)), ids=lambda n: COMMANDS[n][0])
def test_the_tutorial_shows_what_its_commands_print(followed, number):
    assert_as_shown(COMMANDS[number], followed[number])


def test_the_tutorial_counts_in_python():
    assert doctest.testfile(str(PAGE), module_relative=False) == (0, 4)


@pytest.mark.slow
def test_the_idea_of_the_tutorial_is_right_and_finds_its_first_solution_sooner(tmp_path):
    execute(tmp_path, "nqbench new my_idea.py", "")
    ((language, words, text),) = (block for block in blocks(TEXT) if block[0] == "diff")
    save(tmp_path, language, words, text)
    tallies = [nqbench.profile(8, name) for name in (str(tmp_path / words), "recursive")]
    assert tallies[0].levels == tallies[1].levels
    assert f"after {tallies[0].tests_to_first} tests and not after {tallies[1].tests_to_first}" in (
        re.sub(r"\s+", " ", TEXT))

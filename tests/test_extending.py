"""docs/extending.md and the tutorial are each run in their order, in an empty folder, and show what
the commands print; see `following`.
"""

import html
import json
import re
import tomllib
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import rows
from following import IDEA, assert_as_shown, blocks, commands, execute, follow, save

import nqbench
from nqbench.checking import check_in_child
from nqbench.explain.recordings import RECORDED_N
from nqbench.study.plan import experiment_names, readable

pytestmark = pytest.mark.slow

HOME = Path(__file__).parents[1]
TEXT = (HOME / "docs/extending.md").read_text("utf-8")
TUTORIAL = (HOME / "docs/tutorial/first-study.md").read_text("utf-8")
BLOCKS, COMMANDS = blocks(TEXT), commands(TEXT)


@pytest.fixture(scope="module")
def follow_once(tmp_path_factory):
    """The folder in which a document was followed, and what its commands printed."""
    @cache
    def call(text):
        folder = tmp_path_factory.mktemp("empty")
        return SimpleNamespace(folder=folder, printed=follow(folder, text))
    return call


@pytest.fixture
def followed(follow_once):
    return follow_once(TEXT)


def table(followed, name):
    return rows(followed.folder / "reports" / f"{name}.csv")


@pytest.mark.thorough
@pytest.mark.parametrize(("text", "number", "command"), [
    pytest.param(text, number, command, id=f"{name}-{number}")
    for name, text in (("extending", TEXT), ("tutorial", TUTORIAL))
    for number, command in enumerate(commands(text))])
def test_a_document_shows_what_its_commands_print(follow_once, text, number, command):
    assert_as_shown(command, follow_once(text).printed[number])


def test_the_idea_of_the_tutorial_is_right_and_finds_its_first_solution_sooner(
        tmp_path, no_plugins):
    execute(tmp_path, f"nqbench new {IDEA}", "")
    ((language, words, text),) = (block for block in blocks(TUTORIAL) if block[0] == "diff")
    save(tmp_path, language, words, text)
    tallies = [nqbench.profile(8, name) for name in (str(tmp_path / words), "recursive")]
    assert tallies[0].levels == tallies[1].levels
    assert f"after {tallies[0].tests_to_first} tests and not after {tallies[1].tests_to_first}" in (
        re.sub(r"\s+", " ", TUTORIAL))


@pytest.mark.thorough
def test_the_page_has_the_idea_beside_the_others_its_tree_its_board_and_its_verdict(followed):
    times = {(row["algorithm"], row["implementation"]) for row in table(followed, "times")}
    assert times == {("my_idea", "python"), ("my_idea", "masks"), ("recursive", "python"),
                     ("bitmask", "python")}
    assert [int(row["nodes"]) for row in table(followed, "survival")
            if (row["algorithm"], row["n"]) == ("my_idea", "8")] == (
        nqbench.profile(8, str(followed.folder / IDEA)).levels)
    verdicts = {row["implementation"]: row for row in table(followed, "baseline")
                if (row["algorithm"], row["n"]) == ("my_idea", "8")}
    assert {row["baseline"] for row in verdicts.values()} == {"recursive (python)"}
    assert float(verdicts["python"]["nodes"]) == pytest.approx(2057 / 1165, rel=0.01)
    page = (followed.folder / "reports/index.html").read_text("utf-8")
    (text,) = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
    player = json.loads(text)
    (mine,) = (each for each in player["algorithms"] if each["name"] == "my_idea")
    assert [player["recordings"][place]["n"] for place in mine["recordings"]] == list(RECORDED_N)
    (study,) = re.findall(r"<pre>([^<]*\[study\][^<]*)</pre>", page)
    given = tomllib.loads((followed.folder / "my.toml").read_text("utf-8"))["study"]
    assert {"processes": 5, **tomllib.loads(html.unescape(study))["study"]} == given | {
        "algorithms": ["my_idea.py::my_idea", "recursive", "bitmask@python"], "n": [5, 6, 7, 8],
        "budget": 120.0}
    assert "<pre>nqbench study study.toml\nnqbench report</pre>" in page


@pytest.mark.thorough
def test_a_colleague_gets_the_same_page_without_the_code(followed):
    (number,) = (n for n, (command, *_) in enumerate(COMMANDS) if "report --check" in command)
    assert re.fullmatch(r"the \d+ files in reports/ are up to date with results/\n",
                        followed.printed[number])
    assert {path.name for path in (followed.folder / "colleague").iterdir()} == {
        "results", "reports"}


def test_the_document_says_the_defaults_of_the_keys_that_it_explains():
    said = re.findall(r"^(\w+) = .*; default: (.*)$", TEXT, re.MULTILINE)
    every = readable(experiment_names())
    assert [name for name, _ in said] == ["samples", "processes", "budget"]
    for name, default in said:
        assert every[name].read(json.loads(default)) == every[name].default


@pytest.mark.usefixtures("no_plugins")
@pytest.mark.parametrize(("old", "new", "verdict", "says"), [
    ("yield tuple(columns)", "yield columns", "wrong shape",
     "n = 1: it changes the list [0] after yielding it; yield tuple(columns) instead"),
    ("tally.exhausted(level)", "while n == 3: pass", "not finished",
     "it was stopped at n = 3, after 3 s")])
def test_a_mistake_in_the_idea_gets_a_line_that_says_it(
        tmp_path, monkeypatch, old, new, verdict, says):
    monkeypatch.chdir(tmp_path)
    for language, words, text in BLOCKS:
        if words.startswith(IDEA):
            save(tmp_path, language, words, text)
    before = Path(IDEA).read_text("utf-8")
    assert old in before
    Path(IDEA).write_text(before.replace(old, new), "utf-8")
    (found,) = check_in_child(IDEA, (0, 4), 3.0)
    assert found["verdict"] == verdict
    assert found["faults"][0]["text"].startswith(says)

"""docs/extending.md is run in its order, in an empty folder, and shows what the commands print.

A block with a name of a file is saved under it: `python NAME`, and `python NAME more` for what
follows later; `diff NAME` is a copy of my_idea.py with its lines replaced. In a block `console` a
command follows each $, and what it prints is compared, with ... as in doctest; in a block `console
measured` it is not. After ^C the command is interrupted. Blocks of other languages are not run.
"""

import csv
import html
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path
from types import SimpleNamespace

import pytest

import nqbench
from nqbench.checking import check, check_in_child
from nqbench.errors import InvalidValueError
from nqbench.study.files import DEFAULTS, KEYS
from nqbench.traces.recording import SIZES

HOME = Path(__file__).parents[1]
TEXT = (HOME / "docs/extending.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+) ?(.*)\n((?:.*\n)*?)^```$", TEXT, re.MULTILINE)
SESSION = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
COMMANDS = [(command, answer, words != "measured") for language, words, text in BLOCKS
            if language == "console" for command, answer in SESSION.findall(text)]
SHELL = """nqbench() { "$PYTHON" -m nqbench "$@"; }
python() { "$PYTHON" "$@"; }
pip() { "$PYTHON" -m pip "$@" --no-build-isolation --no-deps --no-index --target "$SITE"; }
"""
INTERRUPT = "^C\n"
IDEA = "my_idea.py"


def save(folder, language, words, text):
    """Save a block under the name that it gives."""
    name, _, more = words.partition(" ")
    if language == "diff":
        old, new = ("".join(line[1:] + "\n" for line in text.splitlines() if line[0] == sign)
                    for sign in "-+")
        before = (folder / IDEA).read_text("utf-8")
        assert before.count(old) == 1
        (folder / name).write_text(before.replace(old, new), "utf-8")
    else:
        with (folder / name).open("a" if more else "w", encoding="utf-8") as file:
            file.write(text)


def execute(folder, command, answer):
    """What a command prints, without its progress; it is interrupted once there are records."""
    package = Path(nqbench.__file__).parents[1]
    environment = os.environ | {
        "PYTHON": sys.executable, "SITE": str(folder / "site"), "COLUMNS": "100",
        "BROWSER": "true", "PYTHONPATH": f"{package}{os.pathsep}{folder / 'site'}"}
    with subprocess.Popen(SHELL + command, shell=True, cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True) as process:
        if answer.startswith(INTERRUPT):
            end = time.monotonic() + 100
            while not any(path.stat().st_size for path in folder.glob("results/local/*.jsonl")):
                assert process.poll() is None
                assert time.monotonic() < end
                time.sleep(0.05)
            os.killpg(process.pid, signal.SIGINT)
        printed = process.communicate(timeout=100)[0]
    lines = [f"{line.rstrip()}\n" for line in printed.splitlines() if " elapsed, " not in line]
    return INTERRUPT * answer.startswith(INTERRUPT) + "".join(lines)


def follow(folder):
    """Follow the document; return what its commands print."""
    printed = []
    for language, words, text in BLOCKS:
        if language == "console":
            printed += [execute(folder, *session) for session in SESSION.findall(text)]
        elif words:
            save(folder, language, words, text)
    return printed


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """The folder in which the document was followed, and what its commands printed."""
    folder = tmp_path_factory.mktemp("empty")
    return SimpleNamespace(folder=folder, printed=follow(folder))


def table(followed, name):
    with (followed.folder / "reports" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("number", range(len(COMMANDS)), ids=lambda n: COMMANDS[n][0])
def test_the_document_shows_what_its_commands_print(followed, number):
    _, answer, compared = COMMANDS[number]
    printed = followed.printed[number]
    if compared:
        assert OutputChecker().check_output(answer, printed, ELLIPSIS), printed
    else:
        assert "nqbench: " not in printed


def test_the_page_has_the_idea_beside_the_others(followed):
    times = {(row["algorithm"], row["implementation"]) for row in table(followed, "times")}
    assert times == {("my_idea", "python"), ("my_idea", "masks"), ("recursive", "python"),
                     ("bitmask", "python")}
    (said,) = (row for row in table(followed, "algorithms") if row["algorithm"] == "my_idea")
    assert (said["technique"], said["implementations"]) == (
        "list of columns, refuses what empties a later row", "python, masks")


def test_the_page_has_the_tree_of_the_idea(followed):
    page = (followed.folder / "reports/index.html").read_text("utf-8")
    assert "survival.csv" in re.findall(r'<section id="pruning">.*?</section>', page, re.DOTALL)[0]
    assert [int(row["nodes"]) for row in table(followed, "survival")
            if (row["algorithm"], row["n"]) == ("my_idea", "8")] == (
        nqbench.profile(8, str(followed.folder / IDEA)).levels)


def test_the_page_has_the_board_of_the_idea(followed):
    page = (followed.folder / "reports/index.html").read_text("utf-8")
    (text,) = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
    player = json.loads(text)
    (mine,) = (each for each in player["algorithms"] if each["name"] == "my_idea")
    assert [player["recordings"][place]["n"] for place in mine["recordings"]] == list(SIZES)


def test_the_page_has_the_verdict_of_the_idea(followed):
    verdicts = {row["implementation"]: row for row in table(followed, "baseline")
                if (row["algorithm"], row["n"]) == ("my_idea", "8")}
    assert {row["baseline"] for row in verdicts.values()} == {"recursive (python)"}
    assert all(row["verdict"] for row in verdicts.values())
    assert float(verdicts["python"]["nodes"]) == pytest.approx(2057 / 1165, rel=0.01)


def test_the_page_says_how_to_make_it_again(followed):
    page = (followed.folder / "reports/index.html").read_text("utf-8")
    (text,) = re.findall(r"<pre>([^<]*\[study\][^<]*)</pre>", page)
    given = tomllib.loads((followed.folder / "my.toml").read_text("utf-8"))["study"]
    assert {"processes": 5, **tomllib.loads(html.unescape(text))["study"]} == given | {
        "algorithms": ["my_idea.py::my_idea", "recursive", "bitmask@python"], "n": [5, 6, 7, 8],
        "budget": 20.0}
    assert "<pre>nqbench study study.toml\nnqbench report</pre>" in page


def test_a_colleague_gets_the_same_page_without_the_code(followed):
    (number,) = (n for n, (command, *_) in enumerate(COMMANDS) if "report --check" in command)
    assert re.fullmatch(r"the \d+ files in reports/ are up to date with results/\n",
                        followed.printed[number])
    assert {path.name for path in (followed.folder / "colleague").iterdir()} == {
        "results", "reports"}


def test_the_document_explains_every_key_of_a_study_file():
    rows = re.findall(r"^\| (`.*?) \| .* \| .* \| (.*) \|$", TEXT, re.MULTILINE)
    named = {name: default for names, default in rows for name in re.findall(r"`(\w+)`", names)}
    assert {"name", *KEYS} <= named.keys()
    for name in ("samples", "budget", "experiments"):
        shown = json.loads(named[name].strip("`"))
        assert KEYS[name](shown) == DEFAULTS[name]


REFUSED = re.findall(r"^\| `(.*)` \| `(.*)` \| `(.*)` \|$", TEXT.partition("## What is ref")[2],
                     re.MULTILINE)


@pytest.mark.slow
@pytest.mark.usefixtures("no_plugins")
@pytest.mark.parametrize(("old", "new", "says"), REFUSED, ids=[row[1] for row in REFUSED])
def test_each_mistake_gets_the_line_in_the_document(tmp_path, monkeypatch, old, new, says):
    monkeypatch.chdir(tmp_path)
    for language, words, text in BLOCKS:
        if words.startswith(IDEA):
            save(tmp_path, language, words, text)
    before = Path(IDEA).read_text("utf-8")
    assert old in before
    Path(IDEA).write_text(before.replace(old, new), "utf-8")
    assert says in (hanging() if "while" in new else mistake()).replace("after 3 s", "after 60 s")


def mistake():
    try:
        return "\n".join(fault.text for fault in check(IDEA, 4).faults)
    except InvalidValueError as error:
        return str(error)


def hanging():
    return check_in_child(IDEA, 4, 3.0)[0]["faults"][0]["text"]


def test_the_document_lists_what_is_refused():
    assert len(REFUSED) == 8

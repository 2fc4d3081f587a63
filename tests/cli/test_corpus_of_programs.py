"""Programs as people publish them get the right verdict at the first try, and the message that
helps.

An entry of tests/corpus/programs/programs.json is a file, or a function of it, and what it shows;
how it is built and run, and what it needs, unless its language says it; n, and a limit; the exit
status of a check, 0 if that is missing; patterns that the check prints, by default the published
counts, and never prints.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from conftest import SOLUTIONS

pytestmark = pytest.mark.usefixtures("no_plugins")
CORPUS = Path(__file__).parents[1] / "corpus/programs"
PROGRAMS = json.loads((CORPUS / "programs.json").read_text("utf-8"))
# Programs of a language and an exit status in `make test`, else 1; some take seconds to compile.
QUICK = {".py": 4, ".c": 3, ".go": 0, ".java": 0, ".rs": 0}
SEEN: Counter[object] = Counter()  # those that have become parameters
PYTHON = shlex.quote(sys.executable)
MOST = 512  # characters of a line of a message
LANGUAGES = {  # by the end of the name: the part of the tests, how to build, how to run
    ".awk": ("awk", "", "awk -f FILE {n}"),
    ".bc": ("bc", "", ""),
    ".c": ("", "cc -w -o queens FILE", "./queens {n}"),
    ".cpp": ("c++", "c++ -o queens FILE", "./queens {n}"),
    ".go": ("Go", "go build -o queens FILE", "./queens {n}"),
    ".java": ("Java", "javac FILE", "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC STEM {n}"),
    ".jq": ("jq", "", "jq -n --argjson n {n} -f FILE"),
    ".js": ("Node.js", "", "node FILE {n}"),
    ".lua": ("Lua", "", "lua FILE {n}"),
    ".php": ("PHP", "", "php FILE {n}"),
    ".pl": ("Perl", "", "perl FILE {n}"),
    ".py": ("", "", "PYTHON FILE {n}"),
    ".py2": ("", "", "PYTHON FILE {n}"),
    ".rb": ("Ruby", "", "ruby FILE {n}"),
    ".rs": ("Rust", "rustc -o queens FILE", "./queens {n}"),
    ".sh": ("", "", "sh FILE {n}"),
    ".sql": ("SQLite", "", ""),
    ".tcl": ("Tcl", "", "tclsh FILE {n}")}


def fill(text, file):
    """Return a command with the names of its file, also within a command for a shell."""
    if inside := re.fullmatch("(sh|bash -o pipefail) -c '(.*)'", text):
        return f"{inside[1]} -c {shlex.quote(fill(inside[2], file))}"
    return text.replace("FILE", file.name).replace("STEM", file.stem).replace("PYTHON", PYTHON)


def describe(entry):
    """Return an entry as a parameter of a test. Of each language and exit status, `make test` runs
    the first ones, and `make thorough` the others.
    """
    file = Path(entry["file"])
    part, *texts = LANGUAGES[file.suffix]
    build, command = (fill(entry.get(what, text), file)
                      for what, text in zip(("build", "run"), texts, strict=True))
    marks = [pytest.mark.slow, *map(pytest.mark.needs, entry.get("needs", [part] * bool(part)))]
    kind = file.suffix, entry.get("status", 0), "name" in entry
    if SEEN[kind] >= QUICK.get(file.suffix, 1):
        marks.append(pytest.mark.thorough)
    SEEN[kind] += 1
    if "name" in entry:
        build, command = "", f"{file}::{entry['name']}"
    return pytest.param(entry, build, command, id=f"{file}: {entry['about']}", marks=marks)


@pytest.mark.parametrize(("entry", "build", "command"), [*map(describe, PROGRAMS)])
def test_it_gets_the_right_verdict(tmp_path, monkeypatch, run, entry, build, command):
    monkeypatch.chdir(tmp_path)
    shutil.copy(CORPUS / entry["file"], tmp_path)
    if build:
        subprocess.run(shlex.split(build), check=True)
    n = entry.get("n", "1-8")
    first, last = map(int, (n or "0-0").split("-"))
    counts = " ".join(str(SOLUTIONS[k]) for k in range(first, min(last, 10) + 1))
    status, out, err = run("check", command, *["-n", n] * bool(n),
                           *["--limit", entry.get("limit", 30)])
    said = out + err
    assert status == entry.get("status", 0), said
    for pattern in entry.get("says", [rf"\b{counts}\b.*as published"]):
        assert re.search(pattern, said), said
    for pattern in ["Traceback", *entry.get("never", [])]:
        assert not re.search(pattern, said), said
    assert max(map(len, said.splitlines())) < MOST


def test_the_corpus_is_broad():
    files = {entry["file"] for entry in PROGRAMS}
    assert files == {path.name for path in CORPUS.glob("*.*")} - {"programs.json"}
    assert len(files) >= 66
    assert len({LANGUAGES[Path(file).suffix] for file in files}) >= 10

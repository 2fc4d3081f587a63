"""Follow a document: save its files and run its commands, in their order and in one folder.

A block with a name of a file is saved under it: `python NAME`, and `python NAME more` for what
follows later; `diff NAME` is a copy of my_idea.py with its lines replaced. In a block `console` a
command follows each $, and what it prints is compared, with ... as in doctest; in a block `console
measured` it is not. After ^C the command is interrupted. Blocks of other languages are not run.
"""

import os
import re
import signal
import subprocess
import sys
import time
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import nqbench

SESSION = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
SHELL = """nqbench() { "$PYTHON" -m nqbench "$@"; }
python() { "$PYTHON" "$@"; }
"""
INTERRUPT = "^C\n"
IDEA = "my_idea.py"
# Lines that a busy machine prints.
BUSY = " elapsed", "warning: the budget is over", ": other programs were running"


def blocks(text):
    """The language, the words after it, and the content of each block of code."""
    return re.findall(r"^```(\w+) ?(.*)\n((?:.*\n)*?)^```$", text, re.MULTILINE)


def commands(text):
    """Each command, what it should print, and whether that is compared."""
    return [(command, answer, words != "measured") for language, words, content in blocks(text)
            if language == "console" for command, answer in SESSION.findall(content)]


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
        "PYTHON": sys.executable, "COLUMNS": "100", "BROWSER": "true",
        "PYTHONPATH": f"{package}"}
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
        printed = process.communicate(timeout=200)[0]
    lines = [f"{line.rstrip()}\n" for line in printed.splitlines()
             if not any(text in line for text in BUSY)]
    return INTERRUPT * answer.startswith(INTERRUPT) + "".join(lines)


def follow(folder, text):
    """Follow a document; return what its commands print."""
    printed = []
    for language, words, content in blocks(text):
        if language == "console":
            printed += [execute(folder, *session) for session in SESSION.findall(content)]
        elif words:
            save(folder, language, words, content)
    return printed


def assert_as_shown(command, printed):
    """Assert that a command of `commands` printed what the document shows."""
    _, answer, compared = command
    if compared:  # how many files a report has depends on what the machine could measure
        shown, found = (re.sub(r"\d+ files in reports", "FILES", text)
                        for text in (answer, printed))
        assert OutputChecker().check_output(shown, found, ELLIPSIS), printed
    else:
        assert "nqbench: " not in printed

"""Searches as users write them: files, packages and cells that are made for a test."""

import linecache
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from importlib import import_module
from itertools import count
from textwrap import dedent

import psutil

from nqbench.problems.queens import Search

PATIENCE = 60.0  # seconds by the clock for what ends within one of a processor
_numbers = count(1)

OK = """
def ok(columns, column, tally):
    tally.test(len(columns), column)
    return all(column != c and abs(column - c) != len(columns) - r
               for r, c in enumerate(columns))
"""
# Of C and of C++ alike.
C_PLACE = """
static long place(unsigned all, unsigned columns, unsigned left, unsigned right) {
    if (columns == all) return 1;
    long found = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        found += place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}
"""
VISITS = """
def visits(n, tally, columns=()):
    tally.node(len(columns))
    if len(columns) == n:
        tally.solution()
        yield columns
        return
    for c in range(n):
        if ok(columns, c, tally):
            yield from visits(n, tally, (*columns, c))
"""

CACHED = """
from functools import cache
import nqbench

@cache
def find(n):
    return list(nqbench.solutions(n, algorithm="recursive"))

@nqbench.algorithm(tree="none")
def idea(n, tally):
    for columns in find(n):
        tally.solution()
        yield columns
"""


def load(folder, monkeypatch, **files):
    """Write files, by their names, and import the first; a dot is written as two underscores."""
    monkeypatch.syspath_prepend(folder)
    stem = f"program{next(_numbers)}"
    for name, text in files.items():
        path = folder / stem / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), "utf-8")
    (folder / stem / "__init__.py").touch()
    return import_module(f"{stem}.{next(iter(files))}")


def cell(namespace, text):
    """Run a text as notebooks run their cells: the source is known by the cell's name only."""
    text = dedent(text)
    name = f"<cell {next(_numbers)}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    exec(compile(text, name, "exec", dont_inherit=True), namespace)


def search(function, name="mine", **more):
    return Search(name=name, origin="a test", year=None, technique="some", search=function, **more)


def main_module(monkeypatch, **names):
    """A module to be `__main__`, as a notebook has it: without a file."""
    module = type(sys)("__main__")
    vars(module).update(names)
    monkeypatch.setitem(sys.modules, "__main__", module)
    return module


@contextmanager
def within_a_second(process=None):
    """Fail if this process, or another one until its end, takes a second of processor time
    meanwhile: by the clock, other programs on the machine would count, too.
    """
    def used():
        now = os.times()
        return now.children_user + now.children_system if process else time.process_time()

    start = used()
    if process:
        one = psutil.Process(process.pid)
        start += sum(sum(each.cpu_times()[:2]) for each in (one, *one.children(recursive=True)))
    yield
    assert used() - start < 1


def press_ctrl_c(code, *words, after=0.3):
    """Run a program that prints `ready`, and press Ctrl-C in its work; return its status, and what
    it printed until its end, which must come within a second.
    """
    handled = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    with subprocess.Popen([sys.executable, "-c", handled + code, *words], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(after)
        try:
            with within_a_second(process):
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    return process.returncode, out, err

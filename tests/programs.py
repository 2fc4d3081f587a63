"""Searches as users write them: files, packages and cells that are made for a test."""

import linecache
import sys
from importlib import import_module
from itertools import count
from textwrap import dedent

from nqbench.problems.queens import Search

_numbers = count(1)

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

"""Run a file in Python as an entry of a race: this file is started as a program of its own, so that
what an entry does to its interpreter is nobody else's, and imports nothing of nqbench. Every answer
is a line of JSON; what the entry prints is lost.

    runner.py FILE             lists the ways in which the file may count
    runner.py FILE NAME N      counts by a function
    runner.py FILE NAME N M .. tells what it returns for each of several n, in a process for each
"""

import __future__

import ast
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from operator import index
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

PROGRAM, DECORATED = "", "@"  # in place of the name of a function
USUAL = ("queens", "n_queens", "nqueens", "solve", "solve_n_queens", "solutions", "count",
         "Solution.solveNQueens", "Solution.totalNQueens")  # names, in this order


def list_ways(source: bytes) -> list[str]:
    """Return how a file may count, the likely ways first: by the names of functions of n, or as a
    program, which is first if it has a main guard, or reads its arguments or its input.

    Raises
    ------
    SyntaxError, ValueError
        if it is no Python.

    Examples
    --------
    >>> list_ways(b"def queens(n, columns=()): ..."), list_ways(b"print(int(input()))")
    (['queens'], [''])
    >>> list_ways(b"def solve(n): ...\\nif __name__ == '__main__': print(solve(8))")
    ['', 'solve']
    """
    tree = ast.parse(source)
    if re.search(rb"^@(nqbench\.)?algorithm\b", source, re.MULTILINE):
        return [DECORATED]
    nodes = [(f"{node.name}.", each, 1) for node in tree.body if isinstance(node, ast.ClassDef)
             for each in node.body] + [("", each, 0) for each in reversed(tree.body)]
    names = [owner + node.name for owner, node, own in nodes  # the owner is the first argument
             if isinstance(node, ast.FunctionDef) and own < len(
                 node.args.posonlyargs + node.args.args) <= own + 1 + len(node.args.defaults)]
    names.sort(key=lambda name: USUAL.index(name) if name in USUAL else len(USUAL))
    program = not names or re.search(rb"__main__|\bargv\b|\binput\(|\bstdin\b", source)
    return [PROGRAM] * bool(program) + names


def _load(path: str, name: str) -> Any:
    """Run a file as a module, and return its function, or its algorithm of nqbench."""
    # After all others: it replaces no module of Python.
    sys.path += [str(Path(path).parent.resolve()), str(Path(__file__).parents[2])]
    module = ModuleType("entry")
    module.__file__ = path
    del module.__spec__  # there is none; Python 3.15 warns of one that is None
    sys.modules[module.__name__] = module  # dataclasses look up their module
    exec(compile(Path(path).read_bytes(), path, "exec", __future__.annotations.compiler_flag,
                 dont_inherit=True), vars(module))
    if name == DECORATED:
        return next(each for each in vars(module).values() if hasattr(each, "implementations"))
    owner, _, method = name.rpartition(".")
    return getattr(vars(module)[owner](), method) if owner else vars(module)[name]


def _plain(found: Any) -> Any:
    """Return an answer as what JSON has: numbers, texts and lists, or else in words."""
    if hasattr(found, "tolist"):  # of NumPy
        found = found.tolist()
    if hasattr(found, "__index__"):
        return index(found)
    if isinstance(found, float | str | None):
        return found
    listed = found.items() if isinstance(found, Mapping) else found
    return [*map(_plain, listed)] if isinstance(listed, Iterable) else repr(found)


def answer(path: str, name: str = "", *sizes: str) -> Iterator[object]:
    """Yield the answers to these arguments, see above."""
    if not name:
        yield list_ways(Path(path).read_bytes())
        return
    function = _load(path, name)
    if name == DECORATED:
        function = function.solutions if len(sizes) > 1 else function.count
    if len(sizes) == 1:
        found = function(int(sizes[0]))
        if isinstance(found, str):  # lines, or boards of n lines
            lines, digits = [*filter(str.strip, found.split("\n"))], re.search(r"\d", found)
            found = lines[::1 if digits or len(lines) % int(sizes[0]) else int(sizes[0])]
        yield {"solutions": len(found) if hasattr(found, "__len__") else int(found) if hasattr(
            found, "__int__") else sum(1 for _ in found)}
        return
    for n in map(int, sizes):
        if child := os.fork():
            if code := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
                os._exit(code if code > 0 else 128 - code)  # as a shell does
        else:
            yield _plain(function(n))
            os._exit(0)


if __name__ == "__main__":
    output = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        for each in answer(*sys.argv[1:]):
            os.write(output, json.dumps(each).encode() + b"\n")
    except BaseException as error:  # whatever an entry raises
        where = [f", line {each.lineno}" for each in extract_tb(error.__traceback__)
                 if each.filename == sys.argv[1]]
        sys.exit(f"{type(error).__name__}: {error}{''.join(where[-1:])}")

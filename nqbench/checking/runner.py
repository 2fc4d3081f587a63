"""Run a file in Python as an entry of a race: this file is started as a program of its own, so that
what an entry does to its interpreter is nobody else's, and imports nothing of nqbench.

    runner.py FILE          lists the ways in which the file may count
    runner.py FILE NAME     answers requests, the lines of standard input, each in a new process
    runner.py FILE NAME N   counts by a function

Every answer is a line of JSON. What the entry prints is lost.
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


def list_ways(source: bytes) -> list[tuple[str, bool]]:
    """Return how a file may count, the likely ways first: a function of n, by its name and whether
    it takes blocked squares, or the file as a program: first if it has a main guard, or reads its
    arguments or its input.

    Raises
    ------
    SyntaxError, ValueError
        if it is no Python.

    Examples
    --------
    >>> list_ways(b"def queens(n, blocked=()): ...")
    [('queens', True)]
    >>> list_ways(b"def solve(n): ...\\nif __name__ == '__main__': print(solve(8))")
    [('', False), ('solve', False)]
    """
    tree = ast.parse(source)
    if re.search(rb"^@(nqbench\.)?algorithm\b", source, re.MULTILINE):
        return [(DECORATED, False)]
    found = [(f"{node.name}.{each.name}", each, 1) for node in tree.body
             if isinstance(node, ast.ClassDef) for each in node.body
             if isinstance(each, ast.FunctionDef)]
    found += [(node.name, node, 0) for node in reversed(tree.body)
              if isinstance(node, ast.FunctionDef)]
    ways = []
    for name, node, own in found:  # of which the first arguments are its own, and one may be n
        if own < len(node.args.posonlyargs + node.args.args) <= own + 1 + len(node.args.defaults):
            ways.append((name, "arg='blocked'" in ast.dump(node.args)))
    ways.sort(key=lambda way: USUAL.index(way[0]) if way[0] in USUAL else len(USUAL))
    program = not ways or re.search(rb"__main__|\bargv\b|\binput\(|\bstdin\b", source)
    return [(PROGRAM, False)] * bool(program) + ways


def _load(path: str, name: str) -> Any:
    """Run a file as a module, and return its function, or its algorithm of nqbench."""
    # After all others: it replaces no module of Python.
    sys.path += [str(Path(path).parent.resolve()), str(Path(__file__).parents[2])]
    module = ModuleType("entry")
    module.__file__ = path
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


def answer(path: str, name: str = "", n: str = "") -> Iterator[object]:
    """Yield the answers to these arguments, see above."""
    if not name:
        yield list_ways(Path(path).read_bytes())
        return
    requests = [] if n else [*map(json.loads, sys.stdin)]
    function = _load(path, name)
    if name == DECORATED:
        function = function.count if n else function.solutions
    if n:
        found = function(int(n))
        if isinstance(found, str):  # lines, or boards of n lines
            lines, digits = [*filter(str.strip, found.split("\n"))], re.search(r"\d", found)
            found = lines[::1 if digits or len(lines) % int(n) else int(n)]
        yield {"solutions": len(found) if hasattr(found, "__len__") else int(found) if hasattr(
            found, "__int__") else sum(1 for _ in found)}
    for request in requests:
        if child := os.fork():
            if code := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
                os._exit(code if code > 0 else 128 - code)  # as a shell does
        else:
            squares = {key: [*map(tuple, each)] for key, each in request.items() if key != "n"}
            yield _plain(function(request["n"], **squares))
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

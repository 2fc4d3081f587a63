"""Run a file in Python as an entry of a race: this file is started as a program of its own, so that
what an entry does to its interpreter is nobody else's, and imports nothing of nqbench.

    runner.py FILE          lists the ways in which the file may count
    runner.py FILE NAME N   counts by a function
    runner.py FILE NAME 0   answers a request, which standard input has

Every answer is a line of JSON. What the entry prints is lost.
"""

import ast
import json
import os
import sys
from collections.abc import Iterable, Mapping
from operator import index
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any, TypeGuard

PROGRAM, DECORATED = "", "@"  # in place of the name of a function
USUAL = (DECORATED, "queens", "n_queens", "nqueens", "solve", "solve_n_queens", "solutions",
         "count", "Solution.solveNQueens", "Solution.totalNQueens")  # names, in this order
MOST = 8  # functions that are tried


def list_ways(source: str | bytes) -> list[tuple[str, bool]]:
    """Return how a file may count, the likely ways first: a function of n, by its name and whether
    it takes blocked squares, or the file as a program. It is one first if it calls something when
    it is run, or reads its arguments or its input.

    Raises
    ------
    SyntaxError, ValueError
        if it is no Python.

    Examples
    --------
    >>> list_ways("def queens(n, blocked=()): ...")
    [('queens', True)]
    >>> list_ways("def solve(n): ...\\nif __name__ == '__main__': print(solve(8))")
    [('', False), ('solve', False)]
    """
    tree = ast.parse(source)
    found = [(f"{node.name}.{each.name}", each) for node in tree.body
             if isinstance(node, ast.ClassDef) for each in node.body if _takes_n(each, 1)]
    found += [(node.name, node) for node in reversed(tree.body) if _takes_n(node)]
    ways = [(name, any(each.arg == "blocked" for each in (*node.args.args, *node.args.kwonlyargs)))
            for name, node in found]
    if "nqbench" in ast.dump(tree) and any(
            isinstance(node, ast.FunctionDef) and node.decorator_list for node in tree.body):
        ways = [(DECORATED, False)]
    ways.sort(key=lambda way: USUAL.index(way[0]) if way[0] in USUAL else len(USUAL))
    return [(PROGRAM, False)] * (not ways or any(map(_runs, tree.body))) + ways[:MOST]


def _takes_n(node: ast.stmt, own: int = 0) -> TypeGuard[ast.FunctionDef]:
    """Return whether this is a function that can be called with one argument besides its own."""
    if not isinstance(node, ast.FunctionDef):
        return False
    many = len(node.args.posonlyargs + node.args.args) - own
    return many > 0 and many - len(node.args.defaults) <= 1


def _runs(node: ast.stmt) -> bool:
    """Return whether a statement of a module makes it a program."""
    return not isinstance(node, ast.FunctionDef | ast.ClassDef) and (
        any(isinstance(each, ast.Call) for each in ast.walk(node))
        if isinstance(node, ast.Expr | ast.For | ast.If | ast.Try | ast.While | ast.With) else
        any(word in ast.dump(node) for word in ("'argv'", "'input'", "'stdin'")))


def _load(path: str, name: str) -> Any:
    """Run a file as a module, and return its function, or its algorithm of nqbench."""
    # After all others: it replaces no module of Python.
    sys.path += [str(Path(path).parent.resolve()), str(Path(__file__).parents[2])]
    module = ModuleType("entry")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses look up their module
    exec(compile(Path(path).read_bytes(), path, "exec", dont_inherit=True), vars(module))
    if name == DECORATED:
        found = next(each for each in vars(module).values() if hasattr(each, "implementations"))
        if found.problem != "queens":
            raise TypeError(f"{found.name} is an algorithm of {found.problem}, not of n queens")
        return found
    owner, _, method = name.rpartition(".")
    return getattr(vars(module)[owner](), method) if owner else vars(module)[name]


def _plain(found: Any) -> Any:
    """Return an answer as what JSON has."""
    found = found.tolist() if hasattr(found, "tolist") else found  # of NumPy
    if hasattr(found, "__index__") and not isinstance(found, bool):
        return index(found)
    if found is None or isinstance(found, bool | float | str) or not isinstance(found, Iterable):
        return found if isinstance(found, bool | float | str | None) else repr(found)
    return [_plain(each) for each in (found.items() if isinstance(found, Mapping) else found)]


def main(path: str, name: str | None = None, n: str = "0") -> object:
    """Return the answer to these arguments, see above."""
    if name is None:
        return list_ways(Path(path).read_bytes())
    request: dict[str, Any] = json.load(sys.stdin) if n == "0" else {"n": int(n)}
    if "blocked" in request:
        request["blocked"] = [*map(tuple, request["blocked"])]
    function = _load(path, name)
    if name == DECORATED:
        function = function.count if n != "0" else function.solutions
    found = function(request.pop("n"), **request)
    if n == "0":
        return {} if isinstance(found, Mapping) else _plain(found)
    return {"solutions": found if hasattr(found, "__index__") and not hasattr(found, "__len__") else
            len(found) if hasattr(found, "__len__") else sum(1 for _ in found)}


if __name__ == "__main__":
    answer = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        os.write(answer, json.dumps(main(*sys.argv[1:]), default=index).encode() + b"\n")
    except BaseException as error:  # whatever an entry raises
        where = [f", line {each.lineno}" for each in extract_tb(error.__traceback__)
                 if each.filename == sys.argv[1]]
        sys.exit(f"{type(error).__name__}: {error}{''.join(where[-1:])}")

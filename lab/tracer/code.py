"""A search from the text of an editor."""

import __future__

import ast
import linecache
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from inspect import unwrap
from traceback import extract_tb
from types import ModuleType
from typing import Any

from nqbench.errors import InvalidValueError, describe_error
from nqbench.explain.listings import listing, strip
from nqbench.problems.plugins.functions import OTHER, USUAL, adapt, find_able, names_size
from nqbench.problems.plugins.registry import find_code
from nqbench.problems.queens import find
from nqbench.search.algorithm import Algorithm

FILE = "your search"  # the name of the text in tracebacks
MODULE = "your_search"
ELSEWHERE = re.compile(r"(?:^|(?<= ))\w+\.py, line \d+: ")  # in a module of Python
LAZY = __future__.annotations.compiler_flag  # a listing names types that it does not import
IMPORTS = {"product": "itertools", "permutations": "itertools"}  # of listings


@dataclass(frozen=True)
class Program:
    """A search from a text.

    Attributes
    ----------
    text, function
        the text, and the function or method in it that is called with n; None if the text has a
        decorated search of n and tally.
    algorithm
        what is checked and counted.
    """

    text: str
    function: Callable[[int], Any] | None
    algorithm: Algorithm[Any, Any]


def run(text: str) -> dict[str, Any]:
    """Run a text; return its names. Raise whatever it raises, such as SyntaxError."""
    linecache.cache[FILE] = len(text), None, text.splitlines(keepends=True), FILE
    module = sys.modules[MODULE] = ModuleType(MODULE)  # dataclasses look up their module
    members = vars(module)
    members |= {"__file__": FILE, "input": refuse_input}
    exec(compile(text, FILE, "exec", LAZY, dont_inherit=True), members)
    return members


def refuse_input(prompt: object = "") -> str:
    """Stand for `input` in a search: a page has no terminal."""
    raise InvalidValueError("input() is not available here; write the value into the code")


def load(text: str) -> Program:
    """Return the search in a text: a decorated one, or else a function or method that can be meant
    (`nqbench.problems.plugins.functions.find_able`); of several, the last that takes n by its name.

    Raises
    ------
    InvalidValueError
        if there is none, or if what it returns cannot be read.
    Exception
        whatever the text raises, such as SyntaxError.

    Examples
    --------
    >>> found = load("def queens(n):\\n    return 0")
    >>> found.function.__name__, found.algorithm.count(8)
    ('queens', 0)
    """
    members = run(text)
    searches = [each for each in members.values() if isinstance(each, Algorithm)]
    if searches:
        return Program(text, None, searches[-1])
    able = find_able(members, MODULE)
    if not able:
        raise InvalidValueError(f"there is no search: {_advise(text)}")
    path = max(able, key=lambda path: (
        names_size(able[path]), getattr(find_code(able[path]), "co_firstlineno", 0)))
    function: Any = unwrap(able[path])
    if getattr(function, "__name__", "") == "<lambda>":  # it is followed, as others are not
        function.__code__ = function.__code__.replace(co_name=path)
    return Program(text, able[path], adapt(able[path], path, FILE))


def forget() -> None:
    """Empty the caches of functions of the text, so that it searches as for the first time."""
    for each in vars(sys.modules[MODULE]).values():
        getattr(each, "cache_clear", int)()


def _advise(text: str) -> str:
    """Return what to write where no function takes n alone; it names the likeliest function.

    >>> _advise("class Queens:\\n    def solve(self, row, cols): ...").partition(";")[0]
    'solve(row, cols) does not take n alone'
    """
    functions = [node for outer in ast.parse(text).body
                 for node in (outer.body if isinstance(outer, ast.ClassDef) else [outer])
                 if isinstance(node, ast.FunctionDef) and not OTHER.search(node.name)]
    if not functions:
        return ("write a function of n that returns or yields all solutions, such as "
                "def queens(n): ...")
    likeliest = min([each for each in functions if USUAL.search(each.name)] or functions,
                    key=lambda each: len(each.args.args))
    names = ", ".join(each.arg for each in likeliest.args.args if each.arg != "self")
    return (f"{likeliest.name}({names}) does not take n alone; write a function of n that calls "
            "it, and returns or yields all solutions")


def locate(error: BaseException) -> tuple[int | None, str]:
    """Return the line of the text that an error comes from, and the error in words.

    >>> try:
    ...     load("x = 1\\nfor")
    ... except SyntaxError as error:
    ...     locate(error)
    (2, 'SyntaxError: invalid syntax')
    """
    cause = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    if isinstance(cause, SyntaxError):
        return cause.lineno, f"{type(cause).__name__}: {cause.msg}"
    line = next((frame.lineno for frame in reversed(extract_tb(cause.__traceback__))
                 if frame.filename == FILE), None)
    match cause:
        case ModuleNotFoundError(name=str(name)):
            return line, (f"No module named {name!r}: the lab has only the modules of Python "
                          "itself; write the search without it")
        case IndexError() if line and "argv" in linecache.getline(FILE, line):
            return line, "sys.argv is empty here; write the value into the code"
        case SystemExit():
            return line, "exit() is not available here; remove it, or write return in its place"
    told = str(error) if isinstance(error, InvalidValueError) else describe_error(cause)
    return line, ELSEWHERE.sub("", told.replace(f"{FILE}, line {line}: ", "")).rstrip(": ")


def open_listing(name: str) -> str:
    """Return the listing of an algorithm of the package as a text that runs: without counting and
    without types, with what it imports.

    >>> print(open_listing("permutations").partition("def visits")[2].partition(":")[0])
    (n)
    """
    blocks = ["\n".join(strip(block).lines) for block in listing(find(name))]
    text = "\n\n\n".join(map(_without_types, blocks))
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    imports = [f"from {home} import {each}" for each, home in IMPORTS.items() if each in names]
    return "\n".join([*imports, *[""] * (2 * bool(imports)), text]) + "\n"


def _without_types(text: str) -> str:
    lines = text.split("\n")
    spans = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.arg(annotation=ast.expr() as kind):
                spans.append((node.lineno, node.col_offset + len(node.arg), kind))
            case ast.FunctionDef(returns=ast.expr() as kind):
                before = lines[kind.lineno - 1].rindex(")", 0, kind.col_offset) + 1
                spans.append((kind.lineno, before, kind))
            case ast.AnnAssign(annotation=kind, value=ast.expr()):
                spans.append((node.lineno, node.target.end_col_offset or 0, kind))
    for line, start, kind in sorted(spans, key=lambda span: span[:2], reverse=True):
        assert line == kind.end_lineno
        lines[line - 1] = lines[line - 1][:start] + lines[line - 1][kind.end_col_offset:]
    return "\n".join(lines)

"""Mistakes of beginners, found in the source of a search that gives no right answer."""

import ast
from collections.abc import Callable, Iterator
from inspect import getsourcelines, unwrap
from textwrap import dedent
from typing import Any

FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def find_mistake(function: Callable[..., Any]) -> str:
    """Return the first mistake in the source of a function, with its line; empty if there is none,
    or no source: a call of a generator alone, a value that a generator returns, and a list that is
    given away and changed later.

    Examples
    --------
    >>> import linecache
    >>> text = ["def queens(n):\\n", "    return (yield from ()) or [1]\\n"]
    >>> linecache.cache["seen.py"] = 0, None, text, "seen.py"
    >>> exec(compile("".join(text), "seen.py", "exec"))
    >>> find_mistake(queens)
    'line 2: a generator loses what it returns; yield it'
    """
    function = unwrap(function)
    try:
        lines, first = getsourcelines(function)
        tree = ast.parse(dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return ""
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTION)]
    generators = {each.name for each in functions
                  if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in _own(each))}
    changed = {node.func.value.id for node in ast.walk(tree)
               if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
               and node.func.attr == "pop" and isinstance(node.func.value, ast.Name)}
    found = []
    for each in functions:
        for node in _own(each):
            line = first + getattr(node, "lineno", 1) - 1
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(
                    node.value.func, ast.Name) and node.value.func.id in generators:
                name = node.value.func.id
                found.append((line, f"{name}(...) alone does nothing, as it is a generator; "
                                    f"yield from {name}(...)"))
            if (isinstance(node, ast.Return) and each.name in generators
                    and node.value is not None and not isinstance(node.value, ast.Constant)):
                found.append((line, "a generator loses what it returns; yield it"))
            if isinstance(node, ast.Yield) or _is_append(node):
                given = node.value if isinstance(node, ast.Yield) else node.args[0]  # type: ignore[attr-defined]
                if isinstance(given, ast.Name) and given.id in changed:
                    found.append((line, f"{given.id} is one list, which changes later; give "
                                        f"tuple({given.id})"))
    return f"line {min(found)[0]}: {min(found)[1]}" if found else ""


def _is_append(node: ast.AST) -> bool:
    return (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            and node.func.attr == "append" and len(node.args) == 1)


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of functions in it."""
    for child in ast.iter_child_nodes(function):
        yield child
        if not isinstance(child, (*FUNCTION.__args__, ast.Lambda)):
            yield from _own(child)

"""One source, two builds: the counting one as it stands, the plain one without counting.

A timing must be of the textbook code as a reader sees it, a count must be of the
very same code. So every algorithm is written once, with its counting statements
in it. Its plain build is the same syntax tree with these taken out:

    tally.node(level)       a statement that calls a method of `tally`
    tally.tests += 1        a statement that adds to an attribute of `tally`
    if y >= n:              an `if` that holds nothing else and whose test calls nothing
        tally.exhausted(x)
    def check(row, tally):  the parameter
    check(row, tally)       the argument

Whatever else mentions `tally` is refused, so nothing of the counting is left.
"""

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

NAME = "tally"


def _is_tally(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == NAME


def _counts(statement: ast.stmt) -> bool:
    """Whether the statement does nothing but count."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner))):
            return _is_tally(owner)
        case ast.AugAssign(target=ast.Attribute(value=owner)):
            return _is_tally(owner)
        case ast.If(test=test, body=body, orelse=orelse):
            calls = any(isinstance(node, ast.Call) for node in ast.walk(test))
            return not calls and all(map(_counts, body + orelse))
    return False


class _Stripper(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> Any:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                kept = [s for s in block if not _counts(s)]
                if field == "body" and block and not kept:
                    raise SyntaxError(f"line {block[0].lineno}: a block that only counts "
                                      "would be empty in the plain build")
                setattr(node, field, kept)
        return super().visit(node)

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        node.args = [a for a in node.args if a.arg != NAME]
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        node.args = [a for a in node.args if not _is_tally(a)]
        return node


def plain_tree(source: str, filename: str = "<source>") -> ast.Module:
    """Return the syntax tree of the plain build; line numbers are those of `source`.

    Raises
    ------
    SyntaxError
        if `tally` is used in a way that cannot be taken out.

    Examples
    --------
    >>> print(ast.unparse(plain_tree('''
    ... def search(n, tally):
    ...     for c in range(n):
    ...         tally.tests += 1
    ...         if free(c, tally):
    ...             yield c
    ...     tally.exhausted(0)
    ... ''')))
    def search(n):
        for c in range(n):
            if free(c):
                yield c
    """
    tree: ast.Module = _Stripper().visit(ast.parse(source, filename))
    for node in ast.walk(tree):
        if _is_tally(node):
            raise SyntaxError(f"{filename}, line {getattr(node, 'lineno', '?')}: {NAME!r} is "
                              "used other than for counting")
    return tree


@cache
def build(source: str, name: str, *, plain: bool, filename: str) -> Callable[..., Any]:
    """Run `source` as a module of its own, in the plain or the counting build, and
    return what it calls `name`.
    """
    tree = plain_tree(source, filename) if plain else ast.parse(source, filename)
    namespace: dict[str, Any] = {"__name__": f"{filename}:{'plain' if plain else 'counting'}"}
    exec(compile(tree, filename, "exec"), namespace)
    found: Callable[..., Any] = namespace[name]
    return found


def generated(source: str, name: str, tally: Any = None) -> Callable[..., Any]:
    """Build a text that a program generates, in the build of the program itself.

    The counting build calls this with its `tally`; its plain build, where that
    argument is taken out like any other, gets the plain build of the text too.
    """
    return build(source, name, plain=tally is None, filename=f"<generated {name}>")

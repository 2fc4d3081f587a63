"""The plain build: a syntax tree without its counting statements.

Removed are:

    tally.node(level)       a statement that calls a method of `tally`
    tally.scans += 1        a statement that adds to an attribute of `tally`
    if y >= n:              an `if` that holds nothing else
        tally.exhausted(x)
    def check(row, tally):  the parameter
    check(row, tally)       the argument

Removed code must do nothing else: it calls only the tally, `len`, `bit_count` and
`bit_length`, and assigns and yields nothing. Any other use of the name `tally` is an error, so
no counting is left.
"""

import ast
from typing import Any

from nqbench.errors import BuildError

NAME = "tally"


def _is_tally(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == NAME


def _counts(statement: ast.stmt) -> bool:
    """Return whether the statement only counts."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner), args=args, keywords=named)):
            return _is_tally(owner) and all(map(_is_pure, [*args, *(k.value for k in named)]))
        case ast.AugAssign(target=ast.Attribute(value=owner), value=value):
            return _is_tally(owner) and _is_pure(value)
        case ast.If(test=test, body=body, orelse=orelse):
            return _is_pure(test) and all(map(_counts, body + orelse))
    return False


def _is_pure(expression: ast.expr) -> bool:
    """Return whether the expression has no side effects."""
    for node in ast.walk(expression):
        if isinstance(node, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await):
            return False
        match node:
            case ast.Call(func=ast.Name(id="len") | ast.Attribute(attr="bit_count" | "bit_length")):
                pass
            case ast.Call():
                return False
    return True


class _Stripper(ast.NodeTransformer):
    def __init__(self, filename: str) -> None:
        self.filename = filename

    def visit(self, node: ast.AST) -> Any:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                kept = [s for s in block if not _counts(s)]
                if field != "orelse" and block and not kept:
                    raise BuildError(f"{self.filename}, line {block[0].lineno}: a block that "
                                     "only counts would be empty in the plain build")
                setattr(node, field, kept)
        return super().visit(node)

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        # The defaults belong to the last parameters, so `tally` must not have one.
        without = len(node.posonlyargs) + len(node.args) - len(node.defaults)
        node.args = [a for place, a in enumerate(node.args, len(node.posonlyargs))
                     if a.arg != NAME or place >= without]
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        node.args = [a for a in node.args if not _is_tally(a)]
        return node


def strip(node: ast.AST, filename: str) -> None:
    """Remove the counting statements from a syntax tree; its line numbers stay unchanged.

    Raises
    ------
    BuildError
        if `tally` is used in a way that cannot be removed.
    """
    _Stripper(filename).visit(node)
    for left in ast.walk(node):
        if any(value == NAME or (isinstance(value, list) and NAME in value)
               for field, value in ast.iter_fields(left) if field != "value"):
            raise BuildError(f"{filename}, line {getattr(left, 'lineno', '?')}: {NAME!r} is "
                             "used other than for counting")


def plain_tree(source: str, filename: str = "<source>") -> ast.Module:
    """Return the syntax tree of a text without its counting statements.

    Raises
    ------
    BuildError
        if `tally` is used in a way that cannot be removed.

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
    tree = ast.parse(source, filename)
    strip(tree, filename)
    return tree

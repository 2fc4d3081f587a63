"""One source, three builds: counting, plain, and bare.

A timing must be of the textbook code as a reader sees it, a count must be of the
very same code. So every algorithm is written once, with its counting statements
in it: that is the counting build. The plain build is the same syntax tree with
these taken out:

    tally.node(level)       a statement that calls a method of `tally`
    tally.scans += 1        a statement that adds to an attribute of `tally`
    if y >= n:              an `if` that holds nothing else
        tally.exhausted(x)
    def check(row, tally):  the parameter
    check(row, tally)       the argument

What is taken out must not do anything else: it calls nothing but the tally,
`len`, `bit_count` and `bit_length`, and assigns and yields nothing. Whatever else
mentions `tally` is refused, so nothing of the counting is left.

The bare build is what is timed: the plain build that says "here is one" at a
solution and does not make a tuple of it, as most of the originals only count.
"""

import ast
import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal

NAME = "tally"
Kind = Literal["counting", "plain", "bare"]


def _is_tally(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == NAME


def _counts(statement: ast.stmt) -> bool:
    """Whether the statement does nothing but count."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner), args=args)):
            return _is_tally(owner) and all(map(_only_looks, args))
        case ast.AugAssign(target=ast.Attribute(value=owner), value=value):
            return _is_tally(owner) and _only_looks(value)
        case ast.If(test=test, body=body, orelse=orelse):
            return _only_looks(test) and all(map(_counts, body + orelse))
    return False


def _only_looks(expression: ast.expr) -> bool:
    """Whether the expression surely changes nothing."""
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
    def visit(self, node: ast.AST) -> Any:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                kept = [s for s in block if not _counts(s)]
                if field != "orelse" and block and not kept:
                    raise SyntaxError(f"line {block[0].lineno}: a block that only counts "
                                      "would be empty in the plain build")
                setattr(node, field, kept)
        return super().visit(node)

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        if not node.defaults:  # they belong to the last parameters, whichever these are
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
        if any(value == NAME or (isinstance(value, list) and NAME in value)
               for field, value in ast.iter_fields(node) if field != "value"):
            raise SyntaxError(f"{filename}, line {getattr(node, 'lineno', '?')}: {NAME!r} is "
                              "used other than for counting")
    return tree


class _Bare(ast.NodeTransformer):
    def visit_Yield(self, node: ast.Yield) -> ast.Yield:
        node.value = None
        return node


@cache
def build(source: str, name: str, kind: Kind, filename: str) -> Callable[..., Any]:
    """Run `source` as a module of its own, in one of the three builds, and return
    what it calls `name`.
    """
    tree = ast.parse(source, filename) if kind == "counting" else plain_tree(source, filename)
    if kind == "bare":
        tree = _Bare().visit(tree)
    namespace: dict[str, Any] = {"__name__": f"{filename}:{kind}", "BUILD": kind}
    exec(compile(tree, filename, "exec"), namespace)
    found: Callable[..., Any] = namespace[name]
    return found


@cache
def built(search: Callable[..., Any], name: str, kind: Kind) -> Callable[..., Any]:
    """Return the function of that name in the file of a search, in one of the builds."""
    module = inspect.getmodule(search)
    assert module is not None
    return build(inspect.getsource(module), name, kind, str(module.__file__))


def twin(function: Callable[..., Any], program: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a function of another file in the build of the program that calls it, which its
    `globals()` tell.
    """
    return built(function, function.__name__, program.get("BUILD", "counting"))


def generated(source: str, name: str, program: Mapping[str, Any]) -> Callable[..., Any]:
    """Build a text that a program generates, in the build of the program itself, which
    its `globals()` tell.
    """
    return build(source, name, program.get("BUILD", "counting"), f"<generated {name}>")

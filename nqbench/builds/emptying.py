"""The bare build: `yield` without a value if the value is not used.

A count does not use the placements. So the values of the search are not needed, nor the values that
it only passes on:

    yield from queens(row + 1)      the values of `queens` are those of the search
    return queens(0)                likewise, in a function that is not a generator
    for below in queens(row + 1):   `below` is used for nothing but a value that is not needed
        yield (column, *below)

Any other use of a function's values, as in `for c in free(row): columns[row] = c`, in
`next(free(row))` or in `walk = free(row)`, keeps all its values. Methods always keep their values,
because it is not known which method is called.

A value is dropped only if it is a copy of what the search has placed: of names, their items, slices
and attributes, with `+`, `-` and `*`, by the functions of COPIES and METHODS, and in at most one
comprehension of two loops without a condition. Anything else may be the work of the search, and is
kept: `yield kth(n, k)`, `yield stack.pop()`, `yield min(left)`. That no class of the user does work
in a copy is compared before anything is timed (`nqbench.builds.comparing`).
"""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nqbench import board

Function = ast.FunctionDef
# What a name means outside of a function: the node of another function that is built with it, a
# list of objects, or any object.
Lookup = Callable[[str], Any]
# The functions and methods that copy, and take no function.
COPIES = (enumerate, frozenset, int, len, list, range, reversed, set, sorted, tuple, zip,
          board.Placement, board.canonical, board.images, board.mirror)
METHODS = ("bit_count", "bit_length", "copy", "count", "index", "items", "keys", "values")
COPIED = (ast.Name, ast.Constant, ast.Tuple, ast.List, ast.Starred, ast.Subscript, ast.Slice,
          ast.Attribute, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.UnaryOp, ast.USub,
          ast.expr_context, ast.Call, ast.GeneratorExp, ast.ListComp, ast.SetComp,
          ast.comprehension)
LOOPS = 2  # of a comprehension that copies, as of the rows and columns of a board
ITERATORS = ("enumerate", "filter", "iter", "map", "reversed", "zip")


@dataclass
class _Scope:
    """A function: what binds its names, which of them hold iterators, and where they are read.

    A read is recorded with the only function whose value needs it, or else with None.
    """

    function: Function | None
    binders: dict[str, list[ast.AST]] = field(default_factory=dict)
    iterators: set[str] = field(default_factory=set)
    reads: dict[str, list[Function | None]] = field(default_factory=dict)


Chain = tuple[_Scope, ...]  # the innermost last


@dataclass
class _Use:
    """A mention of a function: harmless if what `passed_on` yields is not needed, or if `target`
    is read for such a value only; else it keeps the values.
    """

    of: Function
    passed_on: Function | None = None
    scope: _Scope | None = None
    target: str = ""


def empty(functions: Mapping[Function, Lookup],
          classes: Mapping[ast.ClassDef, Lookup]) -> set[ast.AST]:
    """Empty every `yield` of these functions, and of those inside, whose value is not used.

    Return the emptied nodes. The classes are code that may use the functions.
    """
    found = _Uses([*functions, *classes])
    for function, lookup in functions.items():
        found.lookup = lookup
        found.visit(function.args, (), None)
        found.function(function, ())
    for code, lookup in classes.items():
        found.lookup = lookup
        found.visit(code, (), None)
    needed: set[Function] = set()
    while more := {use.of for use in found.uses
                   if use.of not in needed and not found.harmless(use, needed)}:
        needed |= more
    emptied: set[ast.AST] = set()
    for function, statement in found.droppable:
        if function not in needed:
            statement.value = None
            emptied.add(statement)
    return emptied


def is_generator(function: Function) -> bool:
    """Return whether the function itself yields, not only one inside it."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in _own(function))


def _own(function: Function) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those inside other functions."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


class _Uses:
    """Collect every mention of a function in some code."""

    def __init__(self, code: Iterable[ast.AST]) -> None:
        self.lookup: Lookup
        self.uses: list[_Use] = []
        self.droppable: list[tuple[Function, ast.Yield]] = []
        self.rebound: set[str] = set()  # by a function inside their own
        self.generators: set[Function] = set()
        for one in code:
            for node in ast.walk(one):
                if isinstance(node, ast.Global | ast.Nonlocal):
                    self.rebound |= set(node.names)
                if isinstance(node, ast.FunctionDef) and is_generator(node):
                    self.generators.add(node)

    def harmless(self, use: _Use, needed: Collection[Function]) -> bool:
        if use.scope is not None:
            return use.target not in self.rebound and all(
                reader is not None and reader not in needed
                for reader in use.scope.reads.get(use.target, []))
        return use.passed_on is not None and use.passed_on not in needed

    def function(self, function: Function, chain: Chain) -> None:
        """Visit a function inside those of the chain."""
        scope = _Scope(function)
        arguments = function.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs,
                         arguments.vararg, arguments.kwarg):
            if argument is not None:
                scope.binders.setdefault(argument.arg, []).append(argument)
        self.bind(function, scope)
        chain = (*chain, scope)
        for node in _own(function):
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and self.iterates(
                    node.value, chain):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                scope.iterators |= {name.id for target in targets for name in ast.walk(target)
                                    if isinstance(name, ast.Name)}
        for statement in function.body:
            self.visit(statement, chain, None)

    def bind(self, function: Function, scope: _Scope) -> None:
        """Collect what binds a name in a function.

        Names that only a lambda, a comprehension or a class inside binds are included, so that
        they are not resolved outside.
        """
        methods = {method for node in _own(function) if isinstance(node, ast.ClassDef)
                   for method in node.body}
        for node in _own(function):
            names: list[str | None] = []
            match node:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    names = [name]
                case ast.FunctionDef() if node in methods or node.decorator_list:
                    scope.binders.setdefault(node.name, []).append(ast.Pass())
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(
                        name=name) | ast.ExceptHandler(name=name) | ast.MatchAs(
                        name=name) | ast.MatchStar(name=name) | ast.MatchMapping(rest=name):
                    names = [name]
                case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                    names = [(alias.asname or alias.name).split(".")[0] for alias in aliases]
                case ast.Lambda(args=arguments):
                    names = [argument.arg for argument in ast.walk(arguments)
                             if isinstance(argument, ast.arg)]
            for name in names:
                if name:
                    scope.binders.setdefault(name, []).append(node)

    def resolve(self, name: str, chain: Chain) -> Any:
        """Return the function that a name means, a list of them, or any other object."""
        if name in self.rebound:
            return None
        for scope in reversed(chain):
            if name in scope.binders:
                binder = scope.binders[name][0]
                return binder if len(scope.binders[name]) == 1 else None
        return self.lookup(name)

    def iterates(self, value: ast.expr | None, chain: Chain) -> bool:
        """Return whether a value is an iterator, which reading exhausts."""
        match value:
            case ast.GeneratorExp():
                return True
            case ast.Call(func=ast.Name(id=name)):
                meant = self.resolve(name, chain)
                return name in ITERATORS or (
                    isinstance(meant, ast.FunctionDef) and meant in self.generators)
        return False

    def use(self, name: str, chain: Chain, **how: Any) -> None:
        meant = self.resolve(name, chain)
        for one in meant if isinstance(meant, list) else [meant]:
            if isinstance(one, ast.FunctionDef):
                self.uses.append(_Use(one) if isinstance(meant, list) else _Use(one, **how))

    def visit(  # noqa: PLR0912 - a branch for each kind of node
            self, node: ast.AST, chain: Chain, alone: Function | None) -> None:
        """Visit a node; `alone` is the only function whose value needs it, if there is one."""
        inner = chain[-1].function if chain else None
        match node:
            case ast.FunctionDef():
                for outer in (*node.decorator_list, node.args):
                    self.visit(outer, chain, alone)
                if self.resolve(node.name, chain) is not node:
                    self.uses.append(_Use(node))  # its callers are not known
                self.function(node, chain)
            case ast.Lambda():
                self.visit(node.args, chain, alone)
                self.visit(node.body, (*chain, _Scope(None)), alone)
            case ast.Yield(value=ast.expr() as value) if inner and self.is_copy(value, chain):
                self.droppable.append((inner, node))
                self.visit(value, chain, inner)
            case ast.YieldFrom(value=ast.Call(func=ast.Name(id=name)) as call) if inner:
                self.use(name, chain, passed_on=inner)
                self.arguments(call, chain, alone)
            case ast.Return(value=ast.Call(func=ast.Name(id=name)) as call) if (
                    inner and inner not in self.generators):
                self.use(name, chain, passed_on=inner)
                self.arguments(call, chain, alone)
            case ast.For(target=ast.Name(id=target),
                         iter=ast.Call(func=ast.Name(id=name)) as call) if inner:
                self.use(name, chain, scope=chain[-1], target=target)
                self.arguments(call, chain, alone)
                for statement in node.body + node.orelse:
                    self.visit(statement, chain, alone)
            case ast.Name(id=name, ctx=ast.Load() | ast.Del()):
                self.read(name, chain, alone)
                self.use(name, chain)
            case ast.AugAssign(target=ast.Name(id=name)):
                self.read(name, chain, alone)
                self.visit(node.value, chain, alone)
            case _:
                for child in ast.iter_child_nodes(node):
                    self.visit(child, chain, alone)

    def arguments(self, call: ast.Call, chain: Chain, alone: Function | None) -> None:
        for child in (*call.args, *call.keywords):
            self.visit(child, chain, alone)

    def read(self, name: str, chain: Chain, alone: Function | None) -> None:
        for scope in chain:
            scope.reads.setdefault(name, []).append(alone)

    def is_copy(self, value: ast.expr, chain: Chain) -> bool:
        """Return whether a value only copies what the search has placed, and changes nothing."""
        iterators = {name for scope in chain for name in scope.iterators}
        loops = 0
        for node in ast.walk(value):
            match node:
                case ast.Name(id=name) if node is not value and name in iterators:
                    return False
                case ast.Call(func=called) if not self.copies(called, chain):
                    return False
                case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() if loops:
                    return False
                case ast.comprehension(ifs=conditions):
                    loops += 1
                    if conditions or loops > LOOPS:
                        return False
            if not isinstance(node, COPIED):
                return False
        return True

    def copies(self, called: ast.expr, chain: Chain) -> bool:
        match called:
            case ast.Attribute(attr=name):
                return name in METHODS
            case ast.Name(id=name):
                meant = self.resolve(name, chain)
                return any(meant is known for known in COPIES)
        return False

"""The syntax trees of the builds (`nqbench.search.builds`), and the rules that they show.

The plain build has no counting statements. Removed are::

    tally.node(level)       a statement that calls a method of `tally`
    tally.scans += 1        a statement that adds to an attribute of `tally`
    if y >= n:              an `if` that holds nothing else
        tally.exhausted(x)
    def check(row, tally):  the parameter
    check(row, tally)       the argument

Removed code must do nothing else: it calls only the tally, `len`, `bit_count` and
`bit_length`, and assigns and yields nothing. Any other use of the name `tally` is an error, so
no counting is left.

The bare build also has a `yield` without its value if that only copies what the search has placed,
and if nothing uses it: the search, or each function that uses this one, only passes it on, as
`yield from queens(row + 1)` or `return queens(0)`. Everything else keeps its values: methods,
decorated functions, and what a function uses in any other way, as in `for c in free(row)`.

A copy consists of names, their items, slices and attributes, with `+`, `-` and `*`, of calls of
COPIES and METHODS, and of at most one comprehension of two loops without a condition. Anything else
may be the work of the search, and is kept: `yield kth(n, k)`, `yield stack.pop()`. That no class of
the user does work in a copy is compared before anything is timed
(`nqbench.search.implementations.compare`).

A rule is an `if` statement in which a search refuses a candidate. The search names the rule in the
branch that skips the candidate, after the candidate was tested::

    if not allowed(row, column):
        tally.refused(level, "hall")    below a node of this level, the number of queens
        continue

Such an `if` is changed in two builds. *Without* a rule, the branch is taken only if the tally says
so, see `nqbench.search.refusals`; everything else stays, so that the candidate is kept. In the
*unruled* build, which is timed, the test and the branch are gone, and so is what only makes values
for the test: assignments, and loops of these, that call only functions and change nothing else.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from nqbench.errors import BuildError
from nqbench.search import board

NAME = "tally"
# The functions and methods that copy, and take no function.
COPIES = (enumerate, frozenset, int, len, list, range, reversed, set, sorted, tuple, zip,
          board.Placement, board.canonical, board.images, board.mirror)
METHODS = ("bit_count", "bit_length", "copy", "count", "index", "items", "keys", "values")
READING = ("get", "intersection", "isdisjoint", "issubset", "issuperset", "union")  # change nothing
COPIED = (ast.Name, ast.Constant, ast.Tuple, ast.List, ast.Starred, ast.Subscript, ast.Slice,
          ast.Attribute, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.UnaryOp, ast.USub,
          ast.expr_context, ast.Call, ast.GeneratorExp, ast.ListComp, ast.SetComp,
          ast.comprehension)
BLOCKS = ("body", "orelse", "finalbody")  # of statements
LOOPS = 2  # of a comprehension that copies, as of the rows and columns of a board
REFUSED_METHOD = "refused"  # the method of a tally
ALLOWED = ('write tally.refused(level, "rule") once, directly in the branch of an `if` that skips '
           "the candidate")


def _is_tally(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == NAME


def is_counting(statement: ast.stmt) -> bool:
    """Return whether the statement only counts."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner), args=args, keywords=named)):
            return _is_tally(owner) and all(map(_is_pure, [*args, *(k.value for k in named)]))
        case ast.AugAssign(target=ast.Attribute(value=owner), value=value):
            return _is_tally(owner) and _is_pure(value)
        case ast.If(test=test, body=body, orelse=orelse):
            return _is_pure(test) and all(map(is_counting, body + orelse))
    return False


def _is_pure(expression: ast.expr) -> bool:
    """Return whether the expression has no side effects."""
    for node in ast.walk(expression):
        match node:
            case ast.Call(func=ast.Name(id="len") | ast.Attribute(attr="bit_count" | "bit_length")):
                pass
            case ast.Call() | ast.NamedExpr() | ast.Yield() | ast.YieldFrom() | ast.Await():
                return False
    return True


def _remove_counting(node: ast.AST, filename: str) -> None:
    """Remove the counting statements below a node, and `tally` from parameters and arguments."""
    for field in BLOCKS:
        block = getattr(node, field, None)
        if isinstance(block, list):
            kept = [s for s in block if not is_counting(s)]
            if field != "orelse" and block and not kept:
                raise BuildError(f"{filename}, line {block[0].lineno}: a block that only counts "
                                 "would be empty in the plain build")
            setattr(node, field, kept)
    match node:
        case ast.arguments():
            # The defaults belong to the last parameters, so `tally` must not have one.
            without = len(node.posonlyargs) + len(node.args) - len(node.defaults)
            node.args = [a for place, a in enumerate(node.args, len(node.posonlyargs))
                         if a.arg != NAME or place >= without]
        case ast.Call():
            node.args = [a for a in node.args if not _is_tally(a)]
    for child in ast.iter_child_nodes(node):
        _remove_counting(child, filename)


def strip(node: ast.AST, filename: str) -> None:
    """Remove the counting statements from a syntax tree; its line numbers stay unchanged.

    Raises
    ------
    BuildError
        if `tally` is used in a way that cannot be removed.

    Examples
    --------
    >>> tree = ast.parse('''
    ... def search(n, tally):
    ...     for c in range(n):
    ...         tally.tests += 1
    ...         if free(c, tally):
    ...             yield c
    ...     tally.exhausted(0)
    ... ''')
    >>> strip(tree, "<source>")
    >>> print(ast.unparse(tree))
    def search(n):
        for c in range(n):
            if free(c):
                yield c
    """
    _remove_counting(node, filename)
    for left in ast.walk(node):
        if any(value == NAME or (isinstance(value, list) and NAME in value)
               for field, value in ast.iter_fields(left) if field != "value"):
            raise BuildError(f"{filename}, line {getattr(left, 'lineno', '?')}: {NAME!r} is "
                             "used other than for counting; a statement that counts calls only "
                             f"methods of {NAME}, len, bit_count and bit_length")


def steer(nodes: Iterable[ast.AST], name: str) -> None:
    """Let each call of a recursive function go through `tally.descend`, which may leave it out.

    `place(row + 1)` becomes `tally.descend(place, row + 1)` if `place` calls itself, perhaps
    through others. Where some of these functions report nodes, the others do not make the tree.

    Raises
    ------
    BuildError
        if no function calls itself.
    """
    inside = [node for part in nodes for node in ast.walk(part)]
    below = {node.name: {ast.unparse(call.func) for call in ast.walk(node)
                         if isinstance(call, ast.Call)}
             for node in inside if isinstance(node, ast.FunctionDef)}
    for _ in below:
        below = {name: called.union(*(below.get(each, ()) for each in called))
                 for name, called in below.items()}
    recursive = {each for each, called in below.items() if each in called}
    recursive = {each for each in recursive if f"{NAME}.node" in below[each]} or recursive
    if not recursive:
        raise BuildError(f"{name} has no function that calls itself by its name, as in "
                         "`place(row + 1)`")
    for call in inside:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and (
                call.func.id in recursive):
            call.args.insert(0, call.func)
            call.func = ast.copy_location(ast.Attribute(ast.copy_location(
                ast.Name(NAME, ast.Load()), call), "descend", ast.Load()), call)


def empty(parts: Mapping[ast.AST, Mapping[str, Any]]) -> None:
    """Empty each `yield` of these functions and classes whose value is a copy that nothing uses.

    Each comes with what the names mean that nothing inside it binds: a function or class among
    these is given as its node. Those that it refers to in another way are listed under "".
    """
    outside = {node for part in parts if isinstance(part, ast.FunctionDef)
               for each in part.decorator_list for node in ast.walk(each)}  # runs no more
    trees = {part: [pair for pair in _owned(part) if pair[0] not in outside] for part in parts}
    generators = {owner for nodes in trees.values() for node, owner in nodes
                  if isinstance(node, ast.Yield | ast.YieldFrom)}
    needed: set[ast.AST | None] = {None}  # functions whose values are used; None for any other use
    passed: list[tuple[ast.AST | None, ast.AST]] = []  # a function, and one that it passes on
    copies: dict[ast.Yield, ast.AST | None] = {}
    for part, names in parts.items():
        nodes = trees[part]
        known = [(name, node) for name, node in names.items() if isinstance(node, ast.AST)]
        known += [(node.name, node) for node, _ in nodes if isinstance(node, ast.FunctionDef)]
        own = {node: owner for node, owner in nodes if isinstance(node, ast.Yield)
               and node.value is not None and _is_copy(node.value, names, _lazy(part))}
        copied = {node for copy in own for node in ast.walk(copy)}
        targets = {node.target for node, _ in nodes if isinstance(node, ast.For)}
        used = {node.id for node, _ in nodes
                if isinstance(node, ast.Name) and node not in copied | targets}
        passing: dict[ast.AST, ast.AST | None] = {}
        for node, owner in nodes:
            match node:
                case ast.ClassDef(body=body):
                    needed.update(body)
                case ast.FunctionDef(decorator_list=[_, *_]) if node not in parts:
                    needed.add(node)
                case ast.YieldFrom(value=ast.Call(func=called)):
                    passing[called] = owner
                case ast.Return(value=ast.Call(func=called)) if owner not in generators:
                    passing[called] = owner
                case ast.For(target=ast.Name(id=name), iter=ast.Call(func=called)):
                    passing[called] = None if name in used else owner
                case ast.Name():
                    passed += [(passing.get(node), meant) for name, meant in known
                               if name == node.id]
        needed.update(names[""])
        copies |= own
    while more := {meant for user, meant in passed if user in needed} - needed:
        needed |= more
    for copy, owner in copies.items():
        if owner not in needed:
            copy.value = None


def _owned(node: ast.AST, owner: ast.AST | None = None) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """Yield the nodes of a tree, each with the function around it, or None in a lambda."""
    yield node, owner
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        owner = node if isinstance(node, ast.FunctionDef) else None
    for child in ast.iter_child_nodes(node):
        yield from _owned(child, owner)


def _lazy(part: ast.AST) -> set[str]:
    """Return the names that a part gives to generator expressions, which reading exhausts."""
    return {target.id for node in ast.walk(part)
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr)
            and isinstance(node.value, ast.GeneratorExp)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)}


def _is_copy(value: ast.expr, names: Mapping[str, Any], lazy: Collection[str]) -> bool:
    """Return whether a value only copies what the search has placed, and changes nothing."""
    nodes = [*ast.walk(value)]
    loops = [node for node in nodes if isinstance(node, ast.comprehension)]
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) if name in METHODS:
                pass
            case ast.Call(func=ast.Name(id=name)) if any(names.get(name) is c for c in COPIES):
                pass
            case ast.Call():
                return False
            case ast.Name(id=name) if node is not value and name in lazy:
                return False
    return (all(isinstance(node, COPIED) for node in nodes) and len(loops) <= LOOPS
            and not any(loop.ifs for loop in loops)
            and sum(hasattr(node, "generators") for node in nodes) <= 1)


class Rule(NamedTuple):
    """An `if` in which a rule refuses a candidate.

    `when` is the value of its test for which it does; `level` is the expression of the level;
    `switches` are names that switch it off, if one is false.
    """

    name: str
    branching: ast.If
    when: bool
    level: ast.expr
    switches: frozenset[str]

    def ask(self) -> None:
        """Let the tally say whether the branch is taken, on the line of the test."""
        ask = "and" if self.when else "or not"
        asked = (f"({ast.unparse(self.branching.test)}) {ask} "
                 f"{NAME}.refuses({ast.unparse(self.level)}, {self.name!r})")
        made = ast.parse(asked, mode="eval").body
        self.branching.test = ast.increment_lineno(made, self.branching.test.lineno - 1)

    def remove(self, tree: ast.AST) -> None:
        """Remove the `if` from a tree, and what only makes values for its test."""
        kept = self.branching.orelse if self.when else self.branching.body
        for block in _blocks(tree):
            if self.branching in block:
                place = block.index(self.branching)
                block[place:place + 1] = kept or [ast.copy_location(ast.Pass(), self.branching)]
        wanted = {node.id for node in ast.walk(self.branching.test) if isinstance(node, ast.Name)}
        while any(_remove_dead(tree, block, wanted) for block in _blocks(tree)):
            pass


def _blocks(tree: ast.AST) -> list[list[ast.stmt]]:
    """Return the blocks of statements in a tree."""
    return [block for node in ast.walk(tree) for name in BLOCKS
            if isinstance(block := getattr(node, name, None), list) and block]


def _remove_dead(tree: ast.AST, block: list[ast.stmt], wanted: set[str]) -> bool:
    """Replace a statement of a block that only makes values of these names, which nothing else
    reads; return whether there is one. What it reads may be such a name, too, then.
    """
    for place, statement in enumerate(block):
        stored = _made(statement)
        if stored and stored & wanted:
            inside = set(ast.walk(statement))
            read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)
                    and isinstance(node.ctx, ast.Load) and node not in inside}
            shared = {name for node in ast.walk(tree) if isinstance(node, ast.Nonlocal | ast.Global)
                      for name in node.names}
            if stored.isdisjoint(read | shared):
                wanted |= {node.id for node in inside if isinstance(node, ast.Name)}
                block[place] = ast.copy_location(ast.Pass(), statement)
                return True
    return False


def _made(statement: ast.stmt) -> set[str]:
    """Return the names that a statement makes values of, if it does nothing else; else none."""
    inner: list[ast.stmt] = []
    match statement:
        case ast.Assign(targets=targets):
            pass
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            targets = [target]
        case ast.For(target=target):
            targets, inner = [target], statement.body + statement.orelse
        case ast.If():
            targets, inner = [], statement.body + statement.orelse
        case _:
            return set()
    names = [target.elts if isinstance(target, ast.Tuple) else [target] for target in targets]
    found = {each.id if isinstance(each, ast.Name) else "" for part in names for each in part}
    for each in inner:
        if not isinstance(each, ast.Pass | ast.Break | ast.Continue):
            found |= _made(each) or {""}
    acts = any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr)
               or (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                   and node.func.attr not in METHODS + READING) for node in ast.walk(statement))
    return set() if acts or "" in found else found


def find_rules(tree: ast.AST, filename: str) -> list[Rule]:
    """Return the rules in a syntax tree, in their order.

    Raises
    ------
    BuildError
        naming the line of a refusal that cannot be turned off, or that names no rule.

    Examples
    --------
    >>> source = "if a > b: tally.refused(row, 'far'); continue"
    >>> [(rule.name, rule.when) for rule in find_rules(ast.parse(source), "<source>")]
    [('far', True)]
    """
    left, found = list(filter(_is_refusal, ast.walk(tree))), []
    around = {inner: outer for outer in ast.walk(tree) if isinstance(outer, ast.If)
              for each in outer.body for inner in ast.walk(each) if isinstance(inner, ast.If)}
    for branching in ast.walk(tree):
        if isinstance(branching, ast.If) and not is_counting(branching):
            for when, block in (True, branching.body), (False, branching.orelse):
                refusals: list[Any] = list(filter(_is_refusal, block))
                match [each.value.args for each in refusals]:
                    case [[level, ast.Constant(value=str(name))]] if name.isidentifier():
                        needed = [branching.test] if when else []
                        outer = around.get(branching)
                        while outer:
                            needed.append(outer.test)
                            outer = around.get(outer)
                        found.append(Rule(name, branching, when, level, _switches(needed)))
                        left.remove(refusals[0])
    for refusal in left:
        raise BuildError(f"{filename}, line {getattr(refusal, 'lineno', '?')}: {ALLOWED}")
    return sorted(found, key=lambda rule: rule.branching.lineno)


def _switches(tests: Iterable[ast.expr]) -> frozenset[str]:
    """Return the names that must be true for all tests to be: those that are one, or a part of an
    `and`.
    """
    parts = [each for test in tests for each in (
        test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test])]
    return frozenset(each.id for each in parts if isinstance(each, ast.Name))


def _is_refusal(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and ast.unparse(node).startswith(f"{NAME}.{REFUSED_METHOD}(")

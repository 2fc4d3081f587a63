"""Rebuild functions from their source, with everything that they call and that also counts."""

import __future__

import ast
import builtins
import linecache
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dis import get_instructions
from functools import cache, partial
from hashlib import sha256
from inspect import CO_VARARGS, unwrap
from operator import is_
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, Literal

from nqbench.builds.emptying import empty
from nqbench.builds.stripping import NAME, strip
from nqbench.errors import BuildError

Kind = Literal["counting", "plain", "bare"]
FUTURES = 0
for _name in __future__.all_feature_names:
    FUTURES |= getattr(__future__, _name).compiler_flag
LARGEST = 1000  # entries of a list that is searched for functions
Part = FunctionType | type  # what is rebuilt
Node = ast.FunctionDef | ast.ClassDef
BUILD = "__build__"  # among the globals of a build: its kind


def built(search: Callable[..., Any], kind: Kind) -> Callable[..., Any]:
    """Return a build of a search, a function with a parameter `tally`; the other builds lack it.

    A build is reused until something that its functions refer to is redefined, as in a notebook.

    Raises
    ------
    BuildError
        if the search cannot be built: its source is missing or has changed since it was loaded,
        or `tally` is used other than for counting.

    Examples
    --------
    >>> from nqbench.algorithms import recursive
    >>> next(built(recursive.visits, "plain")(4))
    (1, 3, 0, 2)
    >>> next(built(recursive.visits, "bare")(4)) is None
    True
    """
    if kind == "counting":
        return search
    program = _programs.get((search, kind))
    if program is None or not program.is_current():
        program = _programs[search, kind] = _Program(search, kind)
    return program.search


def generated(source: str, name: str, program: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the search of this name in a generated text.

    Its build is that of the caller, whose `globals()` are `program`. The bare build yields no
    values.
    """
    return _generated(source, name, program.get(BUILD, "counting"))


_programs: dict[tuple[Callable[..., Any], Kind], "_Program"] = {}


@cache
def _generated(source: str, name: str, kind: Kind) -> Callable[..., Any]:
    filename = f"<generated {name} {sha256(source.encode()).hexdigest()[:8]}>"
    linecache.cache[filename] = len(source), None, source.splitlines(keepends=True), filename
    namespace: dict[str, Any] = {}
    exec(compile(source, filename, "exec", dont_inherit=True), namespace)
    return built(namespace[name], kind)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code and all code inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


@cache
def _globals(code: CodeType) -> tuple[set[str], set[str]]:
    """Return the globals that the code, or code inside it, reads, and those that it sets."""
    steps = [step for inner in _codes(code) for step in get_instructions(inner)]
    return ({step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")},
            {step.argval for step in steps if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")})


def _methods(owner: type) -> list[FunctionType]:
    """Return the functions that were defined in a class."""
    kinds = [(value, *(getattr(value, name, None) for name in ("__func__", "fget", "func")))
             for value in vars(owner).values()]
    return [function for kind in kinds for function in kind if isinstance(function, FunctionType)
            and function.__code__.co_filename != "<string>"]  # which was generated


def _functions(part: Part) -> list[FunctionType]:
    return _methods(part) if isinstance(part, type) else [part]


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return None


def _counts(part: object, but: tuple[FunctionType, ...] = ()) -> bool:
    """Return whether a function, one in its closure, or a method of a class counts."""
    if isinstance(part, type):
        return any(_counts(method, but) for method in _methods(part) if method not in but)
    if not isinstance(part, FunctionType):
        return False
    held = map(_content, part.__closure__ or ())
    return any(NAME in (*code.co_varnames, *code.co_freevars, *code.co_names)
               for code in _codes(part.__code__)) or any(
        _counts(function, (*but, part)) for function in held
        if isinstance(function, FunctionType) and function not in (*but, part))


def _entries(value: object) -> list[object]:
    """Return the entries of a list, tuple or dict, which may be functions; else none."""
    if type(value) is dict:
        value = list(value.values())
    if isinstance(value, list | tuple) and type(value) in (list, tuple) and len(value) <= LARGEST:
        return list(value)
    return []


def _shares_globals(part: Part, function: FunctionType) -> bool:
    return any(inner.__globals__ is function.__globals__ for inner in _functions(part))


def _add_dependents(changed: set[Part], parts: Mapping[Part, list[Part]]) -> set[Part]:
    """Return the changed parts, and all parts that refer to one of them."""
    while more := {part for part, others in parts.items()
                   if part not in changed and not changed.isdisjoint(others)}:
        changed = changed | more
    return changed


class _Source:
    """A file or a notebook cell, parsed."""

    def __init__(self, filename: str, namespace: dict[str, Any]) -> None:
        linecache.checkcache(filename)
        self.filename = filename
        self.text = "".join(linecache.getlines(filename, namespace))
        try:
            self.tree = ast.parse(self.text, filename)
        except SyntaxError:
            self.tree = ast.Module([], [])
        self.compiled: dict[int, list[CodeType]] = {}  # by the flags
        # The functions by name and first line, and the classes that they are methods of.
        self.owners: dict[tuple[str, int], tuple[ast.FunctionDef, ast.ClassDef | None]] = {}
        waiting: list[ast.AST] = [self.tree]
        while waiting:
            node = waiting.pop()
            statements = [child for block in ("body", "orelse", "finalbody", "handlers", "cases")
                          for child in getattr(node, block, ())]
            waiting += statements
            for child in statements:
                if isinstance(child, ast.FunctionDef):
                    line = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                    owner = node if isinstance(node, ast.ClassDef) else None
                    self.owners[child.name, line] = child, owner

    def find(self, part: Part) -> Node:
        """Return the node of a function, or of a class.

        Raises
        ------
        BuildError
            if the source is not that which was loaded.
        """
        where = f"{part.__qualname__} ({self.filename})"
        if not self.text:
            raise BuildError(f"the source of {where} is not available; write it in a file")
        if part.__name__ == "<lambda>":
            raise BuildError(f"{where} is a lambda, which cannot be built without counting; write "
                             "it with def")
        for function in _functions(part):
            code = function.__code__
            node, owner = self.owners.get((code.co_name, code.co_firstlineno), (None, None))
            if node is None or not self.is_loaded(node, code):
                continue
            if isinstance(part, type):
                if owner in self.tree.body and isinstance(owner, ast.ClassDef):
                    return owner
            elif owner is not None:
                raise BuildError(f"{where} is a method; a search must be a function")
            else:
                return node
        raise BuildError(f"{where} cannot be built: its source has changed since it was loaded, or "
                         "it is a class inside a function")

    def is_loaded(self, node: ast.FunctionDef, code: CodeType) -> bool:
        """Return whether the code is that of the node; pytest changes code with assertions."""
        return code in self.codes(code.co_flags & FUTURES) or any(
            isinstance(inner, ast.Assert) for inner in ast.walk(node))

    def codes(self, flags: int) -> list[CodeType]:
        if flags not in self.compiled:
            self.compiled[flags] = list(_codes(compile(
                self.text, self.filename, "exec", flags, dont_inherit=True)))
        return self.compiled[flags]


class _Program:
    """A search and the functions and classes that it needs, in one build."""

    def __init__(self, search: Callable[..., Any], kind: Kind) -> None:
        root = search if isinstance(search, FunctionType) else unwrap(search)
        if not isinstance(root, FunctionType):
            raise BuildError(f"a search is a function that was written with def, not {search!r}")
        code = root.__code__
        if NAME not in code.co_varnames[:code.co_argcount] and not code.co_flags & CO_VARARGS:
            raise BuildError(f"{root.__qualname__} has no parameter {NAME!r}, so it counts nothing")
        self.root = root
        self.kind = kind
        self.sources: dict[str, _Source] = {}
        self.parts: dict[Part, list[Part]] = {}  # and the parts they refer to
        self.objects: list[tuple[object, FunctionType]] = []  # other values, and their users
        self.reach(root, self.parts)
        self.nodes: dict[Part, Node] = {}
        self.spaces: dict[int, dict[str, Any]] = {}
        self.cells: dict[int, tuple[CellType, object, CellType]] = {}  # cell, content, new cell
        self.made: dict[Part, Any] = {}
        self.make(self.find_parts_to_rebuild())
        self.search: Callable[..., Any] = self.made[root]

    def reach(self, part: Part, parts: dict[Part, list[Part]]) -> None:
        """Collect the part, and the functions and classes that it refers to if they count or are
        in the same module.
        """
        if part in parts:
            return
        parts[part] = []
        for function in _functions(part):
            for value in self.values(function):
                for one in (value, *_entries(value)):
                    if not isinstance(one, Part):
                        self.objects.append((one, function))
                    elif _counts(one) or _shares_globals(one, function):
                        self.note(part, one, parts)
        if isinstance(part, type):
            for base in part.__bases__:
                if _counts(base) or any(_shares_globals(base, f) for f in _functions(part)):
                    self.note(part, base, parts)

    def note(self, part: Part, other: Part, parts: dict[Part, list[Part]]) -> None:
        parts[part].append(other)
        self.reach(other, parts)

    def find_indirect(self) -> tuple[dict[Part, list[Part]],
                                     list[tuple[object, FunctionType, Part]]]:
        """Return all parts, and objects that contain one, as `cache` and `partial` make them.

        An object comes with the function that uses it and the part in it.
        """
        parts = {part: [*others] for part, others in self.parts.items()}
        indirect = []
        for value, function in self.objects:  # which become more on the way
            inner = getattr(value, "func", getattr(value, "__func__", type(value)))
            if callable(value) and hasattr(value, "__wrapped__"):
                inner = unwrap(value)
            if isinstance(inner, Part) and inner is not self.root and (
                    _shares_globals(inner, function)
                    or (inner is not type(value) and _counts(inner))):
                indirect.append((value, function, inner))
                self.reach(inner, parts)
        return parts, indirect

    def values(self, function: FunctionType) -> list[object]:
        """Return what the function refers to outside of itself, also as `module.check`."""
        values = [*(value for _, _, value in self.globals(function)),
                  *map(_content, function.__closure__ or ()),
                  *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        attributes = {name for code in _codes(function.__code__) for name in code.co_names}
        return [*values, *(vars(module)[name] for module in values if isinstance(module, ModuleType)
                         for name in attributes & vars(module).keys()
                         if _counts(vars(module)[name]))]

    def globals(self, function: FunctionType) -> list[tuple[dict[str, Any], str, object]]:
        space = function.__globals__
        read, _ = _globals(function.__code__)
        return [(space, name, space[name]) for name in read if name in space]

    def node(self, part: Part) -> Node:
        """Return the stripped node of a part."""
        if part not in self.nodes:
            function = _functions(part)[0]
            filename = function.__code__.co_filename
            if filename not in self.sources:
                self.sources[filename] = _Source(filename, function.__globals__)
            node = self.sources[filename].find(part)
            strip(node, filename)
            self.nodes[part] = node
        return self.nodes[part]

    def find_parts_to_rebuild(self) -> list[Part]:
        """Return the parts that differ from the counting build.

        They count, share a global that is set, are emptied in the bare build, or refer to such a
        part.
        """
        parts, indirect = self.find_indirect()
        touched = {part: [_globals(function.__code__) for function in _functions(part)]
                   for part in parts}
        self.written = {
            name for pairs in touched.values() for _, written in pairs for name in written}
        shared = {part for part, pairs in touched.items() if any(
            not self.written.isdisjoint(read | written) for read, written in pairs)}
        changed = _add_dependents({part for part in parts if part is self.root or part in shared
                           or _counts(part)}, parts)
        for value, function, inner in indirect:
            if inner in changed:
                why = ("counts" if _counts(inner) else "uses what counts" if inner not in shared
                       else "sets or reads a global that is set")
                raise BuildError(
                    f"{function.__qualname__} uses {inner.__qualname__}, which {why}, as a "
                    f"{type(value).__name__}; use the function itself, or make the object in the "
                    "search")
        changed &= self.parts.keys()
        if self.kind == "bare":
            for part in self.parts:
                with suppress(*([] if part in changed else [BuildError])):
                    self.node(part)
            lookups = {node: partial(self.resolve, part) for part, node in self.nodes.items()}
            emptied = empty({n: f for n, f in lookups.items() if isinstance(n, ast.FunctionDef)},
                            {n: f for n, f in lookups.items() if isinstance(n, ast.ClassDef)})
            changed |= {part for part, node in self.nodes.items()
                        if not emptied.isdisjoint(ast.walk(node))}
        changed = _add_dependents(changed, self.parts)
        return [part for part in self.parts if part in changed]

    def resolve(self, part: Part, name: str) -> Any:
        """Return the value of a name outside of a part, for `empty`."""
        function = _functions(part)[0]
        free = function.__code__.co_freevars
        if name in free:
            value = _content((function.__closure__ or ())[free.index(name)])
        else:
            value = function.__globals__.get(name, getattr(builtins, name, None))
        inside = self.find_in_module(value) if isinstance(value, ModuleType) else _entries(value)
        nodes = [self.nodes[one] for one in inside if isinstance(one, Part) and one in self.nodes]
        return nodes or self.replace(self.nodes, value)

    def find_in_module(self, module: ModuleType) -> list[Part]:
        return [part for part in self.parts if vars(module).get(part.__name__) is part]

    def replace(self, known: Mapping[Part, Any], value: Any) -> Any:
        """Return the replacement of a function or class; any other value unchanged."""
        if hasattr(value, "__wrapped__") and not isinstance(value, Part) and (
                unwrap(value) is self.root):
            value = self.root
        return known.get(value, value) if isinstance(value, Part) else value

    def translate(self, value: Any) -> Any:
        """Return the value of this build for a value of the counting build."""
        if isinstance(value, ModuleType):
            if self.made.keys().isdisjoint(self.find_in_module(value)):
                return value
            module = ModuleType(value.__name__)
            vars(module).update({name: self.replace(self.made, one)
                                 for name, one in vars(value).items()})
            return module
        entries = _entries(value)
        if not any(isinstance(entry, Part) and entry in self.made for entry in entries):
            return self.replace(self.made, value)
        if isinstance(value, dict):
            return {key: self.replace(self.made, entry) for key, entry in value.items()}
        return type(value)(self.replace(self.made, entry) for entry in entries)

    def make(self, parts: list[Part]) -> None:
        """Make the functions, then the classes, then connect them."""
        functions = [part for part in parts if isinstance(part, FunctionType)]
        for function in functions:
            self.made[function] = self.make_function(function)
        self.connect()
        for part in parts:
            if isinstance(part, type):
                self.define_class(part, parts)
        self.connect()
        for function in functions:
            made = self.made[function]
            made.__defaults__ = self.translate(function.__defaults__)
            made.__kwdefaults__ = self.translate(function.__kwdefaults__)
        for _, content, new in self.cells.values():
            new.cell_contents = self.translate(content)
        known = [found for part in parts for function in _functions(part)
                 for found in self.globals(function) if found[1] not in self.written]
        self.known = tuple(zip(*known, strict=True)) or ((), (), ())

    def is_current(self) -> bool:
        """Return whether the functions still refer to the same values."""
        spaces, names, values = self.known
        return all(map(is_, map(dict.get, spaces, names), values)) and all(
            _content(cell) is content for cell, content, _ in self.cells.values())

    def globals_of(self, function: FunctionType) -> dict[str, Any]:
        """Return the globals of the build for those of a function."""
        found = function.__globals__
        if id(found) not in self.spaces:
            self.spaces[id(found)] = {**found, BUILD: self.kind}
        return self.spaces[id(found)]

    def connect(self) -> None:
        """Bind the names of the build to what was made."""
        for space in self.spaces.values():
            space.update({name: self.translate(value) for name, value in space.items()})

    def make_function(self, function: FunctionType) -> FunctionType:
        node = self.node(function)
        assert isinstance(node, ast.FunctionDef)
        node.decorator_list = []
        free = [name for name in function.__code__.co_freevars if name != NAME]
        tree = ast.parse(f"def free({', '.join(free)}): pass")
        tree.body[0].body = [node]  # type: ignore[attr-defined]
        code = next(code for code in _codes(self.compile(tree if free else ast.Module([node], []),
                                                          function))
                    if code.co_name == node.name and code.co_firstlineno == node.lineno)
        closure = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        made = FunctionType(
            code, self.globals_of(function), function.__name__, None,
            tuple(self.make_cell(closure[name]) for name in code.co_freevars))
        made.__qualname__ = function.__qualname__
        return made

    def make_cell(self, cell: CellType) -> CellType:
        """Return the cell itself, which its function may set, or a new one for rebuilt values."""
        content = _content(cell)
        inside = [self.replace({}, content), *_entries(content)]
        if isinstance(content, ModuleType):
            inside += self.find_in_module(content)
        if any(isinstance(one, Part) and one in self.parts for one in inside):
            return self.cells.setdefault(id(cell), (cell, content, CellType()))[2]
        return cell

    def define_class(self, part: type, parts: list[Part]) -> None:
        """Define a class in the build, after its base classes."""
        if part in self.made:
            return
        for base in part.__bases__:
            if base in parts:
                self.define_class(base, parts)
        node = self.node(part)
        function = next(f for f in _functions(part) if f.__module__ == part.__module__)
        space = self.globals_of(function)
        self.connect()
        exec(self.compile(ast.Module([node], []), function), space)
        self.made[part] = space[part.__name__]

    def compile(self, tree: ast.Module, function: FunctionType) -> CodeType:
        code = function.__code__
        made: CodeType = compile(ast.fix_missing_locations(tree), code.co_filename, "exec",
                                 code.co_flags & FUTURES, dont_inherit=True)
        return made

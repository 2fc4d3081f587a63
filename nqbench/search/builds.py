"""One source, and its builds: counting, plain, bare, and steered.

A study must time the published code as printed, and count the steps of the same code. So every
search is written once, with its counting statements: this is the counting build, the function
itself. `built` makes more builds from its source:

- the plain build is the same code without the counting statements;
- the bare build is timed: it is the plain build, but does not copy each solution, as most of the
  originals only count (`nqbench.search.syntax` says what both leave out);
- the steered build counts like the function itself, but each call of a recursive function asks
  `nqbench.search.steering` first, which may leave it out: so random probes follow the search.

Two more are made of searches that name their rules (`nqbench.search.syntax`): counting without a
rule, and the bare build without the rule and the values that are computed for it alone.

The file of a search, or its notebook cell, is compiled a second time after these changes. From this
twin a build takes the functions that the search calls and that count too. Everything else is
shared: no code of a module runs a second time, and all builds see the same constants.
"""

import __future__

import ast
import builtins
import linecache
from collections.abc import Callable, Iterator, Mapping
from dis import get_instructions
from functools import cache
from hashlib import sha256
from inspect import CO_VARARGS, unwrap
from itertools import pairwise
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, Literal

from nqbench.errors import BuildError, InvalidValueError
from nqbench.search.syntax import NAME, REFUSED_METHOD, empty, find_rules, steer, strip
from nqbench.util.text import unknown

__all__ = ["BuildKind", "built", "find_rule_names", "generated"]

BuildKind = Literal["counting", "plain", "bare", "steered", "without", "unruled"]
FUTURES = __future__.annotations.compiler_flag  # the only one that is not the rule everywhere
LONGEST = 1000  # entries of a list that is searched for functions
Code = FunctionType | type  # what is rebuilt
SILENT = ("CACHE", "COPY", "COPY_FREE_VARS", "PUSH_NULL")  # steps between two others
BUILD = "__build__"  # among the globals of a build: its kind


def built(search: Callable[..., Any], kind: BuildKind, of: str | None = None) -> Callable[..., Any]:
    """Return a build of a search. Those that count are functions with a parameter `tally`; the
    other builds lack it. `of` is the name of the rule that "without" and "unruled" leave out.

    A build is reused until something that its functions refer to is redefined, as in a notebook.

    Raises
    ------
    BuildError
        if the search cannot be built: its source is missing or has changed since it was loaded,
        or `tally` is used other than for counting.
    InvalidValueError
        if it has no such rule.

    Examples
    --------
    >>> from nqbench.problems.queens import recursive
    >>> next(built(recursive.visits, "plain")(4))
    (1, 3, 0, 2)
    >>> next(built(recursive.visits, "bare")(4)) is None
    True
    """
    return search if kind == "counting" else _find_program(search, kind, of).search


def find_rule_names(search: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the rules of a search, in their order, as far as it can be looked at.

    Raises
    ------
    BuildError
        as `built` does, of a search that refuses candidates.
    """
    if REFUSED_METHOD not in (statements(search) or ()):
        return ()
    return _find_program(search, "plain").rules


def is_switched_off(search: Callable[..., Any], rule: str, values: Mapping[str, Any]) -> bool:
    """Return whether these values of its parameters switch a rule of a search off."""
    return any(not values.get(name, True) for name in _find_program(search, "plain").switches[rule])


def generated(source: str, name: str, program: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the search of this name in a generated text.

    Its build is that of the caller, whose `globals()` are `program`. The bare build yields no
    values.
    """
    return _generated(source, name, program.get(BUILD, "counting"))


_programs: dict[tuple[Callable[..., Any], BuildKind, str | None], "_Program"] = {}


def _find_program(search: Callable[..., Any], kind: BuildKind, of: str | None = None) -> "_Program":
    """Return the program of a build, which is made if there is none, or one of former values."""
    program = _programs.get((search, kind, of))
    if program is None or not program.is_current():
        program = _programs[search, kind, of] = _Program(search, kind, of)
    return program


@cache
def _generated(source: str, name: str, kind: BuildKind) -> Callable[..., Any]:
    filename = f"<generated {name} {sha256(source.encode()).hexdigest()[:8]}>"
    linecache.cache[filename] = len(source), None, source.splitlines(keepends=True), filename
    namespace: dict[str, Any] = {}
    exec(compile(source, filename, "exec", dont_inherit=True), namespace)
    return built(namespace[name], kind)


def statements(search: Callable[..., Any]) -> set[str] | None:
    """Return the names of what a search, and the functions that it calls, use of its tally; None if
    it hands its tally to others, or writes its own text, where nobody can look.

    >>> sorted(statements(lambda n, tally: [tally.test(0, x) for x in [tally.node(0), *range(n)]]))
    ['node', 'test']
    >>> statements(lambda n, tally: sorted(tally, n)) is None
    True
    """
    found: set[str] = set()
    handed_on = False
    parts: list[Any] = [part for part in [unwrap(search)] if isinstance(part, Code)]
    for part in parts:
        for code in (code for function in functions_of(part) for code in codes(function.__code__)):
            used, handed = _uses(code)
            found |= used
            handed_on = handed_on or handed
        values = [value for _, value, _ in _references(part)]
        if any(value is generated for value in values):
            return None
        parts += [value for value in values if _counts(value) and value not in parts]
    return found if found or not handed_on else None


@cache
def _uses(code: CodeType) -> tuple[set[str], bool]:
    """Return the names of what the code itself uses of its tally, and whether it hands it on."""
    found: set[str] = set()
    handed_on = False
    steps = [step for step in get_instructions(code) if step.opname not in SILENT]
    for step, after in pairwise(steps):
        names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
        if "LOAD_" in step.opname and NAME in names:  # STORE_FAST_LOAD_FAST, too
            is_used = names[-1] == NAME and after.opname in (
                "LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR")
            found |= {after.argval} if is_used else set()
            handed_on = handed_on or not is_used
    return found, handed_on


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code and all code inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


@cache
def _globals(code: CodeType) -> tuple[set[str], set[str]]:
    """Return the globals that the code, or code inside it, reads, and those that it sets."""
    steps = [step for inner in codes(code) for step in get_instructions(inner)]
    return ({step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")},
            {step.argval for step in steps if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")})


def look_up(space: dict[str, Any], name: str) -> Any:
    """Return a global; one that Python 3.15 imports at its first use is imported."""
    if type(space[name]).__name__ == "lazy_import":
        space[name] = space[name].resolve()
    return space[name]


def functions_of(part: Code) -> list[FunctionType]:
    """Return the function itself, or the functions that were defined in a class."""
    if not isinstance(part, type):
        return [part]
    kinds = [(value, *(getattr(value, name, None) for name in ("__func__", "fget", "func")))
             for value in vars(part).values()]
    return [function for kind in kinds for function in kind if isinstance(function, FunctionType)
            and function.__code__.co_filename != "<string>"]  # which was generated


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return None


def _counts(part: object, but: tuple[object, ...] = ()) -> bool:
    """Return whether a function, one in its closure, or a method of a class counts."""
    return isinstance(part, Code) and part not in but and any(
        any(NAME in (*code.co_varnames, *code.co_freevars, *code.co_names)
            for code in codes(function.__code__))
        or any(isinstance(held, FunctionType) and _counts(held, (*but, part))
               for held in map(_content, function.__closure__ or ()))
        for function in functions_of(part))


def _entries(value: object) -> list[object]:
    """Return the entries of a list, tuple or dict, which may be functions; else none."""
    if type(value) is dict:
        value = list(value.values())
    if isinstance(value, list | tuple) and type(value) in (list, tuple) and len(value) <= LONGEST:
        return list(value)
    return []


def _inside(value: object) -> object:
    """Return the function or class in an object."""
    if callable(value) and hasattr(value, "__wrapped__"):
        return unwrap(value)
    return getattr(value, "func", getattr(value, "__func__", type(value)))


def _shares_globals(part: Code, function: FunctionType) -> bool:
    return any(inner.__globals__ is function.__globals__ for inner in functions_of(part))


def _references(part: Code) -> Iterator[tuple[str, object, FunctionType]]:
    """Yield what the functions of a part refer to outside of themselves, also as `module.check`,
    and the function that does.

    It comes with its name, or "" if it is referred to in another way, or if the part binds that
    name somewhere inside.
    """
    functions = functions_of(part)
    bound = {name for function in functions for code in codes(function.__code__)
             for name in (*code.co_varnames, *code.co_cellvars)}
    for function in functions:
        code, space = function.__code__, function.__globals__
        known = {name: look_up(space, name) for name in _globals(code)[0] if name in space}
        known |= dict(zip(code.co_freevars, map(_content, function.__closure__ or ()), strict=True))
        attributes = {name for inner in codes(code) for name in inner.co_names}
        hidden = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values(), *(
            one for module in known.values() if isinstance(module, ModuleType)
            for name, one in vars(module).items() if name in attributes and _counts(one))]
        named = [*known.items(), *(("", value) for value in hidden)]
        for name, value in [*named, *(("", one) for _, each in named for one in _entries(each))]:
            yield "" if name in bound else name, value, function


class _Twin:
    """A file or a notebook cell, of which some functions and classes are stripped."""

    def __init__(self, code: CodeType, namespace: dict[str, Any]) -> None:
        self.filename = code.co_filename
        self.flags = code.co_flags & FUTURES
        linecache.checkcache(self.filename)
        self.text = "".join(linecache.getlines(self.filename, namespace))
        try:
            self.tree = ast.parse(self.text, self.filename)
        except SyntaxError:
            self.tree = ast.Module([], [])
        self.loaded = set(codes(self.compile(self.tree)))
        # The functions by name and first line, and what they are defined in.
        self.owners = {
            (node.name, min([node.lineno, *(d.lineno for d in node.decorator_list)])): (node, owner)
            for owner in ast.walk(self.tree) for node in ast.iter_child_nodes(owner)
            if isinstance(node, ast.FunctionDef)}

    def compile(self, tree: ast.Module) -> CodeType:
        made: CodeType = compile(tree, self.filename, "exec", self.flags, dont_inherit=True)
        return made

    def find(self, part: Code) -> ast.FunctionDef | ast.ClassDef:
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
        for code in (function.__code__ for function in functions_of(part)):
            node, owner = self.owners.get((code.co_name, code.co_firstlineno), (None, None))
            # pytest changes code with assertions.
            if node is None or not (code in self.loaded or any(
                    isinstance(inner, ast.Assert) for inner in ast.walk(node))):
                continue
            if not isinstance(part, type):
                if isinstance(owner, ast.ClassDef):
                    raise BuildError(f"{where} is a method; a search must be a function")
                return node
            if owner in self.tree.body and isinstance(owner, ast.ClassDef):
                return owner
        raise BuildError(f"{where} cannot be built: its source has changed since it was loaded, or "
                         "it is a class inside a function")


class _Program:
    """A search and the functions and classes that it needs, in one build."""

    def __init__(self, search: Callable[..., Any], kind: BuildKind, of: Any = None) -> None:
        root = search if isinstance(search, FunctionType) else unwrap(search)
        if not isinstance(root, FunctionType):
            raise BuildError(f"a search is a function that was written with def, not {search!r}")
        code = root.__code__
        if NAME not in code.co_varnames[:code.co_argcount] and not code.co_flags & CO_VARARGS:
            raise BuildError(f"{root.__qualname__} has no parameter {NAME!r}, so it counts nothing")
        self.root = root
        self.kind, self.of = kind, of
        self.others: dict[Code, list[tuple[str, Code]]] = {}  # those that a part refers to
        self.held: list[tuple[FunctionType, object, Code]] = []  # a user, and a part in an object
        self.twins: dict[str, _Twin] = {}
        self.spaces: dict[int, dict[str, Any]] = {}
        self.cells: dict[int, tuple[CellType, object, CellType]] = {}  # cell, content, new cell
        self.made: dict[Code, Any] = {}
        self.parts = self.find_parts_to_rebuild()  # from the root on
        self.make(self.strip())
        self.search: Callable[..., Any] = self.made[root]

    def actual(self, value: object) -> object:
        """Return the root for what a decorator made of it; any other value unchanged."""
        if isinstance(value, Code) or not hasattr(value, "__wrapped__"):
            return value
        return self.root if unwrap(value) is self.root else value  # type: ignore[arg-type]

    def refer(self, part: Code) -> None:
        """Note the functions and classes that a part refers to if they count or are in the same
        module, and the objects that contain one, as `cache` and `partial` make them.
        """
        found = self.others[part] = []
        for name, value, function in _references(part):
            one = self.actual(value)
            inner = one if isinstance(one, Code) else _inside(one)
            if not isinstance(inner, Code) or not (_shares_globals(inner, function) or (
                    inner is not type(one) and _counts(inner))):
                continue
            if inner is one:
                found.append((name, inner))
            else:
                self.held.append((function, one, inner))
        if isinstance(part, type):
            found += [("", base) for base in part.__bases__ if _counts(base)
                      or any(_shares_globals(base, f) for f in functions_of(part))]

    def find_parts_to_rebuild(self) -> list[Code]:
        """Return the parts that differ from the counting build.

        They count, share a global that is set, or refer to such a part.
        """
        waiting: list[Code] = [self.root]
        for part in waiting:  # which become more on the way
            if part not in self.others:
                self.refer(part)
                waiting += [other for _, other in self.others[part]]
                waiting += [inner for _, _, inner in self.held]
        touched = {part: [_globals(function.__code__) for function in functions_of(part)]
                   for part in self.others}
        self.written = {name for pairs in touched.values() for _, names in pairs for name in names}
        sharing = {part for part, pairs in touched.items() if any(
            not self.written.isdisjoint(read | names) for read, names in pairs)}
        differ = {self.root, *sharing, *filter(_counts, touched)}
        while more := {part for part, others in self.others.items()
                       if not differ.isdisjoint(other for _, other in others)} - differ:
            differ |= more
        for function, value, inner in self.held:
            if inner in differ:
                why = ("counts" if _counts(inner) else "uses what counts" if inner not in sharing
                       else "sets or reads a global that is set")
                raise BuildError(
                    f"{function.__qualname__} uses {inner.__qualname__}, which {why}, as a "
                    f"{type(value).__name__}; use the function itself, or make the object in the "
                    "search")
        return [part for part in self.others if part in differ]

    def strip(self) -> dict[Code, ast.FunctionDef | ast.ClassDef]:
        """Return the nodes of the parts, changed for the build, and compile their twins."""
        nodes: dict[Any, ast.FunctionDef | ast.ClassDef] = {
            part: self.twin(part).find(part) for part in self.parts}
        rules = [rule for part, node in nodes.items()
                 for rule in find_rules(node, self.twin(part).filename)]
        self.rules = tuple(dict.fromkeys(rule.name for rule in rules))
        self.switches = {rule.name: rule.switches for rule in rules}
        if self.kind in ("without", "unruled") and self.of not in self.rules:
            raise InvalidValueError(unknown("rule", self.of, self.rules))
        if self.kind == "steered":
            steer(nodes.values(), self.root.__qualname__)
        for part, node in nodes.items():
            if self.kind not in ("without", "steered"):
                strip(node, self.twin(part).filename)
        for rule in rules:
            if self.of == rule.name and self.kind == "without":
                rule.ask()
            elif self.of == rule.name:
                for node in nodes.values():
                    rule.remove(node)
        if self.kind in ("bare", "unruled"):
            empty({node: {**vars(builtins), **{name: one for name, one, _ in _references(part)},
                          **{name: nodes.get(other) for name, other in self.others[part]},
                          "": [nodes.get(other) for name, other in self.others[part] if not name]}
                   for part, node in nodes.items()})
        self.codes = {(twin.filename, code.co_name, code.co_firstlineno): code
                      for twin in self.twins.values() for code in codes(twin.compile(twin.tree))}
        return nodes

    def twin(self, part: Code) -> _Twin:
        function = functions_of(part)[0]
        filename = function.__code__.co_filename
        if filename not in self.twins:
            self.twins[filename] = _Twin(function.__code__, function.__globals__)
        return self.twins[filename]

    def make(self, nodes: Mapping[Code, ast.FunctionDef | ast.ClassDef]) -> None:
        """Make the functions, then the classes, then connect them."""
        functions = [part for part in self.parts if isinstance(part, FunctionType)]
        for function in functions:
            self.made[function] = self.make_function(function)
        classes = [part for part in self.parts if isinstance(part, type)]
        for part in sorted(classes, key=lambda part: len(part.__mro__)):  # base classes first
            space = self.globals_of(functions_of(part)[0])
            self.connect()
            exec(self.twin(part).compile(ast.Module([nodes[part]], [])), space)
            self.made[part] = space[part.__name__]
        self.connect()
        for function in functions:
            made = self.made[function]
            made.__defaults__ = self.translate(function.__defaults__)
            made.__kwdefaults__ = self.translate(function.__kwdefaults__)
        for _, content, new in self.cells.values():
            new.cell_contents = self.translate(content)
        self.known = [(function.__globals__, name, function.__globals__.get(name))
                      for part in self.parts for function in functions_of(part)
                      for name in _globals(function.__code__)[0] if name not in self.written]

    def is_current(self) -> bool:
        """Return whether the functions still refer to the same values."""
        return all(space.get(name) is value for space, name, value in self.known) and all(
            _content(cell) is content for cell, content, _ in self.cells.values())

    def make_function(self, function: FunctionType) -> FunctionType:
        code = function.__code__
        cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        code = self.codes[code.co_filename, code.co_name, code.co_firstlineno]
        made = FunctionType(code, self.globals_of(function), function.__name__, None,
                            tuple(self.make_cell(cells[name]) for name in code.co_freevars))
        made.__qualname__ = function.__qualname__
        return made

    def make_cell(self, cell: CellType) -> CellType:
        """Return the cell itself, which its function may set, or a new one for rebuilt values."""
        content = _content(cell)
        if self.contains(content):
            return self.cells.setdefault(id(cell), (cell, content, CellType()))[2]
        return cell

    def globals_of(self, function: FunctionType) -> dict[str, Any]:
        """Return the globals of the build for those of a function."""
        found = function.__globals__
        return self.spaces.setdefault(id(found), {**found, BUILD: self.kind})

    def connect(self) -> None:
        """Bind the names of the build to what was made."""
        for space in self.spaces.values():
            space.update({name: self.translate(value) for name, value in space.items()})

    def parts_of(self, module: ModuleType) -> list[Code]:
        return [part for part in self.parts if vars(module).get(part.__name__) is part]

    def contains(self, value: object) -> bool:
        """Return whether a value is, or has, something that is rebuilt."""
        found = (self.parts_of(value) if isinstance(value, ModuleType)
                 else [self.actual(value), *_entries(value)])
        return any(isinstance(one, Code) and one in self.parts for one in found)

    def translate(self, value: Any) -> Any:
        """Return the value of this build for a value of the counting build."""
        if not self.contains(value):
            return value
        if isinstance(value, ModuleType):
            module = ModuleType(value.__name__)
            vars(module).update(vars(value), **{
                part.__name__: self.made.get(part, part) for part in self.parts_of(value)})
            return module
        if isinstance(value, dict):
            return {key: self.translate(entry) for key, entry in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.translate(entry) for entry in value)
        part: Any = self.actual(value)
        return self.made.get(part, part)

"""Functions of n that were not written for nqbench, as algorithms: unchanged, with whatever they
return, which is recognised: the number of solutions, or the solutions in one of the forms that
textbooks and contests use. They report no steps, so nothing is counted but their solutions.

`find_mistake` finds mistakes of beginners in the source of a search that gives no right answer.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, wraps
from inspect import Parameter, Signature, getattr_static, getsourcelines, isclass, signature, unwrap
from itertools import islice
from operator import index
from sys import getrecursionlimit
from textwrap import dedent
from typing import Any, cast

from nqbench.errors import InvalidValueError, NqbenchError, PluginError
from nqbench.problems.plugins.decorator import CountOnly, Plugin
from nqbench.problems.plugins.registry import describe, describe_failure
from nqbench.search.algorithm import Tree
from nqbench.search.board import Columns
from nqbench.search.builds import BuildKind
from nqbench.search.implementations import PythonBuilds
from nqbench.search.metrics import STATEMENTS
from nqbench.search.tally import Tally

FORM_N = (4, 5, 6)  # boards on which the form is recognised: those of a search that loses solutions
SOLUTIONS = 2  # at least, of these boards
NUMBER_ALONE = "the number of solutions"  # what is found, in words, where nothing else is
ACCEPTED = ("a number of solutions, nor a list of solutions: columns as lists, tuples, arrays or "
            "texts, squares (row, column), or boards whose rows are texts or lists")
UNREPORTED = "it reports no steps"
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
# Names of functions that solve, and those of others, which are never meant.
USUAL = re.compile("queen|sudoku|solve(?!d)|solution|count", re.I)
OTHER = re.compile("test|valid|safe|conflict|attack|empty|print|show|display|draw|^(is|get|read|"
                   "parse|find)(?![a-z])", re.I)
SIZE = re.compile(r"n|\w*size|num\w*", re.I)  # names of parameters, which say that it is n


class NoSolutionError(PluginError):
    """A function gives no solution of the boards from which its form is recognised."""


@dataclass(frozen=True)
class Form:
    """The form of answers: its `kind`, a name of `READERS` or empty for a number of solutions; the
    number of the first column, its `base`; what stands for a `queen` on a board; and the form in a
    few `words`.
    """

    kind: str
    base: int = 0
    queen: Any = None
    words: str = f"returns {NUMBER_ALONE}"

    def columns(self, answer: Any, n: int) -> Columns:
        """Return an answer as columns, by rows, from 0.

        Raises
        ------
        ValueError, TypeError
            if it does not have this form.
        """
        found = tuple(int(column) - self.base
                      for column in READERS[self.kind](unroll(answer), n, self.queen))
        if len(found) != n or not all(0 <= column < n for column in found):
            raise ValueError(f"not {n} columns from {self.base} to {n - 1 + self.base}")
        return found


def recognise(function: Callable[[int], Any]) -> Form:
    """Return the form in which a function of n gives its answers.

    Raises
    ------
    PluginError, InvalidValueError
        if it gives something else, one solution, or no solution of the first boards that have one.

    Examples
    --------
    >>> recognise(lambda n: iter([[2, 4, 1, 3], [3, 1, 4, 2]])).words
    'yields lists, counted from 1'
    >>> recognise(lambda n: [[".Q..", "...Q", "Q...", "..Q."]]).words
    "returns boards, a queen is 'Q'"
    >>> recognise(lambda n: 2).words
    'returns the number of solutions'
    """
    faults: list[Exception] = []
    found: Any = None
    for n in FORM_N:
        try:
            found = function(n)
            if is_number(found):
                return Form("")
            if isinstance(found, Iterable) and not isinstance(found, bytes):
                answers = [*map(unroll, islice(split(found, n), n**n))]  # there may be no end
                if isinstance(found, str) and len(answers) < SOLUTIONS:
                    raise PluginError(f"it returns {found!r:.80} at n = {n}, which is not "
                                      f"{ACCEPTED}")
                if answers:
                    return _recognise(answers, n,
                                      "yields" if isinstance(found, Iterator) else "returns")
                continue
        except (NqbenchError, RecursionError, MemoryError):
            raise
        except Exception as error:  # it may refuse small boards
            faults.append(error)
            continue
        if found is not None:
            raise PluginError(f"it returns {found!r:.80} at n = {n}, which is not {ACCEPTED}")
    if faults:
        raise faults[0]
    if found is None:
        raise PluginError("it returns None; let it return its answers, or, if it prints them, run "
                          "it as a command: python3 FILE.py {n}")
    raise NoSolutionError(f"it finds no solution for {FORM_N[0]} to {FORM_N[-1]} queens, though "
                          f"{FORM_N[0]} queens have two")


def split(found: Iterable[Any], n: int) -> Iterable[Any]:
    """Return the answers of a function one by one: of a text, its boards of n lines, or its lines.

    >>> split(".Q..\\n...Q\\nQ...\\n..Q.\\n\\n", 4), split("2413 3142", 4)
    (['.Q..\\n...Q\\nQ...\\n..Q.'], ['2413 3142'])
    """
    if not isinstance(found, str):
        return found
    lines = [line for line in found.split("\n") if line.strip()]
    size = 1 if n == 0 or len(lines) % n or any(map(str.isdigit, found)) else n
    return ["\n".join(lines[k:k + size]) for k in range(0, len(lines), size)]


def unroll(answer: Any) -> Any:
    """Return an answer with lists in place of its iterators, which can be read only once."""
    return [*map(unroll, answer)] if isinstance(answer, Iterator) else answer


def is_number(found: object) -> bool:
    """Return whether an answer is a whole number, also one of NumPy."""
    with suppress(TypeError):  # an array has __index__, too
        return index(found) is not None and not isinstance(found, bool)  # type: ignore[arg-type]
    return isinstance(found, float) and found.is_integer()


def _recognise(answers: list[Any], n: int, verb: str) -> Form:
    """Return the form that all these answers have."""
    first = answers[0]
    if len(answers) > 1 and all(answer is first for answer in answers):
        raise PluginError(f"it {verb} the same {type(first).__name__} {len(answers)} times at "
                          f"n = {n}, and changes it in between: copy it")
    if len(answers) == n and verb == "returns":
        with suppress(PluginError):
            _recognise([answers], n, "")
            raise InvalidValueError(f"it returns one solution at n = {n}, {answers!r:.80}; return "
                                    "a list of all, or yield each")
    queen = _find_queen(first)
    fault = f"{first!r:.80} as a solution at n = {n}, which is not {ACCEPTED}"
    for kind, read in READERS.items():
        try:
            every = [column for answer in answers for column in read(answer, n, queen)]
            base = int(min(every) > 0)
        except (ValueError, TypeError, IndexError):
            continue
        what = "boards, a queen is " + repr(queen) if kind == "board" else (
            f"{'squares' if kind == 'squares' else FORM_NAMES.get(type(first), 'arrays')}, "
            f"counted from {base}")
        form = Form(kind, base, queen, f"{verb} {what}")
        for answer in answers:
            try:
                form.columns(answer, n)
            except ValueError as error:
                fault = f"{answer!r:.80} as a solution at n = {n}: {error}"
                break
        else:
            return form
    raise PluginError(f"it {verb} {fault}")


def _find_queen(answer: Any) -> Any:
    """Return what stands exactly once in each row of a square board, if only one thing does."""
    rows = _rows(answer)
    marks = [mark for mark in rows[0] if all(row.count(mark) == 1 for row in rows)] if (
        rows and all(len(row) == len(rows) for row in rows)) else []
    return marks[0] if len(marks) == 1 else None


def _rows(answer: Any) -> list[list[Any]]:
    """Return the rows of a board, none if the answer is no list of rows."""
    if isinstance(answer, str):
        answer = answer.splitlines()
    elif hasattr(answer, "tolist"):
        answer = answer.tolist()
    if not isinstance(answer, list | tuple) or not all(
            isinstance(row, str | list | tuple) for row in answer):
        return []
    rows = [row for row in answer if len(row) and row != ""]
    return [next((cells for cells in _cells(row) if len(cells) == len(rows)), []) for row in rows]


def _cells(row: Any) -> Iterator[list[Any]]:
    """Yield the cells of a row: as they are, then of a text without blanks, bars and brackets."""
    yield list(row)
    if isinstance(row, str):
        yield row.split()
        yield list(row.strip())
        yield list(row.rstrip("\n"))[::2]
        yield re.sub(r"[][|,]", " ", row).split()
        yield list(re.sub(r"[][|, ]", "", row))


def _read_board(answer: Any, n: int, queen: Any) -> list[int]:
    rows = _rows(answer)
    if queen is None or any(row.count(queen) != 1 or len(row) != n for row in rows):
        raise ValueError("no board with a queen in each row")
    return [row.index(queen) for row in rows]


def _read_columns(answer: Any, n: int, queen: Any) -> list[int]:
    if isinstance(answer, str | bytes | Mapping | set) or not all(map(is_number, answer)):
        raise ValueError("no sequence of whole numbers")
    return list(answer)


def _read_text(answer: Any, n: int, queen: Any) -> list[int]:
    if not re.fullmatch(r"[\d\s,;|()\[\]-]+", answer):
        raise ValueError("no text of numbers")
    found = re.findall(r"\d+", answer)
    return [*map(int, found[0] if len(found) == 1 and n < 10 else found)]


def _read_squares(answer: Any, n: int, queen: Any) -> list[int]:
    squares = sorted(answer.items() if isinstance(answer, Mapping) else map(tuple, answer))
    if [row for row, _ in squares] not in ([*range(n)], [*range(1, n + 1)]):
        raise ValueError("no square in each row")
    return [column for _, column in squares]


FORM_NAMES: Mapping[type, str] = {list: "lists", tuple: "tuples", str: "texts"}
READERS: Mapping[str, Callable[[Any, int, Any], list[int]]] = {
    "board": _read_board, "columns": _read_columns, "text": _read_text, "squares": _read_squares}


def pick(members: Mapping[str, Any], path: str) -> Callable[[int], Any] | None:
    """Return the function of this name, or the method as in `Solution.totalNQueens`; None if there
    is none. Each call makes a new object of the class, as contests do, and n is given to whichever
    of the class and the method takes it.
    """
    owner, _, name = path.rpartition(".")
    found: Any = members.get(owner or name)
    if owner:
        made, found = found, getattr(found, name, None)
    if not callable(found) or isclass(found):
        return None
    if not owner or not isclass(made):
        return cast(Callable[[int], Any], found)
    bound = isinstance(getattr_static(made, name), staticmethod | classmethod)
    taken, own = _parameters(made), _parameters(found)[not bound:]
    needed, required = ([each for each in every if each.default is Parameter.empty]
                        for every in (taken, own))
    # Where neither must have it, the class takes it, unless the method calls it n.
    built = takes_only_n(made) and bool(needed or not (required or [each.name for each in own[:1]]
                                                       == ["n"]))
    given = bool(required) or not built

    @wraps(found)
    def call(n: int) -> Any:
        return getattr(made(*[n] * built), name)(*[n] * given)

    call.__signature__ = Signature(own if given else taken)  # type: ignore[attr-defined]
    return call


def find_able(members: Mapping[str, Any], module: str) -> dict[str, Callable[[int], Any]]:
    """Return the functions and methods of a module that can be meant, by their paths, as they can
    be called with n or a puzzle alone: those whose names say that they solve, the shortest first,
    or else all; if each has the name of a helper, such as find_queens, those that take n by its
    name.

    >>> def columns(n): ...
    >>> class Solution:
    ...     def place(self, row, column): ...
    ...     def solve(self, n): ...
    >>> [*find_able({"columns": columns, "Solution": Solution}, __name__)]
    ['Solution.solve']
    """
    own = {name: each for name, each in members.items()
           if callable(each) and getattr(each, "__module__", "") == module}
    paths = [path for name, each in own.items() for path in (
        [f"{name}.{method}" for method in vars(each) if not method.startswith("_")]
        if isclass(each) else [name])]
    found = {path: function for path in paths
             if (function := pick(members, path)) and takes_only_n(function)}
    able = [path for path in found if not OTHER.search(path.rpartition(".")[2])]
    usual = sorted((path for path in able if USUAL.search(path.rpartition(".")[2])), key=len)
    return {path: found[path] for path in usual or able or filter(
        lambda path: names_size(found[path]), found)}


def names_size(function: Callable[..., Any]) -> bool:
    """Return whether the name of a function's first parameter says that it is n.

    >>> names_size(lambda size: 0), names_size(lambda board: 0)
    (True, False)
    """
    return any(SIZE.fullmatch(each.name) for each in _parameters(function)[:1])


def takes_only_n(function: Callable[..., Any]) -> bool:
    """Return whether a function can be called with n alone.

    >>> takes_only_n(lambda n, first=None: 0), takes_only_n(lambda n, tally: 0)
    (True, False)
    """
    found = _parameters(function)
    return bool(found) and sum(each.default is Parameter.empty for each in found) <= 1


def _parameters(function: Callable[..., Any]) -> list[Parameter]:
    """Return the parameters of a function or class that are given by their places: one of a
    function that is not of Python, none of such a class.
    """
    try:
        return [each for each in signature(function).parameters.values()
                if each.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
    except (TypeError, ValueError):
        return [Parameter("n", Parameter.POSITIONAL_ONLY)] * (not isclass(function))


def _whole(found: Any) -> Any:
    """Return a number of solutions as a whole number, if it is one."""
    return int(found) if is_number(found) else found


class _Builds(PythonBuilds[int, Columns]):
    """A function that is called as it is: what is timed does not read its answers."""

    uncounted = frozenset(STATEMENTS)  # all of them

    def __init__(self, search: "Undecorated") -> None:
        super().__init__(search.search, search.tally, largest_n=search.largest_n)
        self.function, self.form, self.name = search.function, search.form, search.name

    def run(self, kind: BuildKind, instance: int) -> Iterator[Columns]:
        return self.answers(instance)

    def answers(self, n: int) -> Iterator[Columns]:
        for number, answer in enumerate(split(self.function(n), n), 1):
            try:
                yield self.form.columns(answer, n)
            except (ValueError, TypeError, IndexError) as error:
                raise PluginError(f"the plug-in {self.name} {self.form.words}, but solution "
                                  f"{number} at n = {n} is {answer!r:.80}: {error}; does it keep "
                                  "answers of earlier calls?") from None

    def count(self, instance: int) -> int:
        found = self.function(instance)
        if is_number(found):
            return int(found)
        found = split(found, instance)
        return len(found) if isinstance(found, Sized) else sum(1 for _ in found)

    def compare(self, name: str, instances: object) -> None:
        """Do nothing: there is one build."""


@dataclass(frozen=True, kw_only=True)
class Undecorated(Plugin):
    """A function of n as an algorithm, with the form of its answers, and its notation, `place`."""

    function: Callable[[int], Any]
    form: Form
    place: str
    no_tree = UNREPORTED

    @cached_property
    def python(self) -> PythonBuilds[int, Columns]:
        return _Builds(self)

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        return super().implementations if self.form.kind else {
            "python": CountOnly(self, "python", lambda n: _whole(self.function(n)))}

    @property
    def form_in_words(self) -> str:
        """Return what was recognised in its answers."""
        return self.form.words


def adapt(function: Callable[[int], Any], name: str, place: str) -> Undecorated:
    """Return an algorithm that calls a function of n, which stands at a place in notation.

    Raises
    ------
    InvalidValueError
        if it needs other arguments, or if what it returns cannot be read.

    Examples
    --------
    >>> def queens(n, columns=()):
    ...     if len(columns) == n:
    ...         return [columns]
    ...     return [whole for c in range(1, n + 1)
    ...             if all(abs(c - d) not in (0, len(columns) - r) for r, d in enumerate(columns))
    ...             for whole in queens(n, (*columns, c))]
    >>> found = adapt(queens, "queens", "here.py::queens")
    >>> found.count(8), found.form.words, next(found.solutions(4))
    (92, 'returns tuples, counted from 1', (1, 3, 0, 2))
    """
    if not takes_only_n(function):
        raise InvalidValueError(
            f"{name} must be a function of n alone, or of n and tally with @nqbench.algorithm; "
            "write one that calls it")
    try:
        form = recognise(function)
    except MemoryError:
        raise
    except Exception as error:  # whatever it raises
        advice = (f"Python allows {getrecursionlimit():,} calls within each other; does it end?"
                  if isinstance(error, RecursionError) else find_mistake(function))
        why = describe_failure(error).replace("FILE.py", place.partition("::")[0])
        raise InvalidValueError(f"{name} cannot be used: {why}"
                                + (f"; {advice}" if advice else "")) from error

    @wraps(function)
    def visits(n: int, tally: Tally) -> Iterator[Columns]:
        for columns in made.python.answers(n):  # type: ignore[attr-defined]
            tally.solution()
            yield columns

    made = Undecorated(name=name, function=function, form=form, place=place, search=visits,
                       tree=Tree.NONE, **describe(function))
    return made


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
            match node:
                case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name in generators:
                    mistake = (f"{name}(...) alone does nothing, as it is a generator; "
                               f"yield from {name}(...)")
                case ast.Return(value=ast.expr() as value) if (
                        each.name in generators and not isinstance(value, ast.Constant)):
                    mistake = "a generator loses what it returns; yield it"
                case (ast.Yield(value=ast.Name(id=name))
                      | ast.Call(func=ast.Attribute(attr="append"), args=[ast.Name(id=name)])
                      ) if name in changed:
                    mistake = f"{name} is one list, which changes later; give tuple({name})"
                case _:
                    continue
            found.append((first + node.lineno - 1, mistake))
    return f"line {min(found)[0]}: {min(found)[1]}" if found else ""


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of functions in it."""
    for child in ast.iter_child_nodes(function):
        yield child
        if not isinstance(child, (*FUNCTION.__args__, ast.Lambda)):
            yield from _own(child)

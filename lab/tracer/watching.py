"""What a search does line by line, for readers who step through it.

A search is traced, so it runs unchanged. What it places is not declared anywhere: it is *read* from
its variables. On the smallest board with a solution, each variable that had a whole solution at its
deepest call is a candidate: a list of columns, which may be as long as the board from the start; or
one number in each call of a recursive function, a column or a mask of one bit. The first of these
that shows all solutions is drawn on every other board. Levels are those of the recursion: a node is
a call of the function that calls itself.
"""

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import CodeType, FrameType
from typing import Any

from nqbench.problems.plugins.functions import FORM_N
from nqbench.problems.queens import find
from nqbench.records.record import PLAIN_SEARCH
from nqbench.search.board import Columns, Placement
from nqbench.search.implementations import exhaust
from tracer.code import FILE, Program, forget

MOST = 4000  # steps that are kept
LONGEST = 60  # characters of a value
DEEPEST = 2000  # moments at which variables are compared with solutions
ROWS = ("row", "r", "k", "t", "i", "q", "level", "depth", "top", "current")
Frames = Sequence[FrameType]


@dataclass(frozen=True)
class Reading:
    """Where the placement of a search is.

    Attributes
    ----------
    name
        of the variable.
    each
        whether each call has its own, with one queen.
    mask
        whether a queen is a mask of one bit.
    base
        what the first column is called, 0 or 1.
    skipped
        elements of a list before the first row.
    filled
        whether a list is as long as the board from the start; it counts up to the level.
    row
        the variable with the row, of a search that does not call itself; empty for another one.
    """

    name: str
    each: bool = False
    mask: bool = False
    base: int = 0
    skipped: int = 0
    filled: bool = False
    row: str = ""

    def column(self, value: Any) -> int | None:
        """Return the column, from 0, of a queen; None if this is none."""
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        if self.mask:
            return value.bit_length() - 1 if value > 0 and not value & (value - 1) else None
        return value - self.base

    def columns(self, stack: Frames, recursive: CodeType | None, n: int) -> list[int]:
        """Return the columns of the queens, row by row, as the frames have them."""
        calls = [frame for frame in stack if frame.f_code is recursive]
        if self.each:
            values: list[Any] = [frame.f_locals.get(self.name) for frame in calls]
        else:
            owner = next((frame for frame in reversed(stack) if self.name in frame.f_locals), None)
            held = owner.f_locals[self.name] if owner else ()
            values = [*held][self.skipped:] if isinstance(held, list | tuple) else []
            if self.filled and calls:
                begun = len(calls[-1].f_locals) > calls[-1].f_code.co_argcount
                values = values[:len(calls) - (not begun)]
            elif self.filled and owner and isinstance(row := owner.f_locals.get(self.row), int):
                values = values[:row + 1 - self.skipped]
        found: list[int] = []
        for value in values[:n]:
            column = self.column(value)
            if column is None or not 0 <= column < n:
                break
            found.append(column)
        return found


@dataclass
class Trace:
    """The steps of a search.

    Attributes
    ----------
    yields
        whether the search yields its solutions one by one; another returns all at its end.
    steps
        of each: line, stack (names of functions and their lines), variables of the innermost one,
        queens (columns by row), node, back: whether a call has ended, and solutions so far: those
        that the search yielded, or those that were drawn if it yields none.
    nodes
        of each call of the recursive function: its parent, its level.
    whole
        whether the search came to its end.
    """

    yields: bool
    steps: list[dict[str, Any]] = field(default_factory=list)
    nodes: list[tuple[int | None, int]] = field(default_factory=list)
    solutions: list[Columns] = field(default_factory=list)
    whole: bool = False


class EnoughError(BaseException):
    """The limit of steps is reached; no `except Exception` of a search stops this."""


def find_recursive(text: str) -> str:
    """Return the name of the first function or method in a text that calls itself; empty if none
    does.

    >>> find_recursive("def f(n):\\n    def g(k):\\n        return g(k + 1)\\n    return g(0)")
    'g'
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and any(
                isinstance(call, ast.Call) and ast.unparse(call.func) in (
                    node.name, f"self.{node.name}") for call in ast.walk(node)):
            return node.name
    return ""


def find_masks(text: str) -> list[str]:
    """Return the variables of a text that bit operators combine: masks.

    >>> find_masks("free = full & ~(row | left)\\nk = n + 1")
    ['free', 'full', 'left', 'row']
    """
    found = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor() | ast.LShift() |
                           ast.RShift()) | ast.UnaryOp(op=ast.Invert()):
                found |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
            case ast.Assign(value=ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.LShift())):
                found |= {name.id for each in node.targets for name in ast.walk(each)
                          if isinstance(name, ast.Name)}
    for node in ast.walk(ast.parse(text)):  # the distance of a shift is no mask
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift | ast.RShift):
            found -= {name.id for name in ast.walk(node.right) if isinstance(name, ast.Name)}
    return sorted(found)


class Tracer:
    """Follows a search of a program on a board of n queens, line by line."""

    def __init__(self, program: Program, most: float) -> None:
        self.recursive, self.most = find_recursive(program.text), most
        self.function = program.function
        self.lines = 0
        self.calls: list[int] = []  # fresh calls of the recursive function by level
        self._starts: dict[CodeType, int] = {}  # where each function starts in its code
        self._code: CodeType | None = None

    def run(self, n: int) -> Iterator[Any]:
        """Yield the answers of the search; raise EnoughError after `most` lines."""
        old = sys.gettrace()
        forget()
        sys.settrace(self._enter)
        try:
            assert self.function is not None
            found = self.function(n)
            if isinstance(found, Iterator):
                for answer in found:
                    sys.settrace(None)
                    yield answer
                    sys.settrace(self._enter)
            else:
                yield found
        finally:
            sys.settrace(old)

    def finish(self, n: int) -> bool:
        """Run the search; return whether it came to its end within the limit."""
        with suppress(EnoughError):
            exhaust(self.run(n))
            return True
        return False

    def stack(self, frame: FrameType | None) -> list[FrameType]:
        """Return the frames of the program, the outermost first, without those of expressions."""
        found: list[FrameType] = []
        while frame is not None:
            if frame.f_code.co_filename == FILE and not frame.f_code.co_name.startswith("<"):
                found.append(frame)
            frame = frame.f_back
        return found[::-1]

    def _enter(self, frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        if code.co_filename != FILE or code.co_name.startswith("<"):
            return None
        fresh = frame.f_lasti == self._starts.setdefault(code, frame.f_lasti)
        if fresh and code.co_name == self.recursive:
            self._code = code
            level = sum(each.f_code is code for each in self.stack(frame)) - 1
            self.calls += [0] * (level + 1 - len(self.calls))
            self.calls[level] += 1
            self.begin(frame, level)
        return self._follow

    def _follow(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            self.lines += 1
            if self.lines > self.most:
                raise EnoughError
            self.line(frame)
        return self._follow

    def begin(self, frame: FrameType, level: int) -> None:
        """Take note of a new call of the recursive function."""

    def line(self, frame: FrameType) -> None:
        """Take note of a line that runs next."""


class Learner(Tracer):
    """Takes note of what the variables of a program are, and of what they are at its deepest calls.
    """

    def __init__(self, program: Program, n: int) -> None:
        super().__init__(program, 100_000)
        self.n, self._deepest, self._seen = n, 0, 0
        self.held: dict[Reading, set[Columns]] = {}
        self.lengths: dict[str, set[int]] = {}
        self.numbers: dict[str, set[int]] = {}

    def line(self, frame: FrameType) -> None:
        stack = self.stack(frame)
        for name, value in frame.f_locals.items():
            if isinstance(value, int):
                self.numbers.setdefault(name, set()).add(value)
            elif isinstance(value, list | tuple):
                self.lengths.setdefault(name, set()).add(len(value))
        calls = [each for each in stack if each.f_code is self._code]
        if len(calls) < self._deepest or self._seen > DEEPEST:
            return
        if len(calls) > self._deepest:
            self._deepest, self._seen = len(calls), 0
        self._seen += 1
        for owner in stack:
            for name, value in owner.f_locals.items():
                if isinstance(value, list | tuple) and len(value) >= self.n:
                    for skipped in (0, 1):
                        self._hold(name, value[skipped:], skipped=skipped)
        if len(calls) >= self.n:
            for name in calls[0].f_locals:
                values = [each.f_locals.get(name) for each in calls]
                self._hold(name, values[:self.n], each=True)

    def _hold(self, name: str, values: Sequence[Any], **more: Any) -> None:
        for mask, base in (False, 0), (False, 1), (True, 0):
            read = Reading(name, mask=mask, base=base, **more)
            found = tuple(map(read.column, values))
            if len(found) == self.n and None not in found:
                self.held.setdefault(read, set()).add(found)  # type: ignore[arg-type]

    def complete(self, read: Reading) -> Reading:
        """Return a reading with how its list is filled, and the variable with its row."""
        filled = not read.each and min(self.lengths.get(read.name, {0})) >= self.n
        rows = [name for name in ROWS if {*range(read.skipped, self.n + read.skipped)}
                <= self.numbers.get(name, set()) <= {*range(-1, self.n + 2)}]
        return replace(read, filled=filled, row=rows[0] if filled and rows else "")


def learn(program: Program) -> Reading | None:
    """Return where the placement of a program is, None if that is not seen.

    >>> from tracer.code import load, open_listing
    >>> learn(load(open_listing("bitmask"))).name, learn(load(open_listing("recursive"))).name
    ('bit', 'a')
    """
    # A function that only counts has nothing else to show than true solutions.
    reference = find(PLAIN_SEARCH) if program.algorithm.only_counts("python") else program.algorithm
    for n in FORM_N:
        learner, solutions = Learner(program, n), set(reference.solutions(n))
        learner.finish(n)
        known = [read for read, seen in learner.held.items() if solutions and solutions <= seen]
        if known:
            return learner.complete(min(known, key=lambda read: (
                read.each, len(learner.held[read]))))
    return None


class Placer(Tracer):
    """Knows what a search for n queens has placed."""

    def __init__(self, program: Program, n: int, most: int) -> None:
        super().__init__(program, most)
        self.n, self._read = n, learn(program)

    def columns(self, stack: Frames) -> list[int]:
        """Return the columns of the queens, row by row; none where they are not seen."""
        return self._read.columns(stack, self._code, self.n) if self._read else []


class Watcher(Placer):
    """Keeps each step of a search."""

    def __init__(self, program: Program, n: int, most: int) -> None:
        super().__init__(program, n, most)
        form: Any = program.algorithm.form  # type: ignore[attr-defined]
        self.trace, self._drawn = Trace(form.words.startswith("yields")), set[Columns]()
        self._masks = {*find_masks(program.text)}
        self._ids: dict[FrameType, int] = {}

    def begin(self, frame: FrameType, level: int) -> None:
        callers = [each for each in self.stack(frame.f_back) if each in self._ids]
        self.trace.nodes.append((self._ids[callers[-1]] if callers else None, level))
        self._ids[frame] = len(self.trace.nodes) - 1

    def line(self, frame: FrameType) -> None:
        stack = self.stack(frame)
        calls = [self._ids[each] for each in stack if each in self._ids]
        queens = self.columns(stack)
        if len(queens) == self.n and Placement(queens).is_solution:
            self._drawn.add(tuple(queens))
        before = self.trace.steps[-1] if self.trace.steps else None
        back = before is not None and (len(calls) < len(before["path"]) if self.recursive
                                       else len(queens) < len(before["queens"]))
        self.trace.steps.append({
            "line": frame.f_lineno, "stack": [(each.f_code.co_name, each.f_lineno)
                                              for each in stack],
            "variables": [(name, *self._show(name, value))
                          for name, value in frame.f_locals.items() if not callable(value)],
            "queens": queens, "path": calls, "made": len(self.trace.nodes), "back": back,
            "solutions": len(self.trace.solutions if self.trace.yields else self._drawn)})

    def _show(self, name: str, value: Any) -> tuple[str, int | None]:
        """Return the text of a value, and the mask that it is."""
        mask = (value if name in self._masks and isinstance(value, int)
                and not isinstance(value, bool) else None)
        try:
            text = repr(value)
        except Exception as error:  # whatever a class of the program raises
            text = f"<{type(error).__name__}>"
        return text if len(text) <= LONGEST else text[:LONGEST - 1] + "…", mask


def watch(program: Program, n: int, most: int = MOST) -> Trace:
    """Return the steps of a search for n queens, at most `most`.

    >>> from tracer.code import load, open_listing
    >>> found = watch(load(open_listing("recursive")), 4)
    >>> len(found.nodes), found.solutions, found.whole
    (17, [(1, 3, 0, 2), (2, 0, 3, 1)], True)
    """
    watcher = Watcher(program, n, most)
    trace, form = watcher.trace, program.algorithm.form  # type: ignore[attr-defined]
    with suppress(EnoughError):
        for answer in watcher.run(n):
            if form.kind:
                for each in [answer] if trace.yields else answer:
                    with suppress(ValueError, TypeError, IndexError):  # that a check names
                        trace.solutions.append(form.columns(each, n))
        trace.whole = True
    return trace

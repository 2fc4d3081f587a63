"""The listing of an algorithm: its search as it is written, with the lines of its idea marked.

The listing includes what the search calls: all functions and classes of its own file, and those of
other files that also count. A line carries the idea of the algorithm if its comment begins with
`idea`; the rest of the comment says why. So the mark stays with the code:

    free = full & ~(row | left | right)  # idea: all attacked columns in one step
"""

import ast
import linecache
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from inspect import getdoc, getsourcelines, unwrap
from pathlib import Path
from textwrap import dedent
from tokenize import COMMENT, generate_tokens
from types import CodeType, FunctionType, ModuleType
from typing import Any

from nqbench.errors import BuildError
from nqbench.problems.plugins import is_outside
from nqbench.search.algorithm import FAMILY, Algorithm, Tree
from nqbench.search.builds import Code, codes, functions_of, look_up
from nqbench.search.syntax import NAME, is_counting

IDEA = re.compile(r"#\s*idea\b")
TALLIED = re.compile(rf",\s*{NAME}(: Tally)?(?=[,)])")  # a parameter, or an argument


@dataclass(frozen=True)
class Block:
    """Adjacent lines of a file.

    Attributes
    ----------
    file
        name of the file.
    first
        number of the first line.
    lines
        the lines, without the indentation that they share.
    ideas
        numbers of the lines that carry the idea.
    """

    file: str
    first: int
    lines: tuple[str, ...]
    ideas: tuple[int, ...]


def listing(algorithm: Algorithm[Any, Any]) -> list[Block]:
    """Return the listing of an algorithm, by file; empty if its source cannot be read.

    >>> from nqbench.problems.queens import find
    >>> (block,) = listing(find("bitmask"))
    >>> [block.lines[number - block.first].split("  #")[0].strip() for number in block.ideas]
    ['free = full & ~(row | left | right)']
    >>> [block.file for block in listing(find("dancing_links"))]
    ['dancing_links.py', 'dancing_links.py', 'exact_cover.py']
    """
    parts: dict[str, list[Code]] = {}
    for part in _reached(algorithm):
        parts.setdefault(_file(part), []).append(part)
    try:
        return [block for file, shown in parts.items() for block in _blocks(file, shown)]
    except (OSError, SyntaxError, BuildError):  # the file is gone, or was changed meanwhile
        return []


def strip(block: Block) -> Block:
    """Return a block as it would be without counting: without the statements of the tally and its
    parameter. Its lines count from 1.

    >>> from nqbench.problems.queens import find
    >>> (block,) = map(strip, listing(find("bitmask")))
    >>> any("tally" in line for line in block.lines), block.lines[0]
    (False, 'def visits(n: int) -> Placements:')
    """
    nodes = [*ast.walk(ast.parse("\n".join(block.lines)))]
    spans = [(node.lineno, node.end_lineno or node.lineno)
             for node in nodes if isinstance(node, ast.stmt) and is_counting(node)]
    spans += [((node.body[-1].end_lineno or 0) + 1, node.orelse[-1].end_lineno or 0)
              for node in nodes if isinstance(node, ast.If | ast.For | ast.While)
              and node.orelse and all(map(is_counting, node.orelse))]
    counting = {number for first, last in spans for number in range(first, last + 1)}
    kept = [line for number, line in enumerate(block.lines, 1) if number not in counting]
    lines = tuple(TALLIED.sub("", "\n".join(kept)).split("\n"))
    return Block(block.file, 1, lines, find_ideas(lines))


def find_ideas(lines: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers, from 1, of the lines that carry the idea."""
    return tuple(number for number, line in enumerate(lines, 1) if IDEA.search(line))


def describe(algorithm: Algorithm[Any, Any]) -> str:
    """Return the author's description of an algorithm: the docstring of the file of a built-in
    algorithm, and of the function of another one; its technique if there is none. One of a family
    has both.

    >>> from nqbench.problems.queens import find
    >>> describe(find("brute_force")).partition(".")[0]
    'All n^n ways to place one queen in each row, each checked when it is complete'
    """
    start = _start(algorithm)
    if start is None:
        return algorithm.technique
    told = [] if is_outside(algorithm) else [getdoc(sys.modules[start.__module__])]
    if not told or start.__module__.endswith(FAMILY):
        told.insert(0, getdoc(start))
    return "\n\n".join(filter(None, told)) or algorithm.technique


def describe_worst_case(algorithm: Algorithm[Any, Any]) -> str:
    """Return how much an algorithm searches at most, in words; empty if it is not known.

    >>> from nqbench.problems.queens import find
    >>> describe_worst_case(find("permutations"))
    'n! placements, each looked at when it is complete'
    >>> describe_worst_case(find("flat_marks")).partition("; ")[2]
    'a test reads marks or masks, for any n'
    """
    if algorithm.worst_case or algorithm.tree != Tree.PLAIN or algorithm.problem != "queens":
        return algorithm.worst_case
    test = ("reads marks or masks, for any n" if algorithm.keeps_marks else
            "looks at the earlier rows, up to n")
    return ("the plain tree, fewer than 2.72 n! nodes: at most n! / (n-k)! on level k, as no two "
            f"queens share a column; a test {test}")


def _start(algorithm: Algorithm[Any, Any]) -> FunctionType | None:
    """Return the function that searches; None if there is none in Python."""
    found = unwrap(algorithm.functions[0]) if algorithm.functions else None
    return found if isinstance(found, FunctionType) else None


def _reached(algorithm: Algorithm[Any, Any]) -> list[Code]:
    """Return the search, its class if that is in the same file, and everything that these call by
    name.
    """
    start = _start(algorithm)
    if start is None:
        return []
    found: list[Any] = [start, *algorithm.functions[1:]]
    if type(algorithm).__module__ == start.__module__:
        found.append(type(algorithm))
    for part in found:  # which grows
        for function in functions_of(part):
            found += [each for each in dict.fromkeys(_called(function)) if each not in found]
    return found


def _names(code: CodeType) -> set[str]:
    """Return the global names and attributes in the code and in the functions within it."""
    return {name for inner in codes(code) for name in inner.co_names}


def _called(function: FunctionType) -> Iterator[Code]:
    """Yield the objects that a function names, directly or in a module, if a listing shows them."""
    names = sorted(_names(function.__code__))
    space = function.__globals__
    known = [look_up(space, name) for name in names if name in space]
    inside = [vars(module)[name] for module in known if isinstance(module, ModuleType)
              for name in names if name in vars(module)]
    for value in map(unwrap, known + inside):
        if isinstance(value, Code) and (value.__module__ == function.__module__ or (
                isinstance(value, FunctionType) and NAME in value.__code__.co_varnames)):
            yield value


def _file(part: Code) -> str:
    if isinstance(part, FunctionType):
        return part.__code__.co_filename
    return getattr(sys.modules[part.__module__], "__file__", None) or ""


def _blocks(file: str, parts: list[Code]) -> Iterator[Block]:
    """Yield the definitions of these parts, and the constants that they use, as they are written.
    """
    linecache.checkcache(file)
    lines = linecache.getlines(file)
    statements = ast.parse("".join(lines)).body
    ideas = {token.start[0] for token in generate_tokens(iter([*lines, ""]).__next__)
             if token.type == COMMENT and IDEA.match(token.string)}
    used = {name for part in parts for each in functions_of(part) for name in _names(each.__code__)}
    spans = [(node.lineno, node.end_lineno or node.lineno) for node in statements
             if isinstance(node, ast.Assign) and any(
                 isinstance(target, ast.Name) and target.id in used for target in node.targets)]
    for part in parts:
        inner, first = getsourcelines(part)
        spans.append((first, first + len(inner) - 1))
    for first, last in sorted(spans):
        text = dedent("".join(lines[first - 1:last]))
        yield Block(Path(file).name, first, tuple(text.splitlines()),
                    tuple(sorted(ideas & set(range(first, last + 1)))))

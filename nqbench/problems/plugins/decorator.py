"""Make an algorithm of a generator function, and add implementations to it; or a composed search of
a rule.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from inspect import signature, unwrap
from typing import Any, NoReturn, cast, get_args, get_type_hints, overload

from nqbench.errors import InvalidTypeError, InvalidValueError, MiscountError, PluginError
from nqbench.problems import PROBLEMS
from nqbench.problems.plugins import registry
from nqbench.problems.plugins.registry import QUEENS, describe_failure, register, require_name
from nqbench.problems.queens.base import MEMORY, PART, RECURSION, Finds, Search, Tally, Tree
from nqbench.search.algorithm import Algorithm, PythonBuilds
from nqbench.search.implementations import Implementation
from nqbench.search.metrics import declare
from nqbench.util.arguments import require_text, require_whole
from nqbench.util.text import unknown

SIMPLE = {int, bool, str, type(None)}  # types of attributes that are checked


class CountOnly(Implementation):
    """An implementation that is a function: it returns the number of all solutions.

    Where the search uses the mirror, `count` is half of that, as in other implementations.
    """

    only_counts = True
    largest_n = MEMORY

    def __init__(self, search: Search, name: str, function: Callable[[int], int]) -> None:
        self.search_of, self.name, self.function = search, name, function

    def count(self, n: int) -> int:
        try:
            found = require_whole(self.function(n), "its count")
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            raise PluginError(f"the plug-in {self} failed at n = {n}: "
                              f"{describe_failure(error)}") from error
        if not self.search_of.doubles(n):
            return found
        if found % 2:
            raise MiscountError(f"{self} counts {found} at n = {n}, which cannot be: the solutions "
                                "are pairs of mirror images")
        return found // 2

    def __str__(self) -> str:
        return f"{self.search_of.name} ({self.name})"

    def _refuse(self, *_: int) -> NoReturn:
        raise InvalidValueError(f"{self.search_of.name} only counts in {self.name}")

    by_first_queen = tally = visits = _refuse


class _CheckedBuilds(PythonBuilds[Any, Any]):
    """The builds of a plug-in, whose answers are checked: to be placements, or to be solutions of
    the instance for another problem than queens.
    """

    def __init__(self, search: Any) -> None:
        super().__init__(search.search, search.tally, dict(search.given),
                         largest_n=search.largest_n, counters=search.counters)
        self.algorithm = search

    def visits(self, instance: Any) -> Iterator[Any]:
        return map(partial(self._require, instance), super().visits(instance))

    def follow(self, instance: Any, tally: Tally) -> Iterator[Any]:
        answers = super().follow(instance, tally)
        if self.algorithm.problem == QUEENS:
            return answers
        return map(partial(self._require, instance), answers)

    def _require(self, instance: Any, answer: Any) -> Any:
        name, problem = self.algorithm.name, self.algorithm.problem
        if problem == QUEENS:
            if not is_placement(answer, instance, self.algorithm.finds == PART):
                raise InvalidValueError(f"{name} yields {answer!r} at n = {instance}, not a tuple "
                                        f"of {instance} columns from 0 to {instance - 1}")
            return tuple(answer)
        try:
            solves = isinstance(answer, list | tuple) and PROBLEMS[problem].is_solution(
                instance, answer)
        except (TypeError, ValueError):  # of other items
            solves = False
        if not solves:
            raise PluginError(f"the plug-in {name} yields {answer!r:.80}, which is no solution of "
                              f"{PROBLEMS[problem].text(instance)!r:.200}")
        return answer


def is_placement(answer: object, n: int, partial: bool = False) -> bool:
    """Return whether an answer is a list or tuple of n columns, or of fewer if `partial`.

    >>> is_placement((1, 3, 0, 2), 4), is_placement((1, 3, 0), 4), is_placement(7, 4)
    (True, False, False)
    """
    return isinstance(answer, list | tuple) and (
        len(answer) == n or (partial and len(answer) < n)) and all(
        hasattr(c, "__index__") and 0 <= c < n for c in answer)


class Generating:
    """An algorithm made by `algorithm`, which can be called like its generator."""

    search: Callable[..., Iterator[Any]]
    problem: str

    def __call__(self, *arguments: Any, **named: Any) -> Iterator[Any]:
        """Run the generator itself."""
        return self.search(*arguments, **named)

    @property
    def __wrapped__(self) -> Callable[..., Iterator[Any]]:
        """Return the generator, for builds that call it by the name of the algorithm."""
        return self.search

    @cached_property
    def python(self) -> PythonBuilds[Any, Any]:
        return _CheckedBuilds(self)


class _Solving(Generating):
    """An algorithm for another problem than queens."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the state to pickle; unpickling makes the class again."""
        return _begin, (self.problem,), cast(Algorithm[Any, Any], self).__getstate__()


@dataclass(frozen=True, kw_only=True)
class Plugin(Generating, Search):
    """An algorithm of queens made by `algorithm`: a `Search` that can be called like its generator.
    """

    counts: dict[str, Callable[[int], int]] = field(default_factory=dict, compare=False)

    def implement(self, name: str, count: Callable[[int], int]) -> None:
        """Add an implementation: a function that returns the number of all solutions for n queens,
        also where the search uses the mirror.

        It is counted, checked and timed like the others; `my_idea@NAME` chooses it.

        Raises
        ------
        TypeError, ValueError
            if the name is not an identifier or is taken, or if `count` cannot be called.

        Examples
        --------
        >>> import nqbench
        >>> @nqbench.algorithm
        ... def doubled(n, tally):
        ...     yield from ()
        >>> doubled.implement("table", [1, 1, 0, 0, 2, 10, 4, 40, 92].__getitem__)
        >>> doubled.count(8, "table")
        92
        """
        require_name(name, "an implementation")
        if name in ("python", "cython"):
            raise InvalidValueError(f"the name {name!r} is taken by a built-in implementation; "
                                    "choose another name")
        if not callable(count):
            raise InvalidTypeError(f"an implementation must be a function of n, not {count!r}")
        self.counts[name] = count
        self.__dict__.pop("implementations", None)

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        counts = {} if self.given else self.counts  # they take no parameters
        return {**super().implementations, **{
            name: CountOnly(self, name, count) for name, count in counts.items()}}


@cache
def _find_class(problem: str) -> type[Any]:
    """Return the class of the algorithms that `algorithm` makes for a problem.

    Raises
    ------
    InvalidValueError
        if there is no such problem, or if it takes no external algorithms.
    """
    if problem == QUEENS:
        return Plugin
    kind = PROBLEMS.find(problem).search
    if kind is None:
        raise InvalidValueError(f"the problem {problem} takes no external algorithms")
    made = type("Plugin", (_Solving, kind), {"problem": problem, "__doc__": kind.__doc__})
    return dataclass(frozen=True, kw_only=True)(made)


def _begin(problem: str) -> Any:
    """Return an algorithm without attributes, for its copy in another process."""
    return object.__new__(_find_class(problem))


def _require_parameters(search: Callable[..., Any], *names: str) -> None:
    """Reject a function that cannot be called with arguments of these names."""
    with suppress(ValueError):  # a function without a signature
        try:
            signature(search).bind(*names)
        except TypeError as error:
            name = getattr(search, "__name__", repr(search))
            code = getattr(unwrap(search), "__code__", None)
            raise InvalidTypeError(f"{name} must be a function of {' and '.join(names)}, as in "
                                   f"`def {name}({', '.join(names)})` ({error}"
                                   + (f"; line {code.co_firstlineno})" if code else ")")) from None


def _require_types(kind: type, given: Mapping[str, Any]) -> None:
    """Check the values of attributes that are numbers, texts, or True or False.

    >>> _require_types(_find_class("queens"), {"largest_n": "8"})
    Traceback (most recent call last):
        ...
    TypeError: largest_n must be of type int, not '8'
    """
    hints = get_type_hints(kind)
    for name, value in given.items():
        allowed = get_args(hints.get(name)) or (hints.get(name),)
        if SIMPLE.issuperset(allowed) and type(value) not in allowed:
            raise TypeError(f"{name} must be of type "
                            f"{' or '.join(each.__name__ for each in allowed)}, not {value!r}")
    if given.get("largest_n", 1) < 1:
        raise ValueError(f"largest_n must be 1 or more, not {given['largest_n']}")
    if given.get("core") is not None:
        raise ValueError("core is for the algorithms of nqbench; an external one gets compiled "
                         "code by `implement`")


@overload
def algorithm(search: Callable[..., Iterator[Any]], /, **attributes: Any) -> Any: ...
@overload
def algorithm(*, name: str | None = ..., technique: str | None = ..., origin: str | None = ...,
              tree: str = ..., finds: str = ..., problem: str = ...,
              counters: Mapping[str, str | tuple[str, str]] | None = ...,
              **attributes: Any) -> Callable[[Callable[..., Iterator[Any]]], Any]: ...
def algorithm(search: Callable[..., Iterator[Any]] | None = None, /, *,
              name: str | None = None, technique: str | None = None, origin: str | None = None,
              tree: str = Tree.OWN, finds: str = Finds.ALL, problem: str = QUEENS,
              counters: Mapping[str, str | tuple[str, str]] | None = None,
              **attributes: Any) -> Any:
    """Make an algorithm from a generator function; a decorator.

    The function gets n and a tally, reports its steps to the tally (see `nqbench.search.tally`),
    and yields each solution as a tuple of columns. The result is an algorithm, which every function
    of nqbench accepts in place of a name, and can still be called as the generator.

    Further parameters of the function are those of the algorithm, if their defaults are numbers,
    texts, or True or False. `my_idea:depth=2,order=fewest` is a variant with other values.

    For another problem, the function gets an instance in place of n: a
    `nqbench.problems.instances.Board` with `problem="instances"`, and 81 digits with
    `problem="sudoku"`.

    Parameters
    ----------
    search
        the generator function.
    name
        its name in commands and records. Default: the name of the function.
    technique
        how it works, in a few words. Default: the first line of its docstring.
    origin
        where it comes from. Default: its file.
    tree
        "plain" if its tree is that of all free columns, row by row; "own" (default) or "none".
    finds
        what it finds, one of `nqbench.problems.queens.Finds`. Default: all solutions.
    problem
        the problem that it solves, a name in `nqbench.problems.PROBLEMS`.
    counters
        counters of its own: for each name, what it counts, or its unit and what it counts, as in
        `{"looks": "squares looked at"}`. The search counts it by `tally.looks += 1`.
    **attributes
        any other attribute of `nqbench.problems.queens.Search`, such as `largest_n`, or
        `mirrors=True` for a search that reaches one of each two mirror images; for another problem,
        any other attribute of its class, such as `nqbench.problems.instances.Search`.

    Raises
    ------
    TypeError, ValueError
        if an attribute is not allowed, or the name is that of a built-in algorithm.

    Examples
    --------
    The whole of a file look_ahead.py: reject a queen that leaves a later row without a free square.

    >>> import nqbench
    >>> @nqbench.algorithm(technique="bit masks, refuses what empties a row", origin="this example")
    ... def look_ahead(n, tally):
    ...     full = (1 << n) - 1
    ...     def place(columns, taken, left, right):
    ...         row = level = len(columns)
    ...         tally.node(level)
    ...         if level == n:
    ...             tally.solution()
    ...             yield tuple(columns)
    ...             return
    ...         for column in range(n):
    ...             bit = 1 << column
    ...             tally.test(row, column)
    ...             lines = taken | bit, (left | bit) << 1, (right | bit) >> 1
    ...             if not bit & (taken | left | right) and all(
    ...                     full & ~(lines[0] | lines[1] << k | lines[2] >> k)
    ...                     for k in range(n - row - 1)):
    ...                 yield from place([*columns, column], *lines)
    ...         tally.exhausted(level)
    ...     yield from place([], 0, 0, 0)

    It counts, and its tree is smaller than the plain one:

    >>> nqbench.count(8, algorithm=look_ahead)
    92
    >>> nqbench.profile(8, look_ahead).nodes, nqbench.profile(8, "bitmask").nodes
    (1165, 2057)
    """
    if search is None:
        return lambda function: algorithm(function, name=name, technique=technique, origin=origin,
                                          tree=tree, finds=finds, problem=problem,
                                          counters=counters, **attributes)
    if not callable(search):
        raise InvalidTypeError(f"an algorithm must be a generator function, not {search!r}")
    _require_parameters(search, "n" if problem == QUEENS else "instance", "tally")
    own = registry.describe(search)
    usual: dict[str, Any] = {"largest_n": RECURSION} if problem == QUEENS else {}
    if attributes.get("mirrors"):
        usual |= {"symmetry": "mirror", "uses_symmetry": True}
    given: dict[str, Any] = {"year": None} | usual | attributes
    try:
        kind = _find_class(require_text(problem, "problem"))
        _require_types(kind, given)
        made = kind(
            search=search, name=search.__name__ if name is None else name,
            technique=own["technique"] if technique is None else technique or "not described",
            origin=own["origin"] if origin is None else origin,
            tree=Tree(tree), finds=Finds(finds),
            counters=declare(counters or {}, partial(hasattr, Tally)), **given)
    except (TypeError, ValueError) as error:
        wrong = InvalidTypeError if isinstance(error, TypeError) else InvalidValueError
        raise wrong(f"{search.__name__}: {str(error).removeprefix('Plugin.__init__() ')}") from None
    return register(made)


@overload
def rule(refuse: Callable[..., Any], /, **parts: str | int) -> Any: ...
@overload
def rule(**parts: str | int) -> Callable[[Callable[..., Any]], Any]: ...
def rule(refuse: Callable[..., Any] | None = None, /, **parts: str | int) -> Any:
    """Make a search of a rule, a decorator: forward checking that also removes the squares that the
    rule refuses. It stands where every other search in instances does, and takes the parts of the
    composed search, as in `pairs.py::pairs:order=dom,back=cbj`.

    The function gets the board and the open rows with their free squares, a mask of columns by row;
    if `lines=both`, then the turned board and its rows. It yields a line, a mask of its squares
    that are in no solution, and perhaps the lines whose losses show that; all, if it does not say,
    which is always true of what is concluded from free squares. It is called again until it removes
    nothing. Further parameters are those of the search, as for `nqbench.algorithm`.

    Parameters
    ----------
    refuse
        the function.
    **parts
        parts other than the usual ones, as in `@nqbench.rule(order="dom")`; `ahead` is `fc` unless
        given.

    Raises
    ------
    TypeError, ValueError
        if the function takes other arguments, a part does not exist, or the name is taken.

    Examples
    --------
    The whole of a file pairs.py: two rows with the same two free squares take them from all others.

    >>> import nqbench
    >>> @nqbench.rule
    ... def pairs(board, free):
    ...     for row, mask in free.items():
    ...         same = [each for each in free if free[each] == mask]
    ...         if mask.bit_count() == 2 == len(same):
    ...             for other in free.keys() - same:
    ...                 yield other, mask, same
    >>> from nqbench.problems.instances import Board, find
    >>> [find(name).profile(Board(8)).nodes for name in ("forward_checking", "pairs")]
    [1165, 1151]
    """
    from nqbench.problems.instances.composed_family import USUAL, compose

    if refuse is None:
        return lambda function: rule(function, **parts)
    name = getattr(refuse, "__name__", repr(refuse))
    _require_parameters(refuse, "board", "free")
    for own in [*signature(refuse).parameters][2:]:
        if own in USUAL:
            raise InvalidValueError(f"{own} is a part of the search; give the parameter of {name} "
                                    "another name")
    for part, value in parts.items():
        if part not in USUAL:
            raise InvalidValueError(unknown("part", part, USUAL))
        if type(value) is not type(USUAL[part]):
            raise InvalidTypeError(f"{part} must be like {USUAL[part]!r}, not {value!r}")
    made = compose(name, {"ahead": "fc", **parts}, [*USUAL], search=refuse, year=None,
                   order=100, **registry.describe(refuse))
    return register(made)

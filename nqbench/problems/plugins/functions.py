"""Functions of n that were not written for nqbench, as algorithms: unchanged, with whatever they
return (`nqbench.problems.plugins.answers`). They report no steps, so nothing is counted but their
solutions.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, wraps
from inspect import Parameter, isclass, signature
from sys import getrecursionlimit
from typing import Any

from nqbench.errors import InvalidValueError, PluginError
from nqbench.problems.plugins.answers import Form, is_number, recognise
from nqbench.problems.plugins.decorator import CountOnly, Plugin
from nqbench.problems.plugins.mistakes import find_mistake
from nqbench.problems.plugins.registry import describe_failure, describe_home, home
from nqbench.search.algorithm import Tree
from nqbench.search.board import Columns
from nqbench.search.builds import Kind
from nqbench.search.implementations import PythonBuilds
from nqbench.search.metrics import STATEMENTS
from nqbench.search.tally import Tally


def pick(members: Mapping[str, Any], path: str) -> Callable[[int], Any] | None:
    """Return the function of this name, or the method as in `Solution.totalNQueens` of a class that
    needs no arguments; None if there is none.
    """
    owner, _, name = path.rpartition(".")
    found: Any = members.get(owner or name)
    if owner:
        found = getattr(found() if isclass(found) else found, name, None)
    return found if callable(found) and not isclass(found) else None


def takes_only_n(function: Callable[..., Any]) -> bool:
    """Return whether a function can be called with n alone.

    >>> takes_only_n(lambda n, first=None: 0), takes_only_n(lambda n, tally: 0)
    (True, False)
    """
    try:
        found = [each for each in signature(function).parameters.values()
                 if each.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
    except (TypeError, ValueError):  # no function of Python
        return True
    return bool(found) and sum(each.default is Parameter.empty for each in found) <= 1


class _Builds(PythonBuilds[int, Columns]):
    """A function that is called as it is: what is timed does not read its answers."""

    def __init__(self, search: "Undecorated") -> None:
        super().__init__(search.search, search.tally, largest_n=search.largest_n)
        self.function, self.form, self.name = search.function, search.form, search.name

    def run(self, kind: Kind, instance: int) -> Iterator[Columns]:
        return self.answers(instance)

    def answers(self, n: int) -> Iterator[Columns]:
        for number, answer in enumerate(self.function(n), 1):
            try:
                yield self.form.columns(answer, n)
            except (ValueError, TypeError, IndexError) as error:
                raise PluginError(f"the plug-in {self.name} {self.form.words}, but solution "
                                  f"{number} at n = {n} is {answer!r:.80}: {error}") from None

    def count(self, instance: int) -> int:
        found = self.function(instance)
        if is_number(found):
            return int(found)
        return len(found) if hasattr(found, "__len__") else sum(1 for _ in found)

    def compare(self, name: str, instances: object) -> None:
        """Do nothing: there is one build."""


@dataclass(frozen=True, kw_only=True)
class Undecorated(Plugin):
    """A function of n as an algorithm.

    Attributes
    ----------
    function
        what is called.
    form
        the form of its answers.
    place
        its notation.
    """

    function: Callable[[int], Any]
    form: Form
    place: str

    @cached_property
    def python(self) -> PythonBuilds[int, Columns]:
        return _Builds(self)

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        return super().implementations if self.form.kind else {
            "python": CountOnly(self, "python", self.function)}

    @property
    def form_in_words(self) -> str:
        """Return what was recognised in its answers."""
        return self.form.words

    uncounted = frozenset(STATEMENTS)  # all of them


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
            f"{name} must be a function of n alone, or of n and tally with @nqbench.algorithm")
    try:
        form = recognise(function)
    except Exception as error:  # whatever it raises
        advice = (f"Python allows {getrecursionlimit():,} calls within each other; does it end?"
                  if isinstance(error, RecursionError) else find_mistake(function))
        raise InvalidValueError(f"{name} cannot be used: {describe_failure(error)}"
                                + (f"; {advice}" if advice else "")) from error

    @wraps(function)
    def visits(n: int, tally: Tally) -> Iterator[Columns]:
        for columns in made.python.answers(n):  # type: ignore[attr-defined]
            tally.solution()
            yield columns

    title = (function.__doc__ or "").strip().partition("\n")[0]
    made = Undecorated(name=name, function=function, form=form, place=place, search=visits,
                       technique=title or "not described", origin=describe_home(home(function)),
                       tree=Tree.NONE, row_by_row=False)
    return made


"""The problems: a folder for each, with its algorithms.

>>> {"queens", "sudoku"} <= set(PROBLEMS)
True
>>> PROBLEMS["queens"].find("somers").count(8)
92
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, TextIO, cast

from nqbench.errors import InvalidValueError
from nqbench.search.algorithm import (
    Algorithm,
    Catalogue,
    Choice,
    Entry,
    Finds,
    Tree,
    find_algorithm,
)
from nqbench.search.implementations import Answer, Bounded, Implementation, Instance, Outcome
from nqbench.util.arguments import require_text
from nqbench.util.discovery import Folder
from nqbench.util.text import unknown

__all__ = ["PROBLEMS", "Algorithm", "Bounded", "Catalogue", "Choice", "DataSet", "Finds",
           "Implementation", "Outcome", "OwnCatalogue", "Problem", "Tree"]


@dataclass(frozen=True, kw_only=True)
class Problem(Generic[Instance, Answer]):
    """A problem that backtracking solves. To add one, write `nqbench/problems/NAME.py`, or a folder
    of this name, with `PROBLEM = Problem(...)`.

    Attributes
    ----------
    name
        the name of the problem and of its file.
    catalogue
        its algorithms by name: the `Catalogue` of a package, or a dictionary.
    is_solution
        a function that returns whether an answer solves an instance.
    parse, text
        functions that return an instance from its text, and its text, which is one line.
    size
        a function that returns the n of an instance in records.
    noun
        the word for an instance in messages.
    search
        the class of its algorithms, from which `nqbench.algorithm` makes external ones; None if it
        accepts none.
    permute
        a function that permutes an instance at random, so that only names and places differ; None
        if there is none. Then instances are rated as given.
    data_sets
        named sets of instances, each a function that returns them. On each set, a study rates all
        algorithms that can stop at a budget.
    form
        what its texts are, in words; empty if no command takes one.
    recognises
        a function that returns whether a text, or the first line of a file, is one of its own.
    read
        a function that yields the instances of an open file as they are read; None if a command
        takes only one, as text.
    contradiction
        a function that returns why an instance cannot have a solution, if that is plain to see.
    show
        a function that returns the line of an answer.
    defaults
        the algorithms that a command may use by default, the best first. Default: the first one.

    Examples
    --------
    The whole of a file books.py, the orders of n books in which no book keeps its place:

    >>> from nqbench.problems import Algorithm, Problem
    >>> class Books(Algorithm[int, tuple[int, ...]]):
    ...     def small_instances(self):
    ...         return {f"n = {n}": n for n in range(6)}
    >>> def visits(n, tally):
    ...     def place(order):
    ...         tally.node(len(order))
    ...         if len(order) == n:
    ...             tally.solution()
    ...             yield tuple(order)
    ...         for book in range(n):
    ...             if book != len(order) and book not in order:
    ...                 yield from place([*order, book])
    ...         tally.exhausted(len(order))
    ...     return place([])
    >>> PROBLEM = Problem(
    ...     name="books", parse=int, size=int,
    ...     catalogue={"naive": Books(name="naive", origin="this example", year=2026,
    ...                               technique="one place after the other", search=visits)},
    ...     is_solution=lambda n, order: sorted(order) == list(range(n)) and all(
    ...         place != book for place, book in enumerate(order)))

    What the rest of the package does with it:

    >>> naive = PROBLEM.find("naive")
    >>> naive.count(4), naive.profile(4).nodes, naive.solve(4, nodes=5).answer
    (9, 31, 'found')
    >>> PROBLEM.wrong_answers("naive", "python", 4)
    []
    """

    name: str
    catalogue: Mapping[str, Algorithm[Instance, Answer]]
    is_solution: Callable[[Instance, Answer], bool]
    parse: Callable[[str], Instance]
    text: Callable[[Instance], str] = str
    size: Callable[[Instance], int]
    noun: str = "instance"
    search: type[Algorithm[Any, Any]] | None = None
    permute: Callable[[Instance, Random], Instance] | None = None
    data_sets: Mapping[str, Callable[[], Sequence[Instance]]] = field(default_factory=dict)
    form: str = ""
    recognises: Callable[[str], object] = lambda text: False
    read: Callable[[TextIO], Iterator[Instance]] | None = None
    contradiction: Callable[[Instance], str | None] = lambda instance: None
    show: Callable[[Answer], str] = lambda answer: " ".join(map(str, cast(Iterable[Any], answer)))
    defaults: Sequence[str] = ()

    def find(self, algorithm: str) -> Algorithm[Instance, Answer]:
        """Return an algorithm by its name, which may have a value after a colon.

        Raises
        ------
        TypeError, ValueError
            if there is none, naming the nearest names.
        """
        if isinstance(self.catalogue, Catalogue):
            found: Algorithm[Instance, Answer] = self.catalogue.find(algorithm)
            return found
        return find_algorithm(self.catalogue, algorithm)

    def choose(self, algorithm: str | None = None,
               implementation: str | None = None) -> tuple[Algorithm[Instance, Answer], str]:
        """Return an algorithm and the name of its implementation: by default the best algorithm,
        and its fastest implementation.

        Raises
        ------
        TypeError, ValueError
            if there is none.

        Examples
        --------
        >>> PROBLEMS["instances"].choose()[1]
        'python'
        """
        for name in [algorithm] if algorithm else self.defaults or [*self.catalogue][:1]:
            found = self.find(name)
            for way in reversed(list(found.implementations)):
                if implementation in (None, way):
                    return found, way
        raise InvalidValueError(found.describe_missing(implementation))

    @property
    def counters(self) -> tuple[str, ...]:
        """The names of its counters.

        >>> set(PROBLEMS["sudoku"].counters) - set(PROBLEMS["queens"].counters)
        {'guesses'}
        """
        algorithm = next(iter(self.catalogue.values()))
        smallest = next(iter(algorithm.small_instances().values()))
        return tuple(algorithm.tally(smallest).counters())

    def data_set(self, name: str) -> "DataSet":
        """Return one of the data sets.

        Raises
        ------
        TypeError, ValueError
            if there is none of this name.
        """
        if require_text(name, "data set") not in self.data_sets:
            raise InvalidValueError(unknown("data set", name, self.data_sets))
        return DataSet(self, name, self.data_sets[name]())

    def wrong_answers(self, algorithm: str, implementation: str,
                      instance: Instance) -> list[Answer]:
        """Return the answers of an algorithm that are not solutions of the instance, or that it has
        yielded before.
        """
        seen: set[str] = set()
        wrong = []
        for answer in map(copy, self.find(algorithm).solutions(instance, implementation)):
            if repr(answer) in seen or not self.is_solution(instance, answer):
                wrong.append(answer)
            seen.add(repr(answer))
        return wrong


class OwnCatalogue(Catalogue[Entry]):
    """The algorithms in the folder of a problem of nqbench; `find` also knows external ones.

    Parameters
    ----------
    package
        the name of the folder's package, whose last part is the name of the problem.
    noun
        the word for an algorithm in messages.
    shared
        modules in the folder that are no algorithms, beside `base`.
    """

    def __init__(self, package: str, noun: str = "algorithm",
                 shared: Collection[str] = ()) -> None:
        super().__init__(package, noun, shared)
        self.problem = package.rpartition(".")[2]

    def find(self, name: str | Entry) -> Entry:
        if isinstance(name, str) and name in self:
            return self[name]
        from nqbench.problems import plugins

        found: Any = plugins.find(name, self.problem)
        return cast(Entry, found)


@dataclass(frozen=True)
class DataSet:
    """Instances of a problem, with a name: all of them, or some drawn at random."""

    problem: Problem[Any, Any]
    name: str
    instances: Sequence[Any]
    drawn_from: int | None = None


PROBLEMS: Folder[Problem[Any, Any]] = Folder(
    __name__, "PROBLEM", "problem", {"forecast", "peers", "plugins", "published", "solver"})

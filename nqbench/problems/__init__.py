"""The problems: a folder for each, with its algorithms.

>>> {"queens", "sudoku"} <= set(PROBLEMS)
True
>>> PROBLEMS["queens"].find("somers").count(8)
92

A solver is an algorithm with one of its implementations, and for the engine a kernel and threads.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, TextIO, cast

from nqbench.errors import InvalidValueError, NqbenchError
from nqbench.search import algorithm as searching
from nqbench.search.algorithm import Algorithm, Catalogue, Entry, Finds, Outcome, Tree
from nqbench.util.discovery import Folder
from nqbench.util.text import plural

__all__ = ["PROBLEMS", "SECONDS", "Algorithm", "Catalogue", "DataSet", "Finds",
           "Outcome", "Problem", "Solver", "SolverKey", "Tree"]

SECONDS = 10.0  # budget of `Problem.solve`, unless another is given
MOST_SKIPPED = 20  # invalid instances of a file that are named; the others are counted


@dataclass(frozen=True, kw_only=True)
class Problem(Generic[Entry]):
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
        a function that yields the instances of an open file as they are read, and an
        InvalidValueError for an invalid one that can be skipped; None if a command takes only one,
        as text.
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
    ...     problem = "books"
    ...
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
    >>> all(PROBLEM.is_solution(4, order) for order in naive.solutions(4))
    True
    """

    name: str
    catalogue: Mapping[str, Entry]
    is_solution: Callable[[Any, Any], bool]
    parse: Callable[[str], Any]
    text: Callable[[Any], str] = str
    size: Callable[[Any], int]
    noun: str = "instance"
    search: type[Algorithm[Any, Any]] | None = None
    permute: Callable[[Any, Random], Any] | None = None
    data_sets: Mapping[str, Callable[[], Sequence[Any]]] = field(default_factory=dict)
    form: str = ""
    recognises: Callable[[str], object] = lambda text: False
    read: Callable[[TextIO], Iterator[Any | InvalidValueError]] | None = None
    contradiction: Callable[[Any], str | None] = lambda instance: None
    show: Callable[[Any], str] = lambda answer: " ".join(map(str, answer))
    defaults: Sequence[str] = ()

    def find(self, algorithm: str | Entry) -> Entry:
        """Return the algorithm of that name, in the notation of `nqbench.problems.plugins`; some
        take a value after a colon. Return an algorithm unchanged.

        Raises
        ------
        TypeError, ValueError
            if there is none, naming the nearest names, or if its file cannot be loaded.

        Examples
        --------
        >>> PROBLEMS["queens"].find("width_limited:4").count(8)
        39
        >>> PROBLEMS["sudoku"].find("fastest")
        Traceback (most recent call last):
            ...
        nqbench.errors.InvalidValueError: there is no algorithm 'fastest'; did you mean...
        """
        if isinstance(algorithm, str) and algorithm in self.catalogue:
            return self.catalogue[algorithm]
        if self.search is None:  # it has no external ones
            return searching.find_algorithm(self.catalogue, cast(str, algorithm))
        from nqbench.problems import plugins

        found: Entry = plugins.find(algorithm, self.name)
        return found

    def list_algorithms(self) -> Mapping[str, Entry]:
        """Return all built-in algorithms by name.

        >>> PROBLEMS["queens"].list_algorithms()["somers"].year
        2002
        """
        return self.catalogue

    def choose(self, algorithm: str | Entry | None = None,
               implementation: str | None = None) -> tuple[Entry, str]:
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
        for name in self.defaults or [*self.catalogue][:1] if algorithm is None else [algorithm]:
            found = self.find(name)
            for way in reversed(list(found.implementations)):
                if implementation in (None, way):
                    return found, way
        raise InvalidValueError(found.describe_missing(implementation))

    def solve(self, instance: Any, algorithm: str | Entry | None = None,
              implementation: str | None = None, limit: int = 1, keep: int | None = None,
              nodes: int | None = None, seconds: float | None = SECONDS,
              backtracks: int | None = None) -> Outcome[Any]:
        """Look for solutions of an instance.

        Parameters
        ----------
        instance
            the instance.
        algorithm, implementation
            as in `choose`.
        limit
            solutions after which the search stops.
        keep
            solutions that are kept, the first ones. Default: all that are found.
        nodes, seconds, backtracks
            limits after which the search gives up; None is no limit.

        Returns
        -------
        Outcome
            its `answer` in a word, the number of solutions `found`, and the solutions kept.

        Raises
        ------
        TypeError, ValueError
            if the instance contradicts itself, or an argument is not allowed.

        Examples
        --------
        >>> from nqbench.problems import instances, sudoku
        >>> instances.solve(instances.Board(3)).answer
        'none'
        >>> instances.solve(instances.Board(5, torus=True), limit=100).found
        10
        >>> sudoku.solve(sudoku.Grid.of("." * 81), limit=2).answer
        'several'
        >>> sudoku.solve(sudoku.Grid.of("11" + "." * 79))
        Traceback (most recent call last):
            ...
        nqbench.errors.InvalidValueError: the givens contradict each other: row 1 has 1 twice
        """
        chosen, way = self.choose(algorithm, implementation)
        return chosen.solve(instance, way, limit, keep, nodes, seconds, backtracks)

    def read_valid(self, file: TextIO, name: str, skip: Callable[[str], object]) -> Iterator[Any]:
        """Yield the instances of an open file of this name, and call `skip` with a message for each
        invalid one, if there is a valid one.

        Raises
        ------
        InvalidValueError
            if there is none, with the first message.

        Examples
        --------
        >>> from io import StringIO
        >>> sudoku = PROBLEMS["sudoku"]
        >>> len([*sudoku.read_valid(StringIO("1" * 80 + "\\n" + "." * 81), "mine.txt", print)])
        mine.txt: line 1: a grid has 81 cells (9 x 9), not 80: other sizes are not solved ...
        1
        """
        assert self.read is not None
        errors: list[InvalidValueError] = []  # which are not said yet
        valid = invalid = 0
        for each in _naming(name, self.read(file)):
            if isinstance(each, InvalidValueError):
                invalid += 1
                errors += [each] * (invalid <= MOST_SKIPPED)
            else:
                valid += 1
                yield each
            if valid:
                for error in errors:
                    skip(f"{name}: {error}; it is skipped")
                errors.clear()
        if not valid:
            raise InvalidValueError(
                f"{name} holds no valid {self.noun}: {errors[0]}" if errors else
                f"{name} holds no {self.noun}")
        if invalid > MOST_SKIPPED:
            skip(f"{name}: {invalid - MOST_SKIPPED:,} more are skipped")


def _naming(name: str, instances: Iterator[Any]) -> Iterator[Any]:
    """Yield instances that are read; an error gets the name of their file."""
    try:
        yield from instances
    except NqbenchError as error:
        raise type(error)(f"{name}: {error}") from None


@dataclass(frozen=True)
class DataSet:
    """Instances of a problem, with a name: all of them, or some drawn at random; how many invalid
    ones were skipped.
    """

    problem: Problem[Any]
    name: str
    instances: Sequence[Any]
    drawn_from: int | None = None
    skipped: int = 0


PROBLEMS: Folder[Problem[Any]] = Folder(
    __name__, "PROBLEM", "problem", {"forecast", "formats", "peers", "plugins", "published"})


@dataclass(frozen=True)
class SolverKey:
    """The names that identify a solver in records and forecasts.

    >>> str(SolverKey("bitmask", "python"))
    'bitmask (python)'
    >>> str(SolverKey("cross", "cython", "portable", 2))
    'cross (cython, portable, 2 threads)'
    """

    algorithm: str
    implementation: str
    kernel: str | None = None
    jobs: int = 1
    problem: str = "queens"

    @classmethod
    def of(cls, record: Mapping[Any, Any]) -> "SolverKey":
        """Return the names in a record, or in a row of a frame, whose missing values are NaN.

        >>> str(SolverKey.of({"algorithm": "somers", "implementation": "cython"}))
        'somers (cython)'
        """
        kernel, jobs = record.get("kernel"), record.get("jobs")
        return cls(record["algorithm"], record["implementation"],
                   kernel if isinstance(kernel, str) else None,
                   int(jobs) if jobs and jobs == jobs else 1)

    def __str__(self) -> str:
        threads = f"{self.jobs} {plural(self.jobs, 'thread')}" * bool(self.kernel or self.jobs != 1)
        more = filter(None, (self.implementation, self.kernel, threads))
        return f"{self.algorithm} ({', '.join(more)})"

    def find(self) -> "Solver":
        """Return the solver of these names.

        Raises
        ------
        InvalidValueError
            if there is no such problem, algorithm or implementation.
        """
        algorithm: Any = PROBLEMS.find(self.problem).find(self.algorithm)
        algorithm.find_implementation(self.implementation)
        return Solver(algorithm, self.implementation, self.kernel, self.jobs)


@dataclass(frozen=True)
class Solver:
    """An algorithm, its implementation, and for the engine the kernel and the threads.

    >>> solver = SolverKey("somers", "python").find()
    >>> solver.name, solver.count(6)
    ('somers (python)', 2)
    """

    algorithm: Any
    implementation: str
    kernel: str | None = None
    jobs: int = 1

    @property
    def key(self) -> SolverKey:
        """Return the names of the solver, which identify it."""
        return SolverKey(self.algorithm.name, self.implementation, self.kernel, self.jobs,
                         self.algorithm.problem)

    @property
    def name(self) -> str:
        """The name that is shown to users."""
        return str(self.key)

    @property
    def largest_n(self) -> float:
        """Return the largest n that the implementation accepts."""
        largest: float = self.algorithm.implementations[self.implementation].largest_n
        return largest

    def __str__(self) -> str:
        return self.name

    def count(self, n: int) -> int:
        """Return the number of solutions that the timed search finds: if it uses the mirror, half
        of them.
        """
        if self.kernel or self.jobs != 1:
            found: int = self.algorithm.count(n, self.implementation, self.jobs, kernel=self.kernel)
        else:
            found = self.algorithm.implementations[self.implementation].count(n)
        return found

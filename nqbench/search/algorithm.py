"""What a catalogue knows about an algorithm, and how to run it: the same for every problem.

Notation, here and in every file about algorithms:
    instance    what is solved: n for the queens, 81 digits for Sudoku
    answer      what a search reaches: a tuple of columns, or of digits

A search is a generator function of an instance and a tally: it yields the answers in its order. It
is written once, with its counting statements (`nqbench.search.tally`), and built in several ways
(`nqbench.search.builds`).
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache, cached_property
from importlib import import_module
from inspect import signature
from math import inf
from typing import Any, ClassVar, Generic, TypeVar, cast

from nqbench.errors import NOT_COMPILED, InvalidValueError
from nqbench.search.implementations import Answer, Instance, Outcome, PythonBuilds
from nqbench.search.metrics import Counter
from nqbench.search.tally import BoundedTally, Tally
from nqbench.util.arguments import require_seconds, require_text, require_whole
from nqbench.util.cores import find_core
from nqbench.util.discovery import Folder
from nqbench.util.text import unknown

__all__ = ["Algorithm", "Answer", "Catalogue", "Finds", "Instance", "Outcome", "PythonBuilds",
           "Tally", "Tree", "find_algorithm"]

FAMILY = "_family"  # how the name of a module with several algorithms ends
LAST = 1_000_000  # the place of an algorithm that does not name its place in the catalogue
# The values of a parameter by the type of its default: in words, how they are written, and read.
PARAMETER_TYPES: Mapping[type, tuple[str, str, Callable[[str], Any]]] = {
    bool: ("true or false", "true|false", "true".__eq__),
    int: ("a whole number, 0 or more", r"[0-9]{1,18}", int),
    float: ("a number", r"-?[\d.]{1,22}(e[+-]?\d{1,2})?", float),
    str: ("letters, digits, _, -, ., + and /", r"[\w.+/-]{1,40}", str)}


class Finds(StrEnum):
    """What an algorithm finds. The values are shown to users."""

    ALL = "all solutions"
    ONE = "one solution"
    SOME = "some solutions"
    PART = "partial placements"


class Tree(StrEnum):
    """The tree that an algorithm searches.

    PLAIN: each level has the same number of nodes as in a search that fills the rows from the top
    and tries all free columns. OWN: another tree. NONE: no tree, because the algorithm looks only
    at whole placements, or does not search.
    """

    PLAIN = "plain"
    OWN = "own"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Algorithm(Generic[Instance, Answer]):
    """An entry of a catalogue.

    A problem derives its own class from this one. Its `tally` says how large an instance is, its
    `small_instances` on which instances the builds are compared, and its `check` what an instance
    is.

    Attributes
    ----------
    problem
        the name of its problem, which its class gives.
    name
        what the commands call it.
    origin, year
        the document, author and listing that it comes from; the year is None if it is not known.
    technique
        how it finds and rejects candidates, in a few words for people.
    worst_case
        how much it searches at most, in a few words for people; empty if its `tree` implies it, or
        if it is not known.
    keeps_marks
        whether it keeps marks or masks of the attacked lines, instead of looking at rows or squares
        again.
    symmetry
        which symmetry it uses, in words for people.
    uses_symmetry
        whether it uses any symmetry.
    tree
        which tree it searches.
    finds
        what it finds.
    given
        the names and values of its parameters that differ from their defaults.
    order
        its place in the catalogue.
    counters
        the counters that it declares.
    search
        the counting build, see `nqbench.search.builds`; None if it has no search in Python.
    core
        name of the module of its Cython core, if there is one.

    Examples
    --------
    `nqbench.problems.Problem` shows how to define one. This is an algorithm for the queens.

    >>> from nqbench.problems.queens import find
    >>> bitmask = find("bitmask")
    >>> bitmask.count(6), bitmask.profile(6).nodes, next(bitmask.solutions(6))
    (4, 153, (1, 3, 5, 0, 2, 4))
    >>> bitmask.solve(6, limit=2).answer, bitmask.solve(6, limit=5, nodes=50).answer
    ('several', 'gave up')
    """

    problem: ClassVar[str] = ""

    name: str
    origin: str
    year: int | None
    technique: str
    worst_case: str = ""
    keeps_marks: bool = False
    symmetry: str = "none"
    uses_symmetry: bool = False
    tree: Tree = Tree.PLAIN
    finds: Finds = Finds.ALL
    given: tuple[tuple[str, Any], ...] = ()
    order: int = LAST
    counters: tuple[Counter, ...] = ()
    search: Callable[..., Iterator[Answer]] | None = None
    core: str | None = None

    largest_n = inf  # of an instance in Python; a field of some subclasses, as the next one
    place = ""  # its notation, if it has no other name

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: the fields without the builds."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def check(self, instance: Any) -> Instance:
        """Check an instance and return it; by default it is a whole number, 0 or more.

        Raises
        ------
        TypeError, ValueError
            naming what is wrong and what is allowed.
        """
        return cast(Instance, require_whole(instance, "instance"))

    def tally(self, instance: Instance, nodes: int | None = None,
              seconds: float | None = None, backtracks: int | None = None) -> Tally:
        """Return the tally of one search within a budget."""
        levels = self.levels(instance)
        if nodes is seconds is backtracks is None:
            return Tally(levels)
        return BoundedTally(levels, nodes, seconds, backtracks)

    def levels(self, instance: Instance) -> int:
        """Return the number of levels below the root; by default it is the instance."""
        return cast(int, instance)

    def doubles(self, instance: Instance) -> bool:
        """Return whether each answer that is reached stands for its mirror image, too."""
        return False

    def reflect(self, answer: Answer) -> Answer:
        """Return the mirror image of an answer, if a search `doubles`."""
        raise NotImplementedError

    def small_instances(self) -> Mapping[str, Instance]:
        """Return the instances on which the builds are compared, by their names in error messages.
        """
        raise NotImplementedError

    def smaller(self, instance: Instance) -> Iterable[Instance]:
        """Return instances like this one, from small to large; by default the small ones."""
        return self.small_instances().values()

    def larger_instances(self) -> Iterable[Instance]:
        """Return instances, from small to large, on which a search is compared with itself after
        parts of its tree were left out; by default the small ones.
        """
        return self.small_instances().values()

    no_tree: ClassVar[str] = "it does not backtrack"  # why, if it has none

    @property
    def form_in_words(self) -> str:
        """How it gives its answers, if that was recognised; else empty."""
        return ""

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """The functions that search, counting; none if it has no search in Python."""
        return () if self.search is None else (self.search,)

    @property
    def exhaustive(self) -> bool:
        """Whether it finds all solutions, and so can count them."""
        return self.finds == Finds.ALL

    def chosen(self, text: str) -> "Algorithm[Instance, Answer]":
        """Return the algorithm with these values of its parameters, as in "depth=2,order=fewest".
        A single parameter needs no name, as in "width_limited:4".

        Raises
        ------
        ValueError
            if it has no such parameter, or does not accept this value.
        """
        if not self.defaults:
            raise InvalidValueError(f"{self.name} takes no parameter, but got {text!r}")
        given: dict[str, str] = {}
        for part in text.split(","):
            name, equals, value = part.rpartition("=")
            if not equals and len(self.defaults) == 1:
                name = next(iter(self.defaults))
            if name in given:
                raise InvalidValueError(f"the {name} of {self.name} is given twice, in {text!r}")
            given[name or value] = value
        return self.vary(given)

    def vary(self, given: Mapping[str, Any]) -> "Algorithm[Instance, Answer]":
        """Return the algorithm with these values of its parameters, texts or values; the others
        stay as they are.

        A variant has one name: the parameters are in the order of the search, without those that
        have their defaults.

        Raises
        ------
        ValueError
            if it has no such parameter, or does not accept this value.

        Examples
        --------
        >>> from nqbench.problems.queens import find
        >>> find("width_limited").vary({"width": 4}).name, find("width_limited:3").name
        ('width_limited:4', 'width_limited')
        >>> find("width_limited:4").vary({"width": 5}).name
        'width_limited:5'
        """
        values = {}
        for name, value in given.items():
            if name not in self.defaults:
                raise InvalidValueError(unknown(f"parameter of {self.name}:", name, self.defaults))
            default, text = self.defaults[name], write_value(value)
            words, pattern, read = PARAMETER_TYPES[type(default)]
            with suppress(ValueError):
                values[name] = (default if text == write_value(default) else
                                read(text) if re.fullmatch(pattern, text) else None)
            if values.get(name) is None:
                raise InvalidValueError(f"the {name} of {self.name} must be {words}, not {text!r}")
        values = {**self.parameters, **values}
        chosen = tuple((name, values[name]) for name, default in self.defaults.items()
                       if values[name] != default)
        if chosen == self.given:
            return self
        plain = self.name.removesuffix(self._suffix(self.given))
        return replace(self, given=chosen, name=plain + self._suffix(chosen))

    def _suffix(self, given: Iterable[tuple[str, Any]]) -> str:
        """Return what the name of an algorithm with these parameters ends with."""
        own = write_values(dict(given))
        return own and ":" + (own if len(self.defaults) > 1 else own.partition("=")[2])

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The parameters of the search after instance and tally that have a whole number, a number,
        a text, or True or False as a default, by name.
        """
        with suppress(TypeError, ValueError):  # no search, or one without a signature
            known = signature(cast(Callable[..., Any], self.search)).parameters
            return {name: each.default for name, each in [*known.items()][2:]
                    if type(each.default) in PARAMETER_TYPES}
        return {}

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of all parameters, which the search gets by their names."""
        return {**self.defaults, **dict(self.given)}

    @cached_property
    def python(self) -> PythonBuilds[Instance, Answer]:
        """The builds of the search in Python."""
        assert self.search is not None
        return PythonBuilds(self.search, self.tally, dict(self.given),
                            largest_n=self.largest_n, counters=self.counters)

    def compiled(self, core: Any) -> Any:
        """Return the implementation by a compiled core."""
        raise NotImplementedError

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        """The implementations, `python` first; `cython` if its core was compiled."""
        found: dict[str, Any] = {}
        if self.search is not None:
            found["python"] = self.python
        # Without a C compiler, Python gives the same answers.
        if self.core is not None and (core := find_core(self.core)) is not None:
            found["cython"] = self.compiled(core)
        return found

    @property
    def uncompiled(self) -> bool:
        """Whether it has a core that was not compiled, and searches in Python instead."""
        return self.core is not None and "cython" not in self.implementations

    def find_implementation(self, name: str) -> Any:
        """Return the implementation of that name.

        Raises
        ------
        TypeError, ValueError
            if there is none.
        """
        if require_text(name, "implementation") not in self.implementations:
            raise InvalidValueError(self.describe_missing(name))
        return self.implementations[name]

    def only_counts(self, implementation: str) -> bool:
        """Return whether an implementation returns a number and nothing else."""
        return implementation in self.implementations and (
            self.implementations[implementation].only_counts)

    def describe_missing(self, name: str | None) -> str:
        """Return in one line why there is no implementation of that name, or none at all."""
        ways = " and ".join(self.implementations)
        why = f"only {ways}" if ways else "but it is only compiled"
        if self.core and name in (None, "cython"):
            why += f": {NOT_COMPILED}"
        return f"{self.name} has no implementation {name!r}, {why}"

    def implementation(self, name: str,
                       instance: Any) -> tuple[PythonBuilds[Instance, Answer], Instance]:
        """Check a name and an instance; return the implementation, which need not have all methods
        of the one in Python, and the instance.

        Raises
        ------
        TypeError, ValueError
            naming what is wrong and what is allowed.
        """
        checked, chosen = self.check(instance), self.find_implementation(name)
        if self.search is not None:
            self.python.made.clear()  # a notebook may have redefined what they refer to
        return chosen, checked

    def compare_builds(self) -> None:
        """Check on small instances that the timed code and the counting code yield the same answers
        in the same order. This takes some milliseconds, and no time once it has passed.

        Raises
        ------
        BuildsDifferError
            if they do not.
        BuildError
            if one of the builds cannot be made.
        """
        if self.search is not None:
            self.python.compare(self.name, self.small_instances())

    def count(self, instance: Instance, /, implementation: str = "python") -> int:
        """Return the number of solutions of an instance."""
        chosen, instance = self.implementation(implementation, instance)
        return chosen.count(instance)

    def solve(self, instance: Any, /, implementation: str = "python", limit: int = 1,
              keep: int | None = None, nodes: int | None = None,
              seconds: float | None = None, backtracks: int | None = None) -> Outcome[Answer]:
        """Search for at most `limit` solutions, counting; keep the first `keep`, by default all.

        `nodes`, `seconds` and `backtracks` are limits after which the search gives up; None is no
        limit.

        Raises
        ------
        TypeError, ValueError
            if the instance or an argument is not allowed, or if the implementation cannot stop
            before all solutions are found.

        Examples
        --------
        This search reaches only one of two solutions that are mirror images:

        >>> from nqbench.problems.queens import find
        >>> find("somers").solve(8, limit=3).solutions[1:]
        [(7, 3, 0, 2, 5, 1, 6, 4), (0, 5, 7, 2, 6, 3, 1, 4)]
        """
        chosen, instance = self.implementation(implementation, instance)
        limit = require_whole(limit, "limit", least=1)
        if chosen.search is None:
            raise InvalidValueError(f"{self.name} in {implementation} counts all solutions and "
                                    "cannot stop before")
        bounds = {}
        if backtracks is not None:
            if not chosen.takes_backtracks:
                raise InvalidValueError(f"{self.name} in {implementation} takes no limit of "
                                        "backtracks")
            bounds["backtracks"] = require_whole(backtracks, "backtracks", least=1)
        keep = limit if keep is None else min(limit, require_whole(keep, "keep"))
        worth = 1 + self.doubles(instance)
        found = chosen.search(
            instance, -(-limit // worth), -(-keep // worth),
            None if nodes is None else require_whole(nodes, "nodes", least=1),
            None if seconds is None else require_seconds(seconds, "seconds"), **bounds)
        return replace(found, limit=limit, found=min(limit, worth * found.found),
                       solutions=[*self.with_images(instance, found.solutions)][:keep],
                       exhaustive=self.proves(found))

    def proves(self, found: Outcome[Answer]) -> bool:
        """Return whether the end of a search that found this proves that there is no more."""
        return self.exhaustive

    def solutions(self, instance: Instance, /, implementation: str = "python") -> Iterator[Answer]:
        """Yield every solution of an instance, in the order of the search.

        If an answer that is reached stands for its mirror image, too, that follows it.
        """
        chosen, instance = self.implementation(implementation, instance)
        if chosen.visits is None:
            raise InvalidValueError(f"{self.name} in {implementation} yields no solutions; use "
                                    "`solve`")
        return self.with_images(instance, chosen.visits(instance))

    def with_images(self, instance: Instance, answers: Iterable[Answer]) -> Iterator[Answer]:
        """Return answers, each before its mirror image if it stands for that, too."""
        if not self.doubles(instance):
            return iter(answers)
        return (each for answer in answers for each in (answer, self.reflect(answer)))

    def follow(self, instance: Any, tally: Tally) -> Iterator[Answer]:
        """Run the search with this tally; yield the answers that it reaches.

        Raises
        ------
        TypeError, ValueError
            if the instance is not allowed, if the search does not backtrack and so has no tree, or
            if it is only compiled.
        """
        if self.tree == Tree.NONE:
            raise InvalidValueError(f"{self.name} has no tree: {self.no_tree}")
        if self.search is None:
            raise InvalidValueError(f"{self.name} is only compiled and cannot be followed")
        return self.python.follow(self.implementation("python", instance)[1], tally)

    def profile(self, instance: Instance, /, implementation: str = "python") -> Tally:
        """Return the counters of a search for all solutions.

        Raises
        ------
        ValueError
            if the implementation does not count.
        """
        chosen, instance = self.implementation(implementation, instance)
        if chosen.tally is None:
            raise InvalidValueError(f"{self.name} counts nothing in {implementation}")
        tally = chosen.tally(instance)
        tally.solutions *= 1 + self.doubles(instance)
        return tally


def write_value(value: object) -> str:
    """Return a value of a parameter as it is written after a colon."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def write_values(parameters: Mapping[str, Any]) -> str:
    """Return parameters as they are written after a colon.

    >>> write_values({"depth": 2, "order": "rows", "mirror": True})
    'depth=2,order=rows,mirror=true'
    """
    return ",".join(f"{name}={write_value(value)}" for name, value in parameters.items())


Entry = TypeVar("Entry", bound=Algorithm[Any, Any])


class Catalogue(Folder[Entry]):
    """The algorithms in the folder of a package, by name, in the order of their `order`.

    Each is the `ALGORITHM` of a module that has its name. Algorithms that differ in little are in
    one module, NAME_family.py, a tuple `ALGORITHMS`, and have names of their own. Looking an
    algorithm up imports its module, if it has one of its name.

    >>> queens = Catalogue("nqbench.problems.queens")
    >>> list(queens)[:2], queens["somers"].year
    (['iterative', 'board_matrix'], 2002)
    """

    def __init__(self, package: str, shared: Collection[str] = ()) -> None:
        super().__init__(package, "ALGORITHM", "algorithm", {"base", *shared})

    def modules(self) -> Mapping[str, Entry | None]:
        """Return the algorithms of families by name, and None for the names of other modules."""
        return _read_families(self.package, super().names())

    def names(self) -> tuple[str, ...]:
        """Return the names of all algorithms, sorted."""
        return tuple(self.modules())

    def __contains__(self, name: Any) -> bool:  # without importing families, if a module has it
        return self._has_module(name) or name in self.names()

    def _has_module(self, name: str) -> bool:
        return name in super().names() and not name.endswith(FAMILY)

    def _load(self, name: str) -> Entry:
        return super()._load(name) if self._has_module(name) else cast(Entry, self.modules()[name])

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.names(), key=lambda name: (self._load(name).order, name)))


@cache
def _read_families(package: str, modules: tuple[str, ...]) -> dict[str, Any]:
    """Return what `Catalogue.modules` does, sorted by name."""
    found = {each.name: each for module in modules if module.endswith(FAMILY)
             for each in import_module(f"{package}.{module}").ALGORITHMS}
    alone = dict.fromkeys(module for module in modules if not module.endswith(FAMILY))
    return {name: found.get(name) for name in sorted({**alone, **found})}


def find_algorithm(catalogue: Mapping[str, Entry], name: str, noun: str = "algorithm") -> Entry:
    """Return the algorithm of that name; values of its parameters may follow after a colon.

    Raises
    ------
    TypeError, ValueError
        if there is none, naming the nearest names.

    Examples
    --------
    >>> find_algorithm(Catalogue("nqbench.problems.queens"), "width_limited:4").count(8)
    39
    """
    if require_text(name, noun) in catalogue:
        return catalogue[name]
    plain, colon, value = name.partition(":")
    if not colon or plain not in catalogue:
        if "." in plain:
            raise InvalidValueError(f"there is no {noun} {name!r}; " + (
                f"parameters follow the name of a search, as in {plain}::NAME:{value}"
                if plain.endswith(".py") else "a file must end in .py"))
        raise InvalidValueError(unknown(noun, name, catalogue, "run `nqbench list`"))
    return cast(Entry, catalogue[plain].chosen(value))

"""What a catalogue knows of an algorithm, and how to run it: one shape for every problem.

Notation, here and in every file about algorithms:
    instance    what is to be solved: n for the queens, 81 digits for Sudoku
    answer      what a search reaches: a tuple of columns, or of digits

A search is a generator function of an instance and a tally: it yields the answers in its order. It
is written once, with its counting statements (`nqbench.tally`), and built three times
(`nqbench.builds`).
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar, Generic, cast

from nqbench._arguments import require_seconds, require_text, require_whole
from nqbench.builds.running import Answer, Implementation, Instance, Outcome, PythonBuilds
from nqbench.errors import NOT_COMPILED, InvalidValueError
from nqbench.tally import BoundedTally, Tally

LAST = 1_000_000  # the place of an algorithm that does not say where it stands in its catalogue
DIGITS = 18  # of a value behind a colon, at most


class Finds(StrEnum):
    """What an algorithm finds. The values are shown to users."""

    ALL = "all solutions"
    ONE = "one solution"
    SOME = "some solutions"
    PART = "partial placements"


class Tree(StrEnum):
    """The tree that an algorithm walks.

    PLAIN: each level has as many nodes as where the rows are filled from the top and all free
    columns tried. OWN: another one. NONE: none, as whole placements are looked at, or as none is
    walked.
    """

    PLAIN = "plain"
    OWN = "own"
    NONE = "none"


@dataclass(frozen=True)
class Choice:
    """A number that the user may choose for an algorithm, behind a colon: its name, and what
    it is by default.
    """

    name: str
    default: str


@dataclass(frozen=True, kw_only=True)
class Algorithm(Generic[Instance, Answer]):
    """An entry of a catalogue.

    A problem derives its own class from this one. It says in `tally` how large an instance is, in
    `small_instances` which ones the builds are compared on, and in `check` what an instance is.

    Attributes
    ----------
    problem
        the name of its problem, which its class gives.
    name
        what the commands call it.
    origin, year
        document, author and listing it comes from; None where undated.
    technique
        how it finds and refuses candidates, in a few words for people.
    worst_case
        how much it searches at most, in a few words for people; empty if its `tree` says so, or if
        nothing is known.
    keeps_marks
        whether it keeps marks or masks of the lines attacked, instead of looking at rows or
        squares again.
    symmetry
        what symmetry it uses, in words for people.
    uses_symmetry
        whether it uses any.
    tree
        which tree it walks.
    finds
        what it reaches.
    choice
        what the user may choose, behind a colon after the name.
    value
        what was chosen; None for the default.
    order
        its place in the catalogue.
    search
        the counting build, see `nqbench.builds`; None if it has no search in Python.
    core
        name of the module of its Cython core, if there is one.

    Examples
    --------
    `nqbench.problems.Problem` shows how to define one; this is one of the queens.

    >>> from nqbench.algorithms import find
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
    choice: Choice | None = None
    value: int | None = None
    order: int = LAST
    search: Callable[..., Iterator[Answer]] | None = None
    core: str | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: the fields, and none of the builds."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def check(self, instance: Any) -> Instance:
        """Return an instance, checked; by default it is a whole number, 0 or more.

        Raises
        ------
        TypeError, ValueError
            naming what is wrong and what is allowed.
        """
        found: Any = require_whole(instance, "instance")
        return cast(Instance, found)

    def tally(self, instance: Instance, nodes: int | None = None,
              seconds: float | None = None, backtracks: int | None = None) -> Tally:
        """Return the tally of one search within a budget; by default the instance is the number
        of levels.
        """
        levels = cast(int, instance)
        if nodes is seconds is backtracks is None:
            return Tally(levels)
        return BoundedTally(levels, nodes, seconds, backtracks)

    def small_instances(self) -> Mapping[str, Instance]:
        """Return the instances on which the builds are compared, by what error messages call
        them.
        """
        raise NotImplementedError

    @property
    def exhaustive(self) -> bool:
        """Whether it finds all solutions, and so can count them."""
        return self.finds == Finds.ALL

    def chosen(self, text: str) -> "Algorithm[Instance, Answer]":
        """Return the algorithm with a value for its choice, as in "width_limited:4".

        Raises
        ------
        ValueError
            if it has no choice, or not this value.
        """
        if self.choice is None:
            raise InvalidValueError(f"{self.name} takes no parameter, but got {text!r}")
        if not text.isdecimal() or len(text) > DIGITS:
            raise InvalidValueError(
                f"the {self.choice.name} of {self.name} must be a whole number, 0 or "
                f"more, not {text!r}")
        return replace(self, name=f"{self.name}:{int(text)}", value=int(text))

    @cached_property
    def python(self) -> PythonBuilds[Instance, Answer]:
        """The builds of the search in Python."""
        assert self.search is not None
        return PythonBuilds(self.search, self.tally, *self.values)

    @property
    def values(self) -> tuple[int | None, ...]:
        """What the search takes besides instance and tally."""
        return () if self.choice is None else (self.value,)

    def compiled(self, core: Any) -> Implementation[Instance]:
        """Return the implementation by a compiled core."""
        raise NotImplementedError

    @cached_property
    def implementations(self) -> Mapping[str, Implementation[Instance]]:
        """The ways to run it, `python` first; `cython` where its core was compiled."""
        found: dict[str, Implementation[Instance]] = {}
        if self.search is not None:
            found["python"] = self.python
        if self.core is not None:
            with suppress(ImportError):  # built without a C compiler: Python answers the same
                found["cython"] = self.compiled(import_module(self.core))
        return found

    def find_implementation(self, name: str) -> Implementation[Instance]:
        """Return the implementation of that name.

        Raises
        ------
        TypeError, ValueError
            if there is none.
        """
        if require_text(name, "implementation") not in self.implementations:
            raise InvalidValueError(self.describe_missing(name))
        return self.implementations[name]

    @property
    def has_core(self) -> bool:
        """Whether it is compiled too, where there is a compiler."""
        return self.core is not None

    def describe_missing(self, name: str | None) -> str:
        """Return in one line why there is no implementation of that name, or none at all."""
        ways = " and ".join(self.implementations)
        why = f"only {ways}" if ways else "but it is only compiled"
        if self.has_core and name in (None, "cython"):
            why += f": {NOT_COMPILED}"
        return f"{self.name} has no implementation {name!r}, {why}"

    def implementation(self, name: str, instance: Any) -> tuple[Any, Instance]:
        """Return the implementation of that name and the instance, both checked.

        Raises
        ------
        TypeError, ValueError
            naming what is wrong and what is allowed.
        """
        checked = self.check(instance)
        chosen: Any = self.find_implementation(name)
        if self.search is not None:
            self.python.made.clear()  # a notebook may have defined anew what they refer to
        return chosen, checked

    def compare_builds(self) -> None:
        """Check on small instances that the code that is timed reaches what the code that counts
        does: the same answers in the same order. Takes some milliseconds, and nothing once it
        passed.

        Raises
        ------
        BuildsDifferError
            if it does not.
        BuildError
            if one of the builds cannot be made.
        """
        if self.search is not None:
            self.python.compare(self.name, self.small_instances())

    def count(self, instance: Instance, /, implementation: str = "python") -> int:
        """Return the number of solutions of an instance."""
        chosen, instance = self.implementation(implementation, instance)
        found: int = chosen.count(instance)
        return found

    def solve(self, instance: Any, /, implementation: str = "python", limit: int = 1,
              keep: int | None = None, nodes: int | None = None,
              seconds: float | None = None, backtracks: int | None = None) -> Outcome[Answer]:
        """Search for at most `limit` solutions, counting; keep the first `keep`, by default all.

        The search gives up after so many `nodes`, `seconds` or `backtracks`, None for no bound.

        Raises
        ------
        TypeError, ValueError
            if the instance or an argument is not allowed, or if the implementation cannot stop
            before all solutions are found.
        """
        chosen, instance = self.implementation(implementation, instance)
        limit = require_whole(limit, "limit", least=1)
        if not hasattr(chosen, "search"):
            raise InvalidValueError(f"{self.name} in {implementation} counts all solutions and "
                                    "cannot stop before")
        bounds = {}
        if backtracks is not None:
            if not isinstance(chosen, PythonBuilds):
                raise InvalidValueError(f"{self.name} in {implementation} takes no limit of "
                                        "backtracks")
            bounds["backtracks"] = require_whole(backtracks, "backtracks", least=1)
        found: Outcome[Answer] = chosen.search(
            instance, limit, limit if keep is None else require_whole(keep, "keep"),
            None if nodes is None else require_whole(nodes, "nodes", least=1),
            None if seconds is None else require_seconds(seconds, "seconds"), **bounds)
        return replace(found, exhaustive=self.exhaustive)

    def solutions(self, instance: Instance, /,
                  implementation: str = "python") -> Iterator[Answer]:
        """Yield every solution of an instance, in the order of the search."""
        chosen, instance = self.implementation(implementation, instance)
        if not hasattr(chosen, "visits"):
            raise InvalidValueError(f"{self.name} in {implementation} yields no solutions; use "
                                    "`solve`")
        found: Iterator[Answer] = chosen.visits(instance)
        return found

    def profile(self, instance: Instance, /, implementation: str = "python") -> Tally:
        """Return the counters of a search for all solutions.

        Raises
        ------
        ValueError
            if the implementation does not count.
        """
        chosen, instance = self.implementation(implementation, instance)
        if not hasattr(chosen, "tally"):
            raise InvalidValueError(f"{self.name} counts nothing in {implementation}")
        found: Tally = chosen.tally(instance)
        return found

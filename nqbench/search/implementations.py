"""Run a search in its builds: the Python implementation of an algorithm, whatever the problem.
Compare what the builds reach, before one of them is timed.
"""

import gc
import sys
from collections import Counter as Multiset
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, product
from math import inf
from sys import maxsize
from types import FrameType
from typing import Any, Generic, TypeVar

from nqbench.errors import BuildError, BuildsDifferError
from nqbench.search import board
from nqbench.search.builds import BuildKind, built, find_rule_names, statements
from nqbench.search.metrics import STATEMENTS, Counter, of_rule
from nqbench.search.tally import GaveUpError, Tally
from nqbench.util.text import plural

Instance = TypeVar("Instance")  # what is to be solved
Answer = TypeVar("Answer")  # what a search reaches

WORK = 10_000  # tests and scans of the counting build for one instance; after more, no other one
CALLS = 20_000  # of each build that are compared

Answers = Callable[[], Iterable[Any]]
Calls = Multiset[tuple[str, str, int]]  # of functions: name, file, first line


def find_uncounted(*parts: Callable[..., Any]) -> frozenset[str]:
    """Return the names of the counters that the functions of a search never report.

    >>> from nqbench.problems.queens import find
    >>> sorted(find_uncounted(find("bitmask").search))
    ['comparisons', 'scans']
    """
    used = [statements(each) for each in parts]
    return frozenset(name for name, needed in STATEMENTS.items() if None not in used and not any(
        each <= set().union(*filter(None, used)) for each in needed))


@dataclass(frozen=True)
class Outcome(Generic[Answer]):
    """The result of a search for at most `limit` solutions.

    Attributes
    ----------
    limit, found
        the number of solutions to find, and the number found.
    solutions
        the first solutions, up to the number to keep, in the order of the search.
    counters
        see `nqbench.search.tally`; some searches do not have all of them.
    gave_up
        why the search ended early, else None. If it ended early, there may be more solutions, and
        those found need not be the first.
    exhaustive
        whether the search finds all solutions if it does not end early.
    """

    limit: int
    found: int
    solutions: list[Answer]
    counters: dict[str, Any]
    gave_up: str | None = None
    exhaustive: bool = True

    @property
    def answer(self) -> str:
        """The number of solutions in a word: none, one, several; "found" if one was found and the
        search did not look for more; "gave up" if it is not known.

        >>> Outcome(2, 1, [], {}).answer, Outcome(1, 1, [], {}).answer
        ('one', 'found')
        """
        if self.found >= min(self.limit, 2):
            return "several" if self.found > 1 else "found"
        if not self.exhaustive and self.found:
            return "found"
        return "gave up" if self.gave_up or not self.exhaustive else ("none", "one")[self.found]

    @property
    def solvable(self) -> bool | None:
        """Whether there is a solution; None if it is not known.

        >>> Outcome(1, 1, [], {}).solvable, Outcome(1, 0, [], {}, "gave up").solvable
        (True, None)
        """
        if self.found:
            return True
        return False if self.answer == "none" else None


class Implementation:
    """One way to run an algorithm, such as `python`, or `cython` where there is a core. Its `count`
    returns how many answers an instance has, as fast as it can; each other ability is a method, or
    None where it lacks that.

    Attributes
    ----------
    only_counts
        whether it calls what returns a number and nothing else.
    largest_n
        the largest instance that it accepts.
    takes_backtracks
        whether its search takes a limit of backtracks.
    search
        search for a number of solutions within a budget of nodes and seconds, and count; keep the
        first ones.
    counter
        return a function that counts the solutions of each of these instances, up to a limit, as
        fast as it can.
    search_all
        search many instances at once, as `search` does one.
    visits
        yield the answers of an instance, in the order of the search.
    tally
        return the counters of a search for all answers.
    """

    only_counts: bool = False
    largest_n: float = inf
    takes_backtracks: bool = False
    search: Callable[..., Outcome[Any]] | None = None
    counter: Callable[..., Callable[[], list[int]]] | None = None
    search_all: Callable[..., list[Outcome[Any]]] | None = None
    visits: Callable[..., Iterator[Any]] | None = None
    tally: Callable[..., Tally] | None = None


@dataclass
class Counting(Implementation):
    """An implementation that is a function, which returns the number of answers."""

    count: Callable[..., int]
    largest_n: float
    only_counts: bool = False


class PythonBuilds(Implementation, Generic[Instance, Answer]):
    """The builds of a search, a generator function that is written in Python.

    Attributes
    ----------
    counting
        the counting build: the function itself.
    make_tally
        returns the tally of an instance, from that and the nodes and seconds allowed, if any.
    parameters
        what the search gets besides instance and tally, by name.
    largest_n
        the largest instance that it accepts.
    counters
        those that the search declares.
    lacking
        the parameters of the search without a rule, by the name of one that also changes what it
        does not refuse.
    """

    takes_backtracks = True

    def __init__(self, counting: Callable[..., Iterator[Answer]], make_tally: Callable[..., Tally],
                 parameters: Mapping[str, Any] | None = None, largest_n: float = inf,
                 counters: tuple[Counter, ...] = ()) -> None:
        self.counting, self.make_tally = counting, make_tally
        self.parameters = parameters or {}
        self.largest_n, self.counters = largest_n, counters
        self.lacking: Mapping[str, Mapping[str, Any]] = {}
        self.made: dict[BuildKind, Callable[..., Any]] = {}  # no other look-ups while timing
        self.compared: dict[BuildKind, Callable[..., Any]] = {}

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules by which the search refuses candidates."""
        return find_rule_names(self.counting)

    @property
    def own(self) -> tuple[Counter, ...]:
        """The counters that this search alone has."""
        return *self.counters, *map(of_rule, self.rules)

    @cached_property
    def uncounted(self) -> frozenset[str]:
        """The names of the counters that the search never reports."""
        return find_uncounted(self.counting)

    def run(self, kind: BuildKind, instance: Instance) -> Iterator[Answer]:
        """Run a build, `plain` or `bare`, which yields None for each answer."""
        # Another thread may clear what is made at any time.
        build = self.made.get(kind) or self.made.setdefault(kind, built(self.counting, kind))
        found: Iterator[Answer] = build(instance, **self.parameters)
        return found

    def count(self, instance: Instance) -> int:
        return exhaust(self.run("bare", instance))

    def visits(self, instance: Instance) -> Iterator[Answer]:
        """Yield the answers that the search reaches, in its order."""
        return self.run("plain", instance)

    def follow(self, instance: Instance, tally: Tally) -> Iterator[Answer]:
        """Run the search with this tally."""
        tally.begin(self.own, self.uncounted)
        return self.counting(instance, tally, **self.parameters)

    def tally(self, instance: Instance) -> Tally:
        """Return the counters of a search for all answers, by the counting build."""
        tally = self.make_tally(instance)
        tally.solutions = sum(1 for _ in self.follow(instance, tally))
        return tally

    def search(self, instance: Instance, limit: int, keep: int, nodes: int | None = None,
               seconds: float | None = None, **bounds: int) -> Outcome[Answer]:
        tally = self.make_tally(instance, nodes, seconds, **bounds)
        kept: list[Answer] = []
        found = 0
        try:
            for answer in islice(self.follow(instance, tally), min(limit, maxsize)):
                found += 1
                if found <= keep:
                    kept.append(copy(answer))  # which the search may change
        except GaveUpError as error:
            tally.gave_up = error
        # Not from the exception, which a search may have caught: then its end proves nothing.
        gave_up = None if tally.gave_up is None else str(tally.gave_up)
        return Outcome(limit, found, kept, tally.counters(), gave_up)

    def counter(self, instances: Sequence[Instance], limit: int) -> Callable[[], list[int]]:
        bare = built(self.counting, "bare")
        most = min(limit, maxsize)
        return lambda: [exhaust(islice(bare(instance, **self.parameters), most))
                        for instance in instances]

    def compare(self, name: str, instances: Mapping[str, Instance]) -> None:
        """Raise an error unless the three builds reach the same on small instances; compare each
        build once.

        The comparison ends at the first instance that takes much work.
        """
        kinds: tuple[BuildKind, ...] = "plain", "bare"
        self.made = {kind: built(self.counting, kind) for kind in kinds}
        if self.made == self.compared:
            return
        for label, instance in instances.items():
            tally = self.make_tally(instance)
            compare(name, label, partial(self.follow, instance, tally),
                    {kind: partial(self.run, kind, instance) for kind in kinds})
            if tally.tests + tally.scans > WORK:
                break
        self.compared = dict(self.made)


def exhaust(answers: Iterable[Any]) -> int:
    """Return the number of answers. What times a search and what compares it call this, so that a
    search cannot tell them apart by what calls it.

    >>> exhaust(iter("abc"))
    3
    """
    return sum(1 for _ in answers)


def reached(run: Answers, most: int | None = None) -> tuple[list[Any], Exception | None]:
    """Return what a run yields, up to a limit, and the error that ended it."""
    found: list[Any] = []
    try:
        # Copies, as a search may yield the same list again and again.
        exhaust(map(found.append, map(copy, islice(run(), most))))
    except Exception as error:
        return found, error
    return found, None


@contextmanager
def quiet(collect: bool = True) -> Iterator[None]:
    """Keep the garbage collector off, after a last time if `collect`: it scans all objects again
    and again, and calls finalizers and callbacks of others at any time.
    """
    was_on = gc.isenabled()
    if collect:
        gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def noting_calls(wanted: bool) -> Iterator[Calls]:
    """Be `quiet`, as while timing. Count the first calls of functions that are
    written in Python, if `wanted`, without those of comprehensions and of the images of a
    placement.
    """
    found: Calls = Multiset()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename != board.__file__ and code.co_name not in (
                "<genexpr>", "<listcomp>", "<setcomp>"):
            # Each build has code of its own, from the same lines.
            found[code.co_name, code.co_filename, code.co_firstlineno] += 1
            if found.total() == CALLS:
                sys.setprofile(before)

    before = sys.getprofile()
    with quiet(collect=False):
        if wanted:
            sys.setprofile(note)
        try:
            yield found
        finally:
            sys.setprofile(before)


def compare(name: str, where: str, counting: Answers, builds: Mapping[str, Answers]) -> None:
    """Raise an error unless each build reaches the same as the counting build, in the same order.

    Each build searches twice, the first time as if it was timed. It may yield None in place of an
    answer, but the bare build must call all that the plain one calls: what makes an answer is
    timed, unless it only copies.

    Raises
    ------
    BuildError
        if a build cannot be made.
    BuildsDifferError
        naming the algorithm, where (the instance), and the first difference.

    Examples
    --------
    >>> compare("half", "n = 4", lambda: [(1, 3, 0, 2), (2, 0, 3, 1)], {"bare": lambda: [None]})
    Traceback (most recent call last):
        ...
    nqbench.errors.BuildsDifferError: the bare build of half differs from its counting build at \
n = 4: it reaches 1 answer, not 2
    """
    expected, ended = reached(counting)
    called: Calls = Multiset()  # by the plain build
    for (build, run), again in product(builds.items(), (False, True)):
        # What only the first search makes for later ones is not noted.
        with noting_calls(again) as calls:
            got, error = reached(run, len(expected) + 1)
        if isinstance(error, BuildError) and not isinstance(ended, BuildError):
            raise error
        called = calls if build == "plain" else called
        what = _describe_difference(expected, ended, got, error)
        if what:
            what = "in its second search, " * again + what
        elif again and build == "bare" and called - calls:
            call, file, line = next(iter(called - calls))
            what = (f"a `yield` calls {call} ({file}, line {line}), which would not be timed; call "
                    "it in a statement before the yield")
        if what:
            raise BuildsDifferError(f"the {build} build of {name} differs from its counting build "
                                    f"at {where}: {what}") from error


def _describe_difference(expected: list[Any], ended: Exception | None, got: list[Any],
                         error: Exception | None) -> str:
    """Return how the answers of a build, and the error that ended it, differ from the expected
    ones; empty if they do not.
    """
    place = next((place for place, (a, b) in enumerate(zip(got, expected, strict=False))
                  if a is not None and a != b), None)
    if type(error) is not type(ended):
        return (f"it raises {type(error).__name__}: {error}" if error
                else f"it does not raise {type(ended).__name__}")
    if place is not None:
        return f"answer {place + 1} is {got[place]}, not {expected[place]}"
    if len(got) > len(expected):
        return f"it reaches more than {len(expected)} answers"
    if len(got) < len(expected):
        return f"it reaches {len(got)} {plural(len(got), 'answer')}, not {len(expected)}"
    return ""

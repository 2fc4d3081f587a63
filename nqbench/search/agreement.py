"""Compare what the builds of a search reach, before one of them is timed."""

import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from itertools import islice
from types import FrameType
from typing import Any

from nqbench.errors import BuildError, BuildsDifferError
from nqbench.search import board

WORK = 10_000  # tests and scans of the counting build for one instance; after more, no other one
CALLS = 20_000  # of each build that are compared

Run = Callable[[], Iterable[Any]]
Calls = Counter[tuple[str, str, int]]  # of functions: name, file, first line


def exhaust(answers: Iterable[Any]) -> int:
    """Return the number of answers. What times a search and what compares it call this, so that a
    search cannot tell them apart by what calls it.

    >>> exhaust(iter("abc"))
    3
    """
    return sum(1 for _ in answers)


def reached(run: Run, most: int | None = None) -> tuple[list[Any], Exception | None]:
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
    found: Calls = Counter()

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


def compare(name: str, where: str, counting: Run, builds: Mapping[str, Run]) -> None:
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
    called: Calls = Counter()  # by the plain build
    for build, run, again in ((*each, again) for each in builds.items() for again in (False, True)):
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
        return f"it reaches {len(got)} answer{'s' * (len(got) != 1)}, not {len(expected)}"
    return ""

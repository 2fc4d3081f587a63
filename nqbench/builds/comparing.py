"""Compare what the builds of a search reach, before one of them is timed."""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from itertools import islice
from typing import Any

from nqbench.errors import BuildError, BuildsDifferError

WORK = 10_000  # tests and scans of the counting build for one instance; after more, no other one

Run = Callable[[], Iterable[Any]]


def reached(run: Run, most: int | None = None) -> tuple[list[Any], Exception | None]:
    """Return what a run yields, up to a limit, and the error that ended it."""
    found: list[Any] = []
    try:
        # Copies, as a search may yield the same list again and again.
        found.extend(map(copy, islice(run(), most)))
    except Exception as error:
        return found, error
    return found, None


def compare(name: str, where: str, counting: Run, builds: Mapping[str, Run]) -> None:
    """Raise an error unless each build reaches the same as the counting build, in the same order.

    A build may yield None in place of an answer.

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
    for build, run in builds.items():
        got, error = reached(run, len(expected) + 1)
        if isinstance(error, BuildError) and not isinstance(ended, BuildError):
            raise error
        place = next((place for place, (a, b) in enumerate(zip(got, expected, strict=False))
                      if a is not None and a != b), None)
        if type(error) is not type(ended):
            what = (f"it raises {type(error).__name__}: {error}" if error
                    else f"it does not raise {type(ended).__name__}")
        elif place is not None:
            what = f"answer {place + 1} is {got[place]}, not {expected[place]}"
        elif len(got) > len(expected):
            what = f"it reaches more than {len(expected)} answers"
        elif len(got) < len(expected):
            what = f"it reaches {len(got)} answer{'s' * (len(got) != 1)}, not {len(expected)}"
        else:
            continue
        raise BuildsDifferError(f"the {build} build of {name} differs from its counting build at "
                                f"{where}: {what}") from error

"""Values that others have published, with their sources."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import takewhile
from types import MappingProxyType
from typing import Any

from nqbench._arguments import require_text
from nqbench.errors import InvalidValueError


@dataclass(frozen=True)
class Sequence:
    """A published sequence: `values[0]` belongs to n = `first_n`.

    The values of A319284 are the levels of the tree, a list for each n.
    """

    name: str
    title: str
    source: str
    first_n: int
    values: tuple[Any, ...]

    def __contains__(self, n: int) -> bool:
        return 0 <= n - self.first_n < len(self.values)

    def __getitem__(self, n: int) -> Any:
        """Return the value for n.

        Raises
        ------
        ValueError
            if none was published for that n.
        """
        if n not in self:
            raise InvalidValueError(
                f"{self.name} is published for n from {self.first_n} to "
                f"{self.first_n + len(self.values) - 1}, not for {n}")
        return self.values[n - self.first_n]

    def get(self, n: int) -> Any:
        """Return the value for n, or None if none was published."""
        return self.values[n - self.first_n] if n in self else None

    def up_to(self, n: int) -> Iterator[tuple[int, Any]]:
        """Yield (m, value) for every m <= n that has one."""
        return takewhile(lambda entry: entry[0] <= n, enumerate(self.values, self.first_n))


SEQUENCES = ("A000170", "A002562", "A032522", "A033148", "A319283", "A319284")


@cache
def _all() -> MappingProxyType[str, Sequence]:
    text = files("nqbench.reference").joinpath("published.json").read_text("utf-8")
    return MappingProxyType({
        name: Sequence(name, entry["title"], entry["source"], entry["first_n"],
                       tuple(entry["values"]))
        for name, entry in json.loads(text).items()})


def published(name: str) -> Sequence:
    """Return the sequence of that OEIS number.

    >>> published("A000170")[8]
    92
    >>> published("A319284")[4]
    [1, 4, 6, 4, 2]
    >>> published("A000001")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: no values are kept of sequence 'A000001', only of ...
    """
    try:
        return _all()[require_text(name, "sequence")]
    except KeyError:
        raise InvalidValueError(
            f"no values are kept of sequence {name!r}, only of "
            f"{', '.join(SEQUENCES)}") from None

"""Published sequences, one file for each, with the values and how to compute them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from nqbench._discovery import Folder
from nqbench.errors import InvalidValueError


def every(algorithm: Any) -> bool:
    """Return True: every algorithm that finds all solutions can answer."""
    return True


def same(measured: Any) -> Any:
    """Return the measured value itself."""
    return measured


@dataclass(frozen=True, kw_only=True)
class Sequence:
    """A published sequence. To add one, write a file in `nqbench/reference/sequences/`.

    Attributes
    ----------
    name
        the OEIS number, which is the name of the file too.
    title, source
        what it counts, and who published the values.
    first_n, values
        the published values: `values[0]` belongs to n = `first_n`. A value is a number, or a list
        with a number for each level.
    measure
        a function of an algorithm, the name of an implementation and n, which returns the
        measurement. Sequences that share the function share the measurement.
    value
        a function that returns the value from the measurement; by default the measurement itself.
    able
        a function that returns whether an algorithm can answer; by default, every one that finds
        all solutions can.
    problem
        the problem whose algorithms answer, a file of `nqbench/problems/`.
    reach
        the largest n of `measure` if this does not depend on the algorithm; None if it does.
    cost
        what `measure` costs for n, in any unit; None where that is not known.
    begins
        the first n that can be computed; by default that of the published values.
    engines
        compiled engines by name, each a function that returns the measurement for n; `nqbench
        sequence` uses them first.

    Examples
    --------
    The whole of a file A002378.py, the number of nodes in the second level of the plain tree:

    >>> from nqbench.reference.sequences import Sequence
    >>> from nqbench.reference.sequences.A319283 import plain, tree
    >>> def second_level(tally):
    ...     return tally.levels[2]
    >>> SEQUENCE = Sequence(
    ...     name="A002378", title="Oblong numbers", source="OEIS A002378, shifted by two",
    ...     first_n=2, values=(0, 2, 6, 12, 20),
    ...     able=plain, measure=tree, value=second_level)

    What `nqbench.verification` does with it:

    >>> from nqbench.algorithms import find
    >>> SEQUENCE.value(SEQUENCE.measure(find("recursive"), "python", 5)) == SEQUENCE[5]
    True
    """

    name: str
    title: str
    source: str
    first_n: int
    values: tuple[Any, ...]
    measure: Callable[[Any, str, int], Any]
    value: Callable[[Any], Any] = same
    able: Callable[[Any], bool] = every
    problem: str = "queens"
    reach: int | None = None
    cost: Callable[[int], float | None] = lambda n: None
    begins: int | None = None
    engines: Mapping[str, Callable[[int], Any]] = field(default_factory=dict)

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


SEQUENCES: Folder[Sequence] = Folder(__name__, "SEQUENCE", "sequence")


def published(name: str) -> Sequence:
    """Return the sequence of that OEIS number.

    >>> published("A000170")[8]
    92
    >>> published("A319284")[4]
    [1, 4, 6, 4, 2]
    >>> published("A000001")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no sequence 'A000001'; did you mean A000170 or A00...
    """
    return SEQUENCES.find(name)

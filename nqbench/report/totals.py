"""Wrong totals: which solver, at which n, and what it should have counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from nqbench._text import spaced
from nqbench.reference import invariants

TOTALS = "A000170"  # Q(n), what every solver counts
OURS = "nqbench"  # the package of our own searches among the peers
NAMED = 3  # solvers of one check
MOST_NAMED = 10  # totals where not all are named


@dataclass(frozen=True)
class WrongTotal:
    """A count that differs from the published one.

    `solvers` has one name, or more if an older record of a check does not say which of the solvers
    was wrong.

    >>> print(WrongTotal(("recursive (python)",), 10, "A000170", "724", "725"))
    recursive (python) counted 725 instead of 724 at n = 10
    """

    solvers: tuple[str, ...]
    n: int
    sequence: str
    expected: str
    actual: str

    @property
    def solver(self) -> str:
        """The wrong solver, in few words."""
        if len(self.solvers) < 2:
            return "".join(self.solvers)
        more = len(self.solvers) - NAMED
        return (f"one of {', '.join(self.solvers[:NAMED])}"
                + (f" and {more} more" if more > 0 else ""))

    def __str__(self) -> str:
        of = "" if self.sequence == TOTALS else f" of {self.sequence}"
        return f"{self.solver} counted {self.actual} instead of {self.expected}{of} at n = {self.n}"


def summary(wrong: list[WrongTotal]) -> str:
    """Return one line that names the first wrong totals.

    >>> summary([WrongTotal(("recursive (python)",), 10, "A000170", "724", "725")])
    '1 wrong total: recursive (python) counted 725 instead of 724 at n = 10'
    """
    named = "; ".join(map(str, wrong[:MOST_NAMED]))
    more = f"; and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
    return f"{len(wrong)} wrong total{'s' if len(wrong) > 1 else ''}: {named}{more}"


def of_checks(checks: pd.DataFrame) -> Iterator[WrongTotal]:
    """Yield the wrong answers of the checks that differ."""
    for check in checks[checks["status"] == "differs"].to_dict("records"):
        wrong = check["wrong"]
        answers = ({(solver,): got for solver, got in wrong.items()} if isinstance(wrong, dict) else
                   {tuple(check["answered_by"]): check["got"]})
        for solvers, got in answers.items():
            yield WrongTotal(solvers, check["n"], check["sequence"], spaced(check["expected"]),
                             spaced(got))


def of_points(counted: pd.DataFrame) -> Iterator[WrongTotal]:
    """Yield the wrong totals of the timed searches."""
    for point in counted.to_dict("records"):
        yield from _compared(_solver(point), point["n"], point["samples"][0])


def of_peers(run: pd.DataFrame) -> Iterator[WrongTotal]:
    """Yield the wrong totals of our own searches among the peers; the section of the peers shows
    theirs.
    """
    for record in run[run["package"] == OURS].to_dict("records"):
        if isinstance(record["solutions"], int):
            yield from _compared(record["peer"], record["n"], record["solutions"])


def _compared(solver: str, n: int, total: int) -> Iterator[WrongTotal]:
    """Yield the total if it is wrong, with the first known value that it contradicts."""
    wrong = [known for known in invariants(n, total) if not known.ok]
    for known in wrong[:1]:
        exact = known.name == TOTALS
        yield WrongTotal((solver,), n, TOTALS, f"{known.expected}" if exact else
                         f"{known.expected} ({known.name})", f"{total}")


def _solver(point: dict[Any, Any]) -> str:
    """Return algorithm, implementation, and for the engine the kernel and the threads."""
    kernel = point["kernel"]
    more = f", {kernel}, {point['jobs']} threads" if isinstance(kernel, str) else ""
    return f"{point['algorithm']} ({point['implementation']}{more})"

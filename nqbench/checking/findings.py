"""What a check finds."""

import re
from dataclasses import asdict, dataclass, field
from typing import Any

from nqbench.util.text import printable

# The kinds of faults, the most serious first, and their words in the verdict.
KINDS = {
    "time": "not finished",
    "memory": "out of memory",
    "unread": "no count can be read",
    "raises": "the search fails",
    "shape": "wrong shape",
    "state": "a search depends on the one before",
    "wrong": "wrong solutions",
    "missing": "unsound pruning: it loses solutions",
    "blame": "a rule blames too few: with back, learn or restart it loses solutions",
    "unsolved": "it does not solve all puzzles",
    "nothing": "nothing that it finds could be checked",
    "builds": "the builds differ or cannot be made",
    "implementation": "an implementation differs",
    "total": "wrong counts",
    "counter": "wrong counting",
}


@dataclass(frozen=True)
class Fault:
    """A fault: its kind, one of `KINDS`, and one line of text.

    Attributes
    ----------
    n
        the board on which it was found.
    level
        the number of queens at which it appears.
    counter, expected, got
        a wrong counter or count, and its two values.
    placement
        a wrong or missing placement, as columns.
    prefix
        the longest part of a missing solution that is a node, as squares.
    lines
        more lines of text, such as those of a traceback.
    instance
        the text of the instance of queens on which it was found.
    """

    kind: str
    text: str
    n: int | None = None
    level: int | None = None
    counter: str | None = None
    expected: Any = None
    got: Any = None
    placement: tuple[int, ...] | None = None
    prefix: tuple[tuple[int, int], ...] | None = None
    lines: tuple[str, ...] = ()
    instance: str | None = None


@dataclass
class FamilyResult:
    """The random instances of a family that an algorithm had to decide.

    Attributes
    ----------
    many, solvable
        how many, and how many of them have a solution.
    gave_up
        on how many the search gave up.
    solutions
        what it found in all of them.
    """

    family: str
    many: int = 0
    solvable: int = 0
    gave_up: int = 0
    solutions: int = 0


@dataclass(repr=False)
class Findings:
    """All that a check found.

    Attributes
    ----------
    algorithm
        its name.
    max_n, first_n
        the largest and the smallest board that were to be checked.
    solutions
        for each n the expected number and the counted one.
    seen
        the largest n at which each solution was looked at: it is valid, and comes once. Beyond,
        totals alone were compared. 0 for what counts only.
    first_queen
        of the first wrong n, by the column of the first queen: column, expected, counted.
    implementations
        those that were compared, each with the largest n at which its total is right; -1 if none.
    tree
        for each level the nodes of the plain tree and of this one, at `max_n`; empty if it has no
        tree, or was not searched so far.
    instances, noun
        the instances that it had to decide, by family or data set, and the word for one.
    nodes
        the nodes of all these instances by the plain search, and by an algorithm that finds all
        solutions.
    faults
        the faults; only the first of each kind and counter.
    warnings
        what is not wrong, but makes its times doubtful.
    uncounted
        the counters that it does not count.
    stopped
        why it was not checked on a larger board, if that is no fault.
    form
        the form of its answers, in words, if that had to be recognised.
    examined, rules
        the queens of the board on which its rules were examined, and what each refuses, saves and
        takes there, see `nqbench.search.refusals.examine`.
    """

    algorithm: str
    max_n: int
    first_n: int = 0
    solutions: list[tuple[int, int | None, int]] = field(default_factory=list)
    seen: int = 0
    first_queen: list[tuple[int, int, int]] = field(default_factory=list)
    implementations: dict[str, int] = field(default_factory=dict)
    tree: list[tuple[int, int]] = field(default_factory=list)
    instances: list[FamilyResult] = field(default_factory=list)
    noun: str = "instance"
    nodes: tuple[int, int] | None = None
    faults: list[Fault] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    uncounted: list[str] = field(default_factory=list)
    stopped: str = ""
    form: str = ""
    examined: int = 0
    rules: list[dict[str, Any]] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.faults

    def __bool__(self) -> bool:
        """Return whether nothing is wrong, as in `assert nqbench.check("my_idea.py")`.

        >>> bool(Findings("mine", 8, faults=[Fault("total", "it counts 3 solutions, not 2")]))
        False
        """
        return self.ok

    @property
    def verdict(self) -> str:
        """Return what is wrong, the most serious first, or "right"."""
        found = {fault.kind for fault in self.faults}
        return "; ".join(text for kind, text in KINDS.items() if kind in found) or "right"

    @property
    def worst(self) -> str:
        """Return the text of the most serious fault; empty if nothing is wrong."""
        faults = sorted(self.faults, key=lambda fault: [*KINDS].index(fault.kind))
        return faults[0].text if faults else ""

    def __repr__(self) -> str:
        """Return the verdict and the most serious fault in one line.

        >>> Findings("bitmask", 8)
        <Findings: bitmask is right>
        """
        wrong = f"wrong: {self.verdict}: {self.worst}"
        return printable(f"<Findings: {self.algorithm} is {'right' if self.ok else wrong}>")

    def has(self, *kinds: str) -> bool:
        """Return whether there is a fault of one of these kinds."""
        return any(fault.kind in kinds for fault in self.faults)

    def add(self, fault: Fault) -> None:
        """Add a fault unless there is one of this kind and counter."""
        if all((known.kind, known.counter) != (fault.kind, fault.counter) for known in self.faults):
            self.faults.append(fault)

    def warn(self, text: str) -> None:
        """Add a warning unless there is one that differs in its numbers alone."""
        if re.sub(r"\d", "", text) not in [re.sub(r"\d", "", known) for known in self.warnings]:
            self.warnings.append(text)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {"algorithm": self.algorithm, "ok": self.ok, "verdict": self.verdict, **asdict(self),
                "solutions": [{"n": n, "expected": e, "got": g} for n, e, g in self.solutions],
                "first_queen": [{"column": c, "expected": e, "got": g}
                                for c, e, g in self.first_queen],
                "tree": [{"level": level, "plain": plain, "nodes": own}
                         for level, (plain, own) in enumerate(self.tree)]}

"""What an algorithm can do, as attributes: descriptions are for people only."""

from dataclasses import dataclass
from enum import StrEnum


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


ALL, ONE, SOME, PART = Finds.ALL, Finds.ONE, Finds.SOME, Finds.PART


@dataclass(frozen=True)
class Choice:
    """A number that the user may choose for an algorithm, behind a colon: its name, and what
    it is by default.
    """

    name: str
    default: str

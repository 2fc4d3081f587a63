"""What the published listings get wrong, and how each fault was shown (errata.toml).

The algorithms of the catalogue give the right answer in each of these cases. To show a fault, the
published text was compiled (gcc 12.2 on x86-64 Linux) and run, under AddressSanitizer and
UndefinedBehaviorSanitizer if the fault is in memory or arithmetic. If a run would take too long,
the fault is shown by the same program with smaller arrays or by arithmetic, and `shown` says so.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Erratum:
    """A fault of a published listing.

    Attributes
    ----------
    listings
        the algorithms of the catalogue that port the listings.
    fault
        what is wrong.
    shown
        the evidence.
    right
        what is right, or what nqbench does.

    Examples
    --------
    >>> print(ERRATA[0].listing, "-", ERRATA[0].shown)
    marks_mirror - for n = 1 it prints 2
    """

    listings: tuple[str, ...]
    fault: str
    shown: str
    right: str

    @property
    def listing(self) -> str:
        """The listings as one text."""
        return ", ".join(self.listings)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the listings, without their problem."""
        return tuple(listing.partition(" ")[0] for listing in self.listings)

    def as_dict(self) -> dict[str, str]:
        """Return the four texts by name."""
        return {"listing": self.listing, "fault": self.fault, "shown": self.shown,
                "right": self.right}


def find_errata(name: str) -> tuple[Erratum, ...]:
    """Return the errata of one listing; none if it has no known fault.

    >>> [erratum.shown for erratum in find_errata("recursive")][1]
    'an unchanged copy does not compile: the character is not valid there'
    """
    return tuple(each for each in ERRATA if name in each.names)


ERRATA = tuple(Erratum(**{**each, "listings": tuple(each["listings"])}) for each in tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8"))["erratum"])

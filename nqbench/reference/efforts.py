"""Published counts of n queens that took a month or a year, for comparison with a plan."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """The effort of a published count.

    Attributes
    ----------
    n, year
        the size of the board, and the year of the count.
    machine, time
        the machine, and the time that it took.
    source
        the publication.
    """

    n: int
    year: int
    machine: str
    time: str
    source: str


EFFORTS = (
    Effort(27, 2016, "FPGAs of several kinds", "about a year",
           "Preusser and Engelhardt, Putting Queens in Carry Chains, No. 27 (2017)"),
    Effort(27, 2025, "eight RTX 5090", "28.4 days", "arXiv 2511.12009"),
)

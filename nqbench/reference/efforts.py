"""Counts of n queens that took others a year, or a month: what a plan stands beside."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """What a published count took.

    Attributes
    ----------
    n, year
        what was counted, and when it was done.
    machine, time
        on what, and how long it took there.
    source
        who says so.
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

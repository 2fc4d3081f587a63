"""From records to tables, plots and one page; see `build`."""

from nqbench.report import plots
from nqbench.report.building import build, check, compare, read, write

__all__ = ["build", "check", "compare", "plots", "read", "write"]

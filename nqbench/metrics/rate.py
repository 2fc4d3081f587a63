"""The time of a solver of Sudoku."""

from nqbench.metrics import Metric

METRIC = Metric("rate", "s", "seconds for all puzzles of a data set that it answered")

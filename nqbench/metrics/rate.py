"""The time of a solver of Sudoku."""

from nqbench.metrics import Metric

METRIC = Metric("rate", "s", "seconds for all answered puzzles of a data set")

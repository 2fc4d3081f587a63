"""The lines of a benchmark over the commits: those that changed stand out, many others are one."""

import numpy as np
import pandas as pd
import pytest

from nqbench.analysis.across import SERIES
from nqbench.topics.commits.section import FEW, GREY, VERDICT, across_commits

COMMITS = ["a" * 40, "b" * 40, "c" * 40]


def rows(many, values=lambda number: (2.0, 2.0 + number, 1.0)):
    """Return `many` series of a benchmark, each measured at every commit."""
    return pd.DataFrame([
        {"machine": "one", "environment": "", "benchmark": "times.x", "parameters": f"n = {number}",
         "exact": False, "status": "measured", "commit": commit, "value": value, "unit": "x",
         "low": value - 0.1, "high": value + 0.1}
        for number in range(many) for commit, value in zip(COMMITS, values(number), strict=True)])


def marked(found, *numbers):
    """Return verdicts on the last commit of these series."""
    last = found[(found["commit"] == COMMITS[-1])
                 & found["parameters"].isin([f"n = {number}" for number in numbers])]
    return last[[*SERIES, "commit"]].assign(verdict="improvement")


def draw(found, *changed):
    """Return the lines and the shaded bands of the only panel: arrays of x and y."""
    axes = across_commits(found, marked(found, *changed)).axes[0]
    return axes.lines, [path.vertices for band in axes.collections for path in band.get_paths()]


def test_few_lines_are_drawn_each_with_its_interval():
    lines, bands = draw(rows(FEW))
    assert [line.get_label() for line in lines] == [f"n = {number}" for number in range(FEW)]
    assert {line.get_color() for line in lines} == {GREY}
    assert len(bands) == FEW
    assert bands[0][1:4, 1] == pytest.approx([0.95, 0.95, 0.45])  # of the first value, which is 2


def test_many_lines_that_did_not_change_are_their_median_and_range():
    lines, (band,) = draw(rows(FEW + 1))
    (line,) = lines
    assert line.get_label() == "median of 9 lines that did not change"
    assert line.get_ydata() == pytest.approx([1, 3, 0.5])  # of 1 + number / 2 the middle one
    assert band[1:4, 1] == pytest.approx([1, 1, 0.5])
    assert band[5:8, 1] == pytest.approx([0.5, 1 + FEW / 2, 1])


def test_lines_that_changed_stand_out_and_end_in_a_dot():
    lines, bands = draw(rows(FEW + 3), 0, 5)
    assert [line.get_label() for line in lines] == [
        "median of 9 lines that did not change", "n = 0", "n = 0, improvement",
        "n = 5", "n = 5, improvement"]
    assert {line.get_color() for line in lines[1:]} == {VERDICT["improvement"]}
    assert len(bands) == 3


def test_a_line_and_its_band_have_a_gap_where_nothing_was_measured():
    lines, bands = draw(rows(1, lambda number: (2.0, np.nan, 1.0)))
    assert lines[0].get_ydata() == pytest.approx([1, np.nan, 0.5], nan_ok=True)
    assert {band[0, 0] for band in bands} == {0, 2}


def test_what_was_never_measured_is_not_drawn():
    lines, bands = draw(rows(1, lambda number: (np.nan, 0.0, np.inf)))
    assert not lines and not bands

"""The values of plots on pointing are those of their tables, at the places where they are drawn."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from kept import published, read
from matplotlib.collections import PathCollection

from nqbench.problems.published.computed import profiles
from nqbench.report import formats as cells
from nqbench.report import style
from nqbench.report.drawings import add_points, tell, told
from nqbench.report.sections import contents
from nqbench.topics.instances.section import searches_in_pairs
from nqbench.topics.peers.measurement import OWN
from nqbench.topics.searches.section_time import draw_steps

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def points():
    """Draw a figure; return its points: x, y on the page, and the lines of text."""
    def call(made):
        call.root = ElementTree.fromstring(add_points(style.to_svg(made), made))
        return [(float(circle.get("cx")), float(circle.get("cy")),
                 circle.find(f"{SVG}title").text.split("\n"))
                for circle in call.root.iter(f"{SVG}circle")]
    return call


def rows(**columns):
    return pd.DataFrame(columns)


def test_each_point_lies_on_its_mark(points):
    with style.figure(5, 3, 2) as (made, (left, right)):
        for axes, x, y in ((left, [1, 2, 3], [10, 1000, 30]), (right, [1, 2], [5, 6])):
            axes.plot(x, y, marker="o")
            tell(axes, "one", rows(n=x, nodes=y), "n", "nodes")
        left.set_yscale("log")
    found = points(made)
    marks = [(float(use.get("x")), float(use.get("y"))) for use in points.root.iter(f"{SVG}use")
             if "clip-path" in use.attrib or re.search("fill", use.get("style", ""))]
    assert len(found) == 5
    for x, y, _ in found:
        assert any(abs(x - a) < 0.1 and abs(y - b) < 0.1 for a, b in marks), (x, y)


def test_a_point_says_name_panel_values_units_and_intervals(points):
    with style.figure(5, 3, 2) as (made, (left, right)):
        for axes in (left, right):
            tell(axes, "R & <D>", rows(n=[4], seconds=[0.0213], low=[0.0212], high=[0.0215],
                                       verdict=[""], times=[2.5], times_low=[2.0],
                                       times_high=[3.0]), "n", "seconds")
            axes.set_xlim(0, 10)
        right.set_title("the right\none")
    values = ["n: 4", "seconds: 21.3 ms (21.2 to 21.5)", "times: 2.5× (2.0 to 3.0)"]
    assert [text for *_, text in points(made)] == [
        ["R & <D>", *values], ["R & <D>", "the right one", *values]]


def test_what_is_not_shown_is_not_told(points):
    with style.figure(5, 3) as (made, (axes,)):
        tell(axes, [*"abc"], rows(n=[1, 2, 3], nodes=[1, np.nan, 100]), "n", "nodes")
        tell(axes, "outside", rows(n=[99]), "n", [1])
        axes.set(xlim=(0, 4), ylim=(0, 10))
    assert told(axes)[0] == [((1, 1), ["a", "n: 1", "nodes: 1"]),
                             ((3, 100), ["c", "n: 3", "nodes: 100"])]
    assert [text for *_, text in points(made)] == [["a", "n: 1", "nodes: 1"]]


def test_a_panel_that_is_named_like_its_series_is_named_once(points):
    with style.figure(5, 3, 2) as (made, both):
        for axes, label in zip(both, "ab", strict=True):
            tell(axes, label, rows(n=[1]), "n", [1])
            axes.set_title("a")
    assert [text for *_, text in points(made)] == [["a", "n: 1"], ["b", "a", "n: 1"]]


def test_what_is_no_formula_in_a_plot_is_none_on_pointing():
    with style.figure(5, 3) as (_, (axes,)):
        tell(axes, style.plain("$x$"), rows(n=[1]), "n", [1])
    assert told(axes) == [[((1, 1), ["$x$", "n: 1"])]]


# The columns with names of what has the values of a row.
NAMES = ("algorithm", "symmetry", "step", "peer", "method", "quantity")
# The units that the templates give these tables.
UNITS = {"gains": {"nodes": "×"}, "symmetry": {"nodes": "×"},
         "same_tree": {"seconds_per_node": "seconds"}}


def entries(lines):
    """The lines below a name, as name and value."""
    return {name: value for name, _, value in (line.partition(": ") for line in lines)}


def words(table, units=None):
    """The rows of a table as the page shows them: of each the names that belong to it, and the
    value of each column.
    """
    shown = cells.show(table, units)
    names = [one for one in NAMES if one in table]
    for (_, row), values in zip(shown.rows, table.to_dict("records"), strict=True):
        called = {str(values[name]).lower() for name in names}
        if {"algorithm", "implementation"} <= values.keys():
            called.add(style.solver(values["algorithm"], values["implementation"]).lower())
        if values.get("peer") in OWN:
            called.add(style.solver(*OWN[values["peer"]]).lower())
        yield called, {column: cell.text for (column, _), cell in zip(
            shown.columns, row, strict=True)}


def tables(made, section):
    """The tables that the values of a plot are in, each with its units: those of its section, or
    what its section draws where these have less.
    """
    frames, own = made.frames, made.parts[section].tables
    if section == "by_instance":
        return [(each[["nodes_without", "nodes"]].median().to_frame().T, {})
                for _, each in frames.of(searches_in_pairs).groupby(["n", "idea", "without"])]
    if section == "nodes":
        return [(made.parts["work"].tables["counters"], {}),
                (rows(algorithm=["bitmask"] * len(profiles()), n=[*profiles()],
                      nodes=[tree.nodes for tree in profiles().values()]), {})]
    quartiles = {"sudoku_difficulty": lambda table: table.assign(quartiles=[
        f"{cells.format_value(low)} to {cells.format_value(high)}" for low, high in zip(
            table["low"], table["high"], strict=True)]).drop(columns=["low", "high"]).rename(
                columns={"median": "nodes"})}
    return [(quartiles.get(one, lambda table: table)(table), UNITS.get(one, {}))
            for one, table in own.items()]


def checked(made, known=()):
    """Compare every point of every plot, except of known ones, with the tables; return the number
    of points by plot.
    """
    found = {}
    for section, part in made.parts.items():
        for name, choice in part.figures.items():
            if name in known:
                continue
            drawn = [draw() for draw in getattr(choice, "options", {"": choice}).values()]
            rows = [each for table, units in tables(made, section)
                    for each in words(table, units)]
            for figure in drawn:
                for axes in figure.axes:
                    for points in told(axes):
                        for _, (label, *lines) in points:
                            assert_known(name, label, entries(lines), rows)
                        found[name] = found.get(name, 0) + len(points)
                    assert_drawn(name, axes)
    return found


def assert_known(name, label, values, known):
    values.pop("verdict", None)
    fits = [called for called, row in known if all(
        row.get(what) == text for what, text in values.items())]
    assert fits, (name, label, values)
    assert any(not called or any(one in label.lower() for one in called) for called in fits) or (
        " + " in label), (name, label, values)
    for text in values.values():
        assert not re.search("nan|None", text)


def assert_drawn(name, axes):
    """Each point is where something is drawn, and nothing with a marker is untold."""
    places = [place for points in told(axes) for place, _ in points]
    if not places:
        return
    drawn = [line.get_xydata() for line in axes.lines]
    drawn += [one.get_offsets() for one in axes.collections if isinstance(one, PathCollection)]
    to_axes = axes.transData + axes.transAxes.inverted()
    marks = to_axes.transform(np.concatenate([np.asarray(each, float) for each in drawn]))
    said = to_axes.transform(places)
    for place in said:
        assert np.abs(marks - place).max(axis=1).min() < 1e-6, (name, place)
    for line in axes.lines:
        if line.get_marker() in ("None", "", None):
            continue
        data = np.asarray(line.get_xydata(), float)
        for place in to_axes.transform(data[np.isfinite(data).all(axis=1)]):
            assert np.abs(said - place).max(axis=1).min() < 1e-6, (name, place)


@pytest.mark.thorough
def test_every_value_of_the_plots_of_a_study_is_in_its_table(records):
    made = read(records)
    found = checked(made)
    assert found.keys() == made.figures.keys()
    assert all(found.values())


@pytest.mark.thorough
def test_every_value_of_the_plots_of_other_published_records_is_in_its_table(records):
    loaded, known = published(), read(records).figures.keys()
    made = contents(loaded[~loaded["preset"].isin(("standard", "pruning", "symmetry"))])
    found = checked(made, known)
    assert found.keys() == made.figures.keys() - known
    assert found.keys() >= {"by_instance", "ladder", "solution_costs", "transitions"}
    assert all(found.values())


def test_a_bar_says_its_own_time_not_the_nearest_mark_of_the_axis():
    table = rows(n=[7, 7], step=["one", "two"], seconds=[0.599, 0.00422], low=[0.59, 0.0042],
                 high=[0.61, 0.0043], times=[None, 142.0], times_low=[None, 140.0],
                 times_high=[None, 144.0])
    (points,) = told(draw_steps(table).axes[0])
    assert [text[:3] for _, text in points] == [
        ["one", "n: 7", "seconds: 600 ms (590 to 610)"],
        ["two", "n: 7", "seconds: 4.22 ms (4.20 to 4.30)"]]

"""The drawn tree has the nodes, solutions and dead ends of the search."""

from xml.etree import ElementTree

import pytest
from test_tracing import FOLLOWED, RESTARTING, UNSOLVABLE

from nqbench.explain.tree import grow, svg, text
from nqbench.problems import instances
from nqbench.problems.instances import Board

SVG = "{http://www.w3.org/2000/svg}"


def totals(root):
    nodes = list(root.walk())
    return (len(nodes) + sum(node.nodes for node in nodes),
            sum(node.solution + node.solutions for node in nodes),
            sum(node.dead_end + node.dead_ends for node in nodes))


def test_the_tree_of_4_is_that_of_the_figure():
    root = grow(4)
    assert totals(root) == (17, 2, 4)
    labels = [node.label for node in root.walk()]
    assert labels[:5] == ["(* * * *)", "(1 * * *)", "(1 3 * *)", "(1 4 * *)", "(1 4 2 *)"]
    assert [node.label for node in root.walk() if node.solution] == ["(2 4 1 3)", "(3 1 4 2)"]
    assert [node.label for node in root.walk() if node.dead_end] == [
        "(1 3 * *)", "(1 4 2 *)", "(4 1 3 *)", "(4 2 * *)"]


@pytest.mark.parametrize(("search", "searched"), FOLLOWED)
def test_a_cut_tree_counts_what_it_leaves_out(search, searched):
    for instance in searched:
        known = search.profile(instance)
        for depth in (None, 0, 1, 3, 5, 7):
            assert totals(grow(instance, search, depth)) == (
                known.nodes, known.visits, known.dead_ends)


def test_the_text_has_a_line_for_each_node_in_the_order_of_the_search():
    assert [child.label for child in grow(4, "flat_marks").children] == [
        "(4 * * *)", "(3 * * *)", "(2 * * *)", "(1 * * *)"]
    lines = list(text(grow(5)))
    assert len(lines) == 54
    assert sum(line.endswith("solution") for line in lines) == 10


def test_the_drawing_shows_every_node_once():
    root = ElementTree.fromstring(svg(grow(4)))
    assert len(root.findall(f"{SVG}rect")) == 17
    assert len(root.findall(f"{SVG}path")) == 16
    kinds = [rect.get("class") for rect in root.findall(f"{SVG}rect")]
    assert (kinds.count("solution"), kinds.count("dead")) == (2, 4)
    assert [t.text for t in root.findall(f"{SVG}text")].count("B") == 4


def test_no_two_nodes_of_the_drawing_overlap():
    root = ElementTree.fromstring(svg(grow(6)))
    boxes = [tuple(float(rect.get(key)) for key in ("x", "y", "width", "height"))
             for rect in root.findall(f"{SVG}rect")]
    assert len(boxes) == 153
    for i, (x, y, width, height) in enumerate(boxes):
        for a, b, _, _ in boxes[:i]:
            assert abs(a - x) >= width or abs(b - y) >= height


@pytest.mark.parametrize("depth", [None, 0, 3])
def test_the_runs_of_a_search_with_restarts_share_the_root(depth):
    known = instances.find(RESTARTING).profile(UNSOLVABLE)
    nodes, solutions, dead_ends = totals(grow(UNSOLVABLE, RESTARTING, depth))
    assert (nodes, solutions) == (known.nodes - known.levels[0] + 1, 0)
    assert dead_ends == known.dead_ends


def test_a_tree_that_was_not_searched_to_its_end_says_so():
    root = grow(Board(8), "bitmask", None, nodes_allowed=3)
    assert root.gave_up.startswith("gave up after 3 nodes")
    assert [node.label for node in root.walk()][-1] == "(1 3 * * * * * *)"
    assert not any(node.dead_end for node in root.walk())

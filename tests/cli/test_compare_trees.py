"""`nqbench trace` with two algorithms: how their trees differ."""

import json


def test_two_trees_are_compared_and_drawn_where_they_part(run):
    status, out, _ = run("trace", "n=6 placed=1:1", "-a", "forward_checking", "-a", "row_by_row")
    assert status == 0
    assert "accepted: row_by_row visits all that forward_checking does, and more" in out
    assert "the first node of row_by_row that forward_checking does not accept:" in out
    assert ". . . q . .\n. Q . . . .\n. . . . q .\n. . q . . ." in out
    assert "first node of forward_checking" not in out


def test_what_a_search_does_not_count_is_not_zero(run):
    _, out, _ = run("trace", "6", "-a", "backjumping", "-a", "bitmask")
    (line,) = [line for line in out.splitlines() if " jumps " in line]
    assert line.split("│")[2:4] == ["          20 ", " not counted "]


def test_the_json_has_levels_and_repeated_nodes(run):
    _, out, _ = run("trace", "6", "-a", "forward_checking", "-a", "row_by_row", "--json")
    found = json.loads(out)
    assert found["accepted"] == "within"
    assert [level["nodes"] for level in found["levels"]][2:4] == [[20, 20], [32, 36]]
    assert all(level["both"] <= min(level["nodes"]) for level in found["levels"])


def test_a_search_that_gave_up_tells_nothing_about_containment(run):
    status, out, err = run("trace", "n=30", "-a", "nogoods", "-a", "row_by_row", "--nodes", "100")
    assert status == 1
    assert "not known, as a search gave up" in out
    assert "gave up after 100 nodes" in err

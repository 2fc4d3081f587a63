"""The sections on random instances: how many have a solution, and what ideas save on each."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from examples import outcomes
from kept import said_of

from nqbench.report.sections import sections


def text(section, frames):
    return " ".join(said_of(section, frames).split())


def decided(algorithm, nodes, limit=1000, **more):
    return outcomes(algorithm, nodes, limit, **more)


def frames(*records):
    found = pd.DataFrame(records)
    return SimpleNamespace(records=found, of=lambda make: make(found))


BASE = np.arange(100, 400, 10)
SAVING = [decided("row_by_row", 3 * BASE), decided("bitmask", 3 * BASE),
          decided("forward_checking", BASE), decided("fewest_rows", BASE[::-1])]


def test_the_page_says_which_idea_saves_the_most_and_which_walk_the_same_tree():
    said = text("by_instance", frames(*SAVING))
    assert ("<code>forward_checking</code> saves the most on 30 boards of 8 queens: 3 times fewer "
            "nodes than <code>bitmask</code> on the median board (95 %: 3 to 3), and fewer on 30 "
            "of them.") in said
    assert "<code>bitmask</code> searches the same tree as <code>row_by_row</code>." in said


def test_the_page_says_at_least_where_the_median_is_known_up_to_a_bound():
    said = text("by_instance", frames(decided("bitmask", 9 * BASE), decided(
        "forward_checking", BASE)))
    assert "8 queens: at least " in said


def test_no_saving_is_claimed_where_none_is_significant():
    said = text("by_instance", frames(*SAVING[2:]))
    assert "no idea saves nodes significantly." in said


def test_a_panel_is_drawn_for_each_idea_that_changes_the_tree():
    part = sections()["by_instance"].part(frames(*SAVING))
    made = part.figures["by_instance"]()
    assert [axes.get_title(loc="left") for axes in made.axes] == [
        "forward_checking", "fewest_rows"]
    cross = made.axes[0].lines[0]
    assert (cross.get_label(), cross.get_xydata().tolist()) == ("medians", [[735.0, 245.0]])


def test_boards_without_a_comparison_have_no_section():
    assert sections()["by_instance"].part(frames(decided("bitmask", BASE))) is None


def test_the_section_on_transitions_says_how_many_instances_there_are_at_least():
    said = text("transitions", frames(decided("fewest_lines", BASE), decided(
        "fewest_lines", BASE[:20], amount=30)))
    assert "decided at least 20 random boards for each point" in said
    assert "at least" not in text("transitions", frames(decided("fewest_lines", BASE)))

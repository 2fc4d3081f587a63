"""The sections on random instances: what ideas save on each, heavy tails and restarts."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from examples import outcomes
from examples import run_lengths as run_lengths_of
from kept import said_of

from nqbench.report.sections import SECTIONS
from nqbench.topics.instances.frames import fit_tail, run_lengths
from nqbench.topics.instances.section_tails import run_survival


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
    part = SECTIONS["by_instance"].part(frames(*SAVING))
    made = part.figures["by_instance"]()
    assert [axes.get_title(loc="left") for axes in made.axes] == [
        "forward_checking", "fewest_rows"]
    cross = made.axes[0].lines[0]
    assert (cross.get_label(), cross.get_xydata().tolist()) == ("medians", [[735.0, 245.0]])


def test_boards_without_a_comparison_have_no_section():
    assert SECTIONS["by_instance"].part(frames(decided("bitmask", BASE))) is None


def test_the_section_on_transitions_says_how_many_instances_there_are_at_least():
    said = text("transitions", frames(decided("fewest_lines", BASE), decided(
        "fewest_lines", BASE[:20], amount=30)))
    assert "decided at least 20 random boards for each point" in said
    assert "at least" not in text("transitions", frames(decided("fewest_lines", BASE)))


def runs(algorithm, lengths, instance=None):
    return run_lengths_of(algorithm, lengths, 20_000, instance)


RANDOM = np.random.default_rng(1)
HEAVY, LIGHT = 10 * (RANDOM.pareto(0.4, 600) + 1), 10 + RANDOM.exponential(50, 600)
BOTH = [runs("random_order", HEAVY), runs("restarts_luby", LIGHT),
        runs("random_order", HEAVY, 0), runs("restarts_luby", LIGHT, 0)]


def test_the_page_says_how_heavy_the_tail_is_and_what_restarts_save():
    said = text("tails", frames(*BOTH))
    assert "For 8 queens, 3 placed queens, the longest 10 % of the runs have the tail index" in said
    assert "so heavy a tail has no finite mean." in said
    assert "<code>restarts_luby</code> cuts the 99 % quantile from at least 20,000 to 2" in said


def test_a_light_tail_is_not_called_heavy():
    said = text("tails", frames(runs("random_order", LIGHT), runs("restarts_luby", LIGHT)))
    assert "show that the tail is heavy" in said
    assert "takes 1 times fewer" not in said or "at least" not in said


def test_searches_without_restarts_alone_have_a_section():
    said = text("tails", frames(runs("random_order", HEAVY, 0)))
    assert "a power law with so heavy a tail has no finite mean." in said
    assert "What restarts save" not in said


def test_a_survival_plot_has_a_panel_for_each_distribution_and_the_tail_that_is_fitted():
    found = run_lengths(frames(*BOTH).records)
    made = run_survival(found, 0.1)
    assert [axes.get_title(loc="left") for axes in made.axes] == [
        "600 instances, a seed each", "instance 0, 600 seeds"]
    (dashed,) = [line for line in made.axes[0].lines if line.get_linestyle() == "--"]
    x, y = dashed.get_xdata(), dashed.get_ydata()
    tail = fit_tail(found["lengths"][0], found["ended"][0], 0.1)
    assert -np.log(y[1] / y[0]) / np.log(x[1] / x[0]) == pytest.approx(tail.alpha)
    assert y[0] == pytest.approx(0.1, abs=0.005)


def test_the_table_of_the_page_has_a_row_for_each_search_with_restarts():
    part = SECTIONS["tails"].part(frames(*BOTH))
    assert part.facts.saved["algorithm"].to_list() == ["restarts_luby"] * 2
    assert part.facts.saved["instance"].to_list() == ["all", "0"]
    assert len(part.tables["saved_by_restarts"]) == 6


def test_runs_of_which_only_others_have_restarts_have_a_section():
    part = SECTIONS["tails"].part(frames(
        runs("random_order", HEAVY), runs("random_order", HEAVY, 0),
        runs("restarts_luby", LIGHT, 0)))
    assert part.facts.findings[0].best is None


def test_runs_that_all_end_at_the_same_length_have_a_panel_without_marks():
    made = run_survival(run_lengths(frames(runs("random_order", [17], 0)).records), 0.1)
    assert [len(line.get_xdata()) for line in made.axes[0].lines] == [0, 0]

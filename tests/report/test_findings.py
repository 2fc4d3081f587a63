"""The heading of a section is what its figures show, or its title if they show nothing."""

import pandas as pd
import pytest
from kept import read, said

from nqbench.report.page import sections
from nqbench.report.tables import Taken, fewest_nodes
from nqbench.topics.engines import section
from nqbench.topics.instances import section as instances
from nqbench.topics.searches import section as searches
from nqbench.topics.searches import section_saving, section_sets
from nqbench.topics.sequences import section as sequences

GAIN = {"plain": "a", "mirrored": "b", "implementation": "python", "n": 8, "nodes": 1.99,
        "time": 1.7, "time_low": 1.6, "time_high": 1.8}
KERNEL = {"n": 18, "jobs": 1, "ratio": 92.2, "low": 90.3, "high": 96.9}
SAVED = {"algorithm": "cross", "nodes": 18.3, "time": 1.4, "low": 1.39, "high": 1.42,
         "verdict": "faster"}


def test_a_finding_is_the_heading_and_the_title_stands_above_it(records):
    made = read(records)
    finding = made.parts["nodes"].finding
    assert finding == "Thirteen algorithms search the same tree"
    assert f'<p class="label">Nodes</p>\n<h2>{finding}</h2>' in said(made, "nodes")


def test_without_a_finding_the_title_is_the_heading(records):
    text = said(read(records), "how")
    assert "<h2>How and where</h2>" in text
    assert "label" not in text


def test_every_section_has_one_heading(records):
    made = read(records)
    for name in sections(made):
        assert said(made, name).count("<h2") == 1, name


@pytest.mark.parametrize(("changed", "said"), [
    ({}, "Mirroring halves the nodes; the time falls by a factor of 1.7"),
    ({"time_high": 2.1}, ""),
    ({"time": 3, "time_low": 2.9, "time_high": 3.1},
     "Mirroring halves the nodes; the time falls by a factor of 3"),
    ({"nodes": 1.5}, "")])
def test_the_mirror_is_said_to_halve_no_time_only_if_an_interval_excludes_it(changed, said):
    assert section_saving.MirrorFacts(pd.DataFrame([GAIN | changed]), Taken()).finding == said


def test_the_mirror_names_the_least_and_the_largest_gain_in_time():
    gains = pd.DataFrame([GAIN, GAIN | {"time": 3.06, "time_low": 3, "time_high": 3.1}])
    assert section_saving.MirrorFacts(gains, Taken()).finding.endswith("a factor of 1.7 to 3.1")


@pytest.mark.parametrize(("changed", "said"), [
    ({}, "On one core the engine counts 92 times as fast as Somers' program"),
    ({"ratio": 92.2, "low": 92.1, "high": 92.4},
     "On one core the engine counts 92.2 times as fast as Somers' program"),
    ({"jobs": 2}, ""), ({"low": 0.9}, "")])
def test_the_engine_is_called_faster_with_the_digits_that_the_interval_allows(changed, said):
    assert section.kernels_finding(pd.DataFrame([KERNEL | changed])) == said


@pytest.mark.parametrize(("changed", "said"), [
    ({}, "cross has 18.3 times fewer nodes, but is only 1.40 times as fast"),
    ({"verdict": "not significant"}, ""), ({"high": 20}, "")])
def test_symmetry_is_said_to_save_less_time_only_if_it_does(changed, said):
    assert section_saving.SymmetryFacts(8, pd.DataFrame([SAVED | changed]), Taken()).finding == said


def test_rates_have_the_digits_that_their_intervals_allow():
    found = pd.DataFrame({"nodes_per_second": [181403238.4, 109995.8],
                          "low": [180112614.9, 108663.6], "high": [182025679.3, 111507.7]})
    assert searches.rate_finding(found) == "From 110,000 to 181 million nodes per second"


@pytest.mark.parametrize(("scores", "said"), [
    ([1, 2, 3, 4], "a searches the fewest nodes over all boards"), ([1, 2, 4, 3], ""),
    ([1, 1, 3, 4], "")])
def test_an_algorithm_has_the_fewest_nodes_only_if_it_alone_has_them_everywhere(scores, said):
    rows = pd.DataFrame({"family": ["x", "x", "y", "y"], "algorithm": ["a", "b"] * 2,
                         "par2": scores})
    assert fewest_nodes(rows, "family", "boards") == said


def ratios(*rows):
    return pd.DataFrame([(name, n, ratio, 0.9 * ratio, 1.1 * ratio, "faster")
                         for name, n, ratio in rows],
                        columns=["algorithm", "n", "ratio", "low", "high", "verdict"])


def test_cython_is_as_fast_as_on_the_largest_boards_and_the_peak_is_explained():
    facts = searches.facts(ratios(("a", 9, 160.0), ("a", 11, 40.0), ("b", 11, 42.0),
                                  ("b", 12, 40.0)),
                           Taken())
    assert facts.finding == (
        "From 11 to 12 queens, a search compiled by Cython is about 40 times as fast")
    assert facts.peak["n"] == 9
    alike = searches.facts(ratios(("a", 9, 41.0), ("a", 11, 40.0)), Taken())
    assert alike.finding.startswith("At 11 queens, ")
    assert alike.peak is None


def test_only_a_solver_that_alone_counts_all_boards_is_said_to():
    scores = pd.DataFrame({"algorithm": ["a", "b"], "implementation": "python", "problems": 3,
                           "solved": [3, 2], "par2": [1.0, 2.0]})
    assert section_sets.solvers_finding(scores, [4, 5, 6]) == (
        "Only a counts all boards from 4 to 6 queens in time")
    assert section_sets.solvers_finding(scores.assign(solved=3), [4, 5, 6]) == (
        "a solves 3 of 3 n, with the best score")


@pytest.mark.parametrize(("share", "said"), [
    (0.5, "Random boards of 26 queens are hardest at about 6.5 open squares"),
    (1.0, "Half of the boards of 26 queens have a solution at 6.47 open squares")])
def test_random_boards_are_hardest_at_one_half_only_if_they_are(share, said):
    half = pd.Series({"density": 6.47, "low": 6.4, "high": 6.54})
    found = instances.TransitionFinding("blocked", "blocked squares", "open squares", 26, half,
                                        3122.0,
                                        64.5, 6.5, share)
    facts = instances.TransitionsFacts([found], 100, 100, 0)
    assert facts.finding == said
    assert bool(facts.at_half) == (share == 0.5)


def test_a_wrong_total_is_the_finding_of_the_verification():
    facts = sequences.VerificationFacts(3, 2, 1, 0, 8, [], 0, 0, pd.DataFrame(),
                                        pd.DataFrame({"n": [8]}))
    assert facts.finding == "1 of our counts is wrong"

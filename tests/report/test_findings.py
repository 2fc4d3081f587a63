"""The heading of a section is what its figures show, or its title if they show nothing."""

from types import SimpleNamespace

import pandas as pd
import pytest
from examples import of_study, point
from kept import read, said, said_of

from nqbench.analysis import counters, descriptions
from nqbench.report.formats import format_rate
from nqbench.report.sections import Facts
from nqbench.topics.engines import section
from nqbench.topics.instances import section as instances
from nqbench.topics.searches import section_saving
from nqbench.topics.sequences import section as sequences

KERNEL = {"n": 18, "jobs": 1, "ratio": 92.2, "low": 90.3, "high": 96.9}
SAVED = {"algorithm": "cross", "nodes": 18.3, "time": 1.4, "low": 1.39, "high": 1.42,
         "verdict": "faster"}


def test_a_finding_is_the_heading_and_the_title_stands_above_it():
    run = of_study(point("bitmask", nodes=2057), point("recursive", nodes=2057))
    frames = SimpleNamespace(counters=counters(run), descriptions=descriptions(run))
    assert ('<p class="label">Nodes</p>\n<h2>Two algorithms search the same tree</h2>'
            in said_of("nodes", frames))


def test_every_section_has_one_heading_its_title_without_a_finding(records):
    made = read(records)
    texts = {name: said(made, name) for name in made.parts}
    assert {name for name, text in texts.items() if text.count("<h2") != 1} == set()
    assert "<h2>How and where</h2>" in texts["how"]
    assert "label" not in texts["how"]


@pytest.mark.parametrize(("changed", "said"), [
    ({}, "On one core the engine counts 18 queens 92 times as fast as Somers' program"),
    ({"ratio": 92.2, "low": 92.1, "high": 92.4},
     "On one core the engine counts 18 queens 92.2 times as fast as Somers' program"),
    ({"jobs": 2}, ""), ({"low": 0.9}, "")])
def test_the_engine_is_called_faster_with_the_digits_that_the_interval_allows(changed, said):
    assert section.kernels_finding(pd.DataFrame([KERNEL | changed])) == said


@pytest.mark.parametrize(("changed", "said"), [
    ({}, "cross has 18.3 times fewer nodes, but is only 1.40 times as fast"),
    ({"verdict": "not significant"}, ""), ({"high": 20}, "")])
def test_symmetry_is_said_to_save_less_time_only_if_it_does(changed, said):
    assert section_saving.symmetry_finding(pd.Series(SAVED | changed)) == said


def test_rates_have_the_digits_that_their_intervals_allow(records):
    made = read(records).parts["rate"]
    (slowest, fastest) = (made.tables["rates"].iloc[place] for place in (-1, 0))
    assert made.finding == "From {} to {} nodes per second".format(*(
        format_rate(*each[["nodes_per_second", "low", "high"]])
        for each in (slowest, fastest)))
    assert format_rate(181403238.4, 180112614.9, 182025679.3) == "181,000,000"
    assert format_rate(109995.8, 108663.6, 111507.7) == "110,000"


@pytest.mark.parametrize(("share", "said"), [
    (0.5, "Random boards of 26 queens are hardest at about 6.5"),
    (1.0, "Half of the boards of 26 queens have a solution at 6.47")])
def test_random_boards_are_hardest_at_one_half_only_if_they_are(share, said):
    points = pd.DataFrame({"family": "blocked", "n": 26, "nodes": [64.5, 3122.0],
                           "density": [2.0, 6.5], "share": [0.0, share]})
    crossing = pd.DataFrame([{"family": "blocked", "n": 26, "density": 6.47, "low": 6.4,
                              "high": 6.54}])
    found = instances.of_family("blocked", points, crossing)
    assert instances.transitions_finding([found]) == (
        f"{said} unblocked squares in a row, on average")
    assert found.near_half == (share == 0.5)


def test_a_wrong_total_is_the_finding_of_the_verification():
    facts = Facts(verdict="wrong", wrong=pd.DataFrame({"n": [8]}))
    assert sequences.verification_finding(facts) == "1 of our counts is wrong"
    facts.wrong["published"] = ""  # the search failed
    assert sequences.verification_finding(facts) == "1 of our counts is wrong or failed"

"""The section about the baseline agrees with the figures; without a baseline it is omitted."""

import re
from types import SimpleNamespace

import examples
import pytest
from kept import said_of

from nqbench import analysis
from nqbench.report.frames import Taken
from nqbench.report.sections import sections

A319283 = {3: 6, 7: 552, 8: 2057, 9: 8394}
NOISY = [0.7, 1.4, 0.8, 1.3, 1.0]


def point(algorithm, n=8, factor=1.0, nodes=None, **more):
    """The records of a point with nodes: by default those of the plain tree."""
    return examples.point(algorithm, n, factor, nodes or A319283[n], **more)


def frames(*points, named="bitmask", processes=1):
    main = examples.of_study(*points, baseline=named)
    return SimpleNamespace(main=main, timings=analysis.timings(main),
                           counters=analysis.counters(main), taken=Taken(
                               5, processes), added=[])


def conclusion(of):
    """The text of the first paragraph."""
    first = re.search("<p>(.*?)</p>", said_of("baseline", of), re.DOTALL).group(1)
    return " ".join(re.sub("<[^>]*>", "", first).split())


ALL = frames(point("bitmask"), point("quick", factor=0.5), point("idea", factor=0.25),
             point("idea", factor=0.125, implementation="numba"),
             point("costly", factor=4.0, nodes=1000), point("noisy", rounds=NOISY),
             point("once", rounds=[0.5]))


def test_the_conclusion_names_the_solvers_by_their_verdicts_the_fastest_first():
    assert conclusion(ALL) == (
        "Compared with bitmask at n = 8, the largest n that most solvers reached, idea (numba) (8 "
        "times as fast), idea (4 times as fast) and quick (2 times as fast) are significantly "
        "faster; costly (4 times as long) is significantly slower; noisy (0.996 times as fast) "
        "is not significantly faster or slower; once (2 times as fast) is measured in a single "
        "sample, which allows no verdict. costly (2.06 times fewer nodes) saves nodes and "
        "loses time.")


@pytest.mark.parametrize(("found", "end"), [
    (frames(point("bitmask"), point("once", rounds=[0.5]), processes=2),
     "once (2 times as fast) is measured in two processes, too few for an interval, which allows "
     "no verdict."),
    (frames(point("bitmask"), point("costly", factor=4.0)),  # what nobody is is not said
     "reached, costly (4 times as long) is significantly slower.")])
def test_the_conclusion_of_two_solvers_is_one_sentence(found, end):
    assert conclusion(found).endswith(end)


def test_disturbed_samples_are_no_single_sample_and_not_counted_as_not_faster():
    shaken = [{**point("shaken", factor=0.5)[0], "disturbed": 5}]
    for others, said in (((), ""), (
            [point("noisy", rounds=NOISY)],
            "None of 1 solver with a verdict is significantly faster than bitmask (python)")):
        found = frames(point("bitmask"), shaken, *others, processes=5)
        assert conclusion(found).endswith(
            "shaken (2 times as fast) is measured in samples that other programs disturbed, which "
            "allow no verdict.")
        assert sections()["baseline"].part(found).finding == said


def test_the_conclusion_is_about_the_largest_n_that_most_reached():
    found = frames(*(point(name, n, factor) for name, factor, sizes in (
        ("bitmask", 1.0, (7, 8, 9)), ("a", 0.5, (7, 8)), ("b", 2.0, (7, 8, 9)))
        for n in sizes))
    part = sections()["baseline"].part(found)
    assert part.facts.n == 8
    assert list(part.facts.shown["algorithm"]) == ["a", "b"]
    assert set(part.tables["baseline"]["n"]) == {7, 8, 9}


@pytest.mark.parametrize("without", [
    frames(point("bitmask"), point("somers"), named=None),
    frames(point("bitmask"), point("somers"), named="recursive"),
    frames(point("bitmask")), frames(point("bitmask", 3), point("somers", 3))])
def test_without_a_baseline_that_was_timed_or_others_there_is_no_section(without):
    assert sections()["baseline"].part(without) is None


def test_nodes_that_nobody_counted_are_no_column():
    uncounted = frames(point("bitmask")[:1], point("somers")[:1])
    part = sections()["baseline"].part(uncounted)
    assert "nodes" not in part.facts.shown
    assert conclusion(uncounted).endswith("is not significantly faster or slower.")

"""Descriptions are for people: rewording them changes no result."""

from itertools import product

import pandas as pd
import pytest

from nqbench.analysis.frames import pruning
from nqbench.checking.verification import run_checks
from nqbench.cli.verify import describe_answers
from nqbench.problems.queens import NAMES, Finds, Tree, catalogue
from nqbench.study.presets import Preset, solvers
from nqbench.topics.searches.section import time

TEXTS = ("origin", "technique", "worst_case", "symmetry")
ABOUT = ("algorithms", "pruning", "symmetry", "engine")


def panels():
    """The panels of the plot of times, each with its lines."""
    timings = pd.DataFrame([
        {"algorithm": name, "implementation": way, "n": n, "median": 2.0**n, "low": 2.0**n,
         "high": 2.0**n} for name, n in product(NAMES, (4, 5))
        for way in catalogue()[name].implementations])
    return {axes.get_title("left"): [line.get_label() for line in axes.get_lines()]
            for axes in time(timings).axes}


def checks():
    """The solvers that answer each published value, as stored and as printed."""
    found = run_checks(4).checks
    return [(check.sequence, check.n, list(check.answers), describe_answers(check, None))
            for check in found]


def results():
    return {
        "panels": panels(), "checks": checks(),
        "solvers": {about: list(map(str, solvers(6, Preset(budget=1, solvers=about))))
                    for about in ABOUT},
        "pruning": list(pruning(pd.DataFrame({"algorithm": NAMES}))["algorithm"]),
    }


@pytest.mark.slow
def test_rewording_all_descriptions_changes_nothing():
    before = results()
    kept = {name: {text: getattr(algorithm, text) for text in TEXTS}
            for name, algorithm in catalogue().items()}
    try:
        for (number, name), text in product(enumerate(NAMES), TEXTS):
            # Some of the new texts are those of other algorithms.
            words = (f"marks ({number})", "bit masks", "none", "all eight", "plain")[number % 5]
            object.__setattr__(catalogue()[name], text, words)
        assert catalogue()["bitmask"].technique != kept["bitmask"]["technique"]
        after = results()
    finally:
        for name, texts in kept.items():
            for text, words in texts.items():
                object.__setattr__(catalogue()[name], text, words)
    assert before == after
    assert "flat_marks" in before["panels"]["Keeping marks or bit masks"]
    assert "one_loop" in before["panels"]["Looking at rows or squares again"]


def test_descriptions_and_attributes_agree():
    for name, algorithm in catalogue().items():
        assert algorithm.uses_symmetry == (algorithm.symmetry != "none"), name
        assert isinstance(algorithm.tree, Tree), name
        assert isinstance(algorithm.finds, Finds), name
        if algorithm.technique.startswith(("marks", "bit masks")):
            assert algorithm.keeps_marks, name
        if hasattr(algorithm, "mirrors") and algorithm.doubles(8):
            assert algorithm.uses_symmetry, name
    assert [name for name in NAMES if catalogue()[name].counts_turns] == ["cross"]

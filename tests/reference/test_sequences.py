"""Sequences are found by their folder, one file for each."""

import json
import sys
from hashlib import sha256

import pytest

from nqbench.reference import SEQUENCES, published, sequences
from nqbench.verification import run_checks

FILE = """
from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences.A319283 import plain, tree


def second_level(tally):
    return tally.levels[2]


SEQUENCE = Sequence(
    name="A002378", title="Oblong numbers", source="OEIS A002378, shifted by two",
    first_n=2, values=(0, 2, 6, 12, 20), able=plain, measure=tree, value=second_level)
"""


@pytest.fixture
def another(add_member):
    """A file in a folder outside the package."""
    add_member(sequences, {"A002378.py": FILE})
    return "A002378"


def test_each_has_the_name_of_its_file():
    assert {"A000170", "A002562", "A032522", "A033148", "A319283", "A319284"} <= set(SEQUENCES)
    assert [published(name).name for name in SEQUENCES] == list(SEQUENCES)


@pytest.mark.parametrize(("name", "ends", "digest"), [
    ("A140450", "\n" * 6, "c4fa18b3e7ebb4c4716063f6dd388307ad9bc08e8a652a502f727bbd664bc626"),
    ("A319284", "", "ed40fc1b2cf1d0d3ecbaea8d8a70affc065924e14ebc9aa3887492ea123649c2")])
def test_the_values_are_those_of_the_published_b_file(name, ends, digest):
    """The digests are those in the Git LFS pointers of github.com/oeis/oeisdata."""
    sequence = published(name)
    rows = [value if isinstance(value, list) else [value] for value in sequence.values]
    terms = enumerate((term for row in rows for term in row), sequence.first_n)
    text = "".join(f"{n} {term}\n" for n, term in terms) + ends
    assert sha256(text.encode()).hexdigest() == digest


def test_a_file_is_enough_to_add_one(another, monkeypatch, capsys):
    from nqbench import cli

    assert published(another)[5] == 12
    verification = run_checks(6, [another])
    assert verification.ok
    assert len(verification.checks[-1].answers) >= 12
    assert "cross (python)" not in verification.checks[-1].answers  # it has another tree
    monkeypatch.setattr(sys, "argv", ["nqbench", "verify", "--sequence", another, "--json"])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 0
    found = json.loads(capsys.readouterr().out)["checks"]
    assert [check["got"] for check in found] == [0, 2, 6, 12, 20]


def test_the_folder_is_as_before():
    with pytest.raises(ValueError, match="no sequence 'A000012'"):
        published("A000012")


def test_sequences_that_share_a_measure_are_measured_once(monkeypatch):
    from nqbench.algorithms.base import Search

    measured = []
    profile = Search.profile

    def counted(self, n, implementation="python"):
        measured.append((self.name, implementation, n))
        return profile(self, n, implementation)

    monkeypatch.setattr(Search, "profile", counted)
    assert run_checks(4, ["A319283", "A319284"]).ok
    assert measured
    assert len(measured) == len(set(measured))

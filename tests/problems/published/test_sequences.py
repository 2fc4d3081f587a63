"""A sequence is a row of a table: its values, and how to compute them."""

import subprocess
import sys
from hashlib import sha256

import pytest

from nqbench import solutions
from nqbench.checking.verification import verify
from nqbench.problems.published import SEQUENCES, published
from nqbench.problems.published.sequences import TABLE, completion_threshold


def test_each_number_stands_once_in_the_table_in_order_and_names_its_source():
    assert [sequence.name for sequence in TABLE] == sorted(SEQUENCES)
    assert {"A000170", "A002562", "A032522", "A033148", "A319283", "A319284"} <= set(SEQUENCES)
    assert published("A000170").source == "OEIS A000170"
    assert published("A319283").source.startswith("OEIS A319283, by Peter Luschny")


@pytest.mark.parametrize("n", [4, 6, 7, 10])
def test_the_completion_threshold_is_the_published_one(n):
    assert completion_threshold(n, solutions(n)) == published("A374013")[n]


@pytest.mark.slow
def test_values_are_read_without_a_search():
    code = ("import sys\nfrom nqbench.problems.published import published\n"
            "assert published('A000170')[8] == 92\nprint(*sys.modules)")
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                            check=True).stdout.split()
    assert {"nqbench.problems.queens", "nqbench.problems.instances",
            "nqbench.engine"}.isdisjoint(loaded)


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


def test_sequences_that_share_a_measure_are_measured_once(monkeypatch):
    from nqbench.problems.queens.base import Search

    measured = []
    profile = Search.profile

    def counted(self, n, implementation="python"):
        measured.append((self.name, implementation, n))
        return profile(self, n, implementation)

    monkeypatch.setattr(Search, "profile", counted)
    assert verify(4, ["A319283", "A319284"]).ok
    assert measured
    assert len(measured) == len(set(measured))

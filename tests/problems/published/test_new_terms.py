"""The new terms in docs/new-terms.md: their b-files, and what confirms them."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

from nqbench.problems.published import published

HOME = Path(__file__).parents[3]
FILES = HOME / "results" / "sequences"
TEXT = (HOME / "docs" / "new-terms.md").read_text("utf-8")
ROWS = re.findall(r"\| (A\d{6}) \|(?: [^|]* \|){3} \[(b\d{6}.txt)\][^|]*\| (\w+) \|", TEXT)


def terms(name):
    """The terms of a b-file, by n."""
    lines = (FILES / f"b{name[1:]}.txt").read_text("utf-8").splitlines()
    return {int(n): int(term) for n, term in map(str.split, lines)}


@pytest.mark.parametrize(("name", "file", "digest"), ROWS)
def test_a_file_is_the_one_named_and_begins_with_the_published_values(name, file, digest):
    assert file == f"b{name[1:]}.txt"
    assert sha256((FILES / file).read_bytes()).hexdigest().startswith(digest)
    sequence, found = published(name), list(terms(name).values())
    known = [term for value in sequence.values
             for term in (value if isinstance(value, list) else [value])]
    assert found[:len(known)] == known
    assert len(found) > len(known)


def test_every_file_is_named():
    assert {path.name for path in FILES.glob("b*.txt")} == {file for _, file, _ in ROWS}


def test_orbits_of_superqueens_add_up_to_what_others_published():
    two, four, eight = (terms(f"A35266{k}") for k in (1, 2, 3))
    for n in range(2, 27):
        assert two[n] + four[n] + eight[n] == published("A051224")[n]
        assert 2 * two[n] + 4 * four[n] + 8 * eight[n] == published("A051223")[n]


def test_orbits_of_queens_add_up_to_what_others_published():
    four, eight, two = terms("A260319"), terms("A260320"), published("A260318")
    for n in range(2, 28):
        assert two[n] + four[n] + eight[n] == published("A002562")[n]


def test_orbits_with_a_pawn_are_those_of_the_published_placements():
    for n, term in terms("A103331").items():
        more = 8 * term - published("A103330")[n]
        assert more == 0 if n % 2 == 0 else more >= 0
    assert 8 * terms("A103331")[19] - published("A103330")[19] == 100_536
    assert 8 * terms("A103331")[21] - published("A103330")[21] == 952_392


def test_both_joins_agree_on_every_part_of_the_semi_queens():
    parts = {method: {int(part): int(number) for part, number, _ in map(str.split, (
        FILES / f"22.{method}").read_text("utf-8").splitlines()[1:])}
        for method in ("quadrants", "layers")}
    assert parts["quadrants"] == parts["layers"]
    assert parts["quadrants"].keys() == {*range(1024)}
    assert sum(parts["layers"].values()) == terms("A099152")[22]
    assert terms("A099152")[22] == 162_620_408_199_641_115

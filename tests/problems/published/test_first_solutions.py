"""The first solutions are those of the b-files; research/first_solutions finds them again."""

from hashlib import sha256

from nqbench.problems.instances import Board
from nqbench.problems.published import published
from nqbench.problems.published.computed import FIRST_SOLUTIONS
from nqbench.problems.published.sequences import search_plainly

COLUMNS, SQUARES = published("A141843"), published("A140450")


def test_every_row_is_a_solution_or_there_is_none():
    for n, row in FIRST_SOLUTIONS.items():
        assert (row.solution is None) == (n in (2, 3))
        columns = tuple(column - 1 for column in row.solution or ())
        assert not columns or Board(n).is_solution(columns), n


def test_the_plain_search_finds_the_small_ones_in_as_many_squares():
    for n in range(1, 14):
        row = FIRST_SOLUTIONS[n]
        columns, tried = search_plainly(n)
        assert [column + 1 for column in columns or ()] == (row.solution or []), n
        assert tried == row.tried == n * row.placements + len(columns or ()) * (n + 1) // 2, n


def test_the_rows_to_61_are_those_of_the_published_b_file():
    """The digest of b141843.txt is that in the Git LFS pointer of github.com/oeis/oeisdata."""
    rows = [FIRST_SOLUTIONS[n].solution or [0] * n for n in range(1, 62)]
    text = "".join(f"{k} {term}\n" for k, term in enumerate((c for row in rows for c in row), 1))
    assert sha256(text.encode()).hexdigest() == (
        "883c716b48815b2f8f9edcd10d033d7d4800267083f60bffd3b837be03fe4d2c")


def test_published_terms_are_not_repeated():
    for n, row in FIRST_SOLUTIONS.items():
        assert bool(row.columns) == (COLUMNS.get(n) is None), n
        assert row.tried == SQUARES.get(n), n
        assert row.found_by[0] == "pruned search", n
        assert set(row.found_by) <= {"pruned search", "plain count", "6 prefixes", "SAT chain"}, n
        assert ("plain count" in row.found_by) == (row.tried is not None), n

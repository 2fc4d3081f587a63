"""A declaration says what attacks what; the rest follows from it, in several ways."""

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nqbench import Variant, solutions
from nqbench.errors import InvalidValueError
from nqbench.problems.instances import Board, solve
from nqbench.problems.published import published
from nqbench.problems.published import sequences as rows
from nqbench.search.board import SYMMETRIES
from nqbench.search.variants import LINES, elements

QUEENS = Variant("Queens")
LEAPS = [(1, 2), (2, 1), (0, 2), (2, 0), (2, 2), (1, 0), (1, 3)]
CORNERS = [(0, 0), (0, 7), (7, 0), (7, 7)]


def naive(n, sums, differences, leaps):
    """The placements of one piece in each row and column, as columns by row, by definition."""
    def attack(down, right):
        return ((sums and down == -right) or (differences and down == right)
                or (down, abs(right)) in leaps)

    return [columns for columns in permutations(range(n)) if not any(
        attack(j - i, columns[j] - columns[i]) for i, j in combinations(range(n), 2))]


variants = st.tuples(st.booleans(), st.booleans(),
                     st.lists(st.sampled_from(LEAPS), max_size=4, unique=True))


@given(variants, st.integers(1, 6))
@settings(max_examples=25)
def test_both_searches_count_what_the_definition_says(rules, n):
    sums, differences, leaps = rules
    lines = ("rows", "columns", *["sums"] * sums, *["differences"] * differences)
    variant = Variant("any", lines, tuple(leaps), group=("half turn",))
    found = naive(n, sums, differences, leaps)
    assert variant.levels(n, "cython") == variant.levels(n, "python")
    assert variant.levels(n)[-1] == len(found)
    turned = sum(columns == tuple(n - 1 - column for column in reversed(columns))
                 for columns in found)
    assert variant.fixed(n, "half turn", "cython") == turned
    assert variant.fixed(n, "half turn", "python") == turned
    assert variant.cover(n) == len(found)
    assert variant.cover(n, "half turn") == turned
    if n < 5:
        assert variant.brute_force(n) == len(found)


@pytest.mark.parametrize("leaps", [(), ((1, 2), (2, 1)), ((2, 2),)])
@pytest.mark.parametrize("turn", ["half turn", "quarter turn"])
def test_placements_that_a_turn_leaves_unchanged_are_compiled_too(leaps, turn):
    variant = Variant("pieces", leaps=leaps)
    for n in range(1, 14):
        assert variant.fixed(n, turn, "cython") == variant.fixed(n, turn, "python")


def test_wider_boards_are_counted_in_threads():
    assert QUEENS.levels(12) == published("A319284")[12]
    assert rows.SEMIQUEENS.count(12) == published("A099152")[12]
    assert rows.SUPERQUEENS.count(14) == published("A051223")[14]


@pytest.mark.parametrize("n", range(7))
def test_orbits_are_those_of_burnside(n):
    assert QUEENS.orbits(n) == (published("A002562").get(n) or 1 - bool(n))
    for group in (("half turn",), ("mirror",), ("transpose", "half turn")):
        images = {frozenset(frozenset(SYMMETRIES[name](n - 1, *square)
                                      for square in enumerate(columns))
                            for name in elements(group)) for columns in naive(n, True, True, [])}
        assert Variant("queens", group=group).orbits(n) == len(images)


@pytest.mark.parametrize("n", range(5))
def test_any_number_of_pieces_and_maximal_sets(n):
    for variant in (rows.SETS, rows.MAXIMAL):
        assert variant.count(n) == variant.count(n, "python") == variant.brute_force(n)
    assert rows.SETS.levels(n) == rows.SETS.levels(n, "python")
    assert Variant("pairs", pieces=lambda n: 2).count(n) == sum(rows.SETS.levels(n)[2:3])


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_torus_is_that_of_the_instances(n):
    assert rows.TORUS.count(n) == rows.TORUS.count(n, "python") == solve(
        Board(2 * n + 1, torus=True), limit=10**6, keep=0).found


def test_a_board_may_have_holes_and_lines_of_your_own():
    corners = Variant("queens", holes=lambda side, row, column: {row, column} <= {0, side - 1})
    assert corners.count(8) == solve(Board(8, blocked=CORNERS), limit=1000, keep=0).found
    boxes = Variant("queens in different boxes", group=(), lines=(
        *LINES, lambda side, row, column: (row // 3, column // 3)))
    assert boxes.count(9) == sum(
        len({(row // 3, column // 3) for row, column in enumerate(columns)}) == 9
        for columns in solutions(9))
    assert not boxes.core and not corners.core


def test_pawns_interrupt_lines():
    """Chatham, Fricke and Skaggs (2006): n + 1 queens and a pawn."""
    for n in range(1, 8):
        assert rows.count_with_pawn(False, n) == published("A103330")[n]
    for n in (7, 9, 11, 13):
        for cover in (False, True):
            assert rows.with_pawn_up_to_symmetry(cover, n) == published("A103331")[n]
        assert rows.CENTRE.fixed(n // 2, "mirror") == rows.CENTRE.fixed(n // 2, "transpose") == 0


@pytest.mark.parametrize(("how", "message"), [
    ({"lines": ("row",)}, "there is no kind of line 'row'; did you mean rows?"),
    ({"group": ("mirrored",)}, "there is no symmetry 'mirrored'; did you mean mirror?"),
    ({"pieces": "some"}, "pieces must be a function of n, 'any' or 'maximal', not 'some'"),
    ({"lines": ("rows", "columns", "sums"), "group": ("mirror",)},
     r"mirror does not preserve the lines of 'mine': for n = 2, \(0, 0\) and \(1, 1\) do not "
     r"attack each other, their images \(0, 1\) and \(1, 0\) do"),
    ({"holes": lambda side, row, column: row == column == 0},
     r"for n = 2, the image of \(1, 1\), \(0, 0\), is missing")])
def test_what_is_wrong_with_a_declaration_is_named(how, message):
    with pytest.raises(InvalidValueError, match=message):
        Variant("mine", **{"group": ("half turn",), **how})


def test_n_above_what_words_hold_is_refused():
    with pytest.raises(InvalidValueError, match="at most 31 columns, not 32"):
        QUEENS.count(32)
    with pytest.raises(InvalidValueError, match="'far' has no compiled search"):
        Variant("far", leaps=((3, 4),)).count(4, "cython")

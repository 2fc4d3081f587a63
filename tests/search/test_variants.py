"""A declaration says what attacks what; the rest follows from it, in several ways."""

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import press_ctrl_c

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


@pytest.mark.parametrize("lines", [tuple(LINES), ["rows", "columns"]])
@pytest.mark.parametrize("leaps", [(), ((1, 2), (2, 1)), ((2, 2),)])
@pytest.mark.parametrize("turn", ["half turn", "quarter turn"])
def test_placements_that_a_turn_leaves_unchanged_are_compiled_too(lines, leaps, turn):
    variant = Variant("pieces", lines, leaps)
    for n in range(1, 14 if "sums" in lines else 10):
        assert variant.fixed(n, turn, "cython") == variant.fixed(n, turn, "python")


@pytest.mark.slow
@pytest.mark.parametrize("turn", ["half turn", "quarter turn"])
def test_ctrl_c_stops_the_compiled_search_of_a_turn(turn):
    _, out, err = press_ctrl_c(
        "from nqbench import Variant\nrooks = Variant('Rooks', lines=('rows', 'columns'))\n"
        f"print('ready', flush=True)\nrooks.fixed(32, '{turn}')\nprint('done')", after=1.0)
    assert err.endswith("\nKeyboardInterrupt\n")
    assert out == ""


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
     r"mirror does not preserve the lines of 'mine': for n = 2, \(0, 1\) and \(1, 0\) attack each "
     r"other, their images \(0, 0\) and \(1, 1\) do not"),
    ({"holes": lambda side, row, column: row == column == 0},
     r"for n = 2, the image of \(1, 1\), \(0, 0\), is missing"),
    ({"leaps": ((1, 4),), "group": ("quarter turn",)}, r"quarter turn does not .* n = 5, "),
    ({"leaps": (3,)}, r"a leap must be \(rows, columns\), not 3"),
    ({"lines": ()}, "'mine' needs a kind of line"),
    ({"pieces": lambda n: -1}, "pieces of 'mine' must be a whole number from 0 to 10,000, not -1"),
    ({"pieces": lambda n: n / 2}, r"pieces of 'mine' must be a whole number .* not 0.5 for n = 1"),
    ({"side": lambda n: 10**6}, "side of 'mine' must be .* to 100, not 1000000 for n = 1"),
    ({"lines": (lambda side, row, column: [row],)}, r"must return a number or a tuple, not \[0\]"),
    ({"lines": (lambda side, row, column: row // column,)},
     r"a line of 'mine' fails for \(1, 0, 0\): ZeroDivisionError"),
    ({"holes": lambda side: False}, r"holes of 'mine' fails for \(1, 0, 0\): TypeError"),
    ({"side": lambda n: [][n]}, r"side of 'mine' fails for \(1,\): IndexError")])
def test_what_is_wrong_with_a_declaration_is_named(how, message):
    with pytest.raises(InvalidValueError, match=message):
        Variant("mine", **{"group": ("half turn",), **how})


def test_a_symmetry_is_checked_on_the_board_that_is_counted():
    holes = Variant("holes", holes=lambda side, row, column: (side, row, column) == (6, 0, 0))
    assert holes.orbits(5) == 2 and holes.count(6) == 4
    with pytest.raises(InvalidValueError, match=r"n = 6, the image of .* is missing"):
        holes.orbits(6)
    with pytest.raises(InvalidValueError, match=r"transpose does not preserve .* for n = 3"):
        Variant("leaps", leaps=((0, 2),), lines=("rows",), group=()).fixed(3, "transpose")


def test_lines_of_your_own_on_a_torus_are_taken_as_they_are():
    own = Variant("own", lines=(lambda side, row, column: row * side, "columns"), torus=True,
                  group=())
    assert [own.count(n) for n in range(5)] == [1, 1, 2, 6, 24]
    assert [own.brute_force(n) for n in range(5)] == [1, 1, 2, 6, 24]


def own_line(side, row, column):
    return (row // 2, column % 3)


@st.composite
def declarations(draw):
    """Any declaration that is not refused, and a small n."""
    lines = draw(st.lists(st.sampled_from([*LINES, own_line]), min_size=1, max_size=4, unique=True))
    holes = draw(st.sampled_from([
        None, lambda side, row, column: row == column == side // 2,
        lambda side, row, column: (row * row + column * column) % 5 == 1]))
    group = draw(st.lists(st.sampled_from([*SYMMETRIES]), max_size=2, unique=True))
    how = {
        "leaps": tuple(draw(st.lists(st.sampled_from(LEAPS), max_size=2, unique=True))),
        "pieces": draw(st.sampled_from([int, lambda n: n // 2, lambda n: n + 1, "any", "maximal"])),
        "side": draw(st.sampled_from([int, lambda n: n + 1 if n else 0])),
        "torus": draw(st.booleans()), "holes": holes}
    try:
        return Variant("random", tuple(lines), group=tuple(group), **how), draw(st.integers(0, 3))
    except InvalidValueError:
        return Variant("random", tuple(lines), group=(), **how), draw(st.integers(0, 3))


@given(declarations())
def test_declarations_agree_with_brute_force_and_explicit_orbits(declared):
    require_agreement(*declared)


@pytest.mark.thorough
@given(declarations())
@settings(max_examples=2000)
def test_many_declarations_agree_with_brute_force_and_explicit_orbits(declared):
    require_agreement(*declared)


def require_agreement(variant, n):
    found = [*variant.placements(n)]
    assert variant.count(n) == variant.count(n, "python") == len(found)
    assert variant.levels(n) == variant.levels(n, "python")
    last = variant.side(n) - 1
    images = {frozenset(frozenset(SYMMETRIES[name](last, *square) for square in placement)
                        for name in elements(variant.group)) for placement in found}
    assert variant.orbits(n) == len(images)


def test_which_core_counts_a_declaration():
    wider = {"side": lambda n: n + 1}
    cores = {"sets_by_size": rows.SETS, "maximal_sets": rows.MAXIMAL, "toroidal": rows.TORUS,
             "pieces_by_row": rows.SUPERQUEENS}
    assert {name: variant.core for name, variant in cores.items()} == {name: name for name in cores}
    assert Variant("torus", torus=True).core == "toroidal"
    for variant in (Variant("wider", pieces="any", **wider), Variant("few", pieces=lambda n: 1),
                    Variant("maximal", pieces="maximal", torus=True), Variant("w", **wider),
                    Variant("columns first", lines=("columns", "rows")),
                    Variant("far", leaps=((3, 3),))):
        assert not variant.core, variant.title
    assert Variant("wider", pieces="any", **wider).count(3) == rows.SETS.count(4)


def test_n_above_what_words_hold_is_refused():
    with pytest.raises(InvalidValueError, match="at most 31 columns, not 32"):
        QUEENS.count(32)
    with pytest.raises(InvalidValueError, match="'far' has no compiled search"):
        Variant("far", leaps=((3, 4),), group=()).count(4, "cython")

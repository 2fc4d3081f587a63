"""The reader places queens: conflicts, free squares, and hints from a complete search."""

import re

import pytest

from nqbench.problems.instances import Board
from nqbench.problems.instances import find as find_instance_search
from nqbench.problems.queens import find
from nqbench.search.board import attacks


@pytest.fixture(scope="module")
def shown(play):
    return play("6 queens", 6, [find("iterative")], ["iterative"],
                viewport={"width": 390, "height": 900}, color_scheme="dark")


@pytest.fixture
def page(shown):
    """A page with its board of 6, which is empty."""
    yield shown
    for n in ("12", "6"):  # another board begins empty
        shown.select_option("#turn-n", n)


def click(page, row, column):
    page.locator(f"#turn-board [aria-label^='row {row}, column {column}:']").click()


def line(page):
    return page.locator("#turn-line").text_content()


def hint(page):
    page.click("#turn-hint")
    return page.locator("#turn-answer").text_content()


def labelled(page, text):
    """The squares with this in their label, as rows and columns."""
    labels = page.locator(f"#turn-board [aria-label*='{text}']").evaluate_all(
        "(squares) => squares.map((square) => square.ariaLabel)")
    return [tuple(map(int, re.findall(r"\d+", label))) for label in labels]


def continues(*placed):
    """Whether a solution for 6 queens has these squares."""
    return find_instance_search("row_by_row").solve(Board(6, placed=placed)).found


def test_the_board_is_that_of_the_page_and_is_numbered(page):
    assert page.locator("#turn-board button").count() == 36
    numbers = page.locator("#turn-board span").all_text_contents()
    assert numbers == ["", *"123456", *"123456"]
    column = page.locator("#turn-board .numbered span").nth(4).bounding_box()
    square = page.locator("#turn-board [aria-label^='row 4, column 4:']").bounding_box()
    row = page.locator("#turn-board [role=row]").nth(3).locator("span").bounding_box()
    assert abs(column["x"] + column["width"] / 2 - square["x"] - square["width"] / 2) < 1
    assert abs(row["y"] + row["height"] / 2 - square["y"] - square["height"] / 2) < 1


def test_remaining_squares_are_those_that_no_queen_attacks(page):
    queens = [(1, 2), (2, 4)]
    for square in queens:
        click(page, *square)
    free = [(row, column) for row in range(1, 7) for column in range(1, 7)
            if (row, column) not in queens
            and not any(attacks((row, column), queen) for queen in queens)]
    assert labelled(page, "free") == free
    assert line(page) == f"2 of 6 queens; {len(free)} squares remain free."


def test_queens_that_attack_each_other_are_named(page):
    for square in ((1, 1), (2, 4), (3, 3)):
        click(page, *square)
    assert labelled(page, "queen, attacked") == [(1, 1), (2, 4), (3, 3)]
    assert line(page).endswith("In conflict: row 1, column 1 and row 3, column 3; "
                               "row 2, column 4 and row 3, column 3.")
    assert hint(page) == "Queens attack each other. Remove that of row 3, column 3."
    click(page, 3, 3)
    assert labelled(page, "queen, attacked") == []
    assert page.locator("#turn-answer").text_content() == ""


@pytest.mark.parametrize("column", [  # the others are images
    2, *(pytest.param(column, marks=pytest.mark.thorough) for column in (1, 3))])
def test_a_hint_says_truly_whether_a_solution_continues(page, column):
    click(page, 1, column)
    for other in range(1, 7):
        if abs(other - column) < 2:
            continue
        click(page, 2, other)
        text = hint(page)
        placed = (0, column - 1), (1, other - 1)
        known = continues(*placed)
        assert text.startswith("Try " if known else "This placement has no completion: the search "
                               "in this page made "), placed
        if known:
            ((hinted_row, hinted_column),) = labelled(page, "hint")
            assert continues(*placed, (hinted_row - 1, hinted_column - 1)), placed
        elif continues(placed[0]):
            assert text.endswith(f"Remove the queen of row 2, column {other}: the others have a "
                                 "completion.")
        elif continues(placed[1]):
            assert text.endswith(f"Remove the queen of row 1, column {column}: the others have a "
                                 "completion.")
        else:
            assert text.endswith("No single queen is at fault: remove several.")
        click(page, 2, other)


def test_hints_alone_lead_to_a_solution(page):
    for _ in range(6):
        assert hint(page).startswith("Try row ")
        page.locator("#turn-board .hint").click()
    assert line(page) == "6 of 6 queens; 0 squares remain free. This is a solution."
    assert hint(page) == "This is a solution."
    page.click("#turn-clear")
    assert line(page) == "0 of 6 queens; 36 squares remain free."
    page.select_option("#turn-n", "12")
    assert line(page) == "0 of 12 queens; 144 squares remain free."
    assert hint(page).startswith("Try row ")


def test_the_board_is_played_by_keyboard_alone(page):
    page.focus("#turn-clear")
    page.keyboard.press("Tab")
    for key in ("ArrowDown", "ArrowRight", "Enter", "ArrowUp", "End", "Space"):
        page.keyboard.press(key)
    assert labelled(page, "queen") == [(1, 6), (2, 2)]
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert labelled(page, "queen") == [(2, 2)]
    for key in ("ArrowUp", "Home", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.ariaLabel").startswith("row 1, column 1:")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.closest('#turn')")


def test_it_fits_a_phone_and_passes_axe(page, find_faults):
    click(page, 1, 1)
    click(page, 2, 2)
    click(page, 3, 5)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert find_faults(page) == []

"""The player shows the searches for a puzzle or in an instance, as `nqbench play` opens it."""

import pytest

from nqbench.problems import instances
from nqbench.problems.sudoku import find, read, solve

NAMES = "textbook", "fewest_first", "dancing_links"
PUZZLE = read("top95")[2]


@pytest.fixture(scope="module")
def page(play):
    return play("Sudoku", PUZZLE, map(find, NAMES), NAMES[:1],
                viewport={"width": 390, "height": 900})


def choose(page, name):
    page.select_option("#watch-algorithm", label=name)
    page.wait_for_selector("#watch-player[aria-busy=false]")
    page.focus("#watch-player")


def line(page):
    return page.locator("#watch-line").text_content()


def digits(page):
    cells = page.locator("#watch-board .digit").all_text_contents()
    return "".join(cell or "." for cell in cells)


def count(page, name):
    return int(page.locator(f"#watch-{name}").text_content().replace(",", ""))


def test_it_begins_with_the_givens_and_has_no_board_to_play_on(page):
    page.reload()  # other tests have moved
    assert digits(page) == str(PUZZLE)
    assert page.locator("#watch-board .digit.given").count() == 81 - PUZZLE.empty
    assert page.locator("#turn").count() == 0
    assert line(page) == "before the first step"


def test_a_conflict_names_the_cell_that_holds_the_digit(page):
    choose(page, "textbook")
    for _ in range(200):
        page.keyboard.press("ArrowRight")
        if "conflict" in line(page):
            break
    assert " holds it" in line(page)
    refused = page.locator("#watch-board .digit.refused").all_text_contents()
    assert len(refused) > 1
    assert len(set(refused)) == 1


@pytest.mark.parametrize("name", NAMES[1:])
def test_at_the_end_the_counters_are_those_of_the_search(page, name):
    choose(page, name)
    page.keyboard.press("End")
    tally = find(name).profile(PUZZLE)
    assert [count(page, each) for each in ("tests", "nodes", "backtracks", "solutions")] == [
        tally.tests, tally.nodes, tally.exhaustions, 1]
    assert line(page).endswith("The search is over.")


@pytest.mark.thorough
def test_the_grid_at_the_solution_is_the_solution(page):
    choose(page, "dancing_links")
    page.keyboard.press("End")
    while count(page, "solutions"):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    assert digits(page) == "".join(map(str, solve(PUZZLE).solutions[0]))
    assert page.locator("#watch-board .frame.found").count() == 1


def test_going_back_shows_what_was_shown_before(page):
    choose(page, "fewest_first")
    seen = [(digits(page), line(page))]
    for _ in range(10):
        page.keyboard.press("ArrowRight")
        seen.append((digits(page), line(page)))
    assert len(set(seen)) == 11
    assert "which settles" in "".join(text for _, text in seen)
    for before in reversed(seen[:-1]):
        page.keyboard.press("ArrowLeft")
        assert (digits(page), line(page)) == before


def test_two_solvers_race_and_pass_axe(page, find_faults):
    choose(page, "textbook")
    page.select_option("#rival-algorithm", label="dancing_links")
    page.wait_for_selector("#watch-player.race[aria-busy=false]")
    page.select_option("#watch-clock", "tests")
    page.locator("#watch-seek").fill("9")
    assert page.locator("#watch-tests").text_content() == "9"
    assert page.locator("#rival-tests").text_content() == "9"
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert find_faults(page) == []


def test_an_instance_is_played_with_its_placed_queens(play):
    names = ["bitmask", "fewest_rows"]
    page = play("instance", instances.parse("n=6 placed=0:1"), map(instances.find, names),
                names[:1])
    page.wait_for_selector("#watch-player[aria-busy=false]")
    assert page.locator("#watch-board .queen.given").count() == 1
    choose(page, "fewest_rows")
    page.keyboard.press("ArrowRight")
    assert line(page).startswith("step 1  ([2] ")

"""The player shows searches without a tree: the queue of A*, the moves of min-conflicts."""

import pytest

from nqbench.problems.queens import find

NAMES = "a_star", "min_conflicts:4"


@pytest.fixture(scope="module")
def page(play):
    return play("8 queens", 8, map(find, NAMES), NAMES, viewport={"width": 390, "height": 900})


def lines(page, steps):
    """The text of both at each step."""
    found = []
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
        found.append([page.locator(f"#{lane}-line").text_content() for lane in ("watch", "rival")])
    return list(zip(*found, strict=True))


@pytest.mark.thorough
def test_a_star_says_f_and_min_conflicts_the_conflicts_of_a_queen(page):
    page.keyboard.press("Home")
    star, moves = lines(page, 150)
    assert star[0] == "step 1  (* * * * * * * *)  take from the queue: f = 0 + 8 = 8"
    assert star[1] == "step 2  (* * * * * * * *)  queue: row 1, column 1: f = 1 + 7 = 8"
    assert any("f is infinite, as an open row would have no free square" in text for text in star)
    assert any("  conflict: row " in text and " attacker" in text for text in moves)
    assert any("  move: row " in text and " to column " in text for text in moves)


@pytest.mark.parametrize(("lane", "name"), [*zip(("watch", "rival"), NAMES, strict=True)])
def test_both_end_with_a_solution_and_their_counts(page, lane, name):
    page.keyboard.press("End")
    columns = next(find(name).solutions(8))
    placed = " ".join(str(column + 1) for column in columns)
    assert f"({placed})  solution. The search is over." in (
        page.locator(f"#{lane}-line").text_content())
    assert page.locator(f"#{lane}-tests").text_content() == str(find(name).profile(8).tests)
    assert page.locator(f"#{lane}-board .queen.found").count() == 8
    assert not page.locator(f"#{lane}-tree").is_visible()
    assert page.said == []


def test_brute_force_is_raced_and_checks_each_placement_row_by_row(play):
    names = "brute_force", "bitmask"
    page = play("4 queens", 4, map(find, names), names)
    assert lines(page, 3)[0][1:] == (
        "step 2  (1 * * *)  conflict: row 2, column 1 has 1 attacker",
        "step 3  (1 * * *)  put: row 1, column 1, with 0 attackers")
    page.keyboard.press("End")
    counted = find(names[0]).profile(4)
    assert [page.locator(f"#watch-{name}").text_content() for name in (
        "tests", "nodes", "solutions")] == [str(counted.tests), "1", "2"]
    assert page.locator("#watch-winner").text_content() == "bitmask wins, 33 : 626 steps"

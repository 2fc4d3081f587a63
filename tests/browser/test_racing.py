"""Two searches race on one clock, on a page of `nqbench play`, by steps or by what they count."""

import json
import re

import pytest
from replaying import replay

from nqbench.explain.recordings import record
from nqbench.problems.queens import find
from nqbench.report.player import recordings_of

NAMES = "iterative", "bitmask"
BOTH = ("watch", "rival")


@pytest.fixture(scope="module")
def started(play):
    """Open a page that races two searches on the board of 5: a function of the browser's settings.
    """
    def call(**settings):
        return play("5 queens", 5, map(find, NAMES), NAMES,
                    **{"viewport": {"width": 1200, "height": 900}} | settings)

    return call


@pytest.fixture(scope="module")
def page(started):
    return started()


def moments(name):
    return list(replay(record(5, name)))


def shown(page, counter):
    """A counter of both searches."""
    return [int(page.locator(f"#{prefix}-{counter}").text_content().replace(",", ""))
            for prefix in BOTH]


def choose_clock(page, clock):
    page.select_option("#watch-clock", clock)
    page.focus("#watch-player")


def test_the_race_begins_with_the_chosen_two_on_one_clock(page):
    page.reload()  # other tests have moved
    assert {*page.asked} == {page.url}
    assert page.locator("h1").text_content() == "5 queens"
    assert [page.locator(f"#{prefix}-name").text_content() for prefix in BOTH] == list(NAMES)
    assert page.locator("#watch-board").is_visible()
    assert page.locator("#rival-board").is_visible()
    page.focus("#watch-player")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert shown(page, "step") == [2, 2]
    page.keyboard.press("ArrowLeft")
    assert shown(page, "step") == [1, 1]


def test_the_shorter_search_waits_at_its_finish_and_wins(page):
    choose_clock(page, "step")
    first, second = (len(moments(name)) for name in NAMES)
    assert first > second
    page.locator("#watch-seek").fill(str(second + 1))
    assert shown(page, "step") == [second + 1, second]
    assert page.locator("#watch-tracks li.over b").all_text_contents() == ["bitmask"]
    assert page.locator("#rival-line").text_content().endswith("The search is over.")
    assert page.locator("#watch-winner").text_content() == ""
    page.focus("#watch-player")
    page.keyboard.press("End")
    assert shown(page, "step") == [first, second]
    assert page.locator("#watch-winner").inner_text() == (
        f"bitmask wins, {second} : {first} steps")
    for lane in BOTH:
        assert page.locator(f"#{lane}-board .queen").count() == 5
    colours = [page.locator(f"#{lane}-name").evaluate("(name) => getComputedStyle(name).color")
               for lane in BOTH]
    assert colours[0] != colours[1]
    page.keyboard.press("ArrowLeft")
    assert page.locator("#watch-winner").text_content() == ""


@pytest.mark.parametrize("clock", ["tests", "nodes"])
def test_by_work_both_have_counted_the_same_at_each_time_and_show_both_finishes(page, clock):
    choose_clock(page, clock)
    for time in (2, 7, 20):
        page.locator("#watch-seek").fill(str(time))
        for prefix, name in zip(BOTH, NAMES, strict=True):
            step, last = max((number, moment) for number, moment in enumerate(moments(name), 1)
                             if getattr(moment, clock) <= time)
            assert page.locator(f"#{prefix}-step").text_content() == str(step)
            assert page.locator(f"#{prefix}-{clock}").text_content() == str(getattr(last, clock))
    assert re.search(rf"{clock[:-1]} 20 of \d+",
                     page.locator("#watch-seek").get_attribute("aria-valuetext"))
    lines = page.locator("#watch-tracks .files").all_text_contents()
    for name, line in zip(NAMES, lines, strict=True):
        found = moments(name)
        first = next(moment for moment in found if moment.solutions)
        assert line == (f"First solution after {getattr(first, clock)} {clock}; "
                        f"finish after {getattr(found[-1], clock)} {clock}.")
    assert page.locator(".track .finish").count() == page.locator(".track .first").count() == 2


def test_a_race_ends_in_some_20_seconds_unless_a_speed_was_chosen(started):
    page = started()
    pace = page.locator("#watch-pace")
    for clock, text in (("step", "16 steps a second, 18 seconds in all"),
                        ("nodes", "2 nodes a second, 27 seconds in all")):
        choose_clock(page, clock)
        assert pace.text_content() == text
    page.locator("#watch-speed").fill("5")
    choose_clock(page, "step")
    assert pace.text_content() == "32 steps a second, 9 seconds in all"


def test_the_keys_work_wherever_the_focus_is_but_in_a_field(page):
    choose_clock(page, "step")
    page.keyboard.press("Home")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    assert shown(page, "step") == [1, 1]
    for field in ("#turn-n", "#turn-hint", "#turn-board button"):
        page.locator(field).first.focus()
        page.keyboard.press("End")
        assert shown(page, "step") == [1, 1]


def test_one_play_button_moves_both(page):
    choose_clock(page, "step")
    page.locator("#watch-speed").fill("10")
    page.focus("#watch-player")
    page.keyboard.press("Space")
    page.wait_for_function("document.querySelectorAll('#watch-tracks li.over').length == 2")
    assert page.locator("[data-do=play]").text_content() == "Play"
    assert shown(page, "solutions") == [10, 10]


def test_the_first_board_moves_unless_motion_is_unwanted(play, page):
    assert page.locator("[data-do=play]").text_content() == "Play"
    moving = play("5 queens", 5, map(find, NAMES), NAMES, reduced_motion="no-preference")
    moving.wait_for_function("Number(document.getElementById('watch-seek').value) > 2")


def test_a_race_can_be_left_and_begun_again(page):
    choose_clock(page, "tests")
    page.select_option("#rival-algorithm", label="nobody")
    page.wait_for_selector("#watch-player:not(.race)[aria-busy=false]")
    assert not page.locator("#rival-board").is_visible()
    assert page.locator("#watch-unit").text_content() == "Step"
    page.select_option("#rival-algorithm", label="iterative")
    page.wait_for_selector("#watch-player.race[aria-busy=false]")
    assert page.locator("#rival-name").text_content() == "iterative"
    page.select_option("#rival-algorithm", label="bitmask")
    page.wait_for_function("document.getElementById('rival-name').textContent == 'bitmask'")


@pytest.mark.thorough
@pytest.mark.parametrize(("theme", "width"), [("light", 1200), ("dark", 390)])
def test_a_race_fits_and_passes_axe(started, find_faults, theme, width):
    page = started(color_scheme=theme, viewport={"width": width, "height": 900})
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("#rival-board .coordinate").first.is_visible() == (width > 500)
    assert find_faults(page) == []


def test_a_page_holds_what_both_did_once(page):
    held = json.loads(page.locator("#recordings").text_content())
    assert [each["name"] for each in held["algorithms"]] == list(NAMES)
    assert len(held["recordings"]) == 2
    assert recordings_of(5, [find("iterative"), find("recursive")], ["iterative"])[
        "recordings"] == held["recordings"][:1]

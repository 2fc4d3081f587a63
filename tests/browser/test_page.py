"""The page opens from disk alone, fits a phone, and passes an accessibility check."""

import pytest

from nqbench.report.player import INSTANCES

THEMES = ["light", "dark"]
PHONE = {"width": 360, "height": 780}
A4 = 1058  # pixels: 210 mm, and a third more, by which Chromium makes all pages smaller


@pytest.mark.parametrize("theme", THEMES)
def test_it_opens_from_disk_without_a_network_and_without_complaint(opened, address, theme):
    page = opened(color_scheme=theme)
    assert page.asked == [address]
    assert page.said == []


def test_light_and_dark_are_two_looks(opened):
    papers = [opened(color_scheme=theme).evaluate("getComputedStyle(document.body).backgroundColor")
              for theme in THEMES]
    assert papers == ["rgb(255, 253, 248)", "rgb(23, 22, 20)"]


def test_plots_are_dark_on_a_dark_page_and_light_on_paper(opened):
    page = opened(color_scheme="dark")
    looks = """(() => { const plot = document.querySelector(".plot"); return [
        getComputedStyle(plot).backgroundColor, getComputedStyle(plot.firstChild).filter]; })()"""
    assert page.evaluate(looks) == ["rgb(31, 31, 31)", "invert(0.88) hue-rotate(180deg)"]
    page.emulate_media(media="print")
    assert page.evaluate(looks) == ["rgb(255, 255, 255)", "none"]


@pytest.mark.parametrize("width", [320, 360])
def test_on_a_phone_the_page_does_not_scroll_sideways(opened, width):
    page = opened(viewport=PHONE | {"width": width})
    page.evaluate("document.querySelectorAll('details').forEach((part) => part.open = true)")
    for n in ("4", "10", *INSTANCES.values()):
        page.select_option("#watch-n", n)
        page.wait_for_selector("#watch-player[aria-busy=false]")
        page.focus("#watch-player")
        page.keyboard.press("End")
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [360, 1100])
def test_the_text_of_plots_can_be_read_at_any_width(opened, width):
    page = opened(viewport=PHONE | {"width": width})
    heights = page.evaluate("""[...document.querySelectorAll(".plot svg")].map((svg) =>
        svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)""")
    assert min(heights) > 0.85  # pixels for each point of a type of 8 or 9


# What axe skips, to save half a minute: points and rows like the first of their plot and table, and
# the paths of letters and lines in plots.
ALIKE = """document.querySelectorAll(
    ".plot svg path, .plot svg use, .points g:nth-child(n + 2), .points circle:nth-child(n + 3), "
    + "tbody tr:nth-child(n + 8)"
).forEach((element) => element.remove())"""


@pytest.mark.thorough
@pytest.mark.parametrize(("theme", "viewport", "board"), [
    ("light", PHONE, "6"), ("dark", {"width": 1100, "height": 900}, "n=8 placed=0:3,5:0")])
def test_axe_finds_nothing_to_mend(opened, theme, viewport, board):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened(color_scheme=theme, viewport=viewport)
    page.select_option("#watch-n", board)
    page.wait_for_selector("#watch-player[aria-busy=false]")
    page.focus("#watch-player")
    for _ in range(12):  # a conflict, with a tree partly made
        page.keyboard.press("ArrowRight")
    page.locator("#verification .long summary").click()
    page.locator("#verification th button").first.click()
    page.fill("#verification input", "A002562")
    page.focus("#time .plot")
    page.keyboard.press("ArrowRight")
    assert page.locator(".tip").is_visible()
    page.evaluate(ALIKE)
    found = axe.Axe().run(page).response["violations"]
    assert [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found] == []
    assert page.said == []


def test_without_javascript_a_picture_and_a_sentence_remain(opened):
    page = opened(java_script_enabled=False)
    assert page.locator(".still svg").is_visible()
    assert "first solution, after 876 tests, 114 nodes" in page.locator(".still").inner_text()
    assert not page.locator("#watch-player").is_visible()


def test_a_browser_that_cannot_undo_deflate_keeps_the_picture(chromium, address):
    page = chromium.new_page()
    page.add_init_script("delete window.DecompressionStream")
    page.goto(address)
    assert page.locator(".still").is_visible()
    assert not page.locator("#watch-player").is_visible()
    page.close()


def test_in_print_they_take_the_place_of_the_player(opened):
    page = opened()
    assert (page.locator(".still").is_visible(), page.locator(".player").is_visible()) == (
        False, True)
    page.emulate_media(media="print")
    assert (page.locator(".still").is_visible(), page.locator(".player").is_visible()) == (
        True, False)


def test_in_print_no_table_is_wider_than_the_paper(opened):
    page = opened(viewport={"width": A4, "height": 900})
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= A4

"""Plots show the values of their points, on pointing and by keyboard."""

import re

import pytest

PRESS = """const press = (key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));"""
# A figure that scrolls tells so before the next frame, and the text follows.
BOXES = f"""async () => {{
    {PRESS}
    const found = [];
    for (const plot of document.querySelectorAll(".plot")) {{
        plot.focus();
        for (const key of ["End", "ArrowDown", "Home"]) {{
            press(key);
            await new Promise(requestAnimationFrame);
            found.push(...[".tip", ".ring"].map((name) =>
                document.querySelector(name).getBoundingClientRect().toJSON()));
        }}
    }}
    return found;
}}"""
WALK = f"""(wanted) => {{
    {PRESS}
    const shown = () => document.querySelector(".tip")?.innerText ?? "";
    for (let before; shown() !== before;) {{
        before = shown();
        press("ArrowRight");
        if (wanted.every((text) => shown().includes(text)))
            return true;
    }}
}}"""
PLAIN = 2057  # nodes for 8 queens, A319283


@pytest.fixture(scope="module")
def open_page(opened):
    return opened()


@pytest.fixture
def page(open_page):
    """The page, with nothing shown."""
    yield open_page
    open_page.evaluate("document.activeElement.blur()")
    open_page.mouse.move(5, 5)


def shown(page):
    """The text of the point, line by line; empty if nothing is shown."""
    tip = page.locator(".tip")
    return tip.inner_text().splitlines() if tip.is_visible() else []


def go(page, section, *wanted):
    """Walk along the points of a section's plot until this text appears; return all texts."""
    page.focus(f"#{section} .plot")
    assert page.evaluate(WALK, wanted), f"no point says {wanted}"
    return shown(page)


def ring(page):
    box = page.locator(".plot .ring").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_keys_lead_to_the_nodes_of_8_queens(page):
    name, *values = go(page, "nodes", "bitmask", "n: 8")
    assert name.startswith("bitmask + ")
    assert values == ["n: 8", f"nodes: {PLAIN:,}"]
    assert page.locator("main > [role=status]").text_content() == (
        f"{name}, n: 8, nodes: {PLAIN:,}")
    page.keyboard.press("Escape")
    assert shown(page) == []
    assert page.locator(".plot .ring").count() == 0
    assert page.said == []


def test_a_bar_has_the_time_and_the_interval_that_its_table_has(page):
    _, *values = go(page, "steps", "7 queens", "n: 7")
    (seconds,) = (line for line in values if line.startswith("seconds: "))
    text = seconds.removeprefix("seconds: ")
    assert re.fullmatch(r".+ \(.+ to .+\)", text)
    assert text in page.locator("#steps td").all_text_contents()
    assert page.locator("main > [role=status]").text_content().endswith(seconds)


def test_the_mouse_shows_the_same_where_the_mark_is_drawn(page):
    known = go(page, "nodes", "bitmask", "n: 8")
    x, y = ring(page)
    page.locator("#nodes .plot").blur()
    assert shown(page) == []
    page.mouse.move(x + 3, y - 2)
    assert shown(page) == known
    assert ring(page) == pytest.approx((x, y))
    page.keyboard.press("Escape")
    assert shown(page) == []
    page.mouse.move(x, y)
    assert shown(page) == known
    page.mouse.move(5, 5)
    assert shown(page) == []


@pytest.mark.thorough
def test_what_a_tap_shows_stays_until_the_next(opened):
    page = opened(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    known = go(page, "nodes", "bitmask", "n: 8")
    x, y = ring(page)
    page.locator("#nodes .plot").blur()
    page.touchscreen.tap(x, y)
    assert shown(page) == known
    page.touchscreen.tap(x, 2)
    assert shown(page) == []


def test_arrows_stay_on_a_line_or_cross_to_the_next(page):
    page.focus("#nodes .plot")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    first = shown(page)
    assert first[1:] == ["n: 6", "nodes: 153"]
    page.keyboard.press("ArrowDown")
    assert shown(page)[1] == "n: 6"
    assert shown(page) != first
    page.keyboard.press("ArrowUp")
    assert shown(page) == first
    page.keyboard.press("Home")
    assert shown(page)[1] == "n: 4"
    page.keyboard.press("ArrowLeft")
    assert shown(page)[1] == "n: 4"


@pytest.mark.parametrize(("width", "height"), [
    (360, 780), pytest.param(1100, 900, marks=pytest.mark.thorough)])
def test_the_point_and_what_is_said_stay_in_sight(opened, width, height):
    page = opened(viewport={"width": width, "height": height})
    boxes = page.evaluate(BOXES)
    assert len(boxes) == 6 * page.locator(".plot").count() > 0
    for box in boxes:
        assert 0 <= box["x"] <= width - box["width"]
        assert 0 <= box["y"] <= height - box["height"]
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.thorough
def test_every_plot_can_be_pointed_at(page):
    for plot in page.locator(".plot").all():
        assert plot.get_attribute("role") == "application"
        assert plot.get_attribute("aria-label")
        plot.focus()
        page.keyboard.press("ArrowRight")
        assert len(shown(page)) > 1
    plot.blur()
    assert shown(page) == []

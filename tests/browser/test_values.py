"""Plots show the values of their points, on pointing and by keyboard; the name of a line highlights
that line in all plots; controls show a plot in another way.
"""

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
FADED = """(element) => Number(getComputedStyle(element).opacity) < 1"""
PLAIN = 2057  # nodes for 8 queens, A319283


@pytest.fixture(scope="module")
def open_page(opened):
    page = opened()
    page.wait_for_selector("#time select")
    yield page
    assert page.said == []


@pytest.fixture
def page(open_page):
    """The page, with nothing shown or highlighted."""
    open_page.mouse.move(5, 5)
    open_page.evaluate("document.activeElement.blur()")
    return open_page


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
def test_the_point_and_what_is_said_stay_in_sight(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    boxes = page.evaluate(BOXES)
    assert len(boxes) == 6 * page.locator(".plot").count() > 0
    for box in boxes:
        assert 0 <= box["x"] <= width - box["width"]
        assert 0 <= box["y"] <= height - box["height"]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.set_viewport_size({"width": 1100, "height": 900})


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


def entry(page, section, text):
    return page.locator(f"#{section} .plot [role=option]").get_by_text(text, exact=True).first


def lit(page):
    """The sections with a plot in which something is highlighted."""
    return set(page.evaluate("""[...document.querySelectorAll(".plot.lit")].map(
        (plot) => plot.closest("section").id)"""))


def highlighted(page, section):
    """The names beside lines that stand out in the plots of a section."""
    return page.locator(f"#{section} .plot.lit [role=option].on").all_text_contents()


def test_pointing_at_a_name_highlights_its_line_everywhere_but_on_paper(page):
    entry(page, "time", "fewest_first").hover()
    assert {"time", "nodes", "work", "pruning", "rate"} <= lit(page)
    assert not {"estimates", "sudoku", "symmetry"} & lit(page)
    assert {name.strip() for name in highlighted(page, "work")} == {"fewest_first"}
    fades = page.locator("#nodes .plot [data-series]").evaluate_all(
        f"(parts) => parts.map((part) => [part.dataset.series, ({FADED})(part)])")
    assert {name: faded for name, faded in fades if name.startswith("fewest")} == {
        "fewest_first": False, "fewest_lines|dancing_links": True}
    page.emulate_media(media="print")
    assert not any(page.locator("#nodes .plot [data-series]").evaluate_all(
        f"(parts) => parts.map({FADED})"))
    page.emulate_media(media="screen")
    page.mouse.move(5, 5)
    assert lit(page) == set()
    entry(page, "symmetry", "time").hover()
    assert lit(page) == {"symmetry"}


def test_a_tree_of_many_algorithms_highlights_them_all_and_each_of_them_the_tree(page):
    entry(page, "time", "somers (Cython)").hover()
    assert {name.strip() for name in highlighted(page, "time")} == {"somers (Cython)"}
    assert {name.strip() for name in highlighted(page, "nodes")} == {"marks_mirror, somers"}
    entry(page, "nodes", "marks_mirror, somers").hover()
    assert {name.strip() for name in highlighted(page, "time")} == {
        "somers (Cython)", "somers", "marks_mirror"}


def test_the_names_of_a_plot_are_one_tab_stop_and_the_arrows_go_on(page):
    page.focus("#nodes .plot")
    page.keyboard.press("Tab")
    names = page.locator("#nodes .wide [role=option]")
    assert names.first.evaluate("(entry) => entry === document.activeElement")
    assert "nodes" in lit(page)
    page.keyboard.press("End")
    assert names.last.get_attribute("aria-selected") == "true"
    page.keyboard.press("ArrowUp")
    assert names.last.get_attribute("aria-selected") == "false"
    assert names.nth(-2).get_attribute("aria-selected") == "true"
    assert not page.locator(".tip").is_visible()
    page.keyboard.press("Escape")
    assert lit(page) == set()
    page.keyboard.press("Home")
    assert lit(page)
    page.keyboard.press("Tab")
    assert lit(page) == set()
    assert not page.evaluate("Boolean(document.activeElement.closest('#nodes .plot'))")
    stops = page.locator("#nodes .wide [role=option][tabindex='0']")
    assert stops.count() == 1


def test_a_tap_highlights_until_the_next_one_elsewhere(opened):
    page = opened(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page.locator("#peers .narrow [role=option]").get_by_text("python-sat").tap()
    assert lit(page) == {"peers"}
    page.locator("#peers h2").tap()
    assert lit(page) == set()


@pytest.mark.thorough
def test_only_the_names_are_read_out(page):
    for plot in page.locator(".plot:has([role=listbox])").all():
        assert plot.locator("svg > :not([aria-hidden=true])").evaluate_all(
            "(parts) => parts.map((part) => part.getAttribute('role'))") == ["listbox"] * 2
        assert all(plot.locator("[role=option]").evaluate_all(
            "(names) => names.map((name) => name.getAttribute('aria-label'))"))


def test_a_control_shows_another_n_with_its_values_and_names(page):
    plot = page.locator(".plot[data-name=profiles]")
    title = plot.locator(".wide text").get_by_text("Nodes by level, n = ")
    select = page.locator(".choosing:has(+ .plot[data-name=profiles]) select")
    first = select.input_value()
    assert title.text_content().endswith(f"n = {first}")
    assert int(first) > 10
    select.select_option("8")
    assert title.text_content().endswith("n = 8")
    plot.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    assert page.locator(".tip").inner_text().splitlines()[1:] == [
        "n: 8", "level: 1", "nodes: 8"]
    plot.locator("[role=option]").first.hover()
    assert {"pruning", "time"} <= lit(page)
    select.select_option(first)
    assert title.text_content().endswith(f"n = {first}")


def test_paper_shows_the_default_and_no_control(page):
    control = page.locator("#time .choosing")
    control.locator("select").select_option("9")
    nine = page.locator("#time .plot").inner_text()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("#time .plot").inner_text() != nine
    assert not control.is_visible()
    page.emulate_media(media="screen")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("#time .plot").inner_text() == nine
    control.locator("select").select_option("10")

"""The name of a line highlights that line in all plots; controls show a plot in another way."""

import pytest

FADED = """(element) => Number(getComputedStyle(element).opacity) < 1"""


@pytest.fixture(scope="module")
def shown(opened):
    page = opened()
    page.wait_for_selector("#time select")
    yield page
    assert page.said == []


@pytest.fixture
def page(shown):
    """The page, with nothing highlighted."""
    shown.mouse.move(5, 5)
    shown.evaluate("document.activeElement.blur()")
    return shown


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

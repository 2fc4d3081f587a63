"""The page opens from disk alone, fits a phone, and passes an accessibility check; its contents
stay in sight, list all sections, and mark where the reader is.
"""

import re
from itertools import combinations

import pytest

from nqbench.report.player import INSTANCES

PHONE = {"width": 360, "height": 780}
DESK = {"width": 1200, "height": 900}
TABLE = "#time .table"
A4 = 1058  # pixels: 210 mm, and a third more, by which Chromium makes all pages smaller


@pytest.fixture(scope="module")
def page(opened):
    return opened(viewport=DESK)


@pytest.fixture
def resize(page):
    """Give the page another width and a height of 800."""
    yield lambda width: page.set_viewport_size({"width": width, "height": 800})
    page.set_viewport_size(DESK)


def test_it_opens_from_disk_without_a_network_and_without_complaint(page, address):
    assert page.asked == [address]
    assert page.said == []


def test_page_and_plots_are_light_or_dark_and_light_on_paper(page):
    looks = """() => ["body", ".plot svg > g > g path"].map((part, k) => getComputedStyle(
        document.querySelector(part))[k ? "fill" : "backgroundColor"])"""
    assert page.evaluate(looks) == ["rgb(255, 253, 248)"] * 2
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(looks) == ["rgb(23, 22, 20)"] * 2
    assert page.evaluate("getComputedStyle(document.querySelector('.plot text')).fill") == (
        "rgb(236, 232, 223)")
    page.emulate_media(media="print")
    assert page.evaluate(looks)[1] == "rgb(255, 253, 248)"
    page.emulate_media(media="screen", color_scheme="light")


@pytest.fixture(scope="module")
def phone(opened):
    page = opened(viewport=PHONE)
    page.evaluate("document.querySelectorAll('details').forEach((part) => part.open = true)")
    return page


def test_on_a_phone_the_page_does_not_scroll_sideways(phone):
    phone.set_viewport_size(PHONE | {"width": 320})
    for n in ("4", "8", *INSTANCES.values()):
        phone.select_option("#watch-n", n)
        phone.wait_for_selector("#watch-player[aria-busy=false]")
        phone.focus("#watch-player")
        phone.keyboard.press("End")
        assert phone.evaluate("document.documentElement.scrollWidth") == 320
    phone.set_viewport_size(PHONE)


SHOWN = """() => [...document.querySelectorAll(".plot")].map((plot) => {
    const drawn = [...plot.querySelectorAll("svg")].filter((svg) => svg.clientWidth);
    const frame = drawn[0].getBoundingClientRect();
    const texts = [...drawn[0].querySelectorAll("text")].filter((text) => text.textContent.trim());
    return {name: plot.dataset.name, drawings: drawn.length, left: frame.left, right: frame.right,
        scale: frame.width / drawn[0].viewBox.baseVal.width,
        texts: texts.map((text) => [text.textContent, text.getBoundingClientRect().toJSON()])};
})"""


@pytest.mark.parametrize("width", [390, 1280])
def test_each_plot_is_shown_once_and_whole_and_no_text_covers_another(page, resize, width):
    resize(width)
    found = page.evaluate(SHOWN)
    assert len(found) > 15
    for plot in found:
        assert plot["drawings"] == 1
        assert 0 <= plot["left"] < plot["right"] <= width
        assert plot["scale"] > 1.2  # pixels for each point of a type of 10.5
        for text, box in plot["texts"]:
            assert plot["left"] - 1 <= box["left"], (plot["name"], text)
            assert box["right"] <= plot["right"] + 1, (plot["name"], text)
        boxes = [(text, box) for text, box in plot["texts"] if box["width"] and box["height"]]
        for (one, a), (other, b) in combinations(boxes, 2):
            wide = min(a["right"], b["right"]) - max(a["left"], b["left"])
            high = min(a["bottom"], b["bottom"]) - max(a["top"], b["top"])
            assert wide < 2 or high < 6, (plot["name"], one, other)  # a line is 16 pixels high


def test_a_plot_beside_its_text_leaves_no_large_blank(page, resize):
    resize(1280)
    ends = page.evaluate("""["#words", "#watch"].map((part) => [
        ...document.querySelectorAll(part)].at(-1).getBoundingClientRect().bottom)""")
    assert abs(ends[0] - ends[1]) <= 160


def test_a_table_that_is_wider_than_the_screen_keeps_its_first_column_in_sight(phone):
    table = phone.locator("#pruning .table").first
    table.evaluate("(table) => table.scrollTo(200, 0)")
    for cell in (table.locator("th").first, table.locator("td").first):
        assert abs(cell.bounding_box()["x"] - table.bounding_box()["x"]) < 2
        assert cell.evaluate("(cell) => getComputedStyle(cell).position") == "sticky"


def test_the_answers_are_on_the_first_screen(page):
    answers = dict(page.locator(".short > div").evaluate_all(
        "(cards) => cards.map((card) => [card.querySelector('dt').textContent, "
        "card.getBoundingClientRect().bottom])"))
    assert {"Which algorithm is the fastest?", "How much does the mirror save?",
            "Which tree is the smallest?", "How fast are large boards counted?",
            "Can the intervals be trusted?", "How is this page made again?"} <= set(answers)
    assert max(answers.values()) < page.viewport_size["height"]


def test_the_files_of_a_section_are_in_one_line_at_its_end(page):
    assert page.locator("section:has(.plot):not(:has(.listed:last-child))").count() == 0
    assert page.locator(".listed:not(:last-child)").count() == 0
    assert page.locator("#steps details .listed").text_content().split() == [
        "Files:", "steps.svg", ".csv", ".md"]
    assert [link.get_attribute("href") for link in page.locator("#steps .listed a").all()] == [
        "steps.svg", "steps.csv", "steps.md"]


def test_all_tables_are_folded_and_a_summary_says_what_is_inside(page):
    assert page.locator("section:not(#watch) .table").count() > 20
    assert page.locator("section:not(#watch) .table:not(details.long .table)").count() == 0
    table = page.locator(TABLE).first
    label, rows = table.get_attribute("aria-label"), table.locator("tbody tr").count()
    summary = page.locator("#time .long summary").first
    assert summary.inner_text() == f"{label}: {rows} rows"
    assert not table.is_visible()
    summary.focus()
    page.keyboard.press("Enter")
    assert table.is_visible()
    page.keyboard.press("Enter")


# What axe skips, to save half a minute: points and rows like the first of their plot and table, and
# the paths of letters and lines in plots.
ALIKE = """document.querySelectorAll(
    ".plot svg path, .plot svg use, .points g:nth-child(n + 2), .points circle:nth-child(n + 3), "
    + "tbody tr:nth-child(n + 8)"
).forEach((element) => element.remove())"""


@pytest.mark.thorough
@pytest.mark.parametrize(("theme", "viewport", "board"), [
    ("light", PHONE, "6"), ("dark", {"width": 1100, "height": 900}, "n=8 placed=0:3,5:0")])
def test_axe_finds_nothing_to_mend(opened, find_faults, theme, viewport, board):
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
    assert find_faults(page) == []


def test_without_javascript_all_is_there_to_be_read_and_nothing_to_be_pressed(opened):
    page = opened(java_script_enabled=False)
    assert page.locator(".still svg").is_visible()
    assert "first solution, after 876 tests, 114 nodes" in page.locator(".still").inner_text()
    assert page.locator("#algorithms tbody tr").count() > 20
    assert page.locator("#time .plot .wide svg").is_visible()
    assert page.locator("#nodes .plot").get_attribute("role") == "img"
    assert any(title.startswith("bitmask") and title.endswith("n: 8\nnodes: 2,057")
               for title in page.locator("#nodes .plot .points title").all_text_contents())
    assert not page.locator("#watch-player").is_visible()
    assert not page.locator("#keys").is_visible()
    assert page.locator("th button, .filter, .choosing, [role=option], [role=listbox]").count() == 0
    assert page.locator("script.ways").first.evaluate(
        "(kept) => getComputedStyle(kept).display") == "none"
    assert not page.locator(TABLE).first.is_visible()
    page.locator("#time .long summary").first.click()
    assert page.locator(TABLE).first.is_visible()


@pytest.mark.thorough
def test_a_browser_that_cannot_undo_deflate_keeps_the_picture(chromium, address):
    page = chromium.new_page()
    page.add_init_script("delete window.DecompressionStream")
    page.goto(address)
    assert page.locator(".still").is_visible()
    assert not page.locator("#watch-player").is_visible()
    page.close()


def test_in_print_a_picture_is_the_player_and_tables_and_files_are_left_out(page):
    assert not page.locator(".still").is_visible()
    assert page.locator(".player").is_visible()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": A4, "height": 900})
    for part in (".player", "#errata .table", "#time .table", ".listed", ".plot .narrow"):
        assert not page.locator(part).first.is_visible(), part
    assert page.locator(".still").is_visible()
    assert page.locator("#errata summary").is_visible()
    # Chromium leaves buttons out of the heads that it repeats on the next page.
    assert page.locator("#time th button").first.evaluate(
        "(button) => getComputedStyle(button).display") == "contents"
    assert page.evaluate("document.documentElement.scrollWidth") <= A4
    page.set_viewport_size(DESK)
    page.emulate_media(media="screen")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")


MARKED = ".toc a[aria-current=location]"


def go(page, section):
    """Scroll to a section, and wait for its mark."""
    page.evaluate("(id) => document.getElementById(id).scrollIntoView()", section)
    page.wait_for_function(
        "([marked, hash]) => document.querySelector(marked)?.hash === hash", arg=[
            MARKED, f"#{section}"])


def test_every_section_and_chapter_has_one_link_at_the_side(page):
    links = [link.get_attribute("href") for link in page.locator(".toc a").all()]
    there = [f"#{place}" for place in page.eval_on_selector_all(
        "main section, main [id^=chapter-]", "(all) => all.map((one) => one.id)")]
    assert len(links) == len(set(links))
    assert set(links) == set(there)
    for section in ("symmetry", "time", "verification"):
        go(page, section)
        assert page.locator(MARKED).count() == 1
        box = page.locator(MARKED).bounding_box()
        assert 0 <= box["y"] <= DESK["height"]
        assert box["x"] + box["width"] < page.locator(f"#{section}").bounding_box()["x"]
    page.evaluate("scrollTo(0, 0)")
    assert page.said == []


@pytest.mark.thorough
def test_on_a_phone_they_are_one_line_that_unfolds(opened):
    page = opened(viewport=PHONE)
    go(page, "symmetry")
    bar = page.locator(".toc summary")
    assert bar.inner_text() == "Contents: Symmetry"
    assert 0 <= bar.bounding_box()["y"] < 20
    assert not page.locator(".toc a").first.is_visible()
    bar.click()
    page.locator(".toc a", has_text="Verification").click()
    assert not page.locator(".toc a").first.is_visible()
    assert page.evaluate("location.hash") == "#verification"
    top = page.locator("#verification").bounding_box()["y"]
    assert bar.bounding_box()["height"] <= top < PHONE["height"] / 2


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_without_javascript_they_are_links(opened, viewport):
    page = opened(java_script_enabled=False, viewport=viewport)
    if viewport == PHONE:
        page.locator(".toc summary").click()
    page.locator(".toc a[href='#symmetry']").click()
    assert page.locator("#symmetry").bounding_box()["y"] < viewport["height"] / 2
    assert page.locator(MARKED).count() == 0


# Of what is seen outside tables and drawings.
WORDS = """() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let text = "";
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement;
        if (!element.closest("table, script, style, option, svg") && element.checkVisibility())
            text += ` ${walk.currentNode.data}`;
    }
    return text.split(/\\s+/).filter((word) => /\\w/.test(word)).length;
}"""


def test_it_is_a_reference_that_can_be_read(page, resize):
    """Of all published records: screens of 1280 x 800, words, and printed pages."""
    resize(1280)
    page.emulate_media(media="null")  # neither screen nor print, as other tests have it
    assert page.evaluate("document.documentElement.scrollHeight / 800") <= 24
    assert page.evaluate(WORDS) <= 3500
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) <= 20
    assert page.locator("section").evaluate_all(
        "(all) => all.filter((one) => one.querySelectorAll('.plot').length > 1).length") == 0

"""Long tables are folded, on paper they are not; cells have units, and show their intervals."""

import pytest

LONGEST = 12  # rows of a table that is not folded
TABLE = "#time .table"


@pytest.fixture(scope="module")
def page(opened):
    return opened()


def test_long_tables_are_folded_and_short_ones_are_not(page):
    tables = page.locator("section:not(#steps) .table").evaluate_all("""(tables) => tables.filter(
        (table) => !table.closest("details:not(.long)")).map((table) => [
            table.ariaLabel, table.querySelectorAll("tbody tr").length,
            table.closest("details") !== null])""")
    assert {folded for *_, folded in tables} == {True, False}
    for label, rows, folded in tables:
        assert folded == (rows > LONGEST), label


def test_the_summary_says_what_is_inside_and_unfolds_it(page):
    table = page.locator(TABLE).first
    label, rows = table.get_attribute("aria-label"), table.locator("tbody tr").count()
    summary = page.locator("#time .long summary").first
    assert summary.inner_text() == f"{label}: {rows} rows"
    assert not table.is_visible()
    summary.focus()
    page.keyboard.press("Enter")
    assert table.is_visible()
    page.keyboard.press("Enter")


def test_without_javascript_they_unfold_and_on_paper_all_are_open(opened):
    page = opened(java_script_enabled=False)
    table = page.locator(TABLE).first
    page.emulate_media(media="print")
    assert table.is_visible()
    page.emulate_media(media="screen")
    assert not table.is_visible()
    page.locator("#time .long summary").first.click()
    assert table.is_visible()

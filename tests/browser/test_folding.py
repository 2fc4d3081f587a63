"""Tables are folded, also on paper; cells have units, and show their intervals."""

import pytest

TABLE = "#time .table"


@pytest.fixture(scope="module")
def page(opened):
    return opened()


def test_all_tables_are_folded(page):
    assert page.locator("section:not(#watch) .table").count() > 20
    assert page.locator("section:not(#watch) .table:not(details.long .table)").count() == 0


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


@pytest.mark.thorough
def test_without_javascript_they_unfold(opened):
    page = opened(java_script_enabled=False)
    table = page.locator(TABLE).first
    assert not table.is_visible()
    page.locator("#time .long summary").first.click()
    assert table.is_visible()

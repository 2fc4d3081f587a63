"""The page's tables sort up and down and can be filtered, by keyboard too."""

import pytest
from conftest import rows


@pytest.fixture(scope="module")
def page(opened):
    page = opened()
    page.evaluate("document.querySelectorAll('details.long').forEach((one) => one.open = true)")
    return page


class Table:
    """The first table of a section."""

    def __init__(self, page, section):
        self.box = page.locator(f"#{section} .table").first
        self.filter = page.locator(f"#{section} .filter").first

    def head(self, name):
        return self.box.locator("th", has=self.box.page.get_by_role("button", name=name,
                                                                    exact=True))

    def sort(self, name):
        """Press the head of a column; return the order that it says."""
        self.head(name).get_by_role("button").click()
        return self.head(name).get_attribute("aria-sort")

    def column(self, number):
        return [text.strip() for text in
                self.box.locator(f"tbody tr:visible td:nth-child({number})").all_text_contents()]


def test_numbers_are_sorted_by_what_they_are_not_by_what_is_shown(page, published_page):
    table = Table(page, "time")
    n = table.box.get_attribute("aria-label").removeprefix("Times at n = ").partition(",")[0]
    times = {(row["algorithm"], row["implementation"]): float(row["seconds"])
             for row in rows(published_page.with_name("times.csv")) if row["n"] == n}
    for order in ("ascending", "descending"):
        assert table.sort("seconds") == order
        shown = [times[key] for key in zip(table.column(1), table.column(2), strict=True)]
        assert shown == sorted(times.values(), reverse=order == "descending")


def test_words_are_sorted_up_and_down_and_equal_ones_keep_their_order(page):
    table = Table(page, "algorithms")
    assert table.sort("algorithm") == "ascending"
    names = table.column(1)
    assert names == sorted(names)
    assert table.sort("symmetry") == "ascending"
    pairs = list(zip(table.column(4), table.column(1), strict=True))
    assert pairs == sorted(pairs)
    assert table.head("algorithm").get_attribute("aria-sort") is None
    assert table.sort("symmetry") == "descending"
    assert list(zip(table.column(4), table.column(1), strict=True)) == sorted(
        pairs, key=lambda pair: pair[0], reverse=True)


def test_what_is_no_number_comes_last_up_and_down(page):
    table = Table(page, "algorithms")
    for order in ("ascending", "descending"):
        assert table.sort("year") == order
        years = table.column(2)
        known = [year for year in years if year.isdigit()]
        assert years == known + ["no date given"] * (len(years) - len(known))
        assert known == sorted(known, reverse=order == "descending")


def test_long_counts_are_sorted_digit_by_digit(page):
    page.evaluate("""() => {
        const cells = document.querySelectorAll("#verification tbody td:nth-child(3)");
        cells[0].textContent = "234907967154122529";
        cells[1].textContent = "234907967154122528";
    }""")
    table = Table(page, "verification")
    table.sort("published")
    assert table.sort("published") == "descending"
    counts = [text for text in table.column(3) if " " not in text]  # the others are levels
    assert counts[:2] == ["234907967154122529", "234907967154122528"]


def test_columns_of_several_values_can_be_sorted_and_long_tables_filtered(page):
    columns = page.evaluate("""() => [...document.querySelectorAll(".table table")].flatMap(
        (table) => [...table.tHead.rows[0].cells].map((head, place) => [
            head.querySelector("button") !== null,
            new Set([...table.tBodies[0].rows].map((row) => row.cells[place].textContent)).size,
        ]))""")
    assert len(columns) > 50
    assert all(sortable == (values > 1) for sortable, values in columns)
    tables = page.locator(".table").evaluate_all("""(tables) => tables.map((table) => [
        table.querySelectorAll("tbody tr").length,
        table.previousElementSibling?.className === "filter"])""")
    assert {filtered for _, filtered in tables} == {True, False}
    assert all(filtered == (rows > 15) for rows, filtered in tables)


def test_the_filter_keeps_rows_with_every_word_and_counts_them(page, published_page):
    table = Table(page, "verification")
    found = rows(published_page.with_name("verification.csv"))
    every = len(found)
    known = sum(row["sequence"] == "A319283" and row["status"] == "ok" for row in found)
    field = table.filter.get_by_role("searchbox", name="Filter Published and computed values")
    count = table.filter.get_by_role("status")
    assert count.text_content() == f"{every} of {every} rows"
    field.fill("a319283  OK")
    assert count.text_content() == f"{known} of {every} rows"
    assert table.column(1) == ["A319283"] * known
    field.fill("no such row")
    assert count.text_content() == f"0 of {every} rows"
    field.fill("")
    assert len(table.column(1)) == every


def test_by_keyboard_a_head_is_reached_and_pressed(page):
    table = Table(page, "errata")
    page.focus("#errata .table")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert table.head("listing").get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Space")
    assert table.head("listing").get_attribute("aria-sort") == "descending"
    assert page.said == []


@pytest.mark.slow
def test_all_columns_of_a_ranking_are_seen_on_a_desk(showing, run, tmp_path):
    (tmp_path / "known.sh").write_text("case $1 in 1) echo 1;; 4) echo 2;; 5) echo 10;; *) "
                                       "echo 4;; esac\n", "utf-8")
    made = tmp_path / "race.html"
    assert run("check", tmp_path, "-n", "4-6", "--out", made)[0] == 0
    page = showing(made.as_uri(), "#race .table", viewport={"width": 1280, "height": 800})
    table = page.locator("#race .table").first
    assert table.evaluate("(table) => table.scrollWidth <= table.clientWidth")

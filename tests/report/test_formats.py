"""Tables for spreadsheets: no text a formula; in Markdown: no text markup; on the page: units,
intervals and marks.
"""

import io

import pandas as pd
import pytest

from nqbench.report.formats import find_intervals, show, to_csv
from nqbench.util.text import format_range


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1",
                                  '=HYPERLINK("http://x","y")', "-", "+-1"])
def test_no_text_is_a_formula_in_a_spreadsheet(text):
    table = pd.read_csv(io.StringIO(to_csv(pd.DataFrame({text: [text, "a"], "n": [1, 2]})),
                                    newline=""), lineterminator="\n")
    assert list(table.columns) == [f"'{text}", "n"]
    assert list(table.iloc[:, 0]) == [f"'{text}", "a"]


def test_numbers_stay_numbers_in_a_spreadsheet():
    mixed = [-1, -2.5, 2**80, None, "-7", "-1.5e-3", "failed"]
    text = to_csv(pd.DataFrame({"x": pd.Series(mixed, dtype=object), "y": [-0.5] * 7}))
    assert text.splitlines() == ["x,y", "-1,-0.5", "-2.5,-0.5", f"{2**80},-0.5", ",-0.5",
                                 "-7,-0.5", "-1.5e-3,-0.5", "failed,-0.5"]


def test_columns_of_one_name_stay_apart():
    assert to_csv(pd.DataFrame([[1, "=a"]], columns=["a", "a"])) == "a,a\n1,'=a\n"


@pytest.mark.parametrize(("number", "text"), [
    ((0.0037, 0.0037, 0.0037, "seconds"), "3.7 ms"),
    ((90.0, 84.0, 97.0, "seconds"), "1.5 minutes (1.4 to 1.6)"),
    ((32.0, 31.8, 32.4, "×"), "32.0× (31.8 to 32.4)"),
    ((38491.3, 38009.0, 38762.0, "×"), "38,500× (38,000 to 38,800)"),
    ((1.14e9, 1.1e9, 1.2e9), "1.14 (1.10 to 1.20) × 10⁹"),
    ((0.5, 0.2, 0.6), "0.5 (0.2 to 0.6)"),
    ((2e6, 1e6, 9e9), "2 (1 to 9,000) × 10⁶"), ((0.0, 0.0, 9.0), "0 (0 to 9)")])
def test_a_number_has_no_more_digits_than_its_interval_justifies(number, text):
    assert format_range(*number) == text


@pytest.mark.parametrize(("table", "units", "shown"), [
    ({"seconds": [0.0213456], "low": [None], "high": [None]}, {}, ["21.3 ms"]),
    ({"times": [0.5], "low": [0.4], "high": [0.625]}, {"times": "longer"},
     ["2.0× (1.6 to 2.5) as fast"]),
    ({"join": [1.0], "n": [1141190303]}, {"join": "seconds"}, ["1 s", "1,141,190,303"])])
def test_a_number_has_its_unit_and_its_interval_if_it_has_one(table, units, shown):
    ((_, cells),) = show(pd.DataFrame(table), units).rows
    assert [cell.text for cell in cells] == shown


def test_what_differs_and_what_warns_is_marked():
    rows = show(pd.DataFrame({"status": ["differs", "ok"], "warning": ["spread", ""]}))
    assert [bad for bad, _ in rows.rows] == [True, False]
    assert [[cell.kind for cell in row] for _, row in rows.rows] == [
        ["bad", "warning"], ["ok", "warning"]]


def test_low_alone_is_a_column():
    assert find_intervals(["low", "high", "n"]) == {}
    assert show(pd.DataFrame({"low": [1]})).columns == [("low", True)]


def test_an_empty_table_has_its_heads():
    assert show(pd.DataFrame(columns=["a_b"])).columns == [("a b", False)]

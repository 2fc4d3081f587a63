"""Tables for spreadsheets: no text a formula; in Markdown: no text markup."""

import io

import pandas as pd
import pytest

from nqbench.report.formats import to_csv, to_markdown


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


def test_markdown_escapes_html_but_not_within_our_own_code():
    table = pd.DataFrame({"<i>": ["&lt; <b> `x < 2`"]})
    assert to_markdown(table).splitlines()[2] == r"| &amp;lt; &lt;b&gt; \`x &lt; 2\` |"
    assert to_markdown(table, marked=True).splitlines()[2].strip("| ") == (
        "&amp;lt; &lt;b&gt; `x < 2`")
    assert to_markdown(table).startswith("| &lt;i&gt;")

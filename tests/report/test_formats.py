"""Tables for LaTeX: every special character escaped, every environment closed."""

import re

import pandas as pd
import pytest

import nqbench
from nqbench.report.formats import LONG_TABLE, latex

SPECIAL = r"""\ ~ ^ & % $ # _ { } < > | " [ *"""
ESCAPED = (r"\textbackslash \space \textasciitilde \space \textasciicircum \space \& \% \$ \# \_ "
           r"\{ \} \textless{} \textgreater{} \textbar{} '' {[} {*}")


@pytest.fixture(scope="module")
def tables(records, tmp_path_factory):
    out = tmp_path_factory.mktemp("reports")
    nqbench.report.build(records, out)
    return {path.stem: path.read_text("utf-8") for path in out.glob("*.tex")}


def rows(text):
    return [line for line in text.splitlines() if line.endswith(r"\\")]


def test_what_means_something_to_latex_is_escaped():
    text = latex(pd.DataFrame({SPECIAL: [SPECIAL]}))
    assert rows(text) == [ESCAPED + r" \\"] * 2


def test_environments_and_braces_are_closed_and_rows_are_whole(tables):
    assert len(tables) > 20
    for name, text in tables.items():
        (begun,) = re.findall(r"\\begin{(\w+)}", text)
        (ended,) = re.findall(r"\\end{(\w+)}", text)
        assert begun == ended, name
        bare = re.sub(r"\\[&%$#_{}]", "", text)
        assert bare.count("{") == bare.count("}"), name
        _, body = bare.split("\n", 1)  # the first line is a comment
        assert not re.search(r"[%$#_^~<>|]", body), name
        cells = {row.count("&") for row in rows(bare) if "multicolumn" not in row}
        assert len(cells) == 1, name


def test_a_long_table_goes_over_pages():
    for length, environment in ((LONG_TABLE, "tabular"), (LONG_TABLE + 1, "longtable")):
        text = latex(pd.DataFrame({"n": range(length)}))
        assert rf"\begin{{{environment}}}" in text
        assert ("longtable" in text.splitlines()[0]) == (environment == "longtable")


def test_numbers_stand_right_and_long_texts_are_broken():
    text = latex(pd.DataFrame({"n": [8], "seconds": [0.00123456], "fault": ["word " * 20]}))
    assert r"\begin{tabular}{rrp{0.45\linewidth}}" in text
    assert "8 & 0.00123 & word" in text


def test_a_table_without_rows_is_one():
    assert latex(pd.DataFrame({"n": []})).count("rule\n") == 3

"""Tables for LaTeX: every special character escaped, every environment closed; for spreadsheets:
no text a formula; in Markdown: no text markup.
"""

import io
import re

import pandas as pd
import pytest
from kept import read

from nqbench.report.builder import write_tables
from nqbench.report.formats import (
    LONG_TABLE,
    format_amount,
    format_command,
    plural,
    to_csv,
    to_latex,
    to_markdown,
)
from nqbench.report.sections import caption

SPECIAL = r"""\ ~ ^ & % $ # _ { } < > | " [ *"""
ESCAPED = (r"\textbackslash{} \textasciitilde{} \textasciicircum{} \& \% \$ \# \_ \{ \} "
           r"\textless{} \textgreater{} \textbar{} '' {[} {*}")

# Tables that show no records of the study.
UNMEASURED = {"algorithms", "errata", "history", "changes", "exact_trees", "exact_levels",
              "level_times", "estimate_errors", "first_solutions",
              "first_columns"}


@pytest.fixture(scope="module")
def tables(records, tmp_path_factory):
    out = tmp_path_factory.mktemp("tables")
    write_tables(read(records), out)
    return {path.stem: path.read_text("utf-8") for path in out.glob("*.tex")}


def rows(text):
    return [line for line in text.splitlines() if line.endswith(r"\\")]


def test_what_means_something_to_latex_is_escaped():
    text = to_latex(pd.DataFrame({SPECIAL: [SPECIAL]}))
    assert rows(text) == [ESCAPED + r" \\"] * 2


def test_environments_and_braces_are_closed_and_rows_are_whole(tables):
    assert len(tables) > 15
    for name, text in tables.items():
        begun, ended = (re.findall(rf"\\{word}{{(\w+)}}", text) for word in ("begin", "end"))
        assert begun == ended[::-1], name
        assert begun in (["table", "tabular"], ["longtable"]), name
        bare = re.sub(r"\\[&%$#_{}]|\\label{\S+}", "", text)
        assert bare.count("{") == bare.count("}"), name
        _, body = bare.split("\n", 1)  # the first line is a comment
        assert not re.search(r"[%$#_^~<>|]", body), name
        cells = {row.count("&") for row in rows(bare)
                 if "multicolumn" not in row and "caption" not in row}
        assert len(cells) == 1, name


def test_every_table_has_a_caption_and_a_label_of_its_name(tables):
    for name, text in tables.items():
        assert text.count(f"\\label{{tab:{name}}}") == 1, name
        first, *again = re.findall(r"\\caption(?:\[\])?{([^{}]+)}", text)
        assert first.count(". ") or name in UNMEASURED, name
        assert again in ([], [first]), name  # on the first page of a longtable, and the others
        assert "{samples}" not in first
        assert "Measured on" in first or name in UNMEASURED


def test_a_caption_is_escaped_and_a_longtable_has_it_too():
    for length in (1, LONG_TABLE + 1):
        text = to_latex(pd.DataFrame({"n": range(length)}), SPECIAL, "tab:x")
        assert f"\\caption{{{ESCAPED}}}" in text
        assert text.count(r"\label{tab:x}") == 1


def test_a_caption_names_samples_machines_and_commits():
    here = {"metric": "seconds", "status": "measured", "n": 9, "machine": "a", "cores": 2,
            "processor": "AMD EPYC", "commit": "0123456789", "dirty": False, "samples": [1.0] * 3}
    records = pd.DataFrame([here, here | {"samples": [1.0] * 6},
                            here | {"machine": "b", "cores": 1, "commit": None, "dirty": None},
                            here | {"commit": "fedcba9876", "dirty": True}])
    assert caption("Medians of {samples}.", records) == (
        "Medians of 3 to 6 samples. "
        "Measured on AMD EPYC with 2 cores, commit 01234567, fedcba98 (changed since). "
        "Measured on AMD EPYC with 1 core, commit unknown.")
    assert caption("The algorithms.", records[:0]) == "The algorithms."


def test_a_caption_names_no_commit_outside_a_clone_whatever_keeps_the_texts():
    """With pyarrow, pandas cannot add its texts to objects."""
    records = pd.DataFrame([{
        "metric": "seconds", "status": "measured", "n": 9, "machine": "a", "cores": 2,
        "processor": "AMD EPYC", "commit": None, "dirty": None, "samples": [1.0]}], dtype=object)
    assert caption("Times.", records) == (
        "Times. Measured on AMD EPYC with 2 cores, commit unknown.")


def test_a_long_table_goes_over_pages():
    for length, environment in ((LONG_TABLE, "tabular"), (LONG_TABLE + 1, "longtable")):
        text = to_latex(pd.DataFrame({"n": range(length)}))
        assert rf"\begin{{{environment}}}" in text
        assert ("longtable" in text.splitlines()[0]) == (environment == "longtable")


def test_numbers_stand_right_and_long_texts_are_broken():
    text = to_latex(pd.DataFrame({"n": [8], "seconds": [0.00123456], "fault": ["word " * 20]}))
    assert r"\begin{tabular}{rrp{0.45\linewidth}}" in text
    assert "8 & 0.00123 & word" in text


def test_a_table_without_rows_is_one():
    assert to_latex(pd.DataFrame({"n": []})).count("rule\n") == 3


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


@pytest.mark.parametrize(("context", "command"), [
    ({}, "nqbench study"), ({"preset": "full"}, "nqbench study --preset full"),
    ({"preset": "rate", "budget": 60}, "nqbench sudoku rate"),
    ({"budget": 2.5}, "nqbench study --budget 2.5")])
def test_the_command_of_a_run_names_its_preset_and_budget(context, command):
    assert format_command(context) == command


@pytest.mark.parametrize(("number", "word"), [(0, "times"), (1, "time"), (2, "times")])
def test_a_noun_is_in_the_plural_unless_there_is_one(number, word):
    assert plural(number, "time") == word


def test_seconds_and_bytes_have_units_and_other_amounts_their_own():
    assert [format_amount(value, unit) for value, unit in (
        (2.5e-9, "seconds"), (1024, "bytes"), (2057, "nodes"), (None, "seconds"))] == [
        "2.5 ns", "1 KiB", "2,057 nodes", ""]

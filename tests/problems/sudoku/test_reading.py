"""Puzzles from text: every format that is read, and what is rejected."""

import io
import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nqbench.problems import sudoku
from nqbench.problems.sudoku import Grid, data_set, difficulties, find, parse, read, scan

PUZZLE = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
OTHER = PUZZLE[::-1]
ROWS = [PUZZLE[k:k + 9] for k in range(0, 81, 9)]
LINES = "\n".join(ROWS)
SIZES = {"easy50": 50, "top95": 95, "hardest": 11, "diabolical": 1513}

# Files of the corpus have more, see test_puzzle_files.py.
FORMS = {
    "comments": f"# a puzzle\n#{OTHER}\n{PUZZLE}\n# that was it",
    "nine lines": LINES,
    "bars": "\n".join(" | ".join(row[k:k + 3] for k in (0, 3, 6)) for row in ROWS),
    "rules": (f"+---+---+---+\n{LINES[:29]}\n---+---+---\n{LINES[30:59]}\n===+===+===\n"
              f"{LINES[60:]}\n---"),
    "the drawing": Grid.of(PUZZLE).drawing(),
    "two bars between boxes": "\n".join(f"|{'||'.join(','.join(row[k:k + 3]) for k in (0, 3, 6))}|"
                                        for row in ROWS),
    "labels": "\n".join(f"Row {k}: {row}" for k, row in enumerate(ROWS)),
}


@given(st.lists(st.sampled_from([*FORMS])))
@example([*FORMS])
def test_every_form_is_read_alone_and_among_others(names):
    assert parse("\n".join(FORMS[name] for name in names)) == [Grid.of(PUZZLE)] * len(names)


@pytest.mark.parametrize(("text", "says"), [
    (f"{PUZZLE}\n{PUZZLE[:80]}?", "line 2: a grid has the digits 1 to 9, and one sign for an empty "
                                  "cell, such as . or 0, not '.' and '?'"),
    (f"{LINES[:59]}\n{PUZZLE}", "line 6: the grid that ends here has 6 of 9 rows"),
    (f"{PUZZLE}\n{'1' * 70_000}", "line 2: a line must have at most 65,536 characters"),
])
def test_what_is_no_puzzle_is_refused_by_line(text, says):
    with pytest.raises(ValueError) as caught:
        parse(text)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_every_puzzle_of_the_data_sets_has_one_solution(name, size):
    puzzles = [grid.digits for grid in data_set(name)]
    assert len(puzzles) == size
    assert find("fast").implementations["cython"].counter(puzzles, 2)() == [1] * size


def test_each_diabolical_puzzle_has_its_difficulty():
    known = difficulties("diabolical")
    assert len(known) == 1513
    assert (min(known), max(known)) == (5.0, 9.3)
    assert [difficulties(name) for name in ("easy50", "top95", "hardest")] == [None] * 3


@pytest.mark.parametrize("look", [data_set, difficulties])
def test_an_unknown_data_set_is_refused(look):
    with pytest.raises(ValueError, match=r"no data set '\.\./grid', only easy50, top95, hard"):
        look("../grid")


def test_a_source_is_a_data_set_a_puzzle_or_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert read("hardest") == data_set("hardest")
    assert read(PUZZLE) == read(PUZZLE.replace(".", "0")) == [Grid.of(PUZZLE)]
    (tmp_path / "mine.txt").write_text(f"# mine\n{PUZZLE}\n")
    assert read("mine.txt") == read(str(tmp_path / "mine.txt")) == [Grid.of(PUZZLE)]
    assert sudoku.solve(read("mine.txt")[0]).found == 1


@pytest.mark.parametrize(("content", "says"), [
    (b"\x89PNG\r\n\xff\xfe", "holds no puzzle"), (b"[]", "holds no puzzle"),
    (b"\0" * 81, "line 1: it is no text"), (b"1234\n", "line 1: a row has 9 cells, not 4")])
def test_a_file_without_a_puzzle_is_refused(tmp_path, content, says):
    (tmp_path / "puzzles").write_bytes(content)
    with pytest.raises(ValueError, match=says):
        read(str(tmp_path / "puzzles"))


@pytest.mark.parametrize(("source", "says"), [
    *((source, "there is no file .*; nor is it one of the data sets easy50, top95, hardest, "
               "diabolical, or a puzzle of 81") for source in ("missing.txt", "a\0b", "", ".")),
    *(((PUZZLE * 2)[:length], fr"a grid has 81 cells \(9 x 9\), not {length}")
      for length in (80, 82))])
def test_a_source_that_is_none_is_refused(source, says):
    with pytest.raises(ValueError, match=says):
        read(source)


@pytest.mark.parametrize("line", [f"{PUZZLE[:80]},easy", f"{PUZZLE}1,easy", f"{PUZZLE[:80]}x,1"])
def test_a_first_line_that_is_no_puzzle_is_not_passed_over_in_silence(line):
    with pytest.raises(ValueError, match="line 1"):
        parse(f"{line}\n{PUZZLE},easy")


@given(st.sampled_from(".0*-_xX?"), st.sampled_from(["", " ", ",", ", ", ";", "\t"]),
       st.sampled_from(["", " ", "|", " | ", " │ ", "||"]), st.sampled_from(["", "row", "# 5"]),
       st.sampled_from(["---+---+---", "------+-------+------", "===========", "# of boxes", ""]),
       st.sampled_from([("", ""), ("|", "|"), ("| ", " |"), ("[", "],")]))
def test_any_drawing_of_a_grid_is_read(sign, cell, bar, remark, rule, ends):
    lines = [f"{ends[0]}{(bar or cell).join(cell.join(row[k:k + 3]) for k in (0, 3, 6))}{ends[1]} "
             f"{remark}" for row in LINES.replace(".", sign).split("\n")]
    lines.insert(6, rule)
    lines.insert(3, rule)
    assert parse("\n".join(lines)) == [Grid.of(PUZZLE)]


@given(st.text(st.sampled_from("12.0 x-#|[],;\t\n+=a")))
def test_any_text_is_read_or_refused_by_line(text):
    for found in scan(io.StringIO(text)):
        assert isinstance(found, Grid) or str(found).startswith("line ")


def test_a_pipe_is_read():
    read_end, write_end = os.pipe()
    os.write(write_end, f"{PUZZLE}\n".encode())
    os.close(write_end)
    assert read(f"/dev/fd/{read_end}") == [Grid.of(PUZZLE)]
    os.close(read_end)

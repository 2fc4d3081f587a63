"""Files of puzzles as they are found: each is read, or refused with the reason."""

from pathlib import Path

import pytest

from nqbench.errors import InvalidValueError
from nqbench.problems.sudoku import PROBLEM, Grid
from nqbench.util.files import find_encoding

CORPUS = Path(__file__).parents[2] / "corpus" / "puzzles"
PUZZLES = {
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..": "A",
    "..3.1.5..9..3.2..8..59.62....28.76..8.......7..92.18....46.81..1..5.3..9..6.2.3..": "B",
    "." * 9 + "9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..": "C"}
ROW, GRID = "a row has 9 cells, not {}; only 9 x 9 is read", "a grid has 81 cells (9 x 9), not {}: "
SIGN = "a grid has the digits 1 to 9, and one sign for an empty cell, such as . or 0, not {}"
ROWS, PLAIN = "the grid that ends here has {} of 9 rows", "{!r} is no plain Sudoku; only that "
# The puzzles in each file, in order.
READ = {
    "A": """
        array.c blank_space.txt blank_space_bars.txt blank_space_trimmed.txt
        blank_space_wide.txt byte_order_mark.txt cells_commas_empty.csv cells_semicolons.txt
        cells_tabs.tsv cells_trailing_comma.txt colons.txt commented_out.txt dashes_in_bars.txt
        double_bars.txt double_spaced.txt drawing.txt floats.csv latin1.txt list.py list_none.txt
        list_of_characters.txt list_of_texts.json list_one_line.json markdown.md matlab.m
        nine_dashes.txt no_header.sdk no_newline.txt numpy.txt puzzle_and_solution.json
        rows_remarks.txt sections.sdk simple.ss size.txt spaced_rule.txt trailing_spaces.txt
        unicode_box.txt utf16.txt yaml.yml""",
    "A A": """
        lines.txt rows.txt""",
    "A B": """
        amount.txt blank_between.txt blank_lines_in_bands.txt cells_81_columns.csv
        cells_commas.csv cells_line_solution.csv collection.sdm collection_titles.sdm
        count_solution.txt fields.csv groups.txt library.txt named_grids.txt
        named_grids_solved.txt no_blank_between.txt numbered.txt objects.jsonl open.xml
        pipes.txt quizzes.csv rated.txt semicolons.csv solution_first.csv spaces_line.txt
        tabs.tsv titles.txt""",
    "A B A": """
        blank_O.txt blank_dash.txt blank_e.txt blank_hash.txt blank_middle_dot.txt
        blank_question.txt blank_star.txt blank_underscore.txt blank_x.txt""",
    "A B A B A B": """
        remarks.txt""",
    "B": """
        header.sdk""",
    "C": "tabs_empty_row.tsv"}
# What is refused, and the puzzles that are read all the same.
REFUSED = {
    "binary.bin": ("", "line 1: it is no text, but has a zero byte"),
    "candidates.txt": ("", f"line 1: {PLAIN.format('| 45 45 3 | 149 2 147 | 6 589 57 |')}"),
    "comments_only.txt": ("", "file holds no puzzle"), "empty.txt": ("", "file holds no puzzle"),
    "prose.txt": ("", "file holds no puzzle"),
    "eight_rows.txt": ("", f"line 8: {ROWS.format(8)}"),
    "foreign_cell.txt": ("", "line 1: " + SIGN.format("'q'")),
    "foreign_row.txt": ("", "line 9: " + SIGN.format("'q'")),
    "two_signs.txt": ("", "line 1: " + SIGN.format("'.' and 'x'")),
    "four.txt": ("", f"line 1: {ROW.format(4)}"), "six.txt": ("", f"line 1: {ROW.format(6)}"),
    "sixteen.txt": ("", f"line 1: {ROW.format(16)}"),
    "sixteen_boxes.txt": ("", f"line 1: {ROW.format(16)}"),
    "sixteen_fields.csv": ("", f"line 1: {ROW.format(16)}"),
    "sixteen_line.txt": ("", f"line 1: {GRID.format(256)}"),
    "sixteen_lists.json": ("", f"line 1: {GRID.format(256)}"),
    "sixteen_numbers.txt": ("", f"line 1: {ROW.format(16)}"),
    "twenty_five.txt": ("", f"line 1: {ROW.format(25)}"),
    "jigsaw.txt": ("", f"line 1: {PLAIN.format('Jigsaw Sudoku')}"),
    "killer.txt": ("", f"line 1: {PLAIN.format('[Killer]')}"),
    "killer_line.txt": ("", f"line 1: {PLAIN.format('3x3::k:2816;0;0;')}"),
    "long_line.txt": ("", f"line 1: {GRID.format(82)}"),
    "short_line.txt": ("", f"line 1: {GRID.format(80)}"),
    "short_quiz.csv": ("", f"line 2: {GRID.format(80)}"),
    "grids_one_cut.txt": ("B", f"line 6: {ROWS.format(5)}"),
    "one_bad_line.txt": ("A B", f"line 2: {GRID.format(70)}"),
    "one_bad_row.txt": ("B", f"line 5: {ROW.format(8)}"),
    "one_missing_row.txt": ("B", f"line 8: {ROWS.format(8)}"),
    "sixteen_and_nine.txt": ("A", f"line 1: {ROW.format(16)}"),
    "ten_rows.txt": ("A B", f"line 10: {ROWS.format(1)}")}


def read(name):
    """Return the puzzles of a file by their letters, and what is said."""
    said, found = [], []
    with (CORPUS / name).open(encoding="utf-8") as file:
        find_encoding(file)
        try:
            found.extend(PUZZLES[str(Grid(digits))]
                         for digits in PROBLEM.read_valid(file, "file", said.append))
        except InvalidValueError as error:
            said.append(str(error))
    return " ".join(found), said


@pytest.mark.parametrize(("puzzles", "name"), [
    (puzzles, name) for puzzles, names in READ.items() for name in names.split()])
def test_each_form_is_read(puzzles, name):
    assert read(name) == (puzzles, [])


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_puzzle_is_refused_in_one_line_and_the_others_are_read(name):
    puzzles, why = REFUSED[name]
    found, (said,) = read(name)
    assert found == puzzles
    assert why in said
    assert said.endswith("; it is skipped") == bool(puzzles)


def test_all_files_are_tried():
    assert {file.name for file in CORPUS.iterdir()} == {*REFUSED, *" ".join(READ.values()).split()}

"""Tables of the literature, against the counters of our searches."""

import json
from pathlib import Path

import pytest
from conftest import refused
from hypothesis import given
from hypothesis import strategies as st

from nqbench.checking import tables
from nqbench.problems.plugins import find

HEAD = "source = 'a lecture'\nseen = 'there'\ncounter = 'placements'\n"
ROW = f"{HEAD}[[rows]]\nwhat = 'nodes'\nsearch = 'bitmask'\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write the table "mine", which is the only one."""
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    return lambda text: (tmp_path / "mine.toml").write_text(text, "utf-8")


def test_there_are_eleven_tables_with_over_120_cells():
    cells = tables.reproduce(tables.names(), 0, 60)
    assert len({cell.table for cell in cells}) == 11
    assert len(cells) >= 120


@pytest.mark.parametrize(("what", "got"), [
    ("leaves", 6), ("tests_between", [26, 12]), ("nodes_between", [9, 4]), ("solutions", 2),
    ("permutations_tried", 18), ("torus_conflicts", [0, 0, 2, 0, 0])])
def test_what_is_derived_of_four_queens_is_what_one_counts_by_hand(write, what, got):
    write(f"{HEAD}[[rows]]\nwhat = '{what}'\nsearch = 'recursive'\nn = 4\nvalues = [{got}]\n")
    assert [cell.status for cell in tables.reproduce(["mine"], 4, 60)] == [tables.EQUAL]


def connect(squares, n):
    """Connect queens on a torus square by square, along its diagonals."""
    near = {one: {other for other in squares if other != one and any(
        ((one[0] + step * down) % n, (one[1] + step * right) % n) == other
        for step in range(1, n) for down, right in ((1, 1), (1, -1)))} for one in squares}
    groups, left = [], set(squares)
    while left:
        group, edge = set(), {left.pop()}
        while edge:
            group |= edge
            edge = {other for one in edge for other in near[one]} - group
        left -= group
        groups.append(group)
    sizes = [len(group) for group in groups if len(group) > 1]
    return sum(map(len, near.values())) // 2, sum(sizes), len(sizes), max(sizes, default=1)


@given(st.integers(1, 9).flatmap(lambda n: st.permutations(range(n))))
def test_conflicts_on_the_torus_are_those_of_walks_along_its_diagonals(columns):
    assert tables.conflicts(columns) == connect([*enumerate(columns)], len(columns))


@pytest.mark.parametrize("name", tables.names())
@pytest.mark.parametrize("max_n", [8, pytest.param(1000, marks=pytest.mark.thorough)])
def test_each_cell_is_equal_or_differs_by_a_known_convention(name, max_n):
    cells = tables.reproduce([name], max_n, 100)
    assert {cell.status for cell in cells} <= {
        tables.EQUAL, tables.CONVENTION, "above --max-n", "no time left"}
    assert any(cell.status in (tables.EQUAL, tables.CONVENTION) for cell in cells) or max_n == 8
    assert not any(cell.status == tables.CONVENTION and not cell.convention for cell in cells)


def test_knuths_updates_are_counted_beside_the_usual_order():
    assert find("nqbench.problems.queens.dancing_links::knuth_2000").profile(8).updates == 16_680
    assert find("dancing_links").profile(8).nodes == 1199


def test_the_command_says_what_differs_and_what_is_missing(run, write):
    write(f"{ROW}n = 4\nvalues = [17, 55]\n"
          "[[rows]]\nwhat = 'updates'\nsearch = 'bitmask'\nn = 4\nvalues = [17]\n")
    status, out, _ = run("verify", "mine", "--json")
    assert status == 1
    assert [(cell["got"], cell["status"]) for cell in json.loads(out)["cells"]] == [
        (17, "equal"), (54, "differs"), (None, "bitmask does not count updates")]
    assert "1 equal; 1 differs; 1 bitmask does not count updates" in run("verify", "mine")[1]


def test_a_table_of_which_no_cell_was_compared_is_not_confirmed(run, write):
    write(f"{ROW}n = 4\nvalues = [17]\n")
    assert run("verify", "mine")[0] == 0
    status, out, err = run("verify", "mine", "--max-n", 3)
    assert (status, err) == (1, "nqbench: no cell was compared\n")
    assert "1 above --max-n" in out


@pytest.mark.parametrize(("text", "says"), [
    ("source = ", "Invalid value"),
    (HEAD, "lacks, or should not have, rows"),
    (f"{HEAD}rows = [3]", "and rows tables"),
    (ROW, "lacks, or should not have, n"),
    (f"{ROW}n = 4\nvalue = [17]", "lacks, or should not have, value"),
    (f"{ROW}n = [4]\nvalues = [17, 54]", "is longer"),
    (f"{ROW}n = '4'\nvalues = [17]", "n must be a number or a list"),
    (f"{ROW}n = 4\nvalues = [17]\nadd = 1", "a row with add or within names no convention")])
def test_a_damaged_table_is_named_in_one_line(run, write, text, says):
    write(text)
    message = refused(run("verify", "mine"))
    assert "mine.toml is no table: " in message
    assert says in message


def test_every_table_says_where_it_was_seen():
    for name in tables.names():
        known = tables.read(name)
        assert known["seen"], name
        assert Path(tables.FOLDER / f"{name}.toml").stat().st_size < 3000


@pytest.mark.parametrize(("words", "says"), [
    (["tables", "-a", "bitmask"], "-a is not supported with a table"),
    (["knuth-200"], "there is no table 'knuth-200'; did you mean knuth-2000"),
    (["Tables"], "there is no table 'Tables'; did you mean tables?"),
    (["KNUTH-2000"], "there is no table 'KNUTH-2000'; did you mean knuth-2000?"),
    (["a319283"], "there is no sequence 'a319283'; did you mean A319283"),
    (["A319283", "knuth-2000"], "name sequences or tables, not both")])
def test_a_name_is_a_sequence_if_it_is_a_letter_and_a_number(run, words, says):
    assert says in refused(run("verify", *words))

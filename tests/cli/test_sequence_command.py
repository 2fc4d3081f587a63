"""The command `sequence`."""

import re

from conftest import refused

from nqbench.problems.published import published


def test_terms_are_printed_as_a_b_file_and_those_of_a_triangle_are_numbered(run):
    status, out, err = run("sequence", "A319283", "--max-n", 5)
    assert (status, out) == (0, "0 1\n1 2\n2 3\n3 6\n4 17\n5 54\n")
    assert err.startswith("nqbench: n = 0 to 5: as published, computed by levels outwards, "
                          "checked by levels downwards")
    status, out, _ = run("sequence", "A141843", "--max-n", 4)
    assert (status, out) == (0, "1 1\n2 0\n3 0\n4 0\n5 0\n6 0\n7 2\n8 4\n9 1\n10 3\n")
    assert run("sequence", "a319283", "--max-n", 1)[:2] == (0, "0 1\n1 2\n")


def test_an_unknown_sequence_suggests_the_nearest(run):
    line = refused(run("sequence", "A319282"))
    assert line.startswith("there is no sequence 'A319282'; did you mean") and "A319283" in line


def test_a_contradiction_is_loud(run, monkeypatch):
    sequence = published("A002562")
    monkeypatch.setitem(sequence.__dict__, "values", (1, 0, 0, 2))
    status, out, err = run("sequence", "A002562", "--max-n", 4)
    assert (status, out.splitlines()[-1]) == (1, "4 1")
    assert "nqbench: A002562, n = 4: cross (cython) answers 1, OEIS A002562 says 2\n" in err


def test_more_than_a_day_is_refused(run):
    status, _, err = run("sequence", "A146303", "--max-n", 30)
    assert status == 2
    assert re.search(r"nqbench: n = \d+ to 30 would take about .*, more than a day; add --yes", err)

"""`nqbench verify --print`: the terms of a sequence."""

import os
import re
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import refused

from nqbench import Variant
from nqbench.problems.published import published

SHOWN = (Path(__file__).parents[2] / "docs" / "sequences.md").read_text("utf-8")


@pytest.fixture
def terms(run):
    """Print the terms of a sequence up to an n."""
    return lambda name, most, what="terms": run("verify", name, "--max-n", most, "--print", what)


def test_terms_are_printed_as_a_b_file_and_those_of_a_triangle_are_numbered(terms):
    status, out, err = terms("A319283", 5)
    assert (status, out) == (0, "0 1\n1 2\n2 3\n3 6\n4 17\n5 54\n")
    assert err.startswith("nqbench: n = 0 to 5: as published, computed by bitmask (cython), "
                          "checked by bitmask (python)")
    status, out, _ = terms("A141843", 4)
    assert (status, out) == (0, "1 1\n2 0\n3 0\n4 0\n5 0\n6 0\n7 2\n8 4\n9 1\n10 3\n")
    assert terms("a319283", 1)[:2] == (0, "0 1\n1 2\n")


def test_an_unknown_sequence_suggests_the_nearest(terms):
    line = refused(terms("A319282", 5))
    assert line.startswith("there is no sequence 'A319282'; did you mean") and "A319283" in line


def test_a_contradiction_is_loud(terms, monkeypatch):
    sequence = published("A002562")
    monkeypatch.setitem(sequence.__dict__, "values", (1, 0, 0, 2))
    status, out, err = terms("A002562", 4)
    assert (status, out.splitlines()[-1]) == (1, "4 1")
    assert "nqbench: A002562, n = 4: cross (cython) answers 1, OEIS A002562 says 2\n" in err


def test_more_than_a_day_is_refused(terms):
    status, _, err = terms("A146303", 30)
    assert status == 2
    assert re.search(r"nqbench: n = \d+ to 30 would take about .*, more than a day; add --yes", err)


@pytest.fixture
def declared(tmp_path):
    """The file that the documents show."""
    path = tmp_path / "superqueens.py"
    path.write_text(re.search("```python\n(from nqbench import Variant.*?)```", SHOWN,
                              re.DOTALL)[1], "utf-8")
    return path


def test_a_declared_sequence_is_printed_as_the_document_shows(run, declared):
    shown = re.search(r"\$ nqbench verify superqueens.py --max-n 12\n(.*?)```", SHOWN,
                      re.DOTALL)[1]
    status, out, err = run("verify", declared, "--max-n", 12)
    assert status == 0
    assert out + err == shown
    assert sha256(out.encode()).hexdigest() in err


def test_the_levels_and_the_orbits_of_a_declared_one_are_printed(terms, declared):
    superqueens = Variant("superqueens", leaps=((1, 2), (2, 1)))
    _, out, _ = terms(declared, 6, "levels")
    found = [term for n in range(1, 7) for term in superqueens.levels(n, "python")]
    assert out == "".join(f"{number} {term}\n" for number, term in enumerate(found, 1))
    _, out, _ = terms(declared, 12, "orbits")
    assert out.split()[1::2] == [str(published("A051224")[n]) for n in range(1, 13)]


def test_a_value_that_a_declaration_has_wrong_ends_the_output(run, declared):
    declared.write_text(declared.read_text("utf-8").replace("4, 44)", "5, 44)"), "utf-8")
    status, out, err = run("verify", declared, "--max-n", 12)
    assert (status, out.splitlines()[-1]) == (1, "10 4")
    assert err.splitlines()[-1] == ("nqbench: superqueens, n = 10: the compiled search answers 4, "
                                    "its declaration says 5")


@pytest.mark.parametrize(("text", "says"), [
    ("", "declares no Variant"), ("1 / 0", "mine.py, line 1: ZeroDivisionError: division by zero"),
    ("raise SystemExit", "mine.py, line 1: SystemExit"),
    ("import sys\nsys.exit('bye')", "mine.py, line 2: SystemExit: bye"),
    ("class E(BaseException):\n __str__ = None\nraise E", "mine.py, line 3: E"),
    ("from nqbench import Variant\na, b = Variant('a'), Variant('b')", "choose one of those in"),
    ("from nqbench import Variant\na = Variant('a', lines=('diagonals',))", "no kind of line")])
def test_a_file_that_declares_none_is_refused(run, tmp_path, text, says):
    (tmp_path / "mine.py").write_text(text, "utf-8")
    assert says in refused(run("verify", tmp_path / "mine.py"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
def test_a_fifo_declares_none(run, tmp_path):
    os.mkfifo(tmp_path / "mine.py")
    assert refused(run("verify", tmp_path / "mine.py")) == (
        f"{tmp_path / 'mine.py'} must be a file, not a FIFO")


def test_one_of_several_is_chosen_by_its_name(run, terms, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from nqbench import Variant\na = Variant('a')\n"
        "rooks = Variant('rooks', lines=('rows', 'columns'))", "utf-8")
    assert run("verify", f"{tmp_path / 'mine.py'}:rooks", "--max-n", 4)[1].split()[1::2] == [
        "1", "2", "6", "24"]
    assert refused(terms("A000170", 4, "levels")) == (
        "--print levels needs a file that declares a Variant, not 'A000170'")
    assert "No such file" in refused(run("verify", tmp_path / "none.py"))

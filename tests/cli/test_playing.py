"""`nqbench play` writes one page, or opens it; what it cannot record it refuses in one line."""

from pathlib import Path
from urllib.parse import urlparse

import pytest
from conftest import refused

from nqbench.explain.recordings import LARGEST_N
from nqbench.problems.sudoku import read


def test_a_race_is_written_to_a_file(run, asked, tmp_path):
    page = tmp_path / "play.html"
    assert run("play", 6, "-a", "iterative", "-a", "bitmask", "--out", page) == (
        0, f"the page is {page}\n", "")
    assert "<h1>6 queens: iterative against bitmask</h1>" in page.read_text("utf-8")
    assert asked == []


def test_without_a_file_the_page_is_opened(run, asked):
    status, out, err = run("play", 4, "-a", "iterative")
    assert (status, err) == (0, "")
    (address,) = asked
    page = Path(urlparse(address).path)
    assert out == f"the page is {page}\n"
    assert "<h1>4 queens: iterative</h1>" in page.read_text("utf-8")
    page.unlink()
    page.parent.rmdir()


def test_a_page_needs_no_network_and_says_where_a_recording_is_cut(run, tmp_path):
    page = tmp_path / "play.html"
    assert run("play", 9, "-a", "iterative", "--out", page)[0] == 0
    text = page.read_text("utf-8")
    assert "A recording is cut after 20,000 steps." in text
    assert "src=" not in text
    assert len(text) < 200_000
    assert run("play", 4, "-a", "iterative", "--out", page)[0] == 0
    assert "is cut" not in page.read_text("utf-8")


@pytest.mark.parametrize(("words", "says"), [
    ([LARGEST_N + 1], "n must be at most 10 to be recorded, not 11"),
    ([0], "N must be a whole number, 1 or more, not '0'"),
    (["-a", "iteratve"], "there is no algorithm 'iteratve'; did you mean iterative?"),
    (["-a", "cross"], "cross only counts and cannot be followed"),
    (["-a", "explicit"], "explicit does not backtrack and has no tree"),
    ([11, "-a", "a_star"], "n must be at most 10 to be recorded, not 11"),
    (["-a", "somers", "-a", "bitmask", "-a", "iterative"],
     "-a may be given twice at most, for a race of two, not 3 times"),
    ([4, "--out", "/nowhere/play.html"],
     "--out must be a file that can be written, not '/nowhere/play.html' "
     "(there is no folder /nowhere)"),
    (["n=11"], "n must be at most 10 to be recorded, not 11"),
    (["n=4 placed=0:0,1:1"], "the queens of rows 0 and 1 attack each other"),
    (["n=6", "-a", "min_conflicts"], "min_conflicts does not backtrack and has no tree"),
    (["easy50"], "easy50 holds more than one puzzle; give one of them"),
    (["11" + "." * 79], "the givens contradict each other: row 1 has 1 twice"),
    (["." * 81, "-a", "fast"], "fast is only compiled and cannot be followed")])
def test_what_cannot_be_played_is_refused(run, asked, words, says):
    assert refused(run("play", *words)) == says
    assert asked == []


def test_a_puzzle_is_played_too(run, tmp_path):
    page = tmp_path / "play.html"
    puzzle = str(read("easy50")[0])
    assert run("play", puzzle, "-a", "textbook", "-a", "fewest_first", "--out", page) == (
        0, f"the page is {page}\n", "")
    assert "<h1>Sudoku: textbook against fewest_first</h1>" in page.read_text("utf-8")
    assert run("play", "." * 81, "-a", "textbook", "--out", page)[0] == 0
    assert "A recording is cut after 50,000 steps." in page.read_text("utf-8")


def test_an_instance_is_played_too(run, tmp_path):
    page = tmp_path / "play.html"
    assert run("play", "n=6 placed=0:1", "--out", page) == (0, f"the page is {page}\n", "")
    text = page.read_text("utf-8")
    assert "<h1>n=6 placed=0:1: watch the search</h1>" in text
    assert '"forward_checking"' in text
    assert "min_conflicts" not in text

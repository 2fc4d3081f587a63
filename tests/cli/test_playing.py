"""`nqbench play` writes one page, or opens it; what it cannot record it refuses in one line."""

from pathlib import Path
from urllib.parse import urlparse

import pytest
from conftest import refused

from nqbench.explain.recordings import LARGEST_N
from nqbench.problems.sudoku import read

EASY = str(read("easy50")[0])


@pytest.mark.parametrize(("words", "title", "cut"), [
    ([6, "-a", "iterative", "-a", "bitmask"], "6 queens: iterative against bitmask", None),
    ([9, "-a", "iterative"], "9 queens: iterative", "20,000"),
    (["n=6 placed=0:1"], "n=6 placed=0:1: watch the search", None),
    ([EASY, "-a", "textbook", "-a", "fewest_first"], "Sudoku: textbook against fewest_first", None),
    (["." * 81, "-a", "textbook"], "Sudoku: textbook", "50,000")])
def test_a_page_is_written_to_a_file_and_says_where_a_recording_is_cut(
        run, asked, tmp_path, words, title, cut):
    page = tmp_path / "play.html"
    assert run("play", *words, "--out", page) == (0, f"the page is {page}\n", "")
    text = page.read_text("utf-8")
    assert f"<h1>{title}</h1>" in text
    assert ("is cut" in text) == (cut is not None)
    assert cut is None or f"A recording is cut after {cut} steps." in text
    assert "src=" not in text  # it needs no network
    assert "min_conflicts" not in text
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


@pytest.mark.parametrize(("words", "says"), [
    ([LARGEST_N + 1], "n must be at most 10 to be recorded, not 11"),
    ([0], "N must be a whole number, 1 or more, not '0'"),
    (["-a", "iteratve"], "there is no algorithm 'iteratve'; did you mean iterative?"),
    (["-a", "cross"], "cross only counts and cannot be followed"),
    (["-a", "explicit"], "explicit has no tree: it does not backtrack"),
    (["-a", "somers", "-a", "bitmask", "-a", "iterative"],
     "-a may be given twice at most, for a race of two, not 3 times"),
    ([4, "--out", "/nowhere/play.html"],
     "--out must be a file that can be written, not '/nowhere/play.html' "
     "(there is no folder /nowhere)"),
    (["n=11"], "n must be at most 10 to be recorded, not 11"),
    (["n=4 placed=0:0,1:1"], "the queens of rows 0 and 1 attack each other"),
    (["easy50"], "easy50 holds more than one puzzle; give one of them"),
    (["11" + "." * 79], "the givens contradict each other: row 1 has 1 twice"),
    (["." * 81, "-a", "fast"], "fast is only compiled and cannot be followed")])
def test_what_cannot_be_played_is_refused(run, asked, words, says):
    assert refused(run("play", *words)) == says
    assert asked == []

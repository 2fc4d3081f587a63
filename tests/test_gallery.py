"""The gallery shows every plot of the records in results/, and no older ones."""

import re
from itertools import pairwise
from pkgutil import resolve_name
from xml.etree import ElementTree

import moving
import pytest
from conftest import GALLERY, rows

from nqbench.problems.queens import find
from nqbench.report.style import solver

TEXT = (GALLERY.parent / "gallery.md").read_text("utf-8")
SHOWN = re.findall(r"!\[[^]]+\]\(gallery/(.+)\.svg\)", TEXT)


@pytest.fixture(scope="module")
def text(published_page):
    return published_page.read_text("utf-8")


def test_every_plot_is_shown_once_and_nothing_else_is_kept(text):
    assert sorted(SHOWN) == sorted(re.findall(r'href="([\w-]+)\.svg"', text))
    assert {path.name for path in GALLERY.iterdir()} == {f"{p}.svg" for p in SHOWN}


def test_the_run_shown_is_that_of_the_report(text):
    run, commit = (re.search(f"<dt>{name}</dt><dd>([^ <]+)", text)[1]
                   for name in ("When", "Commit"))
    assert f"{run} at commit {commit[:8]}" in " ".join(TEXT.split())


def test_the_drawings_are_of_these_records(published_page):
    names = {f"{solver(row['algorithm'], row['implementation'])}, n = {row['n']}"
             for row in rows(published_page.with_name("rates.csv"))}
    drawing = ElementTree.parse(GALLERY / "rate.svg")
    assert names
    assert names <= {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}


def test_tables_and_functions_have_the_names_they_have(published_page):
    assert set(re.findall(r"`(\w+)\.csv`", TEXT)) <= {
        path.stem for path in published_page.parent.iterdir()}
    functions = re.findall(r"[fF]unction `([\w.]+)`", TEXT)
    assert len(functions) == len(SHOWN)
    assert all(callable(resolve_name(f"nqbench.{name}")) for name in functions)


def test_the_page_stays_under_3_megabytes(published_page):
    """Here without most of what can be chosen in the plots."""
    assert published_page.stat().st_size < 2_900_000


def test_the_board_in_motion_replays_the_search_up_to_its_first_solution():
    drawn = "\n".join(moving.drawing()) + "\n"
    assert (GALLERY.parent / "search.svg").read_text("utf-8") == drawn
    columns = moving.placements()
    assert columns[-1] == next(find("bitmask").solutions(moving.N))
    assert all(abs(len(one) - len(other)) <= 1 for one, other in pairwise(columns))
    ElementTree.fromstring(drawn)

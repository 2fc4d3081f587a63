"""The gallery shows every plot of the records in results/, and no older ones."""

import re
from pathlib import Path
from urllib.parse import urlparse
from xml.etree import ElementTree

import pytest
from conftest import RESULTS

from nqbench import analysis
from nqbench.report import plots
from nqbench.report.contents import contents
from nqbench.report.style import solver

DOCS = RESULTS.parent / "docs"
TEXT = (DOCS / "gallery.md").read_text("utf-8")
SHOWN = re.findall(r"!\[[^]]+\]\(gallery/(.+)\.svg\)", TEXT)


@pytest.fixture(scope="module")
def made():
    return contents(analysis.load(RESULTS, published=True), analysis.history(RESULTS / "asv"))


def test_every_plot_is_shown_once_and_nothing_else_is_kept(made):
    assert sorted(SHOWN) == sorted(made.figures)
    assert {path.name for path in (DOCS / "gallery").iterdir()} == {f"{p}.svg" for p in SHOWN}


def test_the_run_shown_is_that_of_the_report(made):
    assert f"{made.machine['run']} at commit {made.machine['commit'][:8]}" in " ".join(TEXT.split())


def test_the_drawings_are_of_these_records(made):
    rates = made.tables["rates"].to_dict("records")
    names = {f"{solver(row['algorithm'], row['implementation'])}, n = {row['n']}" for row in rates}
    drawing = ElementTree.parse(DOCS / "gallery/rate.svg")
    assert names <= {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}


def test_tables_and_functions_have_the_names_they_have(made):
    assert set(re.findall(r"`(\w+)\.csv`", TEXT)) <= set(made.tables)
    functions = re.findall(r"[fF]unction `(\w+)`", TEXT)
    assert len(functions) == len(SHOWN)
    assert set(functions) <= set(plots.__all__)


def test_the_page_stays_under_3_megabytes(address):
    assert Path(urlparse(address).path).stat().st_size < 3_000_000

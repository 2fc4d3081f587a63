"""`nqbench report --open` shows the page that it wrote in the user's browser."""

import webbrowser
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest


@pytest.fixture
def words(tmp_path, monkeypatch):
    """A report whose page is not made: tests/report makes pages."""
    monkeypatch.setattr("nqbench.report.read", lambda *_: SimpleNamespace(wrong=[], parts={}))
    monkeypatch.setattr("nqbench.report.write", lambda made, out, *_: [Path(out, "index.html")])
    return ["report", "--results", tmp_path, "--out", tmp_path / "out", "--open"]


def test_the_page_is_opened_when_it_is_written(run, words, asked, tmp_path):
    page = tmp_path / "out" / "index.html"
    status, out, _ = run(*words)
    assert (status, out.endswith(f"open {page}\n")) == (0, True)
    assert asked == [page.as_uri()]


@pytest.mark.parametrize("browser", [Mock(return_value=False), *(
    Mock(side_effect=error) for error in (webbrowser.Error, ValueError("No closing quotation")))])
def test_without_a_browser_one_line_says_what_to_open(run, words, monkeypatch, tmp_path, browser):
    monkeypatch.setattr(webbrowser, "open", browser)
    status, _, err = run(*words)
    assert (status, err) == (0, "nqbench: no browser could be started; open "
                                f"{tmp_path / 'out' / 'index.html'}\n")


@pytest.mark.parametrize("other", ["--check, which writes no page", "--json"])
def test_it_is_refused_where_no_page_is_written_and_where_a_browser_might_print_into_json(
        run, words, asked, other):
    status, _, err = run(*words, other.partition(",")[0])
    assert (status, err) == (2, f"nqbench: --open is not supported with {other}\n")
    assert asked == []

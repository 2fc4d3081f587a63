"""`nqbench report --open` shows the page that it wrote in the user's browser."""

import webbrowser
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import refused


@pytest.fixture
def words(tmp_path, monkeypatch):
    """A report whose page is not made: tests/report makes pages."""
    monkeypatch.setattr("nqbench.report.read", lambda *_: SimpleNamespace(wrong=[]))
    monkeypatch.setattr("nqbench.report.write", lambda made, out, *_: [Path(out, "index.html")])
    return ["report", "--results", tmp_path, "--out", tmp_path / "out", "--open"]


def fail(address):
    raise webbrowser.Error("none")


def test_the_page_is_opened_when_it_is_written(run, words, asked, tmp_path):
    page = tmp_path / "out" / "index.html"
    status, out, err = run(*words)
    assert (status, "browser" in err) == (0, False)
    assert out.endswith(f"open {page}\n")
    assert asked == [page.as_uri()]


@pytest.mark.parametrize("browser", [lambda address: False, fail])
def test_without_a_browser_one_line_says_what_to_open(run, words, monkeypatch, tmp_path, browser):
    monkeypatch.setattr(webbrowser, "open", browser)
    status, _, err = run(*words)
    assert status == 0
    page = tmp_path / "out" / "index.html"
    assert err.endswith(f"nqbench: no browser could be started; open {page}\n")


def test_it_is_refused_where_no_page_is_written_and_where_a_browser_might_print_into_json(
        run, words, asked, tmp_path):
    assert refused(run(*words, "--check")) == (
        "--open is not supported with --check, which writes no page")
    status, _, err = run(*words, "--json")
    assert (status, err) == (2, "nqbench: --open is not supported with --json\n")
    assert asked == []
    assert not (tmp_path / "out").exists()

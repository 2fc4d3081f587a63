"""`nqbench report --open` shows the page that it wrote in the user's browser."""

import json
import os
import subprocess
import sys
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


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_the_page_is_opened_when_it_is_written(run, words, asked, tmp_path, more):
    page = tmp_path / "out" / "index.html"
    status, out, err = run(*words, *more)
    assert (status, err) == (0, "")
    assert json.loads(out)["page"] == str(page) if more else out.endswith(f"open {page}\n")
    assert asked == [page.as_uri()]


@pytest.mark.parametrize("browser", [lambda address: False, fail])
def test_without_a_browser_one_line_says_what_to_open(run, words, monkeypatch, tmp_path, browser):
    monkeypatch.setattr(webbrowser, "open", browser)
    status, _, err = run(*words)
    assert status == 0
    assert err == f"nqbench: no browser could be started; open {tmp_path / 'out' / 'index.html'}\n"


@pytest.mark.slow
@pytest.mark.parametrize(("as_json", "shown"), [(True, "{}\n"), (False, "hello\n{}\n")])
def test_what_a_browser_prints_does_not_get_into_json(as_json, shown):
    code = ("from pathlib import Path\nfrom nqbench.cli.study import open_page\n"
            f"open_page(Path('x.html'), {as_json})\nprint('{{}}')")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=os.environ | {"BROWSER": "sh -c 'echo hello' %s"})
    assert (done.stdout, done.stderr) == (shown, "")


def test_it_is_refused_where_no_page_is_written(run, words, asked, tmp_path):
    assert refused(run(*words, "--check")) == (
        "--open is not supported with --check, which writes no page")
    assert asked == []
    assert not (tmp_path / "out").exists()

import csv
import shutil
import signal
import sys
from pathlib import Path

import pytest

import nqbench
from nqbench import study
from nqbench.algorithms import Search, catalogue
from nqbench.cli import main

EVERY = [name for name, algorithm in catalogue().items() if isinstance(algorithm, Search)]
SEARCHES = [name for name in EVERY if catalogue()[name].exhaustive]
DATA = Path(__file__).parent / "data"
RESULTS = Path(__file__).parents[1] / "results"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


SOLUTIONS = {0: 1, 1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724}


# A job in the background is started deaf to Ctrl-C, and so would be all that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# All points of n <= 8 but those that take over a second and a half, whatever the machine
# is busy with besides.
study.PRESETS["small"] = study.Preset(
    budget=1000, checks=100, check_n=7, max_n=8, samples=5, share=0.0015, probes=32_000,
    puzzles=0.4)


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small study that was really run."""
    folder = tmp_path_factory.mktemp("results")
    study.run("small", results=folder)
    return folder


@pytest.fixture(scope="session")
def reports(records, tmp_path_factory):
    """The report of that study."""
    out = tmp_path_factory.mktemp("reports")
    made = nqbench.report.build(records, out)
    assert made[0] == out / "index.html"
    return out


@pytest.fixture
def run(monkeypatch, capsys):
    """Run `nqbench WORDS`; return exit status, standard output, standard error."""
    def call(*words):
        monkeypatch.setattr(sys, "argv", ["nqbench", *map(str, words)])
        with pytest.raises(SystemExit) as caught:
            main()
        output = capsys.readouterr()
        return caught.value.code, output.out, output.err
    return call


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """The page made from the records of this project, as a file."""
    page, *_ = nqbench.report.build(RESULTS, tmp_path_factory.mktemp("reports"))
    return page.as_uri()


@pytest.fixture(scope="module")
def chromium():
    """A browser that is here already: Debian's chromium, or another one in PATH.

    Playwright keeps an event loop in this thread, so it does not outlive a module.
    """
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    playwright = pytest.importorskip("playwright.sync_api", reason="no Chromium here: "
                                     "playwright is not installed")
    if not found:
        pytest.skip("no Chromium here: none of " + ", ".join(BROWSERS))
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=found)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def opened(chromium, address):
    """Open the page: a function of the browser's settings; every context is closed."""
    contexts = []

    def call(**settings):
        context = chromium.new_context(**{"viewport": {"width": 1100, "height": 900}} | settings)
        contexts.append(context)
        page = context.new_page()
        page.asked, page.said = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.goto(address)
        if settings.get("java_script_enabled", True):
            page.wait_for_selector("#watch.moving")
        return page

    yield call
    for context in contexts:
        context.close()


def refused(result):
    """The one line of a refusal."""
    status, out, err = result
    assert (status, out) == (2, "")
    assert err.startswith("nqbench: ")
    assert err.count("\n") == 1
    return err.removeprefix("nqbench: ").rstrip("\n")

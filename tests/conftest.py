import csv
import gc
import io
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import webbrowser
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace

import kept
import optional
import pytest
from filelock import FileLock
from hypothesis import given, settings, strategies
from xdist.scheduler.loadscope import LoadScopeScheduling

import nqbench
from nqbench import study, topics
from nqbench.cli import run as run_command
from nqbench.problems.plugins import children, registry
from nqbench.problems.queens import Search, catalogue
from nqbench.records.descriptions import presets
from nqbench.records.record import ABOUT, read
from nqbench.report import builder
from nqbench.report import page as rendering
from nqbench.report.formats import to_csv
from nqbench.report.player import recordings_of
from nqbench.study.fields import PATIENCE

EVERY = [name for name, algorithm in catalogue().items() if isinstance(algorithm, Search)]
SEARCHES = [name for name in EVERY if catalogue()[name].exhaustive]
HERE = Path(__file__).parent
DATA = HERE / "data"
RESULTS = HERE.parent / "results"
GALLERY = HERE.parent / "docs/gallery"
collect_ignore_glob = ["corpus/*"]  # its programs are run, and not read for examples
BROWSER = "tests/browser/"
FIRST = "tests/analysis/test_frames.py", BROWSER  # the study, the page
CHOSEN = "profiles", "time"  # plots of the page in which the browser chooses
DRAWN = "steps", "profiles", "rate"  # plots of a small report: one of bars, lines, and points


def rows(name: str | Path) -> list[dict[str, str]]:
    """The rows of a CSV file, of tests/data or by its whole path."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# No test takes the identity of the user's machine, or leaves a checkpoint there. All processes of
# pytest-xdist are one machine.
MADE = "NQBENCH_TESTS" not in os.environ
if MADE:
    os.environ["NQBENCH_TESTS"] = tempfile.mkdtemp(prefix="nqbench-tests-")
HOME = os.environ["NQBENCH_TESTS"]
os.environ.update(XDG_CONFIG_HOME=HOME, XDG_STATE_HOME=HOME)

SOLUTIONS = {0: 1, 1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724}


# A background job ignores Ctrl-C, and so would everything that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# All points of n <= 8 but those whose samples take over two seconds, whatever the machine is busy
# with besides.
presets()["small"] = {
    "experiments": ["points", "checks", "rates", "estimates"], "budget": 1000, "checks": 100,
    "check_n": 6, "n": "1-8", "samples": 2, "share": 0.002, "probes": 64, "puzzles": 0.3,
    "solvers": "algorithms",
    "processes": 3, "shortest": 0.0005}


def pytest_unconfigure(config):
    """Leave no folder behind: the first process removes what it made."""
    if MADE:
        shutil.rmtree(HOME, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Call slow whatever needs the records of the small study, or a browser, and mark what a
    fixture needs. Begin with the fixtures that many others wait for.
    """
    for item in items:
        used = set(getattr(item, "fixturenames", ()))
        if {"records", "chromium"} & used:
            item.add_marker("slow")
        for fixture, part in optional.OF_FIXTURES.items():
            if fixture in used:
                item.add_marker(pytest.mark.needs(part))
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))


def pytest_collection_finish(session):
    """Keep what was imported out of the collections that tests and measurements begin with."""
    given(strategies.none())(lambda nothing: None)()  # registers its numbers, lost once frozen
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Skip a test that needs what does not work here."""
    for marker in item.iter_markers("needs"):
        optional.require(*marker.args)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False
    return Scheduler(config, log)


class Scheduler(LoadScopeScheduling):
    """Keep the tests that share a browser in one process, and those of a file that share a fixture;
    hand out other tests one by one.

    (The groups of pytest-xdist 3.8 do nothing with pytest 9.2.)
    """

    def _split_scope(self, nodeid):
        if nodeid.startswith(BROWSER):
            return BROWSER
        file = nodeid.partition("::")[0]
        return file if shares_a_fixture(self.config.rootpath / file) else nodeid


@cache
def shares_a_fixture(path):
    return 'scope="module"' in path.read_text("utf-8")


# No times are asserted: a busy machine is not a defect. The examples are always the same ones, so
# that `make test` has one result on all machines; `make fuzz` looks for others.
settings.register_profile("searching", deadline=None, max_examples=200)
settings.register_profile("same", deadline=None, max_examples=25, derandomize=True)
settings.load_profile("same")


@pytest.fixture(scope="session", autouse=True)
def forked():
    """Fork child processes from one that has imported nqbench: that takes 0.3 s less for each.

    The tests of the module, and programs that tests run, start them as users do.
    """
    with pytest.MonkeyPatch.context() as patch:
        if "forkserver" in multiprocessing.get_all_start_methods():
            from multiprocessing import forkserver

            forkserver.set_forkserver_preload(["nqbench.study.worker", "psutil", "ctypes"])
            forkserver.ensure_running()
            patch.setattr(children, "START", "forkserver")
        yield


@pytest.fixture(scope="session", autouse=True)
def impatient():
    """Take no sample again: here other tests always disturb the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(vars(PATIENCE), "default", 0.0)
        yield


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """Make a folder once for all processes of pytest-xdist: the first that needs it makes it."""
    home = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        home = home.parent  # all processes share it

    def call(name, make):
        folder = home / f"once-{name}"
        with FileLock(home / f"{name}.lock"):
            if not folder.exists():
                made = tmp_path_factory.mktemp(name)
                make(made)
                made.rename(folder)
        return folder

    return call


@pytest.fixture
def add_member(tmp_path, monkeypatch):
    """Add files to what a package finds in its folder: a function of the package and of texts by
    the names of their files.
    """
    added = []

    def call(package, files):
        folder = tmp_path / f"more-{len(added)}"
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
            added.append((package, name.partition(".")[0]))
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])

    yield call
    for package, name in added:
        sys.modules.pop(f"{package.__name__}.{name}", None)
        vars(package).pop(name, None)


@pytest.fixture
def add_topic(tmp_path, monkeypatch):
    """Add a topic: a function of its name and of texts by the names of their files."""
    added = []

    def call(name, files):
        folder = tmp_path / f"topics-{len(added)}" / name
        folder.mkdir(parents=True)
        for file, text in {"__init__.py": "", **files}.items():
            (folder / file).write_text(text, "utf-8")
        monkeypatch.setattr(topics, "__path__", [*topics.__path__, str(folder.parent)])
        added.append(f"{topics.__name__}.{name}")

    yield call
    for name in [each for each in sys.modules if each.startswith(tuple(added))] if added else []:
        del sys.modules[name]


@pytest.fixture
def no_plugins(monkeypatch):
    """Forget the external algorithms, before and after a test."""
    monkeypatch.setattr(registry, "_files", {})
    before = dict(registry.known)
    registry.known.clear()
    yield
    registry.known.clear()
    registry.known.update(before)


def stop_at(beginning):
    """What interrupts a study when it says that it begins with this."""
    def progress(what, *_):
        if what.startswith(beginning):
            raise KeyboardInterrupt

    return progress


def measured(folder):
    """The records of a folder, except those that describe the study."""
    return [record for record in read(folder, pytest.fail) if record["metric"] not in ABOUT]


@pytest.fixture(scope="session")
def records(once) -> Path:
    """The folder of a small study that was actually run."""
    return once("results", lambda folder: study.run("small", results=folder))


@pytest.fixture(scope="session")
def reports(once, records):
    """The report of that study, which draws only a few of its plots, and no choice."""
    def make(out):
        with pytest.MonkeyPatch.context() as patch:
            kept.draw_only(patch, *DRAWN)
            assert nqbench.report.build(records, out)[0] == out / "index.html"

    return once("reports", make)


@pytest.fixture
def no_plots(monkeypatch):
    """Have a report draw nothing: plots take most of its seconds."""
    kept.draw_only(monkeypatch)


@pytest.fixture
def run(monkeypatch, capsys):
    """Run `nqbench WORDS`; return exit status, standard output, standard error."""
    monkeypatch.setattr("nqbench.cli.handle_termination", lambda: None)  # here pytest handles it
    monkeypatch.setattr("nqbench.cli.terminal.LONG", 600.0)  # a slow machine must not fail the test

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["nqbench", *map(str, words)])
        status = run_command()
        output = capsys.readouterr()
        return status, output.out, output.err
    return call


@pytest.fixture
def feed(monkeypatch):
    """Give a text to standard input."""
    return lambda text: monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


@pytest.fixture(scope="session")
def published_page(once):
    """The page made from the records of this project, as a file; the tables beside it, as CSV.

    Of what can be chosen in the plots only what is chosen is drawn.
    """
    def make(out):
        made = builder.read(RESULTS, published=True)
        for name, table in made.tables.items():
            (out / f"{name}.csv").write_text(to_csv(table), "utf-8", newline="")
        text = rendering.page(made, builder.draw(made, out),
                              others=builder.draw_others(SimpleNamespace(figures={
                                  name: made.figures[name] for name in CHOSEN})))
        (out / "index.html").write_text(text, "utf-8")

    return once("page", make) / "index.html"


@pytest.fixture(scope="session")
def address(published_page):
    return published_page.as_uri()


started, browsing = [], ExitStack()  # a browser, and what closes it


@pytest.fixture(scope="module")
def chromium():
    """A browser that is already installed: Debian's chromium, or another one in PATH."""
    optional.require("Chromium")  # of a test that asks for a fixture by name, too
    from playwright.sync_api import sync_playwright

    if not started:
        browser = optional.launch(browsing.enter_context(sync_playwright()))
        started.append(browser)
        browsing.callback(started.clear)
        browsing.callback(browser.close)
    return started[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem):
    """Close the browser after the last test in a row that may need it: Playwright keeps an event
    loop in this thread.
    """
    yield
    if not (nextitem and (nextitem.nodeid.startswith(BROWSER)
                          or "chromium" in nextitem.fixturenames)):
        browsing.close()


@pytest.fixture(scope="module")
def showing(chromium):
    """Open a page: a function of its address, of what is there once its script is ready, and of the
    browser's settings; every context is closed.

    The page remembers what it `asked` for and `said` on the console.
    """
    contexts = []

    def call(address, ready="#watch.moving", **settings):
        context = chromium.new_context(**{"viewport": {"width": 1100, "height": 900}} | settings)
        contexts.append(context)
        context.set_default_timeout(120_000)  # milliseconds: on a busy machine, a page takes long
        page = context.new_page()
        page.asked, page.said = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.goto(address)
        if settings.get("java_script_enabled", True):
            page.wait_for_selector(ready)
        return page

    yield call
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def opened(showing, address):
    """Open the page of the published records: a function of the browser's settings."""
    return partial(showing, address)


@pytest.fixture(scope="module")
def play(showing, tmp_path_factory):
    """Open a page of `nqbench play`: a function of its title, an instance, searches, the names of
    those that are chosen, and the browser's settings.
    """
    def call(title, instance, algorithms, chosen, **settings):
        path = tmp_path_factory.mktemp("play") / "play.html"
        path.write_text(rendering.play_page(
            title, recordings_of(instance, [*algorithms], chosen)), "utf-8")
        page = showing(path.as_uri(), **{"reduced_motion": "reduce"} | settings)
        page.focus("#watch-player")
        return page

    return call


@pytest.fixture
def asked(monkeypatch):
    """What the browser of the user was asked to open."""
    addresses = []
    monkeypatch.setattr(webbrowser, "open", lambda address: addresses.append(address) or True)
    return addresses


@pytest.fixture
def find_faults():
    """Find what axe, which checks accessibility, or the console of a page complains of."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    return lambda page: page.said + [
        (fault["id"], [node["html"] for node in fault["nodes"]])
        for fault in axe.run(page).response["violations"]]


def refused(result):
    """The one line of a refusal."""
    status, out, err = result
    assert (status, out) == (2, "")
    assert err.startswith("nqbench: ")
    assert err.count("\n") == 1
    return err.removeprefix("nqbench: ").rstrip("\n")

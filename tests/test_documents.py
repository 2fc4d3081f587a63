"""What README and docs show is what the commands print."""

import doctest
import re
import runpy
import shlex
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import kept
import pytest
from across import judge
from markdown_it import MarkdownIt

import nqbench
from docs._site.tables import PAGES, fill
from nqbench.problems import instances
from nqbench.problems.instances import Board
from nqbench.problems.published import published
from nqbench.problems.published.computed import PROFILES, profiles
from nqbench.problems.published.errata import ERRATA
from nqbench.problems.queens import PUBLISHED, catalogue, find
from nqbench.report.formats import format_first, to_markdown
from nqbench.report.sections import sections
from nqbench.search.metrics import METRICS
from nqbench.topics.estimates import section
from nqbench.topics.searches.section_across import read
from nqbench.topics.sequences.section import errata

HOME = Path(__file__).parents[1]
README = (HOME / "README.md").read_text("utf-8")
TOUR = HOME / "docs/tutorial/tour.md"
NOTEBOOK = (HOME / "docs/notebook.md").read_text("utf-8")
SESSIONS = [
    (command, answer) for block in re.findall(
        r"```console\n(.*?)```", TOUR.read_text("utf-8"), re.DOTALL)
    for command, answer in re.findall(r"\$ (.*)\n((?:(?!\$ ).*\n)*)", block)]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "answer"), [
    pytest.param(*session, marks=pytest.mark.thorough if " verify " in session[0] else [])
    for session in SESSIONS])
def test_the_tour_shows_real_output(command, answer, run):
    if "|" in command:
        words = command.replace("nqbench", f"{shlex.quote(sys.executable)} -m nqbench", 1)
        out = subprocess.run(words, shell=True, capture_output=True, text=True, check=True,
                             timeout=100).stdout
    else:
        status, out, _ = run(*shlex.split(command)[1:])
        assert status == 0
    assert [line.rstrip() for line in out.splitlines()] == [
        line.rstrip() for line in answer.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("omitted", [
    "brute_force", pytest.param(None, marks=pytest.mark.thorough)])
def test_the_examples_in_python_run(omitted):
    """Brute force takes seconds."""
    examples = doctest.DocTestParser().get_doctest(
        TOUR.read_text("utf-8"), {}, TOUR.name, str(TOUR), 0)
    examples.examples = [each for each in examples.examples
                         if omitted is None or omitted not in each.source]
    assert doctest.DocTestRunner().run(examples) == (0, 6 - (omitted is not None))
    assert len(SESSIONS) >= 5


@pytest.fixture
def loaded(monkeypatch):
    """Have documents read the published records once in a process."""
    monkeypatch.setattr(nqbench.analysis, "load", lambda *words, **more: kept.published())


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("name", [
    "notebook.md", "pruning.md", "questions.md", "tutorial/first-study.md"])
def test_the_figures_in_the_docs_are_computed(name, monkeypatch):
    monkeypatch.chdir(HOME)
    failed, tried = doctest.testfile(str(HOME / "docs" / name), module_relative=False)
    assert failed == 0 < tried


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_the_recipes_for_records_print_what_they_show(monkeypatch, tmp_path, capsys):
    recipes = re.findall(r"```python\n(.*?)```(?:\n\n```\n(.*?)```)?",
                         (HOME / "docs/results.md").read_text("utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)  # where they write
    names = {}
    for recipe, answer in recipes:
        exec(recipe, names)
        assert capsys.readouterr().out == answer
    assert len(recipes) == 3
    assert (tmp_path / "times.pdf").stat().st_size > 1000


def test_the_worked_example_runs(records, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["pruning.py", str(records)])
    runpy.run_path(HOME / "docs/pruning.py", run_name="__main__")
    out, err = capsys.readouterr()
    assert "times fewer nodes" in out
    assert "30 queens: " in out
    assert err == ""


def test_the_errata_in_the_docs_are_those_of_the_command():
    """Those that give a wrong answer."""
    text, every = (HOME / "docs/errata.md").read_text("utf-8"), errata()
    shown = every[every["shown"].str.contains("prints? |wraps around there|true after|says false")]
    assert to_markdown(shown.drop(columns="right"), marked=True) in text
    listings = {name for each in ERRATA for name in each.listings}
    assert f"{len(listings)} published listings have {len(every)} faults;" in text
    assert f"shows {len(shown)} of them" in text
    assert len({(e.listing, e.fault) for e in ERRATA}) == len(ERRATA)


SEQUENCES = (HOME / "docs/sequences.md").read_text("utf-8")


def test_the_levels_of_new_numbers_are_those_of_the_data():
    trees = section.exact_trees({n: tree for n, tree in profiles().items() if n >= 16})[1:]
    assert to_markdown(trees) in SEQUENCES
    text = " ".join(SEQUENCES.split())
    for n, tree in PROFILES.items():
        assert f"- n = {n}: {', '.join(f'{nodes:,}' for nodes in tree.levels)}" in text


def test_the_samples_in_the_docs_hold_the_exact_nodes_where_they_are_known():
    rows = re.findall(r"^\| (\d+ \| [\d.]+ \(.* to .*\) \| .* \|) *$", SEQUENCES, re.MULTILINE)
    found = [tuple(map(float, re.findall(r"[\d.]+(?:e\d+)?", row))) for row in rows]
    assert len(found) == 3
    for n, *_, nodes, low, high, _ in found:
        assert low < nodes < high
        if n in PROFILES:
            assert low < PROFILES[n].nodes < high


def test_the_sources_name_the_published_algorithms_and_count_their_listings():
    text = (HOME / "docs/sources.md").read_text("utf-8")
    table, _ = text.split("The titles are")
    assert sorted(re.findall(r"`([a-z_]+)`", table.split("| document |")[1])) == sorted(PUBLISHED)
    remarks = [name for name in PUBLISHED if "no listing" in find(name).search.__globals__[
        "__doc__"]]
    assert remarks == ["permutations"]
    listings = format_first(len(PUBLISHED) - len(remarks))
    assert f"{listings} were rewritten from a listing" in text
    assert f"{listings.lower()} rewritten from a [listing]" in README


def test_the_page_says_where_the_algorithms_come_from_and_which_years_are_not_known():
    part = sections()["algorithms"].part(SimpleNamespace(deciding={}, descriptions={}))
    assert part.finding.startswith(f"{len(catalogue())} algorithms: {len(PUBLISHED)} from five doc")
    years = part.tables["algorithms"].set_index("algorithm")["year"]
    assert (years["bitmask"], years["somers"]) == ("no date given", "2002")
    assert all(years)


def test_the_board_and_the_table_in_the_docs_are_what_a_notebook_shows():
    """As GitHub shows it: no style of our own."""
    assert "nqbench.Placement([0, 4, 7, 5, 2, 6, 1, 3])" in NOTEBOOK
    shown = nqbench.Placement([0, 4, 7, 5, 2, 6, 1, 3])._repr_svg_() + "\n"
    assert (HOME / "docs/placement.svg").read_text("utf-8") == shown
    table = nqbench.profile(8)._repr_html_()
    assert re.sub(' style="[^"]*"', "", table) in NOTEBOOK


def test_the_plots_in_the_docs_are_made_as_they_say(records):
    (code,) = re.findall(r"```python\n(from nqbench.*?)```", NOTEBOOK, re.DOTALL)
    known = {"nqbench": nqbench}
    exec(code.replace("load()", f"load({str(records)!r})"), known)
    assert known["plot"]._repr_svg_().count("<svg ") == 1


DOCUMENTS = sorted(path.relative_to(HOME)
                   for pattern in ("*.md", "docs/**/*.md", "research/**/*.md")
                   for path in HOME.glob(pattern))
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?")


@cache
def read_headings(path):
    """The level and the anchor of each heading, as Git hosts and the site name it."""
    tokens = MarkdownIt().parse(path.read_text("utf-8"))
    found, used = [], Counter()
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            text = "".join(part.content for part in inline.children)
            anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            found.append((int(opening.tag[1]), f"{anchor}-{used[anchor]}".removesuffix("-0")))
            used[anchor] += 1
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_between_files_lead_somewhere(document):
    path = HOME / document
    for target, anchor in LINK.findall(path.read_text("utf-8")):
        other = path.parent / target if target else path
        assert other.exists(), target
        if anchor and other.suffix == ".md":
            assert anchor in {found for _, found in read_headings(other)}, f"{target}#{anchor}"


def test_a_heading_is_at_most_one_level_below_the_one_before():
    for document in DOCUMENTS:
        levels = [level for level, _ in read_headings(HOME / document)]
        assert all(after <= before + 1 for before, after in pairwise(levels)), document


FILES = re.compile(r"(?<![\w/.])(?:nqbench|tests|ext|benchmarks|docs|research)/[\w/.-]+"
                   r"\.(?:py|html|json|toml|h|pyx|md|js)\b")


def test_every_file_that_is_named_exists():
    """NAME, or dots, stand for what is to be chosen."""
    named = {(name, path) for pattern in (
        "*.md", "docs/**/*.md", "research/**/*.md", "nqbench/**/*.py", "ext/*")
        for path in HOME.glob(pattern) for name in FILES.findall(path.read_text("utf-8"))}
    assert [(name, path) for name, path in named if "NAME" not in name and ".." not in name
            and not (HOME / name).exists()] == []


def test_what_the_architecture_names_in_a_file_is_there():
    text = (HOME / "docs/architecture.md").read_text("utf-8")
    found = re.findall(r"`(\w+)`[^`|]* (?:in|by `\w+` in) `([\w/.]+\.\w+)`", text)
    assert len(found) > 6
    for name, file in found:
        assert re.search(rf"\b{name}\b", (HOME / file).read_text("utf-8")), (name, file)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_tables_in_the_docs_are_those_of_the_metrics_and_the_records(page):
    text = page.read_text("utf-8")
    assert fill(text, kept.published()) == text


def sentences():
    """The pages, and what they say in sentences that is counted."""
    records = kept.published()
    savings = records[records["preset"] == "savings"].set_index("algorithm")
    solvable, cut = savings["solvable"]["fewest_lines"], savings["solvable"]["bitmask"]
    known, solutions = profiles(), published("A000170")
    growth = [f"{known[n].nodes / solutions[n]:.0f}" for n in (8, 12, 16, 19, 21)]
    checks = [f"{instances.find(name).profile(Board(8)).counters()['checks']:,}"
              for name in ("row_by_row", "forward_checking", "backmarking")]
    trees = [nqbench.profile(10, algorithm=name).nodes for name in ("bitmask", "fewest_first")]
    return [
        ("pruning.md", f"{', '.join(growth[:-1])} and {growth[-1]} at 8, 12, 16, 19 and 21 queens"),
        ("pruning.md", "{} of plain backtracking for 8 queens, {} of `forward_checking`, {} of "
                       "`backmarking`".format(*checks)),
        ("pruning.md", f"of which {solvable.count(True)} are solvable"),
        ("pruning.md", f"`bitmask` gave up on {cut.count(None)} boards"),
        ("sudoku.md", f"the tree of 10 queens {trees[0] / trees[1]:.1f} times smaller")]


@pytest.mark.slow
def test_the_figures_in_sentences_are_counted():
    for page, sentence in sentences():
        assert sentence in " ".join((HOME / "docs" / page).read_text("utf-8").split())


def test_the_lines_of_the_history_are_those_in_the_docs():
    found = read(HOME / "results/asv")
    text = (HOME / "docs/benchmarking.md").read_text("utf-8")
    values = dict(iter(found.groupby(found["benchmark"] + found["chosen"])))
    start = values["times.Import.timeraw_import"][["value", "low", "high"]] * 1000
    first, last = start.iloc[0], start.iloc[-1]
    cores = values["compiled.Instructions.track_executed'join'"]["value"] / 1e6
    nodes = values["counts.Cores.track_nodes'somers cython', 12"]["value"]
    assert found.groupby("commit").ngroups == len(nodes)
    for sentence in (
            f"| {first['value']:.1f} ms (99 %: {first['low']:.1f} to {first['high']:.1f}), "
            f"{last['value']:.3f} ms ({last['low']:.3f} to {last['high']:.3f}) |",
            f"| {cores.iloc[0]:.1f} million, {cores.iloc[-1]:.1f} million; {cores.min():.1f} to "
            f"{cores.max():.1f} between |",
            f"| {int(nodes.unique().item()):,} in all {len(nodes)} commits |"):
        assert sentence in text


def test_what_became_worse_on_the_first_day_is_what_the_docs_say():
    history = HOME / "results/asv"
    days = read(history).groupby("commit")["date"].first().sort_values()
    first = [commit for commit, day in days.items() if str(day).startswith("2026-11-21")]
    worse = Counter(text.split(".")[0].removeprefix("worse: ") + (
        ".Engine" * ("times.Engine" in text)) for _, text in judge(history, first)
        if text.startswith("worse"))
    assert len(first) == 13
    assert worse == {"times": 10, "compiled": 5, "times.Engine": 2}


def test_every_metric_is_in_the_docs():
    text = (HOME / "docs/metrics.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)`", text, re.MULTILINE) == [*METRICS]

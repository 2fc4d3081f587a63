"""The documentation site is complete: its pages, its modules, its links; Sphinx reads it all.

`make docs` builds all of it, with the outputs of the notebooks and the report.
"""

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import nqbench
from nqbench.records.record import schema
from nqbench.study.plan import experiment_names, readable

HOME = Path(__file__).parents[1]
DOCS = HOME / "docs"
REFERENCE = DOCS / "reference"
DOCUMENTS = sorted(path for kind in ("*.md", "*.ipynb") for path in DOCS.rglob(kind)
                   if ".ipynb_checkpoints" not in path.parts)
TOCTREE = re.compile(r"^```\{toctree\}\n((?:.*\n)*?)^```$", re.MULTILINE)


def name(path):
    return path.relative_to(DOCS).with_suffix("").as_posix()


def entries(path):
    """The documents that the tables of contents of a page name."""
    for block in TOCTREE.findall(path.read_text("utf-8")):
        for line in block.splitlines():
            if line and not line.startswith(":"):
                yield name((path.parent / f"{line}.md").resolve())


def test_each_document_has_one_place_in_the_contents():
    placed = [entry for path in DOCS.rglob("*.md") for entry in entries(path)]
    assert sorted(placed) == sorted(set(map(name, DOCUMENTS)) - {"index"})


def test_a_part_that_is_included_has_its_ends():
    for path in DOCS.rglob("*.md"):
        for target, options in re.findall(r"^```\{include\} (.*)\n((?:.*\n)*?)^```$",
                                          path.read_text("utf-8"), re.MULTILINE):
            text = (path.parent / target).read_text("utf-8")
            for heading in re.findall(r'^:(?:start-after|end-before): "(.*)"$', options,
                                      re.MULTILINE):
                assert text.count(f"\n{heading}\n") == text.count(heading) == 1


def test_the_reference_describes_every_public_module():
    text = "\n".join(path.read_text("utf-8") for path in (REFERENCE / "api").glob("*.md"))
    described = set(re.findall(r"^\.\. automodule:: nqbench\.(\w+)", text, re.MULTILINE))
    assert described == set(nqbench.MODULES) - {"api"}  # its functions are those of the package


def test_every_member_that_the_reference_names_exists():
    for path in (REFERENCE / "api").glob("*.md"):
        for module, members in re.findall(
                r"^\.\. automodule:: (\S+)\n(?:   :(?!members).*\n)*   :members: (.+)$",
                path.read_text("utf-8"), re.MULTILINE):
            found = import_module(module)
            assert [name for name in members.split(", ") if not hasattr(found, name)] == [], path


def test_the_reference_describes_every_name_of_the_package():
    text = (REFERENCE / "api/nqbench.md").read_text("utf-8")
    named = set(re.findall(r"^\.\. auto\w+:: (\w+)$", text, re.MULTILINE))
    assert set(nqbench.__all__) - {"NqbenchError"} <= named  # that stands among the errors


def test_the_reference_describes_every_shape_that_a_package_can_add():
    text = (REFERENCE / "extensions.md").read_text("utf-8")
    for shape in re.findall(r"\{py:class\}`(.*?)`", text):
        assert f".. autoclass:: {shape}\n" in text


@pytest.fixture
def site(monkeypatch):
    """The modules of the site."""
    pytest.importorskip("sphinx", reason="no site here: Sphinx is not installed")
    monkeypatch.syspath_prepend(DOCS)


@pytest.fixture
def build(site, tmp_path):
    """Build a site of some files; return the folder of its pages."""
    def call(files):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")
        subprocess.run(
            [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "docs", "out"],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(DOCS)}, check=True)
        return tmp_path / "out"

    return call


@pytest.mark.usefixtures("site")
def test_the_reference_describes_every_field_of_the_published_records():
    from _site.fields import markdown

    described = set(re.findall(r"^\| `([\w.\[\]]+)` \|", "\n".join(markdown(schema())),
                               re.MULTILINE))
    lines = [line for path in (HOME / "results").rglob("*.jsonl")
             for line in path.read_bytes().splitlines()]
    assert len(lines) > 1000
    for record in map(json.loads, lines):
        assert record.keys() - described == set()
        assert {f"context.{name}" for name in record["context"]} - described == set()


@pytest.mark.usefixtures("site")
def test_the_reference_has_a_row_for_every_experiment_and_key_of_a_study_file():
    from _site.fields import study_keys

    lines = [*study_keys()]
    assert ("| `trees` | Estimate the tree of each algorithm that has one of its own, and the "
            "plain tree, for each n: runs of all of them visit the same nodes, where they have "
            "some in common. | `n`, `algorithms`, `solvers`, `visited` |") in lines
    assert "| `samples` | rounds of a point in each process | `5` | 100,000 |" in lines
    names = [re.match(r"\| `(\w+)` \| \S[^|]+ \|", line)[1] for line in lines
             if line.startswith("| `")]
    assert names == [*experiment_names(), *readable(experiment_names())]


@pytest.mark.slow
@pytest.mark.parametrize(("urls", "file", "folder"), [
    ('[project.urls]\nRepository = "https://a.org/b/"\n',
     '<a class="reference external" href="https://a.org/b/blob/HEAD/ext/kernel.h">kernel.h</a>',
     '<a class="reference external" href="https://a.org/b/tree/HEAD/ext">the folder</a>'),
    pytest.param('[project.urls]\nHomepage = "https://a.org"\n',
                 '<span class="pre">kernel.h</span>', "</code>, the folder, <a ",
                 marks=pytest.mark.thorough)], ids=["address", "none"])
def test_a_link_leads_to_a_page_or_to_the_repository(build, urls, file, folder):
    out = build({
        "pyproject.toml": f'[project]\nname = "a"\n{urls}', "ext/kernel.h": "",
        "README.md": "# Readme\n\n[other](docs/other.md#part), [picture](docs/picture.svg)\n",
        "docs/conf.py": 'extensions = ["myst_parser", "_site.links"]\nhtml_theme = "basic"\n'
                        "myst_heading_anchors = 2\n",
        "docs/index.md": "```{include} ../README.md\n```\n\n```{toctree}\nother\n```\n",
        "docs/picture.svg": "<svg/>",
        "docs/other.md": "# Other\n\n## Part\n\n[kernel.h](../ext/kernel.h), "
                         "[the folder](../ext/), [readme](../README.md)\n"})
    other = (out / "other.html").read_text("utf-8")
    assert file in other
    assert folder in other
    assert re.search(r'href="index.html"><span class="[\w -]+">readme</span></a>', other)
    index = (out / "index.html").read_text("utf-8")
    assert 'href="other.html#part"' in index
    assert re.search(r'href="_downloads/\w+/picture.svg"', index)


@pytest.mark.usefixtures("site")
def test_the_help_of_a_command_keeps_its_tables_and_examples():
    from _site.readable import set_as_code

    lines = ["(2 * *) is a node.", "", "| quick  seconds", "| full   hours", "", "| Example:",
             "|   nqbench study"]
    set_as_code(None, None, lines)
    assert lines == [
        r"(2 \* \*) is a node.", "", ".. code-block:: text", "", "   quick  seconds",
        "   full   hours", "", ".. rubric:: Example", "", ".. code-block:: console", "",
        "   $ nqbench study"]


@pytest.mark.thorough
@pytest.mark.usefixtures("site")
def test_sphinx_reads_the_site_without_a_warning(tmp_path):
    """It resolves every link, and reads every docstring; it writes no pages, and runs nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going",
         "--builder", "dummy", "--define", "nb_execution_mode=off", DOCS, tmp_path],
        capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "PYTHONPATH": str(Path(nqbench.__file__).parents[1])})
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("site")
def test_the_boards_of_the_lessons_are_drawn_and_no_other_text():
    from _site.boards import draw, read

    kinds = []
    for path in sorted((DOCS / "lessons").glob("*.md")):
        for kind, text in re.findall(r"^```text ?(\w*)\n(.*?)^```", path.read_text("utf-8"),
                                     re.M | re.S):
            boards = read(text)
            assert bool(boards) == (kind == "board"), text
            assert "".join(map(draw, boards)).count('"queen"') == text.count("Q") * bool(boards)
            kinds.append(kind)
    assert kinds.count("board") > 5


@pytest.mark.thorough
@pytest.mark.slow
def test_a_lesson_is_printed_whole_each_part_and_slide_on_a_sheet(build, chromium):
    lesson = (DOCS / "lessons/1.md").read_text("utf-8")
    out = build({
        "docs/conf.py": 'extensions = ["myst_parser", "_site.boards"]\n'
                        'html_theme = "pydata_sphinx_theme"\nhtml_css_files = ["site.css"]\n'
                        'html_static_path = ["_static"]\nsuppress_warnings = ["misc"]\n',
        "docs/_static/site.css": (DOCS / "_static/site.css").read_text("utf-8"),
        "docs/index.md": lesson})
    page = chromium.new_page()
    page.goto((out / "index.html").as_uri())
    assert page.locator(".boards svg").count() == 4
    assert page.locator(".ruled").count() == 1
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf()))
    page.close()
    parts = re.findall("^## ", lesson, re.M)
    slides = re.findall("^### ", lesson.partition("## Slides")[2].partition("## Handout")[0], re.M)
    assert sheets >= len(parts) - 1 + len(slides)


@pytest.mark.thorough
@pytest.mark.slow
def test_the_search_shows_the_text_of_pages_in_a_folder_commands_first(build, chromium):
    out = build({
        "docs/conf.py": 'extensions = ["myst_parser", "_site.search"]\n'
                        'html_theme = "pydata_sphinx_theme"\n'
                        f"html_search_scorer = {str(DOCS / '_site/scorer.js')!r}\n",
        "docs/index.md": "# Estimate\n\nHow to estimate.\n\n"
                         "```{toctree}\nreference/commands\n```\n",
        "docs/reference/commands.md": "# Commands\n\n## estimate\n\nGuess a tree.\n"})
    page = chromium.new_page()
    page.goto((out / "search.html").as_uri() + "?q=estimate")
    page.wait_for_selector("#search-results .context")
    first, *others = page.locator("#search-results li").all_inner_texts()
    assert "Guess a tree." in first
    assert any("How to estimate." in each for each in others)
    page.close()

"""A topic has sections, each with a template, which omit themselves."""

from types import SimpleNamespace

import pandas as pd
import pytest
from kept import few, only, read, said, said_of, write
from of_presets import of_preset

from nqbench.report import page as rendering
from nqbench.report import sections
from nqbench.report.sections import ordered

pytestmark = pytest.mark.slow

MODULE = """
from nqbench.report.sections import Facts, Part, Section


def build(frames):
    largest = frames.counters[frames.counters["n"] == frames.counters["n"].max()]
    return Part(Facts(n=int(largest["n"].iloc[0])), {"added": largest})


SECTIONS = (Section("added", "The added section", 65, build, requires=("counters",)),)
"""
TEMPLATE = """
{% from "macros.html" import files, rows_of with context %}
<section id="added"><h2>Added</h2>
{{ rows_of(table.added, "Counters at n = " ~ facts.n) }}
{{ files("added") }}
</section>
"""


@pytest.fixture
def added(add_topic):
    """A section of a topic in a temporary folder."""
    add_topic("added", {"section.py": MODULE, "added.html": TEMPLATE})


def test_a_topic_adds_its_section(added, records):
    made = read(records)
    assert "added" in made.parts
    assert "Counters at n = 8" in rendering.part(made, "added")


def test_a_section_that_fails_is_not_omitted(add_topic, records):
    failing = MODULE.replace('"n"].max()', '"size"].max()').replace('"added"', '"failing"')
    add_topic("failing", {"section.py": failing, "failing.html": TEMPLATE})
    with pytest.raises(RuntimeError, match="the section failing fails: KeyError: 'size'"):
        "failing" in read(records).parts  # noqa: B015 - what the page asks


def test_it_is_omitted_without_the_records_that_it_requires(added, records, tmp_path):
    write(tmp_path, only(records, "check"))
    made = read(tmp_path)
    assert "added" not in {*made.parts, *made.tables}


def test_one_section_is_rendered_alone():
    rows = pd.DataFrame({"kernel": ["portable"], "n": [14], "jobs": [1], "ratio": [3.5],
                         "low": [3.4], "high": [3.6], "samples": [5], "processes": [5]})
    frames = SimpleNamespace(kernels=rows, engine=rows[:0])
    text = said_of("kernels", frames)
    assert "<td>portable</td>" in text
    assert "5 samples from 5 processes" in text
    assert sections.sections()["kernels"].part(SimpleNamespace(kernels=rows[:0])) is None


def test_the_join_says_how_much_faster_it_is(records, tmp_path):
    write(tmp_path, of_preset("engine", few(records)))
    text = said(tmp_path, "join")
    words = " ".join(text.split())
    assert ("from 16 to 20 queens, <code>cross</code> goes from 34 to 128 ns of one core for a "
            "solution, the join from 17 to 25.6: it is 5 times as fast (95 %: 5 to 5); at n = 16 "
            "it is 36 times as fast as Somers' program" in words)
    assert "From n = 20 on, the times are estimates" in text
    assert "on the same machine" in text


def test_sections_have_places_names_and_templates_of_their_own(records):
    found = ordered()
    assert len({section.order for section in found}) == len(found)
    assert len({section.title for section in found}) == len(found)
    templates = {path for section in found for path in section.home.glob("*.html")}
    assert templates == {section.home / f"{section.name}.html" for section in found}


def test_the_frames_that_sections_require_are_known(records):
    frames = read(records).frames
    for section in ordered():
        for need in section.requires:
            found = getattr(frames, need) if isinstance(need, str) else frames.of(need)
            assert found.empty in (True, False), (section.name, need)


def test_no_two_sections_have_a_table_or_figure_of_one_name(records):
    made = read(records)
    for what in ("tables", "figures"):
        names = [name for part in made.parts.values() for name in getattr(part, what)]
        assert len(names) == len(set(names))
        assert set(names) == set(getattr(made, what))


def test_built_in_sections_name_known_chapters():
    assert {section.chapter for section in ordered()} <= {"", *sections.CHAPTERS}
    assert list(sections.chapters()) == list(sections.CHAPTERS)
    assert sections.chapters()["What symmetry saves"] == [
        sections.sections()["symmetry"]]


def test_a_section_without_a_chapter_stands_in_that_of_the_section_before(added):
    names = [section.name for section in sections.chapters()["Published algorithms"]]
    assert names == ["algorithms", "nodes", "work", "added"]


def test_a_new_chapter_comes_last(add_topic):
    add_topic("added", {"section.py": MODULE.replace("build,", "build, chapter='More',"),
                        "added.html": TEMPLATE})
    assert list(sections.chapters()) == [*sections.CHAPTERS, "More"]


def test_chapters_without_sections_are_left_out(records, tmp_path):
    write(tmp_path, only(records, "check"))
    made = read(tmp_path)
    assert "Sudoku" not in rendering.chapters(made)
    assert [name for own in rendering.chapters(made).values() for name in own] == list(
        made.parts)

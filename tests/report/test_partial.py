"""The records of any preset, alone or with others, make a whole page of their contents."""

import json
import re
from functools import cache
from itertools import pairwise

import kept
import pytest
from kept import FEW, Page, few, only, page, read, said, write
from of_presets import of_preset

from nqbench.records import Samples
from nqbench.records.descriptions import presets
from nqbench.report import builder
from nqbench.report import page as rendering
from nqbench.report.builder import write_tables
from nqbench.report.sections import contents

pytestmark = pytest.mark.slow

IN_TURNS = {"steps", "verification", "time", "nodes", "work", "rate", "pruning", "levels",
            "symmetry"}
RATES = {"sudoku", "sudoku_difficulty"}
ESTIMATES = {"estimates"}
SHOWN = {
    **dict.fromkeys(("quick", "standard", "full"), IN_TURNS | RATES | ESTIMATES),
    "pruning": IN_TURNS, "symmetry": IN_TURNS, "estimate": ESTIMATES, "sudoku": RATES,
    "engine": {"verification", "kernels", "join"},
    "peers": {"peers"},
}
ALONE = ("pruning",)  # the others are in pages of several
ALIKE = "standard", "full", "symmetry"  # they measure what "quick" or "pruning" does
# Of no run, or of every one.
ALWAYS = "watch", "algorithms", "exact_trees", "first_solutions", "errata", "how"
VOID = {"meta", "input", "br"}


@pytest.fixture(scope="module")
def made(records, tmp_path_factory):
    """What the report says of the records of some presets."""
    study = few(records)

    @cache
    def call(*names):
        folder = tmp_path_factory.mktemp("results")
        write(folder, [line for name in names for line in of_preset(name, study)])
        return builder.read(folder)
    return call


class Whole(Page):
    """A page whose elements are closed in their order, and whose tables have rows."""

    def __init__(self, text):
        self.open, self.rows = [], []
        super().__init__(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        super().handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tbody":
            self.rows.append((dict(attrs).get("id"), 0))
        if tag == "tr" and "tbody" in self.open:
            self.rows[-1] = self.rows[-1][0], self.rows[-1][1] + 1

    def handle_startendtag(self, tag, attrs):
        Page.handle_starttag(self, tag, attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def assert_whole(made):
    text = page(made)
    found = Whole(text)
    files = {f"{name}.{kind}" for names, kinds in ((made.tables, ("csv", "md")),
                                                   (made.figures, ("svg",)))
             for name in names for kind in kinds}
    assert len(found.ids) == len(set(found.ids))
    for link in found.links:
        assert link in files or link.removeprefix("#") in found.ids, link
    assert files <= set(found.links)
    assert all(many for name, many in found.rows if name not in ("watch-levels", "rival-levels"))
    assert_filled(text)


def assert_filled(text):
    words = re.sub("<script.*?</script>|<style>.*?</style>|<[^>]*>", " ", text, flags=re.DOTALL)
    assert not re.search(r"\b(nan|NaN|None(?! of)|Undefined)\b", words)
    assert not re.search(r"<(p|ul|dl|tr|pre)>\s*</\1>", text)
    assert not re.search(r"[\w)][.,;:]<(code|b|a) ?", text)  # a space is missing


def test_every_preset_is_here():
    assert set(SHOWN) <= {*presets()}


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[] if name in ALONE else pytest.mark.thorough) for name in SHOWN])
def test_each_preset_alone_makes_a_whole_page_of_what_it_measures(made, name):
    found = made(name)
    assert set(found.parts) - set(ALWAYS) == SHOWN[name]
    assert found.machine["preset"] == name
    assert_whole(found)


@pytest.mark.parametrize("names", [
    ("estimate", "sudoku"), ("engine", "peers"),
    *(pytest.param(names, marks=pytest.mark.thorough) for names in (
        [name for name in SHOWN if name not in ALIKE],
        *pairwise(name for name in SHOWN if name not in ALIKE)))], ids="-".join)
def test_several_presets_make_a_page_of_all_of_them(made, names):
    found = made(*names)
    assert set.union(*map(SHOWN.get, names)) == set(found.parts) - set(ALWAYS)
    assert_whole(found)


def test_the_title_and_the_answers_are_of_what_is_shown(made):
    peers = said(made("peers"), "header")
    assert "<h1>Backtracking, measured: The peers</h1>" in peers
    assert re.findall("<dt>(.*?)</dt>", peers) == [
        "What do the published listings get wrong?", "How is this page made again?"]
    assert "Student's t" in said(made("pruning"), "how")
    pruning = said(made("pruning"), "header")
    assert "<h1>Backtracking on the n-queens problem, measured</h1>" in pruning
    assert "31 algorithms" not in pruning
    assert len(re.findall("<dt>(.*?)</dt>", pruning)) == 7


@pytest.mark.thorough
def test_how_to_make_it_again_names_every_run_that_is_shown(made):
    assert "<pre>nqbench study --preset peers --budget 1000\nnqbench report</pre>" in said(
        made("peers"), "how")
    both = said(made("pruning", "peers"), "how")
    assert re.findall("--preset (\\w+)", both) == ["pruning", "peers"]


@pytest.mark.parametrize("top", [
    False, pytest.param(True, marks=pytest.mark.thorough)])
def test_no_page_makes_up_the_command_of_a_study_file(records, tmp_path, top):
    study = few(records)
    mine = [line | {"preset": "mine"} for line in of_preset("peers", study)]
    about = {"metric": "study", "status": "complete", "samples": [], "unit": "",
             "study": {"name": "mine", "experiments": ["peers"]}}
    write(tmp_path, [*mine, mine[0] | about, *([] if top else of_preset("pruning", study))])
    found = builder.read(tmp_path)
    how = said(found, "how")
    assert ("From the study mine\nof" in said(found, "peers")) != top
    assert how.endswith(("<pre>nqbench study study.toml\nnqbench report</pre>" if top else
                         "--budget 1000\n# and studies that are no presets\nnqbench report</pre>")
                        + "\n</section>\n")
    assert ("name = &#34;mine&#34;" in how) == top
    assert "--preset mine" not in how


@pytest.mark.thorough
def test_the_run_that_measured_more_stands_at_the_top(made):
    assert made("symmetry", "peers", "estimate").machine["preset"] == "symmetry"
    assert made("estimate", "peers").machine["preset"] == "peers"


def test_tables_that_are_empty_are_not_written(made, tmp_path):
    (out := tmp_path / "out").mkdir()
    write_tables(made("peers"), out)
    new = {"exact_trees", "exact_levels", "level_times", "first_solutions",
           "first_columns"}
    assert {path.stem for path in out.iterdir()} - new == {"algorithms", "errata", "peers"}


@pytest.mark.thorough
@pytest.mark.parametrize("missing", [("bitmask", "python"), ("somers", "python")])
def test_a_run_without_what_others_are_compared_with_makes_the_other_sections(
        records, tmp_path, missing):
    write(tmp_path, [line for line in few(records)
                     if (line.get("algorithm"), line.get("implementation")) != missing
                     and not (line.get("algorithm") == missing[0] == "somers")])
    found = read(tmp_path)
    assert {"time", "nodes"} <= set(found.parts)
    assert ("pruning" in found.parts) == (missing[0] == "somers")
    assert_whole(found)


def test_a_study_that_only_checked_shows_that(records, tmp_path):
    write(tmp_path, only(records, "check"))
    found = read(tmp_path)
    assert set(found.parts) - set(ALWAYS) == {"verification"}
    assert_whole(found)
    assert "Student's t" not in said(found, "how")  # nothing was timed


def test_records_of_nothing_that_is_shown_are_refused_in_one_line(run, records, tmp_path):
    write(tmp_path, [line for line in few(records)
                     if line["n"] < 4 and line["metric"] != "check"])
    status, out, err = run("report", "--results", tmp_path, "--out", tmp_path / "out", "--json")
    assert (status, err.count("\n")) == (2, 1)
    assert "nothing to report" in json.loads(out)["error"]
    assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def published():
    """The records of this project, those of a few searches."""
    found = kept.published()
    named = found["algorithm"].isna() | found["algorithm"].isin(
        {*FEW, "iterative", "forward_checking", "fewest_lines"})
    return found[named]


@pytest.mark.parametrize(("column", "value"), [
    *(pytest.param(*one, marks=pytest.mark.thorough) for one in (
        ("n", 22), ("algorithm", "bitmask"), ("algorithm", "fewest_lines"),
        ("n", 9), ("n", 14), ("machine", "3c5a0c3bd670"),
        ("metric", "seconds"), ("implementation", "cython"))),
    ("metric", "plan"), ("preset", "engine")])
def test_records_of_one_kind_make_the_sections_that_they_fill(published, column, value):
    found = contents(published[published[column].eq(value)])
    for name in {*found.parts} - {"watch"}:
        assert_filled(rendering.part(found, name))
    for name, draw in found.figures.items():
        if name != "squares_tried":  # of no records
            draw()


@pytest.mark.thorough
@pytest.mark.parametrize(("least", "most"), [(9, 1), (12, 9)])
def test_records_of_large_boards_and_of_one_sample_in_one_process_do_so_too(
        published, least, most):
    main = published[published["preset"].eq("standard") & published["n"].ge(least)]
    some = main.assign(processes=1, samples=[Samples(each[:most]) for each in main["samples"]])
    found = contents(some)
    assert {"time", "work", "nodes", "rate"} <= {*found.parts}
    assert f"Counters at n = {least}" in rendering.part(found, "work")
    for name, part in found.parts.items():
        if name not in ALWAYS:
            assert_filled(rendering.part(found, name))
            for draw in part.figures.values():
                draw()

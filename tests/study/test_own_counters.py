"""Counters that an algorithm declares: in its tally, in records, frames and the page."""

import json
from pathlib import Path

import pytest
from conftest import refused
from examples import counted, timed
from kept import said

import nqbench
from nqbench.cli.check import TEMPLATES
from nqbench.problems.plugins import registry
from nqbench.records.record import parse, read

DECLARED = 'counters={"looks": "squares looked at", "peeks": ("rows", "rows looked at")}'
IDEA = TEMPLATES["queens"].format(title="Idea", name="idea", file='"idea.py", ' + DECLARED).replace(
    "tally.test(row, column)", "tally.looks += 1; tally.peeks += len(columns); "
    "tally.test(row, column)")

pytestmark = pytest.mark.usefixtures("no_plugins")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with idea.py."""
    monkeypatch.chdir(tmp_path)
    write(IDEA)
    return tmp_path


def write(text):
    Path("idea.py").write_text(text, "utf-8")


def test_they_are_counted_wherever_the_search_is_followed(here, run):
    tally = nqbench.profile(6, "idea.py")
    by_hand = sum(level * 6 * nodes for level, nodes in enumerate(tally.levels[:6]))
    counters = tally.counters()
    assert (counters["looks"], counters["peeks"]) == (tally.tests, by_hand)
    assert nqbench.check("idea.py", 5).verdict == "right"
    for words in (("profile", 6), ("trace", 4), ("trace", 4, "--json"), ("show",)):
        status, _, err = run(*words, *["-a"] * (words != ("show",)), "idea.py")
        assert (status, err) == (0, ""), words
    assert "looks" not in nqbench.profile(6, "bitmask").counters()


@pytest.mark.parametrize(("declared", "says"), [
    ('{"nodes": "x"}', "the name of the counter 'nodes' is taken; choose another"),
    ('{"test": "x"}', "the name of the counter 'test' is taken; choose another"),
    *((wrong, "counters must be names and what each counts, as in ")
      for wrong in ('{"a b": "x"}', '{"looks": ""}', '["looks"]'))])
def test_what_is_no_counter_is_refused_in_one_line(here, run, declared, says):
    write(IDEA.replace(DECLARED, f"counters={declared}"))
    assert says in refused(run("profile", 4, "-a", "idea.py"))


@pytest.mark.parametrize(("old", "new", "says"), [
    ("tally.looks +=", "tally.loks +=",
     "AttributeError: there is no counter 'loks'; did you mean looks?"),
    (f", {DECLARED}", "", "AttributeError: the algorithm declares no counter 'looks'")])
def test_a_name_that_is_not_declared_is_refused_in_one_line(here, run, old, new, says):
    write(IDEA.replace(old, new))
    assert refused(run("profile", 4, "-a", "idea.py")).endswith(says)
    assert nqbench.check("idea.py", 4).faults[0].text.endswith(says)


@pytest.mark.parametrize(("changed", "fault"), [
    ({}, ""), ({"samples": [[0, 1, 2, 3, 4, 5, 6, 7, 8]]}, ""),
    ({"samples": [[0, 1]]}, "looks must be 9 levels"), ({"samples": [-1]}, "samples"),
    ({"definition": 3}, "must be"), ({"unit": 3}, "must be"),
    ({"metric": "nodes"}, "metric 'nodes' is no counter of one algorithm alone"),
    ({"definition": ""}, "definition must be longer than or equal to 1 characters")])
def test_a_record_needs_the_definition_but_not_the_file(changed, fault):
    record = counted(timed(), "nodes", 3) | {
        "metric": "looks", "unit": "", "definition": "squares looked at", **changed}
    found = parse(json.dumps(record).encode())[1]
    assert fault in found if fault else not found


@pytest.mark.thorough
@pytest.mark.slow
def test_records_frames_and_page_have_them_without_the_file(here, run):
    nqbench.study.run(algorithms=["idea.py", "bitmask@python"], results="r", n=[4, 5], samples=1,
                      processes=1, budget=60, metrics=["nodes"])
    (looks,) = (record for record in read(Path("r"), pytest.fail)
                if (record["metric"], record["n"]) == ("looks", 5))
    own = nqbench.profile(5, "idea.py").counters()
    assert (looks["definition"], looks["unit"], looks["samples"]) == (
        "squares looked at", "", [own["looks"]])
    Path("idea.py").unlink()
    registry.known.clear()
    frame = nqbench.analysis.counters(nqbench.analysis.load("r")).set_index(["algorithm", "n"])
    assert frame.loc[("idea", 5), "peeks"] == own["peeks"]
    assert frame.loc[("bitmask", 5), "looks"] is None
    page = said(Path("r"), "work")
    assert "<td>peeks</td><td>idea</td><td>rows</td><td>rows looked at</td>" in page
    assert run("compare", "r", "r")[0] == 0
    assert run("report", "--results", "r", "--out", "reports")[0] == 0
    assert run("report", "--check", "--results", "r", "--out", "reports")[0] == 0

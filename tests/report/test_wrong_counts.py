"""A wrong count appears in red at the top and in the tables, and changes the exit status."""

import json
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from kept import facts, few, lines, only, page, peer, read, said, write
from of_presets import of_preset

import nqbench
from nqbench import analysis
from nqbench.checking.verification import Check
from nqbench.records import frame
from nqbench.records.contradictions import MOST_NAMED, contradictions, suspicions
from nqbench.records.descriptions import METRIC, Description
from nqbench.records.record import join
from nqbench.report.frames import Frames
from nqbench.report.style import solver
from nqbench.study.experiments import Session
from nqbench.study.plan import find_preset
from nqbench.topics.sequences.measurement import Checks

pytestmark = pytest.mark.slow


def shows(text, *words):
    return all(word in " ".join(text.split()) for word in words)


@pytest.fixture(scope="module")
def two_wrong(records, tmp_path_factory):
    """A folder in which two solvers counted one too many for n = 8."""
    chosen = {("recursive", "python"), ("somers", "cython")}
    folder = tmp_path_factory.mktemp("results")
    write(folder, [line | {"samples": [93]} if line["metric"] == "solutions" and line["n"] == 8
                   and (line["algorithm"], line["implementation"]) in chosen else line
                   for line in few(records)])
    return folder


NAMES = ["recursive (python) counted 93 instead of 92 at n = 8",
         "somers (cython) counted 93 instead of 92 at n = 8"]


def test_solver_n_expected_and_actual_stand_in_red_at_the_top(two_wrong):
    header = said(two_wrong, "header")
    (box,) = re.findall('<div class="wrong" role="alert">(.*?)</div>', header, re.DOTALL)
    assert re.findall("<li>(.*?)</li>", box) == NAMES
    assert "2 of our counts are wrong" in box
    assert "takes part in no time, ratio, verdict, rank or plot of that run" in header
    assert "published values confirmed" not in header
    assert '<span class="bad"><b>No:</b> 2 counts are wrong' in header


def test_they_stand_in_red_in_the_table_of_verification(two_wrong):
    text = said(two_wrong, "verification")
    rows = re.findall('<tr class="bad">(.*?)</tr>', text)
    assert [re.findall("<td[^>]*>(.*?)</td>", row) for row in rows] == [
        [solver, "A000170", "8", "92", "93", "differs"]
        for solver in ("recursive (python)", "somers (cython)")]
    assert "counts correctly" not in text


def test_the_command_writes_the_page_names_them_and_exits_with_1(
        run, two_wrong, tmp_path, no_plots, monkeypatch):
    made = read(two_wrong)
    for place in ("nqbench.report.read", "nqbench.report.builder.read"):
        monkeypatch.setattr(place, lambda *words: made)
    words = ("report", "--results", two_wrong, "--out", tmp_path / "out")
    status, out, err = run(*words)
    assert (status, err) == (1, f"nqbench: 2 wrong counts: {'; '.join(NAMES)}\n")
    assert 'class="wrong"' in (tmp_path / "out" / "index.html").read_text("utf-8")
    assert out.startswith(f"{len(list((tmp_path / 'out').iterdir()))} files in ")
    status, out, err = run(*words, "--check", "--json")
    found = json.loads(out)
    assert (status, err) == (1, f"nqbench: 2 wrong counts: {'; '.join(NAMES)}\n")
    assert (found["ok"], found["same"]) == (False, True)
    assert found["wrong"][0] == {"solver": "recursive (python)", "n": 8, "sequence": "A000170",
                                 "expected": "92", "actual": "93"}
    monkeypatch.setattr("nqbench.report.builder.write", lambda *words: [])
    with pytest.warns(UserWarning, match=r"2 wrong counts: recursive \(python\) counted 93"):
        nqbench.report.build(two_wrong, tmp_path / "out")


def test_a_check_that_differs_is_one_of_them_and_each_solver_is_named(records, tmp_path):
    write(tmp_path, [line | {"status": "differs", "got": 7, "answered_by": ["a", "b", "c"],
                             "wrong": {"b": 7, "c": 5}}
                     if line.get("sequence") == "A002562" and line["n"] == 6 else line
                     for line in only(records, "check")])
    made = read(tmp_path)
    assert list(map(str, made.wrong)) == [
        "b counted 7 instead of 1 of A002562 at n = 6",
        "c counted 5 instead of 1 of A002562 at n = 6"]
    assert shows(page(made), "2 of our counts are wrong", "b counted 7 instead of 1")
    assert made.parts["verification"].tables["verification"]["answered_by"].iloc[0] == "b"


def test_a_study_records_who_answered_a_check_wrongly():
    check = Check("A000170", 8, 92, {"good": 92, "bad": 93}, wrong={"bad": 93})
    session = Session(find_preset("quick"))
    assert Checks(session).record(check)["wrong"] == {"bad": 93}


def alerts(found):
    """What a report reads of records before it makes its sections, with its alerts."""
    return Frames(frame(found))


@pytest.mark.parametrize("name", [
    "pruning", pytest.param("symmetry", marks=pytest.mark.thorough), "engine"])
def test_every_run_that_is_shown_is_compared_not_only_the_newest(records, name):
    study = few(records)
    older = [line | {"run": "1999-01-01T00:00:00.000+00:00"} | (
        {"samples": [725]} if line["metric"] == "solutions" and line["n"] == 8
        and line["algorithm"] == "somers" else {})
             for line in of_preset(name, study) if line["metric"] != "check"]
    made = alerts([*study, *older])
    assert made.machine["run"] == study[0]["run"]
    assert {(one.solver.partition(" ")[0], one.actual) for one in made.wrong} == {
        ("somers", "725")}


@pytest.mark.thorough
def test_our_own_searches_among_the_peers_are_compared_too(records, tmp_path):
    first = lines(records)[0]
    theirs = {"peer": "clingo", "package": "clingo", "solutions": 91}
    write(tmp_path, [peer(first, n=4, solutions=2), peer(first, solutions=91),
                     peer(first, **theirs), peer(
                         first, n=4, **theirs | {"solutions": 3}, status="failed", samples=[],
                         loops=None, fault="counted 3 instead of 2")])
    made = read(tmp_path)
    assert list(map(str, made.wrong)) == ["cross (Cython) counted 91 instead of 92 at n = 8"]
    text = said(made, "peers")
    assert '<p class="bad">clingo failed at n = 8: counted 91 instead of 92.</p>' in text or (
        '<p class="bad">clingo failed at n = 4: counted 3 instead of 2.</p>' in text)
    assert set(made.parts["peers"].tables["peers"].query("n == 8")["status"]) == {"failed"}


@pytest.mark.thorough
def test_of_many_the_first_are_named_at_the_top_and_all_in_their_section(records, tmp_path):
    write(tmp_path, [line | {"samples": [10**6]} if line["metric"] == "solutions" else line
                     for line in few(records)])
    made = read(tmp_path)
    counted = facts(made, "verification").counted
    assert len(made.wrong) == counted
    header = said(made, "header")
    assert header.count("<li>") - header.count('<li><a href="#') == MOST_NAMED + 1
    assert f"and {counted - MOST_NAMED} more" in header
    assert said(made, "verification").count('<tr class="bad">') == counted


def edited(study, change, **where):
    """The records of a study, those with these fields changed by a function of their samples."""
    return [line | {"samples": [change(line["samples"][0])]}
            if all(line.get(name) == value for name, value in where.items()) else line
            for line in study]


@pytest.fixture(scope="module")
def counted(records):
    """The records of the searches for up to 6 queens."""
    return [line for line in few(records) if line["metric"] not in ("check", "rate", "estimate")
            and line["n"] < 7]


def test_the_records_of_a_study_contradict_nothing(records):
    assert contradictions(join(lines(records))) == suspicions(join(lines(records))) == []


COVERED = ("solutions", "nodes", "levels", "dead_ends", "dead_levels")


@given(st.data())
def test_any_counter_that_is_edited_is_found(counted, data):
    line = data.draw(st.sampled_from([each for each in counted if each["metric"] in COVERED]))
    (value,) = line["samples"]
    more = data.draw(st.integers(1, 10**6) | st.integers(-10**6, -1))
    if isinstance(value, list):
        level = data.draw(st.integers(0, len(value) - 1))
        value = [max(0, one + more) if i == level else one for i, one in enumerate(value)]
    else:
        value = max(0, value + more)
    assume(value != line["samples"][0])
    found = contradictions(line | {"samples": [value]} if each is line else each
                           for each in counted)
    assert [(one.solver, one.n) for one in found] == [
        (f"{line['algorithm']} ({line['implementation']})", line["n"])]


@given(st.data())
def test_a_profile_of_the_plain_tree_with_the_right_sum_is_found_too(counted, data):
    lines = [each for each in counted if each["algorithm"] in ("recursive", "bitmask")
             and each["metric"] in ("levels", "dead_levels") and each["n"] > 4]
    line = data.draw(st.sampled_from(lines))
    values = line["samples"][0][:]
    n = line["n"]
    above, below = (1, 0) if line["metric"] == "levels" else (n, 1)
    values[above], values[below] = values[above] + 1, max(0, values[below] - 1)
    found = contradictions(line | {"samples": [values]} if each is line else each
                           for each in counted)
    assert [one.n for one in found] == [n]


def test_the_total_alone_is_compared_where_a_search_does_not_look_for_all_solutions():
    head = {"run": "r", "machine": "m", "implementation": "python", "status": "measured", "n": 6,
            "metric": "solutions", "samples": [1]}
    assert contradictions([head | {"algorithm": "a_star"}]) == []
    assert len(contradictions([head | {"algorithm": "bitmask"}])) == 1


def test_a_wrong_search_takes_part_in_no_table_at_any_n(two_wrong):
    tables = read(two_wrong).tables
    names = ("'somers', 'cython'", "somers (cython)", solver("somers", "cython"))
    named = {name for name, table in tables.items()
             for row in table.to_numpy().tolist() if any(each in str(row) for each in names)}
    assert set(tables["times"].query("algorithm == 'somers'")["implementation"]) == {"python"}
    assert named == {"verification"}


def test_it_is_set_apart_in_its_own_run_only(counted):
    later = "2999-01-01T00:00:00.000+00:00"
    records = frame([*edited(counted, lambda total: total + 1, metric="solutions", n=5,
                             algorithm="bitmask", implementation="python"),
                     *(line | {"run": later} for line in counted)])
    wrong = records[records["status"] == "wrong"]
    assert set(wrong["run"]) == {counted[0]["run"]}
    assert set(zip(wrong["algorithm"], wrong["implementation"], strict=True)) == {
        ("bitmask", "python")}
    assert set(wrong["n"]) == set(records[records["algorithm"] == "bitmask"]["n"])


def test_a_run_whose_searches_are_all_wrong_is_still_the_newest(counted):
    later = "2999-01-01T00:00:00.000+00:00"
    records = frame([*counted, *edited([line | {"run": later} for line in counted],
                                       lambda total: total + 1, metric="solutions", n=5)])
    assert set(analysis.latest(records)["run"]) == {later}


def test_a_search_whose_check_differs_is_set_apart(records):
    found = frame([line | {"status": "differs", "wrong": {"bitmask (cython)": 7}}
                   if line.get("sequence") == "A002562" and line["n"] == 6 else line
                   for line in few(records)])
    wrong = found[found["status"] == "wrong"]
    assert set(zip(wrong["algorithm"], wrong["implementation"], strict=True)) == {
        ("bitmask", "cython")}


def test_answers_about_a_puzzle_that_most_solvers_contradict_are_wrong(records):
    rates = [line for line in only(records, "rate") if line["samples"]]
    first = next(line for line in rates if line["data_set"] == rates[0]["data_set"])
    solutions = [2, *first["solutions"][1:]]
    found = contradictions(join([line | {"solutions": solutions} if line is first else line
                                 for line in rates]))
    assert [(one.n, one.expected, one.actual) for one in found] == [(None, "1", "2")]
    assert found[0].solvers == (f"{first['algorithm']} ({first['implementation']})",)
    two = [line for line in rates if line["data_set"] == first["data_set"]][:2]
    (found,) = contradictions(join([two[0] | {"solutions": solutions}, two[1]]))
    assert len(found.searches) == 2  # one of them is wrong


def test_a_study_names_its_wrong_counts_and_exits_with_1(run, counted, tmp_path, monkeypatch):
    found = edited(counted, lambda total: total + 1, metric="solutions", n=5,
                   algorithm="bitmask", implementation="python")
    monkeypatch.setattr("nqbench.study.loop.measure", lambda *words, **more: found)
    words = "study", "-a", "bitmask", "-n", "5", "--results", tmp_path
    status, _, err = run(*words)
    text = "1 wrong count: bitmask (python) counted 11 instead of 10 at n = 5"
    assert (status, err) == (1, f"nqbench: {text}\n")
    said = json.loads(run(*words, "--json")[1])
    assert (said["wrong"][0]["n"], said["warnings"]) == (5, [text])


@pytest.mark.parametrize(("metric", "n"), [
    ("tests", 5), ("dead_ends", 5), ("exhaustions", 5), ("nodes_to_first", 6)])
def test_counters_of_small_boards_are_recounted(counted, metric, n):
    found = contradictions(frame(edited(counted, lambda total: total - 1, metric=metric, n=n,
                                        algorithm="bitmask", implementation="python")
                                 ).to_dict("records"))
    assert [(one.solvers, one.n) for one in found] == [(("bitmask (python)",), n)]


def test_counters_of_another_version_are_not_recounted(counted):
    other = [line | {"context": line["context"] | {"nqbench": "0.0"}} for line in edited(
        counted, lambda total: total - 1, metric="tests", n=5, algorithm="bitmask")]
    assert contradictions(frame(other).to_dict("records")) == []


def test_the_page_names_what_a_check_warned_of(counted, tmp_path, monkeypatch):
    described = Description("mine", warnings=("python: a second search takes less",))
    (warning,) = suspicions([{"metric": METRIC, **described.fields}])
    assert warning == "mine, python: a second search takes less"
    monkeypatch.setattr("nqbench.report.frames.suspicions", lambda rows: [warning])
    write(tmp_path, counted)
    header = said(tmp_path, "header")
    box = re.findall('<div class="strange" role="note">(.*?)</div>', header, re.DOTALL)[0]
    assert f"<li>{warning}</li>" in box
    assert 'class="wrong"' not in header


def test_a_study_records_the_first_search(records):
    assert all(line["first"] > 0 for line in lines(records)
               if line["metric"] == "seconds" and line["implementation"] == "python"
               and line["status"] == "measured" and not line["process"])


def test_a_search_that_failed_while_it_was_timed_is_set_apart(counted):
    fault = "round 2 found 0, not 5"
    records = frame(line | {"status": "failed", "samples": [], "fault": fault}
                    if (line["metric"], line["algorithm"], line["implementation"], line["n"]) == (
                        "seconds", "bitmask", "python", 5) else line for line in counted)
    assert [str(one) for one in contradictions(records.to_dict("records"))] == [
        f"bitmask (python) at n = 5: {fault}"]
    mine = records[(records["algorithm"] == "bitmask") & (records["implementation"] == "python")]
    assert set(mine["status"]) == {"failed", "wrong"}

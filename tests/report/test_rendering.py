"""What each section says, of whatever there is to say."""

import re

import pandas as pd
import pytest
from kept import lines, peer, read, write
from store import NODES, NOTHING, RATE, TIME, Store, around

import nqbench
from nqbench.report.facts import facts
from nqbench.study.peering import BASELINE, IN_PYTHON


def test_of_equal_samples_none_is_called_faster(records, tmp_path):
    write(tmp_path, [line | {"samples": [0.5] * 5} if line["metric"] == "seconds"
                     and line["status"] == "measured" else line for line in lines(records)])
    made = read(tmp_path)
    assert {lead["verdict"] for lead in facts(made)["leads"]} == {"not significant"}
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert text.count("but the difference is not significant (95 %: 1 to 1).") == 4


def test_whether_the_counts_are_right_is_said_of_what_was_checked(records, tmp_path):
    study = lines(records)
    unchecked = [line | {"status": "left out", "got": None, "answered_by": []}
                 if line["metric"] == "check" and line["n"] > 5 else line for line in study]
    write(tmp_path, unchecked)
    assert facts(read(tmp_path))["check_n"] == 5
    none = [line | {"status": "left out", "got": None, "answered_by": []}
            if line["metric"] == "check" else line for line in study]
    write(tmp_path, none)
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert 'class="ok">published values confirmed' not in text
    assert "nothing is said here of whether the counts are right" in text


def test_totals_beside_the_times_are_compared_with_the_published_ones(records, tmp_path):
    study = lines(records)
    write(tmp_path, study)
    found = facts(read(tmp_path))
    assert (found["counted"], found["miscounted"]) == (
        sum(line["metric"] == "solutions" for line in study), 0)
    wrong = next(line for line in study if line["metric"] == "solutions" and line["n"] == 6)
    write(tmp_path, [line | {"samples": [5]} if line is wrong else line for line in study])
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert f"1 of {found['counted']} totals counted beside the times are wrong" in text


def test_records_without_preset_and_budget_are_enough(records, tmp_path):
    write(tmp_path, [{name: value for name, value in line.items()
                      if name not in ("preset", "budget")} for line in lines(records)])
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "<pre>nqbench study\nnqbench report</pre>" in text
    assert "None" not in re.sub("<script.*?</script>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("method", ["knuth", "stratified"])
def test_estimates_by_one_method_are_enough(records, tmp_path, method):
    write(tmp_path, [line for line in lines(records) if line.get("method") in (None, method)])
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert ("of Knuth's (1975)" in text) == (method == "knuth")
    assert ("stratified ones after Chen" in text) == (method == "stratified")


@pytest.mark.parametrize("missing", [("bitmask", "python"), ("somers", "python")])
def test_a_run_without_what_others_are_compared_with_is_refused_in_one_line(
        records, tmp_path, missing):
    write(tmp_path, [line for line in lines(records)
                     if (line.get("algorithm"), line.get("implementation")) != missing
                     and not (line.get("algorithm") == missing[0] == "somers")])
    with pytest.raises(ValueError, match=r"the newest study has no .* run `nqbench study` again"):
        read(tmp_path)


def test_trees_that_are_equal_only_on_small_boards_are_not_called_so(records, tmp_path):
    write(tmp_path, [line for line in lines(records) if line["n"] <= 4])
    same = facts(read(tmp_path))["same_tree"]
    assert {"bitmask", "threads", "middle_first"} < set(same)
    assert not {"fewest_first", "dancing_links", "somers"} & set(same)


def test_a_run_of_single_rounds_is_shown_without_intervals(records, tmp_path):
    write(tmp_path, [line | {"samples": line["samples"][:1]} if line["metric"] == "seconds"
                     else line for line in lines(records)])
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "one sample: " in text
    assert "the median of 1 round;" in text
    assert "times the time in a single round" in text
    assert "not significant (" not in text
    assert not re.search(r"\bnan\b", text)


def test_warnings_are_counted_by_their_kind(records):
    made = read(records)
    spreads = [(max(s) - min(s)) / m for s, m in zip(
        made.timings["samples"], made.timings["median"], strict=True)]
    found = facts(made)
    assert found["warnings"]["spread over 10 %"] == sum(s > 0.1 for s in spreads)
    assert found["noisy"] == sum(made.tables["times"]["warning"] != "")


def test_a_closer_study_of_pruning_is_shown_in_its_section_and_named_there(records, tmp_path):
    study = lines(records)
    closer = [line | {"run": "2999-01-01T00:00:00.000+00:00", "preset": "pruning"}
              for line in study if line["metric"] not in ("check", "rate")]
    write(tmp_path, study + closer)
    made = read(tmp_path)
    assert set(made.sources) == {"pruning"}
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert text.count("From <code>nqbench study --preset pruning") == 1
    assert "of 2999-01-01T00:00:00.000+00:00 on the same machine" in text


def test_estimates_of_small_trees_are_shown_too(records, tmp_path):
    write(tmp_path, [line for line in lines(records)
                     if line["metric"] != "estimate" or line["n"] <= 20])
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "nqbench estimate 20 --probes 32000 --seed 1 --method knuth" in text


def test_symmetry_is_shown_where_n_is_even(records, tmp_path):
    write(tmp_path, [line for line in lines(records) if line["n"] <= 7])
    assert set(facts(read(tmp_path))["symmetry"]["n"]) == {6}


def test_without_rates_there_is_no_section_on_sudoku(records, tmp_path):
    write(tmp_path, [line for line in lines(records) if line["metric"] != "rate"])
    made = nqbench.report.build(tmp_path, tmp_path / "out")
    assert 'id="sudoku"' not in made[0].read_text("utf-8")
    assert not (tmp_path / "out" / "sudoku.svg").exists()


def beside(records, folder, *changed):
    """Put records of the peers, some of them changed, beside those of a study."""
    study = lines(records)
    write(folder, [*study, *(peer(study[0], **fields) for fields in ({}, *changed))])


NUMBA = {"peer": "numba", "package": "numba", "version": "0.68", "samples": [1.0, 1.0]}
GONE = {"samples": [], "loops": None, "solutions": None}


def test_peers_stand_beside_the_cross(records, tmp_path):
    beside(records, tmp_path, NUMBA, GONE | {
        "peer": "<clingo>", "package": "clingo", "version": "5.8", "status": "failed",
        "solutions": 91, "fault": "counted 91 instead of 92"}, GONE | {
        "peer": "CP-SAT", "package": "ortools", "version": None, "status": "not installed"},
        GONE | {"peer": "exact-cover", "package": "exact-cover", "version": "1.5",
                "status": "timed out", "fault": "stopped after 3 s"})
    made = nqbench.report.build(tmp_path, tmp_path / "out")
    text = made[0].read_text("utf-8")
    assert "numba is nearest with\n3 times as long (95 %: 2 to 4)" in text
    assert '<p class="bad">&lt;clingo&gt; failed at n = 8: counted 91 instead of 92.</p>' in text
    assert "Not installed: CP-SAT.</p>" in text
    assert text.count("From <code>nqbench study --preset peers") == 1
    assert "<p>exact-cover timed out at n = 8: stopped after 3 s.</p>" in text
    assert re.search("Marks: <b>F</b> failed; <b>T</b> timed out: [^<]*; <b>I</b> its package is "
                     "not installed. Not significant", text)
    assert (tmp_path / "out" / "peers.svg").exists()
    table = pd.read_csv(tmp_path / "out" / "peers.csv")
    assert list(table["status"]) == ["measured", "measured", "failed", "not installed",
                                     "timed out"]
    assert list(table["times"].fillna(0)) == [1, 3, 0, 0, 0]


def test_peers_are_set_beside_plain_python_too(records, tmp_path):
    beside(records, tmp_path, NUMBA, NUMBA | {"peer": "clingo", "samples": [5.0, 5.0]},
           NUMBA | {"peer": IN_PYTHON, "package": "nqbench", "samples": [2.0, 2.0]})
    found = facts(read(tmp_path))["peers"]
    assert (found["slower_than_python"], found["others"]) == (1, 2)
    assert list(found["table"]["peer"]) == [BASELINE, "numba", IN_PYTHON, "clingo"]


def test_a_peer_that_fails_does_not_move_the_comparison(records, tmp_path):
    ours = {"n": 5, "solutions": 10}
    beside(records, tmp_path, NUMBA, ours, NUMBA | ours, NUMBA | ours | {"peer": "clingo"},
           GONE | {"peer": "clingo", "package": "clingo", "status": "timed out"})
    assert facts(read(tmp_path))["peers"]["n"] == 5  # the most were measured there
    beside(records, tmp_path, NUMBA, ours, NUMBA | ours, NUMBA | ours | {"peer": "clingo"},
           GONE | {"peer": "clingo", "package": "clingo", "status": "failed", "fault": "no"})
    assert facts(read(tmp_path))["peers"]["n"] == 8
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert '<p class="bad">clingo failed at n = 8: no.</p>' in text


def test_one_search_alone_is_shown_beside_no_peer(records, tmp_path):
    beside(records, tmp_path)
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "is nearest with" not in text
    assert "in plain Python. A general solver" not in text
    assert "Every answer was compared" in text


def test_without_peers_their_section_says_how_to_measure_them(reports):
    text = (reports / "index.html").read_text("utf-8")
    assert "<code>nqbench study --preset peers</code>, and the next report shows them" in text


def test_without_estimates_their_section_is_left_out(records, tmp_path):
    write(tmp_path, [line for line in lines(records) if line["metric"] != "estimate"])
    made = nqbench.report.build(tmp_path, tmp_path / "out")
    assert "#estimates" not in made[0].read_text("utf-8")
    assert not (tmp_path / "out" / "estimates.svg").exists()


def test_the_page_says_how_many_intervals_hold_the_published_value(records, reports):
    made = facts(read(records))
    table = pd.read_csv(reports / "estimates.csv")
    known = table[table["known"].notna()]
    held = (known["low"] <= known["known"]) & (known["known"] <= known["high"])
    assert (made["intervals"], made["covered"]) == (len(known), held.sum())
    assert 0.85 * len(known) < made["covered"] <= len(known)
    assert f"{held.sum()} of {len(known)} intervals" in (reports / "index.html").read_text("utf-8")


@pytest.fixture
def across(records, tmp_path):
    """A folder with the records, and with asv's results of two machines at three commits."""
    write(tmp_path, lines(records))
    store = Store(tmp_path / "asv", TIME, NODES, RATE)
    for machine in ("one", "<script>"):
        for commit, seconds, nodes in (("a", 1.0, 2057), ("b", 0.5, 2057), ("c", 0.5, 2056)):
            store.add(commit, TIME, around(seconds), NOTHING, machine=machine)
            store.add(commit, NODES, nodes, machine=machine)
    return tmp_path


def test_the_page_shows_what_changed_across_commits(across, monkeypatch, tmp_path):
    monkeypatch.setattr("nqbench.analysis.across.subjects", lambda: {
        "b".ljust(40, "0"): "<script>alert(1)</script>"})
    made = nqbench.report.build(across, tmp_path / "out")
    text = made[0].read_text("utf-8")
    assert '<span class="bad">Counts changed 2 times' in text
    assert "Other lines became better 2 times and worse\n0 times" in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<script>alert" not in text
    assert {path.name for path in made if path.name.startswith("commits-")} == {
        f"commits-{name}.{kind}" for name in ("one", "-script--5b63") for kind in ("svg", "png")}
    changes = pd.read_csv(tmp_path / "out" / "changes.csv")
    assert sorted(changes["verdict"]) == ["count changed"] * 2 + ["improvement"] * 2


def test_zeros_and_single_samples_do_not_stop_the_report(records, tmp_path):
    write(tmp_path, lines(records))
    store = Store(tmp_path / "asv", TIME, RATE, NODES)
    for commit, seconds in zip("abc", (0.0, 1.0, 0.0), strict=True):
        store.add(commit, TIME, [seconds], [1e-300 if seconds else 1e300])
        store.add(commit, RATE, float("inf") if seconds else 0.0)
    store.add("a", NODES, 2057)
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "has ever changed" not in text  # one value is nothing to compare


def test_one_commit_is_enough_for_the_section(records, tmp_path):
    write(tmp_path, lines(records))
    Store(tmp_path / "asv", TIME).add("a", TIME, around(1.0), None)
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "What asv measured at 1 commit of this project" in text
    assert "1 result failed" in text


def test_without_results_of_asv_the_page_says_how_to_get_them(reports):
    assert "make bench" in (reports / "index.html").read_text("utf-8")


def beyond(records):
    """The lines of a study, and of one of clusters on the same machine."""
    found = lines(records)
    head = {name: found[0][name] for name in ("schema", "context", "time")} | {
        "run": "2999-01-01T00:00:00.000+00:00", "preset": "cluster", "status": "measured"}
    draw = {"part": 1, "seconds": 9.0, "completions": 10**16 + 1, "images": 8}
    plan = {"metric": "plan", "unit": "seconds", "n": 27, "samples": [
        {"n": 27, "parts": 10**6, "slices": 8, "kernel": "portable", "seed": 1, "shrunk": 1,
         "drawn": [[draw, draw]] * 60}]}
    return [*found, head | plan] + [head | {
        "metric": "schedule", "unit": "share", "n": 27, "workers": 10_000, "task_seconds": length,
        "failures": failures, "dispatch": 0.002, "tasks": 100, "seed": 1, "samples": [
            {"efficiency": 0.9 - failures - length / 1000, "wall": 10.0, "failed": 1}]}
        for length in (30.0, 60.0) for failures in (0.0, 0.1)]


def test_plans_and_schedules_are_shown(records, tmp_path):
    write(tmp_path, beyond(records))
    nqbench.report.build(tmp_path, tmp_path / "out")
    text = (tmp_path / "out" / "index.html").read_text("utf-8")
    said = " ".join(text.split())
    assert "27 queens would take 0.285 years (95 %: 0.285 to 0.285) of one such core" in said
    assert "0 of 1 intervals of 95 % hold them" in said
    assert "tasks of\n30 s are best, with 77 % of all time at work" in text
    assert text.count("From <code>nqbench study --preset cluster") == 1
    assert (tmp_path / "out" / "efficiency.svg").exists()
    table = pd.read_csv(tmp_path / "out" / "plans.csv")
    assert list(table["core_hours"]) == [2500]
    assert list(table["known"]) == [234907967154122528]
    assert "234,907,967,154,122,528" in (tmp_path / "out" / "plans.md").read_text("utf-8")


def test_where_no_worker_fails_the_best_task_is_that_without_failures(records, tmp_path):
    write(tmp_path, [line for line in beyond(records) if not line.get("failures")])
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "at the end:\nwhere none fails,\ntasks of\n30 s are best" in text


def test_without_plans_their_section_says_how_to_make_them(reports):
    text = (reports / "index.html").read_text("utf-8")
    assert "<code>nqbench study --preset cluster</code>, and the next report shows them" in text

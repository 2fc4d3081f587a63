"""`nqbench results`, `nqbench compare` and `nqbench report --run`: what they print and refuse."""

import csv
import json
import re

import pytest
from conftest import RESULTS, refused
from examples import FIRST, SECOND, counted, decided, timed, write

from nqbench.analysis import comparison
from nqbench.records.record import digest
from nqbench.records.runs import group, locate

NOISE = [1.0, 1.01, 0.99, 1.02, 0.98]


@pytest.fixture
def two(tmp_path):
    """A folder with two runs of one machine; the second one takes one and a half times as long."""
    for name, when, factor in (("a.jsonl", FIRST, 1.0), ("local/b.jsonl", SECOND, 1.5)):
        first = timed(samples=[factor * one for one in NOISE], run=when, preset="mine")
        write(tmp_path / name, first, counted(first, "solutions", 92),
              counted(first, "nodes", 2057))
    return tmp_path


def test_runs_are_listed(run, two, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    status, out, err = run("results", "list", "--results", two)
    assert (status, err) == (0, "")
    assert "2 runs in " in out
    assert "2026-11-21T08:00:00 │ mine   │ aaaa0000 │ aaaaaaaa" in out.replace("a+ │", "a │")
    found = json.loads(run("results", "list", "--results", two, "--json")[1])["runs"]
    assert [(one["run"], one["n"], one["algorithms"], one["records"], one["state"])
            for one in found] == [(when, [8, 8], ["bitmask"], 3, "unknown")
                                  for when in (FIRST, SECOND)]


def test_a_folder_without_runs_lists_none(run, tmp_path):
    assert run("results", "list", "--results", tmp_path) == (
        0, f"there are no runs in {tmp_path}/\n", "")
    assert refused(run("results", "list", "--results", tmp_path / "no")).startswith(
        "there is no folder ")


def test_a_damaged_line_is_named(run, two):
    with (two / "a.jsonl").open("a") as file:
        file.write("{")
    status, _, err = run("results", "list", "--results", two)
    assert status == 0
    assert "a.jsonl:4: is not JSON; the line is skipped" in err


def test_a_run_is_shown_with_its_hash(run, two):
    status, out, err = run("results", "show", "2026-11-21", "--results", two)
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found == json.loads(run("results", "show", "2026-11-21", "--results", two, "--json")[1])
    assert (found["records"], found["wrong"], found["skipped"]) == (3, [], {})
    (first, _) = group(locate(two))
    assert found["sha256"] == digest(first.records)
    assert (found["solvers"], found["metrics"]["nodes"]) == (["bitmask (python)"], 1)


def test_a_wrong_total_is_shown_and_is_the_exit_status(run, tmp_path):
    write(tmp_path / "a.jsonl", counted(timed(), "solutions", 91))
    status, out, _ = run("results", "show", "2026", "--results", tmp_path)
    assert status == 1
    assert json.loads(out)["wrong"] == ["bitmask (python) counted 91 instead of 92 at n = 8"]


def test_runs_are_exported_as_a_table(run, two):
    assert run("results", "export", FIRST, "--out", two / "one", "--results", two)[1] == (
        f"1 run in {two / 'one'}\n")
    out = two / "all.csv"
    assert run("results", "export", "all", "--out", out, "--results", two) == (
        0, f"2 runs in {out}\n", "")
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    assert json.loads(rows[0]["samples"]) == NOISE
    assert (rows[0]["kernel"], rows[0]["machine"]) == ("", "aaaa0000")


@pytest.mark.parametrize(("words", "said"), [
    ("results export all", "export needs --out, as in `nqbench results export"),
    ("results export all --out a.jsonl", "a.jsonl exists already, and is not replaced"),
    ("results export all --out=", "--out must be a file, not ''"),
    ("results export 2026-11-20 --out x", "there is no run '2026-11-20'; did you mean 2026-11-"),
    ("results export all --out no/x",
     "--out must be a file that can be written, not 'no/x' (there is no folder no)"),
    ("results show 2026-11-21T08:01", "there is no run '2026-11-21T08:01'; did you mean 2026-11-"),
    ("results show 2026", "'2026' matches several runs: 2026-11-21T08:00:00 (mine, aaaa0000), "),
    ("results export all 2026-11-20 --out x", "there is no run '2026-11-20'; did you mean 2026-11"),
    ("results lst", "there is no command 'lst'; did you mean list?"),
    ("compare 2026-11-21 2026-11-23",
     "there is no file, run, label or commit '2026-11-23'; did you mean 2026-11-2"),
    ("report --out x --run 2026-11-20", "there is no run '2026-11-20'; did you mean 2026-11-2"),
    ("report --out x --machine aaab0000",
     "there is no machine 'aaab0000'; did you mean aaaa0000?")])
def test_what_makes_no_sense_is_refused_in_one_line(run, two, monkeypatch, words, said):
    monkeypatch.chdir(two)
    assert refused(run(*words.split(), "--results", ".")).startswith(said)
    assert not (two / "x").exists()


def test_two_runs_are_compared(run, two):
    status, out, err = run("compare", "2026-11-21", "2026-11-22", "--results", two)
    assert (status, err) == (0, "")
    assert out.startswith("A: 2026-11-21T08:00:00, mine, unknown; aaaa0000, ")
    (row,) = (line for line in out.splitlines() if "│ bitmask (python) │" in line)
    assert [cell.strip() for cell in row.split("│")[1:-1]] == [
        "8", "bitmask (python)", "1 s", "1.5 s", "1.5", "1.47 to 1.53", "slower", "1"]
    assert "geometric mean 1.5, 95 % " in out
    assert "A and B were not measured in turns: intervals and verdicts hold within one run" in out


def test_a_slowdown_fails(run, two):
    words = ["compare", "2026-11-21", "2026-11-22", "--results", two, "--fail-over"]
    for bound in ("5%", "47 %", "0%"):
        status, _, err = run(*words, bound)
        assert status == 1, bound
        assert "B is slower by more than" in err
        assert "bitmask (python) at n = 8 (1.5 times)" in err
    for bound in ("51%", "200%"):
        assert run(*words, bound)[0] == 0, bound
    status, out, _ = run("compare", SECOND, FIRST, "--results", two, "--fail-over", "5%")
    assert (status, out.splitlines()[-1]) == (0, "limit: 5 % slower")


@pytest.mark.parametrize("status", ["timed out", "out of memory", "failed"])
def test_a_search_that_ends_no_more_exceeds_every_limit(run, tmp_path, status):
    a = write(tmp_path / "a", timed(n=9, samples=[1.2]), timed(n=10), timed(n=11))
    b = write(tmp_path / "b", timed(n=9, samples=[], status=status, fault="it was stopped"),
              timed(n=10, samples=[], status="left out"))
    named = f"n = 9, bitmask (python): {status} in B, 1.2 s in A"
    code, out, err = run("compare", a, b, "--fail-over", "50%")
    assert code == 1
    assert f"B has no time where A has one: {named}\n" in err
    assert "only in A, 2 points: bitmask (python) at n = 10, bitmask (python) at n = 11" in out
    found = json.loads(run("compare", a, b, "--fail-over", "50%", "--json")[1])
    (lost,) = found["lost"]
    assert (found["ok"], lost["n"], lost["status"], lost["a_seconds"]) == (False, 9, status, 1.2)
    assert run("compare", a, b)[0] == (1 if status == "failed" else 0)  # a failure is a wrong count


@pytest.mark.parametrize(("b", "said"), [
    ({"samples": [1.0]}, "limit: 5 % slower; 0 of 1 points have a verdict"),
    ({"n": 9}, "limit: 5 % slower")])
def test_without_a_verdict_no_limit_is_kept(run, tmp_path, b, said):
    sides = write(tmp_path / "a", timed()), write(tmp_path / "b", timed(**b))
    code, out, err = run("compare", *sides, "--fail-over", "5%")
    assert (code, out.splitlines()[-1]) == (1, said)
    assert err == "nqbench: no point has a verdict: the times do not say whether B is slower\n"
    assert json.loads(run("compare", *sides, "--fail-over", "5%", "--json")[1])["ok"] is False
    assert run("compare", *sides)[0] == 0


@pytest.mark.parametrize("bound", ["0.05", "-5%", "five", "nan", "inf", "", "5%%", "5", "1.05",
                                   "9" * 400 + "%"])
def test_a_bound_that_makes_no_sense_is_refused(run, two, bound):
    assert refused(run("compare", FIRST, SECOND, "--results", two, "--fail-over", bound)) == (
        f"--fail-over must be a percentage such as 5%, not {bound!r}")


def test_a_comparison_is_json_too(run, two):
    write(two / "c.jsonl", timed("somers", samples=[1.0], run=SECOND, machine="bbbb1111"),
          timed(samples=[1.0], run=SECOND, machine="bbbb1111"),
          counted(timed(run=SECOND, machine="bbbb1111"), "nodes", 2058))
    status, out, err = run("compare", FIRST, "bbbb", "--results", two, "--json")
    found = json.loads(out)
    assert (status, found["ok"], found["two_machines"]) == (1, False, True)
    assert err == (
        "nqbench: 1 wrong count: bitmask (python) counted 2058 instead of 2057 of nodes (A319283) "
        "at n = 8; the times of these searches are not compared\n"
        "nqbench: counts differ: nodes of bitmask (python) at n = 8: 2057 in A, 2058 in B\n")
    assert found["wrong"] == [{"solver": "bitmask (python)", "n": 8, "sequence": "nodes (A319283)",
                               "expected": "2057", "actual": "2058"}]
    assert found["only_b"] == [{"algorithm": "somers", "implementation": "python",
                                "kernel": None, "jobs": 1, "n": 8}]
    assert found["differing"] == [{"metric": "nodes", "what": "bitmask (python)", "n": 8,
                                   "a": 2057, "b": 2058}]
    assert (found["points"], found["only_a"]) == ([], [])
    (two / "c.jsonl").unlink()
    write(two / "c.jsonl", timed(samples=[1.0], run=SECOND, machine="bbbb1111"))
    found = json.loads(run("compare", FIRST, "bbbb", "--results", two, "--json")[1])
    (point,) = found["points"]
    assert (point["low"], point["verdict"]) == (None, "not known")
    assert point["ratio"] == found["geometric_mean"]["ratio"] == pytest.approx(1.0, abs=1e-3)
    assert run("compare", FIRST, "bbbb", "--results", two)[1].startswith(
        "TIMES OF TWO MACHINES ARE COMPARED")


def test_a_change_of_a_few_nodes_is_told_for_each_search_and_wherever_it_is_shown(run, tmp_path):
    names = ("forward_checking", "fewest_first")
    a, b = (write(tmp_path / side, *(
        record for first in (timed(name, 9, [one, 1.01], run=when, process=k, processes=3)
                             for name in names for k, one in enumerate((1.0, 1.02, 1.03)))
        for record in (first, counted(first, "tests", nodes), counted(first, "nodes", nodes))))
        for side, when, nodes in (("a", FIRST, 4720), ("b", SECOND, 4737)))
    status, out, err = run("compare", a, b, "--out", tmp_path / "page")
    assert (status, out.count("1.004")) == (1, 4)
    assert re.findall(r"(nodes|tests) of (\w+)", err) == [
        (metric, name) for metric in ("tests", "nodes") for name in names]
    page, table = ((tmp_path / "page" / name).read_text() for name in (
        "index.html", "comparison.md"))
    assert "No difference beyond chance at 2 points; counts differ at 2" in page
    assert page.count(">1.004</td>") == table.count("| 1.004 ") == 4


def test_a_page_claims_no_equality_of_times_without_a_verdict(run, tmp_path):
    for disturbed, said in ((0, "No difference beyond chance at 2 points<"), (
            4, "No difference beyond chance at 1 point with a verdict<"), (5, "<h2>Comparison<")):
        sides = [write(tmp_path / side, timed(n=8, samples=NOISE, run=when, disturbed=disturbed),
                       timed(n=9, samples=NOISE, run=when, disturbed=disturbed * (disturbed > 4)))
                 for side, when in (("a", FIRST), ("b", SECOND))]
        run("compare", *sides, "--out", tmp_path / f"{disturbed}")
        assert said in (tmp_path / f"{disturbed}" / "index.html").read_text(), said


def test_answers_about_instances_are_compared(run, tmp_path):
    a = write(tmp_path / "a", decided([9, 8], [True, False]),
              decided([4, 5], [True, True], "bitmask"))
    b = write(tmp_path / "b", decided([9, 8], [True, False], allowed=60_000, machine="bbbb1111"))
    status, _, err = run("compare", a, b)
    assert (status, err) == (
        1, "nqbench: 1 wrong count: fewest_lines (python) answered not solvable instead of "
           "solvable for blocked 20, seed 1, instance 2 at n = 8; the times of these searches are "
           "not compared\n")


def test_a_machine_without_a_label_is_short_enough_for_all_columns(run, tmp_path, monkeypatch):
    write(tmp_path / "a.jsonl", timed(run=FIRST, machine="aaaa11112222"))
    monkeypatch.setenv("COLUMNS", "100")
    _, out, err = run("results", "list", "--results", tmp_path)
    assert err == ""
    assert "│ aaaa1111 │" in out


def test_the_rows_of_the_documents_are_those_of_the_published_records(run, monkeypatch, tmp_path):
    for name in ("standard", "pruning", "symmetry"):
        (path,) = RESULTS.glob(f"{name}-*")
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.setenv("COLUMNS", "100")
    text = (RESULTS.parent / "docs/results.md").read_text("utf-8")
    listed = [line.strip("│ ").split() for line in
              run("results", "list", "--results", tmp_path)[1].replace("│", " ").splitlines()]
    rows = [line.split() for line in text.splitlines() if line.startswith("2026-")]
    assert len(rows) == 3
    assert [row for row in rows if row not in listed] == []
    # Only the lines of the two sides are compared here; their points would take seconds.
    monkeypatch.setattr(comparison, "_newest", lambda runs: [])
    _, out, _ = run("compare", "2026-11-30T03:14", "2026-11-30T03:17", "--results", tmp_path)
    assert [line for line in text.splitlines() if line.startswith(("A: ", "B: "))] == (
        [line for line in out.splitlines() if line.startswith(("A: ", "B: "))])


@pytest.mark.parametrize(("words", "points"), [
    ((), 4), (("-a", "bitmask"), 2), (("-n", 8), 2), (("-a", "somers@python", "-n", "8-9"), 1)])
def test_a_comparison_is_of_the_chosen_algorithms_and_n(run, tmp_path, words, points):
    a, b = (write(tmp_path / name, *(timed(algorithm, n, run=when) for n in (7, 8)
                                     for algorithm in ("bitmask", "somers")))
            for name, when in (("a", FIRST), ("b", SECOND)))
    assert len(json.loads(run("compare", a, b, *words, "--json")[1])["points"]) == points


@pytest.mark.parametrize(("words", "said"), [
    (("a", "b", "-a", "cross"), "a and b have no time in common of cross n = any"),
    (("a", "b", "-n", 9), "a and b have no time in common of n = 9"),
    (("a.py", "b.py", "-a", "cross"), "-a is not supported with versions of a file"),
    (("a", "b", "--out", ""), "--out must be a folder, not ''")])
def test_a_comparison_of_nothing_is_refused(run, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    for name, when in (("a", FIRST), ("b", SECOND)):
        write(tmp_path / name, timed(run=when))
    assert said in refused(run("compare", *words))

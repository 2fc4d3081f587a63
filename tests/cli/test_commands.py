"""The command: what it prints, and how it refuses."""

import ast
import hashlib
import json
import os
import re
import shlex
import socket
import struct
import subprocess
import sys
from functools import partial
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from unittest.mock import Mock

import click
import pytest
from conftest import refused, rows
from programs import press_ctrl_c
from test_every_option import walk

import nqbench
from nqbench import engine
from nqbench.cli import COMMANDS, GUESSES, cli, summarise
from nqbench.cli.options import KERNELS
from nqbench.cli.solve import format_solutions
from nqbench.cli.trace import Quiet
from nqbench.problems import PROBLEMS
from nqbench.problems.queens import NAMES, PUBLISHED
from nqbench.records import context
from nqbench.records.descriptions import preset_texts
from nqbench.search.estimates import PROBES
from nqbench.search.implementations import PythonBuilds
from nqbench.search.metrics import METRICS


def test_count(run):
    assert run("count", 8) == (0, "92\n", "")
    assert run("count", 14, "-a", "somers@cython") == (0, "365596\n", "")
    assert run("count", 8, "--unique") == (0, "12\n", "")
    assert run("count", 10, "-j", 2) == (0, "724\n", "")


def test_count_as_json(run):
    status, out, _ = run("count", 8, "--json", "-a", "recursive")
    found = json.loads(out)
    assert status == 0
    assert found.pop("seconds") > 0
    assert found == {"n": 8, "algorithm": "recursive", "implementation": "python",
                     "kernel": None, "unique": False, "jobs": 1, "solutions": 92, "complete": True}


def test_profile_of_the_contract(run):
    status, out, err = run("profile", 8, "-a", "iterative", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    expected = {
        "n": 8, "algorithm": "iterative", "implementation": "python", "solutions": 92,
        "nodes": 2057, "levels": [1, 8, 42, 140, 344, 568, 550, 312, 92], "tests": 15720,
        "dead_levels": [0, 0, 0, 0, 18, 150, 256, 220, 0],
        "scans": 46752, "comparisons": 86308, "exhaustions": 1965, "dead_ends": 644,
        "tests_to_first": 876, "nodes_to_first": 114}
    assert {name: found[name] for name in expected} == expected


@pytest.fixture
def hasty(monkeypatch):
    """Predict from runs that are as short as can be."""
    for name in ("MIN_SAMPLE_SECONDS", "ROUGH_SAMPLE_SECONDS"):
        monkeypatch.setattr(f"nqbench.problems.forecast.{name}", 1e-3)


@pytest.mark.usefixtures("hasty", "no_plugins")
def test_list_names_every_algorithm(run):
    _, out, _ = run("list", "--json")
    entries = json.loads(out)["algorithms"]
    assert [(e["problem"], e["name"]) for e in entries] == [
        (problem, name) for problem in sorted(PROBLEMS, key="queens".__ne__)  # these come first
        for name in PROBLEMS[problem].catalogue]
    assert tuple(e["name"] for e in entries)[:len(NAMES)] == NAMES
    assert entries[13] == {
        "name": "somers", "problem": "queens", "year": 2002, "symmetry": "mirror",
        "origin": "Jeff Somers, in The n-queens problem and its optimisations (blog), part 3",
        "technique": "bit masks of columns and diagonals, explicit stack",
        "finds": "all solutions", "parameters": {},
        "implementations": {"python": {"largest_n": 10000}, "cython": {"largest_n": 32}}}
    assert entries[NAMES.index("cross")]["implementations"]["cython"]["kernels"] == engine.kernels()
    _, out, _ = run("list", "--all")
    assert all(each["name"] in out for each in entries)
    assert f"kernels of cross and join here: {', '.join(engine.kernels())}" in out


@pytest.mark.usefixtures("hasty", "no_plugins")
def test_the_published_algorithms_have_a_line_each_the_simplest_first(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("list")[1].splitlines()
    assert lines.pop(0) == "queens, for N, a whole number, 0 or more"
    assert lines[0].split(" (")[0] == f"{'algorithm':16}source year  n  how it works"
    del lines[0]
    named = [line.split()[0] for line in lines[:16]]
    assert named[:3] == ["brute_force", "permutations", "iterative"]
    assert named[-1] == "somers"
    assert set(named) == set(PUBLISHED)
    assert all(len(line) <= 80 for line in lines[:16])
    assert re.fullmatch("somers {15}4 2002 1.  bit masks of columns and diagonals", lines[15])
    assert "15 further ideas: nqbench list --all" in lines
    printed = set(re.findall(r"\w+", " ".join(lines)))
    assert printed >= {name for problem in PROBLEMS.values() for name in problem.catalogue}


def test_list_takes_a_search_that_is_always_short_and_runs_no_file(
        run, tmp_path, no_plugins, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert "python 30" in run("list", "-a", "width_limited:1", "--all")[1]
    (tmp_path / "endless.py").write_text(
        "import nqbench\n\n@nqbench.algorithm\ndef endless(n, tally):\n    while True:\n"
        "        yield tuple(range(n))\n")
    assert run("list", "-a", tmp_path / "endless.py")[0] == 0


@pytest.mark.parametrize("chosen", engine.engines())
def test_symmetry_and_unique_count_by_the_faster_engine(run, monkeypatch, chosen):
    counted, counting = [], engine.counting

    def note(*words, algorithm, **choices):
        counted.append(algorithm)
        return counting(*words, algorithm=algorithm, **choices)

    monkeypatch.setattr(engine, "choose_engine", lambda n, kernel=None: chosen)
    monkeypatch.setattr(engine, "counting", note)
    assert json.loads(run("count", 12, "--by", "symmetry", "--json")[1]) == {
        "n": 12, "solutions": 14200, "half_turn": 80, "quarter_turn": 8, "orbits_of_8": 1765,
        "orbits_of_4": 18, "orbits_of_2": 4, "fundamental": 1787}
    found = json.loads(run("count", 12, "--unique", "--json")[1])
    assert (found["algorithm"], found["solutions"]) == (chosen, 1787)
    assert counted == [chosen, chosen]
    assert "fundamental" in (out := run("count", 8, "--by", "symmetry")[1]) and "A002562" in out


@pytest.mark.skipif(not engine.available(), reason="built without a C compiler")
def test_help_names_every_kernel_and_the_probes_of_an_estimate(run):
    assert set(re.split(", | or ", KERNELS)) == set(engine.processor.core.NAMES)
    assert f"Default: {PROBES:,}" in " ".join(run("count", "--help")[1].split())


def test_the_kernel_that_ran_is_said(run):
    for kernel, name in product(engine.kernels(), engine.engines()):
        _, out, _ = run("count", 10, "-a", name, "--kernel", kernel, "-j", 2, "--json")
        found = json.loads(out)
        assert (found["algorithm"], found["kernel"], found["solutions"]) == (name, kernel, 724)
    _, out, _ = run("count", 10, "--json")
    assert json.loads(out)["kernel"] == engine.kernels()[0]


@pytest.mark.parametrize(("form", "shown"), [
    ("columns", "1 3 0 2\n2 0 3 1\n"),
    ("queens", ". Q . .\n. . . Q\nQ . . .\n. . Q .\n\n. . Q .\nQ . . .\n. . . Q\n. Q . .\n\n"),
    ("matrix", "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n\n0 0 1 0\n1 0 0 0\n0 0 0 1\n0 1 0 0\n\n"),
    ("strings", '[".Q..", "...Q", "Q...", "..Q."]\n["..Q.", "Q...", "...Q", ".Q.."]\n'),
])
def test_solve_formats(run, form, shown):
    assert run("solve", 4, "--format", form) == (0, shown, "")


def test_solve_with_a_limit_is_quick_on_a_large_board(run):
    status, out, _ = run("solve", 20, "--limit", 2)
    assert (status, out.count("\n")) == (0, 2)
    assert run("solve", 8, "--limit", 0) == (0, "", "")


def test_solve_as_json(run):
    _, out, _ = run("solve", 4, "-a", "flat_marks", "--json")
    assert json.loads(out) == {"n": 4, "algorithm": "flat_marks", "limit": None,
                               "solutions": [[2, 0, 3, 1], [1, 3, 0, 2]]}


def test_solve_prints_what_the_original_prints(run):
    for row in rows("seed_stdout_md5_n1_7.csv"):
        if row["n"] in ("4", "8"):
            _, out, _ = run("solve", row["n"], "-a", row["algorithm"], "--format", "original")
            assert hashlib.md5(out.encode()).hexdigest() == row["md5_of_stdout"], row["algorithm"]


def test_one_solution_for_a_large_board_is_written_down(run):
    status, out, _ = run("solve", 1000, "--limit", 1)
    assert status == 0
    assert sorted(map(int, out.split())) == list(range(1000))
    assert run("solve", 8, "--limit", 1)[1] == "0 4 7 5 2 6 1 3\n"  # in the order of bitmask


def test_a_choice_stands_behind_a_colon(run):
    assert run("count", 8, "-a", "width_limited:4")[:2] == (0, "39\n")
    assert run("solve", 3) == (0, "", "nqbench: 3 queens have no solution\n")
    assert run("solve", 3, "-a", "depth_limited:2")[1] == "0 2\n2 0\n"
    assert json.loads(run("profile", 4, "-a", "width_limited:1", "--json")[1])["algorithm"] == (
        "width_limited:1")


@pytest.mark.usefixtures("no_plugins")
def test_what_an_outside_search_finds_is_no_fact_about_the_board(run, tmp_path):
    file = tmp_path / "idea.py"
    file.write_text("import nqbench\n@nqbench.algorithm\ndef idea(n, tally):\n    yield from ()\n")
    assert run("solve", 6, "-a", file) == (0, "", "nqbench: idea finds none\n")
    file.write_text('import nqbench\n@nqbench.algorithm(finds="partial placements")\n'
                    "def idea(n, tally):\n    tally.solution()\n    yield (0,)\n")
    status, out, err = run("count", 6, "-a", file, "--json")
    assert (status, json.loads(out)["complete"]) == (0, False)
    assert err == "nqbench: 1 partial placement, not solutions\n"


def test_trace_shows_the_steps_of_the_figure(run):
    status, out, _ = run("trace", 4)
    lines = out.splitlines()
    assert status == 0
    assert len(lines) == 31
    assert lines[1].split("  ", 1)[1] == (
        "  2  (1 * * *)  conflict: row 2, column 1 is attacked from row 1")
    assert lines[-1].endswith("(2 4 1 3)  solution")
    assert "left out" in run("trace", 4, "-a", "bitmask_even_mirror", "--all")[1]


def test_estimate_stands_beside_what_is_known(run):
    status, out, _ = run("count", 10, "--estimate", "--probes", 64, "--seed", 1)
    assert status == 0
    assert " 35,539 " in out and " 724 " in out
    assert "e^-1.944 = 0.1431" in out
    few = "--estimate", "--method", "knuth", "--probes", 4
    out = run("count", 8, "-a", "instances::bitmask", *few)[1]
    assert " 2,057 " in out
    assert "These are too few" in out
    found = json.loads(run("count", 30, *few, "--json")[1])
    assert found["nodes"]["known"] is None
    assert found["nodes"]["interval"][0] < found["nodes"]["estimate"]
    assert len(found["levels"]) == 31


@pytest.mark.usefixtures("no_plugins")
def test_estimate_leads_any_search(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("new", "my_idea.py")
    out = run("count", 7, "--estimate", "-a", "my_idea.py", "--probes", 64)[1]
    assert "my_idea, 7 queens, 64 probes (stratified), seed 0" in out
    assert " 40 " in out  # solutions, as published
    assert "of 32 runs reached a solution." in out
    found = json.loads(run("count", "n=6 placed=0:1", "--estimate", "-a", "forward_checking",
                           "--probes", 16, "--method", "knuth", "--json")[1])
    assert found["algorithm"] == "forward_checking"
    assert {"nodes", "solutions", "tests", "dead_ends", "seconds"} <= {*found}
    low, high = found["tests"]["interval"]
    assert low < found["tests"]["estimate"] < high


def test_a_trace_stops_at_a_page_and_says_so(run):
    status, out, err = run("trace", 20)
    assert (status, len(out.splitlines())) == (0, 1000)
    assert err.startswith("nqbench: stopped after 1,000 steps; --all shows the whole search")
    assert len(run("trace", 10, "--limit", 4)[1].splitlines()) > 1000
    assert run("trace", 4, "--tree")[2] == (
        "nqbench: B is a dead end, where the search backtracks\n")
    assert run("trace", 1, "--tree") == (0, "(*)\n└── (1)  solution\n", "")


def test_several_estimates_are_compared_with_the_first(run):
    words = "count", 6, "--estimate", "-a", "bitmask", "-a", "forward_checking", "--probes", 64
    found = json.loads(run(*words, "--json")[1])
    assert [each["algorithm"] for each in found["estimates"]] == ["bitmask", "forward_checking"]
    (ratio,) = found["ratios"]
    assert ratio["to"] == "bitmask" and 0.4 < ratio["nodes"]["estimate"] < 0.7
    assert ratio["level 2"]["estimate"] == 1
    out = run(*words)[1]
    assert "forward_checking to bitmask, 64 probes, seed 0" in out and "level 6" in out


@pytest.mark.parametrize("words", [
    ["count", 33, "-a", "somers"], ["count", 12, "-a", "brute_force"], ["count", 30, "--unique"],
    ["count", 20, "-a", "bitmask@python", "--unique"], ["profile", 24],
    ["count", 32, "--by", "symmetry"],
    ["count", 10**6, "-a", "permutations"],
    ["count", 8, "--estimate", "--method", "knuth", "--probes", 10**17]])
def test_what_takes_over_a_day_is_refused(run, words):
    line = refused(run(*words))
    assert line.startswith("this would take about ")
    assert line.endswith("more than a day; add --yes to start it anyway")


def test_what_needs_more_memory_than_there_is_is_refused(run, monkeypatch):
    monkeypatch.setattr("nqbench.cli.terminal.LITTLE", 0.0)
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(total=1e6))
    line = refused(run("count", 13, "--unique", "-a", "bitmask"))
    assert " of memory, and this machine has 1 MB; add --yes" in line


@pytest.mark.parametrize("words", [[13, "--depth", 13, "-a", "somers"], [10**6],
                                   [20, "--depth", 9]])
def test_a_tree_of_too_many_nodes_is_refused(run, words):
    assert refused(run("trace", *words, "--tree")) == (
        "the tree would have more than 2,000,000 nodes; take a smaller --depth, or --nodes for an "
        "instance such as n=20")


@pytest.mark.parametrize(("words", "option"), [
    (["profile", 8, "-a", "bitmask", "-a", "somers"], "--algorithm"),
    (["verify", "--max-n", 4, "--max-n=5"], "--max-n")])
def test_an_option_of_one_value_is_given_once(run, words, option):
    assert refused(run(*words)).endswith(f"{option} may be given only once")


@pytest.mark.parametrize("words", [
    ["count", 9, "-a", "iterative"], ["count", 8, "--unique", "-a", "iterative"],
    ["profile", 9, "-a", "iterative"]])
def test_long_work_is_announced_and_yes_starts_even_the_longest(run, monkeypatch, words):
    plain = run(*words)
    monkeypatch.setattr("nqbench.problems.forecast.MIN_SAMPLE_SECONDS", 0.0)
    monkeypatch.setattr("nqbench.cli.terminal.ANNOUNCED", 0.0)
    status, out, err = run(*words)
    assert (status, out) == plain[:2]
    assert re.fullmatch(r"nqbench: this will take about .*; Ctrl-C stops it\n", err)
    monkeypatch.setattr("nqbench.cli.terminal.DAY", 0.0)
    assert refused(run(*words)).endswith("add --yes to start it anyway")
    assert run(*words, "--yes")[:2] == plain[:2]


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("name", ["iterative", "somers"])
def test_a_count_runs_the_build_that_a_study_times(run, monkeypatch, terminal, name):
    kinds = set()

    def noted(self, kind, n):
        kinds.add(kind)
        return original(self, kind, n)

    original = PythonBuilds.run
    monkeypatch.setattr(PythonBuilds, "run", noted)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    assert run("count", 8, "-a", f"{name}@python")[1] == "92\n"
    assert kinds == {"bare"}


def test_the_threads_that_counted_are_reported(run):
    def jobs(*words):
        return json.loads(run("count", *words, "--json")[1])["jobs"]

    assert jobs(8) == jobs(8, "-j", 5) == 1
    assert jobs(15, "-j", 2) == 2
    assert jobs(15) == engine.cores()
    assert jobs(4, "-a", "threads", "-j", 9) == 4
    assert jobs(8, "-a", "somers", "-j", 3) == 3


@pytest.mark.parametrize(("words", "message"), [
    (["-a", "width_limited:3"], "19 of 92, incomplete search"),
    (["-a", "width_limited:3", "--unique"], "11 of 12, incomplete search"),
    (["-a", "depth_limited:3"], "140 partial placements of 3 queens, not solutions"),
    (["-a", "depth_limited:1"], "8 partial placements of 1 queen, not solutions"),
    (["-a", "width_limited:8"], None), (["-a", "depth_limited:8"], None),
    (["-a", "depth_limited"], None), ([], None)])
def test_an_incomplete_count_says_so(run, words, message):
    status, out, err = run("count", 8, *words)
    assert (status, err) == (0, f"nqbench: {message}\n" if message else "")
    assert out.strip().isdecimal()
    assert json.loads(run("count", 8, *words, "--json")[1])["complete"] is (message is None)


def test_an_incomplete_count_of_an_unknown_total(run):
    assert run("count", 30, "-a", "width_limited:1")[2] == "nqbench: 0 found, incomplete search\n"


@pytest.mark.parametrize("form", ["columns", "queens", "matrix", "strings"])
def test_solutions_are_written_while_they_are_found(form):
    taken = []
    boards = (taken.append(k) or (1, 3, 0, 2) for k in range(1000))
    next(format_solutions(boards, 4, form))
    assert 0 < len(taken) < 500


def test_json_is_written_while_solutions_are_found(run, monkeypatch):
    def few(self, n, implementation="python"):
        yield (1, 3, 0, 2)
        raise KeyboardInterrupt

    monkeypatch.setattr("nqbench.problems.queens.Search.solutions", few)
    status, out, err = run("solve", 4, "--json")
    assert (status, err) == (130, "nqbench: interrupted\n")
    assert out == ('{"n": 4, "algorithm": "bitmask", "limit": null, "solutions": [[1, 3, 0, 2]], '
                   '"error": "interrupted"}\n')


def test_a_large_board_is_written_row_by_row(run):
    _, out, _ = run("solve", 1500, "--limit", 1, "--format", "queens")
    assert {len(row) for row in out.splitlines()} == {2999, 0}
    _, out, _ = run("solve", 1500, "--limit", 1, "--format", "strings")
    assert [row.index("Q") for row in json.loads(out)] == list(
        map(int, run("solve", 1500, "--limit", 1)[1].split()))


@pytest.mark.parametrize("words", [[], ["results"]])
def test_without_a_command_there_is_help(run, words):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.startswith(f"Usage: {' '.join(['nqbench', *words])} [OPTIONS] COMMAND")
    assert err == run(*words, "--help")[1]


@pytest.mark.slow
def test_an_interrupt_during_the_imports_is_one_line(tmp_path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    path = os.pathsep.join([str(tmp_path), str(Path(nqbench.__file__).parents[1])])
    done = subprocess.run([sys.executable, "-m", "nqbench", "count", "8", "--json"],
                          capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stderr) == (130, "nqbench: interrupted\n")
    assert json.loads(done.stdout) == {"error": "interrupted"}


@pytest.mark.slow
@pytest.mark.parametrize(("words", "status", "err"), [
    ("count 8 -j b --json >/dev/full", 2,
     "nqbench: --jobs must be a whole number, 1 or more, not 'b'\n"),
    ("solve - <&-", 2, "nqbench: standard input is closed\n"),
    ("count 8 >&-", 2, "nqbench: standard output is closed\n"),
    ("list >/dev/full", 2, "nqbench: standard output: No space left on device\n"),
    ("count abc 2>&-", 2, "")])
def test_a_stream_that_is_closed_or_full_is_no_bug(words, status, err):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    done = subprocess.run(f"{shlex.quote(sys.executable)} -m nqbench {words}", shell=True,
                          capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (status, err)


def test_a_file_name_that_is_no_text_is_no_bug(run, tmp_path):
    file = tmp_path / "tree\udcff.svg"
    status, out, _ = run("trace", 4, "--tree", "--out", file)
    assert (status, file.exists()) == (0, True)
    assert out == f"17 nodes in {tmp_path}/tree\N{REPLACEMENT CHARACTER}.svg\n"


def test_a_tree_is_written_beside_its_json(run, tmp_path):
    words = "trace", 4, "--tree", "--out", tmp_path / "tree.txt"
    run(*words)
    drawn = (tmp_path / "tree.txt").read_text()
    (tmp_path / "tree.txt").unlink()
    status, out, _ = run(*words, "--json")
    assert (status, len(json.loads(out)["nodes"])) == (0, 17)
    assert (tmp_path / "tree.txt").read_text() == drawn


def test_verify_says_who_answers(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    status, out, _ = run("verify", "A319283", "A319284", "--max-n", 5, "--json")
    found = json.loads(out)
    assert (status, found["ok"], found["max_n"]) == (0, True, 5)
    nodes = next(each for each in found["checks"] if each["n"] == 5)
    assert (nodes["sequence"], nodes["got"]) == ("A319283", 54)
    assert "recursive (python)" in nodes["answered_by"]
    assert "marks_mirror (python)" not in nodes["answered_by"]  # it has another tree
    assert "1 5 12 14 12 10" in run("verify", "A319284", "--max-n", 5)[1]


def test_metrics_are_listed(run):
    entries = {entry["name"]: entry for entry in json.loads(run("list", "--metrics", "--json")[1])
               ["metrics"]}
    assert set(entries) == set(METRICS)
    assert entries["nodes"] == {
        "name": "nodes", "unit": "nodes", "kind": "counter", "meaning": METRICS["nodes"].meaning,
        "by_level": False, "less_is_better": True}
    assert f"{len(METRICS)} metrics" in run("list", "--metrics")[1]


@pytest.mark.parametrize("command", ["count", "solve", "profile", "trace"])
def test_n_that_is_no_number_of_queens(run, command):
    for n in ("-1", "-3.5", "8.5", "8.0", "1e3", "true", "False", "eight", "", "0x8", "+-8", "nan",
              "inf"):
        line = refused(run(command, n))
        assert n in line
        assert "whole number, 0 or more" in line or "No such option" in line, n


@pytest.mark.parametrize(("words", "says"), [
    (["profile", "8", "-a", "xyz"], "no algorithm 'xyz'; run `nqbench list`"),
    (["count", "40", "-a", "pruned_loops"], "at most 20 for pruned_loops, not 40"),
    (["count", "8", "-j", "2", "-a", "somers@python"],
     "jobs must be 1 for somers in python, not 2"),
    (["count", "8", "-j", "2", "--unique", "-a", "somers"],
     "--jobs must be 1 with --unique for somers, not 2"),
    (["count", "8", "-a", "somers", "--kernel", "avx2"],
     "kernel is not supported by somers; only cross and join in cython support it"),
    (["profile", "8", "-a", "cross@cython"], "cross counts its nodes in python only"),
    (["solve", "8", "-a", "cross"], "cross only counts and cannot be asked for solutions"),
    (["count"], "count needs INSTANCE, as in `nqbench count 12`"),
    (["count", "17", "--plan", "-a", "bitmask"], "no engine 'bitmask', only cross, join"),
    (["count", 12, "--plan"], "12 queens are too few for a plan by cross, with only 45 parts"),
    (["count", 18, "--plan", "--kernel", "sse"], "there is no kernel 'sse'"),
    (["count", 8, "-a", "bitmask", "--checkpoint", "x"], "checkpoint is not supported by bitmask "
     "in cython; only cross and join in cython support it"),
    (["audit", "none"], "none: No such file or directory"),
    (["count", "8", "9"], "unexpected extra argument (9)"),
    (["count", "8", "--algoritm", "x"], "No such option '--algoritm'. Did you mean '--algorithm'"),
    (["cuont", "8"], "no command 'cuont'; did you mean count?"),
    (["solve", "4", "--format", "string"], "no format 'string'; did you mean strings or matrix?"),
    (["solve", "4", "--format", "original", "--limit", "1"], "--limit is not supported with"),
    (["count", "8", "-a", "explicit"], "explicit looks for one solution, so it cannot count"),
    (["solve", "6", "-a", "depth_limited:2", "--format", "queens"], "--format must be columns"),
    (["solve", "6", "-a", "threads", "--format", "original"], "threads is not a port of a program"),
    (["trace", "4", "--all", "--limit", "2"], "--limit 2 and --all exclude each other"),
    (["trace", "4", "--tree", "--out", "tree.png"],
     "--out must end in .txt or .svg, not 'tree.png'"),
    (["verify", "A1"], "sequence 'A1'; there are A000170, A002"),
    (["verify", "--budget", "0"], "--budget must be a number of seconds above 0, not '0'"),
    (["study", "--preset", "fast"], "no preset 'fast'; there are quick, standard, full"),
    (["study", "--results", "/dev/null"], "/dev/null: Not a directory"),
    (["report", "--results", "/nowhere"], "no folder '/nowhere' with results"),
    (["count", "8", "-x"], "No such option '-x'"),
    (["count", 8, "-a", "bitmask", "-a", "somers"],
     "-a may be given several times only with --estimate"),
    (["count", 9, "--estimate", "-a", "bitmask", "-a", "somers", "--method", "knuth"],
     "--method is not supported with several -a"),
    (["count", 9, "--estimate", "-a", "bitmask", "-a", "iterative"],
     "the tree of iterative cannot be estimated: visits has no function that calls"),
    (["count", 12, "--estimate", "-a", "iterative"],
     "iterative cannot be estimated: visits has no function that calls"),
    (["count", 12, "--estimate", "-a", "a_star"],
     "a_star cannot be estimated: it does not backtrack, so it has none"),
    (["count", 12, "--estimate", "-a", "ida_star"],
     "ida_star cannot be estimated: it ends at its first solution"),
    (["count", 12, "--estimate", "-a", "join"], "join cannot be estimated: it is only compiled"),
    (["count", 12, "--estimate", "-a", "bitmsk"], "did you mean bitmask"),
    (["trace", 6, "-a", "nope", "-a", "bitmask"], "there is no algorithm 'nope'"),
    (["trace", "n=6", "-a", "bitmask", "-a", "min_conflicts"],
     "min_conflicts has no tree: it does not backtrack"),
    (["trace", "n=6", "-a", "bitmask", "-a", "dynamic_backtracking"],
     "has no tree: it does not backtrack"),
    (["trace", "n=6 queens=1", "-a", "bitmask", "-a", "row_by_row"], "an instance has no 'queens'"),
    *((["study", "-n", 4, *words], "`nqbench study --preset sudoku` measures all") for words in (
        ["-a", "sudoku::dancing_links"],
        ["-a", "bitmask", "--baseline", "sudoku::dancing_links"])),
    (["trace", 10**9], "n must be at most 1,000,000 for iterative"),
    (["instances", "make", "completion", "-n", 10**9, "-k", 1], "n must be at most 400"),
    (["instances", "export", "n=0", "--format", "opb"], "n must be 1 or more for other solvers"),
    *((["count", 1000, "--estimate", "-a", "bitmask", *more],
       "n must be at most 500 for bitmask in python, not 1000") for more in (
          [], ["-a", "forward_checking"])),
    (["solve", 4, "--limit", "1_0"], "--limit must be a whole number, 0 or more, not '1_0'"),
    (["solve", 4, "--limit", "\u0668"], "--limit must be a whole number, 0 or more, not '\u0668'"),
    (["verify", "--budget", "1_0"], "--budget must be a number of seconds above 0, not '1_0'"),
    (["count", 8, "-a", "width_limited:\u0664"], "width_limited must be a whole number, 0 or more"),
    (["study", "-a", "bitmask", "-n", "\u0665"], "n must be numbers of queens, as in 8, 6-12"),
    (["study", "--preset", ""], "no preset ''; there are quick, standard"),
    (["verify", "A000170", "--print", ""], "no kind of terms ''; there are terms, levels, orbits"),
    (["check", ""], "there is no algorithm ''"),
    (["study", "--processes", 999_999], "processes must be at most 1,000, not 999999"),
    (["count", "9" * 30], "N is far too large: a number of 30 digits"),
    (["solve", 4, "--limit", 10**18], "--limit is far too large: a number of 19 digits"),
    (["compare", "bitmask", "iterative"], "bitmask and iterative are algorithms, and compare takes "
     "runs, or versions of a file; `nqbench study -a bitmask -a iterative -n 8-10` measures both"),
    (["compare", "fast", "textbook"], "`nqbench study -a fast -a textbook hardest` measures both"),
    (["check", "bitmask", "-n", ""], "-n must be numbers of queens, as in 8, 6-12 or 6,8,10"),
    (["list", "--metrics", "--all"], "--all is not supported with --metrics"),
    (["compare", "idea.py", "iterative"], "`nqbench study -a idea.py -a iterative -n 8-10` mea"),
    *((["profile", *words, "-a", ""], "there is no algorithm ''") for words in (
        [8], ["n=8 placed=0:0"])),
    *((["count", 12, *words, "-a", ""], says) for words, says in (
        (["--estimate"], "there is no algorithm ''"), (["--plan"], "there is no engine ''"))),
])
def test_requests_that_make_no_sense(run, words, says):
    assert says in refused(run(*words))


def test_a_long_value_is_shown_by_its_ends(run):
    line = refused(run("verify", "--budget", "x" * 10_000))
    assert line.startswith("--budget must be a number of seconds above 0, not 'xxx")
    assert (line[-4:], len(line)) == ("xxx'", 2005)


def test_without_a_current_folder_that_is_said(run, tmp_path, monkeypatch):
    (folder := tmp_path / "gone").mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert refused(run("check", "bitmask")) == "the current folder: No such file or directory"


def test_a_person_can_hold_all_commands_and_options():
    found = [command for _, command in walk(cli)]
    options = [each for command in found for each in command.params
               if isinstance(each, click.Option)]
    assert len(found) <= 24
    assert len(options) <= 130


@pytest.mark.parametrize("words", [(), ("results",), ("instances",), *(
    words for words, _ in walk(cli))], ids=" ".join)
def test_every_help_begins_with_its_summary_and_ends_with_examples(run, words):
    status, out, _ = run(*words, "--help")
    assert status == 0
    assert "\n    nqbench " in out.partition("Example:")[2]
    assert not re.search("999|<=", out)  # the end of a range means nothing
    if len(words) == 1:
        summary = summarise(*COMMANDS[words[0]])
        assert out.splitlines()[2] == f"  {summary}"
        assert f"  {words[0]:{max(map(len, COMMANDS))}}  {summary}\n" in run("--help")[1]


def test_the_help_of_a_study_says_of_each_preset_what_its_file_does(run):
    shown = " ".join(run("study", "--help")[1].split())
    for name, text in preset_texts().items():
        assert text.startswith("# "), name
        assert f" {name} {text.partition(chr(10))[0][2:]}" in shown


@pytest.mark.parametrize("guess", GUESSES)
def test_a_first_guess_points_to_a_command(run, guess):
    said = refused(run(guess, "8"))
    assert said == f"there is no command '{guess}'; you may want `nqbench {GUESSES[guess]}`"
    command = cli
    for word in GUESSES[guess].split():
        command = command.get_command(None, word) if isinstance(command, click.Group) else command
        assert command is not None


def test_help_and_version_are_understood_as_commands(run):
    assert run("help", "count") == run("count", "--help")
    assert run("help") == run("--help")
    assert run("version") == run("--version")


@pytest.mark.parametrize(("line", "begins"), [
    ("nqbench co", {"count", "compare"}), ("nqbench instances m", {"make"}),
    ("nqbench count 8 --est", {"--estimate"}), ("nqbench count 8 -a some", {"somers"})])
def test_a_shell_completes_a_line(run, monkeypatch, line, begins):
    monkeypatch.setenv("_NQBENCH_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    assert {each.rpartition(",")[2] for each in run()[1].split()} == begins


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--help"], ["count", "-1"]])
def test_only_the_module_of_the_command_is_imported(words):
    code = ("import sys\nfrom nqbench.cli import run\nrun()\n"
            "print([name for name in sys.modules if name.startswith('nqbench.cli.')])")
    shown = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    modules = ["count", "problems"] * (words[0] == "count")
    assert set(ast.literal_eval(shown.stdout.splitlines()[-1])) == {
        f"nqbench.cli.{name}" for name in ("options", "terminal", *modules)}


@pytest.mark.parametrize("words", [["count", "-1"], ["profile", "8", "-a", "x"], ["cuont"],
                                   ["verify", "A1"], ["report", "--results", "/no"],
                                   ["solve", "4", "--format", "matrix"]])
def test_with_json_a_refusal_is_json_too(run, words):
    status, out, err = run(*words, "--json")
    assert status == 2
    assert json.loads(out) == {"error": err.removeprefix("nqbench: ").rstrip("\n")}


@pytest.mark.slow
@pytest.mark.parametrize("words", [["count", "24", "-j", "2", "--yes", "--json"],
                                   ["count", "14", "-a", "iterative"]])
def test_ctrl_c_stops_within_a_second_also_inside_compiled_code(words):
    status, out, err = press_ctrl_c(
        "from nqbench.__main__ import main\nprint('ready', flush=True)\nmain()",
        *words)
    assert status == 130
    assert "interrupted" in err
    assert out == ('{"error": "interrupted"}\n' if "--json" in words else "")


@pytest.mark.slow
@pytest.mark.parametrize("words", [
    "solve 20 --json", "solve 20 -a iterative --format original",
    "solve 1000000 --limit 1 --format queens", "trace 25 --tree", "trace 1000000",
    "instances make completion -n 8 -k 2 --many 100000000000000"])
def test_ctrl_c_stops_what_prints_as_it_goes(words):
    assert press_ctrl_c(
        "import os, sys\nfrom nqbench.__main__ import main\nprint('ready', flush=True)\n"
        "sys.stdout = open(os.devnull, 'w')\nmain()", *words.split(), after=1.0) == (
            130, "", "nqbench: interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize("words", [["list"], ["solve", "10"]])
def test_a_reader_that_stops_early_is_no_error(words):
    with subprocess.Popen([sys.executable, "-m", "nqbench", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_a_count_with_a_checkpoint_and_its_audit(run, tmp_path):
    path = tmp_path / "12.checkpoint"
    assert run("count", 12, "--checkpoint", path) == (0, "14200\n", "")
    resumed = f"nqbench: resuming {path}: 45 of 45 parts are counted\n"
    assert run("count", 12, "--checkpoint", path) == (0, "14200\n", resumed)
    assert run("count", 12, "--checkpoint", path, "--unique") == (0, "1787\n", resumed)
    status, out, err = run("audit", path, "--sample", 5)
    assert (status, err) == (0, "")
    assert out.startswith("n = 12: 45 of 45 parts, 14,200 solutions\n")
    assert out.endswith("5 of 5 recounted parts are the same\n")
    status, out, _ = run("audit", path, "--json")
    told = json.loads(out)
    assert (status, told["ok"], told["solutions"], told["counted"]) == (0, True, 14200, 45)
    assert sum(int(images) * sums["completions"]
               for images, sums in told["by_images"].items()) == 14200
    assert refused(run("audit", path, "--kernel", "")).startswith("there is no kernel ''")
    path.write_text("hello\n")
    assert refused(run("audit", path)).startswith(f"{path} is not a checkpoint")


def test_an_audit_of_parts_without_completions_says_that_it_proves_little(run, tmp_path):
    path = tmp_path / "8.checkpoint"
    division = engine.Division.new(8, engine.kernels()[0])
    with engine.Checkpoint(path, division) as file:
        for part, (ways, *rests) in enumerate(division.start_kernel(division.kernel).complete(
                division.engine, range(division.parts))):
            if ways == 0:
                file.add([(part, (ways, *rests))])
    status, out, _ = run("audit", path)
    assert status == 0
    assert out.endswith("recounted parts are the same (all have 0 completions)\n")


@pytest.mark.slow
def test_a_plan_tells_what_a_count_would_take(run, monkeypatch):
    monkeypatch.setattr("nqbench.cli.estimate.SAMPLE_SECONDS", 0.2)
    status, out, _ = run("count", 18, "--plan", "--workers", 3, "-j", 2, "-a", "cross",
                         "--json")
    told = json.loads(out)
    assert status == 0
    assert (told["n"], told["workers"], told["cores"], told["parts"]) == (18, 3, 2, 603)
    assert told["algorithm"] == "cross"
    assert told["solutions"]["known"] == 666090624
    assert told["part_seconds"]["median"] <= told["part_seconds"]["p95"]
    low, high = told["core_hours"]["interval"]
    assert low < told["core_hours"]["estimate"] < high
    status, out, _ = run("count", 16, "--plan", "-a", "join", "--kernel", "portable")
    assert (status, out.splitlines()[0]) == (
        0, f"16 queens by join; workers: 1, cores of each: {engine.cores()}, kernel: portable")
    assert "core-hours" in out


@pytest.mark.slow
def test_a_plan_is_for_the_engine_that_counts(run, monkeypatch):
    monkeypatch.setattr(engine, "choose_engine", lambda n, kernel=None: "join")
    told = json.loads(run("count", 17, "--plan", "--json")[1])
    assert (told["algorithm"], told["parts"], told["solutions"]["known"]) == ("join", 905, 95815104)


def test_a_bug_is_no_fault_of_the_user(run, monkeypatch):
    def broken(n, *rest):
        import pandas
        return pandas.DataFrame({"n": [n]}).loc[:, "m"]

    def wrong(n, *rest):
        raise ValueError("raised by some library")

    for fault, shown in ((broken, "KeyError: 'm'"), (wrong, "ValueError: raised by some library")):
        monkeypatch.setattr("nqbench.cli.count.choose", fault)
        status, out, err = run("count", 8)
        assert (status, out) == (70, "")
        first, second, *_, last = err.splitlines()
        assert first.startswith("nqbench: sorry, this is a bug in nqbench ")
        assert second == "Traceback (most recent call last):"
        assert last == shown


def test_a_thread_that_cannot_be_started_is_no_bug(run, monkeypatch):
    def start(self):
        raise RuntimeError("can't start new thread")  # as threading does

    monkeypatch.setattr("threading.Thread.start", start)
    assert refused(run("count", 8)).startswith("no thread can be started; raise the limit of ")


def test_an_audit_predicts_the_rest_by_its_first_part(run, monkeypatch, tmp_path):
    path = tmp_path / "c"
    run("count", 14, "--checkpoint", path)
    asked = []
    monkeypatch.setattr("nqbench.cli.verify.allow", lambda seconds, yes: asked.append(seconds))
    assert run("audit", path, "--sample", 10**18 - 1)[0] == 0
    assert len(asked) == 1
    assert asked[0] > 0


def test_without_a_folder_for_temporary_files_no_stream_is_blamed(run, monkeypatch):
    def fail(**_):
        raise FileNotFoundError(2, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr("nqbench.cli.trace.mkdtemp", fail)
    assert refused(run("play", 4, "-a", "iterative")) == (
        "TMPDIR: No usable temporary directory found in ['/tmp']")


@pytest.mark.parametrize("found", ["relative", None])
def test_without_a_home_nothing_is_saved(run, monkeypatch, tmp_path, found):
    def expand(path):
        if found is None:
            raise RuntimeError("could not determine the home directory")
        return Path(found)

    monkeypatch.setattr(Path, "expanduser", expand)
    monkeypatch.setattr("nqbench.cli.count.QUICK_N", 10)
    monkeypatch.setattr("nqbench.problems.forecast.SURELY_SHORT", 10)
    monkeypatch.setattr("nqbench.cli.count.SAVED", 0.0)
    monkeypatch.chdir(tmp_path)
    assert run("count", 12) == (0, "14200\n", "nqbench: progress is not saved\n")
    context._draw_unsaved.cache_clear()
    with pytest.warns(UserWarning, match="the user has no home folder; set HOME"):
        assert len(context.identity("other hardware").machine) == 12
    assert "the user has no home folder; set HOME" in refused(run("study", "--label", "mine"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_an_unknown_backend_of_matplotlib_is_named():
    ran = subprocess.run([sys.executable, "-m", "nqbench", "report"], capture_output=True,
                         text=True, check=False, env={**os.environ, "MPLBACKEND": "nonsense"})
    assert (ran.returncode, ran.stderr) == (
        2, "nqbench: MPLBACKEND is 'nonsense', which matplotlib does not know: unset it\n")


@pytest.mark.slow
def test_settings_that_matplotlib_cannot_read_are_named(tmp_path):
    (tmp_path / "matplotlibrc").write_bytes(b"\xff")
    assert "nqbench: a file matplotlibrc is not UTF-8: correct or remove it" in subprocess.run(
        [sys.executable, "-m", "nqbench", "report"], cwd=tmp_path, capture_output=True, text=True,
        check=False).stderr.splitlines()


def test_the_server_of_the_lab_keeps_to_its_folder(tmp_path, capsys):
    """Neither a link nor a byte that no name has leads out of it. It says nothing of a browser that
    ends a connection.
    """
    folder = tmp_path / "lab"
    folder.mkdir()
    (folder / "index.html").write_text("the lab", "utf-8")
    (folder / "large").write_bytes(bytes(1 << 25))
    (tmp_path / "secret.txt").write_text("no", "utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        told = []
        for path in ("/", "/index.html", "/link.txt", "/../secret.txt", "/%00", "/none"):
            connection = HTTPConnection("127.0.0.1", server.server_port, timeout=20)
            connection.request("GET", path)
            told.append(connection.getresponse().status)
            connection.close()
        assert told == [200, 200, 404, 404, 400, 404]
        with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(b"GET /large HTTP/1.0\r\n\r\n")
            connection.recv(1)
        server.shutdown()
        server.server_close()  # waits for what it serves
        assert capsys.readouterr().err == ""
    finally:
        server.shutdown()
        server.server_close()


def test_a_lab_needs_an_address_and_prints_one_object(run, tmp_path, monkeypatch):
    (tmp_path / "nqbench.zip").touch()
    words = ["lab", tmp_path, "--no-browser"]
    assert refused(run(*words, "--host", "")).startswith("--host must be an address, not ''")
    assert refused(run(*words, "--host", "\xfc..b")).startswith("port 0 of \xfc..b cannot be used")
    monkeypatch.setattr(ThreadingHTTPServer, "serve_forever", Mock(side_effect=KeyboardInterrupt))
    status, out, _ = run(*words, "--json")
    assert (status, [*json.loads(out)]) == (130, ["address"])


def test_without_a_lab_the_command_says_how_to_get_one(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(run("lab")) == (
        "there is no lab in build/lab; an installed nqbench does not have it: run `make lab` "
        "(needs npm) in a clone of the repository, then `nqbench lab CLONE/build/lab`")

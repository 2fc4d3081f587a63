"""The command: what it prints, and how it refuses."""

import hashlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import refused, rows

from nqbench import engine
from nqbench.algorithms import NAMES
from nqbench.reference import SEQUENCES


def test_count(run):
    assert run("count", 8) == (0, "92\n", "")
    assert run("count", 14, "-i", "cython", "-a", "somers") == (0, "365596\n", "")
    assert run("count", 8, "--unique") == (0, "12\n", "")
    assert run("count", 10, "-j", 2) == (0, "724\n", "")


def test_count_as_json(run):
    status, out, _ = run("count", 8, "--json", "-a", "recursive")
    found = json.loads(out)
    assert status == 0
    assert found.pop("seconds") > 0
    assert found == {"n": 8, "algorithm": "recursive", "implementation": "python",
                     "kernel": None, "unique": False, "jobs": 1, "solutions": 92}


def test_profile_of_the_contract(run):
    status, out, err = run("profile", 8, "-a", "iterative", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {
        "n": 8, "algorithm": "iterative", "implementation": "python", "solutions": 92,
        "nodes": 2057, "levels": [1, 8, 42, 140, 344, 568, 550, 312, 92], "tests": 15720,
        "dead_levels": [0, 0, 0, 0, 18, 150, 256, 220, 0],
        "scans": 46752, "comparisons": 86308, "exhaustions": 1965, "dead_ends": 644,
        "tests_to_first": 876, "nodes_to_first": 114}


def test_profile_as_a_table(run):
    _, out, _ = run("profile", 8, "-a", "somers", "-i", "cython")
    assert "somers (cython), n = 8" in out
    assert "1,029" in out


def test_list_names_every_algorithm(run):
    _, out, _ = run("list", "--json")
    entries = json.loads(out)["algorithms"]
    assert tuple(e["name"] for e in entries) == NAMES
    assert entries[13] == {
        "name": "somers", "year": 2002, "symmetry": "mirror",
        "origin": "Jeff Somers, in The n-queens problem and its optimisations (blog), part 3",
        "technique": "bit masks of columns and diagonals, explicit stack",
        "finds": "all solutions", "choice": None,
        "implementations": {"python": {"largest_n": 10000}, "cython": {"largest_n": 32}}}
    assert entries[NAMES.index("cross")]["implementations"]["cython"]["kernels"] == engine.kernels()
    _, out, _ = run("list")
    assert all(name in out for name in NAMES)
    assert f"kernels of cross here: {', '.join(engine.kernels())}" in out


def test_symmetry(run):
    _, out, _ = run("symmetry", 12, "--json")
    assert json.loads(out) == {
        "n": 12, "solutions": 14200, "half_turn": 80, "quarter_turn": 8, "orbits_of_8": 1765,
        "orbits_of_4": 18, "orbits_of_2": 4, "fundamental": 1787}
    _, out, _ = run("symmetry", 8)
    assert "fundamental" in out
    assert "A002562" in out


def test_the_kernel_that_ran_is_said(run):
    for kernel in engine.kernels():
        _, out, _ = run("count", 10, "--kernel", kernel, "--json")
        found = json.loads(out)
        assert (found["algorithm"], found["kernel"], found["solutions"]) == ("cross", kernel, 724)
    _, out, _ = run("count", 10, "--json")
    assert json.loads(out)["kernel"] == engine.kernels()[0]
    assert json.loads(out)["jobs"] == engine.cores()


@pytest.mark.parametrize(("form", "shown"), [
    ("columns", "1 3 0 2\n2 0 3 1\n"),
    ("queens", ". Q . .\n. . . Q\nQ . . .\n. . Q .\n\n. . Q .\nQ . . .\n. . . Q\n. Q . .\n\n"),
    ("matrix", "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n\n0 0 1 0\n1 0 0 0\n0 0 0 1\n0 1 0 0\n\n"),
    ("strings", '[".Q..", "...Q", "Q...", "..Q."]\n["..Q.", "Q...", "...Q", ".Q.."]\n'),
])
def test_solve_formats(run, form, shown):
    assert run("solve", 4, "--format", form) == (0, shown, "")


def test_solve_draws_one_svg(run):
    _, out, _ = run("solve", 6, "--format", "svg")
    assert len(ElementTree.fromstring(out).findall(".//{http://www.w3.org/2000/svg}use")) == 24


def test_solve_with_a_limit_is_quick_on_a_large_board(run):
    status, out, _ = run("solve", 20, "--limit", 2)
    assert (status, out.count("\n")) == (0, 2)
    assert run("solve", 8, "--limit", 0) == (0, "", "")


def test_solve_as_json(run):
    _, out, _ = run("solve", 4, "-a", "flat_marks", "--json")
    assert json.loads(out) == {"n": 4, "algorithm": "flat_marks", "limit": None,
                               "solutions": [[2, 0, 3, 1], [1, 3, 0, 2]]}


@pytest.mark.parametrize("row", [r for r in rows("seed_stdout_md5_n1_7.csv")
                                 if r["n"] in ("4", "8")], ids=lambda r: r["algorithm"])
def test_solve_prints_what_the_original_prints(run, row):
    _, out, _ = run("solve", row["n"], "-a", row["algorithm"], "--format", "seed")
    assert hashlib.md5(out.encode()).hexdigest() == row["md5_of_stdout"]


def test_one_solution_for_a_large_board_is_written_down(run):
    status, out, _ = run("solve", 1000, "--limit", 1)
    assert status == 0
    assert sorted(map(int, out.split())) == list(range(1000))
    assert run("solve", 8, "--limit", 1)[1] == "0 4 7 5 2 6 1 3\n"  # in the order of bitmask


def test_a_choice_stands_behind_a_colon(run):
    assert run("count", 8, "-a", "width_limited:4") == (0, "39\n", "")
    assert run("solve", 3, "-a", "depth_limited:2")[1] == "0 2\n2 0\n"
    assert json.loads(run("profile", 4, "-a", "width_limited:1", "--json")[1])["algorithm"] == (
        "width_limited:1")


def test_trace_shows_the_steps_of_the_figure(run):
    status, out, _ = run("trace", 4)
    lines = out.splitlines()
    assert status == 0
    assert len(lines) == 31
    assert lines[1].split("  ", 1)[1] == (
        "  2  (1 * * *)  conflict: row 2, column 1 is attacked from row 1")
    assert lines[-1].endswith("(2 4 1 3)  solution")
    assert "left out" in run("trace", 4, "-a", "bitmask_even_mirror", "--all")[1]


def test_trace_as_json(run):
    found = json.loads(run("trace", 4, "--all", "--json")[1])
    assert found["limit"] is None
    assert found["steps"][1] == {"kind": "conflict", "square": [1, 0], "queens": [[0, 0]],
                                 "attackers": [[0, 0]]}
    assert sum(step["kind"] == "place" for step in found["steps"]) == 16


def test_estimate_stands_beside_what_is_known(run):
    status, out, _ = run("estimate", 16, "--seed", 1)
    assert status == 0
    assert "1,141,190,303" in out
    assert "14,772,512" in out
    assert "e^-1.944 = 0.1431" in out
    found = json.loads(run("estimate", 30, "--probes", 2000, "--json")[1])
    assert found["nodes"]["known"] is None
    assert found["nodes"]["interval"][0] < found["nodes"]["estimate"]
    assert len(found["levels"]) == 31
    assert "So few say little" in run("estimate", 30, "--probes", 2000)[1]


def test_tree_in_every_form(run, tmp_path):
    assert run("tree", 4)[1].count("\n") == 17
    assert run("tree", 8)[1].count("\n") == 1 + 8 + 42
    assert len(json.loads(run("tree", 4, "--json")[1])["nodes"]) == 17
    for kind, start in (("svg", "<svg"), ("dot", "digraph"), ("txt", "(* * * *)")):
        file = tmp_path / f"tree.{kind}"
        assert run("tree", 4, "--out", file) == (0, f"17 nodes in {file}\n", "")
        assert file.read_text("utf-8").startswith(start)
    assert len(list(tmp_path.iterdir())) == 3


def test_verify_agrees_with_the_oeis(run):
    status, out, _ = run("verify", "--max-n", 7, "--json")
    found = json.loads(out)
    assert (status, found["ok"], found["max_n"]) == (0, True, 7)
    assert {c["sequence"] for c in found["checks"]} == set(SEQUENCES)
    by_point = {(c["sequence"], c["n"]): c for c in found["checks"]}
    assert by_point["A000170", 6]["got"] == 4
    assert "recursive (python)" in by_point["A319283", 6]["answered_by"]
    assert "marks_mirror (python)" not in by_point["A319283", 6]["answered_by"]
    _, out, _ = run("verify", "--max-n", 5, "--sequence", "A319284")
    assert "1 5 12 14 12 10" in out


def test_errata_are_listed(run):
    status, out, _ = run("errata")
    assert status == 0
    assert "673090552" in out
    _, out, _ = run("errata", "--json")
    assert {"listing", "fault", "shown", "right"} == set(json.loads(out)["errata"][0])


@pytest.mark.parametrize("n", ["-1", "-3.5", "8.5", "8.0", "1e3", "true", "False", "eight", "",
                               "0x8", "+-8", "nan", "inf"])
@pytest.mark.parametrize("command", ["count", "solve", "profile", "trace", "tree"])
def test_n_that_is_no_number_of_queens(run, command, n):
    line = refused(run(command, n))
    assert n in line
    assert "whole number, 0 or more" in line or "no option" in line


@pytest.mark.parametrize(("words", "says"), [
    (["count", "8", "-a", "sommers"], "no algorithm 'sommers'; did you mean somers?"),
    (["profile", "8", "-a", "xyz"], "no algorithm 'xyz'; there are iterative, "),
    (["count", "40", "-a", "pruned_loops"], "at most 20 for pruned_loops in python, not 40"),
    (["count", "33", "-i", "cython"], "at most 32 for somers in cython, not 33"),
    (["count", "8", "-i", "rust"], "no implementation 'rust', only python and cython"),
    (["count", "8", "-j", "0"], "--jobs must be a whole number, 1 or more, not '0'"),
    (["count", "8", "-j", "2", "-i", "python"], "jobs must be 1 for somers in python, not 2"),
    (["count", "8", "-j", "2", "--unique", "-a", "somers"],
     "--jobs must be 1 with --unique for somers, not 2"),
    (["count", "8", "--kernel", "sse"], "no kernel 'sse', only portable, avx2, avx512"),
    (["count", "8", "-a", "somers", "--kernel", "avx2"],
     "the kernel must not be given for somers, which has none"),
    (["count", "8", "-a", "somers", "--unique", "--kernel", "avx2"],
     "the kernel must not be given for somers, which has none"),
    (["count", "8", "-a", "cross", "-i", "python", "--kernel", "avx2"],
     "the kernel must not be given for cross in python, which has none"),
    (["count", "33", "-a", "cross"], "n must be at most 32 for cross in python, not 33"),
    (["profile", "8", "-a", "cross", "-i", "cython"], "cross counts its nodes in python only"),
    (["solve", "8", "-a", "cross"], "cross only counts and cannot be asked for solutions"),
    (["symmetry", "33"], "n must be at most 32"),
    (["count"], "'N'"),
    (["count", "8", "9"], "unexpected argument '9'"),
    (["count", "8", "--algoritm", "x"], "no option '--algoritm'; did you mean --algorithm"),
    (["cuont", "8"], "no command 'cuont'; did you mean count?"),
    (["solve", "4", "--format", "svgg"], "no format 'svgg'; did you mean svg?"),
    (["solve", "4", "--format", "xyz"], "there are columns, queens, matrix, strings, svg, seed"),
    (["solve", "4", "--limit", "-1"], "--limit must be a whole number, 0 or more, not '-1'"),
    (["solve", "4", "--format", "seed", "--limit", "1"], "--limit does not go with"),
    (["count", "8", "-a", "explicit"], "explicit looks for one solution and cannot count them"),
    (["count", "8", "-a", "width_limited:x"], "the width of width_limited must be a whole number"),
    (["solve", "6", "-a", "depth_limited:2", "--format", "queens"], "--format must be columns"),
    (["solve", "6", "-a", "threads", "--format", "seed"], "threads is a port of no program"),
    (["trace", "4", "-a", "a_star"], "a_star does not backtrack and has no tree"),
    (["estimate", "65"], "n must be at most 64 for an estimate, not 65"),
    (["estimate", "8", "--probes", "1"], "--probes must be a whole number, 2 or more, not '1'"),
    (["estimate", "8", "--method", "chen"], "no method 'chen', only knuth and stratified"),
    (["trace", "4", "--all", "--limit", "2"], "--limit 2 and --all exclude one another"),
    (["trace", "4", "--limit", "0"], "--limit must be a whole number, 1 or more, not '0'"),
    (["tree", "4", "-a", "brute_force"], "brute_force does not backtrack"),
    (["tree", "4", "--out", "tree.png"], "--out must end in .txt, .dot, .svg, not 'tree.png'"),
    (["tree", "4", "--out", "/nowhere/tree.svg"], "--out must be a file that can be written"),
    (["verify", "--max-n", "x"], "--max-n must be a whole number, 0 or more, not 'x'"),
    (["verify", "--sequence", "A1"], "sequence 'A1', only of A000170, A002562"),
    (["verify", "--budget", "0"], "--budget must be a number of seconds above 0, not '0'"),
    (["study", "--preset", "fast"], "no preset 'fast'; there are quick, standard, full"),
    (["study", "--budget", "soon"], "--budget must be a number of seconds above 0, not 'soon'"),
    (["study", "--results", "/dev/null"], "/dev/null: Not a directory"),
    (["study", "--results", "/proc/nothing"], "/proc/nothing: "),
    (["report", "--results", "/nowhere"], "no folder '/nowhere' with results"),
])
def test_requests_that_make_no_sense(run, words, says):
    assert says in refused(run(*words))


@pytest.mark.parametrize("words", [["count", "-1"], ["profile", "8", "-a", "x"], ["cuont"],
                                   ["verify", "--sequence", "A1"], ["report", "--results", "/no"]])
def test_with_json_a_refusal_is_json_too(run, words):
    status, out, err = run(*words, "--json")
    assert status == 2
    assert json.loads(out) == {"error": err.removeprefix("nqbench: ").rstrip("\n")}


@pytest.mark.parametrize("command", [[], ["list"], ["count"], ["solve"], ["profile"], ["verify"],
                                     ["errata"], ["study"], ["report"], ["trace"], ["tree"],
                                     ["estimate"],
                                     ["symmetry"]])
def test_every_help_has_an_example(run, command):
    status, out, _ = run(*command, "--help")
    assert status == 0
    assert "\n    nqbench " in out.partition("Example:")[2]


@pytest.mark.parametrize("words", [["count", "19"], ["count", "19", "-j", "2"],
                                   ["count", "19", "-a", "bitmask"], ["profile", "18"],
                                   ["count", "14", "-a", "iterative"], ["count", "19", "--json"],
                                   ["tree", "14"]])
def test_ctrl_c_stops_within_a_second_also_inside_compiled_code(words):
    process = subprocess.Popen(
        [sys.executable, "-c", "import signal; signal.signal(signal.SIGINT, "
         "signal.default_int_handler)\nfrom nqbench.cli import main\n"
         "print('ready', flush=True)\nmain()", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=1)
    assert process.returncode == 130
    assert "interrupted" in err
    assert out == ('{"error": "interrupted"}\n' if "--json" in words else "")


@pytest.mark.parametrize("words", [["list"], ["solve", "10"], ["profile", "6", "--json"]])
def test_a_reader_that_stops_early_is_no_error(words):
    with subprocess.Popen([sys.executable, "-m", "nqbench", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


@pytest.mark.parametrize("words", [["list"], ["list", "--json"]])
def test_output_that_cannot_be_written_is_said_in_one_line(words):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-m", "nqbench", *words], stdout=full,
                              stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "nqbench: standard output: No space left on device\n"


def test_damaged_records_are_named_even_if_nothing_can_be_reported(run, tmp_path):
    (tmp_path / "a.jsonl").write_text("garbage\n")
    status, _, err = run("report", "--results", tmp_path, "--out", tmp_path / "out")
    assert status == 2
    assert err.splitlines()[0] == (f"nqbench: warning: {tmp_path}/a.jsonl:1: is not JSON; "
                                   "the line is passed over")
    assert "run `nqbench study` first" in err.splitlines()[1]


def test_a_count_with_a_checkpoint_and_its_audit(run, tmp_path):
    path = tmp_path / "12.checkpoint"
    assert run("count", 12, "--checkpoint", path) == (0, "14200\n", "")
    assert run("count", 12, "--checkpoint", path) == (0, "14200\n", "")
    assert run("count", 12, "--checkpoint", path, "--unique") == (0, "1787\n", "")
    status, out, err = run("audit", path, "--sample", 5)
    assert (status, err) == (0, "")
    assert out.startswith("n = 12: 45 of 45 parts, 14,200 solutions\n")
    assert out.endswith("5 of 5 parts counted again are the same\n")
    status, out, _ = run("audit", path, "--json")
    told = json.loads(out)
    assert (status, told["ok"], told["solutions"], told["counted"]) == (0, True, 14200, 45)
    assert sum(int(images) * sums["completions"]
               for images, sums in told["by_images"].items()) == 14200
    assert refused(run("count", 13, "--checkpoint", path)) == (
        f"{path} is a checkpoint of n 12, not 13")
    assert refused(run("count", 8, "-a", "bitmask", "--checkpoint", path)) == (
        "the checkpoint must not be given for bitmask in cython, which has none")
    assert refused(run("audit", tmp_path / "none")).startswith("there is no checkpoint")
    path.write_text("hello\n")
    assert refused(run("audit", path)).startswith(f"{path} is no checkpoint")


def test_an_audit_that_finds_a_difference_says_so(run, tmp_path):
    path = tmp_path / "12.checkpoint"
    run("count", 12, "--checkpoint", path)
    kept = engine.division_of(path)
    path.unlink()
    with engine.Checkpoint(path, kept) as file:
        file.add([(7, (12345, 12345 % 13, 12345 % 15))])
    status, out, _ = run("audit", path)
    assert status == 1
    assert "\npart 7: 12345 in the file, " in out
    assert out.endswith("0 of 1 parts counted again are the same\n")


def test_a_total_that_cannot_be_is_an_error(run, tmp_path):
    path = tmp_path / "12.checkpoint"
    kept = engine.Division.new(12, engine.kernels()[0])
    with engine.Checkpoint(path, kept) as file:
        file.add([(part, (1, 1, 1)) for part in range(kept.parts)])
    total = sum(kept.engine.images(part) for part in range(kept.parts))
    status, out, err = run("count", 12, "--checkpoint", path)
    assert (status, out) == (1, "")
    first = f"{total:,} solutions cannot be: A000170 says 14,200, not {total:,}"
    assert err == f"nqbench: {first}\n"
    status, out, err = run("audit", path, "--json")
    assert status == 1
    told = json.loads(out)
    assert told["ok"] is False
    assert told["contradictions"] == [first, f"{total:,} solutions cannot be: modulo 8, as A032522 "
                                      f"says 0, not {total % 8}"]


def test_a_long_count_keeps_what_is_done_where_the_user_keeps_state(run, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("nqbench.cli.SURELY_SHORT", 11)
    monkeypatch.setattr("nqbench.cli.LONG", 0.0)
    path = tmp_path / "nqbench" / "count-12.checkpoint"
    assert run("count", 12) == (0, "14200\n", f"nqbench: what is done is kept in {path}\n")
    assert not path.exists()


def test_a_plan_tells_what_a_count_would_take(run):
    status, out, _ = run("plan", 18, "--workers", 3, "--cores", 2, "--json")
    told = json.loads(out)
    assert status == 0
    assert (told["n"], told["workers"], told["cores"], told["parts"]) == (18, 3, 2, 603)
    assert told["solutions"]["known"] == 666090624
    low, high = told["core_hours"]["interval"]
    assert low < told["core_hours"]["estimate"] < high
    assert {effort["n"] for effort in told["published"]} == {27}
    status, out, _ = run("plan", 18)
    assert status == 0
    assert "core-hours" in out
    assert out.endswith("27 queens took 28.4 days on eight RTX 5090 (2025; arXiv 2511.12009)\n")
    assert refused(run("plan", 12)) == "n must be larger for a plan, not 12: it has only 45 parts"
    assert refused(run("plan", 18, "--workers", 0)).startswith("--workers must be")

"""The commands that take any problem: the text tells which."""

import json
import sys
from dataclasses import replace

import pytest
from conftest import refused

from nqbench.cli.problems import recognise
from nqbench.problems import PROBLEMS, instances
from nqbench.problems.plugins import registry
from nqbench.problems.sudoku import Grid, data_set

EMPTY = "." * 81
FIRST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
NONE = "12345678." + "........9" + "." * 63
WRONG = f"55{'.' * 79}"
GRID = data_set("easy50")[0]
ROWS = "\n".join(FIRST[9 * k:9 * k + 9] for k in range(9)).replace("1", ".")
BOARDS = "# several\nn=4\nn=3\nn=4 placed=0:0,1:1\nn=8 placed=0:0\n"
PUZZLES = f"{FIRST}\n{EMPTY}\n{NONE}\n{WRONG}\n"


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    """A folder with a file of each problem; room for all columns of all tables."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    for name, text in (("boards", BOARDS), ("puzzles", PUZZLES), ("nothing", "# nothing\n"),
                       ("false", f"{ROWS}\n1234\n"), ("long", "1234341221434321\n")):
        (tmp_path / name).write_text(text)


@pytest.mark.parametrize(("text", "solution"), [
    ("1", "0"), ("n=8 placed=0:0", "0 4 7 5 2 6 1 3"), ('{"n": 4}', "1 3 0 2"),
    (FIRST.replace("1", "."), FIRST), (FIRST.replace("1", "0"), FIRST)])
def test_the_text_tells_the_problem(run, feed, tmp_path, text, solution):
    assert run("solve", text) == (0, f"{solution}\n", "")
    if text != "1":
        (tmp_path / "file").write_text(f"\ufeff\n# one\n\n{text}\n")
        assert run("solve", "file") == (0, f"{solution}\n", "")
        feed(f"# one\n{text}\n")
        assert run("solve", "-") == (0, f"{solution}\n", "")


def test_nine_lines_are_a_puzzle_too(run, feed):
    feed(ROWS)
    assert run("solve", "-") == (0, f"{FIRST}\n", "")


def test_a_number_is_n_even_if_a_file_has_that_name(run, tmp_path):
    (tmp_path / "4").write_text("n=1\n")
    assert run("count", "4")[1] == "2\n"
    assert run("count", "./4")[1] == "1, one\n"


def test_a_new_problem_is_taken_too(run, monkeypatch):
    mine = replace(PROBLEMS["instances"], name="mine", noun="board", form="board N",
                   recognises=lambda text: text.startswith(("board ", "board=")),
                   parse=lambda text: instances.Board(int(text[6:])))
    names, load = (*PROBLEMS.names(), "mine"), PROBLEMS._load
    monkeypatch.setattr(PROBLEMS, "names", lambda: names)
    monkeypatch.setattr(PROBLEMS, "_load", lambda name: mine if name == "mine" else load(name))
    assert run("count", "board 6") == (0, "4, several\n", "")
    assert run("count", "board=6") == run("count", "board 6")
    assert run("solve", "board 6")[1] == "1 3 5 0 2 4\n"
    assert json.loads(run("profile", "board 1", "--json")[1])["boards"][0]["board"] == {"n": 1}
    assert "or board N" in refused(run("solve", "nowhere"))


def test_grids_have_their_boxes(run):
    _, out, _ = run("solve", EMPTY, "--format", "grid")
    assert out.splitlines()[0] == "1 2 3 | 4 5 6 | 7 8 9"


def test_what_has_no_solution_is_said_and_the_others_are_solved(run):
    assert run("solve", "boards") == (
        1, "1 3 0 2\n0 4 7 5 2 6 1 3\n",
        "nqbench: instance 2: none\nnqbench: instance 3: none: the queens of rows 0 and 1 attack "
        "each other\n")
    status, out, err = run("solve", "puzzles")
    assert (status, out) == (1, f"{FIRST}\n{FIRST}\n")
    assert err.splitlines() == ["nqbench: puzzle 2 has several solutions; --limit K prints more",
                                "nqbench: puzzle 3: none",
                                "nqbench: puzzle 4: none: row 1 has 5 twice"]
    told = json.loads(run("solve", "boards", "--json")[1])["instances"]
    assert [each["answer"] for each in told] == ["found", "none", "none", "found"]
    assert [bool(each["contradiction"]) for each in told] == [False, False, True, False]


@pytest.mark.parametrize(("command", "out"), [
    ("solve", f"{FIRST}\n"), ("count", "1, one\n"), ("profile", "textbook_bitmask")])
def test_an_invalid_puzzle_is_skipped_and_the_others_are_answered(run, command, out):
    status, printed, err = run(command, "false")
    assert (status, printed[:len(out)]) == (1, out)
    assert err == ("nqbench: false: line 10: a row has 9 cells, not 4; only 9 x 9 is read; it is "
                   "skipped\n")


@pytest.mark.parametrize(("limit", "said"), [
    (1, "nqbench: puzzle 1 has several solutions; --limit K prints more\n"), (2, "")])
def test_several_solutions_are_said_and_change_no_output(run, limit, said):
    words = "solve", EMPTY, "--limit", limit
    status, out, err = run(*words)
    assert (status, out[:82], len(out), err) == (0, f"{FIRST}\n", 82 * limit, said)
    told = run(*words, "--json")
    assert (json.loads(told[1])["puzzles"][0]["several"], told[2]) == (True, "")
    for text, known in ((str(GRID), False), (NONE, False), (EMPTY, None)):
        bounds = ("--nodes", 1) if known is None else ()
        (found,) = json.loads(run("solve", text, "--json", *bounds)[1])["puzzles"]
        assert found["several"] is known


def test_solutions_are_counted(run):
    assert run("count", "n=7 torus") == (0, "28, several\n", "")
    assert run("count", "n=8", "--limit", 50) == (0, "50 or more, several\n", "")
    assert run("count", "boards")[1].splitlines()[2].startswith("0, none: the queens of rows")
    assert run("count", "puzzles")[:2] == (
        0, "1, one\n2 or more, several\n0, none\n0, none: row 1 has 5 twice\n")
    _, out, _ = run("count", "puzzles", "--limit", 1000, "--json")
    assert [puzzle["solutions"] for puzzle in json.loads(out)["puzzles"]] == [1, 1000, 0, 0]


def test_a_profile_has_the_counters_of_each_search(run):
    status, out, _ = run("profile", "n=6 placed=0:1", "-a", "bitmask", "--json")
    (found,) = json.loads(out)["instances"]
    assert status == 0
    assert found["nodes"] == instances.solve(
        instances.parse("n=6 placed=0:1"), "bitmask").counters["nodes"]
    found = json.loads(run("profile", "easy50", "--json")[1])
    assert (found["algorithm"], len(found["puzzles"])) == ("textbook_bitmask", 50)
    first = found["puzzles"][0]
    assert (first["nodes"], sum(first["levels"]), first["solutions"]) == (201, 201, 1)
    assert "│ nodes " in run("profile", str(GRID))[1]
    assert "none: row 1 has 5 twice" in run("profile", WRONG)[1]


def test_a_narrow_terminal_shows_a_list_for_each_puzzle(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = run("profile", "hardest", "--nodes", 10)
    assert max(map(len, out.splitlines())) <= 80
    assert len([line for line in out.splitlines() if line.startswith("nodes ")]) == 11


@pytest.mark.parametrize(("words", "out", "err"), [
    (["solve", "n=8", "--nodes", 5], "", "instance 1: gave up after 5 nodes, "),
    (["solve", "n=8", "--backtracks", 1, "-a", "bitmask"], "", "instance 1: gave up after "),
    (["solve", "top95", "-a", "textbook_bitmask", "--nodes", 9], "", "puzzle 1: gave up after 9 n"),
    (["count", "top95", "-a", "textbook", "--budget", 1e-3], "0 or more, gave up after ", ""),
    (["count", "n=8", "--nodes", 9, "--json"], '{"algorithm": "', ""),
    (["profile", "hardest", "--nodes", 99], "textbook_bitmask, 11 puzzles", ""),
    (["trace", "n=8", "--all", "--nodes", 5], "    1  (1 * * ", "gave up after 5 nodes, "),
    (["trace", "n=8", "--all", "--json", "--nodes", 5], '{"instance"', "gave up after 5 nodes, "),
    (["trace", "n=20", "--tree", "--depth", 20, "--nodes", 9], "(* * ", "gave up after 9 nodes, ")
])
def test_a_search_gives_up_at_its_limits(run, words, out, err):
    status, printed, said = run(*words)
    assert (status, printed[:len(out)]) == (1, out)
    assert said.startswith(f"nqbench: {err}" if err else "")


def test_a_part_of_what_was_asked_for_is_said_to_be_one(run):
    status, out, err = run("solve", EMPTY, "--limit", 1000, "--nodes", 300)
    assert status == 1
    assert 0 < len(out.splitlines()) < 1000
    assert err.startswith("nqbench: puzzle 1: gave up after ")


def test_a_solution_that_may_not_be_the_first_is_said_to_be(run):
    status, out, err = run("solve", EMPTY, "--nodes", 70)
    assert (status, Grid.of(out.strip()).solved) == (0, True)
    assert err.startswith("nqbench: puzzle 1: perhaps not the first solutions: gave up after ")


EVERYWHERE = """import nqbench


@nqbench.algorithm(problem="instances")
def everywhere(board, tally):
    tally.node(0)
    for row in board.open_rows:
        for column in range(board.n):
            tally.test(row, column)  # also of a square that is not free
    tally.exhausted(0)
    yield from ()
"""


def test_a_trace_shows_placed_queens_in_brackets_and_why_a_square_is_refused(run, tmp_path):
    status, out, err = run("trace", "n=5 placed=0:1 blocked=1:3", "-a", "row_by_row")
    assert (status, err, out.splitlines()[-1]) == (0, "", "   17  ([2] 5 3 1 4)  solution")
    path = tmp_path / "everywhere.py"
    path.write_text(EVERYWHERE)
    lines = run("trace", "n=5 placed=0:1 blocked=1:3", "-a", path)[1].splitlines()
    assert lines[:4] == ["    1  ([2] * * * *)  conflict: row 2, column 1 is attacked from row 1",
                         "    2  ([2] * * * *)  conflict: row 2, column 2 is attacked from row 1",
                         "    3  ([2] * * * *)  conflict: row 2, column 3 is attacked from row 1",
                         "    4  ([2] * * * *)  conflict: row 2, column 4 is blocked"]
    assert "row 1, column 2 is on an excluded diagonal" in run(
        "trace", "n=4 sums=1", "-a", path, "--all")[1]


def test_a_trace_is_json_that_holds_its_instance(run):
    status, out, _ = run("trace", "n=4 placed=0:1", "-a", "row_by_row", "--all", "--json")
    found = json.loads(out)
    assert (status, found["instance"], found["algorithm"], found["limit"]) == (
        0, {"n": 4, "placed": [[0, 1]]}, "row_by_row", None)
    assert {"kind": "place", "square": [1, 3], "queens": [[1, 3]], "attackers": []} in (
        found["steps"])
    assert {"kind": "solution", "square": None, "queens": [[1, 3], [2, 0], [3, 2]],
            "attackers": []} in found["steps"]


@pytest.mark.parametrize(("words", "begins"), [
    (["4"], ["(* * * *)", "├── (1 * * *)"]),
    (["n=5 placed=0:1", "-a", "forward_checking"], ["([2] * * * *)", "├── ([2] 4 * * *)"])])
def test_a_tree_is_drawn_in_every_form(run, tmp_path, words, begins):
    words = ["trace", *words, "--tree"]
    assert run(*words)[1].splitlines()[:2] == begins
    nodes = len(json.loads(run(*words, "--json")[1])["nodes"])
    for name, mark in (("t.svg", "<rect"), ("t.txt", "(")):
        assert run(*words, "--out", tmp_path / name)[1].startswith(f"{nodes} nodes ")
        assert (tmp_path / name).read_text("utf-8").count(mark) == nodes
    assert run("trace", 8, "--tree")[1].count("\n") == 1 + 8 + 42


EVERY = [(problem, name) for problem in PROBLEMS for name in PROBLEMS[problem].catalogue]
TEXTS = {"queens": "4", "instances": "n=4", "sudoku": FIRST}
COMMANDS = {
    **{name: (name, "{}") for name in ("profile", "solve", "count", "trace")},
    "estimate": ("count", "{}", "--estimate"), "tree": ("trace", "{}", "--tree"),
    "play": ("play", "{}", "--out", "play.html"),
    "verify": ("verify",), "study": ("study", "-n", 4)}
TAKES = {"trace": ("queens", "instances"), "tree": ("queens", "instances")}


@pytest.mark.parametrize("problem", [each for each in PROBLEMS if PROBLEMS[each].form])
def test_a_text_is_taken_by_its_own_problem_alone(problem):
    assert problem in TEXTS, f"TEXTS of {__file__} needs a text of {problem}"
    assert recognise(TEXTS[problem]).name == problem


@pytest.mark.parametrize(("problem", "name"), EVERY, ids=str)
def test_each_command_finds_each_algorithm_of_each_problem(run, monkeypatch, problem, name):
    monkeypatch.setattr("nqbench.cli.catalogue.LONG", 0.1)
    homes = [*registry.find_problems(name)]
    notation = name if homes[0] == problem else f"{problem}::{name}"
    shown = json.loads(run("show", notation, "--json")[1])
    assert (shown["name"], shown["problem"]) == (name, problem)
    assert shown["others"] == [f"{each}::{name}" for each in homes if each != problem]
    (listed,) = json.loads(run("list", "-a", notation, "--json")[1])["algorithms"]
    assert (listed["name"], listed["problem"]) == (name, problem)
    assert "solutions" in run("profile", TEXTS[problem], "-a", notation)[1] + (
        run("solve", TEXTS[problem], "-a", notation, "--json")[1])
    for other, text in TEXTS.items():
        if other == problem or (other, problem) == ("queens", "instances") or (
                other in homes and notation == name):
            continue
        for command, words in COMMANDS.items():
            if other in TAKES.get(command, TEXTS) and (other == "queens" or "{}" in words):
                told = refused(run(*(str(word).format(text) for word in words), "-a", notation))
                assert told.startswith(f"{notation if command == 'study' else name} is an "
                                       f"algorithm of {problem}, "), words
    if problem == "instances":  # for which N is the empty board
        assert run("solve", 4, "-a", notation) == run("solve", "n=4", "-a", notation)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fast", "textbook_bitmask", "sudoku::fewest_first",
                                  "sudoku::dancing_links", "join"])
def test_what_no_tree_of_queens_can_check_is_compared_with_others(run, name):
    status, out, _ = run("check", name, *["-n", "0-6"] * (name == "join"))
    assert (status, "is right" in out) == (0, True)
    assert ("3 of 3 of small" in out) == (name != "join")


@pytest.mark.parametrize(("words", "says"), [
    (["solve"], "solve needs INSTANCE, as in `nqbench solve 8 --limit 1 --format queens`"),
    (["solve", "nowhere"], "there is no file 'nowhere'; nor is it N, a whole number, 0 or more, or "
                           "an instance as in 'n=8 placed=0:3', or a puzzle of 81 characters, or "
                           "one of the data sets easy50, top95, hardest, diabolical"),
    (["solve", ""], "there is no file ''"),
    (["solve", "nothing"], "nothing holds no instance or puzzle"),
    (["trace", "nothing"], "nothing holds no instance"),
    (["solve", "long"], "long holds no valid puzzle: line 1: a row has 9 cells, not 16; only 9 x "),
    (["solve", "n=8 queens=0:0"], "an instance has no 'queens', only n=N, placed="),
    (["solve", "n=900"], "n must be at most 400 for an instance, not 900"),
    (["trace", EMPTY], "trace takes queens and instances, not sudoku"),
    (["count", "n=4", "--kernel", "avx2"], "--kernel is for N queens only, not for instances"),
    (["solve", "8", "--nodes", "5"], "--nodes is for other problems, not for queens"),
    (["trace", "boards"], "boards holds more than one instance; give one of them"),
    (["solve", "n=8", "-a", "bitmap"],
     "there is no algorithm 'bitmap'; did you mean bitmask"),
    (["solve", "easy50", "-a", "quick"], "there is no algorithm 'quick'; run `nqbench list`"),
    (["solve", "8", "-a", "instances::bitmap"],
     "there is no algorithm of instances 'bitmap'; did you mean bitmask"),
    (["solve", "easy50", "--limit", "0"], "--limit must be a whole number, 1 to 100,000, not '0'"),
    (["solve", "easy50", "--format", "png"], "there is no format 'png'; there are line, grid"),
    (["count", "n=8", "-a", "min_conflicts"], "min_conflicts finds one solution and cannot count"),
    (["trace", "n=4 placed=0:0,1:1"], "the queens of rows 0 and 1 attack each other")])
def test_a_bad_request_is_one_line(run, words, says):
    assert refused(run(*words)).startswith(says)


@pytest.mark.parametrize("command", ["count", "solve"])
def test_a_wrong_line_of_a_file_is_named_and_the_json_stays_whole(run, tmp_path, command):
    path = tmp_path / "boards"
    path.write_text("n=4\nn=four\n")
    status, out, err = run(command, path, "--json")
    found = json.loads(out)
    assert (status, [each["answer"] for each in found["instances"]]) == (2, [
        {"count": "several", "solve": "found"}[command]])
    assert found["error"] == f"{path}: line 2: n must be a whole number, not 'four'"
    assert err == f"nqbench: {found['error']}\n"


def test_standard_input_that_holds_nothing_or_is_closed_is_refused(run, feed, monkeypatch):
    feed("# nothing\n")
    assert refused(run("solve", "-")) == "standard input holds no instance or puzzle"
    feed("-----\n")
    assert refused(run("solve", "-")) == "standard input holds no puzzle"
    monkeypatch.setattr(sys, "stdin", None)
    assert refused(run("solve", "-")) == "standard input is closed"

"""Functions and programs that were not written for nqbench are checked, counted and measured."""

import json
import shlex
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import refused

import nqbench
from nqbench.problems.plugins import find
from nqbench.problems.plugins.parcels import pack
from nqbench.problems.plugins.programs import NoMemoryError, Program
from nqbench.records.record import read
from nqbench.study.plan import read_study

pytestmark = pytest.mark.usefixtures("no_plugins")
BOARDS = '''
def total(n):
    return len(boards(n))

def boards(n, columns=()):
    if len(columns) == n:
        return [["".join("-Q"[c == d] for d in range(n)) for c in columns]]
    return [board for c in range(n)
            if all(abs(c - d) not in (0, len(columns) - r) for r, d in enumerate(columns))
            for board in boards(n, (*columns, c))]

def lossy(n):
    return boards(n)[n // 6:]

if __name__ == "__main__":
    raise SystemExit("it runs")
'''
PROGRAM = f"{shlex.quote(sys.executable)} program.py {{n}}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(BOARDS)
    Path("program.py").write_text("import sys, mine\nprint(mine.total(int(sys.argv[1])))\n")
    return tmp_path


def test_it_counts_and_its_counters_are_not_counted(folder, run):
    for name in (PROGRAM, "mine.py::boards"):
        assert run("count", 6, "-a", name)[:2] == (0, "4\n")
    assert run("solve", 4, "-a", "mine.py::boards")[1] == "1 3 0 2\n2 0 3 1\n"
    out = run("profile", 6, "-a", "mine.py::boards")[1]
    assert "not counted" in out
    assert "halves" not in out


def test_they_are_shown(folder, run):
    for name in (PROGRAM, "mine.py::total"):
        assert "Its steps cannot be counted." in run("show", name)[1]


def test_a_file_without_algorithms_names_a_function(folder, run):
    assert "mine.py has no algorithm; name one of its functions, as in mine.py::total" in refused(
        run("count", 6, "-a", "mine.py"))


CLASSES = {
    "Solution.totalNQueens": """class Solution:
    def __init__(self):
        self.found = 0

    def place(self, row, n): ...

    def totalNQueens(self, n):
        self.found += nqbench.count(n)
        return self.found
""",
    "Board.solve": """class Board:
    def __init__(self, size=8):
        self.size = size

    def solve(self, row=0):
        return nqbench.count(self.size)
""",
    "Eight.solve": """class Eight:
    def __init__(self, n):
        self.n = n

    def solve(self, size):
        return nqbench.count(size) * (size == self.n)
""",
    "Loud.solve": """class Loud:
    def __init__(self, loud=False):
        assert not loud

    def solve(self, n=8):
        return nqbench.count(n)
""",
    "Static.solve": """class Static(dict):
    @staticmethod
    def solve(n):
        return nqbench.count(n)
""",
    "Class.solve": """class Class:
    @classmethod
    def solve(cls, n):
        return nqbench.count(n)
"""}


@pytest.mark.parametrize("name", CLASSES)
def test_each_call_makes_an_object_and_gives_n_to_what_takes_it(folder, run, name):
    Path("one.py").write_text(f"import nqbench\n\n{CLASSES[name]}")
    code, out, _ = run("check", f"one.py::{name}", "-n", "0-6", "--limit", 20)
    assert (code, "n = 0 to 6: 1 1 0 0 2 10 4, as published" in out) == (0, True), out


def test_the_source_of_a_class_that_is_made_for_n_identifies_it(folder):
    Path("one.py").write_text(f"import nqbench\n\n{CLASSES['Board.solve']}")
    found = find("one.py::Board.solve")
    assert pack([found])[0]["source"] == sha256(Path("one.py").read_bytes()).hexdigest()


@pytest.mark.parametrize("source", [
    "def is_free(row, columns): ...\n\ndef show(n): ...\n\ndef places(n):\n"
    "    return nqbench.count(n)\n",
    "def step(n): ...\n\ndef all_solutions(n):\n    return nqbench.count(n)\n",
    "from functools import lru_cache\n\n@lru_cache\ndef total(n):\n    return nqbench.count(n)\n",
    "def is_free(row): ...\n\ndef find_queens(board_size):\n    return nqbench.count(board_size)\n",
    *CLASSES.values()])
def test_the_only_function_that_can_be_meant_stands_for_its_file(folder, run, source):
    Path("one.py").write_text(f"import nqbench\n\n{source}")
    assert run("count", 6, "-a", "one.py")[:2] == (0, "4\n")


@pytest.mark.parametrize(("source", "says"), [
    ("def count(n): ...\n\ndef solve(n): ...\n", "name one of its functions, as in one.py::count"),
    ("def recursive_solve(n): ...\n\ndef solve(n): ...\n", "as in one.py::solve"),
    ("def queens(board, row): ...\n", "one.py has no algorithm; decorate a generator with "
     "@nqbench.algorithm, write a function of n or a puzzle alone, or run it as a command: python3 "
     "one.py {n}"),
    ("def solve(n):\n    print(n)\n", "solve cannot be used: it returns None; let it return its "
     "answers, or, if it prints them, run it as a command: python3 one.py {n}")])
def test_a_file_that_leaves_a_choice_is_refused_with_what_to_do(folder, run, source, says):
    Path("one.py").write_text(source)
    assert refused(run("check", "one.py")).rstrip().endswith(says)


def test_a_count_that_outlives_its_call_is_named_so(folder, run):
    Path("one.py").write_text("import nqbench\n\ntotal = 0\n\ndef queens(n):\n    global total\n"
                              "    total += nqbench.count(n)\n    return total\n")
    code, out, _ = run("check", "one.py", "-n", "0-4")
    assert (code, "n = 1: it counts 3 solutions, not 1; a second call counts 4: something outlives "
            "a search, such as a cache or a global list" in out) == (1, True), out
    Path("one.py").write_text(
        "from functools import cache\n\n@cache\ndef queens(n, columns=()):\n"
        "    return len(columns) == n or sum(queens(n, (*columns, c)) for c in range(n) if all(\n"
        "        abs(c - d) not in (0, len(columns) - r) for r, d in enumerate(columns)))\n")
    code, out, _ = run("check", "one.py", "-n", "0-6")
    assert (code, "warning    n = 5: a second call runs " in out) == (0, True), out


def test_a_function_with_more_arguments_says_what_to_write(folder, run):
    Path("one.py").write_text("def queens(board, row): ...\n")
    assert refused(run("check", "one.py::queens")).rstrip().endswith(
        "queens must be a function of n alone, or of n and tally with @nqbench.algorithm; write "
        "one that calls it")


@pytest.mark.slow
def test_a_program_is_checked_and_its_first_wrong_n_is_named(folder, run):
    code, out, _ = run("check", PROGRAM, "-n", "0-6", "--limit", 20)
    assert (code, "prints the number of solutions" in out) == (0, True)
    Path("program.py").write_text("import sys, mine\nprint(len(mine.lossy(int(sys.argv[1]))))\n")
    code, out, _ = run("check", PROGRAM, "-n", "0-8")
    assert (code, "total      n = 6: it counts 3 solutions, not 4" in out) == (1, True)


SEARCH = """import nqbench

def search(n):
    columns, found = [], []
    def place(row):
        if row == n:
            yield tuple(columns)
            return
        for c in range(n):
            if all(abs(c - d) not in (0, row - r) for r, d in enumerate(columns)):
                columns.append(c)
                yield from place(row + 1)
                columns.pop()
    yield from place(0)
"""


@pytest.mark.parametrize(("old", "new", "says"), [
    ("yield from place(row + 1)", "place(row + 1)",
     "line 12: place(...) alone does nothing, as it is a generator; yield from place(...)"),
    ("yield tuple(columns)\n            return", "return tuple(columns)",
     "line 7: a generator loses what it returns; yield it"),
    ("yield tuple(columns)", "yield columns", "line 7: columns is one list, which changes later"),
    ("yield tuple(columns)", "found.append(columns); yield from [columns] * 2",
     "line 7: columns is one list"),
    ("    yield from place(0)", "    return search(n)",
     "line 14: RecursionError: maximum recursion depth exceeded; Python allows"),
    ("def search(n)", "@nqbench.algorithm\ndef search(n)", "line 3)")])
def test_a_mistake_of_beginners_is_named_with_its_line(folder, run, old, new, says):
    Path("search.py").write_text(SEARCH.replace(old, new))
    assert says in refused(run("check", "search.py::search", "-n", "0-4"))


@pytest.mark.thorough
@pytest.mark.slow
def test_what_a_search_does_not_report_is_not_counted_anywhere(folder, run):
    text = SEARCH.replace("def search(n)", "@nqbench.algorithm\ndef search(n, tally)").replace(
        "        if row == n", "        tally.node(row)\n        if row == n")
    Path("search.py").write_text(text)
    code, out, _ = run("check", "search.py", "-n", "0-6")
    assert (code, "counts nodes; does not count tests" in out) == (0, True)
    out = run("show", "search.py")[1]
    assert "2,057 │  3.7 times │ not counted │            │" in out
    assert run("study", "-a", "search.py", "-a", "bitmask@python", "-n", "6-8", "--samples", 2,
               "--processes", 2)[0] == 0
    assert run("report", "--results", "results", "--out", "page")[0] == 0
    row = next(each for each in Path("page/index.html").read_text().split("<tr")
               if "2,057" in each and "search" in each and "not counted" in each)
    assert row.count("not counted") == 6  # leaves among them


def test_without_queens_a_program_may_be_wrong(folder, run):
    Path("program.py").write_text("import sys, mine\nn = int(sys.argv[1])\n"
                                  "assert n, 'no queens'\n"
                                  "print(f'There are {mine.total(n)} solutions for the {n}-queens "
                                  "problem on {n * n} squares.')\n")
    code, out, _ = run("check", PROGRAM, "-n", "0-6", "--limit", 20)
    assert code == 0
    assert "n = 1 to 6: 1 0 0 2 10 4" in out
    assert "at n = 0 ended with status 1: AssertionError: no queens; by convention" in out


@pytest.mark.thorough
@pytest.mark.slow
def test_a_study_measures_functions_and_programs_with_algorithms(folder, run):
    Path("study.toml").write_text(
        '[study]\nalgorithms = ["bitmask@python", "mine.py::boards"]\nn = "4-6"\n'
        'processes = 2\nsamples = 2\nbudget = "60 s"\n[programs.outside]\n'
        f"command = {json.dumps(PROGRAM)}\nsources = ['program.py']\n")
    code, out, _ = run("study", "study.toml", "--json")
    assert (code, json.loads(out)["measured"]) == (0, 9)
    records = list(read(Path("results/local"), pytest.fail))
    assert {(each["algorithm"], each["implementation"]) for each in records
            if each["metric"] == "seconds"} == {
        ("bitmask", "python"), ("boards", "python"), ("outside", "process")}
    assert {each["metric"] for each in records if each.get("algorithm") == "boards"} == {
        "algorithm", "seconds", "solutions"}
    assert [each["samples"] for each in records
            if (each.get("algorithm"), each["metric"], each.get("n")) == (
                "outside", "solutions", 6)] == [[4]]


@pytest.mark.thorough
@pytest.mark.slow
def test_a_study_goes_on_without_what_is_wrong_and_records_what_a_program_tells(folder, run):
    Path("told.py").write_text("import sys, mine\nn = int(sys.argv[2])\nprint(sys.argv[1])\n"
                               "print(f'{mine.total(n)} in 0.125 s')\nprint('{\"nodes\": 17}')\n")
    command = json.dumps(PROGRAM.replace("program.py", "told.py {threads}"))
    Path("study.toml").write_text(
        '[study]\nalgorithms = ["bitmask@python", "mine.py::lossy"]\nn = "4-6"\n'
        'processes = 2\nsamples = 2\nbudget = "60 s"\n'
        "[programs.unbuilt]\nbuild = \"sh -c 'echo no; exit 3'\"\ncommand = './a {n}'\n"
        f"[programs.told]\ncommand = {command}\n"
        "count = '(.*) in'\nseconds = 'in (.*) s'\nthreads = 3\nsources = ['told.py']\n")
    code, _, err = run("study", "study.toml")
    assert code == 1
    assert "lossy is not measured, as it is wrong: n = 6: 1 of 4 solutions are missing" in err
    assert "unbuilt: its build ended with status 3: no" in err
    records = [each for each in read(Path("results/local"), pytest.fail)
               if each.get("algorithm") == "told"]
    assert {(each["metric"], *each["samples"][:1]) for each in records if each["n"] == 6} == {
        ("seconds", 0.125), ("solutions", 4), ("nodes", 17)}
    (said,) = (each["description"]["program"] for each in records if each["metric"] == "algorithm")
    assert (said["threads"], len(said["startup"]), list(said["sources"])) == (
        3, 5, ["told.py"])
    assert run("report", "--results", "results", "--out", "page")[0] == 0
    page = Path("page/index.html").read_text()
    assert "told prints its own time" in page
    assert "lossy is not measured, as it is wrong: n = 6" in page
    assert said["sources"]["told.py"][:12] in page


def test_a_program_takes_the_threads_of_a_count(folder, run):
    command = """sh -c 'echo "{{\\"solutions\\": {threads}}}" for {n} | head -c 16'"""
    code, out, err = run("count", 8, "-a", command, "--jobs", 2)
    assert (code, out) == (1, "2\n")
    assert "sh counts 2 for n = 8, but there are 92 (A000170)" in err
    assert "jobs must be 1" in refused(run("count", 8, "-a", PROGRAM, "--jobs", 2))
    assert "counts nothing in process" in refused(run("profile", 8, "-a", PROGRAM))


@pytest.mark.slow
def test_a_command_is_measured_without_a_check(folder, run):
    assert run("study", "-a", PROGRAM, "-n", 1, "--unchecked", "--samples", 1,
               "--processes", 1)[0] == 0
    assert ("program (unchecked)", [1]) in [
        (each["algorithm"], each["samples"]) for each in read(Path("results/local"), pytest.fail)
        if each["metric"] == "solutions"]


def test_a_program_is_measured_whose_name_is_in_that_of_an_algorithm(folder):
    Path("study.toml").write_text('[study]\nalgorithms = "bitmask@python"\nn = [4]\n'
                                  f"[programs.mask]\ncommand = {json.dumps(PROGRAM)}\n")
    assert [each.name for each in read_study("study.toml").algorithms] == ["bitmask", "mask"]


@pytest.mark.parametrize(("table", "says"), [
    ("command = 'a {n}'\nthread = 2", "no field of a program 'thread'; did you mean threads"),
    ("command = 5", "command must be a text, not 5"), ("build = 'make'", "its command is missing"),
    ("command = 'a {n}'\nsources = 'a.c'", "sources must be a list of texts, not 'a.c'"),
    ("command = 'a {n}'\nsources = ['a.c']", "its source 'a.c' is no file in"),
    ("command = 'a {n}'\nbuild = 'false'", "its build ended with status 1")])
def test_a_bad_program_in_a_study_file_is_one_line(folder, run, table, says):
    Path("study.toml").write_text(f"[study]\nn = [4]\n[programs.mine]\n{table}\n")
    assert says in refused(run("study", "study.toml"))


SOLVER = f"""import sys
sys.path.insert(0, {str(Path(nqbench.__file__).parents[1])!r})
from nqbench.problems import sudoku
for line in sys.stdin:
    (found,) = sudoku.solve(sudoku.Grid.of(line.strip())).solutions
    print(line.strip(), "is solved by", "".join(map(str, found)))
"""
SOLVES = f"{shlex.quote(sys.executable)} solver.py < {{puzzles}}"


@pytest.mark.thorough
def test_a_program_that_solves_sudoku_is_checked_and_rated(folder, run):
    Path("solver.py").write_text(SOLVER)
    code, out, _ = run("check", SOLVES)
    assert (code, out.splitlines()[2].strip()) == (
        0, "puzzles    50 of 50 of easy50, 95 of 95 of top95, 11 of 11 of hardest, 1513 of 1513 of "
           "diabolical")
    assert run("study", "easy50", "-a", "fast", "-a", SOLVES, "--samples", 1,
               "--processes", 2, "--results", "rates")[0] == 0
    found = next(each for each in read(Path("rates"), pytest.fail)
                 if each.get("implementation") == "process")
    assert (found["solutions"], found["limit"], "nodes" in found) == ([1] * 50, 1, False)
    assert run("report", "--results", "rates", "--out", "page")[0] == 0
    assert "solver.py &lt; {puzzles}" in Path("page/index.html").read_text()


@pytest.mark.parametrize(("command", "says"), [
    ("cat", "easy50: 50 of 50 puzzles are not solved, the first is number 1"),
    ("tr . 1", "tr . 1: puzzle 1, "),
    ("head -3", "head -3 printed 3 lines for 50 puzzles; let it print a line with 81 digits for "
     "each, or start it for each: sh -c 'while read p; do head -3 \"$p\" | tr -dc 1-9; echo; done' "
     "< {puzzles}"),
    ("false", "false ended with status 1"),
    ("false", "is wrong: the search fails"),
    ("yes 12", "yes 12 printed more than 16,802,816 bytes, and was ended")])
def test_a_wrong_solver_of_sudoku_is_named(folder, run, command, says):
    code, out, _ = run("check", f"{command} < {{puzzles}}")
    assert (code, says in out) == (1, True), out


def test_a_solver_of_sudoku_does_not_count_queens(folder, run):
    assert "is an algorithm of sudoku, not of queens" in refused(run("count", 8, "-a", SOLVES))


@pytest.mark.parametrize("command", ["mine.py::large", PROGRAM.replace("program.py", "large.py")])
def test_what_gets_no_memory_is_out_of_memory_and_keeps_what_held(folder, run, command):
    with Path("mine.py").open("a") as file:
        file.write("\ndef large(n):\n    return len(bytes(1 << 46) if n > 6 else boards(n))\n")
    Path("large.py").write_text("import sys, mine\nprint(mine.large(int(sys.argv[1])))\n")
    code, out, _ = run("check", command, "-n", "1-8")
    assert code == 1
    assert "n = 1 to 6: 1 0 0 2 10 4, as published" in out
    assert out.endswith("is wrong: out of memory\n")
    code, _, err = run("study", "-a", command, "-n", "4-7", "--budget", "9")
    assert code == 2
    assert "is not measured, as its check did not end: stopped, as it needs more than" in err


@pytest.mark.parametrize("said", [
    "MemoryError", "terminate called after throwing an instance of 'std::bad_alloc'",
    "memory allocation of 70368744177664 bytes failed", "fatal error: runtime: out of memory"])
def test_a_program_without_memory_is_known_by_what_it_says(folder, said):
    Path("said").write_text(said)
    with pytest.raises(NoMemoryError, match=r"^it at n = 8 ended with status 1: ."):
        Program(name="it", command="sh -c 'cat said >&2; exit 1 # {n}'", count="(x)").run(8)

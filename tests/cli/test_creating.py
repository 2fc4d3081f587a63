"""The commands `new` and `check`, and what a check finds."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import EVERY, refused
from programs import CACHED

import nqbench
from nqbench.checking import check, check_in_child
from nqbench.cli.check import describe

pytestmark = pytest.mark.usefixtures("no_plugins")


@pytest.fixture
def here(tmp_path, monkeypatch, run):
    """A folder with the template, my_idea.py."""
    monkeypatch.chdir(tmp_path)
    assert run("new", "my_idea.py") == (
        0, "my_idea.py is written; change it, then run `nqbench check my_idea.py`\n", "")
    return tmp_path


@pytest.fixture
def changed(here):
    """Check the template with a text replaced, for n up to 6."""
    return change


def change(*pairs, more="", max_n=6):
    """Check my_idea.py with these texts replaced."""
    text = Path("my_idea.py").read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    Path("my_idea.py").write_text(text + more)
    return check("my_idea.py", max_n)


REFUSE_THE_THIRD = "enumerate(columns)):", "enumerate(columns)) and (row, column) != (0, 2):"


def only(findings):
    (fault,) = findings.faults
    return fault


def test_the_template_is_right(here):
    assert nqbench.check is check
    findings = check("my_idea.py", 7)
    assert (findings.ok, findings.verdict, findings.algorithm) == (True, "right", "my_idea")
    assert findings.tree == [(nodes, nodes) for nodes in (1, 7, 30, 76, 140, 164, 94, 40)]


@pytest.mark.parametrize(("file", "name"), [
    ("look-ahead.py", "look_ahead"), ("2nd.py", "_2nd"), ("class.py", "_class"),
    ('a"b.py', "a_b"), ("tally.py", "_tally"), ("nqbench.py", "_nqbench"), ("range.py", "_range"),
    ("__debug__.py", "___debug__"), ("x\u00b2.py", "x2"), ("{name}.py", "_name_")])
@pytest.mark.parametrize("problem", ["queens", "instances"])
def test_a_template_is_named_after_its_file_and_right(here, run, problem, file, name):
    assert run("new", file, "--problem", problem)[0] == 0
    lines = Path(file).read_text().splitlines()
    assert [line for line in lines if line.startswith(("import", "from"))] == ["import nqbench"]
    assert len(lines) < 30
    findings = check(file, 4)
    assert (findings.algorithm, findings.ok) == (name, True)


@pytest.mark.parametrize(("words", "message"), [
    (["my_idea.py"], "my_idea.py exists already, and is not replaced: choose another name"),
    (["my_idea.txt"], "FILE must end in .py, not 'my_idea.txt'"),
    (["bitmask.py"], "the name 'bitmask' is taken by a built-in algorithm"),
    (["row_by_row.py", "--problem", "instances"], "'row_by_row' is taken by a built-in algorithm"),
    (["somers.py", "--problem", "instances"], "'somers' is taken by a built-in algorithm"),
    (["x.py", "--problem", "sudoku"], "there is no template 'sudoku'; there are queens, instances"),
    (["no/such/folder.py"], "FILE must be a file that can be written, not 'no/such/folder.py' "
     "(there is no folder no/such)"),
    *(([file], "FILE must have a name that can be printed and contains no '::'")
      for file in ("a::b.py", "a::b/c.py", "a\nb.py", "a\udcffb.py"))])
def test_a_template_replaces_nothing(here, run, words, message):
    before = Path("my_idea.py").read_text()
    assert message in refused(run("new", *words))
    assert Path("my_idea.py").read_text() == before
    assert [path.name for path in here.iterdir()] == ["my_idea.py"]


@pytest.mark.parametrize(("name", "n"), [("canonical", 7), ("depth_limited:4", 5), *(
    (name, 5) for name in EVERY if name not in ("board_matrix", "min_conflicts"))])
def test_nothing_is_wrong_with_the_built_in_searches(name, n):
    assert check(name, n).faults == []


def test_pruning_too_much_says_how_much_is_lost_and_draws_it(changed):
    findings = changed(REFUSE_THE_THIRD)
    assert only(findings).kind == "missing"
    assert findings.solutions[4:6] == [(4, 2, 1), (5, 10, 8)]
    assert findings.first_queen == [(0, 0, 0), (1, 1, 1), (2, 1, 0), (3, 0, 0)]
    lines = describe(findings.as_dict())
    place = lines.index("    . . Q .")
    assert lines[place:place + 4] == ["    . . Q .", "    Q . . .", "    . . . Q", "    . Q . ."]
    assert "column 3: 0, not 1" in "\n".join(lines)
    assert lines[-1] == "my_idea is wrong: unsound pruning: it loses solutions"
    assert len(lines) < 25


@pytest.mark.parametrize(("change", "n", "placement", "prefix", "says"), [
    (REFUSE_THE_THIRD, 4, (2, 0, 3, 1), (), "n = 4: 1 of 2 solutions are missing, the first is "
     "(3 1 4 2); below (* * * *), at level 0, row 1, column 3 is refused"),
    (("enumerate(columns)):", "enumerate(columns)) and (row, column) != (2, 0):"), 4, (1, 3, 0, 2),
     ((0, 1), (1, 3)), "below (2 4 * *), at level 2, row 3, column 1 is refused"),
    (("in range(n):", "in range(n - (row == 3)):"), 5, (0, 3, 1, 4, 2), ((0, 0), (1, 3), (2, 1)),
     "its next queen is not tried"),
    (("range(n):", "range(n if row or n < 2 else n // 2):"), 4, (2, 0, 3, 1), (),
     "its next queen is not tried")])
def test_unsound_pruning_is_found_at_the_deepest_node(changed, change, n, placement, prefix, says):
    findings = changed(change)
    fault = only(findings)
    assert findings.verdict == "unsound pruning: it loses solutions"
    assert (fault.n, fault.level, fault.placement, fault.prefix) == (
        n, len(prefix), placement, prefix)
    assert says in fault.text


def test_a_solution_that_is_reached_but_not_yielded_is_missing(changed):
    findings = changed(("yield tuple(columns)", "if columns[:1] != [1]:\n                "
                        "yield tuple(columns)"))
    missing, counter = findings.faults
    assert "(2 4 1 3) is a node, but it is not yielded" in missing.text
    assert (counter.counter, counter.n, counter.expected, counter.got) == ("visits", 1 + 3, 1, 2)


HALF = ("range(n):", "range((n + 1) // 2 if not row else\n"
        "                n // 2 if n % 2 and columns == [n // 2] else n):")


@pytest.mark.parametrize(("attributes", "says"), [
    ("mirrors=True", None), ("mirrors=lambda n: True", None),
    ('symmetry="mirror", mirrors=True', None), ("mirrors=False", "solutions are missing"),
    ('symmetry="mirror"', "if it leaves out mirror images, say mirrors=True: symmetry is only a "
                          "text")])
def test_half_a_search_is_right_if_it_says_so(changed, attributes, says):
    findings = changed(("algorithm(", f"algorithm({attributes}, "), HALF)
    assert findings.ok if says is None else says in only(findings).text


def test_an_orbit_has_at_most_eight_images(changed):
    findings = changed(("algorithm(", "algorithm(uses_symmetry=True, "),
                       ("tally.solution()", "tally.solution() if tally.visits < 1 else None"))
    assert "n = 5: tally.solution() was called 1 times, but 10 placements were yielded" in {
        fault.text for fault in findings.faults}


@pytest.mark.parametrize("value", ["1", "None", "'even'"])
def test_mirrors_is_true_or_false_or_a_function(changed, value):
    with pytest.raises(ValueError, match="mirrors must be True, False or a function of n, not "
                       + value):
        changed(("algorithm(", f"algorithm(mirrors={value}, "))


@pytest.mark.parametrize(("old", "new", "counter", "n", "level", "expected", "got"), [
    ("tally.solution()", "tally.solution(); tally.solution()", "visits", 0, 0, 1, 2),
    ("tally.node(level)", "tally.node(level + (level == 2 < n))", "levels", 3, 3, 0, 2),
    ("tally.node(level)", "tally.node(level)\n        if level == 0:\n            tally.node(0)",
     "levels", 0, 0, 1, 2),
    ("tally.node(level)", "tally.node(level); tally.node(level)", "levels", 0, 0, 1, 2),
    ("tally.exhausted(level)", "if level != 1: tally.exhausted(level)", "dead_levels", 2, 1,
     2, 0),
    ("tally.exhausted(level)", "tally.exhausted(level); tally.dead_end(level)", "dead_levels", 1, 0,
     0, 1),
    ("tally.node(level)", "tally.node(level); tally.tests -= 5 * (level > 0)", "tests", 1, None, 1,
     -4),
    ("tally.test(row, column)", "if row: tally.test(row, column)", "tests", 1, 1, 1, 0),
    ("tally.test(row, column)", "tally.test(row, column); tally.test(row, column)", "tests", 1, 0,
     1, 2),
    ("tally.test(row, column)", "tally.test(row, column)\n            tally.test(row, 0)", "tests",
     1, 0, 1, 2),
    ("algorithm(", 'algorithm(tree="plain", mirrors=lambda n: n == 4, ', "tree", 4, 1, 4, 2),
])
def test_wrong_counting_is_told_from_unsound_pruning(changed, old, new, counter, n, level,
                                                     expected, got):
    pairs = [(old, new)]
    if counter == "tree":
        pairs.append(("range(n):", "range(n // 2 if n == 4 and not row else n):"))
    findings = changed(*pairs)
    fault = findings.faults[0]
    assert findings.verdict == "wrong counting"
    assert (fault.counter, fault.n, fault.level, fault.expected, fault.got) == (
        counter, n, level, expected, got)
    assert f"n = {n}" in fault.text


NODES = ["dead_ends", "dead_levels", "leaves", "levels", "nodes", "nodes_to_first"]


@pytest.mark.parametrize(("without", "uncounted"), [
    (["tally.exhausted(level)"], ["dead_ends", "dead_levels", "exhaustions", "leaves"]),
    (["            tally.test(row, column)"], ["tests", "tests_to_first"]),
    (["tally.node(level)"], NODES),
    (["tally.solution()"], ["nodes_to_first", "tests_to_first"]),
    (["tally.exhausted(level)", "tally.node(level)", "            tally.test(row, column)",
      "tally.solution()"], sorted([*NODES, "exhaustions", "tests", "tests_to_first"]))])
def test_what_a_search_never_reports_is_not_counted_and_no_fault(changed, without, uncounted):
    before = changed(max_n=0).uncounted
    findings = changed(*((statement, f"{statement[:-len(statement.lstrip())]}()")
                         for statement in without))
    assert (findings.verdict, findings.tree != []) == ("right", "nodes" not in uncounted)
    assert set(findings.uncounted) - set(before) == set(uncounted)


@pytest.mark.parametrize(("level", "verdict"), [("level", "right"), ("row", "wrong counting")])
def test_exhausted_takes_a_level_in_any_order_of_rows(changed, level, verdict):
    findings = changed(
        ("columns = [", "order = [*range(n // 2, n), *range(n // 2)]\n    columns = {}  # ["),
        ("row = level", "row = order[level]"), ("in enumerate(columns)", "in columns.items()"),
        ("(0, row - r)", "(0, abs(row - r))"),
        ("tuple(columns)", "tuple(columns[r] for r in range(n))"),
        ("columns.append(column)", "columns[row] = column"), ("columns.pop()", "del columns[row]"),
        ("tally.exhausted(level)", f"tally.exhausted({level})"))
    assert findings.verdict == verdict
    for fault in findings.faults:
        assert fault.text.endswith("call tally.exhausted(level) after the last candidate; `level` "
                                   "is the number of queens, not the row")


@pytest.mark.parametrize(("old", "new", "kind", "says"), [
    ("(0, row - r)", "(0,)", "wrong",
     "solution 1, (1 2), is wrong: the queens of rows 1 and 2 attack each other"),
    ("            return\n", "            yield tuple(columns)\n            return\n", "wrong",
     "n = 0: solution 2 is solution 1 again: ()"),
    ("yield tuple(columns)", "yield n", "shape", "n = 0: it yields 0, not a tuple of 0 columns"),
    ("yield tuple(columns)", "yield (*columns, 0)", "shape",
     "n = 0: it yields (0,), not a tuple of 0"),
    ("yield tuple(columns)", "yield [*columns]", "shape",
     "n = 1: it yields a list, [0]; yield tuple("),
    ("tally.solution()", "t = tally; t.solution()", "builds", "")])
def test_each_mistake_is_told_from_the_others(changed, old, new, kind, says):
    fault = changed((old, new), max_n=3).faults[0]
    assert fault.kind == kind
    assert says in fault.text


def test_a_search_that_raises_shows_its_own_lines(changed):
    findings = changed(("columns.pop()", "columns.pop(); 1 // (4 - n)"))
    fault = only(findings)
    assert "n = 4, line 21: ZeroDivisionError: " in fault.text
    assert any("columns.pop(); 1 // (4 - n)" in line for line in fault.lines)
    assert not any("examining" in line for line in fault.lines)
    assert findings.solutions[-1] == (3, 0, 0)


def test_what_a_search_leaves_behind_must_not_change_the_next_one(changed):
    findings = changed(("    columns = [", "    columns = [][:0]; known = SEEN  # ["), (
        "tally.node(level)", "tally.node(level)\n        if (n, *columns) in known:\n"
        "            return\n        known.add((n, *columns))"), more="\n\nSEEN = set()\n")
    assert findings.verdict == "a search depends on the one before"
    assert only(findings).text == (
        "n = 0: a second search reaches 0 placements, the first 1; something outlives a search, "
        "such as a cache or a global list")


@pytest.mark.parametrize(("tests", "second", "first"), [
    ("len(TIMES)", 2, 1), ("9 - len(TIMES)", 7, 8)])
def test_a_second_search_must_count_the_same(changed, tests, second, first):
    fault = only(changed(("tally.test(row, column)", "TIMES.append(n)\n            "
                          f"tally.tests += {tests}"), more="\n\nTIMES = []\n"))
    assert (fault.kind, fault.n) == ("state", 1)
    assert (f"n = 1: a second search says tests = {second}, the first {first}; something "
            "outlives") in fault.text


def test_a_second_search_that_takes_few_steps_is_a_warning(here):
    Path("cached.py").write_text(CACHED)
    findings = check("cached.py", 6)
    (warning,) = findings.warnings
    assert findings.ok
    assert warning.startswith("n = 4: a second search runs ")
    assert f"  warning    {warning}" in describe(findings.as_dict())
    Path("cached.py").write_text(CACHED.replace("@cache", "").replace("idea(n", "idea2(n"))
    assert check("cached.py", 6).warnings == []


@pytest.mark.parametrize("timed", [
    "not gc.isenabled() and not sys.getprofile()",
    "sys._getframe(1).f_code.co_name == '<genexpr>'"])
def test_a_search_that_knows_that_it_is_timed_is_wrong(changed, timed):
    """It counts right, by a table, where it is timed, and searches elsewhere."""
    fault = only(changed(("yield from place(0)", f"if {timed}:\n        "
                          "yield from [(0,) * n] * (1, 1, 0, 0, 2, 10, 4)[n]\n        return\n    "
                          "yield from place(0)"), ("import nqbench", "import gc, sys, nqbench")))
    assert fault.kind == "builds"
    assert "build of my_idea differs from its counting build at n = 4: answer 1 is" in fault.text


def test_a_thread_that_is_left_running_is_a_warning(changed):
    stop = "STOP = threading.Event()"
    findings = changed(("yield from place(0)", "threading.Thread(target=STOP.wait, daemon=True)"
                        ".start()\n    yield from place(0)"),
                       ("import nqbench", "import threading, nqbench"), more=f"\n\n{stop}\n")
    assert findings.ok
    assert [text.partition(": ")[2][:38] for text in findings.warnings] == [
        "a thread is alive after the search; it"]


@pytest.mark.parametrize(("later", "doubted"), [(1000, True), (8000, False)])
def test_a_second_search_of_less_than_half_the_lines_is_a_warning(changed, later, doubted):
    found = changed(("yield from place(0)", f"many = {later} if n in SEEN else 4000\n    "
                     "SEEN.add(n)\n    for _ in range(many):\n        pass\n    "
                     "yield from place(0)"), more="\n\nSEEN = set()\n")
    assert found.ok
    assert bool(found.warnings) == doubted


RECURSIVE = """

def count(n, row=0, taken=0, left=0, right=0):
    found = row == n
    for column in range(n * (not found)):
        bit = 1 << column
        if not bit & (taken | left | right):
            found += count(n, row + 1, taken | bit, (left | bit) << 1, (right | bit) >> 1)
    return int(found)

my_idea.implement("masks", count)
"""


def test_an_implementation_that_keeps_its_count_is_a_warning(changed):
    assert changed(more=RECURSIVE).warnings == []
    (warning,) = changed(("import nqbench", "import functools, nqbench"), (
        "def count", "@functools.cache\ndef count")).warnings
    assert warning.startswith("masks, n = 5: a second call runs ")


def test_an_implementation_must_count_the_same_again(changed):
    fault = only(changed(more=RECURSIVE.replace(", count)", ", lambda n: KEPT.append(n) or "
                                                "count(n) * KEPT.count(n))\nKEPT = []")))
    assert (fault.kind, fault.text.partition(";")[0]) == (
        "implementation", "masks, n = 0: in a second call, it counts 2 solutions, not 1")


def test_larger_totals_are_checked_as_far_as_the_time_allows(changed):
    more = ("\n\nmy_idea.implement('good', nqbench.count)\n"
            "my_idea.implement('bad', lambda n: nqbench.count(n) + (n == 9))\n")
    assert changed(more="", max_n=5).solutions[-1] == (5, 10, 10)
    found = check("my_idea.py", 5, seconds=0.3)
    assert found.ok and found.solutions[-1][0] > 5 and found.tree[-1] == (10, 10)
    assert describe(found.as_dict())[-1] == f"my_idea is right up to n = {found.solutions[-1][0]}"
    Path("my_idea.py").write_text(Path("my_idea.py").read_text() + more)
    fault = only(check("my_idea.py", 7, seconds=60.0))
    assert fault.text == "bad, n = 9: it counts 353 solutions, not 352"


def test_a_search_that_loses_solutions_from_some_n_on_is_wrong(changed):
    changed(("enumerate(columns)):", "enumerate(columns)) and (n, row, column) != (8, 0, 2):"))
    assert check("my_idea.py", 7).ok
    Path("my_idea.py").write_text(Path("my_idea.py").read_text() + (
        "\n\nmy_idea.implement('good', nqbench.count)\n"))
    found = check("my_idea.py", 7, seconds=60.0)
    assert found.implementations == {"good": 7}  # nothing is counted after the fault
    assert only(found).text == "n = 8: it counts 76 solutions, not 92"
    assert found.verdict == "unsound pruning: it loses solutions"


def test_every_implementation_is_compared(changed):
    findings = changed(more="\n\nmy_idea.implement('good', [1, 1, 0, 0, 2].__getitem__)\n"
                       "my_idea.implement('bad', lambda n: 2 * (n == 4) + 1)\n"
                       "my_idea.implement('worse', lambda n: 1 // 0)\n", max_n=4)
    worse, bad = findings.faults
    assert findings.implementations == {"good": 4, "bad": 1, "worse": -1}
    assert (bad.kind, bad.counter, bad.n, bad.expected, bad.got) == (
        "implementation", "bad", 2, 0, 1)
    assert "worse, n = 0: ZeroDivisionError" in worse.text


def test_a_search_for_some_solutions_may_miss_others(changed):
    assert changed(("algorithm(", 'algorithm(finds="some solutions", '),
                   ("range(n):", "range(n - 1, n) if not row else range(n):")).ok


def test_the_tree_is_compared_with_the_plain_tree_level_by_level(changed):
    findings = changed(("tally.test(row, column)", "tally.test(row, column)\n            "
                        "if n == 5 and (row, column) == (0, 4): continue"), max_n=5)
    lines = "\n".join(describe(findings.as_dict()))
    assert "level  1         4 of         5  prunes 20 %" in lines
    more = changed(("(0, row - r)", "(0, (row - r) * (row > 1))"), max_n=4)
    assert "% more" in "\n".join(describe(more.as_dict()))


def test_the_command_that_checks_a_new_file_is_one_for_a_shell(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "my idea's.py")[1].endswith(
        """run `nqbench check 'my idea'"'"'s.py'`\n""")


def test_what_cannot_be_checked_is_refused_and_not_called_right(here, run):
    for name, place in (("my_idea", "my_idea.py"), ("iterative", "iterative")):
        assert refused(run("check", place, "-n", 501)) == (
            f"{name} can be checked up to n = 500, not from 501 on")
    told = "can be checked up to n = 27, the largest with a published count, not from 28 on"
    Path("counts.py").write_text("def count(n):\n    return 92\n")
    assert refused(run("check", "counts.py", "-n", "28-30")) == f"count {told}"
    assert refused(run("check", "cross", "-n", 28)) == f"cross {told}"
    for sizes in "0", "8-9":
        assert refused(run("check", "instances::bitmask", "-n", sizes)) == (
            f"bitmask can be checked for 1 to 7 queens, not for {sizes[0]}")
    assert refused(run("check", "fast", "-n", 4)) == (
        "-n is for queens and their instances; fast solves sudoku")


ONE = """import nqbench
@nqbench.algorithm(problem={!r}, finds="one solution")
def idea(instance, tally):
    for step in range({}):
        step += 1
        tally.node(0)
    yield from ()
"""


@pytest.mark.parametrize(("text", "sizes", "says"), [
    ("def count(n):\n    return [2, 10][n - 4 if n > 3 else 9]\n", "0-3", "it gives no answer"),
    ("def find(n):\n    return [[(1, 3, 0, 2)]][n - 4 if n > 3 else 9]\n", "1-2",
     "it gives no answer"),
    (ONE.format("queens", 1).replace("instance,", "n,"), "4-6", "it finds no solution where"),
    (ONE.format("instances", 1).replace("finds", "complete=False, finds"), "1-3",
     "it finds no solution where there is one"),
    (ONE.format("instances", 2000), "1", "it gives no answer")])
def test_what_finds_nothing_is_not_called_right(here, run, text, sizes, says):
    Path("idea.py").write_text(text)
    status, out, _ = run("check", "idea.py", "-n", sizes)
    assert (status, f"  nothing    {says}" in out) == (1, True), out
    assert out.endswith(" is wrong: nothing that it finds could be checked\n")
    assert "reach the same" not in out
    assert "of them right" not in out


def test_no_solution_is_as_published_too(here, run):
    Path("none.py").write_text("def count(n):\n    return 0\n")
    assert "n = 2 to 3: 0 0, as published (A000170)" in run("check", "none.py", "-n", "2-3")[1]


def test_no_smaller_n_than_was_looked_at_is_called_right(here, run):
    Path("five.py").write_text("def count(n):\n    return {4: 2, 6: 4, 7: 40, 8: 92}[n]\n")
    assert run("check", "five.py", "-n", "6-8")[1].endswith(
        "\ncount is right from n = 6 up to n = 8\n")


@pytest.mark.slow
def test_the_command_checks_in_a_child(here, run):
    status, out, err = run("check", "my_idea.py", "-n", "0-6")
    assert (status, err) == (0, "")
    assert out.endswith("my_idea is right up to n = 6\n")
    Path("my_idea.py").write_text(Path("my_idea.py").read_text().replace("columns.append", (
        "print('noise')\n                columns.append")).replace("(0, row", "(1, row"))
    status, out, _ = run("check", "my_idea.py::my_idea", "-n", "0-3", "--json")
    found = json.loads(out)
    assert (status, found["ok"]) == (1, False)
    assert found["algorithms"][0]["faults"][0]["kind"] in ("wrong", "missing")


@pytest.mark.slow
@pytest.mark.parametrize(("words", "message"), [
    (("nothing.py",), "nothing.py cannot be loaded: No such file or directory"),
    (("interrupted.py",), "interrupted.py, line 1: KeyboardInterrupt"),
    (("my_idea.py::x",), "there is no algorithm in my_idea.py: 'x'"),
    (("bitmask@cython",), "@cython is not supported here"),
    (("my_idea.py", "--limit", 0), "--limit must be a number of seconds above 0, not '0'"),
    (("my_idea.py", "-n", "x"), "-n must be"),
    ((), "check needs ALGORITHM|FOLDER, as in `nqbench check my_idea.py`"),
    (("./a {n} | b",), "'|' in its command needs a shell")])
def test_a_request_that_makes_no_sense_exits_with_2(here, run, words, message):
    Path("interrupted.py").write_text("raise KeyboardInterrupt")
    assert message in refused(run("check", *words))


@pytest.mark.slow
def test_a_search_that_ends_its_process_is_wrong(here):
    Path("my_idea.py").write_text(Path("my_idea.py").read_text().replace(
        "tally.exhausted(level)", "tally.exhausted(level)\n        import os; os._exit(3)"))
    (found,) = check_in_child("my_idea.py", (0, 9), 60.0)
    assert found["faults"][0]["text"] == "its process ended with status 3 at n = 1"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is no signal there")
def test_ctrl_c_ends_a_check_within_a_second(here):
    Path("my_idea.py").write_text(
        "print('begun', flush=True)\nwhile True:\n    pass\n")
    environment = os.environ | {"PYTHONPATH": str(Path(nqbench.__file__).parent.parent)}
    with subprocess.Popen([sys.executable, "-m", "nqbench", "check", "my_idea.py"],
                          stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
        assert process.stderr.read() == "nqbench: interrupted\n"

"""The rules of a search: where they may stand, what they refuse, save and take."""

import ast
from math import inf

import pytest
from conftest import refused
from kept import said
from replaying import replay as replayed

import nqbench
from nqbench import study
from nqbench.cli.check import TEMPLATES
from nqbench.errors import BuildError, MiscountError
from nqbench.explain.recordings import pack, record
from nqbench.problems.queens import find
from nqbench.report import builder
from nqbench.search.builds import built, is_switched_off
from nqbench.search.refusals import ROUNDS, RULE_FIELDS, examine, measure_cost, replay
from nqbench.search.syntax import ALLOWED, find_rules
from nqbench.search.tally import Tally
from nqbench.topics.searches import measurement

FREE = "if all(abs(column - c) not in (0, row - r) for r, c in enumerate(columns)):"
CORNER = "not (columns and columns[0] == 0 and row == 1 and column == 2)"
# Two rules: one refuses before the other is asked. Without "edge" the tree is larger.
IDEA = TEMPLATES["queens"].format(title="Idea", name="idea", file='"idea.py"').replace(FREE, f"""\
if n > 4 and row == 1 and column == n - 1:
                tally.refused(level, "edge")
                continue
            if not ({CORNER}):
                tally.refused(level, "corner")
                continue
            {FREE}""")

pytestmark = pytest.mark.usefixtures("no_plugins")


@pytest.fixture
def find_in(tmp_path, monkeypatch):
    """Write a file, and find its algorithm."""
    def call(text, notation="idea.py"):
        (tmp_path / "idea.py").write_text(text, "utf-8")
        return nqbench.problems.plugins.find(notation, None)

    monkeypatch.chdir(tmp_path)
    return call


@pytest.fixture
def idea(find_in):
    return find_in(IDEA)


def without(algorithm, n, rule):
    """The tally of the whole search without a rule."""
    tally = Tally(n)
    tally.begin(algorithm.python.own)
    for _ in built(algorithm.search, "without", rule)(n, tally):
        pass
    return tally


@pytest.mark.parametrize("n", range(9))
def test_the_nodes_below_all_first_refusals_are_those_by_which_the_trees_differ(idea, n):
    for algorithm in idea, find("forward_checking"):
        counted = algorithm.profile(n)
        for rule in algorithm.python.rules:
            saved = replay(algorithm.python, n, rule, counted, most=10**6)
            assert sum(nodes for nodes, _ in saved) == (
                without(algorithm, n, rule).nodes - counted.nodes)
            assert {error for _, error in saved} == {0.0}


@pytest.mark.parametrize("n", range(9))
def test_forward_checking_without_its_rule_is_the_plain_tree(n):
    tally = without(find("forward_checking"), n, "wiped_out")
    assert tally.levels == nqbench.profile(n, "bitmask").levels
    assert tally.refusals() == {"wiped_out": 0}


def test_a_sample_estimates_what_all_refusals_save():
    search = find("forward_checking")
    counted, plain = search.profile(9), nqbench.profile(9, "bitmask")
    saved = replay(search.python, 9, "wiped_out", counted, most=0)
    errors = sum(error ** 2 for _, error in saved) ** 0.5
    assert 0 < abs(sum(nodes for nodes, _ in saved) - (plain.nodes - counted.nodes)) < 4 * errors


def test_a_refusal_before_the_test_of_the_candidate_is_not_attributed(find_in):
    test = "            tally.test(row, column)  # this square is tested\n"
    early = find_in(IDEA.replace(test, "").replace(f"            {FREE}",
                                                   f"{test}            {FREE}"))
    with pytest.raises(MiscountError, match=r"calls tally.refused before tally.test$"):
        replay(early.python, 6, "corner", early.profile(6))
    rows = examine(early.python, 6, early.profile(6), 10.0)
    assert {row["nodes_saved"] for row in rows if row["fault"]} == {None}


def test_rows_have_every_rule_level_and_total(idea):
    counted = idea.profile(6)
    rows = examine(idea.python, 6, counted, 10.0)
    assert {tuple(row) for row in rows} == {RULE_FIELDS}
    assert [(row["rule"], row["level"]) for row in rows] == [
        ("edge", 1), ("edge", None), ("corner", 1), ("corner", None)]
    assert [row["refused"] for row in rows] == [6, 6, 1, 1]
    assert [row["fault"] for row in rows[1::2]] == [
        "what edge takes: without the rule edge, the search finds 4 solutions, not "
        "3", None]
    assert [row["cost"] and len(row["cost"]) for row in rows] == [None, [], None, ROUNDS]


@pytest.mark.parametrize(("body", "left"), [
    ("if hall(free): tally.refused(row, 'hall'); continue", ""),
    ("full = hall(free)\nif full: tally.refused(row, 'hall'); continue\nelse: x = 1", "x = 1"),
    ("if not hall(free): yield 1\nelse: tally.refused(row, 'hall')", "yield 1"),
    ("a = len(free)\nb = a + 1\nif b > 3: tally.refused(row, 'hall'); continue", ""),
    ("wiped = False\nfor one in free:\n    if not one:\n        wiped = True\n        break\n"
     "if wiped: tally.refused(row, 'hall'); continue", ""),
    ("total = 0\nfor one in free: total += one\n"
     "if total > 3: tally.refused(row, 'hall'); continue\nprint(total)",
     "total = 0; for one in free: total += one; print(total)"),  # something else reads it
    ("last = free.pop()\nif last: tally.refused(row, 'hall'); continue", "last = free.pop()"),
    ("nonlocal a\na = hall(free)\nif a: tally.refused(row, 'hall'); continue",
     "nonlocal a; a = hall(free)")])
def test_a_rule_is_removed_with_what_only_makes_values_for_it(body, left):
    lines = "\n".join("        " + line for line in body.splitlines())
    tree = ast.parse(f"def place(row):\n    for free in lines(row):\n{lines}\n        end(row)\n")
    (rule,) = find_rules(tree, "idea.py")
    rule.remove(tree.body[0])
    (loop,) = tree.body[0].body
    kept = [" ".join(ast.unparse(each).split()) for each in loop.body
            if not isinstance(each, ast.Pass)]
    assert "; ".join(kept) == f"{left}; end(row)".removeprefix("; ")


COSTLY = """
import nqbench

asked = []

def hall(free):
    asked.append(free)
    return False

@nqbench.algorithm
def costly(n, tally, rule=True, depth=9):
    columns = []
    def place(row):
        tally.node(row)
        if row == n:
            yield tuple(columns)
            return
        for c in range(n):
            tally.test(row, c)
            if all(abs(c - d) not in (0, row - r) for r, d in enumerate(columns)):
                full = rule and row < depth and hall(columns)
                if rule and full:
                    tally.refused(row, "hall")
                    continue
                columns.append(c)
                yield from place(row + 1)
                columns.pop()
    yield from place(0)
"""


def test_the_cost_of_a_rule_is_that_of_the_search_with_it_over_that_without_it(find_in):
    costly = find_in(COSTLY)
    asked = costly.search.__globals__["asked"]
    sum(1 for _ in built(costly.search, "unruled", "hall")(6))
    assert not asked
    assert all(times > 0 for times in measure_cost(costly.python, 6, "hall"))
    assert asked
    counted = costly.profile(6)
    (row,) = examine(costly.python, 6, counted, 5.0)
    assert (row["rule"], row["refused"], row["fault"], len(row["cost"])) == (
        "hall", 0, None, ROUNDS)
    with pytest.raises(MiscountError, match=r"without the rule hall, the search may take over 0 s"):
        measure_cost(costly.python, 6, "hall", seconds=0.0)


def test_a_rule_that_is_switched_off_is_not_listed(find_in):
    costly = find_in(COSTLY, "idea.py::costly:rule=false")
    assert is_switched_off(costly.search, "hall", costly.python.parameters)
    assert not is_switched_off(costly.search, "hall", {"rule": True, "depth": 0})
    assert examine(costly.python, 5, costly.profile(5), 5.0) == []


@pytest.mark.parametrize("wrong", [
    "tally.refused(level, 'a')", "if x: tally.refused(level, 'a')",
    "if f(x): tally.refused(level, name); continue",
    "if f(x): tally.refused(level, 'a b'); continue", "if f(x): tally.refused('a'); continue",
    "for y in x:\n    tally.refused(level, 'a'); continue",
    "if f(x): tally.refused(1, 'a'); tally.refused(1, 'b'); continue"])
def test_what_cannot_be_turned_off_is_refused_with_its_line(wrong):
    with pytest.raises(BuildError) as error:
        find_rules(ast.parse(f"pass\n{wrong}"), "idea.py")
    assert str(error.value) in {f"idea.py, line {line}: {ALLOWED}" for line in (2, 3)}


def test_a_command_says_where_a_refusal_cannot_be_turned_off(idea, run, tmp_path):
    (tmp_path / "idea.py").write_text(IDEA.replace('"edge")', "name)"), "utf-8")
    nqbench.problems.plugins.registry.known.clear()
    nqbench.problems.plugins.registry._files.clear()
    line = 1 + IDEA[:IDEA.index('"edge")')].count("\n")
    for words in ("profile", 4, "-a", "idea.py"), ("count", 4, "-a", "idea.py"):
        assert f"line {line}: {ALLOWED}" in refused(run(*words))


def test_check_profile_trace_and_recordings_name_the_rules(idea, run):
    status, out, _ = run("check", "idea.py", "-n", "0-5")
    assert (status, "below (1 * * * *), at level 1, row 2, column 3 is refused by the rule corner"
            in out) == (1, True)
    tally = idea.profile(5)
    for rule, many in tally.refusals().items():
        saved = sum(nodes for nodes, _ in replay(idea.python, 5, rule, tally))
        assert f"{rule} in all: refuses {many}, saves {saved:.0f} nodes" in out
    assert "(rule corner)" in run("trace", 5, "-a", "idea.py")[1]
    out = run("profile", 5, "-a", "idea.py")[1]
    assert "times as long" in out and "refused_corner" in out
    made = record(5, idea)
    assert pack(made)["rules"] == ["edge", "corner"]
    refusals = [moment.event.rule for moment in replayed(made) if moment.event.rule]
    counted = idea.profile(5).refusals()
    assert {rule: refusals.count(rule) for rule in counted} == counted


def test_the_listing_drops_an_else_that_only_names_a_rule(find_in, run):
    find_in(TEMPLATES["queens"].format(title="Idea", name="idea", file='"idea.py"').replace(
        "                columns.pop()\n", "                columns.pop()\n            else:\n"
        '                tally.refused(level, "attacked")\n'))
    assert "else" not in run("show", "idea.py")[1]
    counted, found = nqbench.profile(5, "idea.py"), nqbench.check("idea.py", 5)
    row, = (row for row in found.rules if row["level"] is None)
    assert (found.examined, row["refused"]) == (5, counted.tests - counted.nodes + 1)


def test_a_study_records_what_rules_do_and_its_page_has_it(tmp_path, monkeypatch):
    monkeypatch.setattr(measurement, "STUDIED", (0, inf))
    study.run(algorithms=["bitmask", "forward_checking"], n=[6], samples=1, processes=1,
              results=tmp_path)
    look, made = find("forward_checking"), builder.read(tmp_path)
    exact = examine(look.python, 6, look.profile(6), 5.0)
    shown = made.tables["rules"][["level", "refused", "nodes_saved"]]
    assert [*shown.itertuples(index=False, name=None)] == [
        ("all" if row["level"] is None else row["level"], row["refused"], row["nodes_saved"])
        for row in exact]
    assert "What each rule of a search refuses" in said(made, "pruning")

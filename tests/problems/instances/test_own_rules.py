"""Rules of one's own in the composed search."""

import json
import re
from itertools import combinations
from random import Random

import kept
import pytest
from boards import MAKERS
from conftest import refused

import nqbench
from nqbench.problems.instances import Board, find
from nqbench.problems.instances.parts import read_refusals

PAIRS = """from itertools import combinations

import nqbench


@nqbench.rule
def twins(board, free, width=2):
    '''Rows with the same few squares take them from all others.'''
    for mask in {*free.values()}:
        same = [line for line in free if free[line] == mask]
        if mask.bit_count() == len(same) <= width:
            for other in free.keys() - same:
                yield other, mask, iter(same)


@nqbench.rule
def barred(board, free):
    for line in free:
        yield line, ~board.free[line]  # nothing


@nqbench.rule
def empty(board, free):
    return None


@nqbench.rule
def greedy(board, free):
    for line, mask in free.items():
        if mask.bit_count() > 3:
            yield line, mask & -mask


@nqbench.rule
def blameless(board, free, names=0):
    '''Two rows that attack each other wholly are a dead end.'''
    for upper, lower in combinations(free, 2):
        left = free[lower]
        for column in range(board.n):
            if free[upper] >> column & 1:
                left &= board.attacked(upper, column, lower)
        if left == free[lower]:
            yield lower, left, (upper, lower)[:names]


@nqbench.rule
def nonsense(board, free):
    yield 3


@nqbench.rule
def failing(board, free):
    return 1 / 0
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("rules") / "my_rules.py"
    path.write_text(PAIRS, "utf-8")
    return path


@pytest.fixture(scope="module")
def twins(file):
    return nqbench.problems.plugins.find(f"{file}::twins", None)


PARTS = ("", ":lines=both", ":order=dom,back=cbj,learn=conflicts", ":ahead=ac,back=graph",
         ":ahead=hall,symmetry=sbds", ":width=3,order=dom/wdeg,values=least,back=cbj")


@pytest.mark.parametrize("parts", [
    *(f"twins{parts}" for parts in PARTS), "barred", "barred:lines=both,back=cbj"])
def test_a_sound_rule_loses_no_solution_with_any_part(file, parts):
    search = nqbench.problems.plugins.find(f"{file}::{parts}", None)
    for seed in range(20):
        board = Random(seed).choice(MAKERS)(6, Random(seed))
        assert sorted(search.solutions(board)) == sorted(find("bitmask").solutions(board)), board


def test_a_rule_visits_a_part_of_the_nodes_of_the_search_without_it(twins):
    with_it, without = twins.profile(Board(8)), find("forward_checking").profile(Board(8))
    assert (with_it.nodes, without.nodes) == (1053, 1165)
    assert twins.within == (("forward_checking", "by what it refuses"),)
    assert twins.vary({"ahead": "ac"}).within == (("maintained_arcs", "by what it refuses"),)
    assert twins.vary({"width": 3}).within == twins.within
    assert twins.vary({"order": "dom"}).within == ()


def test_n_queens_are_all_searched_and_each_rule_is_examined(run, file, twins):
    status, out, _ = run("profile", "6", "-a", f"{file}::twins", "--json")
    found, nodes = json.loads(out)["instances"][0], twins.profile(Board(6)).nodes
    assert (status, found["solutions"], found["nodes"]) == (0, 4, nodes)
    assert {row["rule"] for row in found["rules"]} == {"wiped_out", "filtered"}
    saved = {row["level"]: row["nodes_saved"] for row in found["rules"]
             if row["rule"] == "filtered"}
    # It removes squares, too, so not by level.
    assert saved.pop(None) == find("forward_checking").profile(Board(6)).nodes - nodes > 0
    assert {*saved.values()} <= {None}


def test_what_nqbench_keeps_is_not_blamed_on_a_rule(run, file):
    status, out, _ = run("check", f"{file}::barred:lines=both", "-n", "0-4")
    assert (status, "warning" in out) == (0, False)


def test_a_rule_that_loses_solutions_is_told_where(run, file):
    status, out, _ = run("check", f"{file}::greedy")
    assert status == 1
    assert "2 of 2 solutions are missing" in out and "takes not known" not in out
    assert "without the rule filtered, the search finds 2 solutions, not 0" in run(
        "profile", "4", "-a", f"{file}::greedy")[2]


@pytest.mark.parametrize(("name", "says"), [
    ("nonsense", "a rule must yield an open line, a mask, and perhaps a list of open lines, not 3; "
                 "open are 0, 1, 2, 3"),
    ("failing", "line 53: ZeroDivisionError: division by zero"),
    ("empty", "a rule must yield what it refuses, not return None"),
    ("twins:ahead=none", "a rule is for searches that look ahead: ahead=fc, or a filter"),
    ("twins:widht=3", "there is no parameter of twins: 'widht'; did you mean width?")])
def test_what_is_wrong_with_a_rule_is_one_line(run, file, name, says):
    status, out, err = run("profile", "4", "-a", f"{file}::{name}")
    assert says in err
    assert (status in (1, 2), out, err.count("\n")) == (True, "", 1)


def test_a_function_of_other_arguments_is_no_rule():
    with pytest.raises(TypeError, match="lonely must be a function of board and free"):
        @nqbench.rule
        def lonely(board):
            yield from ()


@pytest.mark.parametrize(("parts", "says"), [
    ({"colour": "red"}, "there is no part 'colour'"),
    ({"size": "3"}, "size must be like 3, not '3'"),
    ({"ahead": "none"}, "a rule is for searches that look ahead"),
    ({"back": "cjb"}, "there is no back 'cjb'; did you mean cbj?")])
def test_parts_that_a_rule_cannot_have_are_named(parts, says):
    with pytest.raises((TypeError, ValueError), match=re.escape(says)):
        nqbench.rule(lambda board, free: (), **parts)


@pytest.mark.parametrize("refusal", [
    3, (1,), (1, 2, [1], 4), (9, 1), (1, "2"), (1, 2, [1, 9]), "ab", (1, 2, 1), ([1], 0), None])
def test_a_refusal_names_open_lines_and_a_mask(refusal):
    with pytest.raises(nqbench.errors.PluginError, match="open are 1, 2"):
        [*read_refusals(lambda board, free: [refusal], Board(3), {1: 0b11, 2: 0b1})]


def test_a_parameter_of_a_rule_has_another_name_than_the_parts():
    with pytest.raises(ValueError, match="size is a part of the search"):
        @nqbench.rule
        def sized(board, free, size=2):
            yield from ()


def test_a_rule_can_be_called_alone(twins):
    assert next(iter(twins(Board(4), {0: 0b11, 1: 0b11, 2: 0b1111})))[:2] == (2, 0b11)


def test_parts_may_be_fixed_by_the_rule():
    @nqbench.rule(order="dom", back="cbj")
    def bounded(board, free):
        """Two rows share no column that is free in them alone."""
        for one, other in combinations(free, 2):
            if free[one] == free[other] and free[one].bit_count() == 1:
                yield one, free[one], [one, other]

    assert bounded.technique == "Two rows share no column that is free in them alone."
    assert bounded.parameters["order"] == "dom"
    assert bounded.count(Board(7)) == 40


@pytest.mark.thorough
def test_an_external_rule_is_measured_and_drawn_beside_the_ladder(
        tmp_path, run, file, monkeypatch):
    kept.draw_only(monkeypatch, "ladder")
    assert run("study", "--preset", "ladder", "-a", f"{file}::twins", "-n", "4", "--samples", "1",
               "--results", str(tmp_path))[0] == 0
    assert run("report", "--results", str(tmp_path), "--out", str(tmp_path / "page"))[0] == 0
    edges = (tmp_path / "page/ladder_edges.csv").read_text("utf-8")
    assert "\ntwins,forward_checking,by what it refuses,1." in edges
    assert "twins" in (tmp_path / "page/ladder.svg").read_text("utf-8")
    page = (tmp_path / "page/index.html").read_text("utf-8")
    assert "algorithms = [&#34;my_rules.py::twins&#34;]" in page  # to make it again
    assert "n = [4]" in page


def test_a_study_measures_a_rule_and_searches_in_instances_by_their_names(tmp_path, run, twins):
    found = nqbench.study.run(algorithms=[twins, "backjumping", "row_by_row"], n=[4], samples=1,
                              unchecked=True, results=tmp_path)
    assert {*found[found["metric"] == "ladder"]["algorithm"]} == {
        "twins (unchecked)", "backjumping", "row_by_row"}
    assert "no experiment of this study reads baseline" in refused(
        run("study", "-a", "backjumping", "-n", "4", "--baseline", "row_by_row"))


def test_a_grid_over_parts_has_effects_and_interactions(tmp_path, run):
    file = tmp_path / "parts.toml"
    file.write_text("""
        [study]
        experiments = ["ladder"]
        algorithms = ["search"]
        n = [6]
        samples = 1
        [grid]
        order = ["given", "dom"]
        ahead = ["fc", "ac"]
        """, "utf-8")
    assert run("study", str(file), "--results", str(tmp_path / "results"))[0] == 0
    found = nqbench.analysis.effects(nqbench.analysis.load(tmp_path / "results"))
    nodes = found[found["metric"] == "nodes"].set_index("term")["factor"]
    many = {(order, ahead): find(f"search:order={order},ahead={ahead}").profile(Board(6)).nodes
            for order in ("given", "dom") for ahead in ("fc", "ac")}
    assert nodes["ahead=ac"] ** 2 == pytest.approx(
        many["given", "ac"] * many["dom", "ac"] / many["given", "fc"] / many["dom", "fc"])
    assert nodes["order=dom,ahead=ac"] == pytest.approx(
        many["dom", "ac"] * many["given", "fc"] / many["dom", "fc"] / many["given", "ac"])


@pytest.mark.parametrize(("names", "right"), [(0, False), (1, True), (2, True)])
def test_a_check_finds_a_rule_that_blames_too_few(run, file, names, right):
    """Alone it loses no solution: nobody is blamed there."""
    status, out, _ = run("check", f"{file}::blameless:names={names}", "-n", "0-6", "--json")
    (found,) = json.loads(out)["algorithms"]
    assert (status == 0, [each["kind"] for each in found["faults"]]) == (
        right, [] if right else ["blame"])


def test_a_count_of_the_empty_board_that_is_not_the_published_one_is_told(run, file):
    status, out, err = run("count", 6, "-a", f"{file}::greedy")
    assert status == 1
    assert re.search(r"greedy counts \d for n = 6, but there are 4 \(A000170\)", err), (out, err)
    assert run("count", 6, "-a", f"{file}::twins")[0] == 0

"""The answers at the head of the page are those of the tables."""


import ast
import re
from pathlib import Path

import pandas as pd
import pytest
from kept import facts, few, read, said, write
from of_presets import both_engines

import nqbench
from nqbench.problems.published import published
from nqbench.topics.searches import section_time
from nqbench.util.text import format_seconds

TIMES = pd.DataFrame(
    [("somers", "cython", 12, 2.0), ("cross", "cython", 12, 0.5), ("bitmask", "python", 12, 90.0),
     ("recursive", "python", 12, 600.0), ("cross", "cython", 14, 5.0)],
    columns=["algorithm", "implementation", "n", "seconds"])
TIMINGS = TIMES.assign(samples=[[time, 2 * time, 3 * time] for time in TIMES["seconds"]])


@pytest.mark.parametrize("n", [12, 9])
def test_the_fastest_is_that_at_twelve_or_the_largest_below_it(n):
    found = section_time.asked(*(frame.assign(n=frame["n"].replace({12: n}))
                                 for frame in (TIMES, TIMINGS)))
    assert (found.n, found.first["seconds"]) == (n, 0.5)
    names = [row["algorithm"] for row in (found.first, found.first_in_python)]
    assert names == ["cross", "bitmask"]


def test_the_next_is_set_beside_it_round_by_round():
    found = section_time.asked(TIMES, TIMINGS)
    assert found.lead.then["algorithm"] == "somers"
    assert (found.lead.times, found.lead.low, found.lead.high) == (4, 4, 4)
    assert not (found.lead.doubtful or found.lead.single)
    assert found.lead_in_python.then["algorithm"] == "recursive"
    alone = TIMES[TIMES["algorithm"] == "bitmask"]
    assert section_time.asked(alone, TIMINGS).lead is None


@pytest.mark.thorough
def test_what_another_machine_counted_comes_after_what_was_counted_here(records, tmp_path):
    study = [line for line in few(records) if line["metric"] != "check"]
    other = {**study[0]["context"], "machine": "ffff0000", "label": "old", "processor": "Other"}
    for context, says in ((study[0]["context"], "<dd><b>16 queens in 251 ms</b> on one core of"), (
            other, "On another machine, 16 queens in 251 ms on one core of Other (portable)")):
        engine = [line | {"context": context, "run": "1999-01-01T00:00:00.000+00:00"}
                  for line in both_engines(study[0])]
        write(tmp_path, [*study, *engine])
        header = said(read(tmp_path), "header")
        assert says in re.sub(r"\s+", " ", header)
        made = read(tmp_path).parts
        largest = made["time"].facts.largest
        here = f"<b>{largest.n} queens in {format_seconds(largest.first['seconds'])}</b> by"
        assert (here in header) == (context is other)
        assert made["join"].finding.endswith(", on another machine") == (context is other)


def few_points(records):
    """The records of the study up to six queens, from two processes that were disturbed, by the
    time that passed.
    """
    return [{name: value for name, value in line.items() if name not in ("wall", "clock")} | (
                {"disturbed": len(line["samples"])} if line["metric"] == "seconds" else {})
            for line in few(records) if line["metric"] in ("check", "estimate", "rate")
            or (line["n"] <= 6 and line.get("process", 0) < 2)]


def test_a_page_of_few_points_says_so_at_its_top_and_claims_nothing(records, tmp_path):
    write(tmp_path, [line | ({"disturbed": 0} if "disturbed" in line else {})
                     for line in few(records)])
    whole = read(tmp_path)
    assert whole.frames.doubts == []
    assert "These times say little" not in said(whole, "header")
    assert " 6 algorithms, counted and timed" in said(whole, "header").replace("\n", " ")
    assert whole.parts["nodes"].finding.endswith(" algorithms search the same tree")
    write(tmp_path, few_points(records))
    made = read(tmp_path)
    header = said(made, "header")
    assert header.index("These times say little") < header.index("Which algorithm is the fastest")
    first, second, third = made.frames.doubts
    assert first == "most algorithms were measured up to n = 6 only"  # none was skipped
    assert second == "2 processes took the samples, so the times have no intervals and no verdicts"
    assert third.startswith("other programs disturbed ")
    assert "<b>There are none:</b> fewer than three processes took samples." in header
    assert "95 %" not in header
    claims = {name: part.finding for name, part in made.parts.items() if part.finding}
    assert set(claims) <= {"algorithms", "errata", "exact_trees", "first_solutions", "estimates",
                           "verification", "sudoku", "sudoku_difficulty"}
    assert "<h2>Nodes</h2>" in said(made, "nodes")


def test_every_finding_says_what_it_rests_on():
    """The function `claim` asks for it."""
    for file in Path(nqbench.__file__).parent.glob("topics/*/section*.py"):
        for call in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Part":
                given = [*call.args[4:], *(each.value for each in call.keywords
                                           if each.arg == "finding")]
                assert all("claim" in ast.dump(each) for each in given), (file, call.lineno)


@pytest.mark.slow
def test_the_tree_is_widest_where_it_has_the_most_nodes_and_the_mirror_halves_them(records):
    made = read(records)
    widest, symmetry = facts(made, "levels"), facts(made, "symmetry")
    levels = published("A319284")[widest.n]
    assert widest.nodes == max(levels) == levels[widest.level]
    assert widest.share == max(levels) / sum(levels)
    assert (symmetry.mirror["algorithm"], symmetry.halved) == ("somers", True)
    rows = made.parts["symmetry"].tables["symmetry"]
    assert set(rows[(rows["algorithm"] == "somers") & (rows["n"] == 6)]["nodes"]) == {153 / 77}
    smallest, counted = facts(made, "nodes").smallest, made.frames.counters
    assert smallest["nodes"] == counted[(counted["n"] == smallest["n"]) & ~counted[
        "algorithm"].isin(["brute_force", "permutations"])]["nodes"].min()

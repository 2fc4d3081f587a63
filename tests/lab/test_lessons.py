"""Lessons: their minutes, their code, what they say of the lab, and their numbers."""

import ast
import json
import re
import sys
from itertools import pairwise
from math import comb, factorial
from pathlib import Path
from typing import NamedTuple

import pytest
from tracer.code import load, open_listing
from tracer.session import answer, count_calls, list_profiles, race_searches
from tracer.watching import find_masks, find_recursive, learn, watch

from lab import STARTER
from nqbench.problems.published import published
from nqbench.problems.queens import find
from nqbench.search.board import attacks
from nqbench.search.variants import Symmetry

HOME = Path(__file__).parents[2]
NUMBERS = 1, 2, 3, 4


class Lesson(NamedTuple):
    """A lesson: its text and its model answers, both in Markdown."""

    text: str
    answers: str

    @property
    def slides(self):
        """The texts of the slides."""
        return self.section("Slides").split("### ")[1:]

    def section(self, name):
        """The text of a section, without its heading."""
        return self.text.partition(f"\n## {name}\n")[2].partition("\n## ")[0].strip()


LESSONS = {number: Lesson(*((HOME / f"docs/lessons/{name}{number}.md").read_text("utf-8")
                            for name in ("", "answers-"))) for number in NUMBERS}
FACTS = ["Aim", "Level", "Prerequisites", "Material"]
SECTIONS = ["Plan", "Slides", "Handout", "Worksheet", "What usually goes wrong"]
KINDS = {"right", "wrong", "gaps", "part", "endless"}
# The kinds of syntax that a lesson does not use, because its class has not been taught them.
BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Invert, ast.LShift, ast.RShift)
UNKNOWN = {1: (*BITS, ast.While, ast.Lambda, ast.comprehension, ast.YieldFrom, ast.Dict, ast.Set),
           2: (*BITS, ast.Yield, ast.YieldFrom, ast.Lambda, ast.comprehension, ast.Starred),
           3: (*BITS, ast.Lambda), 4: (ast.Lambda,)}
HELPER = re.search(r"def attacked.*?(?=def search)", LESSONS[2].section("Handout"), re.S)[0]


def blocks(number, kind=None):
    """The blocks of Python of a lesson and its answers: kind and code, with the quotation after
    it. A search of lesson 2 comes with the helper that it calls."""
    found = re.findall(r"^```python (\w+)\n(.*?)^```\n(?:\n((?:^>[^\n]*\n)+))?",
                       LESSONS[number].text + "\n" + LESSONS[number].answers, re.M | re.S)
    return [(each, HELPER + code if code.startswith("def search") else code,
             " ".join(quoted.replace("> ", " ").split()))
            for each, code, quoted in found if kind in (None, each)]


def params(kind):
    return [pytest.param(number, code, quoted, id=f"{number}-{place}") for number in NUMBERS
            for place, (_, code, quoted) in enumerate(blocks(number, kind))]


def told(code):
    """What the page shows for "Run and check"."""
    found = json.loads(answer(json.dumps(["check_search", [code]])))
    if "error" in found:
        return found["error"]
    if found["ok"]:
        return f"Right, up to n = {found['max_n']}."
    faults = (each["text"] for each in found["faults"])
    return " ".join([f"Not right: {found['verdict']}.", *faults])


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lesson_has_its_parts(number):
    lesson = LESSONS[number]
    assert lesson.text.startswith(f"# Lesson {number}: ")
    assert lesson.answers.startswith(f"# Lesson {number}: model answers\n")
    assert re.findall(r"^- (\w+): \S", lesson.text.partition("\n## ")[0], re.M) == FACTS
    assert re.findall(r"^## (.*)", lesson.text, re.M) == SECTIONS
    assert 6 <= len(lesson.slides) <= 10
    slides = re.findall(r"slides? ([\d to,and]+\d|\d)", lesson.section("Plan"))
    last = max(int(n) for each in slides for n in re.findall(r"\d+", each))
    assert last == len(lesson.slides)
    exercises = re.findall(r"^### (\d)\.", lesson.section("Worksheet"), re.M)
    assert exercises == [str(k + 1) for k in range(len(exercises))]
    assert set(re.findall(r"^## (\d)\.", lesson.answers, re.M)) <= set(exercises)
    minutes = re.findall(r"^\| (\d+) \|", lesson.section("Plan"), re.M)
    assert sum(map(int, minutes)) == 45


@pytest.mark.parametrize("number", NUMBERS)
def test_all_code_is_of_a_known_kind_and_no_answer_is_on_a_worksheet(number):
    lesson = LESSONS[number]
    for _, code, _ in blocks(number, "right"):
        assert code not in lesson.answers or code not in lesson.section("Worksheet")
    infos = re.findall(r"^```(.+)$", lesson.text + lesson.answers, re.M)
    assert {info.partition(" ")[0] for info in infos} <= {"python", "text"}
    assert {kind for kind, *_ in blocks(number)} <= KINDS
    assert len(blocks(number)) == sum(info.startswith("python") for info in infos)


@pytest.mark.parametrize("number", NUMBERS)
def test_no_lesson_uses_what_is_not_taught_before_it(number):
    for kind, code, _ in blocks(number):
        # A line alone, such as the head of an if, is no program.
        tree = ast.parse(f"for c in ():\n{re.sub('^', '    ', code, flags=re.M)}")
        names = {type(node) for node in ast.walk(tree)}
        assert not names & set(UNKNOWN[number]), code
        if number < 3:
            assert find_recursive(code) == "", (kind, code)
    if number == 1:
        assert not any("append" in code or "pop" in code for _, code, _ in blocks(1))


@pytest.mark.parametrize(("number", "code", "quoted"), params("right"))
def test_what_is_right_passes_the_check(number, code, quoted):
    assert told(code).startswith("Right, up to n = ")


@pytest.mark.parametrize(("number", "code", "quoted"), params("wrong"))
def test_what_is_wrong_fails_as_the_lesson_says(number, code, quoted):
    shown = told(code)
    assert not shown.startswith("Right")
    assert quoted in shown


def test_every_quotation_is_of_a_wrong_search():
    for number in NUMBERS:
        wrong = "\n".join(quoted for _, _, quoted in blocks(number, "wrong"))
        text = LESSONS[number].text
        for quoted in re.findall(r"((?:^>.*\n)+)", text, re.M):
            assert " ".join(quoted.replace("> ", " ").split()) in wrong
        mistakes = LESSONS[number].section(SECTIONS[-1])
        assert mistakes.count("```python wrong") == len(re.findall(r"(?:^>.*\n?)+", mistakes, re.M))


@pytest.mark.parametrize(("number", "code", "quoted"), params("endless"))
def test_an_endless_search_does_not_end(number, code, quoted):
    names, lines = {}, 0
    exec(code, names)

    def trace(frame, event, argument):
        nonlocal lines
        lines += event == "line"
        if lines > 20_000:  # the search for 4 queens has about a thousand
            raise TimeoutError
        return trace

    sys.settrace(trace)
    try:
        with pytest.raises(TimeoutError):
            names["search"](4)
    finally:
        sys.settrace(None)


@pytest.mark.parametrize(("number", "code", "quoted"), params("gaps"))
def test_what_has_gaps_is_not_right_and_its_answer_fills_them(number, code, quoted):
    assert not told(code).startswith("Right")
    parts = map(re.escape, code.split("..."))
    filled = re.compile(r"[^:]+?".join(parts))
    assert any(filled.search(each) for _, each, _ in blocks(number, "right"))


def test_what_the_lessons_tell_the_class_to_press_is_in_the_lab():
    page = (HOME / "lab/index.html").read_text("utf-8")
    page += "".join(path.read_text("utf-8") for path in sorted((HOME / "lab").glob("*.js")))
    pressed = {name for lesson in LESSONS.values()
               for name in re.findall(r"\*\*([A-Z][^*.?]+)\*\*", lesson.section("Worksheet"))}
    assert {"Watch", "Run and check", "Predict first", "Race the prunings"} <= pressed
    assert [name for name in pressed if not re.search(rf"[>\" ]{name}[<\"]", page)] == []
    for quoted in ("Link to this", "Run and check", "six lines to begin with"):
        assert f">{quoted}<" in page or f'"{quoted}"' in page
    assert 'screen(8, "forward_checking", "Look ahead"' in page
    assert 'screen(9, "images", "All symmetries"' in page
    assert blocks(3, "right")[0][1] == STARTER


def test_the_loops_of_lesson_1_place_four_queens_and_fail_the_check():
    whole, early = (code for _, code, _ in blocks(1, "part"))
    early = whole.partition("def queens")[0] + early  # its helper, too
    lines = []
    for program in (whole, early):
        trace = watch(load(program), 4)
        assert trace.solutions == [(1, 3, 0, 2), (2, 0, 3, 1)]
        assert trace.whole
        assert told(program).startswith("Not right: the search fails.")
        lines.append(len(trace.steps))
    assert lines[0] > 5 * lines[1]
    half = early.replace("range(4)", "range(2)", 1)
    assert watch(load(half), 4).solutions == [(1, 3, 0, 2)]


def test_the_lab_draws_the_searches_of_the_lessons():
    for number in (2, 3, 4):
        for _, code, _ in blocks(number, "right"):
            if "total" not in code:  # one that counts places nothing
                assert learn(load(code)) is not None, code
    steps = watch(load(blocks(2, "right")[0][1]), 5).steps
    assert [step["queens"] for step in steps if step["back"]][:3] == [
        [0, 2, 4, 1], [0, 2, 4], [0, 2]]


def test_the_parts_of_lessons_2_and_3_do_what_is_said():
    names = {}
    for number in (2, 3):
        for _, code, _ in blocks(number, "part"):
            if not code.startswith("if "):
                exec(code, names)
    assert [names["attacked"]([1, 3], column) for column in range(4)] == [False, True, True, True]
    assert names["words"](2) == ["aa", "ab", "ba", "bb"]
    assert names["words"](3) == ["aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb"]
    assert list(names["twice"](3)) == [0, 1, 2, 0, 1, 2]
    six = blocks(3, "right")[0][1]
    first = next(step for step in watch(load(six), 4).steps
                 if len(step["queens"]) == 4 and step["line"] == 3)
    assert len(first["path"]) == 5
    apart = {n: max(abs(a - b) for found in find("bitmask").solutions(n)
                    for a, b in pairwise(found)) for n in (4, 5, 6)}
    assert apart == {4: 3, 5: 3, 6: 5}


def test_the_masks_of_lesson_4_are_computed():
    taken, left, right, full = 0, 0, 0, 0b111111
    for column in (1, 3):
        bit = 1 << column
        taken, left, right = taken | bit, (left | bit) << 1, (right | bit) >> 1
    free = full & ~(taken | left | right)
    for name, mask in {"taken": taken, "left": left, "right": right, "free": free,
                       "free & -free": free & -free}.items():
        assert f"| `{name}` | {' '.join(f'{mask:06b}')} |" in LESSONS[4].answers
    assert set(find_masks(open_listing("bitmask"))) == {"bit", "free", "full", "left", "right",
                                                        "row"}


def levels(code, n=6):
    return [each["calls"] for each in count_calls(load(code), n)]


def row(name, counts, *more):
    return f"| {name} | {' | '.join(f'{count:,}' for count in (*counts, *more))} |"


def test_the_trees_in_the_lessons_are_those_of_the_searches():
    plain = published("A319284")[6]
    assert row("Placements", plain) in LESSONS[2].text
    assert f"{sum(plain)} **nodes**" in LESSONS[2].text
    close = [*levels(blocks(3, "wrong")[0][1]), 0]
    ahead = levels(blocks(3, "right")[-1][1])
    for name, found in {"plain search": plain, "a row without a free square": ahead,
                        "neighbours at most 3 apart": close}.items():
        assert row(name, found, sum(found)) in LESSONS[3].text
    assert f"it has {sum(ahead)} nodes, where the plain search has {sum(plain)}" in (
        LESSONS[3].answers)
    forgotten = next(code for _, code, _ in blocks(3, "wrong")
                     if "sums.add" in code and "sums.remove" not in code)
    assert levels(forgotten)[1] == 3
    half = levels(blocks(4, "right")[-1][1])
    assert f"{', '.join(map(str, half[:-1]))} and {half[-1]} calls" in LESSONS[4].answers
    trees = {each["name"]: each["levels"] for each in list_profiles()["rows"]}
    for name, algorithm in {"plain": "iterative", "with the mirror": "marks_mirror",
                            "forward checking": "forward_checking",
                            "fewest squares first": "fewest_first"}.items():
        assert row(name, trees[algorithm]) in LESSONS[4].text
    assert half == list(trees["marks_mirror"])


def test_the_counters_in_the_tables_are_counted():
    for name in ("recursive", "flat_marks", "bitmask", "forward_checking", "fewest_first"):
        tally = find(name).profile(8, "python")
        assert row(f"`{name}`", [tally.nodes, tally.tests, tally.comparisons]) in LESSONS[4].text
    for n, shown in {4: "4 × 4 × 4 × 4 = 256", 6: "46,656", 8: "16,777,216"}.items():
        tests = find("iterative").profile(n, "python").tests
        assert f"| {n} | {shown} | {published('A000170')[n]} |" in LESSONS[1].text
        squares = sum(n**row for row in range(1, n + 1))
        assert re.search(rf"\| {n} \| [\d+ ]*=? ?{squares:,} squares \| {tests:,} squares \|",
                         LESSONS[1].text)
    racers = race_searches(open_listing("bitmask"), "forward_checking", 8)["racers"]
    assert racers[1]["lines"] > 2 * racers[0]["lines"]  # as lesson 4 says


def test_each_first_column_has_the_solutions_that_lesson_1_says():
    found = list(find("bitmask").solutions(6))
    many = [sum(columns[0] == column for columns in found) for column in range(6)]
    assert f"{', '.join(map(str, many))} solutions, {len(found)} together" in LESSONS[1].answers
    told = json.loads(answer('["list_prunings", ["n=6 placed=0:0,1:1"]]'))["error"]
    assert f'"{told}"' in " ".join(LESSONS[1].text.split())


@pytest.mark.parametrize(("last", "says"), [
    ("print(columns)", "it prints, and returns nothing, so nobody gets its solutions: write yield"),
    ("return columns", "it returns nothing: let it yield each solution, or return a list")])
def test_a_beginner_is_told_what_to_do_with_solutions(last, says):
    code = STARTER.replace("yield columns", last).replace("yield from ", "")
    assert json.loads(answer(json.dumps(["check_search", [code]])))["error"].startswith(says)


def numbers(n=8):
    """What the numbers of three digits and more in the lessons are."""
    def profile(name, size=n):
        return find(name).profile(size, "python")

    plain, ahead = profile("bitmask"), profile("forward_checking")
    return {
        comb(64, 8), *(size**size for size in (4, 6, 8)),
        *(sum(size**row for row in range(1, size + 1)) for size in (4, 6, 8)),
        profile("iterative", 6).nodes, profile("iterative", 6).tests,
        profile("iterative").nodes, profile("iterative").tests,
        profile("brute_force", 6).tests, profile("recursive").comparisons,
        profile("flat_marks").comparisons, plain.tests, profile("somers").nodes, ahead.nodes,
        ahead.tests, ahead.comparisons, plain.nodes - ahead.nodes, profile("fewest_first").nodes,
        profile("fewest_first").tests, profile("fewest_first").comparisons,
        sum(levels(blocks(3, "right")[-1][1])), factorial(5) + 11}


def test_every_number_of_three_digits_is_counted():
    known = numbers()
    for number in NUMBERS:
        text = LESSONS[number].text + LESSONS[number].answers
        prose = re.sub(r"^```.*?^```$|0b[01]+", "", text, flags=re.M | re.S)
        found = {int(each.replace(",", "")) for each in
                 re.findall(r"(?<![\d,.])\d{1,3}(?:,\d{3})+|(?<![\d,.])\d{3,}", prose)}
        assert found <= known, number


def test_small_numbers_in_sentences_are_counted():
    tree = find("iterative").profile(4, "python")
    assert f"{tree.nodes} entries: {' + '.join(map(str, tree.levels))}. Two" in LESSONS[1].answers
    assert "Two of them are solutions, four are dead ends." in LESSONS[1].answers
    assert (tree.solutions, tree.dead_ends) == (2, 4)
    assert "called 17 times: 1, 4, 6, 4 and 2 times" in LESSONS[3].text
    assert "It saves 892 nodes" in LESSONS[4].text
    eight = Symmetry.of(8, published("A000170")[8])
    assert "the 92 solutions for 8 queens are images of only 12" in LESSONS[4].text
    assert (eight.solutions, eight.fundamental) == (92, 12)


def boards(text):
    """The boards of a lesson, each as rows of squares."""
    for block in re.findall(r"^```text board\n(.*?)^```", text, re.M | re.S):
        rows = [[part.split() for part in re.split(" {3,}", line)]
                for line in block.splitlines()]
        for place in range(len(rows[0])):
            yield [line[place] for line in rows if place < len(line)]


@pytest.mark.parametrize("number", NUMBERS)
def test_boards_are_rectangles_and_their_queens_and_crosses_are_right(number):
    lesson = LESSONS[number]
    for rows in boards(lesson.text + "\n" + lesson.answers):
        assert len({len(line) for line in rows}) == 1
        queens = [(r, c) for r, line in enumerate(rows) for c, what in enumerate(line)
                  if what == "Q"]
        for r, line in enumerate(rows):
            seen = [any(attacks((r, c), queen) for queen in queens if queen != (r, c))
                    for c in range(len(line))]
            for what, attacked in zip(line, seen, strict=True):
                assert what != "x" or attacked
                assert what != "Q" or not attacked
            if "x" in line and "Q" not in line:  # all attacked squares of this row are crossed
                assert [what == "x" for what in line] == seen

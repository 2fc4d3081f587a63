"""What the page of the lab asks for: each request is answered by plain values, as JSON."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib import import_module
from itertools import groupby
from sys import maxsize
from time import perf_counter
from timeit import Timer, timeit
from typing import Any

from nqbench.checking.examination import check
from nqbench.checking.findings import Findings
from nqbench.errors import InvalidValueError
from nqbench.explain.listings import find_ideas
from nqbench.problems import instances
from nqbench.problems.instances.composed_family import OPEN
from nqbench.problems.plugins.functions import NoSolutionError
from nqbench.problems.published import published
from nqbench.problems.queens import find
from tracer.code import Program, forget, load, locate, open_listing, run
from tracer.watching import MOST, Placer, Tracer, find_masks, watch

SMALLEST, LARGEST = 4, 8  # boards up to which a search is checked
LONG = 0.1  # seconds of a search; the next board would take many times as long
MANY = 500  # solutions of a wrong search, each of which is checked
LOST = {"placement": (1, 3, 0, 2), "kind": "missing"}  # a solution that any search has to find
LEVELS = 6  # queens of the board whose calls are counted by level
MOMENTS = 400  # of a race that are shown, about
LINES = 2_000_000  # that a search runs in a race, at most
OWN = "your search"
SEARCHED = 5.0  # seconds of a search of a board, at most
EXERCISES = "exercises"  # docs/notebooks/exercises.py, which the page has beside the package
# Listings that run as they are, and find all solutions.
OPENED = ("brute_force", "permutations", "recursive", "column_array", "iterative", "flat_marks",
          "bitmask", "forward_checking", "fewest_first")
RACED = (*OPENED, "somers")
SLOW = {"brute_force": 6}  # the largest board of its races: 7 queens take 14 s in a browser
# What a reader guesses from a tree, and from a replay: searches that behave differently, and how.
TREES = {
    "iterative": "row by row; it goes back when the next row has no free square",
    "marks_mirror": "the same, with the first queen in the left half: each solution counts twice",
    "canonical": "it keeps one of all solutions that are turned or mirrored images of each other",
    "forward_checking": "it places no queen that leaves a row below without a free square",
    "fewest_first": "the next queen goes into the row with the fewest free squares"}
REPLAYS = {
    "brute_force": "whole boards, with one queen in each row, whatever it attacks",
    "permutations": "whole boards, with one queen in each row and each column",
    "recursive": "row by row; it tries every square, and goes back when a row has none left",
    "bitmask_even_mirror": "row by row, free squares only, the first queen in the left half",
    "forward_checking": "row by row; it goes back as soon as a row below has no free square"}
NOTHING = "it returns None; "
PRINTING = re.compile(r"^[ \t]+(?:[^#\n]*\W)?print\s*\(", re.M)  # in a function
UNUSABLE, MISTAKE = " cannot be used: ", re.compile(r"; line (\d+): ")
PRINTS = ("it prints, and returns nothing, so nobody gets its solutions: write yield in place of "
          "print, as in yield columns, and yield from before each call of a function that yields")
RETURNS = "it returns nothing: let it yield each solution, or return a list of all of them"
# Rows and columns in the text of a fault, which counts them from 1.
COUNTED = re.compile(r"(?<!\w)\([\d*]+(?: [\d*]+)*\)|\b(?:rows?|column) \d+(?: and \d+)?")


def answer(request: str) -> str:
    """Return the answer to a request, both in JSON: the name of a function of `REQUESTS` and its
    arguments; of what fails, the line of the text, a sentence, and the name of the function that
    was called with n.

    >>> answer('["open_search", ["bitmask"]]')[:12]
    '{"name": "bi'
    >>> json.loads(answer('["check_search", ["def f(n): return m"]]'))["line"]
    1
    """
    name, arguments = json.loads(request)
    try:
        return json.dumps(REQUESTS[name](*arguments))
    except (Exception, SystemExit) as error:  # whatever a search raises
        line, told = locate(error)
        if NOTHING in told:
            told = PRINTS if PRINTING.search(str(arguments[0])) else RETURNS
        if mistake := MISTAKE.search(told):
            line = line or int(mistake[1])
        lost = {"drawn": LOST} if isinstance(error.__cause__, NoSolutionError) else {}
        called = str(error).partition(UNUSABLE)[0] if UNUSABLE in str(error) else None
        return json.dumps({"error": told.split(UNUSABLE)[-1], "line": line, "called": called,
                           **lost})


def open_search(name: str) -> dict[str, Any]:
    """Return a search of the package: its name, technique, text, and the lines of its idea."""
    text = open_listing(name)
    return {"name": name, "technique": find(name).technique, "text": text,
            "ideas": find_ideas(text.splitlines())}


def check_search(text: str) -> dict[str, Any]:
    """Return what `nqbench check` finds up to the largest board that is quick, and by level how
    many calls of its own a search that calls itself makes, with the nodes of the plain tree.
    """
    program = load(text)
    findings = check(program.algorithm, _choose_largest(program))
    findings.faults = [each if each.kind == "raises" else replace(
        each, text=_count_from_0(each.text)) for each in findings.faults]
    return {**findings.as_dict(), "drawn": _draw(findings), "by_level": count_calls(program),
            "queens": LEVELS}


def _count_from_0(text: str) -> str:
    """Return the text of a fault with rows and columns that count from 0, as all of the lab does.

    >>> _count_from_0("n = 2: solution 1, (2 1), is wrong: the queens of rows 1 and 2 ...")
    'n = 2: solution 1, (1 0), is wrong: the queens of rows 0 and 1 ...'
    """
    return COUNTED.sub(lambda all_: re.sub(r"\d+", lambda k: f"{int(k[0]) - 1}", all_[0]), text)


def _choose_largest(program: Program) -> int:
    """Return the queens of the first board on which a search takes long or finds too many
    solutions, at most LARGEST.
    """
    program.algorithm.count(SMALLEST)  # the first run takes many times as long
    for n in range(SMALLEST, LARGEST):
        start = perf_counter()
        if program.algorithm.count(n) > MANY or perf_counter() - start > LONG:
            return n
    return LARGEST


def _draw(findings: Findings) -> dict[str, Any] | None:
    """Return the wrong or missing placement of the first fault that has one."""
    fault = next((each for each in findings.faults if each.placement is not None), None)
    return {"placement": fault.placement, "kind": fault.kind} if fault else None


def check_exercise(text: str, name: str) -> dict[str, Any]:
    """Return whether a text answers an exercise of the notebooks, and what their file says."""
    found = run(text)
    if name not in found:
        raise InvalidValueError(f"there is no function {name}")
    verdict = import_module(EXERCISES).check(name, found[name])
    return {"right": verdict.right, "text": str(verdict)}


def count_calls(program: Program, n: int = LEVELS) -> list[dict[str, int]]:
    """Return by level the calls of the recursive function, and the nodes of the plain tree.

    >>> from tracer.code import load, open_listing
    >>> count_calls(load(open_listing("recursive")))[2]
    {'level': 2, 'calls': 20, 'plain': 20}
    """
    if program.function is None:
        return []
    tracer = Tracer(program, LINES)
    if not tracer.finish(n):
        return []
    plain = published("A319284")[n]
    return [{"level": level, "calls": calls, "plain": plain[level]}
            for level, calls in enumerate(tracer.calls[:n + 1])]


def watch_search(text: str, n: int, most: int = MOST) -> dict[str, Any]:
    """Return the steps of a search for n queens, see `tracer.watching.Trace`."""
    program = load(text)
    if program.function is None:
        raise InvalidValueError("a decorated search is checked and raced, but not stepped through:"
                                " remove the decorator and tally")
    return {**asdict(watch(program, n, most)), "n": n, "masks": find_masks(text),
            "ideas": find_ideas(text.splitlines())}


def race_searches(text: str, other: str, n: int) -> dict[str, Any]:
    """Return what a search, and one of the package, take for n queens, see `_run`."""
    rival = load(open_listing(other))
    found: Any = find(other)
    counted = found.profile(n, "python")
    return {"n": n, "racers": [
        _run(OWN, load(text), n, None),
        _run(other, rival, n, {"nodes": counted.nodes, "tests": counted.tests})]}


def _run(name: str, program: Program, n: int, counted: dict[str, int] | None) -> dict[str, Any]:
    """Return the seconds of a search (of the shorter of two runs if the first is quick), its lines,
    nodes, tests and solutions, and moments of it: lines so far and columns. What is not counted is
    None.
    """
    start = perf_counter()
    solutions = program.algorithm.count(n)
    seconds = perf_counter() - start
    if seconds < LONG:  # Python runs code faster once it has seen it
        seconds = min(seconds, timeit(lambda: program.algorithm.count(n), forget, number=1))
    if program.function is None:
        tally: Any = program.algorithm.profile(n, "python")
        return {"name": name, "seconds": seconds, "lines": None, "moments": [],
                "nodes": tally.nodes, "tests": tally.tests, "solutions": solutions, "whole": True}
    racer = Racer(program, n, LINES)
    whole = racer.finish(n)
    nodes = sum(racer.calls) if racer.recursive and whole else None
    return {"name": name, "seconds": seconds, "lines": racer.lines, "moments": racer.moments,
            "nodes": nodes, "tests": None, "solutions": solutions, "whole": whole,
            **(counted or {})}


class Racer(Placer):
    """Keeps some moments of a search: what it has placed, after how many lines."""

    def __init__(self, program: Program, n: int, most: int) -> None:
        super().__init__(program, n, most)
        self._every = 1
        self.moments: list[tuple[int, list[int]]] = []

    def line(self, frame: Any) -> None:
        if self.lines % self._every:
            return
        self.moments.append((self.lines, self.columns(self.stack(frame))))
        if len(self.moments) >= 2 * MOMENTS:
            self.moments = self.moments[::2]
            self._every *= 2


def list_prunings(text: str) -> dict[str, Any]:
    """Return the ways of pruning that search a board for all solutions, each with its idea.

    >>> "fewest_rows" in {row["name"] for row in list_prunings("n=5")["rows"]}
    True
    """
    instances.find("row_by_row").check(instances.parse(text))  # raises if queens attack each other
    return {"rows": [{"name": name, "technique": search.technique}
                     for name, search in instances.catalogue().items()
                     if isinstance(search, instances.Search) and search.exhaustive
                     and search is not OPEN]}


def search_board(text: str, name: str) -> dict[str, Any]:
    """Return what a way of pruning takes on a board: nodes, tests, solutions and the first of them,
    and the seconds of a search, the mean of as many as last 0.2 s after a first one. One that takes
    long says that it was stopped.

    >>> found = search_board("n=5 torus", "row_by_row")
    >>> found["solutions"], found["nodes"], found["stopped"]
    (10, 46, None)
    """
    search = instances.find(name)
    board = search.check(instances.parse(text))
    outcome = search.solve(board, "python", limit=maxsize, keep=1, seconds=SEARCHED)
    search.count(search.check(instances.Board(1)), "python")  # which makes the timed build
    loops, taken = (1, None) if outcome.gave_up else Timer(
        lambda: search.count(board, "python")).autorange()
    return {"name": name, "nodes": outcome.counters["nodes"], "tests": outcome.counters["tests"],
            "solutions": outcome.found, "first": next(iter(outcome.solutions), None),
            "seconds": taken and taken / loops,
            "stopped": outcome.gave_up and f"stopped after {SEARCHED:g} s"}


def list_profiles(n: int = LEVELS) -> dict[str, Any]:
    """Return the nodes by level of searches, of which a reader guesses one, and of the plain tree.

    >>> list_profiles(4)["rows"][1]["levels"], list_profiles(4)["plain"]
    ([1, 2, 3, 2, 1], [1, 4, 6, 4, 2])
    """
    return {"plain": published("A319284")[n], "rows": [
        {"name": name, "sign": sign, "levels": find(name).profile(n, "python").levels}
        for name, sign in TREES.items()]}


def list_replays(n: int = LEVELS) -> dict[str, Any]:
    """Return the first boards of searches, of which a reader guesses one: columns, row by row.

    >>> list_replays(4)["rows"][1]["boards"][:3]
    [[], [0, 1, 2, 3], [0, 1, 3, 2]]
    """
    return {"n": n, "rows": [{"name": name, "sign": sign, "boards": [
        queens for queens, _ in groupby(
            step["queens"] for step in watch(load(open_listing(name)), n).steps)]}
        for name, sign in REPLAYS.items()]}


REQUESTS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (open_search, check_search, check_exercise, watch_search, race_searches,
                     list_prunings, search_board, list_profiles,
                     list_replays)}

"""The commands `new` and `check`: write the template of an algorithm, check an algorithm,
and check and time all programs of a folder for a leader board.
"""

import ast
import builtins
import json
import re
import sys
from dataclasses import replace
from keyword import iskeyword
from pathlib import Path
from shlex import join
from typing import Any
from unicodedata import normalize

import click

from nqbench.checking.examination import draw
from nqbench.checking.findings import Fault
from nqbench.checking.race import NOT_ISOLATED, race
from nqbench.cli import options
from nqbench.cli.terminal import echo, emit, progress, say
from nqbench.errors import InvalidValueError
from nqbench.problems import PROBLEMS
from nqbench.problems.plugins.functions import NUMBER_ALONE
from nqbench.problems.plugins.registry import find_problems
from nqbench.search.refusals import in_words
from nqbench.util.text import plural, printable, unknown

# What a search may count, each with a counter and what it must call.
ADVICE = {
    "nodes": ("nodes", "tally.node(level) where a placement of `level` queens is accepted"),
    "tests": ("tests", "tally.test(row, column) where a square is tested"),
    "dead ends": ("dead_ends", "tally.exhausted(level) after the last candidate below `level` "
                  "queens")}
SIZES, OUT = "4-12", "race.html"  # of a race
LIMIT, RACE_LIMIT = 60.0, 5.0  # seconds of a check, and of a count in a race
TEMPLATES = {problem: (Path(__file__).parent / f"templates/{problem}.txt").read_text("utf-8")
             for problem in ("queens", "instances")}


@options.command(examples=["nqbench new my_idea.py", "nqbench new my_idea.py --problem instances"])
@click.argument("file", metavar="FILE")
@options.option("--problem", default="queens", metavar="PROBLEM",
                help="Choose queens, or instances: boards with placed queens or blocked squares.")
@options.json
def new(file: str, problem: str, as_json: bool) -> None:
    """Write the template of an algorithm.

    FILE must end in .py and not exist. The template is a complete algorithm; change it into yours.
    """
    if problem not in TEMPLATES:
        raise InvalidValueError(unknown("template", problem, TEMPLATES))
    path = Path(file)
    if path.suffix != ".py":
        raise InvalidValueError(f"FILE must end in .py, not {file!r}")
    if "::" in file or printable(file) != file:
        raise InvalidValueError("FILE must have a name that can be printed and contains no '::', "
                                f"which separates a file from an algorithm, not {file!r:.90}")
    name = re.sub(r"\W", "_", normalize("NFKC", path.stem))  # as Python reads it
    if not name.isidentifier() or iskeyword(name) or name in _find_names(TEMPLATES[problem]):
        name = f"_{name}"
    if name in PROBLEMS[problem].catalogue or name in PROBLEMS["queens"].catalogue:
        raise InvalidValueError(f"the name {name!r} is taken by a built-in algorithm; choose "
                                "another FILE")
    title = name.strip("_").replace("_", " ").capitalize()
    text = TEMPLATES[problem].format(title=title, name=name,
                                     file=json.dumps(path.name, ensure_ascii=False))
    options.write_out("FILE", file, text, new=True)
    if as_json:
        emit({"file": file, "name": name, "problem": problem})
    else:
        echo(f"{file} is written; change it, then run `{join(['nqbench', 'check', file])}`")


def _find_names(template: str) -> set[str]:
    """Return the names that a template uses or that Python has; another meaning would break it."""
    tree = ast.parse(template.format(title="", name="_", file="''"))
    return {*dir(builtins), *(str(getattr(node, field)) for node in ast.walk(tree)
                              for field in ("id", "arg", "name") if hasattr(node, field))}


@options.command(examples=["nqbench check my_idea.py",
                           "nqbench check my_idea.py::lookahead --json",
                           "nqbench check './queens {n}'",
                           "nqbench check submissions -n 4-14 --limit 10 --anonymous"])
@click.argument("algorithm", metavar="ALGORITHM|FOLDER")
@click.option("--limit", callback=options.read_seconds, metavar="SECONDS",
              help=f"Stop a check that takes longer, by default than {LIMIT:g} s; of a FOLDER a "
                   f"count that takes longer, by default than {RACE_LIMIT:g} s: the program then "
                   "takes no larger n.")
@click.option("-n", "sizes", metavar="N",
              help="Check from the least to the largest N, as in 4-8; instances have at most 7 "
                   "queens. Default: 0-9, and totals beyond as far as the limit allows. Of a "
                   f"FOLDER: count for N queens, by default {SIZES}.")
@options.option("--out", default=OUT, metavar="FILE", help="Of a FOLDER: the page.")
@click.option("--anonymous", is_flag=True,
              help="Of a FOLDER: call the programs by numbers; standard output says whose they "
                   "are.")
@options.json
def check(algorithm: str, sizes: str | None, limit: float | None, out: str, anonymous: bool,
          as_json: bool) -> None:
    """Check whether an algorithm is right, or race a folder.

    ALGORITHM is FILE.py, FILE.py::NAME, MODULE::NAME, a name from `nqbench list`, or a command such
    as './queens {n}', which prints the number of solutions. It is run for 5 and 6 queens to find
    which of its numbers is the count, unless its last line is a JSON object with "solutions". One
    that solves Sudoku ends in '< {puzzles}'. A function of n need not be written for nqbench: it
    returns or yields solutions in any usual form, or returns their number. Nor need one of a
    puzzle, which returns its solution, or fills the board that it takes. If it is the only one
    that can be meant, FILE.py suffices.

    The check tests the solutions, the equality of builds and implementations, and the counters. It
    compares the tree with the plain tree. An algorithm for instances gets small random boards of
    every family; one of Sudoku is compared with another one, on some puzzles of every data set.
    Exit status: 0 right, 1 wrong, 2 no such algorithm.

    The programs of a FOLDER are checked and timed in turns. A page ranks them, draws their times,
    and names the first mistake of each. A program is a file in C, C++, Go, Java, JavaScript, Lua,
    Perl, PHP, Python, Ruby, Rust or shell, one whose first line names its interpreter, a binary
    that can be executed, or a folder with one of these. It gets the number of queens as its
    argument, and prints the number of solutions. A file in Python may have a function of n instead,
    which gives the solutions in any usual form. Each count is a new process, which bubblewrap
    (bwrap) keeps from all but a copy of its files; without that, run only what you trust.
    """
    from nqbench.checking import check_in_child
    from nqbench.study.fields import parse_sizes

    if algorithm and Path(algorithm).is_dir() and not any(find_problems(algorithm)):
        options.require_only("for a folder", "limit sizes out anonymous")
        show_race(algorithm, SIZES if sizes is None else sizes, limit or RACE_LIMIT, out, anonymous)
        return
    options.require_only("without a folder", "sizes limit as_json")
    chosen = () if sizes is None else parse_sizes(sizes, "-n")
    with progress(1.0) as show:
        found = check_in_child(algorithm, (min(chosen), max(chosen)) if chosen else None,
                               limit or LIMIT, show)
    ok = all(findings["ok"] for findings in found)
    if as_json:
        emit({"ok": ok, "algorithms": found})
    else:
        for place, findings in enumerate(found):
            echo("\n" * (place > 0) + "\n".join(describe(findings)))
    sys.exit(0 if ok else 1)


def describe(findings: dict[str, Any]) -> list[str]:
    """Return what a check found, in lines."""
    kinds = {fault["kind"] for fault in findings["faults"]}
    lines = [findings["algorithm"]]

    def add(title: str, text: str) -> None:
        lines.append(f"  {title:10} {text}")

    if findings["form"]:
        add("answers", findings["form"])
    if findings["solutions"]:
        known = all(each["expected"] == each["got"] for each in findings["solutions"])
        sizes = [each["n"] for each in findings["solutions"]]
        missing = ", ".join(str(n) for n in range(sizes[0], sizes[-1]) if n not in sizes)
        add("solutions", f"n = {sizes[0]} to {sizes[-1]}{f' without {missing}' * bool(missing)}: "
            + " ".join(str(each["got"]) for each in findings["solutions"])
            + ", as published (A000170)" * known)
    if findings["instances"] and not findings["max_n"]:
        add(f"{findings['noun']}s", ", ".join(
            f"{each['many'] - each['gave_up']} of {each['many']} of {each['family']}"
            for each in findings["instances"])
            + "; it gave up on the others" * any(each["gave_up"] for each in findings["instances"]))
    elif findings["instances"]:
        lines += describe_instances(findings, kinds)
    fails = kinds & {"raises", "shape", "state", "time", "memory", "unread", "nothing"}
    if findings["implementations"] and "implementation" not in kinds and not fails:
        most = max((each["n"] for each in findings["solutions"]), default=0)
        add("counts", "the same by " + ", ".join(
            name if n <= most else f"{name} (to n = {n})"
            for name, n in findings["implementations"].items()))
    only_counts = NUMBER_ALONE in findings["form"] or (
        findings["form"] and not findings["max_n"])
    if not only_counts and not fails:
        if "builds" not in kinds and not findings["form"]:
            add("builds", "counting, plain and bare reach the same")
        if "counter" not in kinds:
            add("counters", "none: a function that is not changed reports no steps"
                if findings["form"] else describe_counters(findings["uncounted"]))
    if findings["rules"]:
        add("rules", f"on a board of {findings['examined']} queens")
        lines += [f"    {rule} at level {level}: refuses {refused}"
                  f"{f', saves {saved} nodes' if saved != 'not known' else ''}"
                  f"{f', takes {cost} times as long as without it' * cost[:1].isdigit()}".replace(
                      "at level all", "in all")
                  for rule, level, refused, saved, cost in map(in_words, findings["rules"])]
    lines += describe_tree(findings["tree"], findings["max_n"])
    for fault in findings["faults"]:
        lines += describe_fault(fault, findings["first_queen"])
    lines += [f"  {'warning':10} {text}" for text in findings["warnings"]]
    n = findings["solutions"][-1]["n"] if findings["solutions"] else findings["max_n"]
    seen, stopped = findings["seen"], findings["stopped"]
    reach = (f": solutions up to n = {seen}, totals up to n = {n}" if 0 < seen < n else
             f" from n = {findings['first_n']}" * bool(findings["first_n"])
             + f" up to n = {n}" * (n > 0))
    lines.append(f"{findings['algorithm']} is right{reach}"
                 + f"; {stopped}" * bool(stopped) if findings["ok"] else
                 f"{findings['algorithm']} is wrong: {findings['verdict']}")
    return [printable(line) for line in lines]


def describe_counters(uncounted: list[str]) -> str:
    """Return in words what a search counts, and how it could count more.

    >>> describe_counters([])
    'consistent'
    >>> describe_counters(["exhaustions", "dead_ends", "dead_levels"])
    'counts nodes and tests; does not count dead ends: add tally.exhausted(level) after ...'
    """
    without = {what: advice for what, (name, advice) in ADVICE.items() if name in uncounted}
    if not without:
        return "consistent"
    counted = [what for what in ADVICE if what not in without]
    return (f"counts {' and '.join(counted)}" if counted else "counts nothing") + (
        "; does not count " if counted else ", neither ") + "; ".join(
        f"{what}: add {advice}" for what, advice in without.items())


def describe_instances(findings: dict[str, Any], kinds: set[str]) -> list[str]:
    """Return how an algorithm for instances was tested, and what it found, in lines."""
    asked = findings["instances"]
    many, solvable, solutions, gave_up = (
        sum(each[name] for each in asked) for name in ("many", "solvable", "solutions", "gave_up"))
    families = ", ".join(each["family"] for each in asked)
    lines = [f"  {'instances':10} {many} of {families}, n = 1 to {findings['max_n']}: {solvable} "
             f"with a solution, {many - solvable} without"]
    if not kinds & {"wrong", "missing", "raises", "shape", "nothing"}:
        lines.append(f"  {'solutions':10} {solutions:,}, "
                     + ("as by bitmask" if findings["nodes"] else "all of them right")
                     + f"; it gave up {gave_up} times" * bool(gave_up))
    if findings["nodes"] is not None:
        plain, own = findings["nodes"]
        lines.append(f"  {'tree':10} {own:,} nodes, {plain:,} by bitmask: "
                     f"{compare_nodes(plain, own)}")
    return lines


def describe_tree(tree: list[dict[str, int]], n: int) -> list[str]:
    """Return the comparison of a tree with the plain one, in lines."""
    if not tree:
        return []
    plain, own = (sum(level[name] for level in tree) for name in ("plain", "nodes"))
    lines = [f"  {'tree':10} n = {n}: {own:,} nodes, {plain:,} in the plain tree: "
             + compare_nodes(plain, own)]
    if any(level["plain"] != level["nodes"] for level in tree):
        lines += [f"    level {level['level']:2} {level['nodes']:9,} of {level['plain']:9,}  "
                  + compare_nodes(level["plain"], level["nodes"]) for level in tree]
    return lines


def compare_nodes(plain: int, own: int) -> str:
    """Return in words how many nodes are saved.

    >>> compare_nodes(100, 59), compare_nodes(100, 150), compare_nodes(8, 8)
    ('prunes 41 %', '50 % more', 'the same')
    """
    if plain == own:
        return "the same"
    if not plain:
        return f"{own:,} more"
    return f"prunes {1 - own / plain:.0%}".replace("%", " %") if own < plain else (
        f"{own / plain - 1:.0%} more".replace("%", " %"))


def describe_fault(fault: dict[str, Any], first_queen: list[dict[str, int]]) -> list[str]:
    """Return a fault in lines: draw a wrong or missing placement, and split a wrong total by the
    column of the first queen.
    """
    lines = [f"  {fault['kind']:10} {fault['text']}", *(f"    {x}" for x in fault["lines"])]
    if fault["kind"] in ("wrong", "missing"):
        differing = [f"column {each['column'] + 1}: {each['got']}, not {each['expected']}"
                     for each in first_queen if each["got"] != each["expected"]]
        if differing:
            lines.append(f"    by the first queen: {'; '.join(differing)}")
        lines += [f"    {row}" for row in draw(Fault(**fault)).splitlines()]
    return lines


def show_race(folder: str, sizes: str, limit: float, out: str, anonymous: bool) -> None:
    """Check, time and rank every program of a folder, on a page."""
    from nqbench.records.context import context
    from nqbench.report.leaderboard import to_page
    from nqbench.study.fields import parse_sizes

    chosen = parse_sizes(sizes, "-n")
    if not out.endswith(".html"):
        raise InvalidValueError(f"--out must end in .html, not {out!r}")
    options.require_out("--out", out)
    with progress(1.0) as show:
        found = race(folder, chosen, limit, anonymous=anonymous, say=show)
    given = [word for option, value, usual in (
        ("-n", sizes, SIZES), ("--limit", limit, RACE_LIMIT)) if value != usual
        for word in (option, str(value))] + ["--anonymous"] * anonymous
    place = "FOLDER" if anonymous else folder
    shown = replace(found, left_out=[]) if anonymous else found
    options.write_out("--out", out, to_page(
        shown, context(), join(["nqbench", "check", place, *given])))
    entered = [each for each in found.entries if each.origin]
    for each in sorted(entered, key=lambda one: one.origin):
        if anonymous or each.mistake:
            said = [each.origin] * anonymous + [each.mistake] * bool(each.mistake)
            echo(printable(f"{each.name}: {'; '.join(said)}"))
    right = sum(not each.mistake for each in entered)
    for name, why in found.left_out:
        echo(printable(f"{name} is not entered: {why}"))
    if not found.isolated:
        say(NOT_ISOLATED)
    echo(f"{right} of {len(entered)} {plural(len(entered), 'program')} "
         f"{plural(right, 'is', 'are')} right; open {out}")

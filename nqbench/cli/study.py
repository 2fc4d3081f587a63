"""The commands `study` and `report`: measure and show."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from inspect import cleandoc
from pathlib import Path, PurePath
from shlex import join
from textwrap import fill
from time import perf_counter, time
from typing import TYPE_CHECKING, Any

import click

from nqbench.cli import options
from nqbench.cli.options import named_folder
from nqbench.cli.terminal import browse, echo, emit, print_warnings, progress, say, table
from nqbench.errors import IN_PYTHON, InvalidValueError, LostError, PluginError
from nqbench.problems import PROBLEMS
from nqbench.problems.plugins import resolve_all
from nqbench.problems.plugins.limits import ENDED, LEFT_OUT, STOPPED
from nqbench.records.contradictions import contradictions, judge, refusals, summary, suspicions
from nqbench.records.descriptions import preset_texts
from nqbench.records.record import ABOUT, Record
from nqbench.search.metrics import points
from nqbench.util.files import is_file
from nqbench.util.text import format_seconds, plural

if TYPE_CHECKING:
    from nqbench.report.checksums import Differences
    from nqbench.study import Plan

SKIPPED = {"too long": "as one point would take too long", "no time left": "for lack of time",
           "cannot be estimated": "as `nqbench count --estimate` cannot lead the search"}
MEASURED = {"sudoku": "`nqbench study --preset sudoku` measures all, `nqbench study PUZZLES -a "
                      "NAME` one"}
DONE = "measured", "ok", "differs"
DEBIAN = " of Debian"  # ends a package that pip does not install
# The columns of the table of rates: the figure of each, its scale, and how it is written.
RATED = {"puzzles per second": ("per_second", 1, ",.0f"), "from": ("low", 1, ",.0f"),
         "to": ("high", 1, ",.0f"), "answered": ("answered", 1, ".1%"),
         "without a guess": ("unguessed", 1, ".1%"), "guesses a puzzle": ("guesses", 1, ",.2f"),
         "nodes a puzzle": ("nodes", 1, ",.1f"), "slowest": ("slowest", 1, ""),
         "its ms": ("slowest_seconds", 1000, ",.3g")}


@options.command(examples=["nqbench study", "nqbench study --preset quick --results /tmp/r",
                           "nqbench study -a my_idea.py -a bitmask -n 6-12 --baseline bitmask",
                           "nqbench study masks.toml", "nqbench study hardest",
                           "nqbench study puzzles.txt -a fast -a './solver < {puzzles}'",
                           'nqbench study --label "office laptop"'])
@click.argument("file", required=False, metavar="[FILE.toml|PUZZLES]")
@click.option("--preset", metavar="PRESET",
              help="Choose one of the presets above. Default: standard.")
@click.option("-a", "--algorithm", "algorithms", multiple=True, metavar="ALGORITHM",
              help="Measure this algorithm alone, or with others: a name, a FILE.py or one of its "
                   "algorithms, FILE.py::NAME; NAME@IMPLEMENTATION chooses an implementation. "
                   "Needs -n.")
@click.option("-n", metavar="N", help="Measure for N queens, as in 8, 6-12 or 6,8,10.")
@click.option("--baseline", metavar="ALGORITHM",
              help="Compare the others with this one of the algorithms; NAME@IMPLEMENTATION "
                   "chooses an implementation.")
@options.number("--samples", least=1, metavar="S",
                help="Rounds in each process. Default: those of the preset, or 5.")
@options.budget(default=None,
                help="Time for the study, beside the checks of external algorithms; what does not "
                     "fit is skipped. Default: that of the preset, or 60 s with -a.")
@options.number("--processes", least=1, metavar="P",
                help="Take the samples in P processes, one after the other. Default: 5, or 3 to 4 "
                     "for a budget under 10 s. A resumed run keeps its own.")
@options.option("--results", default="results/local", metavar="DIR",
                help="Write the records to a new file in DIR.")
@click.option("--metrics", metavar="METRICS",
              help="Measure these metrics, separated by commas; see `nqbench list --metrics`. "
                   "Default: seconds, solutions and all counters. A resumed run keeps its own.")
@click.option("--label", metavar="TEXT",
              help="Call this machine TEXT in this and all later studies.")
@click.option("--unchecked", is_flag=True,
              help="Measure external algorithms without a check; their names then say so.")
@click.option("--resume", is_flag=True, help="Continue the newest run, if it was interrupted.")
@click.option("--yes", is_flag=True, help="Allow a grid of more than 1,000 cells.")
@options.json
def study(file: str | None, preset: str | None, budget: float | None, results: str,
          label: str | None, unchecked: bool, resume: bool, yes: bool, as_json: bool,
          **asked: Any) -> None:
    """Measure the algorithms, and write the records to a new file.

    A preset says what is measured, or a study FILE.toml, or the options -a and -n, which choose
    others than those of a preset; an external search in instances joins those of the ladder.
    PUZZLES, a file of them or a data set, rates all solvers of Sudoku, or those of -a: how many
    puzzles a second they answer, with how many guesses. Programs end in '< {puzzles}'. The presets:
    """
    start, begun = click.get_current_context().obj, time()  # the imports are in the budget
    from nqbench.study.fields import BUDGET, parse_names
    from nqbench.study.loop import measure
    from nqbench.study.plan import choose

    puzzles = file if file is not None and not file.endswith(".toml") else None
    reject_combinations(file, preset)
    if puzzles is None:
        reject_other_problems([*asked["algorithms"], *filter(None, [asked["baseline"]])])
    asked |= {"algorithms": asked["algorithms"] or None, "data": puzzles}
    if asked["metrics"] is not None:
        asked["metrics"] = parse_names(asked["metrics"], "metric")
    chosen = choose(preset if file is None or puzzles else file, yes, **asked)
    announce(chosen)
    total = budget or chosen[BUDGET]
    try:
        with progress(total) as show, print_warnings(), named_folder("--results", results):
            records = judge(measure(
                chosen, budget, results, lambda what, elapsed, _: show(what, elapsed),
                resume, label, unchecked, asked["processes"] is None, start))
    except (KeyboardInterrupt, LostError, PluginError):
        if any(path.stat().st_mtime >= begun for path in Path(results).glob("*.jsonl")):
            words = [word for word in sys.argv[1:] if word != "--resume"]
            say(f"the records so far are saved in {results}/; continue with "
                f"`nqbench {join(words)} --resume`")
        raise
    summary = {"preset": chosen.name, "results": results, "seconds": perf_counter() - start,
               **summarise(records)}
    from nqbench.analysis.comparison import measure_precision  # which loads pandas

    precision = measure_precision(records)
    summary["precision"] = precision and vars(precision)
    if as_json:
        emit(summary)
    else:
        if puzzles is not None:
            print_rates(records)
        print_summary(summary)
        if precision:
            echo(precision)
    sys.exit(1 if summary["checks_failed"] or summary["wrong"] or summary["refused"]
             or summary["nothing"] or any(one.get("skipped") for one in records) else 0)


study.help = "\n".join((cleandoc(study.help or ""), "", "\b", *(
    fill(f"{name:12}{text.splitlines()[0].lstrip('# ')}", 76, subsequent_indent=" " * 12)
    for name, text in preset_texts().items())))


def announce(plan: "Plan") -> None:
    """Say how many variants a study measures, how long at least, and whether cores are missing."""
    from nqbench.study.fields import ALGORITHMS, BUDGET, PROCESSES, N

    cells = {solver.algorithm.name for solver in plan[ALGORITHMS] if solver.algorithm.parameters}
    points = [n for solver in plan[ALGORITHMS] for n in plan[N] if n <= solver.largest_n]
    least = sum(plan.sample_seconds(n) * (1 + plan[PROCESSES] * plan.rounds(n)) for n in points)
    if any(solver.algorithm.uncompiled for solver in plan[ALGORITHMS]):
        say(IN_PYTHON)
    if len(cells) > 1:
        say(f"{len(cells):,} cells of parameters, {len(points):,} points in all: after the checks, "
            f"measuring takes {format_seconds(least)} or more, of {format_seconds(plan[BUDGET])}")


def reject_combinations(file: str | None, preset: str | None) -> None:
    """Reject a file that does not exist, or one with a preset."""
    if file is None:
        return
    sets = [name for problem in PROBLEMS.values() for name in problem.data_sets]
    if not (file.endswith(".toml") or is_file(file) or file in sets):
        raise InvalidValueError(f"FILE must be a study file, NAME.toml, a file of puzzles, or one "
                                f"of the data sets {', '.join(sets)}, not {file!r}; --preset "
                                "chooses a preset")
    if preset is not None:
        raise InvalidValueError("--preset is not supported with a file")


def reject_other_problems(algorithms: Sequence[str]) -> None:
    """Reject an algorithm of a problem that has no board of N, and say what measures it."""
    for name in algorithms:
        problem, *others = {found.problem for found, _ in resolve_all(name, None)}
        if "queens" not in (problem, *others) and problem in MEASURED:
            raise InvalidValueError(f"{name} is an algorithm of {problem}, not of a board; "
                                    f"{MEASURED[problem]}")


def summarise(records: Sequence[Record]) -> dict[str, Any]:
    """Return how many points a study measured and skipped, and why, and what it counted wrong."""
    wrong, warned = contradictions(records), suspicions(records)
    refused = refusals(records)
    records = [one for one in records if one["metric"] not in ABOUT]
    kinds = points()
    measured = [one for one in records if one["metric"] in kinds]
    states = Counter(one["status"] for one in measured)
    skipped = Counter(one["reason"] for one in measured if one["status"] == LEFT_OUT)
    absent = [one for one in measured if one["status"] == "not installed"]
    return {
        "records": len(records),
        "measured": states["measured"],
        "left_out": skipped.total(),
        "reasons": {reason: skipped[reason] for reason in SKIPPED},
        **{outcome.replace(" ", "_"): states[outcome] for outcome in STOPPED},
        "stopped": [f"{name_solver(one)} at {name_place(one)} was {one['fault']}"
                    for one in measured if one["status"] in STOPPED and one.get("fault")],
        "checks_failed": sum(one["status"] in ("differs", ENDED) for one in records),
        "not_installed": list(dict.fromkeys(one["peer"] for one in absent)),
        "packages": list(dict.fromkeys(one["package"] for one in absent)),
        "nothing": "" if any(one["status"] in DONE for one in measured or records) else
                   explain_nothing(measured or records),
        "refused": refused,
        "failed": [f"{name_solver(one)}, {name_place(one)}: {one['fault']}" for one in measured
                   if one["status"] == ENDED and {"algorithm", "fault"} <= one.keys()],
        "wrong": [one.as_dict() for one in wrong],
        "warnings": [*([summary(wrong)] if wrong else []), *warned],
    }


def explain_nothing(records: Sequence[Record]) -> str:
    """Return why a study measured nothing."""
    if not records:
        return "nothing was measured: no search has a tree to measure"
    late = SKIPPED["no time left"]
    why = Counter(f"skipped {SKIPPED.get(one['reason'], late)}" if one["status"] == LEFT_OUT else
                  ": ".join(filter(None, (one["status"], one.get("fault")))) for one in records)
    return f"nothing was measured: {len(records)} results, most of them {why.most_common(1)[0][0]}"


def name_solver(record: Record) -> str:
    """Return the peer of a record, or its algorithm."""
    return str(record.get("peer") or f"{record['algorithm']} ({record['implementation']})")


def name_place(record: Record) -> str:
    """Return the data set of a record, or its n."""
    return str(record.get("data_set") or f"n = {record['n']}")


def print_summary(summary: dict[str, Any]) -> None:
    """Print the packages that were missing, and the summary of a study in one line."""
    absent = summary["not_installed"]
    if absent:
        ways = {f"apt install {name.removesuffix(DEBIAN)}" if name.endswith(DEBIAN) else
                "pip install 'nqbench[peers]'" for name in summary["packages"]}
        say(f"not installed: {', '.join(absent)}; {', '.join(sorted(ways))}")
    failed = [f"{fault}; it has no samples" for fault in summary["failed"]]
    for line in (*summary["refused"], *failed, *summary["warnings"], *summary["stopped"],
                 *filter(None, [summary["nothing"]])):
        say(line)
    why = ", ".join(f"{many} {SKIPPED[reason]}"
                    for reason, many in summary["reasons"].items() if many)
    others = "".join(f"{many} {outcome}, " for outcome in STOPPED[1:]
                     if (many := summary[outcome.replace(" ", "_")]))

    def many_of(name: str, noun: str) -> str:
        return f"{summary[name]} {plural(summary[name], noun)}"

    echo(f"{many_of('measured', 'point')} measured, {summary['left_out']} skipped"
         f"{f' ({why})' if why else ''}, {summary['timed_out']} timed out, "
         f"{others}{many_of('checks_failed', 'check')} failed; {many_of('records', 'result')} "
         f"in {summary['results']}/ after {summary['seconds']:.0f} s")


@options.command(examples=["nqbench report", "nqbench report --results /tmp/r --out /tmp/page",
                           "nqbench report --open", "nqbench report --check",
                           'nqbench report --machine "office laptop"'])
@options.results
@options.option("--out", default="reports", metavar="DIR",
                help="Folder for tables, plots and page.")
@click.option("--published", is_flag=True, help="Skip the subfolder local of the records.")
@click.option("--run", "runs", multiple=True, metavar="RUN",
              help="Report only this run, see `nqbench results list`; may be repeated.")
@click.option("--machine", "machines", multiple=True, metavar="LABEL",
              help="Report only the runs with this label, or of the machine whose identity begins "
                   "so; may be repeated.")
@click.option("--check", "only_check", is_flag=True,
              help="Write nothing; list the files that differ from what the records give, and how.")
@click.option("--force", is_flag=True,
              help="Overwrite files that no report wrote, or that were changed since.")
@click.option("--png", is_flag=True, help="Draw the plots as PNG, too.")
@click.option("--pdf", is_flag=True, help="Draw the plots as PDF, too.")
@click.option("--open", "shows", is_flag=True, help="Open the page in your browser.")
@options.json
def report(results: str, out: str, published: bool, runs: tuple[str, ...],
           machines: tuple[str, ...], only_check: bool, force: bool, png: bool, pdf: bool,
           shows: bool, as_json: bool) -> None:
    """Make tables, plots and one page of the records.

    The same records and the same nqbench give the same bytes; drawings also need the same
    matplotlib. The exit status is 1 if a count is wrong, which the page shows at its top. With
    --check it is also 1 if a file differs, except in the places of lines and marks in drawings.
    """
    from nqbench.report import compare, read, write

    if shows and (only_check or as_json):
        raise InvalidValueError("--open is not supported with " + (
            "--check, which writes no page" if only_check else "--json"))
    kinds = [kind for kind, wanted in (("png", png), ("pdf", pdf)) if wanted]
    with print_warnings(), named_folder("--results", results), named_folder("--out", out):
        made = read(results, published, runs, machines)
        if only_check:
            found = compare(made, out, kinds)
        else:
            files = write(made, out, force, kinds)
    wrong = [one.as_dict() for one in made.wrong]
    if only_check:
        print_differences(found, results, out, wrong if as_json else None)
    elif as_json:
        emit({"ok": not wrong, "wrong": wrong, "page": str(files[0]),
              "files": [str(path) for path in files]})
    else:
        echo(f"{len(files)} files in {out}/; open {files[0]}")
    if part := made.parts.get("comparison"):
        say(f"the records are of several commits or machines: the page is about the run of "
            f"{part.facts.main.name}, and names what it leaves out under Comparison; --run and "
            "--machine choose others")
    if shows:
        open_page(files[0])
    if wrong:
        say(summary(made.wrong))
    sys.exit(1 if wrong or (only_check and not found.same) else 0)


def open_page(page: Path) -> None:
    """Open a page in the user's browser, or say that none could be started."""
    if not browse(page.resolve().as_uri()):
        say(f"no browser could be started; open {page.resolve()}")


def print_differences(found: "Differences", results: str, out: str,
                      wrong: list[dict[str, Any]] | None) -> None:
    """Print the files that differ from what the records give; as JSON with the wrong counts."""
    if wrong is not None:
        emit({"ok": found.same and not wrong, "wrong": wrong, "same": found.same, **asdict(found)})
        return
    for what, names in (("differs", found.differ), ("missing", found.missing),
                        ("left over", found.left_over)):
        for name in names:
            how = f": {found.differ[name]}" if what == "differs" else ""
            echo(f"{what + ':':10} {PurePath(out, name)}{how}")
    if found.same:
        echo(f"the {found.made} files in {out}/ are up to date with {results}/")
    else:
        say(f"{out}/ is out of date with {results}/: run this without --check")


def print_rates(records: Sequence[Record]) -> None:
    """Print how fast solvers of Sudoku were on each data set."""
    rates = [one for one in records if one["metric"] == "rate"]
    for name in dict.fromkeys(one["data_set"] for one in rates):
        found = [one for one in rates if one["data_set"] == name]
        first = found[0]
        order = f"permuted (seed {first['seed']})" if first["permuted"] else "as given"
        if "drawn_from" in first:
            order = f"drawn at random from {first['drawn_from']:,}, {order}"
        table(f"{name}: {first['puzzles']} puzzles, {order}, each searched for 2 solutions; with "
              "the 95 % interval", ["solver", *RATED], [*map(rated, found)], numeric=[*RATED])
        answers = Counter(max((each for each in known if each is not None), default=None)
                          for known in zip(*(one["solutions"] for one in found
                                             if one["status"] == "measured"), strict=True))
        for each, many in sorted(answers.items(), key=str):
            if each != 1:
                words = {None: "not answered", 0: "without a solution", 2: "with several solutions"}
                say(f"{many} {plural(many, 'puzzle')} {words[each]}")


def rated(record: dict[str, Any]) -> list[Any]:
    """Return a solver's row of the table.

    >>> rated({"algorithm": "mine", "implementation": "process", "status": "failed",
    ...        "predicted": None})[0]
    'mine (process): failed'
    """
    from nqbench.topics.sudoku.rates import figures

    name = f"{record['algorithm']} ({record['implementation']})"
    if record["status"] != "measured":
        why = ("no puzzle answered" if record["status"] == "timed out" else
               record["status"] if record["predicted"] is None else
               f"left out: about {record['predicted']:,.3g} s")
        return [f"{name}: {why}", *[""] * len(RATED)]
    found = figures(record)
    return [name, *(
        "" if found[column] is None or found[column] != found[column] else
        format(scale * found[column], style) for column, scale, style in RATED.values())]

"""The commands `results` and `compare`: list, show, export and compare runs."""

import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from nqbench.cli import options
from nqbench.cli.options import named_folder
from nqbench.cli.terminal import echo, emit, print_warnings, say, table, waiting
from nqbench.errors import InvalidValueError
from nqbench.problems.plugins.limits import STOPPED
from nqbench.problems.plugins.notation import find_version, names_file
from nqbench.problems.plugins.registry import find_problems
from nqbench.records import frame
from nqbench.records.contradictions import contradictions, summary
from nqbench.records.descriptions import METRIC
from nqbench.records.record import LOCAL, Record, digest, join
from nqbench.records.runs import PLACE, Run, describe, find_run, find_sides, group, locate, select
from nqbench.util.text import format_quotient, format_seconds, plural, some
from nqbench.util.versions import find_revision

if TYPE_CHECKING:
    from nqbench.analysis.comparison import Comparison

ALL = "all"
NAMED = 10  # counts or points in one message
BLIND = "no point has a verdict: the times do not say whether B is slower"
MEASURED_SIZES = "8-10"  # of versions and revisions
PROCESSES, BUDGET = 10, 120.0  # of the comparison of two versions: they show 10 % on a busy machine
SIDE = "run", "preset", "machine", "label", "commit", "state"  # what a comparison says of a run


@click.group(cls=options.Group, examples=[
    "nqbench results list", "nqbench results show 2026-11-22T01:35",
    "nqbench results export all --out records.csv"])
def results() -> None:
    """List, show and export runs.

    RUN is the name of the file of a run, or a beginning of its start time that no other run shares.
    """


def read_runs(option: str) -> list[Run]:
    """Return the runs of a folder, the oldest first; print what cannot be read."""
    with print_warnings(), named_folder("--results", option):
        return group(locate(option))


def summarise(run: Run) -> dict[str, Any]:
    """Return what `list` says about a run."""
    return {"run": run.started, "preset": run.preset, "machine": run.machine, "label": run.label,
            "commit": run.commit, "dirty": run.context["dirty"], "n": list(run.sizes),
            "algorithms": run.algorithms, "records": len(run.records), "state": run.state,
            "files": [str(path) for path in run.files]}


@results.command("list", examples=["nqbench results list", "nqbench results list --json"])
@options.results
@options.json
def list_runs(results: str, as_json: bool) -> None:
    """List the runs, the oldest first.

    The state is "complete", "interrupted", or "unknown" if the records do not say.
    """
    found = [summarise(run) for run in read_runs(results)]
    if as_json:
        emit({"runs": found})
    elif not found:
        echo(f"there are no runs in {results}/")
    else:
        table(f"{len(found)} {plural(len(found), 'run')} in {results}/",
              ["run", "preset", "machine", "commit", "n", "algorithms", "records", "state"],
              [[run["run"][:19], run["preset"], run["label"] or run["machine"][:8],
                (run["commit"] or "")[:8] + "+" * bool(run["dirty"]),  # changed since
                f"{run['n'][0]}-{run['n'][1]}", len(run["algorithms"]), run["records"],
                run["state"]] for run in found],
              numeric=["algorithms", "records"])


@results.command(examples=["nqbench results show 2026-11-22T01:35"])
@click.argument("run", metavar="RUN")
@options.results
@options.option("--json", "as_json", is_flag=True, help="Print it in one line.")
def show(run: str, results: str, as_json: bool) -> None:
    """Show everything about one run, as a JSON object.

    The exit status is 1 if one of its counts is wrong.
    """
    chosen = find_run(read_runs(results), run)
    wrong = contradictions(join(chosen.records))
    metrics = Counter(record["metric"] for record in chosen.records)
    skipped = Counter(record.get("reason") or record["status"] for record in chosen.records
                      if record["status"] in ("left out", *STOPPED, "not installed"))
    found = {**summarise(chosen), "ended": max(record["time"] for record in chosen.records),
             "budget": chosen.records[0].get("budget"),
             "context": chosen.context, "metrics": metrics, "solvers": chosen.solvers,
             "skipped": skipped, "wrong": list(map(str, wrong)),
             **{name: chosen.records[0].get(name) for name in ("limits", "unlimited")},
             **{name: sum(record.get(name, 0) for record in chosen.records)
                for name in ("repeated", "disturbed")},
             "study": chosen.study, "outside": [
                 {"name": name, "file": each.file, "source": each.source, "checked": each.checked}
                 for name, each in chosen.outside.items()],
             "sha256": digest(chosen.records)}
    echo(json.dumps(found, indent=None if as_json else 1))
    sys.exit(1 if wrong else 0)


@results.command(examples=["nqbench results export 2026-11-22T01:35 --out run.csv",
                           "nqbench results export all --out records.csv"])
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--out", metavar="FILE", required=True,
              help="Write the records to a new FILE as one table in CSV.")
@options.results
@options.json
def export(runs: Sequence[str], out: str, results: str, as_json: bool) -> None:
    """Write runs to a file as one table in CSV.

    RUN may also be all. A table has one row for each point. Existing files are not replaced.
    """
    from nqbench.report.formats import to_csv  # whose package draws

    found = read_runs(results)
    named = select(found, [name for name in runs if name != ALL])
    chosen = found if ALL in runs else named
    if not chosen:
        raise InvalidValueError(f"there are no runs in {results}/")
    options.require_out("--out", out, new=True)
    text = to_csv(frame(record for run in chosen for record in run.records))
    options.write_out("--out", out, text.encode("utf-8", "replace"), new=True)
    if as_json:
        emit({"file": out, "runs": [run.started for run in chosen]})
    else:
        echo(f"{len(chosen)} {plural(len(chosen), 'run')} in {out}")


def read_slowdown(_: click.Context, option: click.Parameter, text: str | None) -> float | None:
    """Return the factor of a slowdown that is given as a percentage."""
    if text is None:
        return None
    percent = re.fullmatch(r"(\d+(?:\.\d+)?) ?%", text, re.ASCII)
    if not percent or not isfinite(factor := 1 + float(percent[1]) / 100):
        raise click.UsageError(f"--fail-over must be a percentage such as 5%, not {text!r}")
    return factor


@options.command(examples=["nqbench compare 2026-11-21T14 2026-11-22",
                           "nqbench compare main.jsonl mine.jsonl --fail-over 5%",
                           "nqbench compare my_idea.py@HEAD~1 my_idea.py --fail-over 5%",
                           "nqbench compare HEAD~1 worktree -a bitmask -n 10 --out compared"])
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@options.results
@click.option("--fail-over", callback=read_slowdown, metavar="PERCENT",
              help="Exit with 1 if B is slower at a point by more than this, beyond chance, or was "
                   "stopped or failed there, or if no point has a verdict: a percentage such as "
                   "5%.")
@click.option("-a", "--algorithm", "algorithms", multiple=True, metavar="ALGORITHM",
              help="Compare this algorithm alone, or with others; NAME@IMPLEMENTATION chooses an "
                   "implementation. Default: all; all that prune, where revisions are measured.")
@click.option("-n", "sizes", metavar="N",
              help="Compare for N queens alone, as in 8, 6-12 or 6,8,10. Default: all; "
                   f"{MEASURED_SIZES}, where versions or revisions are measured.")
@options.option("--out", metavar="DIR", help="Write a page, tables and a plot to DIR.")
@options.json
def compare(a: str, b: str, results: str, fail_over: float | None, algorithms: tuple[str, ...],
            sizes: str | None, out: str | None, as_json: bool) -> None:
    """Compare two runs, versions of a file, or revisions of nqbench.

    A and B may be FILE.py or FILE.py@REVISION, as in my_idea.py@HEAD~1, with ::NAME for one of
    several algorithms: both are then measured in one run, in turns, and may count other nodes.

    A and B are files or folders of records; otherwise, they are runs, labels or commits of the
    records in DIR, or revisions of nqbench such as HEAD~1 or a tag; worktree is what git tracks, as
    it is now. Revisions without records are built and measured in turns, in about two minutes.

    The ratio is the time of B over that of A, at each point that both have measured: of the
    processor, if both have one thread. Random instances of queens are the same in A and B, and
    their answers are compared across all algorithms. Times of a search that is wrong are not
    compared. The exit status is 1 if counts, totals or answers differ or are wrong, or because of
    --fail-over.
    """
    versions = names_file(a) and names_file(b)
    if not versions and all(names_file(each) or any(find_problems(each)) for each in (a, b)):
        what = "hardest" if {*find_problems(a), *find_problems(b)} == {"sudoku"} else "-n 8-10"
        raise InvalidValueError(
            f"{a} and {b} are algorithms, and compare takes runs, or versions of a file; `nqbench "
            f"study -a {a} -a {b} {what}` measures both")
    if versions and algorithms:
        raise InvalidValueError("-a is not supported with versions of a file: FILE.py::NAME names "
                                "one of its algorithms")
    with print_warnings(), named_folder("--results", results):
        made = measure_or_find(a, b, results, algorithms, sizes, versions)
    page = "" if out is None else write_page(made, out, (a, b))
    slower = made.find_slower(fail_over or 1)
    blind = fail_over is not None and made.verdicts == 0
    failed = bool((made.differing and not versions) or made.wrong or blind or (
        fail_over is not None and (len(slower) or made.lost)))
    if as_json:
        emit({**as_dict(made, fail_over, failed), **({"page": page} if page else {})})
    else:
        print_comparison(made)
        if fail_over is not None:
            echo(f"limit: {100 * (fail_over - 1):g} % slower"
                 + f"; {made.verdicts} of {len(made.rows)} points have a verdict" * (
                     made.verdicts < len(made.rows)))
        if page:
            echo(f"page, table and plot are in {out}/; open {page}")
    if made.wrong:
        say(f"{summary(made.wrong)}; the times of these searches are not compared")
    for strange in made.strange:
        say(strange)
    if made.lost:
        say(f"B has no time where A has one: {some([*map(str, made.lost)], NAMED, '; ', '; ')}")
    if made.differing:
        say(f"counts differ: {some([*map(str, made.differing)], NAMED, '; ', '; ')}")
    for doubt in (*made.doubts, *[BLIND] * blind):
        say(doubt)
    if fail_over is not None and len(slower):
        runs = "" if slower["interleaved"].all() else ", within one run of each"
        say(f"B is slower by more than {100 * (fail_over - 1):g} % beyond chance{runs}: " + some([
            f"{describe((*place,))} at n = {place[-1]} ({times:.3g} times)" for *place, times in
            zip(*(slower[name] for name in (*PLACE, "ratio")), strict=True)], NAMED, last=", "))
    sys.exit(1 if failed else 0)


def write_page(made: "Comparison", out: str, names: tuple[str, str]) -> str:
    """Write the page of a comparison, whose sides have these names, to a folder, and return its
    path.
    """
    from nqbench.topics.searches import section_comparison  # which loads matplotlib

    with named_folder("--out", out):
        return str(section_comparison.write_page(made, out, names)[0])


def measure_or_find(a: str, b: str, results: str, algorithms: Sequence[str], sizes: str | None,
                    versions: bool) -> "Comparison":
    """Return the comparison of A and B at the points of these algorithms and sizes; measure both if
    they are versions of a file, or revisions without records of these points.

    Raises
    ------
    InvalidValueError
        if one is not known, cannot be measured, or if none has such points.
    """
    from nqbench.analysis.comparison import compare_runs  # which loads pandas
    from nqbench.study.fields import parse_sizes

    chosen = parse_sizes(sizes) if sizes is not None else ()
    named = [name.partition("@")[::2] for name in algorithms]

    def keep(point: Record) -> bool:
        return (not chosen or point["n"] in chosen) and (not named or any(
            point.get("algorithm") == name and way in ("", point.get("implementation"))
            for name, way in named))

    if versions:
        return compare_runs(*measure_versions(a, b, sizes or MEASURED_SIZES, results), keep=keep)
    revisions = [each for each in map(find_revision, (a, b)) if each]
    able = len(revisions) == 2
    try:
        made = compare_runs(*find_sides(a, b, results), keep=keep)
    except InvalidValueError:
        if not able:
            raise
    else:
        if has_all(made, {name for name, _ in named}, {*chosen}) if able else (
                len(made.rows) or not (chosen or named)):
            return made
        if not able:
            raise InvalidValueError(f"{a} and {b} have no time in common of " + " ".join(
                [*algorithms, f"n = {sizes or 'any'}"]))
    from nqbench.study.revisions import measure

    with waiting(f"building and measuring {a} and {b}", None):
        sides = measure(revisions, results, algorithms, sizes or MEASURED_SIZES)
    say(f"A is {a}, B is {b}, measured in turns; the records are in "
        + " and ".join(str(run.files[0]) for (run,) in sides))
    return compare_runs(*sides, keep=keep)


def has_all(made: "Comparison", names: set[str], sizes: set[int]) -> bool:
    """Return whether the records of two revisions have times of these algorithms and sizes, or
    without names of all: the run of an earlier comparison may have measured a few.
    """
    from nqbench.study.revisions import PRESET

    whole = all(any(run.preset != PRESET or "algorithms" not in (run.study or ()) for run in side)
                for side in (made.a, made.b))
    return len(made.rows) > 0 and sizes <= {*made.rows["n"]} and (
        names <= {*made.rows["algorithm"]} if names else whole)


def measure_versions(a: str, b: str, sizes: str, results: str) -> list[list[Run]]:
    """Measure two algorithms of files in one run, and return it as two sides, in which both have
    the name of the second one.

    Raises
    ------
    InvalidValueError
        if there is no such algorithm or version, or if one is wrong.
    """
    from nqbench.study import run

    chosen = [find_version(place) for place in (a, b)]
    if chosen[0].name == chosen[1].name:
        raise InvalidValueError(f"{a} and {b} are the same")
    with waiting("measuring both versions", None):
        records = run(algorithms=chosen, n=sizes, results=f"{results}/{LOCAL}",
                      processes=PROCESSES, budget=BUDGET)
    for fault in records.loc[records["metric"] == METRIC, "fault"].dropna():
        raise InvalidValueError(fault)
    whole = find_run(group(locate(results)), records["run"].iloc[0])
    say(f"A is {a}, B is {b}, measured in turns; the records are in {whole.files[0]}")
    if whole.outside[chosen[0].name].source == whole.outside[chosen[1].name].source:
        say("the source of A and B is the same: what differs is chance")
    return [[replace(whole, records=[
        {**record, "algorithm": chosen[1].name} for record in whole.records
        if record.get("algorithm") == each.name])] for each in chosen]


def print_comparison(made: "Comparison") -> None:
    """Print the two sides, their times, and what one of them lacks."""
    if len(made.machines) > 1 and len(made.rows):
        echo("TIMES OF TWO MACHINES ARE COMPARED: the ratios depend on the machines "
             "as well as on the programs\n")
    echo(f"A: {_side(made.a)}\nB: {_side(made.b)}")
    print_times(made)
    for names, how in ((made.sources, "is not the same"), (made.same, "is the same")):
        if names:
            echo(f"the source {how} in A and B: {', '.join(names)}")
    for side, places in (("A", made.only_a), ("B", made.only_b)):
        texts = [f"{describe(place)} at n = {place[-1]}" for place in places]
        if texts:
            echo(f"only in {side}, {len(texts)} {plural(len(texts), 'point')}: "
                 + some(texts, NAMED, last=", "))


def print_times(made: "Comparison") -> None:
    """Print the times of both sides and their ratios."""
    rows, mean = made.rows, made.mean
    counted = [name for name in ("nodes", "tests") if rows[name].notna().any()]
    table(f"times of B over those of A at {len(rows)} points",
          ["n", "solver", "A", "B", "ratio", "95 %", "verdict", *counted],
          [[row["n"], describe(tuple(row[name] for name in PLACE)),
            format_seconds(row["a_seconds"]), format_seconds(row["b_seconds"]),
            f"{row['ratio']:.3g}", _interval(row["low"], row["high"]), row["verdict"],
            *("" if row[name] != row[name] else format_quotient(row[name]) for name in counted)]
           for row in rows.to_dict("records")],
          numeric=["n", "A", "B", "ratio", *counted])
    if len(rows):
        echo(f"geometric mean {mean.times:.3g}, 95 % "
             f"{_interval(mean.low, mean.high) or 'not known'}; verdicts: Student's t, 5 % "
             f"for all {len(rows)} points together (Holm)"
             f"{'; the last columns are ratios, too' * bool(counted)}")
    doubts = [f"n = {row['n']}, {describe(tuple(row[name] for name in PLACE))}, {row['warning']}"
              for row in rows.to_dict("records") if row["warning"]]
    if doubts:
        indented = "\n" + " " * 10
        echo(f"doubtful: {some(doubts, NAMED, indented, indented)}")
    if made.precision:
        echo(made.precision)
    if len(rows):
        echo(made.order)


def as_dict(made: "Comparison", fail_over: float | None, failed: bool) -> dict[str, Any]:
    """Return a comparison for JSON, with null for what is not known."""
    mean, low, high = (value if isfinite(value) else None for value in made.mean[:3])
    return {
        "ok": not failed, "two_machines": len(made.machines) > 1,
        **{side: [{name: summarise(run)[name] for name in SIDE} for run in runs]
           for side, runs in (("a", made.a), ("b", made.b))},
        "fail_over": fail_over, "geometric_mean": {"ratio": mean, "low": low, "high": high},
        "points": [{name: None if value != value else value for name, value in row.items()}
                   for row in made.rows.to_dict("records")],
        "lost": [{**dict(zip(PLACE, one.place, strict=True)), "status": one.status,
                  "a_seconds": one.seconds} for one in made.lost],
        **{side: [dict(zip(PLACE, place, strict=True)) for place in places]
           for side, places in (("only_a", made.only_a), ("only_b", made.only_b))},
        "differing": [vars(one) for one in made.differing],
        "wrong": [one.as_dict() for one in made.wrong],
        "warnings": [*made.strange, *made.doubts], "sources": made.sources, "same": made.same,
        "precision": made.precision and vars(made.precision)}


def _side(runs: list[Run]) -> str:
    """Return the newest run of a side in one line, and the number of the others."""
    run = runs[-1]
    where = run.context
    more = f"; and {len(runs) - 1} older" if len(runs) > 1 else ""
    return (f"{run.name}, {run.preset}, {run.state}; {run.label or run.machine}, "
            f"{where['processor']}, {where['python']}, commit {(run.commit or 'unknown')[:8]}"
            f"{', changed since' if where['dirty'] else ''}{more}")


def _interval(low: float, high: float) -> str:
    return f"{low:.3g} to {high:.3g}" if low == low else ""

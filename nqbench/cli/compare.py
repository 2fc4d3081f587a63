"""The command `compare`: two runs, point by point."""

import re
import sys
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from nqbench.cli import options
from nqbench.cli.shared import emit, folder, print_warnings, say
from nqbench.cli.terminal import table, waiting
from nqbench.errors import InvalidValueError
from nqbench.problems.plugins.notation import find_version, names_file
from nqbench.problems.plugins.registry import find_problems
from nqbench.records.contradictions import summary
from nqbench.records.descriptions import METRIC
from nqbench.records.record import LOCAL
from nqbench.records.runs import Run, find_run, find_sides, group, locate
from nqbench.util.text import format_seconds

if TYPE_CHECKING:

    from nqbench.analysis.comparison import Comparison
NAMED = 10  # counts or points in one message


def read_slowdown(_: click.Context, option: click.Parameter, text: str | None) -> float | None:
    """Return the factor of a slowdown that is given as a percentage."""
    if text is None:
        return None
    percent = re.fullmatch(r"(\d+(?:\.\d+)?) ?%", text, re.ASCII)
    if not percent:
        raise click.UsageError(f"--fail-over must be a percentage such as 5%, not {text!r}")
    return 1 + float(percent[1]) / 100


@options.command(examples=["nqbench compare 2026-11-21T14 2026-11-22",
                           "nqbench compare main.jsonl mine.jsonl --fail-over 5%",
                           "nqbench compare my_idea.py@HEAD~1 my_idea.py --fail-over 5%"])
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@options.results
@click.option("--fail-over", callback=read_slowdown, metavar="PERCENT",
              help="Exit with 1 if B is significantly slower at a point, and by more than this, or "
                   "was stopped or failed there: a percentage such as 5%.")
@click.option("-n", "sizes", default="8-10", metavar="N", show_default=True,
              help="Measure two versions of a file for N queens.")
@options.json
def compare(a: str, b: str, results: str, fail_over: float | None, sizes: str,
            as_json: bool) -> None:
    """Compare two runs, or two versions of an algorithm.

    A and B may be FILE.py or FILE.py@REVISION, as in my_idea.py@HEAD~1, with ::NAME for one of
    several algorithms: both are then measured in one run, in turns, and may count other nodes.

    A and B are files or folders of records; otherwise, they are runs, labels or commits of the
    records in DIR. The ratio is the time of B over that of A, at each point that both have
    measured. Random instances of queens are the same in A and B, and their answers are compared
    across all algorithms. Times of a search that is wrong are not
    compared. The exit status is 1 if counts, totals or answers differ or are wrong, or because of
    --fail-over.
    """
    from nqbench.analysis.comparison import PLACE, compare_runs, describe

    if find_problems(a) and find_problems(b):
        raise InvalidValueError(
            f"{a} and {b} are algorithms, and compare takes runs, or versions of a file; `nqbench "
            f"study -a {a} -a {b} -n 8-10` measures both, `nqbench play -a {a} -a {b}` shows them")
    with print_warnings(), folder("--results", results):
        versions = names_file(a) and names_file(b)
        made = compare_runs(*(measure_versions(a, b, sizes, results) if versions else
                              find_sides(a, b, results)))
    rows = made.rows
    slower = rows[(rows["verdict"] == "slower") & (rows["ratio"] > (fail_over or 1))]
    failed = bool((made.differing and not versions) or made.wrong or (
        fail_over is not None and (len(slower) or made.lost)))
    if as_json:
        emit(as_dict(made, fail_over, failed))
    else:
        print_comparison(made)
        if fail_over is not None:
            click.echo(f"limit: {100 * (fail_over - 1):g} % slower")
    if made.wrong:
        say(f"{summary(made.wrong)}; the times of these searches are not compared")
    for strange in made.strange:
        say(strange)
    if made.lost:
        say(f"B has no time where A has one: {_some([*map(str, made.lost)], '; ')}")
    if made.differing:
        say(f"counts differ: {_some([*map(str, made.differing)], '; ')}")
    if fail_over is not None and len(slower):
        runs = "" if slower["interleaved"].all() else ", within one run of each"
        say(f"B is significantly slower by more than {100 * (fail_over - 1):g} %{runs}: " + _some([
                f"{describe((*place,))} at n = {place[-1]} ({times:.3g} times)" for *place, times in
                zip(*(slower[name] for name in (*PLACE, "ratio")), strict=True)], ", "))
    sys.exit(1 if failed else 0)


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
        records = run(algorithms=chosen, n=sizes, results=f"{results}/{LOCAL}")
    for fault in records.loc[records["metric"] == METRIC, "fault"].dropna():
        raise InvalidValueError(fault)
    whole = find_run(group(locate(results)), records["run"].iloc[0])
    say(f"A is {a}, B is {b}, measured in turns; the records are in {whole.files[0]}")
    return [[replace(whole, records=[
        {**record, "algorithm": chosen[1].name} for record in whole.records
        if record.get("algorithm") == each.name])] for each in chosen]


def print_comparison(made: "Comparison") -> None:
    """Print the two sides, their times, and what one of them lacks."""
    from nqbench.analysis.comparison import describe

    if len(made.machines) > 1 and len(made.rows):
        click.echo("TIMES OF TWO MACHINES ARE COMPARED: the ratios depend on the machines "
                   "as well as on the programs\n")
    click.echo(f"A: {_side(made.a)}\nB: {_side(made.b)}")
    print_times(made)
    if made.sources:
        click.echo(f"the source is not the same in A and B: {', '.join(made.sources)}")
    for side, places in (("A", made.only_a), ("B", made.only_b)):
        texts = [f"{describe(place)} at n = {place[-1]}" for place in places]
        if texts:
            click.echo(f"only in {side}, {len(texts)} points: " + _some(texts, ", "))


def print_times(made: "Comparison") -> None:
    """Print the times of both sides and their ratios."""
    from nqbench.analysis.comparison import PLACE, describe

    rows = made.rows
    table(f"times of B over those of A at {len(rows)} points",
          ["n", "solver", "A", "B", "ratio", "95 %", "verdict"],
          [[row["n"], describe(tuple(row[name] for name in PLACE)),
            format_seconds(row["a_seconds"]), format_seconds(row["b_seconds"]),
            f"{row['ratio']:.3g}", _interval(row["low"], row["high"]), row["verdict"]]
           for row in rows.to_dict("records")],
          numeric=["n", "A", "B", "ratio"])
    mean, low, high = made.mean
    if len(rows):
        click.echo(f"geometric mean {mean:.3g}, 95 % {_interval(low, high) or 'not known'}; "
                   "verdicts are corrected for the points of one n (Holm)")
    if not rows["interleaved"].all():
        click.echo("A and B were not measured in turns: intervals and verdicts hold within one run "
                   "of each, and do not include how much whole runs differ")


def as_dict(made: "Comparison", fail_over: float | None, failed: bool) -> dict[str, Any]:
    """Return a comparison for JSON, with null for what is not known."""
    from nqbench.analysis.comparison import PLACE

    mean, low, high = (value if isfinite(value) else None for value in made.mean)
    return {
        "ok": not failed, "two_machines": len(made.machines) > 1,
        **{side: [{"run": run.started, "preset": run.preset, "machine": run.machine,
                   "label": run.label, "commit": run.commit, "state": run.state}
                  for run in runs] for side, runs in (("a", made.a), ("b", made.b))},
        "fail_over": fail_over, "geometric_mean": {"ratio": mean, "low": low, "high": high},
        "points": [{name: None if value != value else value for name, value in row.items()}
                   for row in made.rows.to_dict("records")],
        "lost": [{**dict(zip(PLACE, one.place, strict=True)), "status": one.status,
                  "a_seconds": one.seconds} for one in made.lost],
        **{side: [dict(zip(PLACE, place, strict=True)) for place in places]
           for side, places in (("only_a", made.only_a), ("only_b", made.only_b))},
        "differing": [vars(one) for one in made.differing],
        "wrong": [one.as_dict() for one in made.wrong], "warnings": made.strange,
        "sources": made.sources}


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


def _some(texts: list[str], between: str) -> str:
    """Return the first texts, and how many more there are."""
    more = f"{between}and {len(texts) - NAMED} more" if len(texts) > NAMED else ""
    return between.join(texts[:NAMED]) + more

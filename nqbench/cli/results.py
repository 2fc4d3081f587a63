"""The commands `nqbench results`: list, show and export runs."""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from nqbench.cli import options
from nqbench.cli.options import named_folder, require_out, write_out
from nqbench.cli.terminal import emit, print_warnings, say, table
from nqbench.errors import InvalidValueError
from nqbench.problems.plugins.limits import STOPPED
from nqbench.records.contradictions import contradictions
from nqbench.records.record import digest, join
from nqbench.records.runs import Run, find_run, group, locate, select
from nqbench.report import exports
from nqbench.util.text import unknown

ALL = "all"
run_argument = click.argument("run", metavar="RUN")


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
        click.echo(f"there are no runs in {results}/")
    else:
        table(f"{_runs(found)} in {results}/",
              ["run", "preset", "machine", "commit", "n", "algorithms", "records", "state"],
              [[run["run"][:19], run["preset"], run["label"] or run["machine"][:8], _commit(run),
                f"{run['n'][0]}-{run['n'][1]}", len(run["algorithms"]), run["records"],
                run["state"]] for run in found],
              numeric=["algorithms", "records"])


def _runs(found: Sequence[object]) -> str:
    return f"{len(found)} run{'s' if len(found) > 1 else ''}"


def _commit(run: dict[str, Any]) -> str:
    """Return the first digits of a commit, with a sign if the source was changed since."""
    return (run["commit"] or "")[:8] + ("+" if run["dirty"] else "")


@results.command(examples=["nqbench results show 2026-11-22T01:35"])
@run_argument
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
    found = {**summarise(chosen), "ended": chosen.ended, "budget": chosen.budget,
             "context": chosen.context, "metrics": metrics, "solvers": chosen.solvers,
             "skipped": skipped, "wrong": list(map(str, wrong)),
             **{name: chosen.records[0].get(name) for name in ("limits", "unlimited")},
             **{name: sum(record.get(name, 0) for record in chosen.records)
                for name in ("repeated", "disturbed")},
             "study": chosen.study, "outside": [
                 {"name": name, "file": each.file, "source": each.source, "checked": each.checked}
                 for name, each in chosen.outside.items()],
             "sha256": digest(chosen.records)}
    click.echo(json.dumps(found, indent=None if as_json else 1))
    sys.exit(1 if wrong else 0)


@results.command(examples=[
    "nqbench results export 2026-11-22T01:35 --format parquet --out run.parquet",
    "nqbench results export all --archive records.zip"])
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--format", "kind", metavar="FORMAT",
              help="csv, or parquet (needs pyarrow). Default: csv.")
@click.option("--out", metavar="FILE", help="Write the records to a new FILE as one table.")
@click.option("--archive", metavar="FILE",
              help="Write records, report, versions and checksums to a new ZIP file.")
@click.option("--sources", metavar="FOLDER",
              help="Add to the archive the sources of your algorithms and programs that FOLDER "
                   "still has unchanged.")
@options.results
@options.json
def export(runs: Sequence[str], kind: str | None, out: str | None, archive: str | None,
           sources: str | None, results: str, as_json: bool) -> None:
    """Write runs to a file: a table, or an archive for others.

    RUN may also be all. A table has one row for each point. Existing files are not replaced.
    """

    if (out is None) == (archive is None):
        raise InvalidValueError("export needs either --out FILE, for a table, or --archive FILE")
    if archive is not None and kind is not None:
        raise InvalidValueError("--format is not supported by --archive")
    if sources is not None and (archive is None or not Path(sources).is_dir()):
        raise InvalidValueError(f"--sources must be a folder, with --archive, not {sources!r}")
    if kind is not None and kind not in exports.FORMATS:
        raise InvalidValueError(unknown("format", kind, exports.FORMATS))
    chosen = choose(results, runs)
    require_out("--out", out, new=True)
    require_out("--archive", archive, new=True)
    target = Path(out or archive or "")
    if out is not None:
        write_out("--out", out, exports.export(chosen, kind or "csv"), new=True)
        text = f"{_runs(chosen)} in {target}"
    else:
        found, missing = exports.find_sources(chosen, Path(sources)) if sources else ({}, [])
        for name in missing:
            say(f"{name} is not added: {sources} does not have it as it was measured")
        with print_warnings():
            files = exports.pack(chosen, target, found)
        text = f"{len(files)} files of {_runs(chosen)} in {target}"
    if as_json:
        emit({"file": str(target), "runs": [run.started for run in chosen]})
    else:
        click.echo(text)


def choose(results: str, names: Sequence[str]) -> list[Run]:
    """Return the runs of these names, or all."""
    found = read_runs(results)
    chosen = found if ALL in names else select(found, names)
    if not chosen:
        raise InvalidValueError(f"there are no runs in {results}/")
    return chosen

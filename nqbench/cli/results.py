"""The commands `nqbench results`: list, show and export runs."""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from nqbench.cli import options
from nqbench.cli.shared import emit, folder, print_warnings, require_out, say, write_out
from nqbench.cli.terminal import table
from nqbench.errors import InvalidValueError
from nqbench.problems.plugins.limits import STOPPED
from nqbench.records.archive import find_sources
from nqbench.records.contradictions import contradictions
from nqbench.records.record import digest, join
from nqbench.records.runs import Run, find_run, group, locate, select
from nqbench.report import exports
from nqbench.util.text import format_bytes, unknown

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
    with print_warnings(), folder("--results", option):
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
              numeric=["algorithms", "records"], optional=["algorithms", "n", "commit"])


def _runs(found: Sequence[object]) -> str:
    return f"{len(found)} run{'s' if len(found) > 1 else ''}"


def _commit(run: dict[str, Any]) -> str:
    """Return the first digits of a commit, with a sign if the source was changed since."""
    return (run["commit"] or "")[:8] + ("+" if run["dirty"] else "")


@results.command(examples=["nqbench results show 2026-11-22T01:35"])
@run_argument
@options.results
@options.json
def show(run: str, results: str, as_json: bool) -> None:
    """Show everything about one run.

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
    if as_json:
        emit(found)
    else:
        print_run(found)
    sys.exit(1 if wrong else 0)


def print_run(found: dict[str, Any]) -> None:
    """Print what is known about a run, in lines."""
    where, skipped = found["context"], found["skipped"]
    said = {
        "run": f"{found['run']} to {found['ended']}, {found['state']}",
        "preset": f"{found['preset'] or 'unknown'}"
                  + (f", budget {found['budget']:g} s" if found["budget"] else ""),
        "machine": f"{found['machine']}{' (' + found['label'] + ')' if found['label'] else ''}, "
                   f"{where['processor']}, {where['cores']} cores, "
                   f"{format_bytes(where['memory_bytes'])}, {where['platform']}",
        "versions": f"nqbench {where['nqbench']}, {where['python']}, Cython {where['cython']}, "
                    f"{where['compiler']}",
        "commit": (found["commit"] or "not in a clone")
                  + (", changed since" if found["dirty"] else ""),
        "n": f"{found['n'][0]} to {found['n'][1]}",
        "files": ", ".join(found["files"]),
        "records": f"{found['records']}: {_listed(found['metrics'])}",
        "solvers": f"{len(found['solvers'])}: {', '.join(found['solvers'])}",
        **({"outside": "; ".join(
            f"{one['name']} ({one['file'] or 'a script or notebook'}, SHA-256 {one['source']})"
            for one in found["outside"])} if found["outside"] else {}),
        "skipped": f"{skipped.total()}: {_listed(skipped)}" if skipped else "none",
        **({"limits": "; ".join((
            *(f"{name} {value:,}" for name, value in found["limits"].items() if value is not None),
            *(f"no {name}: {why}" for name, why in found["unlimited"].items()))),
            "disturbed": f"{found['disturbed']} samples, and {found['repeated']} taken again",
            } if found["limits"] else {}),
        "wrong": "; ".join(found["wrong"]) or "none",
        "SHA-256": found["sha256"]}
    for name, text in said.items():
        click.echo(f"{name:9} {text}")


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {many}" for name, many in counts.most_common())


@results.command(examples=[
    "nqbench results export 2026-11-22T01:35 --format json --out run.json",
    "nqbench results export all --archive records.zip"])
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--format", "kind", metavar="FORMAT",
              help="csv, parquet (needs pyarrow), or json. Default: csv.")
@click.option("--out", metavar="FILE", help="Write the records to a new FILE as one table.")
@click.option("--archive", metavar="FILE",
              help="Write records, report, versions and checksums to a new ZIP file, which is "
                   "an RO-Crate.")
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
        found, missing = find_sources(chosen, Path(sources)) if sources else ({}, [])
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

"""Hand runs to other programs, as one table, or to other people, with their report in a ZIP file.

The same files give the same bytes.
"""

import hashlib
import json
import re
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from importlib.metadata import distributions
from importlib.util import find_spec
from io import BytesIO
from itertools import count
from pathlib import Path
from platform import python_implementation, python_version
from types import MappingProxyType
from typing import Any

import pandas as pd

from nqbench._version import __version__
from nqbench.errors import InvalidValueError
from nqbench.records import frame
from nqbench.records.descriptions import to_study_file
from nqbench.records.record import digest, to_line
from nqbench.records.runs import Run
from nqbench.report.builder import read, write
from nqbench.report.formats import to_csv
from nqbench.util.files import write_whole

FORMATS = ("csv", "parquet")
LARGEST = 2**63  # whole numbers of a column are smaller
LIST, VERSIONS, README = "SHA256SUMS", "versions.txt", "README.md"
README_TEXT = (Path(__file__).parent / "templates/archive.md").read_text("utf-8")
SOURCES = "sources"
RESULTS, REPORTS = "results", "reports"  # where `nqbench report --check` looks for them
EARLIEST = 1980, 1, 1, 0, 0, 0  # the first moment that a ZIP file can name


def export(runs: Sequence[Run], kind: str) -> bytes:
    """Return the points of runs as one table, in a format of FORMATS: a row for each point, the
    samples of all its processes in one cell. Lists are JSON.

    Raises
    ------
    InvalidValueError
        for parquet, if pyarrow is not installed.
    """
    if kind == "parquet" and find_spec("pyarrow") is None:
        raise InvalidValueError("--format parquet needs pyarrow: pip install 'nqbench[parquet]'")
    flat = frame(record for run in runs for record in run.records).apply(_flat)
    if kind == "csv":
        return to_csv(flat).encode("utf-8", "replace")
    made = BytesIO()
    flat.to_parquet(made, engine="pyarrow", index=False)
    return made.getvalue()


def _is_known(value: Any) -> bool:
    """Return whether a cell has a value."""
    return value is not None and (isinstance(value, list | dict) or bool(pd.notna(value)))


def _flat(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return a column with values of one type; values of several types, and lists, become JSON."""
    known = [value for value in column if _is_known(value)]
    kinds = {type(value) for value in known}
    kind: Any = "string"
    if kinds == {bool}:
        kind = "boolean"
    elif kinds == {int} and all(abs(value) < LARGEST for value in known):
        kind = "Int64"
    elif kinds <= {int, float} and float in kinds:
        kind = "Float64"
    text = kind == "string" and kinds != {str}
    return pd.Series([None if not _is_known(value) else json.dumps(value) if text else value
                      for value in column], column.index, object).astype(kind)


def pack(runs: Sequence[Run], out: Path, sources: Mapping[str, bytes]) -> list[str]:
    """Write an archive of runs: records, report, versions, checksums and these sources. Return the
    names of its files; raise what `nqbench.report.build` and `write_archive` raise.
    """
    with tempfile.TemporaryDirectory(prefix="nqbench-") as folder:
        for name, data in record_files(runs).items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        made = read(Path(folder, RESULTS))
        files = write(made, Path(folder, REPORTS))
        return write_archive(out, runs, {path.name: path.read_bytes() for path in files}, sources)


def write_archive(out: Path, runs: Sequence[Run], report: Mapping[str, bytes],
                  sources: Mapping[str, bytes] = MappingProxyType({})) -> list[str]:
    """Write runs and the files of their report to the new ZIP file `out`, completely or not at
    all, with `sources` of external algorithms; return the names in it.

    Raises
    ------
    InvalidValueError
        if the file exists already.
    OSError
        if it cannot be written.
    """
    packed = archive(runs, report, sources)
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as made_zip:
        for name, data in packed.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.create_system = 3  # Unix, whatever the system
            entry.external_attr = 0o100644 << 16
            made_zip.writestr(entry, data, zipfile.ZIP_DEFLATED)
    write_whole(out, made.getvalue(), new=True)
    return list(packed)


def archive(runs: Sequence[Run], report: Mapping[str, bytes],
            sources: Mapping[str, bytes] = MappingProxyType({})) -> dict[str, bytes]:
    """Return the files of an archive by their names, sorted."""
    packed = {
        **record_files(runs), **{f"{REPORTS}/{name}": data for name, data in report.items()},
        **{f"{SOURCES}/{name}": data for name, data in sources.items()},
        **_studies(runs), README: _readme(runs).encode(),
        VERSIONS: "".join(f"{line}\n" for line in versions()).encode()}
    packed[LIST] = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n"
                           for name, data in sorted(packed.items())).encode()
    return dict(sorted(packed.items()))


def find_sources(runs: Sequence[Run], folder: Path) -> tuple[dict[str, bytes], list[str]]:
    """Return the sources of the external algorithms and programs of runs that a folder has, by
    name, and the names of those that it does not have, or has with another SHA-256.
    """
    wanted: dict[str, set[str]] = {}
    for run in runs:
        for each in run.outside.values():
            for name, told in (each.program.get("sources") or {each.file or "": each.source}
                                 ).items():
                if name and told and ".." not in Path(name).parts:
                    wanted.setdefault(name, set()).add(told)
    found = {name: path.read_bytes() for name in wanted if (path := folder / name).is_file()}
    same = {name: data for name, data in found.items()
            if hashlib.sha256(data).hexdigest() in wanted[name]}
    return same, sorted(wanted.keys() - same)


def record_files(runs: Sequence[Run]) -> dict[str, bytes]:
    """Return a file for each run, with its records."""
    return {name: "".join(map(to_line, run.records)).encode()
            for name, run in zip(names_of(runs), runs, strict=True)}


def names_of(runs: Sequence[Run]) -> list[str]:
    """Return the names of the files of runs in an archive; like names are numbered."""
    found: dict[str, str] = {}  # no two differ in upper and lower case alone
    for run in runs:
        when = "".join(digit for digit in run.started if digit.isalnum())
        stem = f"{RESULTS}/{_plain(run.preset or 'study')}-{when}-{_plain(run.machine)}"
        name = next(name for number in count(1) if (
            name := f"{stem}{f'-{number}' * (number > 1)}.jsonl").lower() not in found)
        found[name.lower()] = name
    return list(found.values())


def _plain(text: str) -> str:
    """Return an external text as a part of a file name."""
    return re.sub("[^A-Za-z0-9_-]", "_", text)


def _studies(runs: Sequence[Run]) -> dict[str, bytes]:
    """Return a study file for each run whose records contain the study."""
    return {f"studies/{Path(name).stem}.toml":
            to_study_file(run.study, run.outside).encode("utf-8", "replace")
            for name, run in zip(names_of(runs), runs, strict=True) if run.study is not None}


def versions() -> list[str]:
    """Return the packages that are installed here, with their versions, as `pip freeze` does."""
    found = {each.name: each.version for each in distributions()} | {"nqbench": __version__}
    return [f"# {python_implementation()} {python_version()}",
            *(f"{name}=={found[name]}" for name in sorted(found))]


def _place(run: Run) -> str:
    """Return where a run was measured, in a line."""
    where = run.context
    return ", ".join(str(part) for part in (
        run.label, where["processor"], where["platform"], f"nqbench {where['nqbench']}",
        where["python"], where["compiler"], f"commit {where['commit'] or 'unknown'}"
        + (", changed since" if where["dirty"] else "")) if part)


def _readme(runs: Sequence[Run]) -> str:
    """Return the README of the archive: what it contains, and how to verify it."""
    listed = "".join(f"- {run.started}: {run.preset or 'study'}, {run.state}, {len(run.records)} "
                     f"records; {_place(run)}\n" for run in runs)
    return README_TEXT.format(
        listed=listed, digest=digest(record for run in runs for record in run.records),
        page=f"{REPORTS}/index.html", version=__version__, versions=VERSIONS, sums=LIST,
        sources=SOURCES)

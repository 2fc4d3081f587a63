"""Pack runs for others: one ZIP file that is also an RO-Crate, version 1.1.

The same files give the same bytes. The specification is at https://w3id.org/ro/crate/1.1.
"""

import hashlib
import json
import zipfile
from collections.abc import Mapping, Sequence
from importlib.metadata import distributions
from io import BytesIO
from itertools import count
from pathlib import Path
from platform import python_implementation, python_version
from types import MappingProxyType
from typing import Any

from nqbench._version import __version__
from nqbench.records.descriptions import to_study_file
from nqbench.records.record import digest, to_line
from nqbench.records.runs import Run
from nqbench.util.files import write_whole

METADATA, LIST, VERSIONS, README = (
    "ro-crate-metadata.json", "SHA256SUMS", "versions.txt", "README.md")
SOURCES = "sources"
RESULTS, REPORTS = "results", "reports"  # where `nqbench report --check` looks for them
EARLIEST = 1980, 1, 1, 0, 0, 0  # the first moment that a ZIP file can name
SPECIFICATION = "https://w3id.org/ro/crate/1.1"
TYPES = {".jsonl": "application/jsonl", ".html": "text/html", ".csv": "text/csv",
         ".md": "text/markdown", ".tex": "application/x-tex", ".svg": "image/svg+xml",
         ".png": "image/png", ".toml": "application/toml"}


def write(out: Path, runs: Sequence[Run], report: Mapping[str, bytes],
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
    packed = pack(runs, report, sources)
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in packed.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whatever the system
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data)
    write_whole(out, made.getvalue(), new=True)
    return list(packed)


def pack(runs: Sequence[Run], report: Mapping[str, bytes],
         sources: Mapping[str, bytes] = MappingProxyType({})) -> dict[str, bytes]:
    """Return the files of an archive by their names, sorted."""
    packed = {
        **record_files(runs), **{f"{REPORTS}/{name}": data for name, data in report.items()},
        **{f"{SOURCES}/{name}": data for name, data in sources.items()},
        **_studies(runs), README: _readme(runs).encode(),
        VERSIONS: "".join(f"{line}\n" for line in versions()).encode()}
    packed[METADATA] = (json.dumps(metadata(runs, packed), indent=1) + "\n").encode()
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
    return "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-_") else "_"
                   for sign in text)


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


def metadata(runs: Sequence[Run], packed: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the contents of `ro-crate-metadata.json` for these files, as JSON-LD."""
    names = [*sorted(packed), LIST]
    published = max(run.ended for run in runs)[:10]
    root = {
        "@id": "./", "@type": "Dataset", "name": f"Records of nqbench, {published}",
        "description": f"{len(runs)} run{'s' if len(runs) > 1 else ''} of nqbench "
                       f"{__version__}: records, the report made of them, and checksums. "
                       f"SHA-256 of the canonical lines of the records: {_digest(runs)}.",
        "datePublished": published, "license": {"@id": "#license"},
        "hasPart": [{"@id": name} for name in names],
        "mentions": [{"@id": f"#run-{number}"} for number in range(1, len(runs) + 1)]}
    return {"@context": f"{SPECIFICATION}/context", "@graph": [
        {"@id": METADATA, "@type": "CreativeWork", "about": {"@id": "./"},
         "conformsTo": {"@id": SPECIFICATION}},
        root,
        {"@id": "#license", "@type": "CreativeWork", "name": "no license stated",
         "description": "Those who measured the records have not stated a license: ask them."},
        {"@id": "#nqbench", "@type": "SoftwareApplication", "name": "nqbench",
         "version": __version__},
        *(_file(name, packed.get(name)) for name in names),
        *(_action(number, run, name)
          for number, (run, name) in enumerate(zip(runs, names_of(runs), strict=True), 1))]}


def _file(name: str, data: bytes | None) -> dict[str, Any]:
    """Return the entity of a file; the list of checksums is made after this one."""
    made = {"@id": name, "@type": "File", "name": name,
            "encodingFormat": TYPES.get(Path(name).suffix, "text/plain")}
    return made if data is None else {
        **made, "contentSize": str(len(data)), "sha256": hashlib.sha256(data).hexdigest()}


def _action(number: int, run: Run, file: str) -> dict[str, Any]:
    """Return the entity of the measurement of a run."""
    return {"@id": f"#run-{number}", "@type": "CreateAction",
            "name": f"{run.preset or 'study'}, {run.state}",
            "description": _place(run), "startTime": run.started, "endTime": run.ended,
            "instrument": {"@id": "#nqbench"}, "result": {"@id": file}}


def _place(run: Run) -> str:
    """Return where a run was measured, in a line."""
    where = run.context
    return ", ".join(str(part) for part in (
        run.label, where["processor"], where["platform"], f"nqbench {where['nqbench']}",
        where["python"], where["compiler"], f"commit {where['commit'] or 'unknown'}"
        + (", changed since" if where["dirty"] else "")) if part)


def _digest(runs: Sequence[Run]) -> str:
    return digest(record for run in runs for record in run.records)


def _readme(runs: Sequence[Run]) -> str:
    """Return the README of the archive: what it contains, and how to verify it."""
    listed = "".join(f"- {run.started}: {run.preset or 'study'}, {run.state}, {len(run.records)} "
                     f"records; {_place(run)}\n" for run in runs)
    return (f"# Records of nqbench\n\n{listed}\n"
            f"SHA-256 of the canonical lines of the records: `{_digest(runs)}`; the page "
            f"`{REPORTS}/index.html` says the same under *How and where*.\n\n"
            f"To verify the files, and that the report follows from the records (nqbench "
            f"{__version__}; drawings have the same bytes with the same matplotlib, and metrics "
            f"and sections of other packages need these, see `{VERSIONS}`):\n\n"
            f"    sha256sum -c {LIST}\n    nqbench report --check\n\n"
            "`studies/` has what each run measures, as a study file, with the hashes of sources "
            f"from outside. `{SOURCES}/`, if it is here, has these sources.\n")

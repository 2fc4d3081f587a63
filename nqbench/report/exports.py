"""Hand runs to other programs: as one table, or packed with their report."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd

from nqbench.errors import InvalidValueError
from nqbench.records import archive
from nqbench.records.record import frame
from nqbench.records.runs import Run
from nqbench.report.builder import read, write
from nqbench.report.formats import to_csv

FORMATS = ("csv", "parquet", "json")
LARGEST = 2**63  # whole numbers of a column are smaller


def export(runs: Sequence[Run], kind: str) -> bytes:
    """Return the points of runs as one table, in a format of FORMATS: a row for each point, the
    samples of all its processes in one cell.

    CSV and Parquet have lists as JSON. JSON is a list of objects without the empty fields.

    Raises
    ------
    InvalidValueError
        for parquet, if pyarrow is not installed.
    """
    if kind == "parquet" and find_spec("pyarrow") is None:
        raise InvalidValueError("--format parquet needs pyarrow: pip install 'nqbench[parquet]'")
    table = frame(record for run in runs for record in run.records)
    if kind == "json":
        points = [{name: value for name, value in row.items() if _is_known(value)}
                  for row in table.to_dict("records")]
        return ("[" + ",\n ".join(map(json.dumps, points)) + "]\n").encode()
    flat = table.apply(_flat)
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
    """Write an archive of runs: records, report, versions, checksums, RO-Crate metadata and these
    sources. Return the names of its files; raise what `nqbench.report.build` and
    `nqbench.records.archive.write` raise.
    """
    with tempfile.TemporaryDirectory(prefix="nqbench-") as folder:
        for name, data in archive.record_files(runs).items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        made = read(Path(folder, archive.RESULTS))
        files = write(made, Path(folder, archive.REPORTS))
        return archive.write(out, runs, {path.name: path.read_bytes() for path in files},
                             sources)

"""Make the report: frames from the records, then files, each written whole."""

import tempfile
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench.records import frame
from nqbench.records.contradictions import summary
from nqbench.records.record import digest
from nqbench.records.runs import Run, group, locate, select
from nqbench.report import checksums, formats, style
from nqbench.report.drawings import Choice, add_points, shrink
from nqbench.report.page import Drawings, page
from nqbench.report.sections import Contents, contents
from nqbench.search.implementations import quiet
from nqbench.util.files import locked, naming
from nqbench.util.text import printable

LONGEST_TEXT = 300  # the most characters of an external text
NESTED = (str, list)  # the types of the items in a list with texts
SVG = "svg"  # the kind of file of every plot; "png" and "pdf" are drawn on request
MARKED = ("algorithms", "errata")  # tables whose texts have markup of our own


def build(results: str | Path = "results", out: str | Path = "reports",
          published: bool = False, force: bool = False, kinds: Sequence[str] = (),
          runs: Sequence[str] = (), machines: Sequence[str] = ()) -> list[Path]:
    """Write the page, tables (CSV, Markdown), plots (SVG), and SHA256SUMS of them all.

    The same records give the same bytes. Warnings name the records that cannot be read and the
    counts that are wrong. Files of an earlier build that this one does not make are removed,
    unless somebody changed them; no other file is touched.

    Parameters
    ----------
    results
        folder of the records.
    out
        folder of the report.
    published
        whether to skip the subfolder `local` of the records.
    force
        whether to overwrite files that have the name of a file of the report, but that no build
        wrote, or that were changed since.
    kinds
        "png" and "pdf": formats of the plots besides SVG.
    runs, machines
        report only these, see `nqbench.records.runs.select`. Default: all.

    Returns
    -------
    list of Path
        the files, the page first.

    Raises
    ------
    InvalidValueError
        if the records have nothing to report, if another report is being written to `out`, or if
        `out` has files that no build wrote, or that were changed since, where the report would
        write its own; not with `force`.
    OSError
        if a folder cannot be read or written.
    """
    made = read(results, published, runs, machines)
    if made.wrong:
        warnings.warn(summary(made.wrong), stacklevel=2)
    return write(made, out, force, kinds)


def read(results: str | Path, published: bool = False, runs: Sequence[str] = (),
         machines: Sequence[str] = ()) -> Contents:
    """Return what the report of a folder of results says; raise what `build` raises."""
    with quiet():
        found = select(group(locate(results, published)), runs, machines)
        shown, records = cleaned(found), [record for run in found for record in run.records]
        return contents(to_frame(shown), digest(records), shown, Path(results, "asv"))


def write(made: Contents, out: str | Path, force: bool = False,
          kinds: Sequence[str] = ()) -> list[Path]:
    """Write the files of a report to a folder; return and raise what `build` does."""
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    with locked(out, f"{out} is in use by another process, such as another report: wait for it"):
        checksums.check_ownership(out, _names(made, kinds), force)
        with tempfile.TemporaryDirectory(dir=out, prefix=".making-") as folder:
            _write(made, Path(folder), kinds)
            done = checksums.take_over(Path(folder), out, force)
    return sorted(done, key=lambda path: path.name != checksums.PAGE)


def compare(made: Contents, out: str | Path, kinds: Sequence[str] = ()) -> checksums.Differences:
    """Make the report elsewhere and compare it with that in `out`; write nothing there."""
    with tempfile.TemporaryDirectory(prefix="nqbench-") as folder:
        _write(made, Path(folder), kinds)
        return checksums.compare(Path(folder), Path(out))


def cleaned(runs: Iterable[Run]) -> list[Run]:
    """Return runs with all texts of their records `from_outside`."""
    return [replace(run, records=[from_outside(record) for record in run.records])
            for run in runs]


def to_frame(runs: Iterable[Run]) -> pd.DataFrame:
    """Return the records of some runs in one frame."""
    return frame([record for run in runs for record in run.records])


def from_outside(value: Any) -> Any:
    """Return a value of a record, its texts in one line each and at most `LONGEST_TEXT` long.

    >>> from_outside(["two\\nlines", 2]), len(from_outside("x" * 10**6))
    (['two lines', 2], 300)
    """
    if isinstance(value, str):
        return _shortened(value)
    if isinstance(value, dict):
        return {name: from_outside(one) for name, one in value.items()}
    if isinstance(value, list):
        return [from_outside(one) for one in value] if any(
            isinstance(one, NESTED) for one in value) else value
    return value


@lru_cache(maxsize=1 << 12)  # the texts of a run are the same in each of its records
def _shortened(text: str) -> str:
    """Return a text in one line, at most `LONGEST_TEXT` long."""
    text = printable(text[:LONGEST_TEXT + 1])
    return text if len(text) <= LONGEST_TEXT else (
        text[:LONGEST_TEXT - 1] + "\N{HORIZONTAL ELLIPSIS}")


def _names(made: Contents, kinds: Sequence[str]) -> list[str]:
    """Return the names of all files of the report."""
    return [checksums.PAGE, checksums.LIST, *(f"{name}.{kind}" for names, own in (
        (made.tables, ("csv", "md")), (made.figures, (SVG, *kinds)))
        for name in names for kind in own)]


def _write(made: Contents, folder: Path, kinds: Sequence[str]) -> None:
    """Write all files of the report to an empty folder."""
    with quiet():
        write_tables(made, folder)
        drawings = draw(made, folder, kinds)
        _write_text(folder / checksums.PAGE, page(
            made, drawings, (SVG, *kinds), draw_others(made)))
    checksums.write_list(folder)


def draw(made: Contents, folder: Path, kinds: Sequence[str] = ()) -> dict[str, Drawings]:
    """Write the plots of the report to a folder, as SVG and as the other `kinds`; return them as
    SVG by name, for a desk and for a phone.
    """
    drawings: dict[str, Drawings] = {}
    for name, plot in made.figures.items():
        figure = plot(style.WIDE)
        wide = drawing(figure)
        drawings[name] = wide, drawing(plot(style.NARROW))
        _write_text(folder / f"{name}.{SVG}", wide)
        style.save(figure, str(folder / name), kinds)
    return drawings


def draw_others(made: Contents) -> dict[str, dict[str, Drawings]]:
    """Return by name of a plot what can be chosen in it besides what its file shows, as SVG."""
    return {name: {text: (drawing(plot(style.WIDE)), drawing(plot(style.NARROW)))
                   for text, plot in figure.others.items()}
            for name, figure in made.figures.items() if isinstance(figure, Choice)}


def drawing(figure: Figure) -> str:
    """Return a figure as the page has it, as SVG."""
    return add_points(shrink(style.to_svg(figure)), figure)


def write_tables(made: Contents, folder: Path) -> None:
    """Write the tables of the report to a folder."""
    for name, table in made.tables.items():
        _write_text(folder / f"{name}.csv", formats.to_csv(table))
        _write_text(folder / f"{name}.md", formats.to_markdown(table, name in MARKED))


def _write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8, its newlines unchanged; an error names the file."""
    with naming(path):
        path.write_text(text, "utf-8", newline="")

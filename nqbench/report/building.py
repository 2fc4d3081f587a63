"""Make the report: frames from the records, then files, each written whole."""

import tempfile
import warnings
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench._files import writing
from nqbench._text import printable
from nqbench.records.record import digest, frame
from nqbench.records.runs import group, locate, select
from nqbench.report import formats, keeping, pointing, shrinking, style, totals
from nqbench.report.choices import Choice
from nqbench.report.contents import Contents, contents
from nqbench.report.rendering import page

LONGEST = 300  # characters of a text from outside
NUMBERS = {int, float, bool, type(None)}  # most values of a record: they hold no text
NESTED = (str, list)  # what a list with texts in it holds
LINKED, PDF = ("svg", "png"), ("pdf",)  # the kinds of files of a plot
MARKED = ("algorithms", "errata")  # tables whose texts are marked up, by ourselves


def build(results: str | Path = "results", out: str | Path = "reports",
          published: bool = False, force: bool = False, pdf: bool = False,
          runs: Sequence[str] = (), machines: Sequence[str] = ()) -> list[Path]:
    """Write the page, tables (CSV, Markdown, LaTeX), plots (SVG, PNG), and SHA256SUMS of all.

    The same records give the same bytes. Warnings name the records that cannot be read and the
    totals that are wrong. Files of an earlier build that this one does not make are removed,
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
    pdf
        whether to draw the plots as PDF, too.
    runs, machines
        report only these, see `nqbench.records.runs.select`. Default: all.

    Returns
    -------
    list of Path
        the files, the page first.

    Raises
    ------
    InvalidValueError
        if the records have nothing to report, or if `out` has files that no build wrote, or that
        were changed since, where the report would write its own; not with `force`.
    OSError
        if a folder cannot be read or written.
    """
    made = read(results, published, runs, machines)
    if made.wrong:
        warnings.warn(totals.summary(made.wrong), stacklevel=2)
    return write(made, out, force, pdf)


def read(results: str | Path, published: bool = False, runs: Sequence[str] = (),
         machines: Sequence[str] = ()) -> Contents:
    """Return what the report of a folder of results says; raise what `build` raises. Of some runs
    or machines alone it says nothing of what asv measured.
    """
    found = list(locate(results, published))
    history = analysis.history(Path(results) / "asv")
    if runs or machines:
        chosen = {(run.started, run.machine) for run in select(group(found), runs, machines)}
        found = [(path, record) for path, record in found
                 if (record["run"], record["context"]["machine"]) in chosen]
        history = history[:0]
    records = [record for _, record in found]
    return contents(_cleaned(frame(records)), _cleaned(history), digest(records))


def write(made: Contents, out: str | Path, force: bool = False, pdf: bool = False) -> list[Path]:
    """Write the files of a report to a folder; return and raise what `build` does."""
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    keeping.check_ownership(out, _names(made, pdf), force)
    keeping.remove_leftovers(out)
    with tempfile.TemporaryDirectory(dir=out, prefix=keeping.making_prefix()) as folder:
        _write(made, Path(folder), pdf)
        done = keeping.take_over(Path(folder), out)
    return sorted(done, key=lambda path: path.name != keeping.PAGE)


def compare(made: Contents, out: str | Path, pdf: bool = False) -> keeping.Differences:
    """Make the report elsewhere and compare it with that in `out`, byte for byte; write nothing
    there.
    """
    with tempfile.TemporaryDirectory(prefix="nqbench-") as folder:
        _write(made, Path(folder), pdf)
        return keeping.compare(Path(folder), Path(out))


def check(results: str | Path = "results", out: str | Path = "reports",
          published: bool = False, pdf: bool = False) -> keeping.Differences:
    """Return how the report in `out` differs from that which the results make; write nothing
    there. Raise what `build` raises of the records.
    """
    return compare(read(results, published), out, pdf)


def _cleaned(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with all its texts `_from_outside`."""
    return frame.assign(**{
        str(name): pd.Series([value if type(value) in NUMBERS else _from_outside(value)
                              for value in column], column.index, column.dtype)
        for name, column in frame.items() if not pd.api.types.is_numeric_dtype(column)})


def _from_outside(value: Any) -> Any:
    """Return a value of a record, its texts in one line each and at most `LONGEST` long.

    >>> _from_outside(["two\\nlines", 2]), len(_from_outside("x" * 10**6))
    (['two lines', 2], 300)
    """
    if isinstance(value, str):
        return _shortened(value)
    if isinstance(value, dict):
        return {name: _from_outside(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_from_outside(one) for one in value] if any(
            isinstance(one, NESTED) for one in value) else value
    return value


@lru_cache(maxsize=1 << 12)  # the texts of a run are the same in each of its records
def _shortened(text: str) -> str:
    """Return a text in one line, at most `LONGEST` long."""
    text = printable(text[:LONGEST + 1])
    return text if len(text) <= LONGEST else text[:LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _names(made: Contents, pdf: bool) -> list[str]:
    """Return the names of all files of the report."""
    return [keeping.PAGE, keeping.LIST, *(f"{name}.{kind}" for names, kinds in (
        (made.tables, ("csv", "md", "tex")), (made.figures, LINKED + PDF * pdf))
        for name in names for kind in kinds)]


def _write(made: Contents, folder: Path, pdf: bool) -> None:
    """Write all files of the report to an empty folder."""
    write_tables(made, folder)
    drawings = draw(made, folder)
    if pdf:
        draw_pdf(made, folder)
    _write_text(folder / keeping.PAGE, page(
        made, drawings, LINKED + PDF * pdf, draw_others(made)))
    keeping.write_list(folder)


def draw(made: Contents, folder: Path, kinds: Sequence[str] = style.KINDS) -> dict[str, str]:
    """Write the plots of the report to a folder; return the SVG files, which must be among the
    kinds, by name.
    """
    drawn = {name: plot() for name, plot in made.figures.items()}
    for kind in kinds:  # one after the other: matplotlib keeps the formulas of a resolution
        for name, figure in drawn.items():
            style.save(figure, str(folder / name), [kind])
    drawings = {}
    for name, figure in drawn.items():
        file = folder / f"{name}.svg"
        drawings[name] = _finish(file.read_text("utf-8"), figure)
        _write_text(file, drawings[name])
    return drawings


def draw_others(made: Contents) -> dict[str, dict[str, str]]:
    """Return by name of a plot what can be chosen in it besides what its file shows, as SVG."""
    return {name: {text: _drawing(plot()) for text, plot in figure.others.items()}
            for name, figure in made.figures.items() if isinstance(figure, Choice)}


def _drawing(figure: Figure) -> str:
    return _finish(style.to_svg(figure), figure)


def _finish(svg: str, figure: Figure) -> str:
    """Return the SVG that was just saved of a figure as the page has it."""
    return pointing.add_points(shrinking.shrink(svg), figure, formats.format_number)


def draw_pdf(made: Contents, folder: Path) -> None:
    """Write the plots of the report to a folder as PDF, with embedded fonts and without a date."""
    for name, plot in made.figures.items():  # drawn anew: a figure that was saved has its layout
        style.save(plot(), str(folder / name), PDF)


def write_tables(made: Contents, folder: Path) -> None:
    """Write the tables of the report to a folder."""
    captions = made.captions
    for name, table in made.tables.items():
        _write_text(folder / f"{name}.csv", formats.to_csv(table))
        _write_text(folder / f"{name}.md", formats.to_markdown(table, name in MARKED))
        _write_text(folder / f"{name}.tex", formats.to_latex(
            table, captions[name], f"tab:{name}"))


def _write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8, its newlines unchanged; an error names the file."""
    with writing(path):
        path.write_text(text, "utf-8", newline="")

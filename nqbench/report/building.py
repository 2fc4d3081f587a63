"""Make the report: frames from the records, then files, each written whole."""

import tempfile
from pathlib import Path
from typing import Any

import pandas as pd

from nqbench import analysis
from nqbench.report import formats, keeping, pointing, style
from nqbench.report.contents import Contents, contents
from nqbench.report.rendering import page
from nqbench.showing import printable

LONGEST = 300  # characters of a text from outside
MARKED = ("algorithms", "errata")  # tables whose texts are marked up, by ourselves


def build(results: str | Path = "results", out: str | Path = "reports") -> list[Path]:
    """Write tables (CSV, Markdown, LaTeX), plots (SVG, PNG), index.html, and SHA256SUMS of them
    all; return the paths, the page first.

    The same records give the same bytes. Records that cannot be read are named in
    a warning each. Files of the build before that are made no more are taken away, unless
    somebody changed them; no other file is touched.

    Raises
    ------
    ValueError
        if nothing was measured yet.
    OSError
        if a folder cannot be read or written.
    """
    made = _made_of(Path(results))
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=".making-") as folder:
        _write(made, Path(folder))
        done = keeping.take_over(Path(folder), out)
    return sorted(done, key=lambda path: path.name != "index.html")


def check(results: str | Path = "results", out: str | Path = "reports") -> keeping.Differences:
    """Make the report elsewhere and compare it with that in `out`, byte for byte; write nothing
    there. Raises what `build` raises.
    """
    made = _made_of(Path(results))
    with tempfile.TemporaryDirectory(prefix="nqbench-") as folder:
        _write(made, Path(folder))
        return keeping.compare(Path(folder), Path(out))


def _made_of(results: Path) -> Contents:
    """What there is to say of a folder of results."""
    if not results.is_dir():
        raise ValueError(f"there is no folder {str(results)!r} with results: run "
                         "`nqbench study` first")
    return contents(_cleaned(analysis.load(results)), _cleaned(analysis.history(results / "asv")))


def _cleaned(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with all its texts `_from_outside`."""
    return frame.assign(**{
        str(name): pd.Series(map(_from_outside, column), column.index, column.dtype)
        for name, column in frame.items() if not pd.api.types.is_numeric_dtype(column)})


def _from_outside(value: Any) -> Any:
    """A value of a record, its texts in one line each, and none without an end.

    >>> _from_outside(["two\\nlines", 2]), len(_from_outside("x" * 10**6))
    (['two lines', 2], 300)
    """
    if isinstance(value, str):
        text = printable(value[:LONGEST + 1])
        return text if len(text) <= LONGEST else text[:LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"
    if isinstance(value, list):
        return [_from_outside(one) for one in value] if any(
            isinstance(one, str | list) for one in value) else value
    return value


def _write(made: Contents, folder: Path) -> None:
    """Write all files of the report to an empty folder."""
    for name, table in made.tables.items():
        table.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")
        (folder / f"{name}.md").write_text(formats.markdown(table, name in MARKED), "utf-8")
        (folder / f"{name}.tex").write_text(formats.latex(table), "utf-8")
    drawings = {}
    for name, draw in made.figures.items():
        drawn = draw()
        style.save(drawn, str(folder / name))
        file = folder / f"{name}.svg"
        svg = pointing.titled(file.read_text("utf-8"), drawn, formats.figure)
        file.write_text(svg, "utf-8")
        drawings[name] = svg
    (folder / "index.html").write_text(page(made, drawings), "utf-8")
    keeping.write_list(folder)

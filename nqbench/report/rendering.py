"""The page: its templates, filled in."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from nqbench.algorithms import catalogue
from nqbench.analysis import uncertainty
from nqbench.records.names import SMALL
from nqbench.report import formats, player, sparklines, totals
from nqbench.report.answers import answers
from nqbench.report.contents import Contents
from nqbench.report.facts import facts

if TYPE_CHECKING:
    from jinja2 import Environment

SCRIPTS = "player", "tables", "pointing"
# The sections in their order, each with what the navigation calls it; a template has its name.
SECTIONS = {
    "watch": "Watch the search", "verification": "Verification", "algorithms": "Algorithms",
    "time": "Time", "nodes": "Nodes", "work": "Tests and comparisons", "rate": "Nodes per second",
    "pruning": "Pruning", "symmetry": "Symmetry", "mirror": "The mirror", "levels": "Levels",
    "cython": "Python and Cython", "kernels": "The engine", "peers": "The peers",
    "clusters": "Beyond one machine", "estimates": "Estimates", "commits": "Across commits",
    "sudoku": "Sudoku", "errata": "Errata", "how": "How and where",
}
ALWAYS = "watch", "algorithms", "errata", "how"  # of no run, or of every one
# Of the others, those that are there if a figure is, and those that are there if a table has rows.
DRAWN = {name: name for name in ("time", "nodes", "work", "rate", "mirror", "levels", "symmetry",
                                 "sudoku")} | {"pruning": "gains"}
LISTED = {name: name for name in ("cython", "kernels", "peers", "estimates")} | {
    "clusters": "plans", "commits": "history"}
TIMED = {"time", "kernels", "peers", "sudoku"}  # with samples and intervals
UNDRAWN = '<svg width="1pt"></svg>'


def page(made: Contents, drawings: Mapping[str, str]) -> str:
    """Return the page in HTML, with the drawings (SVG files, by name) in it."""
    from markupsafe import Markup

    still, recordings = player.still(), player.recordings()
    followed = {algorithm["name"] for algorithm in recordings["algorithms"]}
    return _rendered(
        "page", made, drawings,
        css=Markup(_file("page.css")),
        scripts=[Markup(_file(f"{name}.js")) for name in SCRIPTS],
        recordings=recordings,
        untraced=[name for name in catalogue() if name not in followed],
        most_steps=player.MOST_STEPS,
        still=still,
        still_board=Markup(_inline(still.svg, "still")))


def part(made: Contents, name: str) -> str:
    """Return one part of the page in HTML, "header" or a section but "watch", with empty
    drawings: what it says, without the seconds that a whole page takes.
    """
    return _rendered(name, made, dict.fromkeys(made.figures, UNDRAWN))


def _rendered(template: str, made: Contents, drawings: Mapping[str, str], **more: Any) -> str:
    """A template, filled in."""
    from markupsafe import Markup

    there = sections(made)
    rendered = _environment().get_template(f"{template}.html").render(
        **more,
        title=_title(made),
        sections=there,
        timed=bool(TIMED & set(there)),
        every=made.every,
        wrong=made.wrong,
        most_wrong=totals.MOST_NAMED,
        machine=made.machine,
        runs=[made.machine, *made.sources.values()],
        other_machines=made.other_machines,
        plot={name: Markup(_inline(svg, name)) for name, svg in drawings.items()},
        table=made.tables,
        facts=facts(made),
        short=answers(made),
        sources=made.sources,
        spark=sparklines,
        resamples=uncertainty.RESAMPLES,
        small=SMALL,
    )
    return str(rendered) + "\n"


@cache
def _environment() -> "Environment":
    """The templates, compiled once."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(loader=PackageLoader("nqbench.report"), autoescape=True,
                       undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters.update(figure=formats.figure, duration=formats.duration, amount=formats.amount)
    return made


def sections(made: Contents) -> dict[str, str]:
    """Return the sections that have something to say, each with its name in the navigation."""
    there = {*ALWAYS, *(name for name, figure in DRAWN.items() if figure in made.figures),
             *(name for name, table in LISTED.items() if table in made.tables)}
    if made.counted or "verification" in made.tables:
        there.add("verification")
    return {name: title for name, title in SECTIONS.items() if name in there}


def _title(made: Contents) -> str:
    """What the page is about: all of the subject, or of a part of it the sections."""
    there = sections(made)
    if "time" in there:
        return "Backtracking on the n-queens problem, measured"
    own = [title for name, title in there.items() if name not in (*ALWAYS, "verification")]
    return f"Backtracking, measured: {', '.join(own or ['Verification'])}"


def _inline(svg: str, name: str) -> str:
    """An SVG file as an element of the page, its ids made unique there, its width a property."""
    body = svg[svg.index("<svg"):]
    body = re.sub(r'<svg(.*?)width="(.*?)"', r'<svg\1width="\2" style="--width: \2"', body, count=1)
    for quote in ('id="', 'href="#', "url(#"):
        body = body.replace(quote, f"{quote}{name}-")
    return body


def _file(name: str) -> str:
    """The text of a file beside this one."""
    return files("nqbench.report").joinpath(name).read_text("utf-8")

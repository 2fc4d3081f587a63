"""The page: its templates, filled in."""

import re
from importlib.resources import files

from nqbench.algorithms import catalogue
from nqbench.analysis import uncertainty
from nqbench.report import formats, player, sparklines
from nqbench.report.answers import answers
from nqbench.report.contents import Contents
from nqbench.report.facts import facts

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


def page(made: Contents, drawings: dict[str, str]) -> str:
    """Return the page in HTML, with the drawings (SVG files, by name) in it."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(loader=PackageLoader("nqbench.report"), autoescape=True,
                              undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(figure=formats.figure, duration=formats.duration,
                               amount=formats.amount)
    still, recordings = player.still(), player.recordings()
    followed = {algorithm["name"] for algorithm in recordings["algorithms"]}
    rendered = environment.get_template("page.html").render(
        css=Markup(_file("page.css")),
        scripts=[Markup(_file(f"{name}.js")) for name in SCRIPTS],
        sections=_sections(made),
        recordings=recordings,
        untraced=[name for name in catalogue() if name not in followed],
        most_steps=player.MOST_STEPS,
        still=still,
        still_board=Markup(_inline(still.svg, "still")),
        machine=made.machine,
        other_machines=made.other_machines,
        plot={name: Markup(_inline(svg, name)) for name, svg in drawings.items()},
        table=made.tables,
        facts=facts(made),
        short=answers(made),
        sources=made.sources,
        spark=sparklines,
        resamples=uncertainty.RESAMPLES,
    )
    return str(rendered) + "\n"


def _sections(made: Contents) -> dict[str, str]:
    """The sections that have something to say; peers, clusters and commits say how to get it."""
    empty = {name for name in ("cython", "kernels") if made.tables[name].empty}
    undrawn = {name for name in ("estimates", "sudoku") if name not in made.figures}
    return {name: title for name, title in SECTIONS.items() if name not in empty | undrawn}


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

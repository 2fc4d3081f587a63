"""The page: its templates, rendered."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from nqbench.explain.recordings import MOST_EVENTS
from nqbench.records.contradictions import MOST_NAMED
from nqbench.report import formats
from nqbench.report.drawings import Choice, pack
from nqbench.report.frames import ENGINE
from nqbench.report.sections import Contents, sections
from nqbench.report.sections import chapters as all_chapters
from nqbench.report.style import on_dark
from nqbench.util.text import format_seconds, plural

# The scripts of "Play", those that replay searches of Sudoku, and those of plots and tables.
PLAYER = "replaying", "jumping", "drawing", "player", "turn"
PUZZLES = "replaying", "jumping", "drawing", "puzzling", "player"
PLOTS = "tables", "choosing", "pointing", "highlighting"
SCRIPTS = *PLAYER, *PLOTS, "contents"
Drawings = tuple[str, ...]  # of one plot, as SVG: for a desk and for a phone
Others = Mapping[str, Mapping[str, Drawings]]
UNDRAWN = ("<svg></svg>",)


def page(made: Contents, drawings: Mapping[str, Drawings],
         kinds: Sequence[str] = ("svg",), others: Others = MappingProxyType({})) -> str:
    """Return the page in HTML, with the drawings (SVG, by name), links to the files of these
    `kinds`, and for some names other drawings that a reader can choose, by their texts.
    """
    scripts = SCRIPTS if "watch" in made.parts else PLOTS
    return fill(
        "page", title=_title(made), header=_header(made),
        bodies={name: _section(made, name, drawings, kinds, others) for name in made.parts},
        chapters=chapters(made), **looks(scripts, [svg for each in (
            drawings, *others.values()) for both in each.values() for svg in both])) + "\n"


def play_page(title: str, recordings: Mapping[str, Any], most_steps: int = MOST_EVENTS) -> str:
    """Return a page in HTML that only plays recordings, of at most `most_steps` steps."""
    cut = not all(one["whole"] for one in recordings["recordings"])
    scripts = PUZZLES if recordings["puzzles"] else PLAYER
    return fill("play", title=title, recordings=recordings, cut=cut, most_steps=most_steps,
                   **looks(scripts)) + "\n"


def part(made: Contents, name: str) -> str:
    """Return one part of the page in HTML, "header" or a section, with empty drawings. This avoids
    the seconds that a whole page takes.
    """
    if name == "header":
        return _header(made) + "\n"
    return _section(made, name, dict.fromkeys(made.parts[name].figures, UNDRAWN)) + "\n"


def chapters(made: Contents) -> dict[str, dict[str, str]]:
    """Return the sections that have contents, with their titles, by chapter; no empty chapter."""
    found = {chapter: {section.name: section.title for section in own
                       if section.name in made.parts}
             for chapter, own in all_chapters().items()}
    return {chapter: own for chapter, own in found.items() if own}


def _header(made: Contents) -> Markup:
    """Return the header above the sections.

    It is not a `Section`: a section is made from the frames alone, but the header summarises the
    facts of all sections and links to them, so it is made after them.
    """
    return fill(
        "header", title=_title(made), sections=made.parts, frames=made.frames,
        wrong=made.wrong, most_wrong=MOST_NAMED,
        facts={name: part.facts for name, part in made.parts.items()})


def _section(made: Contents, name: str, drawings: Mapping[str, Drawings],
             kinds: Sequence[str] = ("svg",),
             others: Others = MappingProxyType({})) -> Markup:
    """Return a section: its template, rendered with its part and with the other variables of the
    page.
    """
    part = made.parts[name]
    offered: dict[str, list[str]] = {}  # the macro `files` adds to it
    text = fill(
        name, title=sections()[name].title, finding=part.finding, facts=part.facts,
        table=part.tables,
        plot={figure: plot(drawings[figure], figure) for figure in part.figures},
        choices={figure: pack(choice, {text: plot(svg, figure)
                                       for text, svg in others[figure].items()})
                 for figure, choice in part.figures.items()
                 if isinstance(choice, Choice) and others.get(figure)},
        sections=made.parts, timed=lambda: any(sections()[each].timed for each in made.parts),
        source_of=made.source, runs=made.runs, kinds_of_plots=kinds, offered=offered)
    if not offered:
        return text
    end = "</details>" if "</details>" in text else "</section>"
    before, end, after = str.rpartition(text, end)  # MarkupSafe 2 escapes the argument
    return Markup(f"{before}{fill('files', offered=offered)}\n{end}{after}")


def _title(made: Contents) -> str:
    """Return the subject of the page: the whole subject, or the sections of a part of it."""
    if "time" in made.parts:
        return "Backtracking on the n-queens problem, measured"
    own = [sections()[name].title for name in made.parts
           if sections()[name].named or len(made.parts) == 1]
    return f"Backtracking, measured: {', '.join(own or ['Verification'])}"


def looks(scripts: Iterable[str], drawings: Iterable[str] = ()) -> dict[str, Any]:
    """Return the style sheet and some scripts of a page with these drawings."""
    colours = sorted({colour for svg in drawings for colour in COLOUR.findall(svg)})
    light, dark = ("".join(f"--{colour[1:]}:{look(colour)};" for colour in colours)
                   for look in (str, on_dark))
    return {"css": Markup(_file("page.css").replace("/* light */", light).replace(
                "/* dark */", dark)),
            "scripts": [Markup(_file(f"{name}.js")) for name in scripts]}


def fill(template: str, **names: Any) -> Markup:
    """Return a rendered template."""
    folders = sorted({section.home for section in sections().values()})
    return Markup(_environment(*folders).get_template(f"{template}.html").render(names))


@cache
def _environment(*folders: Path) -> Environment:
    """Return the environment with the templates of the page and of the folders of sections,
    compiled once.
    """
    made = Environment(loader=FileSystemLoader([Path(__file__).parent / "templates", *folders]),
                       autoescape=True, undefined=StrictUndefined, trim_blocks=True,
                       lstrip_blocks=True)
    made.filters.update(
        number=formats.format_value, cells=formats.show, duration=format_seconds,
        plural=plural, command=formats.format_command, inline=_inline)
    made.tests["known"] = pd.notna
    made.globals.update(engine=ENGINE)
    return made


def plot(drawings: Drawings, name: str) -> Markup:
    """Return the drawings of a plot as the contents of its figure, of which the style sheet shows
    one; their colours are properties, which are others on a dark page.
    """
    return Markup("").join(
        Markup('<div class="{}">{}</div>').format(look, _inline(COLOUR.sub(
            lambda found: THEME.get(found[0], f"var(--{found[0][1:]})"), svg), f"{name}-{look}"))
        for look, svg in zip(("wide", "narrow"), drawings, strict=False))


COLOUR = re.compile(r"(?<=[:\"])#[0-9a-f]{6}\b")  # in a drawing
THEME = {"#ffffff": "var(--paper)", "#000000": "currentColor"}


def _inline(svg: str, name: str) -> Markup:
    """Return an SVG file as an element of the page, with unique ids."""
    body = svg[svg.index("<svg"):].replace("xlink:href", "href")  # as HTML has it
    for quote in ('id="', 'href="#', "url(#"):
        body = body.replace(quote, f"{quote}{name}-")
    return Markup(body)


def _file(name: str) -> str:
    """Return the text of a file beside this one."""
    return files("nqbench.report").joinpath(name).read_text("utf-8")

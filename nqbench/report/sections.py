"""The sections of the page, and its contents: the parts of all sections that have records.

Topics have them: a tuple SECTIONS in each module section*.py, and beside it the template NAME.html
of each. The page has them by chapter, and in each chapter in the order of their numbers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from inspect import getfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench.analysis.frames import newest_run
from nqbench.records.contradictions import WrongCount
from nqbench.records.record import FEWEST
from nqbench.records.runs import Run
from nqbench.report.frames import COMPARED, Frames, read_context
from nqbench.util.discovery import topics

CHAPTERS = ("Start", "Published algorithms", "What pruning saves", "What symmetry saves",
            "How fast", "Sudoku", "Beyond one machine", "Trust")  # in the order of the page
UNMEASURED = pd.DataFrame(columns=["machine", "metric", "status", "n", "samples"])


class Facts(SimpleNamespace):
    """What the template of a section names; the function that makes it says what each name means.
    """


@dataclass(frozen=True)
class Part:
    """The contents of a section.

    Attributes
    ----------
    facts
        what its template names, as `Facts`.
    tables
        by the names of their files; empty ones are dropped.
    figures
        functions that draw them with a width in inches, likewise.
    records
        the records of the tables; None for the main run, `UNMEASURED` if nothing was measured for
        them.
    finding
        the heading of the section, a sentence that its figures show, as `claim` gives it; if it is
        empty, the heading is the title.
    """

    facts: Any = None
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    figures: Mapping[str, Callable[..., Figure]] = field(default_factory=dict)
    records: pd.DataFrame | None = None
    finding: str = ""


def claim(text: str, *, n: int | None, processes: int | None) -> str:
    """Return a sentence for a heading, or an empty text if it rests on too little: on boards below
    `COMPARED` queens, or on times without an interval.

    Parameters
    ----------
    n
        the queens of the boards that it is about; None if it says nothing of boards.
    processes
        that took the samples of its times; None if it says nothing of times.

    Examples
    --------
    >>> claim("Thirteen search the same tree", n=8, processes=None)
    'Thirteen search the same tree'
    >>> claim("Thirteen search the same tree", n=7, processes=None)
    ''
    """
    enough = (n is None or n >= COMPARED) and (processes is None or processes >= FEWEST)
    return text if enough else ""


@dataclass(frozen=True)
class Section:
    """A section of the page.

    Attributes
    ----------
    name
        the name of its template and its link.
    title
        its title in the contents.
    order
        its place in its chapter.
    build
        a function that makes its part, or None if the frames have nothing to show in it.
    requires
        the frames without which it is omitted: attributes of `Frames`, or functions for its `of`.
    timed
        whether it shows times with intervals.
    named
        whether the title of a page without times names it.
    names_run
        whether its records are those of one run, which it names if another one is at the top.
    chapter
        one of `CHAPTERS`, or a new one at the end. Default: that of the section with the
        previous order.

    Examples
    --------
    The whole of a file section.py, a section that reads the counters:

    >>> from nqbench.report.sections import Facts, Part, Section
    >>> def build(frames):
    ...     largest = frames.counters[frames.counters["n"] == frames.counters["n"].max()]
    ...     return Part(Facts(n=int(largest["n"].iloc[0])), tables={"largest": largest})
    >>> SECTIONS = (Section("largest", "The largest n", 65, build, requires=("counters",)),)

    The whole of a file largest.html, its template:

    >>> template = '''
    ... {% from "macros.html" import files, heading, rows_of with context %}
    ... <section id="largest">{{ heading() }}
    ... {{ rows_of(table.largest, "Counters at n = " ~ facts.n) }}
    ... {{ files("largest") }}
    ... </section>
    ... '''

    A test can build it from counters alone:

    >>> from types import SimpleNamespace
    >>> counters = pd.DataFrame({"n": [7, 8], "nodes": [552, 2057]})
    >>> SECTIONS[0].part(SimpleNamespace(counters=counters)).facts
    Facts(n=8)
    >>> SECTIONS[0].part(SimpleNamespace(counters=counters[:0]))
    """

    name: str
    title: str
    order: int
    build: Callable[[Frames], Part | None]
    requires: tuple[str | Callable[[pd.DataFrame], pd.DataFrame], ...] = ()
    timed: bool = False
    named: bool = True
    names_run: bool = False
    chapter: str = ""

    @property
    def home(self) -> Path:
        """Return the folder of its module, which has its template."""
        return Path(getfile(self.build)).parent

    def part(self, frames: Frames) -> Part | None:
        """Return the contents of the section; None if there are none, and it is omitted."""
        if any((getattr(frames, need) if isinstance(need, str) else frames.of(need)).empty
               for need in self.requires):
            return None
        made = self.build(frames)
        return made and replace(made, tables={
            name: table for name, table in made.tables.items() if len(table)})


def sections() -> dict[str, Section]:
    """Return the sections of all topics by name."""
    return _find_sections(*topics().items())


@cache
def _find_sections(*places: tuple[str, Path]) -> dict[str, Section]:
    """Return the sections of topics in these folders, which are imported once."""
    return {section.name: section for topic, folder in places
            for file in sorted(folder.glob("section*.py"))
            for section in import_module(f"{topic}.{file.stem}").SECTIONS}


def chapters() -> dict[str, list[Section]]:
    """Return all sections by chapter, in the order of the page."""
    found: dict[str, list[Section]] = {name: [] for name in CHAPTERS}
    last = CHAPTERS[0]
    for section in sorted(sections().values(), key=lambda section: section.order):
        found.setdefault(section.chapter or last, []).append(section)
        last = section.chapter or last
    return found


def ordered() -> list[Section]:
    """Return all sections in the order of the page."""
    return [section for own in chapters().values() for section in own]


class Parts(Mapping[str, Part]):
    """The parts of the sections that have contents, in the order of the page. Each is made when it
    is first asked for.
    """

    def __init__(self, frames: Frames) -> None:
        self.frames = frames
        self._made: dict[str, Part | None] = {}

    def __getitem__(self, name: str) -> Part:
        if name not in self._made:
            section = sections().get(name)
            try:
                self._made[name] = section.part(self.frames) if section else None
            except KeyError as error:  # which would say that there is no such section
                raise RuntimeError(f"the section {name} fails: KeyError: {error}") from error
        part = self._made[name]
        if part is None:
            raise KeyError(name)
        return part

    def __iter__(self) -> Iterator[str]:
        return (section.name for section in ordered() if section.name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True)
class Contents:
    """The contents of the page: the frames, and the parts made from them by section, in order."""

    frames: Frames
    parts: Mapping[str, Part]

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of all sections."""
        return {name: table for part in self.parts.values() for name, table in part.tables.items()}

    @property
    def figures(self) -> dict[str, Callable[..., Figure]]:
        """The functions that draw the figures of all sections."""
        return {name: draw for part in self.parts.values() for name, draw in part.figures.items()}

    def source(self, name: str) -> dict[Any, Any] | None:
        """Return the context of the first run of a section that names its run; None if that is the
        run at the top.
        """
        records = self.parts[name].records
        if not sections()[name].names_run or records is None or records.empty:
            return None
        run = read_context(newest_run(records.head(1), records))
        return run if run["run"] != self.machine["run"] else None

    def runs(self) -> list[dict[Any, Any]]:
        """The contexts of all runs that the page shows, that at the top first."""
        shown = [self.frames.newest, *(
            rows for part in self.parts.values() if part.records is not None and len(part.records)
            for _, rows in part.records.groupby(["machine", "run"], sort=False))]
        found = {(run["machine"], run["run"]): run for run in map(read_context, shown)}
        return list(found.values())

    @property
    def machine(self) -> dict[Any, Any]:
        """The context of the run named at the top."""
        return self.frames.machine

    @property
    def wrong(self) -> list[WrongCount]:
        """The counts that are wrong."""
        return self.frames.wrong


def contents(records: pd.DataFrame, sha256: str = "", runs: Sequence[Run] = (),
             history: Path | None = None) -> Contents:
    """Return the contents of the page; `sha256` is the hash of the records, `runs` are theirs, and
    `history` is a folder of results of asv. Raise what `Frames` raises.
    """
    frames = Frames(records, sha256, runs, history)
    return Contents(frames, Parts(frames))

"""The records of a small study: read, changed, and written again; and the page made of them.

To draw all plots takes most of the seconds of a report. So `said` renders one section, and `page`
the whole page, both with empty drawings.
"""

import json
from functools import cache, lru_cache
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

from nqbench.analysis import frames
from nqbench.records.record import ABOUT, EACH
from nqbench.report import builder
from nqbench.report import page as rendering
from nqbench.report.sections import Contents, ordered, sections
from nqbench.topics.peers.measurement import BASELINE

# Searches that fill the sections of searches: the plain tree and those that it is compared with.
FEW = {"recursive", "bitmask", "bitmask_even_mirror", "marks_mirror", "somers", "cross"}


def read(folder):
    """What the report of a folder of records says; what was read last is not read again."""
    files = tuple((path, path.stat().st_mtime_ns, path.stat().st_size)
                  for path in sorted(folder.rglob("*.json*")))
    return _read(folder, files, tuple(section.name for section in ordered()))


@lru_cache(maxsize=16)
def _read(folder, files, sections):
    return builder.read(folder)


@cache
def published():
    """The records of this project, read once in a process: they are not to be changed."""
    return frames.load(Path(__file__).parents[1] / "results", published=True)


def said(made, section):
    """A section of the page, or its header; of contents, or of a folder of records."""
    return rendering.part(made if hasattr(made, "tables") else read(made), section)


def said_of(section, frames):
    """A section of the page that is made of these frames alone."""
    contents = Contents(frames, {section: sections()[section].part(frames)})
    return rendering.part(contents, section)


def sampled(line, samples):
    """A record with other samples, and beside each what stood beside the first."""
    beside = {name: line[name][:1] * len(samples) for name in EACH if name in line}
    return line | beside | {"samples": samples}


def facts(made, section):
    """The facts of a section of contents."""
    return made.parts[section].facts


def page(made):
    """The page, its plots not drawn."""
    made = made if hasattr(made, "tables") else read(made)
    return rendering.page(made, dict.fromkeys(made.figures, rendering.UNDRAWN))


def draw_only(patch, *starts):
    """Have a report draw only the plots whose names start so, and of a choice only the default:
    the other drawings are empty.
    """
    def some(made, folder, kinds=(), draw=builder.draw):
        for name in made.figures:
            (folder / f"{name}.svg").write_text(*rendering.UNDRAWN, "utf-8")
        return dict.fromkeys(made.figures, rendering.UNDRAWN) | draw(SimpleNamespace(figures={
            name: plot for name, plot in made.figures.items() if name.startswith(starts)}),
            folder, kinds)

    patch.setattr(builder, "draw", some)
    patch.setattr(builder, "draw_others", lambda made: {})


def lines(records):
    """The records of the study, as they were written, but those of what it was asked to measure."""
    (path,) = records.iterdir()
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [record for record in found if record["metric"] not in ABOUT]


def only(records, *metrics):
    """The records of the study of these metrics: what one section shows is read in a moment."""
    return [line for line in lines(records) if line["metric"] in metrics]


def few(records):
    """The records of the study without those of most searches: a report of them takes a fraction of
    the time of one of all.
    """
    return [line for line in lines(records) if line["metric"] in ("check", "rate", "estimate")
            or line["algorithm"] in FEW]


def write(folder, found):
    (folder / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in found), "utf-8")


def peer(first, **fields):
    """A record of a peer, on the machine of the record `first`."""
    return {key: first[key] for key in ("schema", "budget", "time", "context")} | {
        "run": "2999-01-01T00:00:00.000+00:00", "preset": "peers", "metric": "peer", "unit": "s",
        "n": 8, "status": "measured", "peer": BASELINE, "package": "nqbench", "version": "0.1.0",
        "loops": 1, "solutions": 92, "fault": None, "predicted": None,
        "samples": [0.5, 0.25, 0.375]} | fields


class Page(HTMLParser):
    """The tags, attributes and texts of a page, and of the attributes ids and links."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts = [], [], []
        self.feed(text)
        self.ids = [value for name, value in self.attributes if name == "id"]
        self.links = [value for name, value in self.attributes
                      if name in ("href", "src", "xlink:href") and value]

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.texts.append(data)

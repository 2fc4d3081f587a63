"""The records of a small study: read, changed, and written again; and the page made of them."""

import json
from html.parser import HTMLParser

from nqbench import analysis
from nqbench.report.contents import contents
from nqbench.study.peering import BASELINE


def read(folder):
    return contents(analysis.load(folder), analysis.history(folder / "asv"))


def lines(records):
    """The records of the study, as they were written."""
    (path,) = records.iterdir()
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(folder, found):
    (folder / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in found), "utf-8")


def peer(first, **fields):
    """A record of a peer, on the machine of the record `first`."""
    return {key: first[key] for key in ("schema", "budget", "time", "context")} | {
        "run": "2999-01-01T00:00:00.000+00:00", "preset": "peers", "metric": "peer", "unit": "s",
        "n": 8, "status": "measured", "peer": BASELINE, "package": "nqbench", "version": "0.1.0",
        "loops": 1, "solutions": 92, "fault": None, "predicted": None,
        "samples": [0.5, 0.25]} | fields


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

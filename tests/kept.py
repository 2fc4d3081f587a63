"""The records of a small study: read, changed, and written again."""

import json

from nqbench import analysis
from nqbench.report.contents import contents


def read(folder):
    return contents(analysis.load(folder), analysis.history(folder / "asv"))


def lines(records):
    """The records of the study, as they were written."""
    (path,) = records.iterdir()
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(folder, found):
    (folder / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in found), "utf-8")

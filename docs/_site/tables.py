"""The tables of docs/metrics.md: `python docs/_site/metrics.py` writes them."""

import re
from pathlib import Path

from nqbench.search.metrics import METRICS, Kind

PAGE = Path(__file__).parents[1] / "metrics.md"
HEADINGS = {Kind.TIME: "Time", Kind.COUNTER: "Counters", Kind.PROCESSOR: "Processor time",
            Kind.OTHER: "Other records"}
HEAD = "| metric | unit | meaning | better |\n|---|---|---|---|\n"
BETTER = {True: "less", False: "more", None: ""}


def fill(text: str) -> str:
    """Return the page with a row for each metric in the table below the heading of its kind."""
    for kind, heading in HEADINGS.items():
        rows = "".join(f"| `{each.name}` | {each.unit} | {each.meaning} | "
                       f"{BETTER[each.less_is_better]} |\n"
                       for each in METRICS.values() if each.kind == kind)
        text = re.sub(rf"(?<=## {heading}\n\n)(\|.*\n)*", HEAD + rows, text)
    return text


if __name__ == "__main__":
    PAGE.write_text(fill(PAGE.read_text("utf-8")), "utf-8")

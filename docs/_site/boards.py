"""Draw the boards of the lessons, which their text has as letters, and ruled lines to write on."""

import re

from docutils import nodes
from sphinx.application import Sphinx

from nqbench.search.board import QUEEN, SQUARE

APART = re.compile(" {3,}")  # between boards that stand side by side
SQUARES = re.compile(r"[.xQ]|-?\d+")
LONG = {60: "long", 72: "longer"}  # characters of a line above which code is printed smaller


def read(text: str) -> list[list[list[str]]]:
    """Return the boards in a text, as rows of squares; none if it has anything else.

    >>> read("Q .   .\\nx x   Q")
    [[['Q', '.'], ['x', 'x']], [['.'], ['Q']]]
    >>> read("start")
    []
    """
    rows = [[part.split() for part in APART.split(line.strip())] for line in text.splitlines()]
    if any(not SQUARES.fullmatch(each) for row in rows for part in row for each in part):
        return []
    return [[row[place] for row in rows if place < len(row)] for place in range(len(rows[0]))]


def draw(rows: list[list[str]]) -> str:
    """Return a board as SVG: queens, crosses, numbers.

    >>> draw([["Q", "x"], [".", "7"]]).count('class="queen"')
    1
    """
    width, height, half = len(rows[0]) * SQUARE, len(rows) * SQUARE, SQUARE // 2
    parts = []
    for r, row in enumerate(rows):
        for c, what in enumerate(row):
            kind = "dark" if (r + c) % 2 else "light"
            parts.append(f'<rect class="{kind}" x="{c * SQUARE}" y="{r * SQUARE}" '
                         f'width="{SQUARE}" height="{SQUARE}"/>')
            drawn = {"Q": f'<path class="queen" d="{QUEEN}"/>', ".": "",
                     "x": '<path class="cross" d="M-5,-5l10,10m0,-10l-10,10"/>'}.get(
                         what, f'<text y="4">{what}</text>')
            parts.append(drawn and f'<g transform="translate({c * SQUARE + half},'
                         f'{r * SQUARE + half})">{drawn}</g>')
    told = "; ".join(" ".join(row) for row in rows)
    return (f'<svg viewBox="-1 -1 {width + 2} {height + 2}" style="--n: {len(rows[0])}" role="img"'
            f' aria-label="Board, row by row: {told}">{"".join(parts)}'
            f'<rect class="frame" width="{width}" height="{height}"/></svg>')


def replace(app: Sphinx, document: nodes.document) -> None:
    """Replace text that is a board, or lines to write on; mark code with long lines."""
    for block in [*document.findall(nodes.literal_block)]:
        text = block.astext().strip("\n")
        longest = max(map(len, text.splitlines()), default=0)
        block["classes"] += [name for limit, name in LONG.items() if longest > limit]
        if set(text) <= {"_", "\n"}:
            lines = "<i></i>" * max(2, len(text.splitlines()))
            block.replace_self(nodes.raw("", f'<div class="ruled">{lines}</div>', format="html"))
        elif block.get("language") == "text" and (boards := read(text)):
            block.replace_self(nodes.raw(
                "", f'<div class="boards">{"".join(map(draw, boards))}</div>', format="html"))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", replace)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

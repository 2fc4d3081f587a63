"""Slides, handout and answers of a lesson as PDF; it needs the packages of nqbench[lessons]."""

import re
from itertools import zip_longest
from typing import Any

from fpdf import FPDF, FontFace
from markdown_it import MarkdownIt
from matplotlib import get_data_path

from nqbench.lessons import Lesson

MARKDOWN = MarkdownIt("commonmark").enable("table")
SIGNS = {"Q": "♛", "x": "×", ".": ""}  # on a square
BLUE = "#00568a"


class Document(FPDF):
    """Pages with a footer, on which Markdown is set in letters of `size` points.

    A block of the kind K is set by the method add_K, and by `add_prose` if there is none.
    """

    def __init__(self, note: str, size: float, **page: Any) -> None:
        super().__init__(**page)
        self.note, self.size = note, size
        for family, style, name in ("sans", "", ""), ("sans", "B", "-Bold"), ("mono", "", "Mono"):
            self.add_font(family, style, f"{get_data_path()}/fonts/ttf/DejaVuSans{name}.ttf")
        self.set_title(note)
        self.set_lang("en")
        self.set_margin(16)
        self.set_auto_page_break(True, size)

    def footer(self) -> None:
        """Write what this is, and the number of the page."""
        self.set_y(-self.size * 0.8)
        self.set_font("sans", size=self.size * 0.65)
        self.cell(0, text=f"{self.note}, page {self.page_no()} of {{nb}}", align="R")

    def add(self, text: str) -> None:
        """Set Markdown, one block after the other."""
        block: list[Any] = []
        for token in MARKDOWN.parse(text):
            block.append(token)
            if not token.level and token.nesting < 1:
                self.set_font("sans", size=self.size)
                kind = (token.info or token.type).replace("_", " ").split()[0]
                getattr(self, f"add_{kind}", self.add_prose)(block)
                self.ln(self.size * 0.16)
                block = []

    def keep(self, height: float) -> None:
        """Begin a new page if there is no place for something of this height, in mm."""
        if self.will_page_break(height):
            self.add_page()

    def add_heading(self, tokens: list[Any]) -> None:
        """Set a heading, not at the end of a page."""
        size = self.size * (1.7 if tokens[0].tag == "h1" else 1.15)
        self.keep(self.size * 3.5)
        with self.local_context(text_color=BLUE):
            self.set_font("sans", "B", size)
            self.multi_cell(0, size * 0.45, tokens[1].content.replace("`", ""), align="L",
                            padding=(self.size * 0.15, 0, 0, 0))

    def add_prose(self, tokens: list[Any]) -> None:
        """Set a paragraph, a list or a quotation."""
        html = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
        html = re.sub("<(p|ul|ol)>", r'<\1 line-height="1.3">', html)
        self.y -= self.font_size * (tokens[0].tag[-1] != "l")  # an empty line, but not of ul and ol
        self.write_html(html, li_prefix_color=BLUE, tag_styles={"code": FontFace("mono")})

    def add_table(self, tokens: list[Any]) -> None:
        """Set a table on one page; a cell of code is one as a whole."""
        cells = [each.content.replace("&nbsp;", "\u00a0") for each in tokens if each.content]
        across = sum(each.type == "th_open" for each in tokens)
        self.keep(len(cells) / across * self.size * 0.65)
        widths = [max(8 + len(cell) * 1.2 for cell in cells[k::across]) for k in range(across)]
        with self.local_context(fill_color="#ffffff"), self.table(
                col_widths=widths, padding=(self.size * 0.08, 1), text_align="L",
                borders_layout="HORIZONTAL_LINES", line_height=self.size * 0.45) as table:
            for k, cell in enumerate(cells):
                if k % across == 0:
                    row = table.row()
                row.cell(cell.replace("`", ""), style=FontFace("mono") if cell[0] == "`" else None)

    def add_python(self, tokens: list[Any]) -> None:
        """Set code on one page, in a box."""
        lines = tokens[0].content.splitlines()
        size = min(self.size * 0.86, (self.epw - 7) / max(map(len, lines)) * 4.7)
        self.keep(len(lines) * size * 0.42 + 3)
        self.set_font("mono", size=size)
        self.set_fill_color("#eef2f5")
        self.multi_cell(0, size * 0.42, "\n".join(lines), fill=True, padding=(1.5, 3), align="L")

    add_text = add_python

    def add_lines(self, tokens: list[Any]) -> None:
        """Draw lines to write on."""
        for _ in tokens[0].content.splitlines():
            self.keep(8.5)
            self.ln(8.5)
            self.line(self.l_margin, self.y, self.w - self.r_margin, self.y)

    def add_board(self, tokens: list[Any]) -> None:
        """Draw boards, which are columns of the text with three spaces or more between them."""
        lines = [re.split(" {3,}", line) for line in tokens[0].content.splitlines()]
        side, left = self.size * 0.73, self.l_margin
        self.keep(len(lines) * side)
        self.set_font_size(self.size * 1.4)
        top = self.y
        for board in zip_longest(*lines, fillvalue=""):
            for row, squares in enumerate(board):
                for column, sign in enumerate(squares.split()):
                    self.set_xy(left + column * side, top + row * side)
                    self.set_fill_color("#dcc7a3" if (row + column) % 2 else "#f3ead7")
                    self.cell(side, side, SIGNS.get(sign, sign), border=1, align="C", fill=True)
            left += (len(board[0].split()) + 1) * side
        self.set_xy(self.l_margin, top + len(lines) * side)


def make(lesson: Lesson, kind: str) -> bytes:
    """Return the slides, the handout with the worksheet, or the answers of a lesson."""
    size, page = (22, (338.7, 190.5)) if kind == "slides" else (10.5, "A4")
    made = Document(f"nqbench, lesson {lesson.number}: {kind}", size, format=page)
    for text in lesson.pages(kind):
        made.add_page()
        made.add(text)
    return bytes(made.output())

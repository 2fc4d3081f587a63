"""Four lessons of 45 minutes, each a text in Markdown: N.md, and its model answers, answers/N.md.

    pdf.py       slides, handout and answers as PDF

A lesson has the sections Plan, Slides, Handout, Worksheet and What usually goes wrong. A block of
code says what it is: `board` is drawn, `lines` are lines to write on, `python right` passes the
check of the lab, `python wrong` fails it, `python endless` does not end, `python gaps` has gaps to
fill, and `python part` is a part of a search, or another example.
"""

from importlib.resources import files
from typing import NamedTuple


class Lesson(NamedTuple):
    """A lesson: its number, its text and its model answers, both in Markdown."""

    number: int
    text: str
    answers: str

    @property
    def title(self) -> str:
        """The title, without the number."""
        return self.text.partition("\n")[0].partition(": ")[2]

    def fact(self, name: str) -> str:
        """Return the aim, the level, the prerequisites or the material.

        >>> read(3).fact("Level")
        'first year'
        """
        return " ".join(self.text.partition(f"\n- {name}: ")[2].partition("\n-")[0].split())

    def section(self, name: str) -> str:
        """Return the text of a section, without its heading.

        >>> read(1).section("Plan").splitlines()[0]
        '| Minutes | What the class does |'
        """
        return self.text.partition(f"\n## {name}\n")[2].partition("\n## ")[0].strip()

    def pages(self, kind: str) -> list[str]:
        """Return the texts that begin on a page of the slides, the handout or the answers.

        >>> [page.partition("\\n")[0] for page in read(3).pages("slides")][:2]
        ['# A function that calls itself', '# A function may call itself']
        """
        if kind == "answers":
            return [self.answers]
        if kind == "handout":
            return [f"# {self.title}: {name.lower()}\n\n{self.section(name)}"
                    for name in ("Handout", "Worksheet")]
        slides = f"\n{self.section('Slides')}".split("\n### ")
        return [f"# {slide}" for slide in (f"{self.title}\n\n{self.fact('Aim')}", *slides[1:])]


def read(number: int) -> Lesson:
    """Return a lesson.

    >>> read(3).number
    3
    """
    return Lesson(number, *((files(__name__) / name).read_text("utf-8")
                            for name in (f"{number}.md", f"answers/{number}.md")))

"""Exact covers as text, in the notation of Knuth's programs DLX: the first line has the primary
items, |, and the secondary items; each other line is an option, and one that begins with | is a
comment.

A given option excludes all others that share an item with it, so these are not written. If two of
them share an item, one of them and an item of it are lost, so there is no solution.

Donald E. Knuth, The Art of Computer Programming 4B, 7.2.2.1.
"""

from collections.abc import Iterable, Iterator

from nqbench.problems.formats.models import Model, Option


def write_cover(model: Model, head: Iterable[str]) -> Iterator[str]:
    """Yield the lines of an exact cover."""
    taken = {item: option for option in model.given for item in model.items(option)}
    yield from (f"| {line}" for line in head)
    yield " | ".join(" ".join(line.item for line in model.lines if line.primary == primary)
                     for primary in (True, False)).removesuffix(" | ")
    for option in model.options:
        items = model.items(option)
        if option not in model.barred and all(taken.get(item, option) == option for item in items):
            yield " ".join(items)


def read_cover(model: Model, text: str) -> Iterator[set[Option]]:
    """Yield the options of each solution: lines of items in any order, after which such programs
    print a remark in brackets; any other line ends a solution.
    """
    named = {frozenset(model.items(option)): option for option in model.options}
    chosen: set[Option] = set()
    for line in [*text.splitlines(), ""]:
        option = named.get(frozenset(line.partition("(")[0].split()))
        if option is not None:
            chosen.add(option)
        elif chosen:
            yield chosen
            chosen = set()

"""Exact cover by dancing links: Knuth's Algorithm X.

Given items and options, each option a set of items, choose options so that every primary item is in
exactly one of them and every secondary item in at most one. The search takes the primary item with
the fewest remaining options, tries each of them, and removes all options that share an item with
it. The lists are linked in both directions, so following the links restores what was removed: the
links dance.

Notation, as in Knuth's 7.2.2.1: items are numbered from 1, 0 is the head of the list of
items that are still to be covered; node x of an option has `up`, `down` and `top`, its item;
the first nodes are the heads of the items' own lists.

Like the algorithms of the catalogue this file is built with its counting statements and
without (`nqbench.search.builds`). Here tests are options tried, scans nodes unlinked, and
comparisons lengths of lists compared; updates are what is taken off a list, an item or a node.

Donald E. Knuth, Dancing links (2000), and The Art of Computer Programming 4B, 7.2.2.1.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from nqbench.search.metrics import declare
from nqbench.search.tally import Tally

UPDATES = declare({"updates": "items and nodes taken off a list, as Knuth counts them"},
                  dir(Tally).__contains__)
Label = TypeVar("Label", bound=tuple[int, ...])  # the numbers that `tally.test` takes


def covers(  # noqa: PLR0915 - its steps share the links
        items: Iterable[Hashable], options: Sequence[tuple[Label, Sequence[Hashable]]],
        tally: Tally) -> Iterator[list[Label]]:
    """Yield every exact cover, as a list of the labels of its options in the order chosen.

    `items` are the primary ones, the others in the options are secondary; an option is a label,
    numbers that name it, and its items.

    One function holds the whole of Knuth's algorithm, with its steps as inner functions: they share
    the links, and a build of it (`nqbench.search.builds`) includes them.

    >>> from nqbench.search.tally import Tally
    >>> options = [((0, 0), "AC"), ((0, 1), "B"), ((0, 2), "AB"), ((0, 3), "BC")]
    >>> tally = Tally(2)
    >>> list(covers("AB", options, tally)), tally.updates
    ([[(0, 0), (0, 1)], [(0, 2)]], 8)
    """
    numbers = {item: number for number, item in enumerate(items, 1)}
    primary = len(numbers)
    for _, members in options:
        for member in members:
            numbers.setdefault(member, len(numbers) + 1)
    many = len(numbers)
    left = [primary, *range(many)]
    right = [*range(1, many + 1), 0]
    right[primary] = 0
    for item in range(primary + 1, many + 1):  # secondary items need not be covered
        left[item] = right[item] = item
    length = [0] * (many + 1)
    up, down, top = (list(range(many + 1)) for _ in range(3))
    first, last, label = ([0] * (many + 1) for _ in range(3))  # of the option of a node
    for number, (_, members) in enumerate(options):
        begin = len(up)
        for item in map(numbers.__getitem__, members):
            node = len(up)
            up.append(up[item])
            down.append(item)
            down[up[item]] = up[item] = node
            top.append(item)
            first.append(begin)
            last.append(begin + len(members))
            label.append(number)
            length[item] += 1

    def cover(item: int) -> None:
        """Take the item off the list, and its options off all lists but its own."""
        left[right[item]], right[left[item]] = left[item], right[item]
        tally.updates += 1
        node = down[item]
        while node != item:
            for other in range(first[node], last[node]):
                if other != node:
                    down[up[other]], up[down[other]] = down[other], up[other]
                    length[top[other]] -= 1
                    tally.scans += 1
                    tally.updates += 1
            node = down[node]

    def uncover(item: int) -> None:
        """Undo `cover`, in the opposite order."""
        node = up[item]
        while node != item:
            for other in range(last[node] - 1, first[node] - 1, -1):
                if other != node:
                    down[up[other]] = up[down[other]] = other  # idea: a link knows its way back
                    length[top[other]] += 1
            node = up[node]
        left[right[item]] = right[left[item]] = item

    chosen: list[Label] = []

    def search(level: int) -> Iterator[Any]:
        tally.node(level)
        if right[0] == 0:
            tally.solution()
            yield list(chosen)
            return
        item = best = right[0]
        while item:
            tally.comparisons += 1
            if length[item] < length[best]:
                best = item
            item = right[item]
        cover(best)
        node = down[best]
        while node != best:
            option = options[label[node]][0]
            tally.test(*option)
            if down[node] != best:
                tally.guess()
            others = [top[x] for x in range(first[node], last[node]) if x != node]
            for other in others:
                cover(other)
            chosen.append(option)
            yield from search(level + 1)
            chosen.pop()
            for other in reversed(others):
                uncover(other)
            node = down[node]
        uncover(best)
        tally.exhausted(level)

    return search(0)

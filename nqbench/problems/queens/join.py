"""Joining halves: solutions are pairs of half boards that share no diagonal.

The board is cut into a western and an eastern half. Choose the rows whose queens stand in the west;
the queens of the other rows stand in the east. A western half is a placement of queens on the
western rows and columns, an eastern half is a placement on the others. They never share a row or a
column, so they form a solution exactly if they share no diagonal:

    Q(n) = sum over the choices of rows of  pairs (western half, eastern half) without a diagonal
                                            in common

There are few halves: about the square root of the number of placements. There are many pairs, but
counting them needs no search. A half is a word with a bit for each diagonal. For a piece of 512
western words, one vector for each diagonal says which words leave it free. An eastern word ANDs the
vectors of its diagonals; the remaining bits are its partners. Both sides are sorted by an index,
the few diagonals that are used most: words that share one of them are never compared.

Symmetry. Turning the board upside down, or left to right, maps a choice of rows to its reverse or
to its complement; one choice of each orbit is counted. The reflections in the long diagonals give
the other factor of two: a solution with queens on j of these diagonals has 2^j images by these
reflections, and one of them has all these queens in the west. For odd n, a queen in the middle
column is placed first. Unless it stands in the centre, the reflection exchanges it with the queen
in the middle row. So only halves are kept in which the queen in the middle row is at least as far
from the centre.

This is one of the two algorithms of the counting engine, in plain Python, and the faster one for
large n; see docs/engine.md. The compiled version makes the halves from quarter boards. A half is a
word: an integer with a bit for each diagonal that its queens attack.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from nqbench.problems.queens._engines import EngineAlgorithm
from nqbench.problems.queens.base import Tally, Tree

PIECE = 512  # western words that are compared with an eastern word at a time

Split = tuple[int | None, tuple[int, ...]]  # row of the queen in the middle column; western rows


class PairTally(Tally):
    """The counters of one count by pairs of halves.

    >>> tally = PairTally(8)
    >>> tally.pairs += 10
    >>> tally.counters()["pairs"], "pairs" in Tally(8).counters()
    (10, False)
    """

    __slots__ = ("halves", "pairs", "pairs_excluded", "vector_steps")

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.halves = self.pairs = self.pairs_excluded = self.vector_steps = 0


def splits(n: int, tally: Tally) -> Iterator[tuple[int, Split]]:
    """Yield (number of its images, split) for one split of each orbit.

    For odd n, the queen in the middle column stands above the centre, and the queen in the middle
    row in the west; or one queen stands in the centre.

    >>> [images for images, _ in splits(4, Tally(4))], sum(i for i, _ in splits(6, Tally(6)))
    ([2, 2, 2], 20)
    """
    half = n // 2
    for hole in range(half if n % 2 else 0):
        for rows in combinations([row for row in range(n) if row not in (hole, half)], half - 1):
            tally.node(0)
            yield 4, (hole, tuple(sorted((*rows, half))))
    centre = half if n % 2 else None
    every = [row for row in range(n) if row != centre]
    for rows in combinations(every, half):
        others = tuple(row for row in every if row not in rows)
        orbit = {rows, others, *(tuple(n - 1 - row for row in reversed(r)) for r in (rows, others))}
        if rows == min(orbit):  # idea: one choice of rows of each orbit
            tally.node(0)
            yield len(orbit), (centre, rows)


def diagonals(n: int, row: int, column: int) -> int:
    """Return the two diagonals of a square as bits."""
    return 1 << row + column | 1 << 3 * n + column - row


def halves(n: int, hole: int | None, rows: tuple[int, ...], first: int,
           tally: PairTally) -> Iterator[tuple[int, dict[int, int]]]:
    """Yield the word and the squares of each placement on these rows and on the columns from
    `first` on that the queen in the middle column does not attack.

    >>> [queens for _, queens in halves(4, None, (0, 2), 2, PairTally(4))]
    [{0: 2, 2: 3}, {0: 3, 2: 2}]
    """
    columns = range(first, first + len(rows))
    queens: dict[int, int] = {}

    def place(level: int, attacked: int, word: int) -> Iterator[tuple[int, dict[int, int]]]:
        if level == len(rows):
            tally.halves += 1
            yield word, dict(queens)
            return
        row = rows[level]
        for column in columns:
            tally.test(row, column)
            square = diagonals(n, row, column)
            if not square & (attacked | word) and column not in queens.values():
                tally.node(level + 1)
                queens[row] = column
                yield from place(level + 1, attacked, word | square)
                del queens[row]
        tally.exhausted(level)

    yield from place(0, 0 if hole is None else diagonals(n, hole, n // 2), 0)


def marked(n: int, split: Split, tally: PairTally) -> tuple[list[list[int]], list[list[int]]]:
    """Return the words of the western and of the eastern halves, grouped by their mark.

    The mark is the number of queens on the long diagonals. If the queen in the middle column does
    not stand in the centre, the mark is 0 if the queen in the middle row is farther from the
    centre, and 1 if it is as far; halves in which it is nearer are skipped.
    """
    hole, rows = split
    others = tuple(row for row in range(n) if row not in (*rows, hole))
    long = 1 << n >> 1 | 1 << 3 * n
    west: list[list[int]] = [[], [], []]
    east: list[list[int]] = [[], [], []]
    for words, side, first in ((west, rows, 0), (east, others, n - n // 2)):
        for word, queens in halves(n, hole, side, first, tally):
            if hole is None or hole == n // 2:
                words[(word & long).bit_count()].append(word)
            elif queens.get(n // 2, 0) <= hole or first:
                words[int(not first and queens[n // 2] == hole)].append(word)
    return west, east


def pairs(west: list[int], east: list[int], tally: PairTally) -> int:
    """Return the number of pairs of a western and an eastern word that share no bit.

    >>> pairs([0b01, 0b10, 0b11], [0b10, 0b10, 0b00], PairTally(2))
    5
    """
    tally.pairs += len(west) * len(east)
    index = 0  # the diagonals that exclude most pairs, one more for each doubling
    used = [Counter(bit for word in words for bit in bits(word)) for words in (west, east)]
    by_use = sorted(used[0], key=lambda bit: used[0][bit] * used[1][bit], reverse=True)
    for bit in by_use[:(len(west) // 4).bit_length()]:
        index |= bit
    classes: dict[int, list[int]] = {}
    for word in east:
        classes.setdefault(word & index, []).append(word & ~index)
    found = 0
    west = sorted(west, key=lambda word: word & index)  # few classes in each piece
    for first in range(0, len(west), PIECE):
        piece = west[first:first + PIECE]
        every = (1 << len(piece)) - 1
        free = {bit: sum(1 << place for place, word in enumerate(piece) if not word & bit)
                for bit in used[1]}
        for shared, words in classes.items():
            partners = every  # the words of the piece that the index does not exclude
            for bit in bits(shared):
                partners &= free[bit]
            tally.pairs_excluded += (len(piece) - partners.bit_count()) * len(words)
            if partners:
                for word in words:
                    tally.vector_steps += 1
                    left = partners
                    for bit in bits(word):
                        left &= free[bit]  # idea: many pairs of halves at once
                    found += left.bit_count()
    return found


def bits(word: int) -> Iterator[int]:
    """Yield the bits of a word.

    >>> list(bits(0b101))
    [1, 4]
    """
    while word:
        bit = word & -word
        yield bit
        word -= bit


def count_pairs(n: int, split: Split, tally: PairTally) -> int:
    """Return the number of solutions of one image of this split.

    >>> tally = PairTally(8)
    >>> sum(images * count_pairs(8, split, tally) for images, split in splits(8, tally))
    92
    """
    hole = split[0]
    west, east = marked(n, split, tally)
    if hole is not None and hole != n // 2:
        return 2 * pairs(west[0], east[0], tally) + pairs(west[1], east[0], tally)
    return (pairs(west[0] + west[1] + 2 * west[2], east[0], tally)
            + pairs(east[1] + 2 * east[2], west[0], tally))


@dataclass(frozen=True, kw_only=True)
class Join(EngineAlgorithm):
    """The algorithm with its own counters."""

    def tally(self, n: int, nodes: int | None = None, seconds: float | None = None,
              backtracks: int | None = None) -> PairTally:
        return PairTally(n)


ALGORITHM = Join(
    name="join", order=285, origin="nqbench, docs/engine.md", year=2026,
    technique="pairs of half boards that share no diagonal, 512 at a time",
    worst_case="about C(n, n/2) / 4 choices of rows, each with up to (n/2)! halves on each side",
    keeps_marks=True, symmetry="all eight", uses_symmetry=True, tree=Tree.OWN, orbits=splits,
    ways=count_pairs)

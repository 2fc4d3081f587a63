"""A stack of queens that is asked for a conflict by its own find().

Source: Deng Junhui, lecture "Probe and backtrack: eight queens" (Tsinghua University, undated),
placeQueens with struct Queen. Two queens are "equal" if they attack each other, so the conflict
test looks up a queen in the stack. The vector of the stack is searched from its last element to its
first. The rows are compared, too, although they always differ.
"""

from __future__ import annotations

from typing import NamedTuple

from nqbench.problems.queens._printing import count_line
from nqbench.problems.queens.base import MEMORY, Placements, Search, Tally


class Queen(NamedTuple):
    x: int  # row
    y: int  # column


def attacks(p: Queen, q: Queen, tally: Tally) -> bool:
    """Return whether two queens share a row, column, sum or difference."""
    tally.comparisons += (1 if p.x == q.x else 2 if p.y == q.y
                          else 3 if p.x + p.y == q.x + q.y else 4)
    return (p.x == q.x
            or p.y == q.y
            or p.x + p.y == q.x + q.y
            or p.x - p.y == q.x - q.y)


def find(stack: list[Queen], q: Queen, tally: Tally) -> int:
    """Return the position of the last queen in the stack that q attacks, -1 if there is none."""
    tally.test(q.x, q.y)
    for position in range(len(stack) - 1, -1, -1):  # idea: ask all queens on the stack
        tally.scans += 1
        if attacks(q, stack[position], tally):
            return position
    return -1


def visits(n: int, tally: Tally) -> Placements:
    stack: list[Queen] = []
    x = y = 0
    tally.node(0)
    if n == 0:
        tally.solution()
        yield ()
        return
    while x > 0 or y < n:
        if len(stack) >= n or y >= n:  # off the board: one row back, its next column
            x, y = stack.pop()
            y += 1
        else:
            while y < n and find(stack, Queen(x, y), tally) >= 0:
                y += 1
            if y < n:
                stack.append(Queen(x, y))
                tally.node(len(stack))
                if len(stack) >= n:
                    tally.solution()
                    yield tuple(queen.y for queen in stack)
                x, y = x + 1, 0
        if y >= n:
            tally.exhausted(x)


ALGORITHM = Search(
    name="probe_stack", order=90,
    origin="Deng Junhui, Probe and backtrack: eight queens, placeQueens",
    technique="explicit stack of queens, find() with attack as equality", search=visits,
    prints=count_line, largest_n=MEMORY)

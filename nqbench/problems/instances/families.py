"""Random instances of queens, after Gent, Jefferson and Nightingale, Complexity of n-queens
completion, Journal of Artificial Intelligence Research 59 (2017).

The same seed gives the same instances, in every version of Python.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import lgamma, log
from random import Random
from typing import TypeVar

from nqbench.errors import InvalidValueError
from nqbench.problems.instances.board import Board, require_size
from nqbench.util.arguments import require_whole

Item = TypeVar("Item")

LEAST_FREE = 3  # squares that a generator leaves free in each row and column, by default
TRIES = 1000  # boards that a generator begins before it gives up, fewer if they are large
DRAWS = 5_000_000  # of squares, which take some seconds


def completion(n: int, placed: int, random: Random, torus: bool = False) -> Board:
    """Return a board with queens placed at random, none of which attacks another.

    Each queen is drawn from the rows and columns that are left; after n^2 draws it begins a new
    board.

    >>> board = completion(8, 3, Random(1))
    >>> len(board.placed), board.contradiction
    (3, '')
    """
    _require_at_most("placed", placed, n, n)
    turn = n if torus else 4 * n  # no sum or difference of a plain board is as large

    def begin() -> Board | None:
        queens: list[tuple[int, int]] = []
        rows, columns = [*range(n)], [*range(n)]
        sums, differences = set[int](), set[int]()
        for _ in range(n * n):
            if len(queens) == placed:
                break
            i, j = below(len(rows), random), below(len(columns), random)
            row, column = rows[i], columns[j]
            line, other = (row + column) % turn, (row - column) % turn
            if line not in sums and other not in differences:
                queens.append((row, column))
                sums.add(line)
                differences.add(other)
                rows.pop(i)
                columns.pop(j)
        return Board(n, placed=tuple(queens), torus=torus) if len(queens) == placed else None

    return _try(n, begin, f"{'torus' if torus else 'board'} of n = {n} with {placed} placed queens",
                "place")


def blocked(n: int, squares: int, random: Random, least: int = LEAST_FREE) -> Board:
    """Return a board with blocked squares, drawn at random; each row and column keeps at least
    `least` squares.

    >>> board = blocked(8, 20, Random(1))
    >>> len(board.blocked), min(free.bit_count() for free in board.free) >= 3
    (20, True)
    """
    _require_at_most("blocked", squares, n * max(0, n - least), n)

    def begin() -> Board | None:
        rows, columns = [n] * n, [n] * n
        taken: list[tuple[int, int]] = []
        for square in _shuffle([(row, column) for row in range(n) for column in range(n)], random):
            if len(taken) == squares:
                break
            row, column = square
            if rows[row] > least and columns[column] > least:
                rows[row] -= 1
                columns[column] -= 1
                taken.append(square)
        return Board(n, blocked=tuple(taken)) if len(taken) == squares else None

    return _try(n, begin, f"board of n = {n} with {squares} blocked squares and {least} left in "
                          "each row and column", "block")


def excluded(n: int, diagonals: int, random: Random, least: int = LEAST_FREE) -> Board:
    """Return a board with excluded diagonals, drawn at random; a coin decides the kind of each, and
    each row and column keeps at least `least` squares.

    >>> board = excluded(8, 4, Random(1))
    >>> len(board.sums) + len(board.differences)
    4
    """
    _require_at_most("excluded", diagonals, max(0, 4 * n - 2), n)
    return _try(n, lambda: _exclude(n, diagonals, random, least),
                f"board of n = {n} with {diagonals} excluded diagonals and {least} squares left in "
                "each row and column", "exclude")


def _exclude(n: int, diagonals: int, random: Random, least: int) -> Board | None:
    """Return a board like `excluded`, or None if the drawn diagonals do not suffice."""
    waiting = {"sums": _shuffle([*range(2 * n - 1)], random),
               "differences": _shuffle([*range(1 - n, n)], random)}
    taken: dict[str, list[int]] = {"sums": [], "differences": []}
    free = {(row, column) for row in range(n) for column in range(n)}
    rows, columns = [n] * n, [n] * n
    while len(taken["sums"]) + len(taken["differences"]) < diagonals:
        kinds = [kind for kind, lines in waiting.items() if lines]
        if not kinds:
            return None
        kind = kinds[below(len(kinds), random)]
        line = waiting[kind].pop()
        squares = [(row, line - row if kind == "sums" else row - line) for row in range(n)]
        squares = [square for square in squares if square in free]
        if all(rows[row] > least and columns[column] > least for row, column in squares):
            taken[kind].append(line)
            free.difference_update(squares)
            for row, column in squares:
                rows[row] -= 1
                columns[column] -= 1
    return Board(n, sums=tuple(taken["sums"]), differences=tuple(taken["differences"]))


def generate(make: Callable[[Random], Board], many: int, seed: int) -> Iterator[Board]:
    """Yield random instances; the k-th depends only on seed and k.

    >>> boards = [*generate(lambda random: completion(8, 2, random), 3, seed=1)]
    >>> boards[:2] == [*generate(lambda random: completion(8, 2, random), 2, seed=1)]
    True
    """
    for k in range(many):
        yield make(Random(f"{seed} {k}"))


def _try(n: int, begin: Callable[[], Board | None], what: str, verb: str) -> Board:
    """Return the first board that is finished; the fewer are begun, the larger they are."""
    tries = max(1, min(TRIES, DRAWS // max(1, n**2)))
    for _ in range(tries):
        if (found := begin()) is not None:
            return found
    raise InvalidValueError(f"no {what} was found in {tries:,} tries; {verb} fewer")


def below(most: int, random: Random) -> int:
    """Return a whole number from 0 on, less than `most`."""
    return int(random.random() * most)


def _shuffle(items: list[Item], random: Random) -> list[Item]:
    """Return the items in a random order."""
    for last in range(len(items) - 1, 0, -1):
        other = below(last + 1, random)
        items[last], items[other] = items[other], items[last]
    return items


def _require_at_most(name: str, value: int, most: int, n: int) -> None:
    require_size(n)
    if require_whole(value, name) > most:
        raise InvalidValueError(f"{name} must be at most {most} for n = {n}, not {value}")


@dataclass(frozen=True)
class Family:
    """A family of random instances.

    Attributes
    ----------
    name
        the name of the command that generates them.
    amount
        the meaning of the amount, in words.
    make
        a function that returns an instance of n and an amount.
    amounts
        a function that returns the amounts between which the share of solvable instances falls from
        1 to 0.
    most
        a function that returns the largest amount of an instance of n that has a solution.
    density
        a function that returns the amount in a form that is comparable between boards of different
        n.
    axis
        the meaning of the density, in words.
    survives
        a function that returns the logarithm of the probability that a solution of the empty board
        is a solution of an instance of n and this density; None if it has no simple form.
    """

    name: str
    amount: str
    make: Callable[[int, int, Random], Board]
    amounts: Callable[[int], list[int]]
    most: Callable[[int], int]
    density: Callable[[int, int], float]
    axis: str
    survives: Callable[[int, float], float] | None = None


def _of(n: int, amount: int) -> float:
    return amount / n


def _none_excluded(n: int, density: float) -> float:
    """Return the logarithm of the probability that none of the 2n diagonals of a solution is among
    the excluded ones of all 4n - 2.
    """
    amount = n * density

    def ways(diagonals: int) -> float:  # to exclude this many of them
        return lgamma(diagonals + 1) - lgamma(diagonals - amount + 1)

    return ways(2 * n - 2) - ways(4 * n - 2)


FAMILIES = {family.name: family for family in (
    Family("completion", "placed queens", completion,
           lambda n: sorted({round(n * share / 10) for share in range(1, 10)}), lambda n: n, _of,
           "placed queens over n"),
    Family("blocked", "blocked squares", blocked,
           lambda n: sorted({round(n * (n - free / 2)) for free in range(8, 20)
                             if n > free / 2}), lambda n: n * n - n,
           lambda n, amount: n - amount / n, "unblocked squares in a row, on average",
           lambda n, density: n * log(density / n)),
    Family("excluded", "excluded diagonals", excluded,
           lambda n: sorted({round(n * share / 10) for share in range(1, 16)}),
           lambda n: 2 * n - 2, _of, "excluded diagonals over n", _none_excluded),
)}

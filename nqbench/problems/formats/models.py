"""An instance as other solvers see it, in two views.

    variables  each has one of several values, and those of a group must differ after a number is
               added to each, on a torus modulo n: MiniZinc, XCSP3
    options    each has some items; every primary item is in exactly one chosen option, every
               secondary item in at most one: clauses, pseudo-Boolean constraints, exact cover

A variable is a row of a board, and its value the column of its queen; or it is a cell of a puzzle,
and its value the digit. An option is a variable with a value.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from nqbench.errors import InvalidValueError
from nqbench.problems import PROBLEMS, Problem
from nqbench.problems.instances.board import Board
from nqbench.problems.sudoku.grid import BOX, CELLS, COLUMN, ROW, TIMES, UNITS, Digits

Option = tuple[int, int]  # a variable and its value
WORDS = {"r": "row", "c": "column", "b": "box", "s": "sum", "d": "difference"}


class Item(NamedTuple):
    """An item with its options, and whether one of them must be chosen."""

    item: str
    primary: bool
    options: list[Option]


@dataclass(frozen=True)
class Model:
    """An instance in both views.

    Attributes
    ----------
    problem, instance
        the instance, and its problem.
    name, size, values
        the name of the array of variables, their number, and their values.
    meaning
        what a variable means, and the Boolean variable of an option.
    groups
        variables that must differ after numbers are added to them.
    modulus
        the n of a torus, 0 for any other instance.
    given, barred
        options that must be chosen, and options that must not be.
    items, primary
        a function that returns the names of the items of an option; how many of them are primary,
        which come first.
    data
        the lines of the instance as data of MiniZinc.
    describe
        a function that returns in words that an item has so many of the chosen options.
    """

    problem: Problem[Any]
    instance: Any
    name: str
    size: int
    values: range
    meaning: str
    groups: Sequence[tuple[Sequence[int], Sequence[int]]]
    modulus: int
    given: frozenset[Option]
    barred: frozenset[Option]
    items: Callable[[Option], tuple[str, ...]]
    primary: int
    data: Sequence[str]
    describe: Callable[[str, int], str]

    @cached_property
    def options(self) -> list[Option]:
        """All options, with those that are barred."""
        return [*product(range(self.size), self.values)]

    def number(self, option: Option) -> int:
        """Return the number of an option, from 1."""
        return 1 + option[0] * len(self.values) + option[1] - self.values.start

    @cached_property
    def lines(self) -> list[Item]:
        """All items, the primary ones first."""
        found: dict[str, Item] = {}
        named = [(option, self.items(option)) for option in self.options]
        for kind in range(len(named[0][1])):
            for option, items in named:
                line = Item(items[kind], kind < self.primary, [])
                found.setdefault(line.item, line).options.append(option)
        return [*found.values()]

    def violation(self, chosen: Collection[Option]) -> str:
        """Return the first constraint that these options violate, in words; empty if they are a
        solution.
        """
        for wrong, says in ((self.given.difference(chosen), "is given, but missing"),
                            (self.barred.intersection(chosen), "is excluded")):
            if wrong:
                variable, value = min(wrong)
                return f"{self.name}[{variable}] = {value} {says}"
        for item, primary, options in self.lines:
            many = sum(option in chosen for option in options)
            if many > 1 or (primary and not many):
                return self.describe(item, many)
        return ""


def model_of(instance: Any) -> Model:
    """Return the model of a board of queens, or of a puzzle of Sudoku: its digits, or a `Grid`.

    Raises
    ------
    InvalidValueError
        if the board has no squares, of which no solver could be asked.
    """
    if isinstance(instance, Board):
        if not instance.n:
            raise InvalidValueError("n must be 1 or more for other solvers, not 0")
        return of_board(instance)
    return of_digits(getattr(instance, "digits", instance))


def of_board(board: Board) -> Model:
    """Return the model of an instance of queens.

    >>> of_board(Board(4, placed=((0, 1),))).violation({(0, 1), (1, 3), (2, 0), (3, 1)})
    'column 1 has 2 queens'
    """
    n, rows = board.n, range(board.n)
    lines = {*product(["sum"], board.sums), *product(["difference"], board.differences)}
    excluded = {square for square in product(rows, rows) if lines and not
                lines.isdisjoint(board.lines(*square))}
    placed, blocked = ([n * row + column for row, column in squares]
                       for squares in (board.placed, board.blocked))
    sets = {"placed": placed, "blocked": blocked, "sums": board.sums,
            "differences": board.differences}

    return Model(
        PROBLEMS["instances"], board, "q", n, rows,
        "q[row] = column, or x[n * row + column + 1] = 1: there is a queen (rows, columns from 0)",
        [(rows, [sign * row % n if board.torus else sign * row for row in rows])
         for sign in (0, 1, -1)], n * board.torus,
        frozenset(board.placed), frozenset({*board.blocked, *excluded}),
        lambda square: tuple(f"{kind[0]}{line}" for kind, line in board.lines(*square)), 2,
        [f"n = {n};", f"torus = {str(board.torus).lower()};",
         *(f"{name} = {{{', '.join(map(str, found))}}};" for name, found in sets.items())],
        lambda item, many: f"{WORDS[item[0]]} {item[1:]} has {many or 'no'} "
                           f"queen{'s' * bool(many)}")


def of_digits(digits: Digits) -> Model:
    """Return the model of a puzzle of Sudoku.

    >>> of_digits((5, *[0] * 80)).violation({(cell, 1) for cell in range(81)})
    'cell[0] = 5 is given, but missing'
    """
    def items(option: Option) -> tuple[str, ...]:
        cell, digit = option
        row, column, box = ROW[cell] + 1, COLUMN[cell] + 1, BOX[cell] + 1
        return f"p{row}{column}", f"r{row}{digit}", f"c{column}{digit}", f"b{box}{digit}"

    def describe(item: str, many: int) -> str:
        if item[0] == "p":
            return f"row {item[1]}, column {item[2]} has {many or 'no'} digit{'s' * bool(many)}"
        return f"{WORDS[item[0]]} {item[1]} has {item[2]} {TIMES[many]}"

    return Model(
        PROBLEMS["sudoku"], digits, "cell", 81, range(1, 10),
        "cell[k] = digit, row by row, or x[9 * k + digit] = 1, with k from 0",
        [(unit, [0] * 9) for unit in UNITS], 0,
        frozenset((cell, digit) for cell, digit in enumerate(digits) if digit), frozenset(),
        items, 4,
        ["given = [", *(f"  {', '.join(map(str, digits[row:row + 9]))}," for row in CELLS[::9]),
         "];"], describe)

"""Programs that solve Sudoku.

They read puzzles from standard input, one per line, with . for an empty cell, and print a line for
each, with the 81 digits of its solution or with none.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf
from pathlib import Path
from typing import Any

from nqbench.errors import LostError, PluginError
from nqbench.problems import sudoku
from nqbench.problems.plugins.children import Child
from nqbench.problems.plugins.notation import PUZZLES
from nqbench.problems.plugins.programs import PROCESS, Program
from nqbench.problems.sudoku.grid import Digits, Grid
from nqbench.search.algorithm import Finds, Tree
from nqbench.search.implementations import Implementation, Outcome

SOLVED = re.compile(r"(?<!\d)[1-9]{81}(?!\d)")
UNSOLVED = "the program printed no solution"


class Found(list[int]):
    """The number of solutions found of each puzzle, 0 or 1, and the seconds of the process."""

    seconds = 0.0
    whole = False  # nobody here knows the processor time of a process of a child


class _Lines(Implementation):
    """The implementation of a program: all puzzles are solved by one process."""

    def __init__(self, program: Program) -> None:
        self.program, self.child, self.seconds = program, Child(), 0.0

    def answers(self, puzzles: Sequence[Digits], seconds: float = inf) -> list[Digits | None]:
        """Return the solution of each puzzle, None if the program printed none.

        Raises
        ------
        PluginError
            naming the first puzzle whose answer is wrong, or why there are not all answers.
        """
        name, texts = self.program.command, [str(Grid(puzzle)) for puzzle in puzzles]
        if self.child.ended:
            self.child = Child()
        try:
            lines, self.seconds = self.child.call(Program.pipe, self.program, texts,
                                                  seconds=seconds)
        except LostError as error:
            raise PluginError(f"{name}: {error}") from error
        if len(lines) != len(texts):
            raise PluginError(f"{name} printed {len(lines):,} lines for {len(texts):,} puzzles")
        found: list[Digits | None] = []
        for number, (givens, line) in enumerate(zip(puzzles, lines, strict=True), 1):
            told = SOLVED.findall(line)
            digits = tuple(map(int, told[-1])) if told else None
            if digits and not sudoku.is_solution(givens, digits):
                raise PluginError(f"{name}: puzzle {number}, {texts[number - 1]}, is not solved by "
                                  f"{told[-1]}")
            found.append(digits)
        return found

    def search_all(self, puzzles: Sequence[Digits], limit: int, keep: int = 1,
                   seconds: float = inf) -> list[Outcome[Digits]]:
        """Return what is found of each puzzle."""
        return [Outcome(limit, 1, [digits][:keep], {}, exhaustive=False) if digits else
                Outcome(limit, 0, [], {}, UNSOLVED) for digits in self.answers(puzzles, seconds)]

    def search(self, givens: Digits, limit: int, keep: int, nodes: int | None = None,
               seconds: float | None = None) -> Outcome[Digits]:
        return self.search_all([givens], limit, keep, seconds or inf)[0]

    def counter(self, puzzles: Sequence[Digits], limit: int) -> Callable[[], list[int]]:
        return partial(self.count_all, puzzles)

    def count_all(self, puzzles: Sequence[Digits]) -> Found:
        found = Found([int(digits is not None) for digits in self.answers(puzzles)])
        found.seconds = self.seconds
        return found


@dataclass(frozen=True, kw_only=True)
class PuzzleProgram(sudoku.Search):
    """A program that solves Sudoku as an algorithm; it finds one solution of a puzzle.

    >>> from_command("./solver < {puzzles}").technique
    'a program'
    """

    program: Program
    form_in_words = "solves puzzles, one per line"

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        return {PROCESS: _Lines(self.program)}


def from_command(notation: str) -> PuzzleProgram:
    """Return the algorithm of a command that ends in `< {puzzles}`; raise InvalidValueError if it
    is not valid.
    """
    command = notation.removesuffix(PUZZLES).strip()
    return PuzzleProgram(
        name=notation, program=Program(name=command, command=command, folder=Path.cwd()),
        origin=command, year=None, technique="a program", tree=Tree.NONE, finds=Finds.ONE)

"""Instances for other solvers: files in the usual formats, and the solutions that come back.

>>> from nqbench.problems.instances import Board
>>> text = write(Board(4), "cnf-pairwise")
>>> text.splitlines()[3]
'p cnf 16 84'
>>> read(text, "v -1 -2 3 -4 5 -6 -7 -8 -9 -10 -11 12 -13 14 -15 -16 0")
[(2, 0, 3, 1)]
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import StringIO
from typing import Any, NamedTuple, TextIO

from nqbench.errors import InvalidValueError, UnfitError
from nqbench.problems import instances, sudoku
from nqbench.problems.formats import languages
from nqbench.problems.formats.models import Model, Option, model_of
from nqbench.util.discovery import Members
from nqbench.util.files import LONGEST_LINE, read_lines

HEAD = 40  # lines, among which a file names its format and its instance
UNSATISFIABLE = re.compile(r"(?m)^(?:s )?=*UNSATISFIABLE=*\s*$")  # as solvers print it
COMMENT = re.compile(r"\W*(?:c )?(format|instance|solutions): ")


class Format(NamedTuple):
    """A format of files.

    Attributes
    ----------
    name
        its name.
    write
        a function that yields the lines of a file, given a model and the texts of its comments.
    read
        a function that yields the options of each solution in the output of a solver.
    output
        what such an output looks like.
    """

    name: str
    write: Callable[[Model, Iterable[str]], Iterator[str]]
    read: Callable[[Model, str], Iterator[set[Option]]]
    output: str


ARRAY = languages.read_arrays, "q = [1, 3, 0, 2], or cell = [...], or the same in JSON"
LITERALS = languages.read_literals, "literals such as v 1 -2 3 0, or v x1 -x2 x3"
# To add a format, add its row here, and its functions to languages.py.
FORMATS = Members("format", {each.name: each for each in (
    Format("minizinc", languages.write_both, *ARRAY),
    Format("mzn", languages.write_model, *ARRAY),
    Format("dzn", languages.write_data, *ARRAY),
    Format("xcsp", languages.write_xcsp, languages.read_instantiations,
           "<instantiation> with <list> and <values>"),
    *(Format(f"cnf-{encode.__name__}", partial(languages.write_clauses, at_most_one=encode),
             *LITERALS) for encode in languages.ENCODINGS),
    Format("opb", languages.write_pseudo_boolean, *LITERALS),
    Format("dlx", languages.write_cover, languages.read_cover, "a line of items for each option"),
)})


class Source(NamedTuple):
    """What a file says about itself: its format, its instance, and its number of solutions."""

    format: Format
    model: Model
    solutions: int | None


def write(instance: Any, format: str, solutions: int | None = None) -> str:
    """Return the file of an instance, whose comments name the instance.

    Parameters
    ----------
    instance
        a `Board` of queens, or a `Grid` of Sudoku or its digits.
    format
        the name of a format, from `FORMATS`.
    solutions
        its number of solutions, for a comment.

    Raises
    ------
    InvalidValueError
        if there is no such format, or if the file would be too large.
    """
    chosen = FORMATS.find(format)
    model = model_of(instance)
    head = [f"format: {format}", f"instance: {model.problem.text(model.instance)}"]
    head += [] if solutions is None else [f"solutions: {solutions}"]
    return "".join(f"{line}\n" for line in chosen.write(model, head))


def open_source(file: TextIO) -> Source:
    """Return what the comments at the beginning of a file of `write` say.

    Raises
    ------
    InvalidValueError
        if they do not name a format and an instance.
    """
    said: dict[str, str] = {}
    for _, line in zip(range(HEAD), read_lines(file, 2 * LONGEST_LINE), strict=False):
        if found := COMMENT.match(line):
            said.setdefault(found[1], line[found.end():].strip().removesuffix(" -->"))
    if not {"format", "instance"} <= said.keys():
        raise InvalidValueError("FILE must name its format and its instance in comments, as "
                                "`nqbench instances export` writes them")
    text, many = said["instance"], said.get("solutions", "")
    problem = sudoku.PROBLEM if sudoku.PROBLEM.recognises(text) else instances.PROBLEM
    return Source(FORMATS.find(said["format"]), model_of(problem.parse(text)),
                  int(many) if re.fullmatch("[0-9]{1,300}", many) else None)


def check(source: Source, output: str) -> list[tuple[int, ...]]:
    """Return the different solutions that the output of a solver has; `read` describes them. There
    are none if it says so, and that is right.

    Raises
    ------
    InvalidValueError
        if it has none, or if one cannot be read.
    UnfitError
        naming the first constraint that one violates, or a solution where it says there is none.
    """
    found: dict[tuple[int, ...], None] = {}
    for number, chosen in enumerate(source.format.read(source.model, output), 1):
        wrong = source.model.violation(chosen)
        if wrong:
            raise UnfitError(f"solution {number} does not fit the instance: {wrong}")
        found[tuple(value for _, value in sorted(chosen))] = None
    if not found and UNSATISFIABLE.search(output):
        _require_unsatisfiable(source)
    elif not found:
        raise InvalidValueError(f"SOLUTION has no solution in the form of {source.format.name}: "
                                f"{source.format.output}")
    return [*found]


def _require_unsatisfiable(source: Source) -> None:
    """Raise UnfitError if the instance has a solution, or if that is not known."""
    model, says = source.model, "the solver says that there is no solution, but "
    if model.problem.contradiction(model.instance):
        return
    outcome = model.problem.solve(model.instance)
    if outcome.solutions:
        raise UnfitError(f"{says}{model.problem.show(outcome.solutions[0])} is one")
    if source.solutions or outcome.gave_up:
        raise UnfitError(says + (f"FILE says that there are {source.solutions}" if source.solutions
                                 else f"that is not known: {outcome.gave_up}"))


def read(file: str, output: str) -> list[tuple[int, ...]]:
    """Return the solutions that a solver printed for a file of `write`, without repetitions:
    columns of queens by row, or digits.

    Raises
    ------
    InvalidValueError
        if the file or the output cannot be read, or if there is no solution.
    UnfitError
        naming the first constraint that a solution violates.

    Examples
    --------
    >>> from nqbench.problems.instances import Board
    >>> read(write(Board(4), "xcsp"), "<instantiation> <list> q[] </list> "
    ...      "<values> 0 2 1 3 </values> </instantiation>")
    Traceback (most recent call last):
        ...
    nqbench.errors.UnfitError: solution 1 does not fit the instance: sum 3 has 2 queens
    """
    return check(open_source(StringIO(file)), output)

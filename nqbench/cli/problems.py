"""How problems reach the commands: the text of an instance, and searches in several instances.

A problem says which texts are its own (`nqbench.problems.Problem`). N queens are searched as long
as that takes; instances of other problems are searched one after the other, within limits.
"""

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import IO, Any, TextIO, cast

import click

from nqbench.cli.options import BOUNDS, Command, named_file, require_options
from nqbench.cli.terminal import emitting, progress, say
from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.problems import PROBLEMS, Problem
from nqbench.problems.plugins import resolve
from nqbench.search.algorithm import Algorithm
from nqbench.search.implementations import Outcome
from nqbench.util.files import LONGEST_LINE, find_encoding, is_file, read_lines

QUEENS, INSTANCES, SUDOKU = "queens", "instances", "sudoku"
PROFILED = {SUDOKU: "textbook_bitmask"}  # by default, where another one is than for solutions


@dataclass(frozen=True)
class Asked:
    """What the argument INSTANCE asks for: its text, the problem, and the instances, which are read
    one by one.
    """

    text: str
    problem: Problem[Any]
    instances: Iterator[Any]
    skipped: list[str] = field(default_factory=list)  # what is said of invalid ones
    whole: bool = False  # is it N, for a search in instances, which then finds all solutions?

    @property
    def is_queens(self) -> bool:
        """Whether these are N queens."""
        return self.problem.name == QUEENS

    def one(self) -> Any:
        """Return the only instance.

        Raises
        ------
        InvalidValueError
            if there are several.
        """
        instance, *more = islice(self.instances, 2)
        if more:
            raise InvalidValueError(f"{self.text} holds more than one {self.problem.noun}; give "
                                    "one of them")
        return instance


def recognise(text: str) -> Problem[Any] | None:
    """Return the problem of a text; None if it names a file."""
    if PROBLEMS[QUEENS].recognises(text):
        return PROBLEMS[QUEENS]
    if text == "-" or is_file(text):
        return None
    for problem in in_order():
        if text in problem.data_sets or problem.recognises(text):
            return problem
    raise InvalidValueError(f"there is no file {text!r:.90}; nor is it {describe_texts()}")


def in_order() -> list[Problem[Any]]:
    """Return the problems in the order in which they are asked for a text: instances of queens
    last, which recognise any WORD=, so that a wrong word is named.
    """
    return sorted(PROBLEMS.values(), key=lambda problem: problem.name == INSTANCES)


def describe_texts(takes: Collection[str] = ()) -> str:
    """Return what the texts of these problems are, or of all, N first."""
    names = sorted(takes or PROBLEMS, key=lambda name: name != QUEENS)
    return ", or ".join(PROBLEMS[name].form for name in names if PROBLEMS[name].form)


def require_text(_: click.Context, argument: click.Parameter, text: str) -> str:
    """Return a text that `recognise` accepts."""
    recognise(text)
    return text


def is_for_instances(algorithm: str) -> bool:
    """Return whether an algorithm is one of instances of queens, for which N is the empty board.

    >>> is_for_instances("backjumping"), is_for_instances("bitmask"), is_for_instances("fast")
    (True, False, False)
    """
    with suppress(InvalidTypeError, InvalidValueError):  # which is said later
        return bool(resolve(algorithm, problem=None)[0].problem == INSTANCES)
    return False


def ask(text: str, takes: tuple[str, ...], command: str, algorithms: Collection[str] = ()) -> Asked:
    """Return what a text asks a command for that takes these problems, or all.

    Raises
    ------
    InvalidValueError
        if it is another problem, or if a file holds nothing or cannot be read.
    """
    problem, file = recognise(text), None
    whole = problem is PROBLEMS[QUEENS] and any(map(is_for_instances, algorithms))
    if whole:
        text, problem = f"n={text}", PROBLEMS[INSTANCES]
    if problem is None:
        nouns = dict.fromkeys(each.noun for each in PROBLEMS.values()
                              if each.read and each.name in (takes or PROBLEMS))
        file, first = open_text(text, " or ".join(nouns))
        problem = next((each for each in in_order() if each.read and each.recognises(first)),
                       PROBLEMS[SUDOKU])
    if takes and problem.name not in takes:
        raise InvalidValueError(f"{command} takes {' and '.join(takes)}, not {problem.name}")
    if file is not None:
        skipped: list[str] = []
        return Asked(text, problem, read(problem, file, text, skipped), skipped)
    return Asked(text, problem, iter(problem.data_sets[text]() if text in problem.data_sets
                                     else [problem.parse(text)]), whole=whole)


def open_text(text: str, nouns: str) -> tuple["Reread", str]:
    """Open a file or standard input; return it from its beginning, and its first line that is
    neither empty nor a comment.
    """
    with named_file("INSTANCE", text, "read"):
        if text != "-":
            file: IO[str] = click.get_current_context().with_resource(
                click.open_file(text, encoding="utf-8"))
        elif sys.stdin is None:
            raise InvalidValueError("standard input is closed")
        else:
            file = sys.stdin
        find_encoding(file)
        head = []
        while line := file.readline(LONGEST_LINE + 1):
            head.append(line)
            first = line.removeprefix("\ufeff").strip()
            if first and not first.startswith("#"):
                return Reread("".join(head), file), first
    raise InvalidValueError(f"{name_of(text)} holds no {nouns}")


class Reread:
    """A file whose beginning, whole lines, has been read, and is read again."""

    def __init__(self, head: str, file: IO[str]) -> None:
        self.head = StringIO(head)
        self.file = file

    def readline(self, size: int = -1) -> str:
        """Return at most `size` characters of a line."""
        return self.head.readline(size) or self.file.readline(size)


def read(problem: Problem[Any], file: Reread, text: str, skipped: list[str]) -> Iterator[Any]:
    """Yield the instances of an open file; say why invalid ones are `skipped`, and add that.

    Raises
    ------
    InvalidValueError
        if it holds none, or cannot be read.
    """
    def skip(message: str) -> None:
        skipped.append(message)
        say(message)

    with named_file("INSTANCE", text, "read"):
        yield from problem.read_valid(cast(TextIO, file), name_of(text), skip)


def name_of(text: str) -> str:
    """Return the name of a file in messages."""
    return "standard input" if text == "-" else text


class Verb(Command):
    """A command that does the same for several problems, by default for all. Its first argument is
    the text of an instance, which the function gets as `Asked`.
    """

    def __init__(self, *args: Any, takes: tuple[str, ...] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.takes = takes

    def invoke(self, ctx: click.Context) -> Any:
        named = ctx.params.get("algorithm") or ctx.params.get("names") or ()
        asked = ask(ctx.params["asked"], self.takes, str(self.name),
                    [named] if isinstance(named, str) else named)
        require_options(ctx, asked.problem.name)
        ctx.params["asked"] = asked
        if "seconds" in ctx.params:
            ctx.params["bounds"] = {name: ctx.params.pop(name) for name in BOUNDS}
        return super().invoke(ctx)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_help_text(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(f"INSTANCE is {describe_texts(self.takes)}, or a file of "
                                 "instances, or - for standard input.")


verb = partial(click.command, cls=Verb)
instance_argument = click.argument("asked", callback=require_text, metavar="INSTANCE")


class Batch:
    """Searches in instances, one after the other, and what is said about each.

    Those of Sudoku are all read before the first search; the others as they are searched.
    """

    def __init__(self, asked: Asked, algorithm: str | None) -> None:
        self.problem = asked.problem
        self.noun = self.problem.noun
        self.algorithm, self.way = self.problem.choose(algorithm)
        self.is_sudoku = self.problem.name == SUDOKU
        self.instances = [*asked.instances] if self.is_sudoku else asked.instances
        self.skipped = asked.skipped
        self.total = len(self.instances) if isinstance(self.instances, list) else (
            count_lines(asked.text))

    def outcomes(self, limit: int, keep: int, **bounds: Any) -> Iterator[tuple[Any, Outcome[Any]]]:
        """Search each instance, except one that contradicts itself."""
        with progress(self.total) as show:
            for number, instance in enumerate(self.instances):
                show(f"{self.noun} {number + 1}, {self.algorithm.name}", number)
                try:
                    outcome = self.algorithm.solve(instance, self.way, limit, keep, **bounds)
                except InvalidValueError:
                    if not self.problem.contradiction(instance):
                        raise
                    outcome = Outcome(limit, 0, [], {})
                yield instance, outcome

    def report_wrong(self, instance: Any, outcome: Outcome[Any]) -> bool:
        """Return whether an empty board has not as many solutions as published, and say so."""
        if is_part(outcome) or self.problem.text(instance) != f"n={getattr(instance, 'n', None)}":
            return False
        wrong = describe_wrong(self.algorithm, instance.n, outcome.found)
        if wrong:
            say(wrong)
        return bool(wrong)

    def answer(self, instance: Any, outcome: Outcome[Any]) -> str:
        """Return the answer in words, and why an instance contradicts itself, if it does."""
        found, why = outcome.gave_up or outcome.answer, self.problem.contradiction(instance)
        return f"{found}: {why}" if why else found

    def has_several(self, givens: Any, outcome: Outcome[Any], nodes: int | None,
                    seconds: float | None, **bounds: Any) -> bool | None:
        """Return whether a puzzle has several solutions, of which a search for one found the first;
        None if that is not known.
        """
        if outcome.answer in ("found", "gave up"):
            outcome = self.problem.solve(givens, limit=2, keep=0, nodes=nodes, seconds=seconds)
        return None if outcome.answer == "gave up" else outcome.found > 1

    def telling(self, as_json: bool,
                limit: int | None) -> AbstractContextManager[Callable[..., None]]:
        """Return what prints the facts of each instance in turn, in one JSON object."""
        return emitting({"algorithm": self.algorithm.name, "limit": limit},
                        f"{self.noun}s") if as_json else nullcontext(lambda facts: None)

    def facts(self, instance: Any, outcome: Outcome[Any], **more: Any) -> dict[str, Any]:
        """Return what a search found out about an instance, for JSON."""
        as_json = getattr(instance, "as_json", partial(self.problem.text, instance))
        return {self.noun: as_json(), "answer": outcome.answer,
                "solutions": outcome.found, "or_more": is_part(outcome),
                "gave_up": outcome.gave_up,
                "contradiction": self.problem.contradiction(instance) or None, **more}


def describe_wrong(algorithm: Algorithm[Any, Any], n: int, found: int,
                   sequence: str = "A000170") -> str | None:
    """Return how a count differs from the published one; None if it does not."""
    from nqbench.problems.published import published

    known = published(sequence).get(n)
    return None if known in (None, found) else (
        f"{algorithm.name} counts {found:,} for n = {n}, but there are {known:,} ({sequence}); "
        "nqbench check says more")


def is_part(outcome: Outcome[Any]) -> bool:
    """Return whether there may be more solutions than a search has found."""
    return outcome.gave_up is not None or outcome.found >= outcome.limit


def count_lines(file: str) -> int:
    """Return the number of lines of a file, for the progress; 1 if it is not a file."""
    with suppress(OSError, ValueError):
        if Path(file).is_file():
            with Path(file).open("rb") as lines:
                return max(1, sum(1 for _ in read_lines(lines, LONGEST_LINE, "an instance")))
    return 1

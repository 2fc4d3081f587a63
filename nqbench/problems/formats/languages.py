"""The languages of other solvers: how each writes an instance, and what its solvers print.

Two name variables and their values, as arrays: MiniZinc and XCSP3. The others name options and
their items: clauses (DIMACS CNF), pseudo-Boolean constraints (OPB), and exact covers.

The Boolean variable of an option is its number, from 1. Variables beyond the options are auxiliary:
count solutions by projection on the options, which the line `c p show` of a file of clauses lists
for model counters.

Exact covers are in the notation of Knuth's programs DLX: the first line has the primary items, |,
and the secondary items; each other line is an option, and one that begins with | is a comment. A
given option excludes all others that share an item with it, so these are not written. If two of
them share an item, one of them and an item of it are lost, so there is no solution.

Donald E. Knuth, The Art of Computer Programming 4B, 7.2.2.1.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from itertools import chain, combinations, count
from math import isqrt

from nqbench.errors import InvalidValueError
from nqbench.problems.formats.models import Model, Option

NUMBER = re.compile(r"(-?[0-9]{1,9})(?:x([0-9]{1,3}))?")  # 3x4 is 3 3 3 3 in XCSP3
INSTANTIATION = re.compile(
    r"<instantiation[^>]*>\s*<list>([^<]*)</list>\s*<values>([^<]*)</values>")
Clause = list[int]
AtMostOne = Callable[[list[int], Iterator[int]], Iterator[Clause]]
MOST_CLAUSES = 5_000_000
LISTED = {ord("["): " ", ord(","): " ", ord("]"): " 0"}  # a list of Python as literals up to 0
LITERAL = re.compile(r"([-~]?)x?([0-9]{1,9})")
END = LITERAL.fullmatch("0")


def write_model(model: Model, head: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the model in MiniZinc, which is the same for all instances."""
    text = files(__package__).joinpath(f"{model.problem.name}.mzn").read_text("utf-8")
    yield from text.splitlines()


def write_data(model: Model, head: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the data of this instance for MiniZinc."""
    yield from (f"% {line}" for line in (*head, model.meaning))
    yield from model.data


def write_both(model: Model, head: Iterable[str]) -> Iterator[str]:
    """Yield the lines of one file of MiniZinc with data and model."""
    return chain(write_data(model, head), [""], write_model(model, head))


def write_xcsp(model: Model, head: Iterable[str]) -> Iterator[str]:
    """Yield the lines of an instance in XCSP3."""
    def add(variable: int, number: int) -> str:
        name = f"{model.name}[{variable}]"
        if number:
            name = f"add({name},{number})"
        return f"mod({name},{model.modulus})" if number and model.modulus else name

    yield '<instance format="XCSP3" type="CSP">'
    yield from (f"<!-- {line} -->" for line in (*head, model.meaning))
    yield (f'<variables><array id="{model.name}" size="[{model.size}]"> '
           f'{model.values[0]}..{model.values[-1]} </array></variables>')
    yield "<constraints>"
    for variables, numbers in model.groups:
        yield f"<allDifferent> {' '.join(map(add, variables, numbers))} </allDifferent>"
    for word, options in (("eq", model.given), ("ne", model.barred)):
        yield from (f"<intension> {word}({model.name}[{variable}],{value}) </intension>"
                    for variable, value in sorted(options))
    yield "</constraints>"
    yield "</instance>"


def read_arrays(model: Model, text: str) -> Iterator[set[Option]]:
    """Yield the options of each solution in the output of MiniZinc, as text, data or JSON."""
    for values in re.findall(rf'\b{model.name}"?\s*[=:]\s*(?:array1d\([^\[\]]*,\s*)?\[([^\]]*)\]',
                             text):
        names = "".join(f"[{index}]" for index in re.findall(r"(\d+)\s*:", values)) or "[]"
        yield _options(model, names, re.sub(r"\d+\s*:", "", values).split(","))  # 0: 3 in data


def read_instantiations(model: Model, text: str) -> Iterator[set[Option]]:
    """Yield the options of each `<instantiation>` of XCSP3; lines may begin with v."""
    for names, values in INSTANTIATION.findall(re.sub("(?m)^v ", "", text)):
        yield _options(model, names, values.split())


def _options(model: Model, names: str, values: list[str]) -> set[Option]:
    """Return the options of these variables, or all, with these values."""
    everything, numbers = [*range(model.size)], list[int]()
    for value in map(str.strip, values):
        number = NUMBER.fullmatch(value)
        if number is None or int(number[1]) not in model.values:
            raise InvalidValueError(f"a value of {model.name} must be {model.values[0]} to "
                                    f"{model.values[-1]}, not {value!r:.40}")
        numbers += [int(number[1])] * int(number[2] or 1)
    variables = everything if "[]" in names else [*map(int, re.findall(r"\[(\d{1,9})\]", names))]
    if sorted(variables) != everything or len(numbers) != model.size:
        raise InvalidValueError(f"{model.name} must have {model.size} values, one for each index, "
                                f"not {len(numbers)}")
    return {*zip(variables, numbers, strict=True)}


def pairwise(literals: list[int], fresh: Iterator[int]) -> Iterator[Clause]:
    """Encode that at most one literal is true: no two are.

    >>> [*pairwise([1, 2, 3], count(4))]
    [[-1, -2], [-1, -3], [-2, -3]]
    """
    return ([-one, -other] for one, other in combinations(literals, 2))


def sequential(literals: list[int], fresh: Iterator[int]) -> Iterator[Clause]:
    """Encode the same by a sequential counter: variable s_i says that one of the first i is true.

    Carsten Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints (CP 2005).

    >>> [*sequential([1, 2, 3], count(4))]
    [[-1, 4], [-2, 5], [-4, 5], [-2, -4], [-3, -5]]
    """
    before = 0
    for literal in literals[:-1]:
        now = next(fresh)
        yield [-literal, now]
        if before:
            yield [-before, now]
            yield [-literal, -before]
        before = now
    if before:
        yield [-literals[-1], -before]


def product(literals: list[int], fresh: Iterator[int]) -> Iterator[Clause]:
    """Encode the same by a grid: a literal implies its row and its column, of which at most one
    each is true; four literals or fewer are encoded pairwise.

    Jingchao Chen, A new SAT encoding of the at-most-one constraint (ModRef 2010).

    >>> [*product([1, 2, 3, 4, 5], count(6))][:4]
    [[-1, 6], [-1, 8], [-2, 6], [-2, 9]]
    """
    if len(literals) <= 4:
        yield from pairwise(literals, fresh)
        return
    width = isqrt(len(literals) - 1) + 1
    down = [next(fresh) for _ in literals[::width]]
    across = [next(fresh) for _ in range(width)]
    for place, literal in enumerate(literals):
        yield [-literal, down[place // width]]
        yield [-literal, across[place % width]]
    yield from product(down, fresh)
    yield from product(across, fresh)


ENCODINGS = pairwise, sequential, product


def write_clauses(model: Model, head: Iterable[str], at_most_one: AtMostOne) -> Iterator[str]:
    """Yield the lines of a file of clauses.

    Raises
    ------
    InvalidValueError
        if it would have more than `MOST_CLAUSES` clauses.
    """
    fresh = count(len(model.options) + 1)
    clauses = [[model.number(option)] for option in sorted(model.given)]
    clauses += [[-model.number(option)] for option in sorted(model.barred)]
    for _, primary, options in model.lines:
        literals = [*map(model.number, options)]
        clauses += [literals] if primary else []
        clauses += at_most_one(literals, fresh)
        if len(clauses) > MOST_CLAUSES:
            raise InvalidValueError(f"the encoding {at_most_one.__name__} has more than "
                                    f"{MOST_CLAUSES:,} clauses; choose cnf-sequential or "
                                    "cnf-product")
    yield from (f"c {line}" for line in head)
    yield f"c {model.meaning}; variables from {len(model.options) + 1} on are auxiliary"
    yield f"p cnf {next(fresh) - 1} {len(clauses)}"
    yield f"c p show {' '.join(map(str, range(1, len(model.options) + 1)))} 0"
    yield from (" ".join(map(str, [*clause, 0])) for clause in clauses)


def write_pseudo_boolean(model: Model, head: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a file of pseudo-Boolean constraints."""
    found = [f"+1 x{model.number(option)} = {value} ;" for value, options in (
        (1, model.given), (0, model.barred)) for option in sorted(options)]
    for _, primary, options in model.lines:
        if primary or len(options) > 1:
            sign, end = ("+1", "= 1") if primary else ("-1", ">= -1")
            found.append(" ".join(f"{sign} x{model.number(option)}" for option in options)
                         + f" {end} ;")
    yield f"* #variable= {len(model.options)} #constraint= {len(found)}"
    yield from (f"* {line}" for line in (*head, model.meaning))
    yield from found


def read_literals(model: Model, text: str) -> Iterator[set[Option]]:
    """Yield the options of each solution in the literals that a solver printed.

    A solution is one or several lines that begin with v, or that have literals alone, up to 0 or
    another line. Literals of auxiliary variables are ignored.

    Raises
    ------
    InvalidValueError
        for a line that begins with v and has anything else, or for a literal and its negation.
    """
    chosen: set[Option] | None = None
    signs: dict[int, str] = {}
    for number, line in enumerate([*text.splitlines(), ""], 1):
        literals = [*map(LITERAL.fullmatch, line.removeprefix("v ").translate(LISTED).split())]
        if line.startswith("v ") and None in literals:
            raise InvalidValueError(f"line {number} of SOLUTION must be v and literals such as 5, "
                                    f"-5, x5 or -x5, not {line!r:.40}")
        for literal in filter(None, literals if literals and None not in literals else [END]):
            variable = int(literal[2])
            if not variable and chosen is not None:
                yield chosen
            signs = signs if variable else {}
            if signs.setdefault(variable, literal[1]) != literal[1]:
                raise InvalidValueError(f"line {number} of SOLUTION says that variable {variable} "
                                        "is both true and false")
            chosen = (chosen or set()) if variable else None
            if chosen is not None and not literal[1] and variable <= len(model.options):
                chosen.add(model.options[variable - 1])


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

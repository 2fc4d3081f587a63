"""Models of constraints: MiniZinc and XCSP3, and the arrays that their solvers print."""

import re
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import chain

from nqbench.errors import InvalidValueError
from nqbench.problems.formats.models import Model, Option

NUMBER = re.compile(r"(-?[0-9]{1,9})(?:x([0-9]{1,3}))?")  # 3x4 is 3 3 3 3 in XCSP3
INSTANTIATION = re.compile(
    r"<instantiation[^>]*>\s*<list>([^<]*)</list>\s*<values>([^<]*)</values>")


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
    """Yield the options of each solution in the output of MiniZinc, as text or JSON."""
    for values in re.findall(rf'\b{model.name}"?\s*[=:]\s*(?:array1d\([^\[\]]*,\s*)?\[([^\]]*)\]',
                             text):
        yield _options(model, "[]", values.split(","))


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

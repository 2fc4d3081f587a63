"""Study files: what a study measures, in TOML.

    [study]
    name = "lookahead"
    algorithms = ["look_ahead.py", "bitmask", "somers@cython"]
    baseline = "bitmask"
    n = "6-12"
    samples = 10
    processes = 5
    metrics = ["seconds", "nodes", "dead_ends"]
    budget = "5 min"

The keys are the name of the study, its budget and experiments, and what these experiments declare
that they read (`nqbench.study.fields` has the usual ones). Any other key is an error. Only the
algorithms and n are needed. The path of an algorithm is relative to the folder of
the study file. The presets in the topics (`nqbench/topics/`) are study files, too; they name
`experiments` or `solvers` instead of algorithms.

    [programs.kluev]
    build = "g++ -O3 main.cpp -o queens"
    command = "./queens {threads} {n}"
    count = 'Result: (\\d+)'

A program is measured with the algorithms; its keys are the fields of
`nqbench.problems.plugins.programs.Program`.

    [grid]
    depth = [0, 1, 2, 4]
    order = ["rows", "fewest"]

Each algorithm that takes these parameters is measured with every combination of their values. The
others are measured once, and so is one that is named with values, as in `mine.py::mine:depth=8`.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.problems import Solver
from nqbench.problems.plugins.notation import names_file
from nqbench.problems.plugins.programs import read_program
from nqbench.records.descriptions import presets
from nqbench.records.record import CUSTOM
from nqbench.study.fields import ALGORITHMS, parse_names, split_algorithms
from nqbench.study.plan import USUAL, Plan, make_plan, readable
from nqbench.util.files import is_file, parse_toml, read_bounded

NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")


def _find_files(folder: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a study file gives, with each path of an algorithm relative to a folder."""
    def find(name: object) -> object:
        return str(folder / name) if isinstance(name, str) and names_file(name) else name

    found = dict(given)
    if "algorithms" in given:
        found["algorithms"] = [find(each) for each in split_algorithms(given["algorithms"])]
    if "baseline" in given:
        found["baseline"] = find(given["baseline"])
    if "data" in given:
        found["data"] = [str(folder / name) if is_file(str(folder / name)) else name
                         for name in parse_names(given["data"], "data set")]
    return found


def to_table(plan: Plan) -> dict[str, Any]:
    """Return the study that a plan describes, as the keys of a study file.

    >>> to_table(make_plan("masks", algorithms="bitmask, somers@cython", n="4-5"))
    {'name': 'masks', 'algorithms': ['bitmask', 'somers@cython'], 'n': [4, 5]}
    """
    usual = {name: field.default for name, field in readable(plan.experiments).items()}
    table = {key: list(value) if isinstance(value, tuple) else value
             for key, value in {"experiments": plan.experiments, **plan.given}.items()
             if value != usual.get(key, USUAL)}
    if plan[ALGORITHMS]:
        table["algorithms"] = _name(plan[ALGORITHMS])
    return {"name": plan.name, **table}


def _name(solvers: Sequence[Solver]) -> list[str]:
    """Return the names of solvers; omit the implementation if all implementations are included."""
    found: list[str] = []
    for solver in solvers:
        algorithm = solver.algorithm
        ways = {each.implementation for each in solvers if each.algorithm is algorithm}
        found.append(algorithm.name if ways == set(algorithm.implementations) else
                     f"{algorithm.name}@{solver.implementation}")
    return list(dict.fromkeys(found))


def read_study(path: str | Path, large: bool = False) -> Plan:
    """Return the plan of a study file, which may have a `large` grid.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        naming the file, if it cannot be read or is no study file.
    """
    path = Path(path)
    try:
        text = read_bounded(path)
    except OSError as error:
        raise InvalidValueError(f"{path} cannot be read: {error.strerror}") from None
    try:
        table = parse_toml(text.decode())
    except ValueError as error:
        raise InvalidValueError(f"{path} is not a study file in TOML: {error}") from None
    study, programs = table.pop("study", None), table.pop("programs", {})
    grid = table.pop("grid", None)
    if not isinstance(study, dict) or not isinstance(programs, dict) or table:
        raise InvalidValueError(f"{path} must have one table, [study], a table for each program, "
                                "as in [programs.mine], and [grid] for parameters")
    name = study.pop("name", path.stem)
    if not isinstance(name, str) or not NAME.fullmatch(name) or name in (*presets(), CUSTOM):
        raise InvalidValueError(f"{path}: name must have 1 to 40 letters, digits, _, - or ., and "
                                f"not be that of a preset, not {name!r}")
    try:
        made = {each: read_program(each, given, path.parent) for each, given in programs.items()}
        if made:
            named = split_algorithms(study["algorithms"]) if "algorithms" in study else []
            study["algorithms"] = [*named, *(each for each in made if each not in named)]
        return make_plan(name, grid, large, **_find_files(path.parent, study))
    except (InvalidTypeError, InvalidValueError) as error:
        raise type(error)(f"{path}: {error}") from None

"""Runs over sets of instances as a scenario of ASlib, the library of algorithm selection: the nodes
of each algorithm on each instance, features of the instances, and ten folds.

Bischl et al., ASlib: a benchmark library for algorithm selection, Artificial Intelligence 237
(2016), https://www.aslib.net
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from io import BytesIO
from random import Random
from typing import Any
from zipfile import ZipFile, ZipInfo

from nqbench.errors import InvalidValueError
from nqbench.problems import PROBLEMS
from nqbench.problems.instances.board import Board
from nqbench.problems.instances.families import FAMILIES, generate
from nqbench.problems.sudoku.grid import PEERS, Digits
from nqbench.records.runs import Run

FOLDS = 10
STATUS = ("runstatus", "{ok, timeout, memout, not_applicable, crash, other}")
BOARD = ("n", "placed", "blocked", "excluded", "free", "fewest_in_row", "fewest_in_column")
PUZZLE = ("givens", "candidates", "fewest_candidates")


def of_board(board: Board) -> tuple[int, ...]:
    """Return the features BOARD: free squares of the board, and of its fullest row and column.

    >>> of_board(Board(4, placed=((0, 1),)))
    (4, 1, 0, 0, 7, 1, 1)
    """
    rows, columns = ([mask.bit_count() for mask in masks]
                     for masks in (board.free, board.free_by_column))
    return (board.n, len(board.placed), len(board.blocked),
            len(board.sums) + len(board.differences), sum(rows), min(rows), min(columns))


def of_puzzle(digits: Digits) -> tuple[int, ...]:
    """Return the features PUZZLE: the digits that no peer of an empty cell has, of all such cells,
    and of the one with the fewest.

    >>> of_puzzle((1, *[0] * 80))
    (1, 700, 8)
    """
    candidates = [9 - len({digits[peer] for peer in PEERS[cell]} - {0})
                  for cell, digit in enumerate(digits) if not digit]
    return 81 - len(candidates), sum(candidates), min(candidates, default=0)


@cache
def _features(problem: str, kind: str, n: int, amount: int, seed: int, many: int,
              ) -> tuple[tuple[int, ...], ...]:
    """Return the features of the instances of a record."""
    if problem == "instances":
        return tuple(map(of_board, generate(partial(FAMILIES[kind].make, n, amount), many, seed)))
    return tuple(map(of_puzzle, PROBLEMS["sudoku"].data_sets[kind]()))


def _searches(record: Mapping[str, Any]) -> Iterator[tuple[str, tuple[int, ...], int | None]]:
    """Yield the name, the features and the nodes of each instance of a record; no nodes if the
    search gave up. A set of puzzles that nqbench does not have is skipped.
    """
    if record["metric"] == "transition":
        kind, many = record["family"], len(record["samples"])
        found = _features("instances", kind, record["n"], record["amount"], record["seed"], many)
        for k, nodes in enumerate(record["samples"]):
            name = f"{kind}-{record['n']}-{record['amount']}-{record['seed']}-{k}"
            yield name, found[k], nodes if record["solvable"][k] is not None else None
    elif record["metric"] == "rate" and isinstance(record.get("nodes"), list):
        kind, sudoku = record["data_set"], PROBLEMS["sudoku"]
        known = sudoku.data_sets.get(kind, list)()
        text = "\n".join(map(sudoku.text, known)).encode()
        if hashlib.sha256(text).hexdigest()[:12] == record["sha12"]:
            found = _features("sudoku", kind, 9, 0, 0, len(known))
            for k, nodes in enumerate(record["nodes"]):
                yield f"{kind}-{k}", found[k], nodes


def scenario(runs: Iterable[Run]) -> bytes:
    """Return a ZIP file of the files of a scenario.

    A search that gave up, or took more nodes than any search was allowed, timed out. A search that
    has no record has the status "other" and no nodes.

    Raises
    ------
    InvalidValueError
        if no two algorithms have searched instances, or if instances of both queens and Sudoku.
    """
    features: dict[str, tuple[int, ...]] = {}
    costs: dict[tuple[str, str], int | None] = {}
    allowed = set[int]()
    for record in (record for run in runs for record in run.records
                   if record["status"] == "measured"):
        for name, found, nodes in _searches(record):
            features[name] = found
            costs.setdefault((name, f"{record['algorithm']}@{record['implementation']}"), nodes)
            allowed.add(record["nodes_allowed"])
    solvers = sorted({solver for _, solver in costs})
    if len(solvers) < 2 or len({*map(len, features.values())}) > 1:
        raise InvalidValueError("--format aslib needs a run in which two or more algorithms search "
                                "instances, such as those of the presets savings and sudoku")
    cutoff, names = min(allowed), BOARD if len(next(iter(features.values()))) > 3 else PUZZLE
    rows = []
    for name in features:
        for solver in solvers:
            nodes = costs.get((name, solver), cutoff)
            ended = nodes is not None and nodes <= cutoff
            rows.append((name, 1, solver, nodes if ended else cutoff,
                         "ok" if ended else "timeout") if (name, solver) in costs else
                        (name, 1, solver, "?", "other"))
    shuffled = Random(0).sample([*features], len(features))
    about = {
        "scenario_id": "nqbench", "performance_measures": ["nodes"], "maximize": [False],
        "performance_type": ["runtime"], "algorithm_cutoff_time": cutoff,
        "algorithm_cutoff_memory": "?", "features_cutoff_time": "?", "features_cutoff_memory": "?",
        "features_deterministic": names, "features_stochastic": [], "number_of_feature_steps": 1,
        "feature_steps": {"all": {"provides": names}}, "default_steps": ["all"],
        "metainfo_algorithms": {solver: {"configuration": "", "deterministic": True}
                                for solver in solvers}}
    files = {
        "description.txt": "".join(f"{key}: {json.dumps(value)}\n" for key, value in about.items()),
        "algorithm_runs.arff": _arff("ALGORITHM_RUNS", [
            *HEAD, ("algorithm", "STRING"), ("nodes", "NUMERIC"), STATUS], rows),
        "feature_values.arff": _arff("FEATURE_VALUES", [
            *HEAD, *((name, "NUMERIC") for name in names)],
            ((name, 1, *found) for name, found in features.items())),
        "feature_runstatus.arff": _arff("FEATURE_RUNSTATUS", [*HEAD, ("all", STATUS[1])],
                                        ((name, 1, "ok") for name in features)),
        "cv.arff": _arff("CV", [*HEAD, ("fold", "NUMERIC")], (
            (name, 1, 1 + k % FOLDS) for k, name in enumerate(shuffled)))}
    made = BytesIO()
    with ZipFile(made, "w") as packed:
        for name, text in files.items():
            packed.writestr(ZipInfo(name), text)
    return made.getvalue()


HEAD = ("instance_id", "STRING"), ("repetition", "NUMERIC")


def _arff(relation: str, attributes: Iterable[tuple[str, str]], rows: Iterable[Iterable[object]],
          ) -> str:
    """Return a file of ARFF; its texts are quoted, but "?" and the values of a set are not."""
    kinds = [*attributes]
    lines = [f"@RELATION {relation}", *(f"@ATTRIBUTE {name} {kind}" for name, kind in kinds),
             "@DATA", *(",".join(repr(value) if kind == "STRING" else str(value)
                                 for value, (_, kind) in zip(row, kinds, strict=True))
                        for row in rows)]
    return "\n".join(lines) + "\n"

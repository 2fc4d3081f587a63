"""The algorithms of a study that come from outside the package: checked, described, sent."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from nqbench.algorithms import QueensAlgorithm, Search, Tree
from nqbench.checking import check, check_in_child
from nqbench.errors import InvalidValueError
from nqbench.plugins import fingerprint, is_outside, locate, mark_unchecked, pack
from nqbench.plugins.registering import MAIN, home
from nqbench.plugins.sending import UNCHECKED
from nqbench.records.descriptions import Description, describe
from nqbench.solver import Solver
from nqbench.study.presets import Preset
from nqbench.traces import recording

CHECKED_N = 8
LIMIT = 60.0  # seconds of a check


class Outside:
    """The algorithms from outside among some solvers.

    Attributes
    ----------
    algorithms
        the algorithms by name.
    """

    def __init__(self, solvers: Iterable[Solver] = ()) -> None:
        self.algorithms: dict[str, QueensAlgorithm] = {
            solver.algorithm.name: solver.algorithm for solver in solvers
            if is_outside(solver.algorithm)}

    @cached_property
    def sources(self) -> dict[str, str]:
        """The SHA-256 of the source of each algorithm."""
        return {name: fingerprint(each) for name, each in self.algorithms.items()}

    @cached_property
    def packed(self) -> list[dict[str, Any]]:
        """What tells another process of them."""
        return pack(self.algorithms.values())

    def require_right(self, progress: Callable[[str], object] = bool) -> None:
        """Check the algorithms, except those that are marked as unchecked.

        Raises
        ------
        InvalidValueError
            naming the first that is wrong, and why.
        """
        for algorithm in self.algorithms.values():
            if is_checked(algorithm):
                progress(f"check of {algorithm.name}")
                _require_right(algorithm)

    def require_unchanged(self, records: Iterable[dict[str, Any]]) -> None:
        """Reject records of these algorithms that another source has.

        Raises
        ------
        InvalidValueError
            naming the first algorithm whose source has changed.
        """
        for record in records:
            name = record.get("algorithm")
            if name in self.algorithms and record.get("source") != self.sources[name]:
                raise InvalidValueError(f"the source of {name} has changed since that run began; "
                                        "begin a new one, without --resume")

    def describe(self) -> list[Description]:
        """Return the descriptions of the algorithms, with recordings of their searches."""
        return [replace(describe(each), source=self.sources[name], checked=is_checked(each),
                        file=None if home(each) == MAIN else Path(home(each)).name,
                        recordings=tuple(_record(each)))
                for name, each in self.algorithms.items()]


def is_checked(algorithm: QueensAlgorithm) -> bool:
    """Return whether an algorithm is to be checked before it is measured."""
    return not algorithm.name.endswith(UNCHECKED)


def leave_unchecked(preset: Preset) -> Preset:
    """Return a preset whose algorithms from outside have names that say that they are not checked.
    """
    outside = Outside(preset.chosen).algorithms
    marked = {name: mark_unchecked(algorithm) for name, algorithm in outside.items()}
    solvers = [replace(solver, algorithm=marked.get(solver.algorithm.name, solver.algorithm))
               for solver in preset.chosen]
    name, at, implementation = preset.baseline.partition("@")
    return replace(preset, algorithms=tuple(solvers), baseline=(
        f"{marked[name].name}{at}{implementation}" if name in marked else preset.baseline))


def _require_right(algorithm: QueensAlgorithm) -> None:
    place = locate(algorithm)
    found = (check_in_child(place, CHECKED_N, LIMIT)[0] if "::" in place else
             check(algorithm, CHECKED_N).as_dict())
    if not found["ok"]:
        raise InvalidValueError(
            f"{algorithm.name} is not measured, as it is wrong: {found['faults'][0]['text']}; see "
            "`nqbench check`, or measure it all the same with --unchecked")


def _record(algorithm: QueensAlgorithm) -> list[dict[str, Any]]:
    """Return recordings of the searches that the page shows; none if it has no tree, or if it
    cannot be followed, which an unchecked one may not.
    """
    if not isinstance(algorithm, Search) or algorithm.tree == Tree.NONE:
        return []
    try:
        return [recording.pack(recording.record(n, algorithm, recording.MOST_EVENTS))
                for n in recording.SIZES]
    except Exception:  # whatever a function from outside raises
        return []

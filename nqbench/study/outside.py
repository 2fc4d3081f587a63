"""Check, describe and send the external algorithms of a study."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from nqbench.errors import InvalidValueError, NqbenchError
from nqbench.problems import plugins
from nqbench.problems.plugins import parcels
from nqbench.problems.plugins.children import Child, StoppedError
from nqbench.problems.plugins.registry import home
from nqbench.problems.queens import Search, Tree
from nqbench.records.descriptions import Description, describe
from nqbench.search.algorithm import Algorithm
from nqbench.study.fields import ALGORITHMS, BASELINE
from nqbench.study.plan import Plan
from nqbench.util.versions import describe_file, split_version

CHECKED_N = 8
LIMIT = 60.0  # seconds of a check
RECORDING = 5.0  # seconds of all recordings: they are of small boards


class Outside:
    """The external algorithms among some algorithms.

    Attributes
    ----------
    algorithms
        the algorithms by name.
    faults
        why some of them are not measured, once they were checked.
    """

    def __init__(self, algorithms: Iterable[Algorithm[Any, Any]] = ()) -> None:
        self.algorithms = {each.name: each for each in algorithms if plugins.is_outside(each)}
        self.faults: dict[str, str] = {}
        self._examined: dict[str, tuple[str, Description]] = {}

    @cached_property
    def sources(self) -> dict[str, str]:
        """The SHA-256 of the source of each algorithm."""
        return {name: parcels.fingerprint(each) for name, each in self.algorithms.items()}

    @cached_property
    def packed(self) -> list[dict[str, Any]]:
        """The algorithms in a form that can be sent to another process."""
        return parcels.pack(self.algorithms.values())

    def keep_right(self, plan: Plan, progress: Callable[[str], object] = bool) -> Plan:
        """Build the programs, and check the algorithms, except those that are marked as unchecked.
        Return the plan without what is wrong; `faults` then says why.

        Raises
        ------
        InvalidValueError
            naming the first that is wrong, and why, if nothing else is left, or if it is the
            baseline.
        """
        for name, algorithm in self.algorithms.items():
            progress(f"check of {name}")
            fault, _ = self.examine(algorithm)
            if fault:
                self.faults[name] = (f"{name} is not measured, as {fault}; see `nqbench check`, or "
                                     "measure it all the same with --unchecked")
        left = tuple(each for each in plan[ALGORITHMS] if each.algorithm.name not in self.faults)
        baseline = self.faults.get(plan[BASELINE].partition("@")[0])
        if self.faults and (not left or baseline):
            raise InvalidValueError(baseline or next(iter(self.faults.values())))
        return plan.but(algorithms=left) if self.faults else plan

    def examine(self, algorithm: Algorithm[Any, Any]) -> tuple[str, Description]:
        """Return what `_examine` does, which is called only once."""
        if algorithm.name not in self._examined:
            self._examined[algorithm.name] = _examine(algorithm)
        return self._examined[algorithm.name]

    def require_unchanged(self, records: Iterable[dict[str, Any]]) -> None:
        """Reject records of these algorithms that were made with another source.

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
        return [replace(self.examine(each)[1], source=self.sources[name], checked=is_checked(each),
                        file=_name_place(each), repository=describe_file(home(each)))
                for name, each in self.algorithms.items()]


def is_checked(algorithm: Algorithm[Any, Any]) -> bool:
    """Return whether an algorithm must be checked before it is measured."""
    return parcels.remove_mark(algorithm.name) == algorithm.name


def leave_unchecked(plan: Plan) -> Plan:
    """Return a plan in which the names of external algorithms say that they are not checked."""
    marked = {name: parcels.mark_unchecked(each)
              for name, each in Outside(plan.algorithms).algorithms.items()}
    if not marked:
        return plan
    solvers = [replace(solver, algorithm=marked.get(solver.algorithm.name, solver.algorithm))
               for solver in plan[ALGORITHMS]]
    name, at, implementation = plan[BASELINE].partition("@")
    named = f"{marked[name].name}{at}{implementation}" if name in marked else plan[BASELINE]
    return plan.but(algorithms=tuple(solvers), baseline=named)


def _name_place(algorithm: Algorithm[Any, Any]) -> str | None:
    """Return the name of the file of an algorithm, or its module; None if only a notebook has it.
    """
    place, colons, _ = plugins.locate(algorithm).rpartition("::")
    return (Path(place).name if split_version(place)[0].endswith(".py") else place
            ) if colons else None


def _examine(algorithm: Algorithm[Any, Any]) -> tuple[str, Description]:
    """Check and record an algorithm in a child process, which is killed if it takes too long.

    Return what is wrong, empty if it is right or was not checked, and its description, with
    warnings that make its times doubtful. There are no recordings if it has no tree, or if it could
    not be recorded in time. Of a program, there is what a report says of it.
    """
    from nqbench.problems.plugins.programs import ProgramAlgorithm

    max_n = CHECKED_N if is_checked(algorithm) else None
    checked, fault, warnings, recorded, told = False, "", (), (), {}
    try:
        if isinstance(algorithm, ProgramAlgorithm):
            algorithm.prepare()
        packed = parcels.pack([algorithm])
        with Child() as child:
            if max_n is not None:
                fault, warnings = child.call(_check, packed, max_n, seconds=LIMIT)
                fault = fault and f"it is wrong: {fault}"
            checked = True
            recorded, told = child.call(_record, packed, seconds=RECORDING)
    except StoppedError as error:
        fault = fault if checked else f"its check did not end: {error}"
    except NqbenchError as error:  # of the build or check; recordings are not needed
        fault = fault if checked else f"it is wrong: {error}"
    return fault, replace(describe(algorithm), warnings=tuple(warnings),
                          recordings=tuple(recorded), program=told)


def _check(packed: list[dict[str, Any]], max_n: int, tell: object) -> tuple[str, list[str]]:
    """Return what is wrong with an algorithm up to `max_n`, and what makes its times doubtful."""
    from nqbench.checking import check

    parcels.unpack(packed)
    findings = check(plugins.find(packed[0]["name"], None), max_n)
    return findings.worst, findings.warnings


def _record(packed: list[dict[str, Any]],
            tell: object) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return recordings of an algorithm, and what a report says of a program."""
    from nqbench.explain import recordings
    from nqbench.problems.plugins.programs import ProgramAlgorithm

    parcels.unpack(packed)
    algorithm = plugins.find(packed[0]["name"], None)
    if isinstance(algorithm, ProgramAlgorithm):
        return [], algorithm.report()
    if not isinstance(algorithm, Search) or algorithm.tree == Tree.NONE:
        return [], {}
    try:
        return [recordings.pack(recordings.record(n, algorithm, recordings.MOST_EVENTS))
                for n in recordings.RECORDED_N], {}
    except Exception:  # whatever an external function raises
        return [], {}

"""Run a study: a loop over the steps of the experiments that its preset names."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import warn

from nqbench.errors import InvalidValueError
from nqbench.problems.plugins.limits import explain_unlimited
from nqbench.records import runs
from nqbench.records.context import context, relabel
from nqbench.records.record import ABOUT, CUSTOM, LOCAL, Record, append, count_points, frame
from nqbench.records.runs import read_quietly
from nqbench.search.metrics import METRICS
from nqbench.study.experiments import FEWEST, Experiment, Progress, Session, Step, now
from nqbench.study.files import (
    check_preset,
    make_preset,
    parse_fields,
    read_study,
    to_table,
)
from nqbench.study.outside import Outside, leave_unchecked
from nqbench.study.presets import EXPERIMENTS, PRESETS, Preset, declared, require_metrics
from nqbench.util.arguments import require_seconds, require_whole
from nqbench.util.text import unknown

if TYPE_CHECKING:
    import pandas

RESULTS = f"results/{LOCAL}"  # where the records go by default
RATE = "rate"  # the preset in records of `nqbench sudoku rate`, which is no study
# What a run that is resumed takes from its beginning, or may have anew, like parts of the budget.
MAY_DIFFER = {"name", "metrics", "processes", "budget"}
WORTH = 2.0  # seconds of the budget for each process: starting one takes half a second


def run(preset: str | Path = "standard", budget: float | None = None,
        results: str | Path = RESULTS, progress: Progress | None = None,
        resume: bool = False, processes: int | None = None, label: str | None = None,
        metrics: Sequence[str] | None = None, algorithms: Sequence[object] | None = None,
        n: object = None, samples: int | None = None, baseline: object = None,
        unchecked: bool = False, large: bool = False) -> "pandas.DataFrame":
    """Measure, and write the records to a new file.

    The records of an n are written as soon as it is measured, so an interrupted study loses only
    the current n.

    Parameters
    ----------
    preset
        the name of a preset, or the path of a study file, which ends with .toml (see
        `nqbench.study.files`).
    budget
        seconds for measuring, which begins after external algorithms were checked. At the end
        fewer processes are made, but at least three, rather than exceed it. Default: those of the
        preset.
    results
        folder of the records.
    progress
        gets a text, the seconds since the start, and the budget in seconds.
    resume
        whether to continue the newest run, with its processes and metrics.
    processes
        processes that take the samples, one after the other. Default: those of the preset, or fewer
        if starting them would take too much of the budget.
    label
        name of this machine for people; later studies use it, too.
    metrics
        names of `nqbench.search.metrics`. Default: those of the preset (see
        `nqbench.study.Preset`).
    algorithms
        measure these alone: names in the notation of `nqbench.problems.plugins`, or algorithms. An
        external one is checked first.
    n
        numbers of queens for these algorithms, as "6-12".
    samples
        rounds in each process, for these algorithms.
    baseline
        one of these algorithms, with which the report compares the others.
    unchecked
        whether to measure external algorithms without a check; the records add that to their names.
    large
        whether the grid of a study file may have more than 1,000 cells.

    Returns
    -------
    pandas.DataFrame
        the records, one row a point (see `nqbench.study.frame`).

    Raises
    ------
    InvalidValueError
        if the preset or a metric is unknown, the budget is not above 0, or the label is not
        printable; if the preset measures no points, and metrics are given; if an external algorithm
        is wrong, or has changed since the run to resume; if there is no interrupted run of this
        preset to resume, or another study is writing to the folder.
    OSError
        if the folder cannot be written.

    Examples
    --------
    >>> run(algorithms=["bitmask", "recursion"], n="6-8")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no algorithm 'recursion'; did you mean recursive?
    """
    name, chosen = choose(preset, algorithms, n, samples, baseline, large)
    chosen = _limit(name, chosen, metrics, budget, processes)
    chosen = leave_unchecked(chosen) if unchecked else chosen
    outside = Outside(chosen.named)
    chosen = outside.keep_right(chosen, lambda what: progress and progress(what, 0.0, 0.0))
    folder = Path(results).absolute()
    if label is not None:
        relabel(label)
    with runs.locked(folder):
        if resume:
            path, records, chosen = find_interrupted(folder, name, chosen, outside)
            budget = budget or records[0]["budget"]
        else:
            path, records = runs.begin(folder, name, now(), context()["machine"]), []
        if budget is not None:
            chosen = _scale(chosen, budget)
        with runs.remove_if_empty(path):
            study = Study(name, chosen, progress, records, outside)
            for batch in study.batches():
                append(path, batch)
    return frame([*study.about, *study.session.records])


def _scale(preset: Preset, budget: float) -> Preset:
    """Return a preset with another budget; what is a part of it stays the same part."""
    return replace(preset, budget=budget, others={
        name: budget * value / preset.budget if declared()[name].of_budget else value
        for name, value in preset.others.items()})


def _limit(name: str, preset: Preset, metrics: Sequence[str] | None, budget: float | None,
           processes: int | None) -> Preset:
    """Return a preset with these metrics, and the processes that were given or fit the budget."""
    if budget is not None:
        require_seconds(budget)
    for experiment in preset.experiments:
        least = EXPERIMENTS.find(experiment).least
        if (budget or preset.budget) < least:
            raise InvalidValueError(f"budget must be at least {least:g} s with the experiment "
                                    f"{experiment}, not {budget or preset.budget:g}")
    if metrics is not None:
        if "points" not in preset.experiments:
            raise InvalidValueError(f"the preset {name} takes no metrics: it measures no points")
        preset = replace(preset, metrics=require_metrics(metrics))
    if processes is not None:
        return replace(preset, processes=require_whole(processes, "processes", least=1))
    if budget is not None:
        fitting = max(FEWEST, int(budget / WORTH))
        return replace(preset, processes=min(preset.processes, fitting))
    return preset


def choose(preset: str | Path, algorithms: Sequence[object] | None = None, n: object = None,
           samples: int | None = None, baseline: object = None,
           large: bool = False) -> tuple[str, Preset]:
    """Return the name and the preset of a study: of the package, of a file, which may have a
    `large` grid, or of what is given.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        if there is no such preset, or naming what is wrong and what is allowed.
    """
    asked = {"algorithms": algorithms, "n": n, "samples": samples, "baseline": baseline}
    given: dict[str, Any] = {key: value for key, value in asked.items() if value is not None}
    if str(preset).endswith(".toml"):
        name, chosen = read_study(preset, large)
    elif algorithms is not None or n is not None:
        return CUSTOM, make_preset(**given)
    elif preset in PRESETS:
        name, chosen = str(preset), PRESETS[str(preset)]
    else:
        raise InvalidValueError(unknown("preset", str(preset), PRESETS))
    if chosen.metrics:
        require_metrics(chosen.metrics)
    for experiment in chosen.experiments:
        missing = EXPERIMENTS.find(experiment).missing(chosen)
        if missing:
            raise InvalidValueError(f"the preset {name} needs {missing}")
    return name, check_preset(replace(chosen, **parse_fields(given, chosen.experiments)))


def find_interrupted(folder: Path, name: str, preset: Preset,
                     outside: Outside) -> tuple[Path, list[Record], Preset]:
    """Return the newest run in this context, if it is unfinished: its file, its records, and the
    preset with the processes and metrics that it began with.

    Raises
    ------
    InvalidValueError
        if there is none.
    """
    here = [run for run in read_quietly(folder)
            if _same_place(run.records[0]) and run.preset != RATE]
    if here:
        path, records = here[-1].files[-1], here[-1].records
        known = [record["processes"] for record in records if "processes" in record]
        preset = replace(preset, processes=max(known, default=preset.processes),
                         metrics=tuple(records[0].get("metrics", ())))
        if records[0].get("preset") == name:
            _require_same(name, preset, records)
            outside.require_unchanged(records)
            study = Study(name, preset, before=records, outside=outside)
            if study.is_unfinished:
                return path, records, preset
    raise InvalidValueError(
        f"there is no interrupted {name} study of this commit and machine in {folder} to resume")


def _require_same(name: str, preset: Preset, records: Sequence[Record]) -> None:
    """Reject a run of another study with that name; older records do not say what their study was.

    Raises
    ------
    InvalidValueError
        naming a key that differs.
    """
    begun = next((record["study"] for record in records if record["metric"] == "study"), None)
    if begun is None:
        return
    table = to_table(name, preset)
    scaled = {key for key, field in declared().items() if field.of_budget}
    for key in sorted({*begun, *table} - MAY_DIFFER - scaled):
        if begun.get(key) != table.get(key):
            raise InvalidValueError(f"the newest run of {name} had {key} = {begun.get(key)}, not "
                                    f"{table.get(key)}; begin a new one, without --resume")


def _same_place(record: Record) -> bool:
    """Return whether a record is of this machine and version, whatever the machine's label."""
    return {**record["context"], "label": None} == {**context(), "label": None}


class Study:
    """One run of a preset, after the records made `before` an interruption.

    Attributes
    ----------
    about
        the records of what the study measures.
    experiments
        those of the preset, by name.
    steps
        the steps still to run, each with the name of its experiment. The first process decides
        what fits into the budget; each of the others then takes its samples of all that was
        measured, so that those of a point come from the whole time of the study.
    """

    def __init__(self, name: str, preset: Preset, progress: Progress | None = None,
                 before: Sequence[Record] = (), outside: Outside | None = None) -> None:
        self.about = [record for record in before if record["metric"] in ABOUT]
        self.session = Session(name, preset, progress, [
            record for record in before if record["metric"] not in ABOUT], outside)
        self.experiments: dict[str, Experiment] = {
            each: EXPERIMENTS.find(each)(self.session) for each in preset.experiments}
        self.session.reserve = sum(each.to_reserve() for each in self.experiments.values())
        every = [(name, step) for name, each in self.experiments.items() for step in each.steps()]
        every.sort(key=lambda named: named[1].process)
        self.steps: list[tuple[str, Step]] = list(dropwhile(
            lambda named: self.experiments[named[0]].is_complete(named[1]), every))

    def batches(self) -> Iterator[list[Record]]:
        """Yield the records of each step; what is measured comes with the first, the end with the
        last.
        """
        measuring = 0
        introduction = [] if self.about else self.introduce()
        try:
            for name, step in self.steps:
                if step.process != measuring:
                    self.stop()
                    if not self.session.begin_process(step.process):
                        warn(f"the budget is over after {step.process} of "
                             f"{self.session.preset.processes} processes; a larger --budget, or "
                             "fewer --processes, would fit", stacklevel=2)
                        break
                    measuring = step.process
                batch = self.experiments[name].run(step)
                self.session.add(batch)
                self.about += introduction
                yield [*introduction, *batch]
                introduction = []
        finally:
            self.stop()
        self.about.append(self.describe("complete"))
        yield self.about[-1:]

    @property
    def is_unfinished(self) -> bool:
        """Return whether the records do not have the end of the study."""
        return "complete" not in {record["status"] for record in self.about
                                  if record["metric"] == "study"}

    def introduce(self) -> list[Record]:
        """Return the records of what the study measures."""
        session = self.session
        faults = session.outside.faults
        for name, reason in explain_unlimited().items():
            warn(f"{name} of searches cannot be limited here: {reason}", stacklevel=2)
        return [self.describe("begun"), *(
            {**session.head(), **METRICS["algorithm"].fields, "n": 0, "samples": [], **(
                {"status": "failed", "fault": faults[description.name]}
                if description.name in faults else {"status": "measured"}), **description.fields}
            for description in session.outside.describe())]

    def describe(self, status: str) -> Record:
        """Return the record of the study itself."""
        session = self.session
        return {**session.head(), **METRICS["study"].fields, "n": 0, "status": status,
                "samples": [], "study": to_table(session.preset_name, session.preset),
                "limits": asdict(session.preset.limits), "unlimited": explain_unlimited(),
                **({"points": count_points(session.records)} if status == "complete" else {})}

    def stop(self) -> None:
        """Stop the processes that measure; the next step starts others."""
        self.session.worker.stop()
        for experiment in self.experiments.values():
            experiment.stop()

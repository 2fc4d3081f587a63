"""Run a study: a loop over the steps of the experiments that its preset names."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING

from nqbench._arguments import require_seconds, require_whole
from nqbench.errors import InvalidValueError
from nqbench.records import store
from nqbench.records.context import context, relabel
from nqbench.records.record import LOCAL, Record, append, frame
from nqbench.study.experiments import EXPERIMENTS, Experiment, Step
from nqbench.study.files import CUSTOM, make_preset, parse_fields, read_study
from nqbench.study.presets import PRESETS, Preset, require_metrics
from nqbench.study.session import Progress, Session, now

if TYPE_CHECKING:
    import pandas

RESULTS = f"results/{LOCAL}"  # where the records go by default
FEWEST = 3  # processes by default, however small the budget
RATE = "rate"  # the preset in records of `nqbench sudoku rate`, which is no study
WORTH = 2.0  # seconds of the budget for each process: starting one takes half a second


def run(preset: str | Path = "standard", budget: float | None = None,
        results: str | Path = RESULTS, progress: Progress | None = None,
        resume: bool = False, processes: int | None = None, label: str | None = None,
        metrics: Sequence[str] | None = None, algorithms: Sequence[str] | None = None,
        n: object = None, samples: int | None = None) -> "pandas.DataFrame":
    """Measure, write the records to a new file in the folder `results`, and return them as a
    DataFrame, one row a point (see `nqbench.study.frame`).

    The samples are taken in several `processes`: by default those of the preset, or fewer if
    starting them would take too much of the `budget` (seconds). The records of an n are written
    as soon as it is measured, so an interrupted study loses only the current n; `resume`
    continues the newest run, with its processes and metrics. `label` is the name of this machine
    for people; later studies use it, too. `metrics` are names of `nqbench.metrics`, by default
    those of the preset; see `nqbench.study.Preset`.

    Instead of the name of a preset, `preset` can be the path of a study file, which ends with
    .toml (see `nqbench.study.files`). With `algorithms` and `n`, as "6-12", a study measures these
    alone, with `samples` in each process.

    Raises
    ------
    InvalidValueError
        if the preset or a metric is unknown, the budget is not above 0, or the label is not
        printable; if the preset measures no points, and metrics are given; if there is no
        interrupted run of this preset to resume, or another study is writing to the folder.
    OSError
        if the folder cannot be written.

    Examples
    --------
    >>> run(algorithms=["bitmask", "recursion"], n="6-8")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no algorithm 'recursion'; did you mean recursive?
    >>> run("swift")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no preset 'swift', only quick, standard, ...
    """
    name, chosen = choose(preset, algorithms, n, samples)
    chosen = _limit(name, chosen, metrics, budget, processes)
    if budget is not None:
        budget = require_seconds(budget)
    folder = Path(results)
    if label is not None:
        relabel(label)
    with store.locked(folder):
        if resume:
            path, records, chosen = find_interrupted(folder, name, chosen)
            budget = budget or records[0]["budget"]
        else:
            path, records = store.begin(folder, name, now(), context()["machine"]), []
        if budget is not None:
            chosen = replace(
                chosen, budget=budget, checks=budget * chosen.checks / chosen.budget)
        with store.remove_if_empty(path):
            study = Study(name, chosen, progress, records)
            for batch in study.batches():
                append(path, batch)
    return frame(study.session.records)


def _limit(name: str, preset: Preset, metrics: Sequence[str] | None, budget: float | None,
           processes: int | None) -> Preset:
    """Return a preset with these metrics, and the processes that were given or fit the budget."""
    if metrics is not None:
        if "points" not in preset.experiments:
            raise InvalidValueError(f"the preset {name} takes no metrics: it measures no points")
        preset = replace(preset, metrics=require_metrics(metrics))
    if processes is not None:
        return replace(preset, processes=require_whole(processes, "processes", least=1))
    if budget is not None:
        fitting = max(FEWEST, int(require_seconds(budget) / WORTH))
        return replace(preset, processes=min(preset.processes, fitting))
    return preset


def choose(preset: str | Path, algorithms: Sequence[str] | None = None, n: object = None,
           samples: int | None = None) -> tuple[str, Preset]:
    """Return the name and the preset of a study: of the package, of a file, or of what is given.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        if there is no such preset, or naming what is wrong and what is allowed.
    """
    asked = {"algorithms": algorithms, "n": n, "samples": samples}
    given = {key: value for key, value in asked.items() if value is not None}
    if str(preset).endswith(".toml"):
        name, chosen = read_study(preset)
    elif algorithms is None and n is None:
        name, chosen = str(preset), _find_preset(str(preset))
    else:
        return CUSTOM, make_preset(**given)
    return name, replace(chosen, **parse_fields(given))


def _find_preset(name: str) -> Preset:
    """Return the preset of that name, if it can be measured here."""
    if name not in PRESETS:
        raise InvalidValueError(f"there is no preset {name!r}, only {', '.join(PRESETS)}")
    preset = PRESETS[name]
    if preset.metrics:
        require_metrics(preset.metrics)
    for experiment in preset.experiments:
        missing = EXPERIMENTS.find(experiment).missing(preset)
        if missing:
            raise InvalidValueError(f"the preset {name} needs {missing}")
    return preset


def find_interrupted(folder: Path, name: str,
                     preset: Preset) -> tuple[Path, list[Record], Preset]:
    """Return the newest run in this context, if it is unfinished: its file, its records, and the
    preset with the processes and metrics that it began with.

    Raises
    ------
    InvalidValueError
        if there is none.
    """
    here = [(path, records) for path, records in store.runs(folder)
            if _same_place(records[0]) and records[0].get("preset") != RATE]
    if here:
        path, records = here[-1]
        known = [record["processes"] for record in records if "processes" in record]
        preset = replace(preset, processes=max(known, default=preset.processes),
                         metrics=tuple(records[0].get("metrics", ())))
        if records[0].get("preset") == name and Study(name, preset, before=records).steps:
            return path, records, preset
    raise InvalidValueError(
        f"there is no interrupted {name} study of this commit and machine in {folder} to resume")


def _same_place(record: Record) -> bool:
    """Return whether a record is of this machine and version, whatever the machine's label."""
    return {**record["context"], "label": None} == {**context(), "label": None}


class Study:
    """One run of a preset, after the records made `before` an interruption.

    Attributes
    ----------
    experiments
        those of the preset, by name.
    steps
        the steps still to run, each with the name of its experiment. The first process decides
        what fits into the budget; each of the others then takes its samples of all that was
        measured, so that those of a point come from the whole time of the study.
    """

    def __init__(self, name: str, preset: Preset, progress: Progress | None = None,
                 before: Sequence[Record] = ()) -> None:
        self.session = Session(name, preset, progress, before)
        self.experiments: dict[str, Experiment] = {
            each: EXPERIMENTS.find(each)(self.session) for each in preset.experiments}
        self.session.reserve = sum(each.to_reserve() for each in self.experiments.values())
        every = [(name, step) for name, each in self.experiments.items() for step in each.steps()]
        every.sort(key=lambda named: named[1].process)
        self.steps: list[tuple[str, Step]] = list(dropwhile(
            lambda named: self.experiments[named[0]].is_complete(named[1]), every))

    def batches(self) -> Iterator[list[Record]]:
        """Yield the records of each step."""
        measuring = 0
        try:
            for name, step in self.steps:
                if step.process != measuring:
                    self.stop()
                    self.session.worker.patience += self.session.waiting
                    measuring = step.process
                batch = self.experiments[name].run(step)
                self.session.add(batch)
                yield batch
        finally:
            self.stop()

    def stop(self) -> None:
        """Stop the processes that measure; the next step starts others."""
        self.session.worker.stop()
        for experiment in self.experiments.values():
            experiment.stop()

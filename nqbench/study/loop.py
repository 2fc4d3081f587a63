"""Run a study: a loop over the steps of the experiments that its plan names."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import dropwhile
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING
from warnings import warn

from nqbench.errors import InvalidValueError
from nqbench.problems.plugins.limits import ENDED, explain_unlimited
from nqbench.records import frame, runs
from nqbench.records.context import context, relabel
from nqbench.records.contradictions import refusals
from nqbench.records.record import ABOUT, FEWEST, LOCAL, Record, append, count_points
from nqbench.records.runs import COMPLETE, find_study, read_quietly
from nqbench.search.metrics import METRICS
from nqbench.study.experiments import Experiment, Progress, Session, Step, now
from nqbench.study.fields import BUDGET, PROCESSES
from nqbench.study.outside import Outside, leave_unchecked
from nqbench.study.plan import Plan, choose, find_experiment, readable, to_table

if TYPE_CHECKING:
    import pandas

RESULTS = f"results/{LOCAL}"  # where the records go by default
# What a run that is resumed takes from its beginning, or may have anew, like parts of the budget.
MAY_DIFFER = {"name", "metrics", "processes", "budget"}
CLOSING_SECONDS = 0.4  # of the processor, for what follows the last step
MEASURABLE = 0.03  # seconds of the processor, in which the machine shows how busy it is
FEWER = {1: "; no interval includes how processes differ", 2: "; there are no intervals"}
WORTH = 2.0  # seconds of the budget for each process: starting one takes half a second


def run(preset: str | Path | None = None, budget: float | None = None,
        results: str | Path = RESULTS, progress: Progress | None = None,
        resume: bool = False, processes: int | None = None, label: str | None = None,
        metrics: Sequence[str] | None = None, algorithms: Sequence[object] | None = None,
        n: object = None, samples: int | None = None, baseline: object = None,
        data: object = None, unchecked: bool = False, large: bool = False,
        started: float | None = None) -> "pandas.DataFrame":
    """Measure, and write the records to a new file.

    The records of an n are written as soon as it is measured, so an interrupted study loses only
    the current n.

    Parameters
    ----------
    preset
        the name of a preset, or the path of a study file, which ends with .toml (see
        `nqbench.study.plan`).
    budget
        seconds for all, beside the checks of external algorithms. What does not fit is left out,
        and at the end fewer processes are made; fewer than three give no intervals. Default: those
        of the preset.
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
        names of `nqbench.search.metrics`. Default: those of the preset, or seconds, solutions and
        all counters.
    algorithms
        measure these alone: names in the notation of `nqbench.problems.plugins`, or algorithms. An
        external one is checked first, and left out with a warning if it is wrong.
    n
        numbers of queens for these algorithms, as "6-12".
    data
        data sets or files of puzzles, on which solvers of Sudoku are rated: all, or these
        algorithms.
    samples
        rounds in each process, for these algorithms.
    baseline
        one of these algorithms, with which the report compares the others.
    unchecked
        whether to measure external algorithms without a check; the records add that to their names.
    large
        whether the grid of a study file may have more than 1,000 cells.
    started
        when the study began, as `time.perf_counter` says. Default: now.

    Returns
    -------
    pandas.DataFrame
        the records, one row a point (see `nqbench.study.frame`).

    Raises
    ------
    InvalidValueError
        if the preset or a metric is unknown, the budget is not above 0, or the label is not
        printable; if the experiments of the preset do not read what is given; if the baseline or
        all algorithms are wrong, or one has changed since the run to resume; if there is no
        interrupted run of this preset to resume, or another study is writing to the folder.
    OSError
        if the folder cannot be written.

    Examples
    --------
    >>> run(algorithms=["bitmask", "recursion"], n="6-8")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no algorithm 'recursion'; did you mean recursive?
    """
    start = perf_counter() if started is None else started
    import pandas  # noqa: F401  # the budget includes it

    chosen = choose(preset, large, processes=processes, metrics=metrics, algorithms=algorithms,
                    n=n, samples=samples, baseline=baseline, data=data)
    records = measure(chosen, budget, results, progress, resume, label, unchecked,
                      processes is None, start)
    for why in refusals(records):
        warn(why, stacklevel=2)
    return frame(records)


def measure(chosen: Plan, budget: float | None, results: str | Path, progress: Progress | None,
            resume: bool, label: str | None, unchecked: bool, fewer: bool,
            start: float) -> list[Record]:
    """Measure a plan, in `fewer` processes where the budget is small, and do what else `run` does
    with these arguments; return the records as they are written.
    """
    chosen = _limit(chosen, budget, fewer)
    chosen = leave_unchecked(chosen) if unchecked else chosen
    outside, checking = Outside(chosen.algorithms), perf_counter()
    chosen = outside.keep_right(chosen, lambda what: progress and progress(what, 0.0, 0.0))
    start += perf_counter() - checking
    begun = perf_counter(), _processor_seconds()
    folder = Path(results).absolute()
    if label is not None:
        relabel(label)
    with runs.locked(folder):
        if resume:
            path, records, chosen = find_interrupted(folder, chosen, outside)
            chosen = chosen if budget else _scale(chosen, records[0]["budget"])
        else:
            path, records = runs.begin(folder, chosen.name, now(), context()["machine"]), []
        with runs.remove_if_empty(path):
            study = Study(chosen, progress, records, outside, start)
            # A busy machine gives this process a part of its time only.
            passed, own = perf_counter() - begun[0], _processor_seconds() - begun[1]
            slowness = max(1.0, passed / own) if own > MEASURABLE else 1.0
            study.session.closing = max(study.session.closing, min(
                chosen[BUDGET] / 4, CLOSING_SECONDS * slowness))
            for batch in study.batches():
                append(path, batch)
    return [*study.about, *study.session.records]


def _processor_seconds() -> float:
    """Return the seconds of the processor of this process and of those that it waited for."""
    return process_time() + sum(os.times()[2:4])


def _scale(plan: Plan, budget: float) -> Plan:
    """Return a plan with another budget; what is a part of it stays the same part."""
    return plan.but(budget=budget, **{
        name: budget * plan[field] / plan[BUDGET] for name, field in readable(
            plan.experiments).items() if field.of_budget and name in plan.given})


def _limit(plan: Plan, budget: float | None, fewer: bool) -> Plan:
    """Return a plan with a budget, if it is given, and with the processes that fit it, if they may
    be `fewer`; reject a budget that is too small for an experiment.
    """
    if budget is not None:
        BUDGET.read(budget)
        plan = _scale(plan, budget)
        if fewer:
            plan = plan.but(processes=min(plan[PROCESSES], max(FEWEST, int(budget / WORTH))))
    for experiment in plan.experiments:
        least = find_experiment(experiment).least
        if plan[BUDGET] < least:
            raise InvalidValueError(f"budget must be at least {least:g} s with the experiment "
                                    f"{experiment}, not {plan[BUDGET]:g}")
    return plan


def find_interrupted(folder: Path, plan: Plan, outside: Outside) -> tuple[Path, list[Record], Plan]:
    """Return the newest run in this context, if it is unfinished: its file, its records, and the
    plan with the processes and metrics that it began with.

    Raises
    ------
    InvalidValueError
        if there is none.
    """
    here = [run for run in read_quietly(folder) if _same_place(run.records[0])]
    if here:
        path, records = here[-1].files[-1], here[-1].records
        known = [record["processes"] for record in records if "processes" in record]
        plan = plan.but(processes=max(known, default=plan[PROCESSES]),
                        metrics=tuple(records[0].get("metrics", ())))
        if records[0].get("preset") == plan.name:
            _require_same(plan, records)
            outside.require_unchanged(records)
            if here[-1].state != COMPLETE:
                return path, records, plan
    raise InvalidValueError(
        f"there is no interrupted {plan.name} study of this commit and machine in {folder} to "
        "resume")


def _require_same(plan: Plan, records: Sequence[Record]) -> None:
    """Reject a run of another study with that name; older records do not say what their study was.

    Raises
    ------
    InvalidValueError
        naming a key that differs.
    """
    begun = find_study(records)
    if begun is None:
        return
    table = to_table(plan)
    scaled = {key for key, field in readable(plan.experiments).items() if field.of_budget}
    for key in sorted({*begun, *table} - MAY_DIFFER - scaled):
        if begun.get(key) != table.get(key):
            raise InvalidValueError(f"the newest run of {plan.name} had {key} = {begun.get(key)}, "
                                    f"not {table.get(key)}; begin a new one, without --resume")


def _same_place(record: Record) -> bool:
    """Return whether a record is of this machine and version, whatever the machine's label."""
    return {**record["context"], "label": None} == {**context(), "label": None}


class Study:
    """One run of a plan, after the records made `before` an interruption.

    Attributes
    ----------
    about
        the records of what the study measures.
    experiments
        those of the plan, by name.
    steps
        the steps still to run, each with the name of its experiment. The first process of an
        experiment decides what fits into the budget; each of the others then takes its samples of
        all that was measured, so that those of a point come from a long time.
    """

    def __init__(self, plan: Plan, progress: Progress | None = None,
                 before: Sequence[Record] = (), outside: Outside | None = None,
                 start: float | None = None) -> None:
        self.about = [record for record in before if record["metric"] in ABOUT]
        self.session = Session(plan, progress, before, outside, start)
        self.experiments: dict[str, Experiment] = {
            each: find_experiment(each)(self.session) for each in plan.experiments}
        self.resumed = bool(self.session.records)
        every = [(name, step) for name, each in self.experiments.items() for step in each.steps()]
        self.steps = list(dropwhile(lambda named: self.is_known(*named), every))
        self.begin(self.steps[0][0] if self.steps else next(iter(self.experiments)))

    def batches(self) -> Iterator[list[Record]]:
        """Yield the records of each step; what is measured comes with the first, the end with the
        last.
        """
        introduction = [self.describe("begun")] if self.about else self.introduce()
        try:
            for name, step in self.steps:
                if name != self.begun:
                    self.begin(name)
                if self.is_known(name, step) or not self.enters(step.process):
                    continue
                batch = self.experiments[name].run(step)
                self.session.add(batch)
                self.about += introduction
                yield [*introduction, *batch]
                introduction = []
        finally:
            self.stop()
        self.about.append(self.describe(COMPLETE))
        yield self.about[-1:]

    def is_known(self, name: str, step: Step) -> bool:
        """Return whether all records of a step are here, from before an interruption."""
        return self.resumed and self.experiments[name].is_complete(step)

    def begin(self, name: str) -> None:
        """Begin the steps of an experiment in a new process."""
        later = [*self.experiments][[*self.experiments].index(name) + 1:]
        self.stop()
        self.session.begin(self.experiments[name],
                           sum(self.experiments[each].to_reserve() for each in later))
        self.begun, self.process, self.over = name, 0, False

    def enters(self, process: int) -> bool:
        """Return whether a step of this process is run: begin the process, unless the budget is
        over; those of the first one are run always, and record what is left out.
        """
        if process not in (0, self.process) and not self.over:
            self.stop()
            self.over = not self.session.begin_process(process)
            if self.over:
                warn(f"the budget is over after {process} of {self.session.plan[PROCESSES]} "
                     f"processes of {self.begun}; a larger --budget, or fewer --processes, would "
                     f"fit{FEWER.get(process, '')}", stacklevel=3)
            self.process = process
        return not process or not (self.over or self.session.left <= 0)

    def introduce(self) -> list[Record]:
        """Return the records of what the study measures."""
        session = self.session
        faults = session.outside.faults
        for name, reason in explain_unlimited().items():
            warn(f"{name} of searches cannot be limited here: {reason}", stacklevel=2)
        return [self.describe("begun"), *(
            {**session.head(METRICS["algorithm"]), "n": 0, "samples": [], **(
                {"status": ENDED, "fault": faults[description.name]}
                if description.name in faults else {"status": "measured"}), **description.fields}
            for description in session.outside.describe())]

    def describe(self, status: str) -> Record:
        """Return the record of the study itself."""
        session = self.session
        return {**session.head(METRICS["study"]), "n": 0, "status": status, "samples": [],
                "study": to_table(session.plan),
                "limits": asdict(session.plan.limits), "unlimited": explain_unlimited(),
                **({"points": count_points(session.records)} if status == COMPLETE else {})}

    def stop(self) -> None:
        """Stop the processes that measure; the next step starts others."""
        self.session.stop()
        for experiment in self.experiments.values():
            experiment.stop()

"""Solvers of Sudoku on each data set."""

from functools import cache

from nqbench.records.record import Record
from nqbench.study.experiments import Experiment, Step
from nqbench.study.rating import METRIC, every_solver, rate, rate_again
from nqbench.study.repeating import is_repeated, of_first
from nqbench.sudoku import DATA_SETS
from nqbench.sudoku import data_set as read_data_set

SHARE = 0.2  # of the budget, beside other experiments
puzzles = cache(read_data_set)  # each process asks for them


class Rates(Experiment):
    """Rate all solvers of Sudoku on each data set, in each process."""

    def steps(self) -> list[Step]:
        """Return a step for each process and data set, or none if the preset has no seconds."""
        preset = self.session.preset
        return [Step(number, process) for process in range(preset.processes)
                for number in range(len(DATA_SETS))] if preset.puzzles else []

    def is_complete(self, step: Step) -> bool:
        """Return whether each solver has its record."""
        name, records = DATA_SETS[step.number], self.session.records
        if step.process:
            return is_repeated(records, METRIC, step.process, data_set=name)
        return {(record["algorithm"], record["implementation"]) for record in records
                if record["metric"] == METRIC and record["data_set"] == name} == set(every_solver())

    def reserved(self) -> float:
        """Return the seconds of all rates."""
        preset = self.session.preset
        return min(SHARE * preset.budget, preset.puzzles * len(DATA_SETS) * len(every_solver()))

    def measure(self, step: Step) -> list[Record]:
        """Rate the solvers on a data set, as long as the budget allows; return a record each."""
        name = DATA_SETS[step.number]
        session, preset = self.session, self.session.preset
        chosen = every_solver()
        if preset.alone:
            to_do = len(DATA_SETS) - DATA_SETS.index(name)
            allowed = max(0.0, preset.budget - session.elapsed) / to_do
        else:
            allowed = SHARE * preset.budget / (len(DATA_SETS) * len(chosen))
        rated = rate(puzzles(name), name, chosen, session.worker, min(preset.puzzles, allowed),
                     preset.samples, processes=preset.processes, say=session.say)
        return [{**session.head(), **fields} for fields in rated]

    def repeat(self, step: Step) -> list[Record]:
        """Take the samples of a later process."""
        name, process, session = DATA_SETS[step.number], step.process, self.session
        firsts = of_first(session.records, METRIC, process, data_set=name)
        rated = rate_again(puzzles(name), firsts, process, session.worker, session.say)
        return [{**fields, **session.head()} for fields in rated]


EXPERIMENT = Rates

"""Rate the solvers of Sudoku on every data set."""

from functools import cache

from nqbench.problems import PROBLEMS, DataSet
from nqbench.records.record import Record
from nqbench.study.experiments import Experiment, Step
from nqbench.study.fields import YEAR, Field, parse_seconds
from nqbench.study.presets import LIMITS
from nqbench.study.samples import is_repeated, of_first
from nqbench.topics.sudoku.rates import METRIC, MORE, rate, rate_again, rated_solvers

SHARE = 0.15  # of the budget, which experiments before this one leave
PUZZLES = Field("puzzles", "seconds for each solver and each data set; none if 0", 0.0,
                parse_seconds, YEAR, needed=True)


@cache  # each process asks for them
def data_sets() -> list[DataSet]:
    """Return all data sets."""
    return [problem.data_set(name) for problem in PROBLEMS.values()
            for name in problem.data_sets]


class Rates(Experiment):
    """Rate all algorithms on each data set, in each process."""

    name = "rates"
    reads = (*LIMITS, "samples", "processes", "patience", PUZZLES)

    def steps(self) -> list[Step]:
        """Return a step for each process and data set, or none if the preset has no seconds."""
        preset = self.session.preset
        return [Step(number, process) for process in range(preset.processes)
                for number in range(len(data_sets()))] if preset[PUZZLES] else []

    def is_complete(self, step: Step) -> bool:
        """Return whether each algorithm has its record."""
        data_set = data_sets()[step.number]
        records = self.find_records(data_set)
        if step.process:
            return is_repeated(records, METRIC, step.process)
        return {(record["algorithm"], record["implementation"])
                for record in records} == set(rated_solvers(data_set.problem))

    def find_records(self, data_set: DataSet) -> list[Record]:
        """Return the records of a data set; old ones, of Sudoku, do not name their problem."""
        return [record for record in self.session.records
                if record["metric"] == METRIC and record["data_set"] == data_set.name
                and record["problem"] == data_set.problem.name]

    def to_reserve(self) -> float:
        """Return the seconds of all rates."""
        preset = self.session.preset
        if not preset[PUZZLES]:
            return 0.0
        return min(SHARE * preset.budget, MORE * preset[PUZZLES] * self.count_solvers())

    def count_solvers(self) -> int:
        """Return how many algorithms are rated, on all data sets together."""
        return sum(len(rated_solvers(data_set.problem)) for data_set in data_sets())

    def measure(self, step: Step) -> list[Record]:
        """Rate the algorithms on a data set, as long as the budget allows; return a record each."""
        session, preset, data_set = self.session, self.session.preset, data_sets()[step.number]
        left = (session.left - session.reserve) / (len(data_sets()) - step.number)
        rated = rate(data_set, rated_solvers(data_set.problem), session.worker, preset[PUZZLES],
                     preset.samples, processes=preset.processes, say=session.say, total=left)
        return [{**session.head(), **fields} for fields in rated]

    def repeat(self, step: Step) -> list[Record]:
        """Take the samples of a later process."""
        session, data_set = self.session, data_sets()[step.number]
        firsts = of_first(self.find_records(data_set), METRIC, step.process)
        rated = rate_again(data_set, firsts, step.process, session.worker, session.say)
        return [{**fields, **session.head()} for fields in rated]


EXPERIMENTS = (Rates,)

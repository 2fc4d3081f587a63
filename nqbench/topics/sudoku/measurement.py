"""Rate solvers on data sets: those of Sudoku on all of the package, or on files of puzzles."""

from functools import cached_property
from pathlib import Path
from typing import Any
from warnings import warn

from nqbench.errors import InvalidValueError
from nqbench.problems import PROBLEMS, DataSet, Problem
from nqbench.records.record import Record
from nqbench.study import fields
from nqbench.study.experiments import Experiment, Session, Step
from nqbench.study.fields import ALGORITHMS, BUDGET, PROCESSES, Field
from nqbench.study.samples import is_repeated, of_first
from nqbench.topics.sudoku import rates
from nqbench.topics.sudoku.rates import METRIC, MORE, SEED, rate, rate_again, rated_solvers
from nqbench.util.arguments import require_whole
from nqbench.util.files import draw, find_encoding, is_file
from nqbench.util.text import unknown

SHARE = 0.15  # of the budget, which experiments before this one leave
PUZZLES = Field("puzzles", "seconds for each solver and each data set; by default as the budget "
                "allows, or none beside other experiments", 0.0, fields.parse_seconds, fields.YEAR)
SEEDED = Field("seed", "the random seed of the permutations", SEED, require_whole)
GIVEN = Field("as_given", "whether the puzzles are not permuted; a short list is then rated too "
              "high, as the processor learns it by heart", False, fields.require_flag)


def parse_data(value: object, name: str) -> tuple[str, ...]:
    """Return the names of data sets and of files.

    Raises
    ------
    InvalidValueError
        if there is no such data set and no such file.

    Examples
    --------
    >>> parse_data("easy50, top95", "data")
    ('easy50', 'top95')
    """
    found = fields.parse_names(value, "data set")
    known = [each for problem in PROBLEMS.values() for each in problem.data_sets]
    for each in found:
        if each not in known and not is_file(each):
            raise InvalidValueError(f"{name} must be data sets or files of puzzles: "
                                    f"{unknown('data set', each, known)}")
    if len({Path(each).stem for each in found}) < len(found):  # which is its name in records
        raise InvalidValueError(f"{name} must be files with different names, not {value!r}")
    return found


DATA: Field[tuple[str, ...]] = Field(
    "data", "data sets of the package, or files of puzzles; by default all data sets", (),
    parse_data)


def read_data(name: str, seed: int) -> DataSet:
    """Return a data set of the package, or the puzzles of a file: `rates.MOST_PUZZLES` at most,
    drawn at random from a larger one. Warn about each invalid puzzle, and skip it.

    Raises
    ------
    InvalidValueError
        if the file cannot be read, or holds no valid puzzle.
    """
    for problem in PROBLEMS.values():
        if name in problem.data_sets:
            drawn, many = draw(problem.data_sets[name](), rates.MOST_PUZZLES, seed)
            return DataSet(problem, name, drawn, many if many > len(drawn) else None)
    sudoku: Problem[Any] = PROBLEMS["sudoku"]
    skipped = []

    def skip(message: str) -> None:
        skipped.append(message)
        warn(message, RuntimeWarning, stacklevel=2)

    try:
        with Path(name).open(encoding="utf-8") as file:
            find_encoding(file)
            drawn, many = draw(sudoku.read_valid(file, name, skip), rates.MOST_PUZZLES, seed)
    except OSError as error:
        raise InvalidValueError(f"{name} cannot be read: {error.strerror}") from None
    more = many if many > len(drawn) else None
    checked = [(givens, sudoku.contradiction(givens)) for givens in drawn]
    valid = [givens for givens, why in checked if not why]
    for givens, why in checked:
        if why:
            fault = f"{name}: {sudoku.text(givens)}: the givens contradict each other: {why}"
            if not valid:
                raise InvalidValueError(fault)
            skip(f"{fault}; it is skipped")
    return DataSet(sudoku, Path(name).stem, valid, more, len(skipped))


class Rates(Experiment):
    """Rate algorithms, by default all, on each data set, in each process."""

    metric_name = METRIC
    problems = ("sudoku",)
    reads = (*fields.LIMITS, ALGORITHMS, fields.SAMPLES, PROCESSES, fields.PATIENCE, PUZZLES, DATA,
             fields.NODES, SEEDED, GIVEN)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        plan = session.plan
        self.seconds = plan[PUZZLES] or plan[BUDGET] * (len(plan.experiments) == 1)
        self.seed = None if plan[GIVEN] else plan[SEEDED]

    @cached_property
    def data_sets(self) -> list[DataSet]:
        """The data sets of the study."""
        named = self.session.plan[ALGORITHMS]
        names = self.session.plan[DATA] or [
            each for problem in PROBLEMS.values() if not named or problem.name in self.problems
            for each in problem.data_sets]
        return [read_data(each, self.session.plan[SEEDED]) for each in names]

    def solvers(self, data_set: DataSet) -> list[tuple[str, str]]:
        """Return the algorithms with the implementations that are rated on a data set."""
        return [(solver.algorithm.name, solver.implementation)
                for solver in self.session.plan[ALGORITHMS]] or rated_solvers(data_set.problem)

    def steps(self) -> list[Step]:
        """Return a step for each process and data set, or none if the preset has no seconds."""
        plan = self.session.plan
        return [Step(number, process) for process in range(plan[PROCESSES])
                for number in range(len(self.data_sets))] if self.seconds else []

    def is_complete(self, step: Step) -> bool:
        """Return whether each algorithm has its record."""
        data_set = self.data_sets[step.number]
        records = self.find_records(data_set)
        if step.process:
            return is_repeated(records, METRIC, step.process)
        return {(record["algorithm"], record["implementation"])
                for record in records} == set(self.solvers(data_set))

    def find_records(self, data_set: DataSet) -> list[Record]:
        """Return the records of a data set; old ones, of Sudoku, do not name their problem."""
        return [record for record in self.session.records
                if record["metric"] == METRIC and record["data_set"] == data_set.name
                and record["problem"] == data_set.problem.name]

    def to_reserve(self) -> float:
        """Return the seconds of all rates."""
        many = sum(len(self.solvers(each)) for each in self.data_sets) if self.seconds else 0
        return min(SHARE * self.session.plan[BUDGET], MORE * self.seconds * many)

    def measure(self, step: Step) -> list[Record]:
        """Rate the algorithms on a data set, as long as the budget allows; return a record each."""
        session, plan, data_set = self.session, self.session.plan, self.data_sets[step.number]
        left = (session.left - session.reserve) / (len(self.data_sets) - step.number)
        rated = rate(data_set, self.solvers(data_set), session.worker, self.seconds,
                     plan[fields.SAMPLES], plan[fields.NODES] or rates.NODES, plan[PROCESSES],
                     session.say, self.seed, left)
        return [{**session.head(), **record} for record in rated]

    def repeat(self, step: Step) -> list[Record]:
        """Take the samples of a later process."""
        session, data_set = self.session, self.data_sets[step.number]
        firsts = of_first(self.find_records(data_set), METRIC, step.process)
        rated = rate_again(data_set, firsts, step.process, session.worker, session.say)
        return [{**record, **session.head()} for record in rated]

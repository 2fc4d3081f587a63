"""Count and time searches in instances on the empty board, in turns."""

from statistics import median
from typing import cast

from nqbench.problems import SolverKey
from nqbench.problems.instances import Board, Search, catalogue, write
from nqbench.problems.instances.composed_family import OPEN
from nqbench.problems.plugins import is_outside
from nqbench.problems.plugins.children import StoppedError
from nqbench.problems.queens import Tree
from nqbench.records.record import CUSTOM, Record
from nqbench.search.metrics import METRICS, counters
from nqbench.study import worker
from nqbench.study.experiments import LEAST, TOLERANCE, Experiment, Step
from nqbench.study.fields import ALGORITHMS, LIMITS, PATIENCE, SAMPLES, SHORTEST, TIME_LIMIT, N
from nqbench.study.plan import Plan

METRIC = METRICS["ladder"]
COUNTING = 10  # times the seconds of the timed build, at most: of the build that counts


class Ladder(Experiment):
    """Search the board of each n by the algorithms of the plan; in a preset or a file that names
    external ones alone, beside every search that finds all solutions. A search that would exceed
    the budget is left out.
    """

    metric_name = "ladder"
    problems = ("instances",)
    reads = (N, *LIMITS, ALGORITHMS, SAMPLES, SHORTEST, PATIENCE, TIME_LIMIT)

    @classmethod
    def missing(cls, plan: Plan) -> str:
        """Return what the algorithms of the plan must find: all solutions."""
        part = [each for each in plan.algorithms if not each.exhaustive]
        return (f"algorithms that find all solutions; {part[0].name} finds {part[0].finds}"
                if part else "")

    def measure(self, step: Step) -> list[Record]:
        """Return a record for each search."""
        session, plan, n = self.session, self.session.plan, step.number
        found: list[Record] = []
        chosen: dict[worker.Search, Search] = {}
        planned = 0.0
        named = cast(list[Search], plan.algorithms)
        beside = plan.name != CUSTOM and all(map(is_outside, named))
        for search in [*(searches() if beside else ()), *named]:
            key = SolverKey(search.name, "python", problem="instances")
            predicted = session.forecast.predict(key, n)
            cost = (2 + plan[SAMPLES]) * max(predicted, plan[SHORTEST])
            if cost > session.left - planned:
                found.append(self.record(search, n, **worker.leave_out(
                    cost, session.left - planned)))
                continue
            planned += cost
            if not is_outside(search):
                search.compare_builds()
            chosen[worker.Search(
                f"n = {n}, {search.name}", key, plan[SAMPLES], limit=None,
                instances=(write(Board(n)),), predicted=predicted, allowed=min(filter(None, (
                    plan[TIME_LIMIT], max(LEAST, TOLERANCE * predicted, session.left)))))] = search
        for one, timed in zip(chosen, session.worker.measure(
                [*chosen], plan[SHORTEST], session.say, session.seed(0, n)), strict=True):
            search, stopped = chosen[one], timed.stopped
            try:
                if stopped:
                    raise stopped
                seconds = median(timed.wall)
                session.forecast.add(one.solver, n, seconds)
                counted = session.worker.ask(worker.count, one.solver, Board(n), [
                    each.name for each in (*counters(), *search.python.own)],
                    seconds=max(LEAST, COUNTING * seconds))
            except StoppedError as error:
                found.append(self.record(search, n, **worker.explain_stop(error, one.predicted)))
                continue
            found.append(self.record(search, n, status="measured", loops=timed.loops, counters={
                name: value for name, value in counted.items() if isinstance(value, int)},
                samples=timed.samples, **timed.state) | timed.why)
        return found

    def record(self, search: Search, n: int, **more: object) -> Record:
        """Return the record of a search."""
        told = {"parameters": search.parameters, "within": [*map(list, search.within)]}
        return {**self.session.head(METRIC, search.name), "problem": "instances",
                "implementation": "python", "n": n, **more,
                **{name: value for name, value in told.items() if value}}


def searches() -> list[Search]:
    """Return the searches that are compared."""
    return [search for search in catalogue().values()
            if search.exhaustive and search.tree != Tree.NONE and search is not OPEN]

"""Decide random instances of queens."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from nqbench.errors import PluginError
from nqbench.problems.instances import find, generate, parse, write
from nqbench.problems.instances.families import FAMILIES
from nqbench.problems.plugins.children import StoppedError
from nqbench.problems.plugins.limits import LEFT_OUT, STOPPED
from nqbench.records.record import Record
from nqbench.search.metrics import METRICS
from nqbench.study.experiments import Experiment, Session, Step
from nqbench.study.fields import ALGORITHMS, AT_LEAST_ONE, LIMITS, NODES, Field, N, require_one
from nqbench.study.worker import explain_stop
from nqbench.util.arguments import require_whole
from nqbench.util.clocks import now

SEED = 1  # seed of the instances: the same in every study, so that its figures can be reproduced
FAMILY = Field("family", f"the family of the random instances: {', '.join(FAMILIES)}", "blocked",
               partial(require_one, allowed=FAMILIES))
INSTANCES = Field("instances", "how many for each n and amount; none if 0", 0, AT_LEAST_ONE,
                  most=100_000, needed=True)
AMOUNTS: Field[tuple[int, ...]] = Field(
    "amounts", "what is placed, blocked or excluded in them; by default, what the family says", (),
    lambda value, name: tuple(require_whole(each, name) for each in (
        value if isinstance(value, list | tuple) else [value])),
    most=160_000)  # squares of the largest instance
DECIDED_BY = ("fewest_lines",)
COUNTED = {"samples": "nodes", "backtracks": "exhaustions"}  # fields, and their counters


def decide(algorithm: str, instances: Sequence[str], nodes: int,
           tell: object = None) -> tuple[Record, float]:
    """Search each instance of queens, given as text, for a solution, with at most this number of
    nodes. Return fields of the record, and the seconds that all of them took: of each instance the
    nodes, as samples, the backtracks, if they were counted, and whether it has a solution, None if
    the search gave up.

    >>> decide("restarts_luby:7", ["n=3", "n=4"], 100)[0]["solvable"]
    [False, True]
    """
    search, boards = find(algorithm), list(map(parse, instances))
    start = now()
    outcomes = [search.solve(board, nodes=nodes) for board in boards]
    seconds = now() - start
    counted: dict[str, list[Any]] = {name: [outcome.counters[of] for outcome in outcomes]
                                     for name, of in COUNTED.items()}
    if None in counted["samples"]:
        raise PluginError(f"{algorithm} does not count its nodes, which are measured")
    return {name: values for name, values in counted.items() if None not in values} | {
        "solvable": [outcome.solvable for outcome in outcomes]}, seconds


class Transitions(Experiment):
    """Decide the instances of a family for each n and each amount placed, blocked or excluded.

    A step is an n with an amount and an algorithm; all algorithms decide the same instances. A step
    is skipped if the budget does not allow as long as the last step of its algorithm took.
    Instances, nodes and answers depend on neither machine nor time; only how many steps fit into
    the budget does.

    Attributes
    ----------
    nodes
        that each search is allowed if the preset does not say how many.
    seconds
        that a search of an algorithm's last step took.
    """

    metric_name = "transition"
    problems = ("instances",)
    reads = (N, *LIMITS, ALGORITHMS, FAMILY, INSTANCES, AMOUNTS, NODES)
    nodes = 50_000

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.seconds: dict[str, float] = {}

    def steps(self) -> list[Step]:
        """Return a step for each n, amount and algorithm, or none if the preset has no instances.
        """
        plan = self.session.plan
        if not plan[INSTANCES]:
            return []
        return [Step(n, what=f"{amount} {algorithm}") for n in plan[N]
                for amount in plan[AMOUNTS] or FAMILIES[plan[FAMILY]].amounts(n)
                for algorithm in dict.fromkeys(each.name for each in plan.algorithms) or DECIDED_BY
                ]

    def is_complete(self, step: Step) -> bool:
        """Return whether a step has its record."""
        return any(record["metric"] == self.metric_name and record["n"] == step.number
                   and f"{record['amount']} {record['algorithm']}" == step.what
                   for record in self.session.records)

    def measure(self, step: Step) -> list[Record]:
        """Decide the instances of a step, if there is time for them; return a record."""
        session, plan, n = self.session, self.session.plan, step.number
        amount, _, algorithm = step.what.partition(" ")
        session.say(f"{plan[FAMILY]}, n = {n}, {amount}, {algorithm}")
        boards = generate(partial(FAMILIES[plan[FAMILY]].make, n, int(amount)), plan[INSTANCES],
                          SEED)
        nodes = plan[NODES] or self.nodes
        cost = self.seconds.get(algorithm, 0.0) * plan[INSTANCES]
        head = {**session.head(METRICS[self.metric_name], algorithm), "problem": "instances",
                "implementation": "python", "n": n, "family": plan[FAMILY],
                "amount": int(amount), "seed": SEED, "nodes_allowed": nodes,
                "predicted": cost or None, "samples": [], "solvable": []}
        left = session.left - session.reserve
        try:
            if cost > left or left <= 0:
                raise StoppedError(LEFT_OUT, max(0.0, left))
            found, seconds = session.worker.ask(decide, algorithm, list(map(write, boards)), nodes,
                                                seconds=left)
        except StoppedError as error:
            if error.outcome in STOPPED:
                self.seconds[algorithm] = error.seconds / plan[INSTANCES]
            return [{**head, **explain_stop(error, cost)}]
        self.seconds[algorithm] = seconds / plan[INSTANCES]
        return [{**head, "status": "measured", **found}]

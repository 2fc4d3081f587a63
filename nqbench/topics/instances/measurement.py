"""Decide random instances of queens: once each, or in many random orders."""

from collections.abc import Iterable
from functools import partial
from itertools import repeat
from typing import Any, ClassVar

from nqbench.errors import InvalidValueError
from nqbench.problems.instances import Board, find, generate, write
from nqbench.problems.instances.families import FAMILIES
from nqbench.problems.plugins.children import StoppedError
from nqbench.problems.plugins.limits import ENDED
from nqbench.records.record import Record
from nqbench.search.metrics import METRICS, Metric
from nqbench.study.experiments import LEAST, TOLERANCE, Experiment, Session, Step
from nqbench.study.fields import Field, require_one
from nqbench.util.arguments import require_whole

SEED = 1  # seed of the instances: the same in every study, so that its figures can be reproduced
AT_LEAST_ONE = partial(require_whole, least=1)
FAMILY = Field("family", "the family of the random instances", "blocked",
               partial(require_one, allowed=FAMILIES))
INSTANCES = Field("instances", "how many for each n and amount; none if 0", 0, AT_LEAST_ONE,
                  most=100_000)
AMOUNTS: Field[tuple[int, ...]] = Field(
    "amounts", "what is placed, blocked or excluded in them; by default, what the family says", (),
    lambda value, name: tuple(require_whole(each, name) for each in (
        value if isinstance(value, list | tuple) else [value])),
    most=160_000)  # squares of the largest instance
NODES = Field("nodes", "the nodes allowed for each; by default, what the experiment says", 0,
              AT_LEAST_ONE, most=10**12)
SEEDS = Field("seeds", "runs on each of the first instances; none if 0", 0, AT_LEAST_ONE,
              most=100_000)


class RandomInstances(Experiment):
    """Search boards of the preset's family; skip a step if the budget does not allow as long as the
    last step of its algorithm took.

    Attributes
    ----------
    metric
        of its records.
    nodes
        that each search is allowed if the preset does not say how many.
    seconds
        that a search of an algorithm's last step took.
    """

    problem = "instances"
    fields: tuple[Field[Any], ...] = (FAMILY, INSTANCES, AMOUNTS, NODES)
    metric: ClassVar[Metric]
    nodes: ClassVar[int]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.seconds: dict[str, float] = {}

    def is_complete(self, step: Step) -> bool:
        """Return whether a step has its record."""
        return any(record["metric"] == self.metric.name and record["n"] == step.number
                   and self.what(record) == step.what for record in self.session.records)

    @staticmethod
    def what(record: Record) -> str:
        """Return which step of its n a record is of."""
        return f"{record['amount']} {record['algorithm']}"

    def search(self, n: int, amount: int, algorithm: str, ways: list[str], boards: Iterable[Board],
               **fields: Any) -> list[Record]:
        """Search each board by one of the `ways`, names of the algorithm with its seed, if it takes
        one; return a record with these fields.
        """
        session, preset = self.session, self.session.preset
        source = session.outside.sources.get(algorithm)
        nodes = preset[NODES] or self.nodes
        cost = self.seconds.get(algorithm, 0.0) * len(ways)
        head = {**session.head(), **self.metric.fields, "problem": "instances",
                "algorithm": algorithm, **({"source": source} if source else {}),
                "implementation": "python", "n": n, "family": preset[FAMILY], "amount": amount,
                "seed": SEED, **fields, "nodes_allowed": nodes, "predicted": cost or None}
        left = preset.budget - session.elapsed
        if cost > left:
            return [{**head, "status": "left out", "samples": [], "solvable": [],
                     "reason": "no time left", "cost": cost, "allowed": max(0.0, left)}]
        try:
            found = session.worker.decide(ways, list(map(write, boards)), nodes,
                                          max(LEAST, TOLERANCE * cost, left))
        except StoppedError as error:
            if error.outcome != ENDED:
                self.seconds[algorithm] = error.seconds / len(ways)
            return [{**head, "status": error.outcome, "samples": [], "solvable": [],
                     "fault": str(error)}]
        self.seconds[algorithm] = found.seconds / len(ways)
        return [{**head, "status": "measured", "samples": found.nodes,
                 "backtracks": found.backtracks, "solvable": found.solvable}]


DECIDED_BY = ("fewest_lines",)


class Transitions(RandomInstances):
    """Decide the instances of a family for each n and each amount placed, blocked or excluded.

    A step is an n with an amount and an algorithm; all algorithms decide the same instances.
    Instances, nodes and answers depend on neither machine nor time; only how many steps fit into
    the budget does.
    """

    name = "transitions"

    metric = METRICS["transition"]
    nodes = 50_000

    def steps(self) -> list[Step]:
        """Return a step for each n, amount and algorithm, or none if the preset has no instances.
        """
        preset = self.session.preset
        if not preset[INSTANCES]:
            return []
        return [Step(n, what=f"{amount} {algorithm}") for n in preset.sizes
                for amount in preset[AMOUNTS] or FAMILIES[preset[FAMILY]].amounts(n)
                for algorithm in preset.searches or DECIDED_BY]

    def measure(self, step: Step) -> list[Record]:
        """Decide the instances of a step, if there is time for them; return a record."""
        session, preset, n = self.session, self.session.preset, step.number
        amount, _, algorithm = step.what.partition(" ")
        session.say(f"{preset[FAMILY]}, n = {n}, {amount}, {algorithm}")
        boards = generate(partial(FAMILIES[preset[FAMILY]].make, n, int(amount)), preset[INSTANCES],
                          SEED)
        return self.search(n, int(amount), algorithm, [algorithm] * preset[INSTANCES], boards)


ALGORITHMS = ("random_order", "restarts_fixed", "restarts_geometric", "restarts_luby")
CLOSER = 3  # instances that are searched with many seeds


class Tails(RandomInstances):
    """Search the first CLOSER instances with `seeds` seeds each, and all `instances` once each.

    A step is an n with an amount, an algorithm, and an instance or all of them. Run k has the seed
    k. Lengths depend on neither machine nor time; only how many steps fit into the budget does.
    """

    name = "tails"
    fields = (*RandomInstances.fields, SEEDS)

    metric = METRICS["run_length"]
    nodes = 100_000

    def steps(self) -> list[Step]:
        """Return a step for each n, amount, instance or all of them, and algorithm.

        Raises
        ------
        InvalidValueError
            if an algorithm takes no seed.
        """
        preset = self.session.preset
        for name in preset.searches:
            if "seed" not in find(name).defaults:
                raise InvalidValueError("the experiment tails needs algorithms that take a seed; "
                                        f"{name} takes none")
        closer = [str(k) for k in range(CLOSER)] if preset[SEEDS] else []
        every = ["all"] if preset[INSTANCES] else []
        return [Step(n, what=f"{amount} {which} {algorithm}") for n in preset.sizes
                for amount in preset[AMOUNTS] or FAMILIES[preset[FAMILY]].amounts(n)
                for which in (*closer, *every) for algorithm in preset.searches or ALGORITHMS]

    @staticmethod
    def what(record: Record) -> str:
        """Return which step of its n a record is of."""
        which = "all" if record["over"] == "instances" else record["instance"]
        return f"{record['amount']} {which} {record['algorithm']}"

    def measure(self, step: Step) -> list[Record]:
        """Run a search with all seeds or on all instances, if there is time; return a record."""
        session, preset, n = self.session, self.session.preset, step.number
        amount, which, algorithm = step.what.split(" ", 2)
        session.say(f"{preset[FAMILY]}, n = {n}, {amount}, instance {which}, {algorithm}")
        make = partial(FAMILIES[preset[FAMILY]].make, n, int(amount))
        every = which == "all"
        many = preset[INSTANCES] if every else preset[SEEDS]
        boards = generate(make, many, SEED) if every else repeat(
            [*generate(make, int(which) + 1, SEED)][-1], many)
        seeded = [f"{algorithm}:seed={k}" for k in range(many)]
        return self.search(n, int(amount), algorithm, seeded, boards,
                           over="instances" if every else "seeds",
                           instance=None if every else int(which))


EXPERIMENTS = (Transitions, Tails)

"""How long searches in random orders run, with and without restarts: over seeds, over instances.

Carla Gomes, Bart Selman, Nuno Crato and Henry Kautz, Heavy-tailed phenomena in satisfiability and
constraint satisfaction problems (2000).
"""

from functools import partial
from itertools import repeat

from nqbench.errors import InvalidValueError
from nqbench.instances import find, generate, write
from nqbench.instances.families import FAMILIES
from nqbench.metrics import METRICS
from nqbench.records.record import Record
from nqbench.study.deciding import decide
from nqbench.study.experiments import Experiment, Step
from nqbench.study.experiments.transitions import SEED
from nqbench.study.session import Session

METRIC = METRICS["run_length"]
ALGORITHMS = ("random_order", "restarts_fixed", "restarts_geometric", "restarts_luby")
NODES = 100_000  # for each run; beyond, it gives up
CLOSER = 3  # instances that are searched with many seeds


class Tails(Experiment):
    """Search the first CLOSER instances with so many seeds each, and so many instances once each.

    A step is an n with an amount, an algorithm, and an instance or all of them. Run k has the seed
    k. Lengths depend on neither machine nor time; only how many steps fit into the budget does.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.seconds: dict[str, float] = {}  # that a run of an algorithm's last step took

    def steps(self) -> list[Step]:
        """Return a step for each n, amount, instance or all of them, and algorithm.

        Raises
        ------
        InvalidValueError
            if an algorithm takes no seed.
        """
        preset = self.session.preset
        for name in preset.searches:
            if find(name).choice is None:
                raise InvalidValueError("the experiment tails needs algorithms that take a seed; "
                                        f"{name} takes none")
        closer = [str(k) for k in range(CLOSER)] if preset.seeds else []
        every = ["all"] if preset.instances else []
        return [Step(n, what=f"{amount} {which} {algorithm}") for n in preset.sizes
                for amount in preset.amounts or FAMILIES[preset.family].amounts(n)
                for which in (*closer, *every) for algorithm in preset.searches or ALGORITHMS]

    def is_complete(self, step: Step) -> bool:
        """Return whether a step has its record."""
        return any(record["metric"] == METRIC.name and record["n"] == step.number
                   and _describe(record) == step.what for record in self.session.records)

    def measure(self, step: Step) -> list[Record]:
        """Run a search with all seeds or on all instances, if there is time; return a record."""
        session, preset, n = self.session, self.session.preset, step.number
        amount, which, algorithm = step.what.split(" ", 2)
        source = session.outside.sources.get(algorithm)
        nodes, family = preset.nodes or NODES, FAMILIES[preset.family]
        session.say(f"{preset.family}, n = {n}, {amount}, instance {which}, {algorithm}")
        many = preset.instances if which == "all" else preset.seeds
        cost = self.seconds.get(algorithm, 0.0) * many
        head = {**session.head(), **METRIC.fields, "problem": "instances", "algorithm": algorithm,
                **({"source": source} if source else {}), "implementation": "python", "n": n,
                "family": preset.family, "amount": int(amount), "seed": SEED,
                "over": "instances" if which == "all" else "seeds",
                "instance": None if which == "all" else int(which), "nodes_allowed": nodes,
                "predicted": cost or None}
        left = preset.budget - session.elapsed
        if cost > left:
            return [{**head, "status": "left out", "samples": [], "solvable": [],
                     "reason": "no time left", "cost": cost, "allowed": max(0.0, left)}]
        make = partial(family.make, n, int(amount))
        boards = generate(make, many, SEED) if which == "all" else repeat(
            [*generate(make, int(which) + 1, SEED)][-1], many)
        found = (session.worker.decide if source else decide)(
            [f"{algorithm}:{seed}" for seed in range(many)], list(map(write, boards)), nodes)
        self.seconds[algorithm] = found.seconds / many
        return [{**head, "status": "measured", "samples": found.nodes,
                 "backtracks": found.backtracks, "solvable": found.solvable}]


def _describe(record: Record) -> str:
    """Return which step of its n a record is of."""
    which = "all" if record["over"] == "instances" else record["instance"]
    return f"{record['amount']} {which} {record['algorithm']}"


EXPERIMENT = Tails

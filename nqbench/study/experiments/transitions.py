"""How many random instances have a solution, and how many nodes it takes to decide them."""

from functools import partial

from nqbench.instances import generate, write
from nqbench.instances.families import FAMILIES
from nqbench.metrics import METRICS
from nqbench.records.record import Record
from nqbench.study.deciding import decide
from nqbench.study.experiments import Experiment, Step
from nqbench.study.session import Session

METRIC = METRICS["transition"]
ALGORITHMS = ("fewest_lines",)
NODES = 50_000  # for each instance; beyond, the search gives up
SEED = 1  # of the instances: the same in every study, so that its figures can be made again


class Transitions(Experiment):
    """Decide so many instances of a family for each n and each amount of what is barred.

    A step is an n with an amount and an algorithm; all algorithms decide the same instances.
    Instances, nodes and answers depend on neither machine nor time; only how many steps fit into
    the budget does.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.seconds: dict[str, float] = {}  # that an instance of an algorithm's last step took

    def steps(self) -> list[Step]:
        """Return a step for each n, amount and algorithm, or none if the preset has no instances.
        """
        preset = self.session.preset
        if not preset.instances:
            return []
        return [Step(n, what=f"{amount} {algorithm}") for n in preset.sizes
                for amount in preset.amounts or FAMILIES[preset.family].amounts(n)
                for algorithm in preset.searches or ALGORITHMS]

    def is_complete(self, step: Step) -> bool:
        """Return whether a step has its record."""
        return any(record["metric"] == METRIC.name and record["n"] == step.number
                   and f"{record['amount']} {record['algorithm']}" == step.what
                   for record in self.session.records)

    def measure(self, step: Step) -> list[Record]:
        """Decide the instances of a step, if there is time for them; return a record."""
        session, preset, n = self.session, self.session.preset, step.number
        amount, _, algorithm = step.what.partition(" ")
        nodes = preset.nodes or NODES
        source = session.outside.sources.get(algorithm)
        session.say(f"{preset.family}, n = {n}, {amount}, {algorithm}")
        cost = self.seconds.get(algorithm, 0.0) * preset.instances
        head = {**session.head(), **METRIC.fields, "problem": "instances", "algorithm": algorithm,
                **({"source": source} if source else {}), "implementation": "python", "n": n,
                "family": preset.family, "amount": int(amount),
                "seed": SEED, "nodes_allowed": nodes, "predicted": cost or None}
        left = preset.budget - session.elapsed
        if cost > left:
            return [{**head, "status": "left out", "samples": [], "solvable": [],
                     "reason": "no time left", "cost": cost, "allowed": max(0.0, left)}]
        boards = generate(partial(FAMILIES[preset.family].make, n, int(amount)), preset.instances,
                          SEED)
        # An algorithm from outside may do anything, so another process searches.
        found = (session.worker.decide if source else decide)(
            [algorithm] * preset.instances, list(map(write, boards)), nodes)
        self.seconds[algorithm] = found.seconds / preset.instances
        return [{**head, "status": "measured", "samples": found.nodes,
                 "backtracks": found.backtracks, "solvable": found.solvable}]


EXPERIMENT = Transitions

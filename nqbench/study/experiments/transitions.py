"""How many random instances have a solution, and how many nodes it takes to decide them."""

from functools import partial

from nqbench.instances import generate
from nqbench.instances.families import FAMILIES
from nqbench.metrics import METRICS
from nqbench.records.record import Record
from nqbench.study.experiments import Step
from nqbench.study.experiments._random_instances import SEED, RandomInstances

ALGORITHMS = ("fewest_lines",)


class Transitions(RandomInstances):
    """Decide the instances of a family for each n and each amount placed, blocked or excluded.

    A step is an n with an amount and an algorithm; all algorithms decide the same instances.
    Instances, nodes and answers depend on neither machine nor time; only how many steps fit into
    the budget does.
    """

    metric = METRICS["transition"]
    nodes = 50_000

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
        return any(record["metric"] == self.metric.name and record["n"] == step.number
                   and f"{record['amount']} {record['algorithm']}" == step.what
                   for record in self.session.records)

    def measure(self, step: Step) -> list[Record]:
        """Decide the instances of a step, if there is time for them; return a record."""
        session, preset, n = self.session, self.session.preset, step.number
        amount, _, algorithm = step.what.partition(" ")
        session.say(f"{preset.family}, n = {n}, {amount}, {algorithm}")
        boards = generate(partial(FAMILIES[preset.family].make, n, int(amount)), preset.instances,
                          SEED)
        return self.search(n, int(amount), algorithm, [algorithm] * preset.instances, boards)


EXPERIMENT = Transitions

"""How long searches in random orders run, with and without restarts: over seeds, over instances.

Carla Gomes, Bart Selman, Nuno Crato and Henry Kautz, Heavy-tailed phenomena in satisfiability and
constraint satisfaction problems (2000).
"""

from functools import partial
from itertools import repeat

from nqbench.errors import InvalidValueError
from nqbench.instances import find, generate
from nqbench.instances.families import FAMILIES
from nqbench.metrics import METRICS
from nqbench.records.record import Record
from nqbench.study.experiments import Step
from nqbench.study.experiments._random_instances import SEED, RandomInstances

ALGORITHMS = ("random_order", "restarts_fixed", "restarts_geometric", "restarts_luby")
CLOSER = 3  # instances that are searched with many seeds


class Tails(RandomInstances):
    """Search the first CLOSER instances with `seeds` seeds each, and all `instances` once each.

    A step is an n with an amount, an algorithm, and an instance or all of them. Run k has the seed
    k. Lengths depend on neither machine nor time; only how many steps fit into the budget does.
    """

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
        return any(record["metric"] == self.metric.name and record["n"] == step.number
                   and _describe(record) == step.what for record in self.session.records)

    def measure(self, step: Step) -> list[Record]:
        """Run a search with all seeds or on all instances, if there is time; return a record."""
        session, preset, n = self.session, self.session.preset, step.number
        amount, which, algorithm = step.what.split(" ", 2)
        session.say(f"{preset.family}, n = {n}, {amount}, instance {which}, {algorithm}")
        make = partial(FAMILIES[preset.family].make, n, int(amount))
        every = which == "all"
        many = preset.instances if every else preset.seeds
        boards = generate(make, many, SEED) if every else repeat(
            [*generate(make, int(which) + 1, SEED)][-1], many)
        return self.search(n, int(amount), algorithm, [f"{algorithm}:{k}" for k in range(many)],
                           boards, over="instances" if every else "seeds",
                           instance=None if every else int(which))


def _describe(record: Record) -> str:
    """Return which step of its n a record is of."""
    which = "all" if record["over"] == "instances" else record["instance"]
    return f"{record['amount']} {which} {record['algorithm']}"


EXPERIMENT = Tails

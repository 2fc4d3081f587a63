"""Estimate the trees of algorithms by runs of their own searches, on boards too large to search."""

from time import perf_counter

from nqbench.problems.queens import Tree
from nqbench.records.record import PLAIN, Record
from nqbench.search.algorithm import Algorithm
from nqbench.search.estimates import estimating
from nqbench.search.metrics import METRICS
from nqbench.search.steering import SteeringError
from nqbench.study.experiments import Experiment, Step, now
from nqbench.study.fields import Field
from nqbench.study.presets import solvers
from nqbench.util.arguments import require_whole

METRIC = METRICS["tree"]
VISITED = Field("visited", "nodes that each search visits on each level, for an estimate of its "
                "tree", 4000, lambda value, name: require_whole(value, name, least=64), most=10**9)
SEED = 1


class Trees(Experiment):
    """Estimate the tree of each algorithm that has one of its own, and the plain tree, for each n.
    """

    name, metric_name = "trees", METRIC.name
    fields = (VISITED,)

    def measure(self, step: Step) -> list[Record]:
        """Estimate the trees of n as long as the budget lasts; return a record for each."""
        found: list[Record] = []
        for algorithm in self.algorithms(step.number):
            if found and self.session.elapsed > self.session.preset.budget:
                break
            start = perf_counter()
            try:
                for each in estimating(algorithm, step.number, self.session.preset[VISITED], SEED):
                    made = each
                    self.session.say(f"tree, n = {step.number}: {algorithm.name}")
            except SteeringError:
                continue
            source = self.session.outside.sources.get(algorithm.name)
            found.append({
                **self.session.head(), **METRIC.fields, "algorithm": algorithm.name,
                **({"source": source} if source else {}), "implementation": "python",
                "n": step.number, "probes": made.probes, "seed": SEED, "status": "measured",
                "time": now(), "samples": [{
                    "elapsed": perf_counter() - start, "reached": made.reached,
                    "reach": made.nodes.reach,
                    **{name: x.pair for name, x in made.named().items()},
                    "levels": [level.pair for level in made.levels]}]})
        return found

    def algorithms(self, n: int) -> list[Algorithm[int, tuple[int, ...]]]:
        """Return the algorithms with a search in Python whose tree is their own, and the plain
        one.
        """
        found = {solver.algorithm.name: solver.algorithm
                 for solver in solvers(n, self.session.preset)
                 if solver.implementation == "python"
                 and (solver.algorithm.tree == Tree.OWN or solver.algorithm.name == PLAIN)}
        return list(found.values())


EXPERIMENTS = (Trees,)

"""Experiments that search random instances of queens."""

from collections.abc import Iterable
from typing import Any, ClassVar

from nqbench._children import ENDED, StoppedError
from nqbench.instances import Board, write
from nqbench.metrics import Metric
from nqbench.records.record import Record
from nqbench.study.experiments import Experiment
from nqbench.study.session import LEAST, TOLERANCE, Session

SEED = 1  # seed of the instances: the same in every study, so that its figures can be reproduced


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

    metric: ClassVar[Metric]
    nodes: ClassVar[int]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.seconds: dict[str, float] = {}

    def search(self, n: int, amount: int, algorithm: str, ways: list[str], boards: Iterable[Board],
               **fields: Any) -> list[Record]:
        """Search each board by one of the `ways`, names of the algorithm with its seed, if it takes
        one; return a record with these fields.
        """
        session, preset = self.session, self.session.preset
        source = session.outside.sources.get(algorithm)
        nodes = preset.nodes or self.nodes
        cost = self.seconds.get(algorithm, 0.0) * len(ways)
        head = {**session.head(), **self.metric.fields, "problem": "instances",
                "algorithm": algorithm, **({"source": source} if source else {}),
                "implementation": "python", "n": n, "family": preset.family, "amount": amount,
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

"""Count all solutions by constraint solvers and by our textbook equivalent: rows from the top, the
smallest column first. A time per node says something only where their trees agree.

All trees are binary: a node tries x = v, then x != v. Gecode's nodes are those of this tree, and
its failures the nodes where propagation fails. Choco's failures are the same, but its own nodes
leave them out; each node is left once, so its backtracks are these nodes. (`get_node_count` of
pychoco 0.4.0 returned a time.) `translate` makes both from our counters.

The levels say what is propagated after each decision:

    value   disequalities of two rows: a row with one square left removes squares from the others
    bounds  all different: the smallest and the largest line of a row are in a matching of all rows
    domain  all different: each line of a row is in a matching of all rows (Regin 1994)
"""

import json
import re
import subprocess
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations
from shutil import which
from typing import Any, ClassVar

from nqbench._version import __version__
from nqbench.errors import PluginError
from nqbench.problems.instances import Board, find
from nqbench.problems.peers import find_installed
from nqbench.problems.plugins.programs import Counted
from nqbench.records.record import Record
from nqbench.search.metrics import METRICS, Metric
from nqbench.study.plan import Plan
from nqbench.topics.peers.measurement import Contender, Peers, Turns
from nqbench.util.clocks import sample

METRIC = METRICS["same_tree"]
EQUIVALENT = "single_squares"  # our equivalent, at the level "value"
CHOCO = {"value": "", "bounds": "BC", "domain": "AC"}  # what it calls the levels of all different
PACKAGES = {"Gecode": "minizinc of Debian", "Choco": "pychoco"}
RESERVED = 33 << 30  # bytes of addresses that Choco reserves at its import, but does not use
STATISTIC = re.compile(r"^%%%mzn-stat: (\w+)=(\S+)$", re.MULTILINE)
PROVED = "=" * 10  # that the search is complete, in the output of a solver of FlatZinc


@cache
def find_gecode() -> str | None:
    """Return the version of Gecode that MiniZinc has, None if it is not installed or MiniZinc does
    not work.
    """
    if not (which("minizinc") and which("fzn-gecode")):
        return None
    told = subprocess.run(["minizinc", "--solvers-json"], capture_output=True, check=False).stdout
    try:
        solvers = json.loads(told)
    except ValueError:
        return None
    return next((str(each["version"]) for each in solvers
                 if each.get("id") == "org.gecode.gecode"), None)


def write_model(level: str, n: int) -> str:
    """Return n queens in FlatZinc.

    >>> print(write_model("domain", 4).splitlines()[4])
    constraint all_different_offset([0,0,0,0],[q0,q1,q2,q3]) :: domain;
    """
    queens = ",".join(f"q{row}" for row in range(n))
    return "\n".join([
        *(f"var 0..{n - 1}: q{row};" for row in range(n)),
        *([f"constraint int_lin_ne([1,-1],[q{row},q{other}],{distance});"
           for row, other in combinations(range(n), 2)
           for distance in (0, other - row, row - other)] if level == "value" else
          [f"constraint all_different_offset([{','.join(str(sign * row) for row in range(n))}],"
           f"[{queens}]) :: {level};" for sign in (0, 1, -1)]),
        f"solve :: int_search([{queens}],input_order,indomain_min,complete) satisfy;", ""])


def explore_gecode(level: str, n: int) -> Counted:
    """Count by Gecode, whose own clock excludes its start and reading the model.

    Raises
    ------
    PluginError
        if it did not finish.
    """
    ran = subprocess.run(["fzn-gecode", "-a", "-s", "-"], input=write_model(level, n), text=True,
                         capture_output=True, check=False)
    if ran.returncode or PROVED not in ran.stdout:
        raise PluginError(f"Gecode did not finish: {' '.join(ran.stderr.split())}")
    told = dict(STATISTIC.findall(ran.stdout))
    return Counted(int(told["solutions"]), float(told["solveTime"]),
                   {name: int(told[name]) for name in ("nodes", "failures")})


def explore_choco(level: str, n: int) -> Counted:
    """Count by Choco; building the model is not timed."""
    from pychoco import Model

    model = Model()
    queens = [model.intvar(0, n - 1) for _ in range(n)]
    if level == "value":
        for row, other in combinations(range(n), 2):
            for distance in (0, other - row, row - other):
                model.arithm(queens[row], "!=", queens[other], "+", distance).post()
    else:
        for sign in (0, 1, -1):
            model.all_different([model.int_offset_view(queen, sign * row)
                                 for row, queen in enumerate(queens)], CHOCO[level]).post()
    solver = model.get_solver()
    solver.set_input_order_lb_search(*queens)

    def explore() -> int:
        found = 0
        while solver.solve():
            found += 1
        return found

    taken = sample(explore)
    return Counted(taken.found, taken.wall, {"nodes": solver.get_backtrack_count(),
                                             "failures": solver.get_fail_count()})


def explore_ours(n: int) -> Counted:
    """Count by our equivalent, without its counters while it is timed."""
    taken = sample(partial(find(EQUIVALENT).count, Board(n)))
    return Counted(taken.found, taken.wall, translate(n))


@cache
def translate(n: int) -> dict[str, int]:
    """Return the nodes and failures of the binary tree, made from the counters of our equivalent.

    Each test leads to a node or fails. The leaves of the binary tree are the failures and the
    solutions, and it has one inner node less than leaves.

    >>> translate(8)
    {'nodes': 831, 'failures': 324}
    """
    tally = find(EQUIVALENT).profile(Board(n))
    failures = tally.tests - (tally.nodes - 1)
    return {"nodes": 2 * (failures + tally.solutions) - 1, "failures": failures}


@dataclass
class TreeTurns(Turns):
    """The samples of a solver at one n, and its tree, which is always the same."""

    metric: ClassVar[Metric] = METRIC
    tree: dict[str, int] = field(default_factory=dict)

    def require_right(self, found: Any) -> None:
        """Reject a wrong number of solutions, and another tree than before."""
        super().require_right(found)
        if self.tree and self.tree != found.counters:
            raise PluginError(f"explored {found.counters} after {self.tree}")
        self.tree = dict(found.counters)

    def fields(self) -> Record:
        """Return the fields of its record."""
        return {**super().fields(), "propagation": self.contender.level,
                "nodes": self.tree.get("nodes"), "failures": self.tree.get("failures")}


class SameTree(Peers):
    """Count with each solver that visits the tree of a textbook search, for each n and process."""

    turns = TreeTurns

    @classmethod
    def missing(cls, plan: Plan) -> str:
        """Return what there is to compare with, if neither is installed."""
        return "" if find_gecode() or find_installed(PACKAGES["Choco"]) else (
            f"Gecode, which is in {PACKAGES['Gecode']}, or Choco, which is in pychoco of PyPI")

    @staticmethod
    def find_contenders() -> list[Contender]:
        """Return our equivalent and the solvers, level by level; those of a level are compared with
        its first one.
        """
        find(EQUIVALENT).compare_builds()
        return [
            Contender("nqbench (value)", "nqbench", __version__, explore_ours, level="value"), *(
                Contender(f"{name} ({level})", PACKAGES[name], installed, partial(explore, level),
                          level=level, reserved=reserved)
                for level in CHOCO for name, installed, explore, reserved in (
                    ("Gecode", find_gecode(), explore_gecode, 0),
                    ("Choco", find_installed(PACKAGES["Choco"]), explore_choco, RESERVED)))]

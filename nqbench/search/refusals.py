"""What each rule of a search refuses, saves and takes (`nqbench.search.syntax`).

The nodes that a rule saves are those of the search without it, less those of the search; docs/
metrics.md defines them by level. `Replay` counts them below each candidate that is refused first,
or below a sample of these. What a rule takes is the time of the search with it over that without.
"""

from collections.abc import Mapping, Sequence
from math import fsum, hypot, inf, isnan, nan, sqrt
from random import Random
from statistics import fmean, median, stdev
from typing import Any

from nqbench.errors import MiscountError, describe_error
from nqbench.search.builds import built, is_switched_off
from nqbench.search.estimates import Quantity
from nqbench.search.implementations import PythonBuilds, exhaust, quiet
from nqbench.search.metrics import of_rule
from nqbench.search.tally import BoundedTally, Tally
from nqbench.util.clocks import calibrate, choose_loops, orders, sample
from nqbench.util.text import format_range

REPLAYED = 1000  # candidates that a rule refuses, up to which all are replayed
SAMPLE = 100  # on average, on each level that has more, of a search that has more
RULES = "rules"  # the metric of what `examine` returns
STUDIED = 0.0005, 0.02  # seconds of a search that a study examines, too: neither noise nor long
BRIEF = 1.0  # seconds of the replay there, at most
EXAMINED_SECONDS = 5.0  # of a search whose rules are examined, and of the replay of each rule
ROUNDS = 5  # of a search with a rule and without it, in turns
RULE_FIELDS = "rule", "level", "refused", "nodes_saved", "nodes_saved_error", "cost", "fault"


class Replay(BoundedTally):
    """A tally that keeps a share of the candidates that a rule refuses, by level, and counts the
    nodes below each; there, the rule refuses nothing.

    `sizes` are, by level, the nodes of each that was kept: 0 if something else refuses it.
    """

    __slots__ = ("_inside", "_kept", "_random", "_shares", "sizes")

    def __init__(self, n: int, shares: Sequence[float], seconds: float | None = None) -> None:
        super().__init__(n, seconds_allowed=seconds)
        self.sizes: list[list[int]] = [[] for _ in range(n + 1)]
        self._shares, self._random = shares, Random(1)
        self._kept, self._inside = inf, False  # the level of what is kept; is it a node by now?

    def refuses(self, level: int, rule: str) -> bool:
        if level >= self._kept + self._inside:
            return False  # below that candidate, or that candidate again
        keeps = self._random.random() < self._shares[level]
        self._kept, self._inside = level if keeps else inf, False
        if keeps:
            self.sizes[level].append(0)
        return not keeps

    def node(self, level: int) -> None:
        super().node(level)
        if level > self._kept + self._inside:
            self.sizes[int(self._kept)][-1] += 1
            self._inside = True
        else:
            self._kept = inf

    def test(self, row: int, column: int) -> None:
        super().test(row, column)
        if not self._inside:
            self._kept = inf  # another candidate


def replay(builds: PythonBuilds[Any, Any], instance: Any, rule: str, counted: Tally,
           seconds: float | None = None, most: int = REPLAYED) -> list[tuple[float, float]]:
    """Return the nodes that a rule saves, with their standard error, by the level of its refusals;
    nan where they are not known.

    The search runs without the rule below all candidates that it refuses first, or, of more than
    `most`, below a sample; `counted` is the tally of the search with the rule.

    Raises
    ------
    GaveUpError
        at the end of the seconds.
    MiscountError
        if the search beside these candidates is not as before, so the nodes saved are not known.

    Examples
    --------
    >>> from nqbench.problems.queens import find
    >>> look = find("forward_checking")
    >>> [nodes for nodes, _ in replay(look.python, 6, "wiped_out", look.profile(6))]
    [0.0, 0.0, 8.0, 40.0, 18.0, 0.0, 0.0]
    """
    refused = getattr(counted, of_rule(rule).name)
    shares = [1.0 if sum(refused) <= most else SAMPLE / max(1, many) for many in refused]
    tally = Replay(counted.n, shares, seconds)
    tally.begin(builds.own, builds.uncounted)
    exhaust(built(builds.counting, "without", rule)(instance, tally, **builds.parameters))
    tally.require_end()
    if tally.nodes - sum(map(sum, tally.sizes)) != counted.nodes:
        raise MiscountError(f"without the rule {rule}, the search differs beside the candidates "
                            "that it refuses: it chooses by what it has met before, or calls "
                            "tally.refused before tally.test")
    return list(map(_scale, tally.sizes, refused))


def _scale(sizes: Sequence[int], many: int) -> tuple[float, float]:
    """Return the sum of `many` sizes, of which some are known, and its standard error.

    >>> _scale([1, 3], 2), _scale([1, 3], 8)[0], _scale([], 1)
    ((4.0, 0.0), 16.0, (nan, nan))
    """
    if len(sizes) == many:
        return float(sum(sizes)), 0.0
    if len(sizes) < 2:
        return nan, nan
    return many * fmean(sizes), many * stdev(sizes) * sqrt((1 - len(sizes) / many) / len(sizes))


def count_lacking(builds: PythonBuilds[Any, Any], instance: Any, rule: str, counted: Tally,
                  seconds: float) -> float:
    """Return the nodes that a rule saves which also changes what it does not refuse, so that its
    refusals cannot be replayed: those of the search without it, less those of the search.

    >>> from nqbench.problems.instances import Board, find
    >>> arcs = find("maintained_arcs")
    >>> count_lacking(arcs.python, Board(8), "filtered", arcs.profile(Board(8)), 60)  # 1165 - 583
    582.0
    """
    tally = builds.make_tally(instance, None, seconds)
    tally.begin(builds.own, builds.uncounted)
    exhaust(builds.counting(instance, tally, **{**builds.parameters, **builds.lacking[rule]}))
    tally.require_end()
    return float(tally.nodes - counted.nodes)


def measure_cost(builds: PythonBuilds[Any, Any], instance: Any, rule: str,
                 longer: float = 1.0, seconds: float = inf) -> list[float]:
    """Return how many times as long the search takes with a rule as without it, in each of ROUNDS
    rounds in which both take turns, by processor time.

    Raises
    ------
    MiscountError
        if the search finds another number of solutions without the rule, or would take more than
        these seconds: it has `longer` times as many nodes.
    """
    lacking = builds.lacking.get(rule)
    without = built(builds.counting, *(("unruled", rule) if lacking is None else ("bare",)))
    searches = [lambda: exhaust(builds.run("bare", instance)),
                lambda: exhaust(without(instance, **{**builds.parameters, **(lacking or {})}))]
    with quiet():
        if longer * sample(searches[0]).wall > seconds:
            raise MiscountError(f"without the rule {rule}, the search may take over {seconds:g} s")
        made = list(map(calibrate, searches))
        if made[0].found != made[1].found:
            raise MiscountError(f"without the rule {rule}, the search finds {made[1].found:,} "
                                f"solutions, not {made[0].found:,}")
        loops, taken = choose_loops(made), [[0.0] * ROUNDS for _ in searches]
        for turn, order in enumerate(orders(len(searches), ROUNDS, rule)):
            for place in order:
                taken[place][turn] = sample(searches[place], loops[place]).seconds()
    return [over / under for over, under in zip(*taken, strict=True)]


def examine(builds: PythonBuilds[Any, Any], instance: Any, counted: Tally,
            seconds: float) -> list[dict[str, Any]]:
    """Return a row of COLUMNS for each rule and level of a search, and one for all levels, None,
    which alone has the `cost`: how many times as long the search takes with the rule as without it,
    in each round. A rule that is switched off has none.

    NAME_error is a standard error, and `fault` says why something is not known, and None. The
    replay of a rule, and a search without it, may take `seconds`.
    """
    found = []
    for rule in builds.rules:
        if is_switched_off(builds.counting, rule, builds.parameters):
            continue
        refused, fault = getattr(counted, of_rule(rule).name), None
        saved, total = [(nan, nan)] * len(refused), (nan, nan)
        try:
            if rule in builds.lacking:
                total = count_lacking(builds, instance, rule, counted, seconds), 0.0
            else:
                saved = replay(builds, instance, rule, counted, seconds)
                total = fsum(nodes for nodes, _ in saved), hypot(*(error for _, error in saved))
        except Exception as error:  # also whatever the search does without a rule
            fault = f"the nodes that {rule} saves: {describe_error(error)}"
        nodes, errors = zip(*saved, strict=True)
        cost: list[float] = []
        try:
            longer = inf if isnan(total[0]) else 1 + total[0] / counted.nodes
            cost = measure_cost(builds, instance, rule, longer, seconds)
        except Exception as error:
            fault = fault or f"what {rule} takes: {describe_error(error)}"
        rows = [*zip(range(len(refused)), refused, nodes, errors, strict=True), (
            None, sum(refused), *total)]
        found += [dict(zip(RULE_FIELDS, [rule, *(None if cell != cell else cell for cell in row),
                                         cost if row[0] is None else None, fault], strict=True))
                  for row in rows if row[1] or row[0] is None]
    return found


def in_words(row: Mapping[str, Any]) -> list[str]:
    """Return what a rule refuses, saves and takes at a level, from a row of `examine`: the nodes
    saved with their 95 % interval, the median of the rounds from the least to the greatest.

    >>> in_words({"rule": "hall", "level": None, "refused": 1200, "nodes_saved": 88.0,
    ...           "nodes_saved_error": 0.0, "cost": [1.69, 1.65, 1.72]})
    ['hall', 'all', '1,200', '88', '1.69 (1.65 to 1.72)']
    """
    saved, error, cost = row["nodes_saved"], row["nodes_saved_error"], row["cost"]
    return [row["rule"], "all" if row["level"] is None else str(row["level"]),
            f"{row['refused']:,}", "not known" if saved is None else
            format_range(saved, *Quantity(saved, error).interval), "" if cost is None else
            format_range(median(cost), min(cost), max(cost)) if cost else "not known"]

"""Estimates of search trees, made by runs of the search itself.

`nqbench.search.steering` leads a search along one random path, or through one node of each stretch
of a level. Both give estimates whose means are the true numbers. Their spread gives the standard
error. The 95 % interval is that of Student's t distribution, with Hall's correction: few paths lead
to most of the nodes, so a mean is skewed, and more often far too small than far too large.

Two trees are compared by runs that share their nodes (`estimate_together`): what one run finds of
both varies together, so their ratio is known better than either. What is known of a tree, such as
the number of its solutions, corrects the rest by regression over the runs (control variates;
Cochran, Sampling Techniques, 3rd edition, 1977, chapter 7).

Hall, On the removal of skewness by transformation, Journal of the Royal Statistical Society B 54
(1992).
"""

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate, combinations
from math import cbrt, hypot, inf, sqrt
from random import Random
from statistics import fmean
from sys import maxsize
from time import thread_time
from typing import Any, NoReturn

from nqbench.errors import BuildError, InvalidValueError, describe_error
from nqbench.search.algorithm import Algorithm, Finds, Tree
from nqbench.search.implementations import exhaust
from nqbench.search.steering import Chosen, Path, Shared, Steering, SteeringError, Strata, lead
from nqbench.util.arguments import require_text, require_whole
from nqbench.util.text import html_table

METHODS = ("knuth", "stratified")
NORMAL = 1.959963984540054  # standard errors on both sides of a 95 % interval
NO_SKEWNESS = 1e-6  # so little changes no end, and its cube root is not exact
PROBES = 4000
STRATIFIED_RUNS = 32  # of the stratified estimate, which divide the probes among them
LEAST_SHARE = 0.3  # of the probes: what each level gets at least in runs of several searches
CORRECTED = 16  # fewer runs are not corrected by what is known
PILOTS = 32  # paths, and then nodes of each level, that say how long the stretches should be
ENOUGH_SOLUTIONS = 100  # solutions reached; with fewer, the interval for their number is too narrow
SHORT = 0.005  # seconds of a search that is compared with estimates of its time
TRIALS, KEPT = 4, 0.7  # trees with subtrees left out, and the probability of a child to be kept
MOST_COMPARED = 3000  # nodes of a tree that is compared
MEANS = 8  # so often, each time with the mean of as many estimates
FEW, MANY = 6, 48  # nodes that one stands for there on the widest level of a small, or large, tree

Row = Mapping[str | int, float]  # what one run found, by name, and by level
Known = Mapping[str, float]  # true values of what it found
FIGURES = ("estimate", "standard error", "from", "to")  # of a quantity, in tables


@dataclass(frozen=True)
class Quantity:
    """An estimated number: its mean over the probes, the standard error of the mean, how many
    standard errors its 95 % interval reaches to both sides, and the skewness of the mean, which
    moves both ends.

    >>> [round(end, 1) for end in Quantity(100.0, 10.0).interval]
    [80.4, 119.6]
    >>> [round(end, 1) for end in Quantity(100.0, 10.0, skewness=0.2).interval]
    [82.8, 123.4]
    """

    mean: float
    error: float
    reach: float = NORMAL
    skewness: float = 0.0

    @property
    def pair(self) -> tuple[float, float]:
        """The mean and the standard error, as a record has them."""
        return self.mean, self.error

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval: Hall's."""
        return self.mean - self._errors(self.reach), self.mean - self._errors(-self.reach)

    def _errors(self, normal: float) -> float:
        """Return how far a mean as skewed as this one is off, where a normal one is `normal`
        standard errors off.
        """
        if abs(self.skewness) > NO_SKEWNESS:
            straight = 1 + self.skewness * (normal - self.skewness / 6)
            normal = 3 / self.skewness * (cbrt(straight) - 1)
        return normal * self.error

    def texts(self) -> list[str]:
        """Return its FIGURES as text, the error with two digits.

        >>> Quantity(817129.0, 36123.0).texts()[:2]
        ['817,129', '36,000']
        """
        return [f"{x:,.6g}" for x in (self.mean, float(f"{self.error:.2g}"), *self.interval)]


@dataclass(frozen=True)
class Estimate:
    """Estimates of a tree from random probes.

    Attributes
    ----------
    what
        whose tree, in words.
    method, probes, seed
        how it was estimated.
    runs, reached
        how many runs the probes were divided among, and how many of these reached a solution.
    nodes, levels
        the nodes of the tree, and of each level.
    counters
        the counters of the search by name, the solutions, and the seconds of its timed build.
    rows
        what each run found: the same by name, and the nodes of each level by its number.
    """

    what: str
    method: str
    probes: int
    seed: int
    runs: int
    reached: int
    nodes: Quantity
    levels: list[Quantity]
    counters: Mapping[str, Quantity]
    rows: Sequence[Row] = field(repr=False)

    @property
    def solutions(self) -> Quantity:
        """The number of solutions."""
        return self.counters["solutions"]

    def named(self) -> dict[str, Quantity]:
        """Return all estimates but the levels."""
        return {"nodes": self.nodes, **self.counters}

    def table(self) -> list[tuple[str, Quantity]]:
        """Return all estimates by name, without levels that are empty."""
        return [*self.named().items(), *((f"level {k}", level)
                                         for k, level in enumerate(self.levels) if level.mean)]

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        return html_table(
            f"{self.what}, {self.probes:,} probes ({self.method}), seed {self.seed}; 95 % lie "
            "between from and to", ["quantity", *FIGURES],
            [(name, *x.texts()) for name, x in self.table()], numeric=FIGURES)


def estimate(algorithm: Algorithm[Any, Any], instance: Any, probes: int = PROBES, seed: int = 0,
             method: str = "stratified") -> Estimate:
    """Estimate the tree of a search: nodes, levels, counters, solutions and seconds.

    Parameters
    ----------
    algorithm
        any algorithm whose search is recursive and finds all solutions.
    instance
        n, a `nqbench.problems.instances.Board`, or 81 digits.
    probes
        random paths ("knuth"), or nodes that are visited of each level ("stratified").
    seed
        random seed; the same seed gives the same estimate, but for the seconds.
    method
        "knuth" or "stratified".

    Returns
    -------
    Estimate
        mean, standard error and 95 % interval of each quantity. The seconds are those of the bare
        build, in Python, on this machine.

    Raises
    ------
    TypeError, ValueError
        if an argument is not allowed, or if the search cannot be led, with the reason.

    Examples
    --------
    >>> from nqbench.problems.queens import find
    >>> found = estimate(find("fewest_first"), 8, probes=1000, seed=1)
    >>> low, high = found.nodes.interval
    >>> low < find("fewest_first").profile(8).nodes < high
    True
    """
    return deque(estimating(algorithm, instance, probes, seed, method), maxlen=1).pop()


def estimating(algorithm: Algorithm[Any, Any], instance: Any, probes: int = PROBES, seed: int = 0,
               method: str = "stratified") -> Iterator[Estimate]:
    """Yield the estimate from the runs made so far, regularly and at the end."""
    probes, seed = require_whole(probes, "probes", least=2), require_whole(seed, "seed")
    if require_text(method, "method") not in METHODS:
        raise InvalidValueError(f"there is no method {method!r}, only {' and '.join(METHODS)}")
    require_steerable(algorithm)
    _, instance = algorithm.implementation("python", instance)
    return sample(algorithm, instance, probes, seed, method, speed(algorithm, instance, method))


def sample(algorithm: Algorithm[Any, Any], instance: Any, probes: int, seed: int, method: str,
           speed: Quantity) -> Iterator[Estimate]:
    """Yield what `estimating` does, for a search that can be led and whose speed is known."""
    random = Random(seed)
    if method == "knuth":
        runs, step = probes, 1
        run = partial(lead, algorithm, instance, Path, random)
    else:
        runs = min(STRATIFIED_RUNS, probes)
        step = probes // runs
        run = partial(lead, algorithm, instance, Strata, random, _divide(
            _levels(algorithm, instance, step, random), step))
    rows = []
    for made in range(1, runs + 1):
        rows.append(_row(run()))
        if made > 1 and (made == runs or made % max(1, runs // 100) == 0):
            yield _estimate(algorithm, instance, rows, method, step, seed, speed)


def estimate_together(algorithms: Sequence[Algorithm[Any, Any]], instance: Any,
                      probes: int = PROBES, seed: int = 0,
                      known: Sequence[Known] = ()) -> Iterator[list[Estimate]]:
    """Return estimates of several trees from runs that share their nodes, one by one as more runs
    are made.

    A node is known by the squares that were tested on the way to it. One that several searches have
    is visited by all of them, or by none, and stands for as many. So a tree that is within another
    is never estimated to be larger. If a search uses a symmetry, that holds for mirror images, too.

    On average, `probes` nodes of a level are visited, the most where the trees vary most. `known`
    has the true values of some quantities of each tree, such as "nodes" or "answers".

    Raises
    ------
    TypeError, ValueError
        as `estimate` does, or if two searches have no node but the root in common.

    Examples
    --------
    >>> from nqbench.problems.queens import find
    >>> *_, (plain, ahead) = estimate_together([find("bitmask"), find("forward_checking")], 8,
    ...                                        probes=1000)
    >>> low, high = ratios(ahead, plain)["nodes"].interval
    >>> low < 1165 / 2057 < high
    True
    """
    probes, seed = require_whole(probes, "probes", least=2), require_whole(seed, "seed")
    for algorithm in algorithms:
        require_steerable(algorithm)
        _, instance = algorithm.implementation("python", instance)
    return sample_together(algorithms, instance, probes, seed, [
        speed(algorithm, instance, "together") for algorithm in algorithms], known)


def sample_together(algorithms: Sequence[Algorithm[Any, Any]], instance: Any, probes: int,
                    seed: int, speeds: Sequence[Quantity], known: Sequence[Known] = (),
                    apart: bool = False) -> Iterator[list[Estimate]]:
    """Yield what `estimate_together` does, for searches that can be led and whose speeds are known.
    They may be `apart`, without a common node: then the estimates are as good as those of each
    search alone.
    """
    random, runs = Random(seed), min(STRATIFIED_RUNS, probes)
    step = probes // runs
    levels = [_levels(algorithm, instance, step, random) for algorithm in algorithms]
    stretches = [_share_out(each, step) for each in levels]
    order = sorted(range(len(algorithms)), key=lambda k: sum(levels[k]))  # the smallest tree first
    mirrored = any(algorithm.uses_symmetry for algorithm in algorithms)
    rows: list[list[Row]] = [[] for _ in algorithms]
    for made in range(1, runs + 1):
        chosen: Chosen = {}
        first: dict[str, set[tuple[int, ...]]] = {}  # below the root, by search
        for k in order:
            tally = lead(algorithms[k], instance, Shared, random, stretches[k], chosen, mirrored)
            if tally.many and not apart:
                raise SteeringError(f"{algorithms[k].name} cannot be compared by shared nodes: it "
                                    "does not report by tally.test(row, column) which square it "
                                    "tested before each node")
            rows[k].append(_row(tally))
            first[algorithms[k].name] = tally.first
        if made == 1 and not apart:
            _require_common(first)
        if made > 1:
            yield [replace(_estimate(algorithm, instance, corrected, "together", step, seed, each),
                           reached=_reached(own))
                   for algorithm, own, corrected, each in zip(
                       algorithms, rows, _correct(rows, known), speeds, strict=True)]


def _require_common(first: Mapping[str, set[tuple[int, ...]]]) -> None:
    """Raise SteeringError if the trees of two searches part at the root."""
    for (one, own), (other, its) in combinations(first.items(), 2):
        if own and its and own.isdisjoint(its):
            squares = min(own), min(its)
            raise SteeringError(
                f"{one} and {other} cannot be compared by shared nodes: below the root they have "
                f"none in common, as {one} begins with squares such as {squares[0]}, and {other} "
                f"with such as {squares[1]}; estimate each alone")


def ratios(of: Estimate, to: Estimate) -> dict[str | int, Quantity]:
    """Return how many times as much the runs found `of` one tree as of another, by name, and by
    level; the runs of both are those of `estimate_together`.
    """
    return {name: ratio_of_runs(*([row[name] for row in each.rows] for each in (of, to)))
            for name in to.rows[0] if name in of.rows[0] and name != "seconds"
            and any(row[name] for row in to.rows)}


def ratio_of_runs(own: Sequence[float], other: Sequence[float]) -> Quantity:
    """Return the ratio of the means of two quantities that the same runs found."""
    mean = fmean(other)
    ratio = fmean(own) / mean
    (off,) = quantities([[(x - ratio * y) / mean] for x, y in zip(own, other, strict=True)])
    return replace(off, mean=ratio)


def _row(tally: Steering) -> Row:
    """Return what a run found."""
    return {"nodes": sum(tally.nodes_by_level), "dead_ends": sum(tally.dead_by_level),
            **tally.sums, **dict[Any, float](enumerate(tally.nodes_by_level))}


def _reached(rows: Sequence[Row]) -> int:
    """Return how many runs reached a solution."""
    return sum(row["answers"] > 0 for row in rows)


def _correct(rows: Sequence[Sequence[Row]], known: Sequence[Known]) -> Sequence[Sequence[Row]]:
    """Return what the runs found of each tree, corrected by a regression on the errors of what is
    known.

    That gives each run another weight. None is negative, so a tree within another stays smaller.
    The bias is of the order of 1 / runs. The values spread so that their standard error is that of
    the regression.
    """
    import numpy as np

    runs = len(rows[0])
    errors = {}  # of the known in each run, as the mean over the trees of which it is known
    for name in {name: None for each in known for name, value in each.items() if value}:
        errors[name] = np.mean([[row[name] / each[name] - 1 for row in own]
                                for own, each in zip(rows, known, strict=True) if each.get(name)],
                               axis=0)
    kept = [each for each in errors.values() if np.std(each) > NO_SKEWNESS]
    if not kept or runs < CORRECTED:
        return rows
    off = np.transpose(kept)
    mean = off.mean(axis=0)
    around = off - mean
    slopes = np.linalg.pinv(around.T @ around, hermitian=True)
    less = around @ slopes @ mean  # of the weight of each run
    share = 1 / max(1.0, runs * float(np.max(less)))
    wider = sqrt((runs - 1) / (runs - 1 - len(kept)) * (1 + runs * mean @ slopes @ mean))
    found = []
    for own in rows:
        values = np.array([[*row.values()] for row in own], float)
        values -= share * off @ (slopes @ (around.T @ values))
        means = values.mean(axis=0)
        found.append([dict(zip(own[0], row, strict=True))
                      for row in (means + wider * (values - means)).tolist()])
    return found


def _estimate(algorithm: Algorithm[Any, Any], instance: Any, rows: Sequence[Row], method: str,
              step: int, seed: int, speed: Quantity) -> Estimate:
    """Return the estimate from some runs."""
    found = dict(zip(rows[0], quantities([[*row.values()] for row in rows]), strict=True))
    levels = [x for name, x in found.items() if isinstance(name, int)]
    counters = {name: x for name, x in found.items() if isinstance(name, str)}
    nodes, dead_ends, solutions, seconds = map(
        counters.pop, ("nodes", "dead_ends", "answers", "seconds"))
    return Estimate(
        algorithm.name, method, len(rows) * step, seed, len(rows),
        _reached(rows), nodes, levels,
        {"solutions": _product(Quantity(1.0 + algorithm.doubles(instance), 0.0), solutions),
         **counters, "dead_ends": dead_ends, "seconds": _product(speed, seconds)}, [*rows])


def quantile(freedom: float, level: float = 0.975) -> float:
    """Return the quantile of Student's t, by default that of a two-sided 95 % interval.

    >>> round(quantile(4), 3)
    2.776
    """
    from scipy.special import stdtrit  # which takes long to load

    return float(stdtrit(freedom, level))


def quantities(rows: Sequence[Sequence[float]]) -> list[Quantity]:
    """Return the quantity of each column; the rows are independent."""
    import numpy as np

    values = np.array(rows)
    means, many = values.mean(axis=0), len(rows)
    off = values - means
    errors = values.std(axis=0, ddof=1) / sqrt(many)
    spread = values.std(axis=0)
    skewness = np.mean(off**3, axis=0) / np.where(spread, spread, 1.0)**3 / sqrt(many)
    reach = quantile(many - 1)
    return [Quantity(float(mean), float(error), reach, float(skewed))
            for mean, error, skewed in zip(means, errors, skewness, strict=True)]


def _product(x: Quantity, y: Quantity) -> Quantity:
    """Return the product of two independent numbers, to the first order of their errors."""
    parts = (x.error * y.mean, x.skewness), (y.error * x.mean, y.skewness)
    error = hypot(*(part for part, _ in parts))
    cubes = sum(skewness * part**3 for part, skewness in parts)
    return Quantity(x.mean * y.mean, error, max(x.reach, y.reach),
                    cubes / error**3 if error else 0.0)


def _levels(algorithm: Algorithm[Any, Any], instance: Any, width: int,
            random: Random) -> list[float]:
    """Return about how many nodes each level has, for stretches of which one in `width` is visited.
    """
    paths = [lead(algorithm, instance, Path, random).nodes_by_level for _ in range(PILOTS)]
    levels = [*map(fmean, zip(*paths, strict=True))]
    for many in (PILOTS, max(PILOTS, width / 2)):  # the paths may miss much of a level
        levels = lead(algorithm, instance, Strata, random, _divide(levels, many)).nodes_by_level
    return levels


def _divide(levels: Sequence[float], width: float) -> list[float]:
    """Return the stretches that have `width` nodes on each level; they never become shorter."""
    return [*accumulate((max(1.0, nodes / width) for nodes in levels), max)]


def _share_out(levels: Sequence[float], width: float) -> list[float]:
    """Return the stretches for runs of several searches, which visit `width` nodes of a level on
    average.

    What two trees do not have in common below a node varies about as much as the square root of
    its size: of a level with N nodes, and T below it, the square root of N T deserves a visit.
    """
    below = [*accumulate(reversed(levels))][::-1]
    wanted = [sqrt(nodes * (rest - nodes)) for nodes, rest in zip(levels, below, strict=True)]
    many = width * sum(nodes > 0 for nodes in levels) / max(sum(wanted), 1.0)
    return [*accumulate((max(1.0, nodes / max(LEAST_SHARE * width, many * each))
                         for nodes, each in zip(levels, wanted, strict=True)), max)]


def speed(algorithm: Algorithm[Any, Any], instance: Any, method: str) -> Quantity:
    """Return how long the bare build takes for each second that the method estimates, on the
    first smaller instance that it does not search in a moment.
    """
    for smaller in algorithm.smaller(instance):
        instance, bare = smaller, _seconds(algorithm, smaller)
        if bare > SHORT:
            break
    levels, random = algorithm.profile(instance).levels, Random(0)
    visited = max(max(levels) / MANY, min(64.0, max(levels) / FEW))
    kind = {"knuth": Path, "stratified": Strata, "together": Shared}[method]
    run = partial(lead, algorithm, instance, kind, random,
                  *[_divide(levels, visited)] * (kind is not Path))
    ratios = []
    for _ in range(MEANS):
        estimated = fmean(run().sums["seconds"] for _ in range(MEANS))
        ratios.append(_seconds(algorithm, instance) / estimated)
    return quantities([[ratio] for ratio in ratios])[0]


def _seconds(algorithm: Algorithm[Any, Any], instance: Any) -> float:
    start = thread_time()
    exhaust(algorithm.python.run("bare", instance))
    return thread_time() - start


def require_steerable(algorithm: Algorithm[Any, Any]) -> None:
    """Raise SteeringError, with the reason, unless the search can be led through its tree.

    On small instances, leaving out all calls below a level must not change the levels above. On
    larger ones, leaving out random subtrees must not change what is counted at any other node.
    """
    def refuse(why: str, error: Exception | None = None) -> NoReturn:
        raise SteeringError(f"the tree of {algorithm.name} cannot be estimated: {why}") from error

    if algorithm.tree == Tree.NONE:
        refuse(f"{algorithm.no_tree}, so it has none")
    if algorithm.search is None:
        refuse("it is only compiled")
    if algorithm.finds == Finds.ONE:
        refuse("it ends at its first solution")
    if any(counter.name == "jumps" for counter in algorithm.counters):
        refuse("where it goes back to depends on what it has searched")
    for label, instance in algorithm.small_instances().items():
        levels = algorithm.profile(instance).levels
        if not any(levels):
            refuse("it reports no nodes; call tally.node(level) where a placement is accepted")
        root = next(level for level, nodes in enumerate(levels) if nodes)
        for last in range(root, len(levels)):
            try:
                found = lead(algorithm, instance, Strata, Random(0), [
                    1.0 if level <= last else inf for level in range(len(levels))]).nodes_by_level
            except (BuildError, SteeringError) as error:
                refuse(str(error), error)
            except Exception as error:  # whatever a search raises without the results of a call
                refuse(f"it does not work if a call is left out ({describe_error(error)})", error)
            if found[:last + 2] != levels[:last + 2]:
                refuse(f"if all calls below level {last} are left out, its levels for {label} are "
                       f"{[*map(int, found[:last + 2])]}, not {levels[:last + 2]}")
    for instance in algorithm.larger_instances():
        if name := _find_changing(algorithm, instance):
            refuse("what it does at a node depends on what it has searched before: with random "
                   f"subtrees of a small tree left out, the {name} of others change"
                   + "; call tally.solution() where an answer is complete" * (name == "answers"))


class _Noting(Shared):
    """A run that visits each node once, and notes what it counts there, by number and name."""

    def prepare(self, names: Sequence[str], *given: Any) -> None:
        super().prepare(("nodes", *names), *given)
        self.counted = Counter[tuple[int, str]]()

    def go(self, level: int, weight: float) -> None:
        number, _ = self.way.get(self.level, (0, 0))
        for name, now, last in zip(self.names, self.values(), self.last, strict=True):
            self.counted[number, name] += int(now - last)
        super().go(level, weight)


def _find_changing(algorithm: Algorithm[Any, Any], instance: Any) -> str:
    """Return what a search counts otherwise at some node if random subtrees of its tree are left
    out; empty if nothing.
    """
    if algorithm.python.search(instance, maxsize, 0, MOST_COMPARED).gave_up:
        return ""
    found: Chosen = {}
    levels = [1.0] * len(algorithm.tally(instance).levels)
    whole = lead(algorithm, instance, _Noting, Random(0), levels, found).counted
    for seed in range(TRIALS):
        random, kept, some = Random(seed), {0}, found.copy()
        for child, (number, _) in found.items():  # each after its parent
            some[child] = number, 1.0 if random.random() < KEPT else None
            kept |= {number} if some[child][1] and child[0] in kept else set()
        led = lead(algorithm, instance, _Noting, random, levels, some).counted
        for number, name in whole | led:
            if led[number, name] != whole[number, name] * (number in kept):
                return str(name)
    return ""

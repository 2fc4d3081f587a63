"""Estimate the tree of any recursive search from random runs of the search itself.

A search cannot say how many children a node has before it has tried them, and cannot be told which
one to visit. But in its steered build (`nqbench.search.builds`) each call of a recursive function
goes through `descend` of its tally. The tally counts the child, and either lets the call happen or
leaves it out, and the search goes on with the next child. What the search does for a node that is
visited counts with the weight of that node: the number of nodes that it stands for.

- `Path` visits one child of each node, drawn at random, after Knuth (1975). The number of children
  is known only after the last one. So the search tries the children of a node twice: first to count
  them, then to reach the one that is drawn.
- `Strata` visits many nodes of each level in one run. The nodes of a level, in the order of the
  search, are divided into stretches of equal weight, and one node of each is visited: systematic
  sampling (Madow and Madow, 1944). All of them stand for equally many nodes, so one run varies much
  less than one path. In the strata of Chen (1992) nodes have equally many children, which a search
  in depth does not know in time.

- `Shared` does the same for several searches, whose nodes are told apart by the squares that were
  tested on the way to them: what one has chosen, or left out, the others do, too. So the samples of
  two trees overlap, as those of two surveys with permanent random numbers (Ohlsson, 1995).

The mean of all is the true number, for any tree, if a call leaves the search as it found it.
`require_steerable` tries this.

Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975); Chen,
Heuristic sampling, SIAM Journal on Computing 21 (1992); Madow and Madow, On the theory of
systematic sampling, Annals of Mathematical Statistics 15 (1944).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from inspect import isgeneratorfunction
from random import Random
from time import thread_time
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.search.algorithm import Algorithm
from nqbench.search.builds import built
from nqbench.search.implementations import exhaust
from nqbench.search.metrics import REFUSED
from nqbench.search.tally import Tally

# The number and the weight of a node by the number of its parent and the square between them; no
# weight: it is left out. The root has the number 0.
Chosen = dict[tuple[int, ...], tuple[int, float | None]]


_yields = lru_cache(maxsize=16)(isgeneratorfunction)  # asked for each node


class _LeftOut(BaseException):
    """The node of this call is not visited."""


class _Reached(BaseException):
    """A path has come to its end."""


class SteeringError(InvalidValueError):
    """The tree of a search cannot be estimated from runs of the search itself."""


class Steering(Tally):
    """What a tally does to lead its search; it stands before the class of the tally.

    Attributes
    ----------
    level, weight
        of the node whose children are tried.
    nodes_by_level, dead_by_level, sums
        estimates from this run: of the levels, and of the counters that are numbers; the seconds.
    """

    def prepare(self, names: Sequence[str], rules: Sequence[str], random: Random) -> None:
        """Prepare a run: `names` are the counters that are numbers, `rules` those of the search."""
        self.names, self.random = ("answers", *names), random
        self.nodes_by_level, self.dead_by_level = ([0.0] * len(self.levels) for _ in range(2))
        self.yielded = 0
        self.sums = dict.fromkeys((*self.names, *(REFUSED + rule for rule in rules), "seconds"),
                                  0.0)
        self.level, self.weight = -1, 1.0
        self.before = False  # is a node reported before its call, or inside it?
        self.fresh = False  # has a call begun that has reported no node yet?
        self.waiting: tuple[int, float | None] | None = None  # a node before its call
        self.last = self.values()
        self.resumed = thread_time()  # when the search went on

    @property
    def answers(self) -> int:
        """The solutions so far, also those that are reached at a node and yielded later."""
        return max(self.visits, self.yielded)

    def values(self) -> list[float]:
        return [getattr(self, name) for name in self.names]

    def stop_clock(self) -> None:
        """Count the time of the search until now; the time of this class does not count."""
        self.sums["seconds"] += self.weight * (thread_time() - self.resumed)

    def go(self, level: int, weight: float) -> None:
        """Go to a node; what was counted since the last time was counted for the one before."""
        values = self.values()
        for name, now, last in zip(self.names, values, self.last, strict=True):
            self.sums[name] += self.weight * (now - last)
        self.last = values
        self.level, self.weight = level, weight

    def dead_end(self, level: int) -> None:
        self.dead_by_level[level] += self.weight

    def refused(self, level: int, rule: str) -> None:
        self.sums[REFUSED + rule] += self.weight

    def node(self, level: int) -> None:
        self.stop_clock()
        self.report(level)
        self.resumed = thread_time()

    def report(self, level: int) -> None:
        """Count a node, and go to it or leave it out."""
        if level <= self.level or (self.level < 0 and any(self.nodes_by_level)):
            raise SteeringError("it reports a node that is not below the one whose children it "
                                "tries, as a search that begins again does")
        super().node(level)
        self.nodes_by_level[level] += self.weight
        if self.level < 0:  # the root
            self.before, self.fresh = not self.fresh, False
            self.go(level, self.weight)
            return
        weight = self.choose(level)
        if self.before:
            self.waiting = level, weight
        elif self.fresh:
            self.fresh = False
            if weight is None:
                raise _LeftOut
            self.go(level, weight)

    def descend(self, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Call a function, or leave it out."""
        call = partial(function, *given, **named)
        if self.before and self.waiting is None:
            return call()  # for the same node
        yields = _yields(function)
        steps = call if yields else lambda: [call()]
        if self.waiting is None:
            walk = self.visit(steps)
        else:
            (level, weight), self.waiting = self.waiting, None
            walk = iter(()) if weight is None else self.visit(steps, level, weight)
        if yields:
            return walk
        exhaust(walk)
        return None

    def visit(self, call: Callable[[], Any], level: int = -1, weight: float = 0.0) -> Iterator[Any]:
        """Run the call for a node, whose level and weight are known if it was reported before."""
        self.stop_clock()
        outer = self.level, self.weight
        self.fresh = not self.before
        if self.before:
            self.go(level, weight)
        self.resumed = thread_time()
        try:
            yield from self.run(call)
            self.stop_clock()
            self.go(*outer)
        except _LeftOut:  # its parent was not left
            pass
        self.fresh = False
        self.resumed = thread_time()

    def run(self, call: Callable[[], Any]) -> Iterator[Any]:
        yield from call()

    def choose(self, level: int) -> float | None:
        """Return the weight of a child if it shall be visited."""
        raise NotImplementedError


class Strata(Steering):
    """Many nodes of each level: one of each stretch whose weights add up to `stretch[level]`."""

    def prepare(self, names: Sequence[str], rules: Sequence[str], random: Random,
                stretch: Sequence[float] = ()) -> None:
        super().prepare(names, rules, random)
        self.stretch = stretch
        self.place = [random.random() for _ in stretch]  # in the stretch, as a part of it

    def choose(self, level: int) -> float | None:
        weight = max(self.weight, self.stretch[level])
        self.place[level] += self.weight / weight
        if self.place[level] < 1:
            return None
        self.place[level] -= 1
        return weight


class Shared(Strata):
    """A run that remembers what it has `chosen`, or left out, for others that share this: they do
    the same with the same nodes, or, if `mirrored`, with their mirror images.

    Children before which no square was tested are numbered: `many` has how many, by node. `first`
    has the squares below the root.
    """

    def prepare(self, names: Sequence[str], rules: Sequence[str], random: Random,
                stretch: Sequence[float] = (), chosen: Chosen | None = None,
                mirrored: bool = False) -> None:
        super().prepare(names, rules, random, stretch)
        self.chosen, self.mirrored = {} if chosen is None else chosen, mirrored
        self.way: dict[int, tuple[int, int]] = {}  # by level: the node that was visited, its side
        self.many: dict[int, int] = {}
        self.first: set[tuple[int, ...]] = set()
        self.square: tuple[int, ...] = ()  # that was tested last, unless it has a node

    def test(self, *square: int) -> None:
        super().test(*square)
        self.square = square

    def given(self, *square: int) -> None:
        super().given(*square)
        self.square = square

    def choose(self, level: int) -> float | None:
        parent, side = self.way.get(self.level, (0, 0))
        if not self.square:
            self.many[parent] = self.many.get(parent, 0) + 1
            self.square = -1, self.many[parent]
        elif not parent:
            self.first.add(self.square)
        (row, column, *digit), self.square = self.square, ()
        if self.mirrored and row >= 0:
            image = self.n - 1 - column
            side = side or (column > image) - (column < image)
            column = image if side > 0 else column
        child = parent, row, column, *digit
        if child not in self.chosen:
            self.chosen[child] = len(self.chosen) + 1, super().choose(level)
        number, weight = self.chosen[child]
        self.way[level] = number, side
        return weight


class Path(Steering):
    """One child of each node, each with the same probability."""

    def prepare(self, names: Sequence[str], rules: Sequence[str], random: Random) -> None:
        super().prepare(names, rules, random)
        self.seen = 0  # children of the node
        self.wanted: int | None = None  # the place of the child to visit; None: they are counted
        self.stands_for = 1.0  # the weight of that child
        self.repeats = False  # will the node be reported once more?

    def run(self, call: Callable[[], Any]) -> Iterator[Any]:
        outer = self.level
        yield from call()
        self.stop_clock()
        if not self.seen:
            raise _Reached
        self.wanted, self.stands_for = self.random.randrange(self.seen), self.weight * self.seen
        self.seen, self.waiting = 0, None
        self.repeats, self.fresh = self.level != outer, not self.before
        self.go(outer if self.repeats else self.level, 0.0)
        self.resumed = thread_time()
        yield from call()
        if self.wanted is not None:
            raise SteeringError("a call does not leave the search as it found it")
        raise _Reached  # a child without a call

    def report(self, level: int) -> None:
        if self.repeats:
            self.repeats = self.fresh = False
            self.level = level
        else:
            super().report(level)

    def choose(self, level: int) -> float | None:
        if self.waiting is not None and self.waiting[1] is not None:
            raise _Reached  # a child without a call
        self.seen += 1
        if self.wanted != self.seen - 1:
            return None
        self.seen, self.wanted = 0, None
        return self.stands_for


def lead(algorithm: Algorithm[Any, Any], instance: Any, kind: type[Steering], *given: Any) -> Any:
    """Run a search once with a tally of this kind; return the tally."""
    builds, plain = algorithm.python, algorithm.tally(instance)
    tally: Any = type("Steered", (kind, type(plain)), {})(plain.n)
    tally.begin(builds.own, builds.uncounted)
    names = [name for name, value in tally.counters().items()
             if isinstance(value, int) and not name.endswith("_to_first")
             and name not in ("nodes", "dead_ends", "leaves")]
    tally.prepare(names, builds.rules, *given)
    search = built(builds.counting, "steered")
    with suppress(_Reached):
        for _ in tally.run(partial(search, instance, tally, **builds.parameters)):
            tally.yielded += 1
        tally.stop_clock()
    tally.go(-1, 0.0)
    return tally

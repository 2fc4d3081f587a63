"""Measure in a separate process, where searches take turns, round by round, in an order that a
seed shuffles.

Times differ from process to process by several per cent, however many samples each takes: the
memory layout differs, and so does the load of the machine. So a study uses several processes.

It does not receive Ctrl-C, and is killed if a search exceeds its time or its memory. That search,
or one that raises an error or ends the process, has no times, and the others are measured again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Any

from nqbench.errors import InvalidValueError, PluginError
from nqbench.problems import PROBLEMS, SolverKey
from nqbench.problems.plugins.children import Child, StoppedError
from nqbench.problems.plugins.limits import ENDED, LEFT_OUT, TIME, Limits
from nqbench.problems.plugins.parcels import unpack
from nqbench.records.record import Record
from nqbench.search.implementations import quiet
from nqbench.search.refusals import BRIEF, RULES, examine
from nqbench.study.samples import CLEARLY, STATE, Reference, Taken
from nqbench.util.clocks import PROCESSOR, WALL, Calibration, calibrate, choose_loops, now, orders

LOADING = 60.0  # seconds in which a process loads an external algorithm
WARM_N = 5  # queens of the search that warms up; of another problem, one instance


@dataclass(frozen=True)
class Search:
    """A search to be timed.

    Attributes
    ----------
    name
        its name in the progress.
    solver
        which solver of n queens or of Sudoku.
    n
        queens; None for instances of another problem.
    instances
        the texts of the instances.
    limit
        solutions of an instance after which its search stops; None for a count of all solutions of
        one instance.
    rounds
        how many samples are taken.
    loops
        searches in a sample; calibrated first, in each process, if None.
    allowed
        seconds that a sample may take, or the search with its calibration.
    predicted
        seconds of a search, 0 if they are not known.
    expected
        what it returns, if that is known; else each search must return what the first one did.
    threads
        how many it has, so that it needs as many cores; one alone is timed by the processor.
    """

    name: str
    solver: SolverKey
    rounds: int
    n: int | None = None
    instances: tuple[str, ...] = ()
    limit: int | None = 0
    loops: int | None = None
    allowed: float = inf
    predicted: float = 0.0
    expected: Any = None
    threads: int = 1

    def function(self) -> Callable[[], Any]:
        """Return the search as a function."""
        solver = self.solver.find()
        if self.n is not None:
            return partial(solver.count, self.n)
        given = [*map(PROBLEMS[self.solver.problem].parse, self.instances)]
        if self.limit is None:
            return partial(solver.count, *given)
        implementation = solver.algorithm.implementations[self.solver.implementation]
        counter: Callable[[], Any] = implementation.counter(given, self.limit)
        return counter

    def warm_up(self) -> None:
        """Run a smaller search, which builds and loads what is needed."""
        smaller = (replace(self, instances=self.instances[:1]) if self.n is None else
                   replace(self, n=min(self.n, WARM_N)))
        smaller.function()()


@dataclass(frozen=True)
class Timed:
    """The result of timing a search.

    Attributes
    ----------
    loops
        searches in a sample.
    samples
        the seconds of one search, in each round, by the clock that the state names.
    found
        what the first search found.
    printed
        the counters that the first search printed, if it is a program, by name.
    stopped
        why there are no samples: the search exceeded its time or its memory, failed, or ended its
        process.
    fault
        the first round whose search found something else, in words; empty if there is none.
    first
        the processor seconds of the first search, before the samples; 0 where the loops were known.
    calibrating
        the seconds until the loops of a long search were known: later processes know them.
    state
        the conditions of the samples, as fields of a record.
    """

    loops: int
    samples: list[float]
    found: Any = None
    stopped: StoppedError | None = None
    fault: str = ""
    first: float = 0.0
    calibrating: float = 0.0
    printed: Mapping[str, int] = field(default_factory=dict)
    state: Mapping[str, Any] = field(default_factory=STATE.copy)

    @property
    def wall(self) -> list[float]:
        """The seconds that passed for one search, in each round."""
        return list(self.state.get(WALL) or self.samples)

    @property
    def processor(self) -> list[float | None]:
        """The seconds of the processor for one search, in each round, where they are known."""
        return list(self.state.get(PROCESSOR) or ()) if self.state["clock"] == WALL else [
            *self.samples]

    @property
    def why(self) -> dict[str, Any]:
        """Return why there are no samples to use, as fields of a record; none if there are."""
        if self.stopped:
            return explain_stop(self.stopped)
        return {"status": ENDED, "samples": [], "fault": self.fault} if self.fault else {}

    def is_cut(self, many: int) -> bool:
        """Return whether the budget ended before it had so many samples; then a point has none of
        a later process.
        """
        return self.stopped.outcome == LEFT_OUT if self.stopped else (
            not self.fault and len(self.samples) < many)


def leave_out(cost: float, allowed: float, reason: str = "no time left") -> Record:
    """Return that a point is left out, as fields of its record: the seconds that it would cost, and
    those that it was allowed.
    """
    return {"status": LEFT_OUT, "samples": [], "reason": reason, "cost": cost,
            "allowed": max(0.0, allowed)}


def explain_stop(stopped: StoppedError, cost: float = 0.0) -> Record:
    """Return why a search was stopped, as fields of its record; `cost` are the seconds that it
    needs, if they are known.
    """
    if stopped.outcome == LEFT_OUT:
        return leave_out(cost, stopped.seconds)
    return {"status": stopped.outcome, "samples": [], "fault": str(stopped)}


def in_turns(searches: Sequence[Search], shortest: float, say: Callable[[str], None],
             reference: Reference | None = None, seconds: float = inf, seed: str = "",
             ) -> list[Timed]:
    """Time searches in rounds, in which they take turns, each on its own cores, in an order that
    the `seed` shuffles. A sample lasts at least `shortest` seconds. The `reference` shows when the
    machine is disturbed. What would take longer than so many seconds in all is not begun.

    >>> search = Search("", SolverKey("somers", "cython"), rounds=3, n=6)
    >>> (timed,) = in_turns([search], 0.001, lambda text: None)
    >>> timed.found * 2, len(timed.samples), timed.state["clock"]
    (4, 3, 'processor')
    """
    reference = reference or Reference()
    functions = [search.function() for search in searches]
    found = [Timed(1, []) for _ in searches]
    lasting = [search.predicted * (search.loops or 1) for search in searches]  # seconds of a sample
    end = now() + seconds - reference.patience
    unknown: dict[int, Calibration] = {}
    with reference.conditions as conditions, quiet():
        for place, (search, function) in enumerate(zip(searches, functions, strict=True)):
            if now() + lasting[place] > end:
                lasting[place] = inf
                continue
            say(f"warm-up: {search.name}")
            conditions.pin(search.threads)
            search.warm_up()
            if search.loops is None:
                begin = now()
                made = unknown[place] = calibrate(function, shortest)
                known = made.found if search.expected is None else search.expected
                found[place] = Timed(1, [], known, first=made.first, calibrating=(
                    now() - begin if made.least >= CLEARLY * shortest else 0.0))
            else:
                found[place] = Timed(search.loops, [], search.expected)
        for place, loops in zip(unknown, choose_loops([*unknown.values()], shortest), strict=True):
            found[place] = replace(found[place], loops=loops)
            lasting[place] = unknown[place].wall * loops
        rounds = max((search.rounds for search in searches), default=0)
        for turn, order in enumerate(orders(len(searches), rounds, seed)):
            for at, place in enumerate(order):
                search, one = searches[place], found[place]
                if turn < search.rounds and now() + lasting[place] <= end:
                    say(f"round {turn + 1} of {rounds}: {search.name}")
                    conditions.pin(search.threads)
                    taken = reference.sample(functions[place], one.loops, search.threads)
                    alone = search.threads == 1 == Limits.kept
                    found[place] = add_sample(one, turn, at, taken, alone, conditions.describe())
    return found


def add_sample(timed: Timed, turn: int, place: int, taken: Taken, alone: bool,
               machine: Mapping[str, Any]) -> Timed:
    """Return what was timed with one more sample, at its place in the round, of a search that has a
    core `alone`, and with the state of the machine. What its last search found is compared with
    what the first one did.
    """
    one, state = taken.sample, timed.state
    answer = one.found
    first = answer if timed.found is None else timed.found
    clock = state["clock"] if timed.samples else (
        PROCESSOR if alone and one.processor is not None else WALL)
    fault = timed.fault or (
        f"round {turn + 1} found {answer!r:.40}, not {first!r:.40}" if answer != first else
        f"the clock of the processor stood still in round {turn + 1}"
        if clock == PROCESSOR and one.processor is None else "")
    other = {WALL: one.wall, PROCESSOR: one.processor}
    del other[clock]
    state = {**machine, "clock": clock,
             "repeated": state["repeated"] + taken.repeated,
             "disturbed": state["disturbed"] + taken.disturbed,
             **{name: [*state.get(name, ()), value] for name, value in {
                 **other, "waited": one.waited, "losses": one.losses, "place": place}.items()}}
    return replace(timed, samples=[*timed.samples, one.seconds(clock)], found=first, fault=fault,
                   printed=timed.printed or getattr(answer, "counters", {}), state=state)


class Worker:
    """A process that measures; it starts when it is first needed.

    Attributes
    ----------
    overhead
        seconds beside samples and calibrations: of starts, warm-ups and messages.
    fastest
        the shortest time of the reference in any of its processes, in seconds.
    patience
        seconds that may still be spent on repeating samples.
    outside
        external algorithms that the process must know, see `nqbench.problems.plugins.parcels.pack`.
    limits
        what the process may take beside its time.
    left
        returns the seconds after which it is stopped, whatever it does.
    child
        the process, if it has started.
    unloaded
        why an external algorithm cannot be loaded in the process, by name: it has no points.
    """

    def __init__(self, patience: float = 0.0,
                 outside: Sequence[Mapping[str, Any]] = (), limits: Limits | None = None,
                 left: Callable[[], float] = lambda: inf) -> None:
        self.patience, self.left = patience, left
        self.outside, self.limits = outside, limits
        self.child: Child | None = None
        self.unloaded: dict[str, str] = {}
        self.loaded = False  # has one been loaded?
        self.overhead = 0.0
        self.fastest = inf

    def measure(self, searches: Sequence[Search], shortest: float,
                say: Callable[[str], None], seed: str = "") -> list[Timed]:
        """Return what `in_turns` does, measured in the process; of a search that was stopped, or
        ended the process, why. The others are then measured again.

        Raises
        ------
        PluginError
            if no external algorithm can be loaded, and there is nothing else.
        """
        begin, patience, over = now(), self.patience, StoppedError(LEFT_OUT, 0.0)
        named = {search.name: search for search in searches}
        found: dict[Search, Timed] = {}
        current: Search | None = None

        def hear(text: str) -> None:
            nonlocal current
            current = named[text.partition(": ")[2]]
            assert self.child is not None
            self.child.allow(min(current.allowed + self.patience, max(0.0, self.left())))
            say(text)

        while left := [search for search in searches if search not in found]:
            if self.left() <= 0:
                found |= dict.fromkeys(left, Timed(1, [], stopped=over))
                break
            try:
                self.start()
                if unloaded := {search: self.unloaded[search.solver.algorithm] for search in left
                                if search.solver.algorithm in self.unloaded}:
                    if len(unloaded) == len(searches) and not self.loaded:
                        raise PluginError("an external algorithm cannot be loaded: "
                                          f"{next(iter(unloaded.values()))}")
                    found |= {search: Timed(1, [], stopped=StoppedError(
                        ENDED, 0.0, f"it cannot be loaded: {why}"))
                        for search, why in unloaded.items()}
                    continue
                timed, self.fastest, self.patience = self.ask(
                    _measure, left, shortest, self.fastest, self.patience, self.left(), seed,
                    hear=hear, read=lambda told: (
                        [Timed(**each) for each in told[0]], *map(float, told[1:])))
                found |= {search: each if each.samples else replace(each, stopped=over)
                          for search, each in zip(left, timed, strict=True)}
            except StoppedError as error:
                if current is None and error.outcome != LEFT_OUT:
                    raise
                if current is None:
                    continue
                say(f"{error}: {current.name}")
                found[current] = Timed(1, [], stopped=error)
                current = None
        if not any(each.stopped for each in found.values()):  # else others were measured twice
            self.overhead += now() - begin - (patience - self.patience) - sum(
                each.calibrating + each.loops * sum(each.wall) for each in found.values())
        return [found[search] for search in searches]

    def ask(self, function: Callable[..., Any], *arguments: Any, seconds: float = inf,
            hear: Callable[[str], object] = bool,
            read: Callable[[Any], Any] = lambda found: found) -> Any:
        """Return what a function returns in the process; start none when the budget is over.

        Raises
        ------
        StoppedError
            if it takes more than these seconds, or too much memory, fails, or ends the process.
        """
        if self.left() <= 0:
            raise StoppedError(LEFT_OUT, 0.0)
        child = self.start()
        try:
            return child.call(function, *arguments, seconds=min(seconds, self.left()), hear=hear,
                              read=read)
        except PluginError as error:  # a search that raises is recorded like one that crashes
            raise StoppedError(ENDED, 0.0, str(error)) from None
        except StoppedError as error:
            if error.outcome == TIME and self.left() <= 0:
                raise StoppedError(LEFT_OUT, error.seconds) from None
            raise
        finally:
            if child.ended:
                self.stop()

    def start(self) -> Child:
        """Return the process; if there is none, start one that knows the external algorithms. One
        that cannot be loaded is `unloaded`.
        """
        if self.child is None:
            self.child = Child(self.limits)
            for each in self.outside:
                if each["name"] in self.unloaded:
                    continue
                try:
                    self.child.call(_learn, each, seconds=min(LOADING, self.left()))
                    self.loaded = True
                except (PluginError, StoppedError) as error:
                    if self.left() <= 0:
                        self.stop()
                        raise StoppedError(LEFT_OUT, 0.0) from None
                    self.unloaded[each["name"]] = str(error)
                    if self.child.ended:
                        self.stop()
                        return self.start()
        return self.child

    def stop(self) -> None:
        """Kill the process; the next measurement starts another one."""
        if self.child is not None:
            self.child.kill()
            self.child = None


def _learn(outside: Mapping[str, Any], tell: object) -> None:
    try:
        unpack([outside])
    except InvalidValueError as error:
        raise PluginError(str(error)) from None


def _measure(searches: Sequence[Search], shortest: float, fastest: float, patience: float,
             seconds: float, seed: str,
             tell: Callable[[str], None]) -> tuple[list[Timed], float, float]:
    """Return the times, and what the reference has found and spent."""
    reference = Reference(fastest, patience)
    timed = in_turns(searches, shortest, tell, reference, seconds, seed)
    return timed, reference.fastest, max(0.0, reference.patience)


def count(key: SolverKey, n: Any, names: Sequence[str], tell: object) -> dict[str, Any]:
    """Return the solutions and these counters of a search of n queens or of an instance, as far as
    it counts them, by name.
    """
    solver = key.find()
    tally: Any = solver.algorithm.profile(n, solver.implementation)
    found = {name: value for name, value in tally.counters().items()
             if name in names and value is not None}
    if RULES in names:
        found[RULES] = examine(solver.algorithm.python, n, tally, BRIEF)
    return {"solutions": tally.solutions, **found}

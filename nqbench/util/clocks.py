"""Time a search by two clocks: the time that passes, and the time of the processor.

A sample has the time that passes on the wall, the time that processors spend on the search, the
share of the time in which it was ready and waited for one, and how often another program took its
processor. A machine that does other things makes the first longer, not the second: so searches of
one thread are compared by processor time, and what has several threads, or a clock of its own, by
what passes. What a clock does not say is None, and is never taken for undisturbed.

All that nqbench compares is timed by `sample`, with the loops of `calibrate` and `choose_loops`, in
the order of `orders`. docs/benchmarking.md says what processor time hides.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from nqbench.errors import MiscountError

PROCESSOR, WALL = "processor", "wall"  # the clocks, as records name them
SHORTEST = 0.005  # seconds: by default, a sample repeats its search until it lasts so long
LONG = 3  # samples: a search that takes longer is run once before
RUNS = 3  # of a shorter one, whose least time counts
SURE = 0.2  # of a sample, that each of these runs lasts at least
ALIKE = 1.5  # times as long as the fastest of them: searches that repeat as often
STILL = 1 << 16  # loops: a clock that shows nothing after so many stands still
WAITED = 0.1  # of the time that passes: who waits longer for a processor is disturbed
WAIT = 0.1  # seconds without a processor that a loss of it explains, at most
# Of Linux: the nanoseconds that this thread spent on a processor, and those waiting for one.
SCHEDULED = Path("/proc/thread-self/schedstat")

now = time.perf_counter
spent = time.process_time  # seconds of processors, by all threads of this process


class Reading(NamedTuple):
    """The clocks at one moment, in seconds: what passed, what processors spent on this process, and
    on the children that it has waited for, and how long this thread waited for a processor; and how
    often others took one from them. None for what the system does not say.
    """

    wall: float
    own: float
    children: float
    waited: float | None
    losses: int | None

    @classmethod
    def take(cls, last: bool) -> "Reading":
        """Read the clocks, those that matter most `last`, or else first."""
        wall, own = now(), spent()
        children, losses, waited = 0.0, None, None
        with suppress(ImportError):  # on Windows
            import resource

            mine, theirs = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
            children = theirs.ru_utime + theirs.ru_stime
            losses = mine.ru_nivcsw + theirs.ru_nivcsw
        with suppress(OSError, ValueError, IndexError):
            waited = int(SCHEDULED.read_bytes().split()[1]) / 1e9
        if last:
            own, wall = spent(), now()
        return cls(wall, own, children, waited, losses)


class Sample(NamedTuple):
    """What one of several searches took in seconds, and what the last one found.

    Attributes
    ----------
    wall
        that passed.
    processor
        that processors spent, in all threads and in the processes that it waited for; None if that
        is not known, or if the search has a clock of its own.
    waited
        the share of the time that passed, in which it was ready and waited for a processor; None
        if that is not known.
    losses
        how often another program took its processor, in the whole sample; None if that is not
        known.
    found
        what the last search returned.
    """

    wall: float
    processor: float | None
    waited: float | None
    losses: int | None
    found: Any

    def seconds(self, clock: str = PROCESSOR) -> float:
        """Return those of the processor, or those that passed, also if the processor's are not
        known.
        """
        return self.wall if clock == WALL or self.processor is None else self.processor

    @property
    def disturbed(self) -> bool:
        """Whether it waited for a processor for more than a tenth of its time, or nobody knows."""
        return self.waited is None or self.waited > WAITED


def sample(search: Callable[[], Any], loops: int = 1, threads: int = 1) -> Sample:
    """Return what one of `loops` searches took. What runs a program knows its `seconds` itself, see
    `nqbench.problems.plugins.programs.Counted`.

    Raises
    ------
    MiscountError
        if a clock goes back.

    Examples
    --------
    >>> taken = sample(lambda: sum(range(1000)), loops=10)
    >>> taken.found, 0 < taken.processor < 1
    (499500, True)
    """
    begin = Reading.take(last=True)
    for _ in range(loops):
        found = search()
    end = Reading.take(last=False)
    wall, own, children = (after - before for before, after in zip(begin[:3], end[:3], strict=True))
    if min(wall, own, children) < 0:
        raise MiscountError("a clock of this machine went back during a sample")
    losses = None if begin.losses is None or end.losses is None else end.losses - begin.losses
    processor = (own + children) / loops
    wall_of_one = wall / loops
    if hasattr(found, "seconds"):  # starting a program and reading what it prints is not timed
        wall_of_one, processor = found.seconds, children if found.whole else 0.0
    if begin.waited is None or end.waited is None or threads > 1 or children or wall == 0:
        waited = _estimate_waited(wall * threads, own + children, losses)
    else:
        waited = round(min(1.0, (end.waited - begin.waited) / wall), 3)
    return Sample(wall_of_one, processor or None, waited, losses, found)


def _estimate_waited(available: float, used: float, losses: int | None) -> float | None:
    """Return the share of the available seconds of processors that was spent waiting for one, if
    the system does not say: what was not used, as far as it lost one often enough, since a search
    may also sleep. None if it is not known how often.

    >>> _estimate_waited(1.0, 0.4, losses=9), _estimate_waited(1.0, 0.4, losses=1)
    (0.6, 0.1)
    >>> _estimate_waited(1.0, 0.95, None), _estimate_waited(1.0, 0.4, None)
    (0.05, None)
    """
    if available <= 0:
        return None
    lost = max(0.0, available - used)
    if losses is None:
        return None if lost > WAITED * available else round(lost / available, 3)
    return round(min(lost, losses * WAIT) / available, 3)


class Calibration(NamedTuple):
    """What is known of a search after its first runs.

    Attributes
    ----------
    least
        seconds of one search, by the processor where it says them.
    wall
        seconds that passed meanwhile.
    found
        what the first one returned.
    first
        processor seconds of the first one, in all threads, but no more than passed: threads that
        run at the same time count as in a sample.
    is_program
        whether it knows its own seconds, and so is never repeated in a sample.
    """

    least: float
    wall: float
    found: Any
    first: float
    is_program: bool


def calibrate(search: Callable[[], Any], shortest: float = SHORTEST) -> Calibration:
    """Warm up, and return the least time of several runs: what else the machine does makes some
    longer, and none shorter. A search that takes much longer than a sample is run once.

    Raises
    ------
    MiscountError
        if a clock goes back, or stands still.
    """
    taken, loops = sample(search), 1
    first = least = min(taken.seconds(), taken.wall)
    found, wall = taken.found, taken.wall
    program = hasattr(found, "seconds")
    while not program and least < LONG * shortest:
        runs = [sample(search, loops) for _ in range(RUNS)]
        least, wall = min((min(each.seconds(), each.wall), each.wall) for each in runs)
        if least * loops >= SURE * shortest:
            break
        if wall == 0 and loops > STILL:
            raise MiscountError(f"the clocks of this machine stand still: {loops:,} searches take "
                                "no time")
        loops *= max(2, min(10, ceil(SURE * shortest / max(least * loops, 1e-9))))
    return Calibration(least, wall, found, first, program)


def choose_loops(found: Sequence[Calibration], shortest: float = SHORTEST) -> list[int]:
    """Return how many searches make a sample of each of these: as many for all that take about as
    long, so that both sides of a comparison are repeated alike.

    >>> choose_loops([Calibration(each, each, 4, each, False) for each in (0.002, 0.0021, 0.01)])
    [3, 3, 1]
    """
    loops, fastest = [1] * len(found), 0.0
    for place in sorted(range(len(found)), key=lambda place: found[place].least):
        if found[place].is_program:
            continue
        if not fastest or found[place].least > ALIKE * fastest:
            fastest = found[place].least
        loops[place] = max(1, ceil(shortest / fastest))
    return loops


def orders(many: int, rounds: int, seed: str) -> list[list[int]]:
    """Return the order in which `many` searches take turns in each round, shuffled by the seed. If
    there are enough rounds, each has each place as often, as in a Latin square.

    >>> sorted(map(tuple, orders(2, 2, "any"))), sorted(orders(5, 1, "any")[0])
    ([(0, 1), (1, 0)], [0, 1, 2, 3, 4])
    """
    random, found = Random(seed), []
    for turn in range(rounds):
        at = turn % many if 0 < many <= rounds else 0
        if at == 0:
            row = random.sample(range(many), many)
            shifts = random.sample(range(many), many)
        shift = shifts[at] if many else 0
        found.append([*row[shift:], *row[:shift]])
    return found

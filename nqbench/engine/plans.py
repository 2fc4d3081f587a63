"""Predict what a count takes from a timed sample of its parts.

The parts are divided into ranges of equal length, and some of each range are drawn at random. If
parts take long, only one slice in 8, 64, ... of them is counted and multiplied: the slices of a
part of the cross have nearly the same number of jobs. Of a part of the join one job is drawn, and
of that one slice in 3, 9, ...; these differ, which widens the interval. A card counts some
neighbouring parts at a time, as a count does. Means and intervals are
those of a stratified sample. The ranges that vary most decide how many standard errors an interval
is wide: their few draws tell little about their variance (Student's t, with the degrees of freedom
of Satterthwaite, 1946).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import ceil, sqrt
from random import Random
from statistics import fmean, variance
from time import perf_counter, thread_time
from typing import Any, Self

from nqbench.engine import division as divisions
from nqbench.engine import processor
from nqbench.engine.division import Division
from nqbench.engine.tasks import DIVISOR, LONGEST_TASK
from nqbench.errors import InvalidValueError
from nqbench.search.estimates import quantile
from nqbench.util.arguments import require_whole
from nqbench.util.interrupts import interruptible
from nqbench.util.text import plural

RANGES = 30  # with few parts and two draws of each of 60, too many variances were 0
DRAWN = 4  # from each range
TRIAL_SECONDS = 0.03  # seconds that the slowest trial should take
JOIN_FINER = 3**6  # the finest slices of a slice of the join
JOIN_ENOUGH = 1.0  # instead: each slice lists quarters anew
TRIALS = 6
CARD_ENOUGH = 0.5  # seconds that a card should take for a draw
Measure = Callable[[Any, int], tuple[float, int]]  # of an engine, a part: seconds, completions
LINE = len(" 8 12 14 01234567\n")  # of a checkpoint, without the part and its completions


@dataclass(frozen=True)
class Draw:
    """A part that was timed: its number, seconds, completions, images of its crosses.

    If only a slice was counted, seconds and completions are multiplied.
    """

    part: int
    seconds: float
    completions: int
    images: int


@dataclass(frozen=True)
class Survey:
    """Parts of a count, drawn from `RANGES` ranges and timed on one core.

    Attributes
    ----------
    n, parts, slices, kernel, seed, algorithm
        the count, its kernel, the random seed, and the engine.
    shrunk
        one in `shrunk` jobs of a part was counted.
    drawn
        a row for each range.
    memory
        bytes that the kernel of a thread reserves; 0 in older samples.
    """

    n: int
    parts: int
    slices: int
    kernel: str
    seed: int
    shrunk: int
    drawn: tuple[tuple[Draw, ...], ...]
    algorithm: str = "cross"
    memory: int = 0

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Self:
        """Return the sample that `dataclasses.asdict` turned into these fields."""
        return cls(**{**fields, "drawn": tuple(tuple(Draw(**draw) for draw in row)
                                               for row in fields["drawn"])})

    @property
    def draws(self) -> list[Draw]:
        """All parts that were drawn."""
        return [draw for row in self.drawn for draw in row]

    @property
    def seconds(self) -> tuple[float, float, float]:
        """Predicted seconds of one core for the count, with the ends of the 95 % interval."""
        return self._total(lambda draw: draw.seconds)

    @property
    def solutions(self) -> tuple[float, float, float]:
        """Predicted solutions, with the ends of the 95 % interval: a check of the sample."""
        return self._total(lambda draw: float(draw.images * draw.completions))

    def _total(self, value: Callable[[Draw], float]) -> tuple[float, float, float]:
        bounds = bounds_of(self.parts, len(self.drawn))
        total = squares = doubt = 0.0
        for (first, end), row in zip(bounds, self.drawn, strict=True):
            values = list(map(value, row))
            total += (end - first) * fmean(values)
            square = (end - first) ** 2 * variance(values) / len(values)
            squares += square
            doubt += square**2 / (len(values) - 1)
        margin = quantile(squares**2 / doubt) * sqrt(squares) if doubt else 0.0
        return total, max(0.0, total - margin), total + margin

    @property
    def mean(self) -> float:
        """Seconds that a part takes on average."""
        return self.seconds[0] / self.parts

    def longest(self, share: float = 1.0) -> float:
        """Return the most seconds that this share of the drawn parts takes."""
        ordered = sorted(draw.seconds for draw in self.draws)
        return ordered[max(0, ceil(share * len(ordered)) - 1)]

    @property
    def checkpoint(self) -> int:
        """Bytes of a checkpoint that holds all parts."""
        digits = fmean(len(f"{draw.part}{draw.completions}") for draw in self.draws)
        return int(self.parts * (digits + LINE))


def sample(n: int, seed: int = 0, show: Callable[[float], None] = lambda done: None,
           algorithm: str = "cross", kernel: str | None = None,
           limit: float | None = None) -> Survey:
    """Time a sample of the parts of a count on one core, by default with the fastest kernel.

    This takes some seconds, by the join for n > 22 minutes, for n > 25 more; `show` gets the share
    that is done. With a `limit` in seconds the parts are divided into fewer ranges if they would
    take longer, but never into fewer than one.

    Raises
    ------
    TypeError, ValueError
        if n or seed is not allowed, there are too few parts, or there is no such engine or kernel.
    """
    kernel = processor.choose_kernel(kernel)
    division = Division.new(n, kernel, algorithm=algorithm)
    random = Random(require_whole(seed, "seed"))
    memory, parts = division.start_kernel(kernel), division.parts
    if parts < DRAWN * RANGES:
        raise InvalidValueError(f"{n} queens are too few for a plan by {algorithm}, with only "
                                f"{parts} {plural(parts, 'part')}")

    def measure(engine: Any, part: int) -> tuple[float, int]:
        def work(stop: bytearray) -> tuple[float, int]:
            start = thread_time()  # other programs may run here too
            ways = processor.count_part(memory, engine, part, stop)
            return thread_time() - start, ways

        return interruptible(work)

    draw, shrunk = (draw_batches(division, memory, random) if processor.is_device(kernel)
                    else draw_slices(division, measure, random))
    ranges = RANGES
    if limit is not None:
        trial = draw(Random(seed).randrange(parts)).seconds / shrunk
        while ranges > 1 and DRAWN * ranges * trial > limit:
            ranges //= 2
    rows = []
    most = 0
    for number, (first, end) in enumerate(bounds_of(parts, ranges), 1):
        rows.append(tuple(draw(random.randrange(first, end)) for _ in range(DRAWN)))
        most = max(most, memory.bytes)
        show(number / ranges)
    return Survey(division.n, parts, division.slices, kernel, seed, max(1, int(shrunk)),
                  tuple(rows), algorithm, most)


def draw_slices(division: Division, measure: Measure,
                random: Random) -> tuple[Callable[[int], Draw], float]:
    """Return a function that counts a slice of a part, or of a job of one, and what it multiplies
    by.
    """
    join = division.algorithm == "join"
    radix, most, enough = (
        (divisions.JOIN_RADIX, min(JOIN_FINER * division.slices, divisions.JOIN_POWERS[-1]),
         JOIN_ENOUGH) if join else (divisions.RADIX, divisions.MOST_SLICES, TRIAL_SECONDS))
    usual = slices = division.slices
    while slices < most:
        slices *= radix
    while True:
        finer = (processor.find_core("join").Engine(division.n, 1, slices) if join
                 else Division.new(division.n, division.kernel, slices=slices).engine)
        trials = [measure(finer, random.randrange(finer.parts)) for _ in range(TRIALS)]
        if slices == usual or max(trials)[0] > enough:
            break
        slices //= radix
    shrunk = slices // usual

    def draw(part: int) -> Draw:
        job, jobs = part, 1
        if join:
            job, jobs = division.engine.find_job(part, random.randrange(division.jobs_a_part))
        batch, slice_ = divmod(job, usual)
        finest = batch * slices + slice_ + usual * random.randrange(shrunk)
        seconds, ways = measure(finer, finest)
        return Draw(part, seconds * jobs * shrunk, ways * jobs * shrunk, finer.images(finest))

    return draw, shrunk * (division.jobs_a_part if join else 1)


def draw_batches(division: Division, memory: Any, random: Random
                 ) -> tuple[Callable[[int], Draw], float]:
    """Return a function that counts a part and its neighbours on a card, and 1 / their number."""
    engine, parts, size = division.engine, division.parts, 1

    def draw(part: int) -> Draw:
        batch = range(min(part, parts - size), min(part, parts - size) + size)
        start = perf_counter()
        counts = interruptible(partial(memory.complete, engine, batch))
        solutions = sum(engine.images(each) * ways
                        for each, (ways, *_) in zip(batch, counts, strict=True))
        return Draw(part, (perf_counter() - start) / size, round(solutions / size), 1)

    draw(0)  # compiles
    while 8 * size <= parts and draw(random.randrange(parts)).seconds * size < CARD_ENOUGH:
        size *= 2
    return draw, 1 / size


def bounds_of(parts: int, ranges: int) -> list[tuple[int, int]]:
    """Return the first part of each range, and the part after its last.

    >>> bounds_of(10, 4)
    [(0, 2), (2, 5), (5, 7), (7, 10)]
    """
    return [(parts * k // ranges, parts * (k + 1) // ranges) for k in range(ranges)]


@dataclass(frozen=True)
class Prediction:
    """A count on some workers, whose cores are like that of the sample.

    Attributes
    ----------
    tasks
        number of tasks.
    wall
        predicted seconds, with the ends of the 95 % interval, if nothing fails or waits.
    load
        tasks submitted a second.
    """

    tasks: int
    wall: tuple[float, float, float]
    load: float


def plan(sampled: Survey, workers: int, cores: int = 1) -> Prediction:
    """Predict what the count takes on these workers.

    Raises
    ------
    TypeError, ValueError
        if workers or cores is not a whole number, 1 or more.
    """
    slots = require_whole(workers, "workers", least=1) * require_whole(cores, "cores", least=1)
    size = max(1, min(sampled.parts // (DIVISOR * slots), int(LONGEST_TASK / sampled.longest())))
    tasks = ceil(sampled.parts / size)
    predicted, low, high = (max(seconds / slots, sampled.longest()) for seconds in sampled.seconds)
    return Prediction(tasks, (predicted, low, high), tasks / predicted)

"""Divide a count into parts: the same on every machine."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Self

from nqbench._version import __version__
from nqbench.engine import processor
from nqbench.errors import InvalidValueError
from nqbench.util.arguments import require_whole
from nqbench.util.files import parse_json

FORMAT = 2
LARGEST_N = 32
MOST_JOBS = 1000  # in a batch
MOST_SPLIT = 5  # lists three million prefixes for n = 32
RADIX = 8  # slices are a power of it, see ext/engine.pyx
POWERS = [RADIX ** power for power in range(15)]
MOST_SLICES = POWERS[-1]
JOIN_RADIX = 3  # of the slices of the join, see ext/join_parts.pxi
JOIN_POWERS = [JOIN_RADIX ** power for power in range(13)]
# Chosen so that 95 % of the parts take half a minute at most on one core of an AMD EPYC with
# AVX-512: a batch of n = 32 would take it nearly two thousand years.
SLICES = {n: RADIX ** power for n, power in {
    24: 1, 25: 3, 26: 4, 27: 5, 28: 6, 29: 8, 30: 9, 31: 10, 32: 11}.items()}
# A part of the join takes at most about ten minutes on one core of an AMD EPYC with AVX2.
JOIN_SLICES = {28: 3**2, 29: 3, 30: 3**5, 31: 3**4, 32: 3**8}


@dataclass(frozen=True)
class Division:
    """How a count is divided; equal divisions have equal parts.

    Attributes
    ----------
    n
        the size of the board.
    split, jobs_a_part, slices, wide
        see ext/engine.pyx: queens in a job, jobs in a batch, parts of a batch, lanes of 64 bits;
        of the join, see ext/join_parts.pxi: 1, jobs in a part, slices of a choice of rows, False.
    parts
        the number of parts.
    version
        the version of nqbench; another version might divide differently.
    kernel
        the kernel that began the count; others may continue it.
    algorithm
        the engine: cross or join.
    """

    n: int
    split: int
    jobs_a_part: int
    slices: int
    wide: bool
    parts: int
    version: str
    kernel: str
    algorithm: str = "cross"

    @classmethod
    def new(cls, n: int, kernel: str, slices: int | None = None, algorithm: str = "cross") -> Self:
        """Return the division of a count of n queens that begins with this kernel.

        Raises
        ------
        TypeError, ValueError
            if n or the number of slices is not allowed, or there is no such engine.
        """
        n = require_whole(n)
        if n > LARGEST_N:
            raise InvalidValueError(f"n must be at most {LARGEST_N} for the engine, not {n}")
        powers, usual = (JOIN_POWERS, JOIN_SLICES) if algorithm == "join" else (POWERS, SLICES)
        slices = usual.get(n, 1) if slices is None else slices
        if slices not in powers:
            raise InvalidValueError(f"slices must be 1, {powers[1]}, {powers[2]}, ... or "
                                    f"{powers[-1]:,}, not {slices}")
        # With one lane, words of 64 bits cost little and leave the order of the rows free.
        split, jobs_a_part, wide = (1, _jobs_of_join(n), False) if algorithm == "join" else (
            3 if n < 17 else 5 if 20 <= n < 25 else 4, 8 if n > 13 else 32,
            kernel == "portable" and n > 17)
        engine = _engine(algorithm, n, split, jobs_a_part, wide, slices)
        made = cls(n, split, jobs_a_part, slices, wide, engine.parts, __version__, kernel,
                   algorithm)
        made.__dict__["engine"] = engine  # fills the cached property
        return made

    @cached_property
    def line(self) -> str:
        """The division as a line of JSON, which names no algorithm for the cross."""
        fields = {"nqbench checkpoint": FORMAT, **asdict(self)}
        if self.algorithm == "cross":
            del fields["algorithm"]
        return json.dumps(fields)

    @classmethod
    def of(cls, line: str) -> Self:
        """Return the division that a line describes.

        Raises
        ------
        ValueError
            if it does not describe one.
        """
        try:
            fields = parse_json(line)
        except InvalidValueError:
            fields = None
        if (type(fields) is dict and fields.pop("nqbench checkpoint", None) == FORMAT
                and fields.setdefault("algorithm", "cross") in processor.ENGINES
                and {name: type(value) for name, value in fields.items()} == cls.__annotations__):
            division = cls(**fields)
            powers = JOIN_POWERS if division.algorithm == "join" else POWERS
            if (0 <= division.n <= LARGEST_N
                    and (division.version + division.kernel).isprintable()
                    and 1 <= division.split <= MOST_SPLIT and division.parts >= 0
                    and 0 < division.jobs_a_part <= MOST_JOBS and division.slices in powers):
                return division
        raise InvalidValueError("the line does not describe a division of a count")

    @cached_property
    def engine(self) -> Any:
        """The compiled engine with these parts.

        Raises
        ------
        ValueError
            if this version of nqbench divides differently, or if the parts are too many to list.
        """
        engine = _engine(self.algorithm, self.n, self.split, self.jobs_a_part, self.wide,
                         self.slices)
        if engine.parts != self.parts:
            raise InvalidValueError(
                f"the checkpoint of nqbench {self.version} has {self.parts} parts, but this "
                f"version divides the same count into {engine.parts}")
        return engine

    def start_kernel(self, kernel: str, audit: bool = False, place: int = 0,
                     say: Callable[[str], None] = lambda line: None) -> Any:
        """Return a kernel with its memory, for one thread; see `Kernel` in the compiled cores.

        For an audit, west and east are exchanged in the join. If the name is one of several
        devices, the `place` of the thread chooses one; `say` gets a line for what the device does
        about a fault.

        Raises
        ------
        ValueError
            if the engine does not count on devices.
        LostError
            if the device cannot be used.
        """
        if processor.is_device(kernel):
            if self.algorithm != "join":
                raise InvalidValueError(f"{kernel} counts by the join only, not {self.algorithm}")
            from nqbench.engine.devices import Card  # loads NumPy

            named = [*processor.find_devices(kernel)]
            return Card(named[place % len(named)], say, audit)
        kernels = processor.find_core(self.algorithm).Kernel
        return kernels(kernel, exchanged=audit) if self.algorithm == "join" else kernels(kernel)


def _jobs_of_join(n: int) -> int:
    """Return how many jobs of the join are a part: some milliseconds or more, and for large n not
    too many parts for a checkpoint.
    """
    if n % 2:
        return 64 if n < 19 else 16 if n < 29 else 1
    return 16 if n < 18 else 8 if n < 20 else 1


def _engine(algorithm: str, n: int, split: int, jobs_a_part: int, wide: bool, slices: int) -> Any:
    core = processor.find_core(algorithm)
    if algorithm == "join":
        return core.Engine(n, jobs_a_part, slices)
    return core.Engine(n, split, jobs_a_part, wide, slices)

"""Count on a card of NVIDIA by joining halves: join.cu, where all lists stay on the card.

The processor names the jobs, chooses how their words are sorted, and recounts one in a thousand.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from math import comb, log2
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from nqbench.engine import processor
from nqbench.errors import InvalidValueError, LostError, describe_error

OLDEST, LEAST_SHARED = 80, 48 << 10  # sm_80; bytes of shared memory that a block may have
LAUNCH = 0.1  # seconds, at most: so a count can be stopped, and no driver thinks that it hangs
RECOUNTED = 1e-3  # of the jobs
MOST_JOBS = 1 << 14  # of a batch
PAIRS_A_LAUNCH = 4_000_000_000  # of quarters that are compared
BYTES_A_PAIR = 2  # of halves: at most one pair in four is one
BYTES_A_RANGE = 16  # of both sides: where it begins, and its counter
NEW_ORDER = 4.0  # seconds: after them the order of the diagonals is chosen again,
PAIRS = 1 << 17  # by so many pairs, up to 21 queens a sixteenth of them;
FEW_PAIRS = 50  # that are left say little
REST_BITS, CHUNKS, GRAB = 31, 8, 16  # see join.cu: the most rest bits and tables; classes of a grab
BLOCKS = 13  # of a unit
ALL, NO_WORDS = 2**64 - 1, 2**32 - 1
MODULI = np.array([13, 15], np.uint64)
JOB = np.dtype([("quarter", "u4", 4), *((name, "u4") for name in (
    "index_bits", "words", "tie", "unused")), ("mask", "u8"), *((name, "u8", 2) for name in (
        "value", "pairs", "offset")), ("found", "u8", 3)])


def choose_order(shared: Any, bits: int, fixed: int) -> list[int]:
    """Return the bits of words in a better order: after the `fixed` top ones the bit that the most
    of these ANDs of pairs have, then the one that the most of the others have, and so on.

    >>> choose_order(np.array([0b0101, 0b0101, 0b0010] * 20, np.uint64), 4, 1)
    [3, 2, 1, 0]
    """
    order = [*range(bits - 1, bits - 1 - fixed, -1)]
    others = [*range(bits - 1 - fixed, -1, -1)]
    while len(shared) >= FEW_PAIRS and others:
        shares = [int((shared >> np.uint64(bit) & np.uint64(1)).sum()) for bit in others]
        order.append(others.pop(shares.index(max(shares))))
        shared = shared[shared >> np.uint64(order[-1]) & np.uint64(1) == 0]
    return order + others


def choose_index(n: int, bits: int, pairs: Any) -> tuple[Any, int, int]:
    """Return how many index bits the words of each job have, given the pairs of quarters on both
    sides; how many of these do not begin a class, see join.cu; and how many tables the others need.

    >>> choose_index(20, 36, np.array([[10, 90_000], [5_000, 400_000]]))
    (array([ 8, 10]), 0, 7)
    """
    low = 0 if n < 21 else 1 if n < 25 else 2
    found = np.log2(np.maximum(pairs.max(axis=1) / 192, 1)).astype(int)  # words of a class
    found = np.clip(found - (n <= 20 or n == 24), 1, max(14 if n < 24 else 17, bits - REST_BITS))
    weights = pairs.prod(axis=1, dtype=float)
    typical = int(np.average(found, weights=weights) + 0.5) if weights.any() else 1
    tables = min(8, max(5, -(-(bits - typical) // 4)))
    least = max(bits - min(4 * tables, REST_BITS), low + 1)
    return np.maximum(found, least).clip(max=bits), low, tables


class Card:
    """A card that counts for one thread, like a `Kernel` of the compiled cores.

    For an audit the other lists look up, and words are sorted by another number of bits. `say` gets
    a line if the card needs smaller batches. A LostError says that the card cannot be used.
    """

    def __init__(self, name: str, say: Callable[[str], None] = lambda line: None,
                 audit: bool = False) -> None:
        self.name, self.say, self.audit = name, say, audit
        self.core, self.recounts = processor.find_core("join"), processor.kernels()[0]
        self.kernel, self.recounting = (self.core.Kernel(self.recounts) for _ in range(2))
        self.frame: tuple[int, ...] = ()  # n, slices, the hole, the western rows in the north
        self.buffers: dict[str, Any] = {}
        self.bytes = 0  # of the card that it has reserved so far
        self.kernels: dict[tuple[str, int], Any] = {}
        self.most, self.pace, self.random = MOST_JOBS, 1, np.random.default_rng()
        with self.guard():
            self.cupy: Any = import_module("cupy")
            self.device = self.cupy.cuda.Device(int(name.partition(":")[2]))
            generation = int(self.device.compute_capability)
            self.units = self.device.attributes["MultiProcessorCount"]
            self.shared = self.device.attributes["MaxSharedMemoryPerBlockOptin"]
            with self.device:
                self.stream = self.cupy.cuda.Stream(non_blocking=True)
                self.room = self.device.mem_info[0] // 4  # bytes of lists of one kind
        if generation < OLDEST:
            raise LostError(f"{name} is too old: sm_{generation}, but sm_{OLDEST} is needed")
        if self.shared < LEAST_SHARED:
            raise LostError(f"{name} has too little shared memory: {self.shared:,} bytes a block")

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Raise a LostError for any fault of the card; the cause is a MemoryError if it is full."""
        try:
            yield
        except Exception as error:
            fault = ("is out of memory" if isinstance(error, MemoryError) else
                     f"failed: {describe_error(error)}")
            raise LostError(f"{self.name} {fault}") from error

    def reserve(self, name: str, kind: str, number: int) -> Any:
        """Return an array of the card, of any contents, with this number of items."""
        if name not in self.buffers or self.buffers[name].size < number:
            self.buffers.pop(name, None)
            self.buffers[name] = self.cupy.empty(number + number // 8 + 64, kind)
            self.bytes = sum(buffer.nbytes for buffer in self.buffers.values())
        return self.buffers[name][:number]

    def put(self, array: Any) -> Any:
        """Return a copy of an array on the card, as bytes."""
        return self.cupy.asarray(np.ascontiguousarray(array).view(np.uint8))

    def run(self, name: str, blocks: int, threads: int, shared: int, *arguments: Any,
            tables: int = CHUNKS) -> None:
        """Run a kernel, and wait for its end; whole numbers have 32 bits."""
        if (name, tables) not in self.kernels:
            module = self.cupy.RawModule(
                code=Path(__file__).with_name("join.cu").read_text("utf-8"), backend="nvrtc",
                options=("-std=c++17", f"-DCHUNKS={tables}"))
            kernel = self.kernels[name, tables] = module.get_function(name)
            kernel.max_dynamic_shared_size_bytes = self.shared
            kernel.preferred_shared_memory_carveout = 100  # percent
        self.kernels[name, tables]((blocks,), (threads,), tuple(
            np.uint32(each) if isinstance(each, int) else each for each in arguments),
            shared_mem=shared)
        self.stream.synchronize()

    def sum_up(self, numbers: Any) -> int:
        """Replace each number of an array on the card by the sum up to it; return the last one."""
        numbers[:] = self.cupy.cumsum(numbers, dtype="u4")
        return int(numbers[-1])

    def complete(self, engine: Any, parts: Sequence[int], stop: bytearray | None = None
                 ) -> list[tuple[int, int, int]]:
        """Count the pairs of each part: return [(pairs, these modulo 13, modulo 15), ...].

        The remainders are added up separately. One job in a thousand is recounted by a kernel of
        the processor meanwhile. Return no parts if another thread has set stop[0], and raise a
        LostError if the card fails, is out of memory, or miscounts.
        """
        stop = bytearray(1) if stop is None else stop
        rows = np.frombuffer(engine.choices(parts), np.int64).reshape(-1, 9)
        found = np.zeros((len(rows), 3), np.uint64)
        jobs = self.core.Engine(engine.n, 1, engine.slices)
        with ThreadPoolExecutor(1) as pool:
            again = {place: pool.submit(self.recounting.complete, jobs, [int(rows[place, 1])], stop)
                     for place in np.flatnonzero(self.random.random(len(rows)) < RECOUNTED)}
            self.count_jobs(engine, rows, found, stop)
        if stop[0]:
            return []
        odd = (found[:, :1] % MODULI != found[:, 1:] % MODULI).any(axis=1)
        faults = {place: f"{self.recounts} counts {ways:,}" for place, counted in again.items()
                  for ways, *_ in counted.result() if ways != found[place, 0]}
        faults |= dict.fromkeys(np.flatnonzero(odd), "its remainders modulo 13 and 15 differ")
        for place, why in faults.items():
            raise LostError(f"{self.name} miscounts: {found[place, 0]:,} for job "
                            f"{rows[place, 1]:,}, but {why}")
        sums = np.add.reduceat(found, np.flatnonzero(np.diff(rows[:, 0], prepend=-1)))
        return [(ways, rest_13 % 13, rest_15 % 15) for ways, rest_13, rest_15 in sums.tolist()]

    def count_jobs(self, engine: Any, rows: Any, found: Any, stop: bytearray) -> None:
        """Count jobs in batches, each of one frame."""
        done = 0
        while done < len(rows) and not stop[0]:
            batch = rows[done:done + self.most]
            others = np.flatnonzero((batch[:, 2:4] != batch[0, 2:4]).any(axis=1))
            batch = batch[:others[0]] if others.size else batch
            self.enter(engine, *batch[0, 2:4].tolist())
            try:
                with self.guard(), self.device, self.stream:
                    done += self.count_batch(batch, found[done:], stop)
            except LostError as error:
                if len(batch) == 1 or not isinstance(error.__cause__, MemoryError):
                    raise
                self.buffers.clear()
                self.most, self.room = len(batch) // 2, self.room // 2
                self.say(f"{error}: its batches have at most {self.most:,} jobs from now on")

    def enter(self, engine: Any, hole: int, upper: int) -> None:
        """Choose the frame: how halves are written as words, see ext/join.h."""
        frame = engine.n, engine.slices, hole, upper
        if frame == self.frame:
            return
        self.n, self.digits, self.hole = engine.n, engine.digits, hole
        self.diagonals = self.kernel.enter(self.n, hole, upper)
        self.bits = self.diagonals - self.digits
        if self.bits < 1:
            raise InvalidValueError(f"{self.diagonals} diagonals of the halves of {self.n} queens "
                                    f"are too few for {engine.slices:,} slices on {self.name}")
        self.order = [*reversed(range(self.diagonals))]  # of the diagonals, by their bits
        self.ordered = -NEW_ORDER  # when that was chosen
        self.frame = frame

    def list_quarters(self, jobs: Any, rows: Any) -> tuple[Any, ...] | None:
        """List the quarters of some jobs, and enter them there; return None if there is no room."""
        keys, where = np.unique(rows[:, 5:] + (np.arange(4) << 17), return_inverse=True)
        jobs["quarter"] = where.reshape(-1, 4)
        sets = np.array([comb(self.n // 2, (key & 0x1ffff).bit_count()) for key in keys.tolist()])
        ends = np.cumsum(sets + 1)
        placed = self.put(np.stack([keys >> 18, keys >> 17 & 1, keys & 0x1ffff, sets,
                                    ends - sets - 1], axis=1).astype(np.uint32))
        start = self.reserve("start", "u4", int(ends[-1]))
        start.fill(0)
        framed, numbers = (self.put(np.frombuffer(each, np.uint8))
                           for each in self.kernel.describe(self.order, self.digits))
        run = partial(self.run, "list_quarters", len(keys), 128, 4 * int(sets.max()))
        run(framed, placed, numbers, start, 0, start, start)
        total = self.sum_up(start)
        if 12 * total > self.room and len(jobs) > 1:
            return None
        lists = self.reserve("clash", "u4", total), self.reserve("word", "u8", total)
        run(framed, placed, numbers, start, 1, *lists)
        return placed, start, *lists

    def count_batch(self, rows: Any, found: Any, stop: bytearray) -> int:
        """Count the first of these jobs, as many as there is room for; return how many."""
        jobs = np.zeros(len(rows), JOB)
        jobs["tie"] = self.n % 2 and self.hole < self.n // 2
        lists = self.list_quarters(jobs, rows)
        if lists and perf_counter() - self.ordered > NEW_ORDER:
            drawn = self.reserve("drawn", "u8", PAIRS if self.n > 21 else PAIRS // 16)
            self.run("draw_pairs", drawn.size // 64, 64, 0, self.put(jobs), len(jobs), *lists,
                     drawn)
            pairs = self.cupy.asnumpy(drawn)
            chosen = choose_order(pairs[pairs != ALL], self.diagonals, self.digits)
            self.order = [self.order[self.diagonals - 1 - bit] for bit in chosen]
            self.ordered = perf_counter()
            lists = self.list_quarters(jobs, rows)
        if lists is None:
            self.most = len(rows) // 2
            return 0
        for digit in range(self.digits):
            bit = np.uint64(1 << self.diagonals - 1 - digit)
            jobs["mask"] |= bit
            jobs["value"] |= bit * (rows[:, 4:5] // 3**digit % 3 == np.arange(1, 3))
        handle = self.put(jobs)
        self.run("count_pairs", 2 * len(jobs), 128, 0, handle, *lists[:2])
        jobs = self.cupy.asnumpy(handle).view(JOB)
        jobs["words"] = (jobs["pairs"][:, 1] > jobs["pairs"][:, 0]) ^ self.audit
        index_bits, low, tables = choose_index(self.n, self.bits, jobs["pairs"])
        jobs["index_bits"] = np.minimum(index_bits + self.audit, self.bits)
        pairs = jobs["pairs"].sum(axis=1)
        sizes = BYTES_A_PAIR * pairs + BYTES_A_RANGE * (3 << jobs["index_bits"])
        first = 0
        while first < len(jobs) and not stop[0]:
            room = np.searchsorted(np.cumsum(sizes[first:]), self.room)
            launch = np.searchsorted(np.cumsum(pairs[first:]), PAIRS_A_LAUNCH)
            end = first + max(1, min(room, max(launch, self.units // 2)))
            found[first:end] = self.join(jobs[first:end], lists, low, tables, stop)
            first = end
        return len(jobs)

    def join(self, jobs: Any, lists: tuple[Any, ...], low: int, tables: int, stop: bytearray
             ) -> Any:
        """Make the halves of some jobs, and count their pairs; return the counts."""
        ranges = 3 << jobs["index_bits"].astype(int)
        ends, half = np.cumsum(ranges + 1), int((ranges + 1).sum())
        looking = jobs["words"][:, None] == np.arange(2)  # their ranges come first
        jobs["offset"] = (ends - ranges - 1)[:, None] + half * ~looking
        offsets, counters = (self.reserve(name, "u4", 2 * half) for name in ("offsets", "counters"))
        offsets.fill(0)
        room = int(log2(self.shared // 12))  # index bits
        inside = jobs["index_bits"][jobs["index_bits"] <= room]
        shared = 12 << int(inside.max()) if inside.size else 0
        handle, about = self.put(jobs), (*lists, self.bits, low, room, offsets, counters)
        self.run("list_halves", 2 * len(jobs), 1024, shared, handle, *about, 0, offsets, offsets)
        words = self.reserve("words", "u8", self.sum_up(offsets[:half]))
        tiled = self.reserve("tiled", "u4", self.sum_up(offsets[half:]))
        tiled.fill(NO_WORDS)
        if self.n >= 20 and inside.size == len(jobs):
            shared = max(shared, min(self.shared, 200 << 10))  # one block a unit: fewer lines
        self.run("list_halves", 2 * len(jobs), 1024, shared, handle, *about, 1, words, tiled)
        grabs = np.cumsum(-(-(ranges // 3 >> low) // GRAB), dtype=np.uint32)
        end, first, ticket = int(grabs[-1]), 0, self.reserve("ticket", "u4", 1)
        starts = self.put(np.append(np.uint32(0), grabs))
        while first < end and not stop[0]:
            size = min(self.pace, end - first)
            ticket.fill(first)
            start = perf_counter()
            self.run("join", min(size, BLOCKS * self.units), 64, (tables + 1) // 2 * 4096 + 640,
                     handle, len(jobs), starts, offsets, words, tiled, low, first + size, ticket,
                     tables=tables)
            self.pace = max(self.units, min(
                2 * self.pace, int(size * LAUNCH / 2 / (perf_counter() - start))))
            first += size
        return self.cupy.asnumpy(handle).view(JOB)["found"]

"""Count in threads, without the GIL: each takes some parts at a time. Choose the engine that counts
faster: the cross for small n, the join for large ones.

Which one is faster depends on the kernel. crossovers.json has the measured ratios of the process
times of one core, cross / join: for each n the median, the least and the greatest. So a count
measures nothing, whatever else the machine does. A kernel without an entry is taken to have the
ratios of `ALIKE`. `python tools/crossovers.py` measures the entries of this machine again.
"""

import json
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any

from nqbench.engine import processor
from nqbench.engine.checkpoint import Checkpoint
from nqbench.engine.division import LARGEST_N, Division
from nqbench.engine.ledger import Ledger, open_ledger
from nqbench.errors import LostError
from nqbench.util.cores import choose_threads

QUICK_N = 14  # up to here starting threads takes longer than the count
ALONE_N = 16  # up to here starting a single thread is not worth it
INTERVAL = 0.1  # seconds between two reports of the progress
FAIR_SHARE_DIVISOR = 2  # of the remaining work a thread takes half its share, so all end together
MIN_BATCH_SECONDS = 3e-4  # seconds: less work at once is not worth the overhead
ELAPSED_SHARE = 0.02  # of the elapsed time: work at once, from MIN_BATCH_SECONDS to INTERVAL
CARD_PARTS = 64  # that a card begins with,
CARD_SECONDS = 4.0  # and its work at once: a few jobs do not fill it
ENTRIES: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_name("crossovers.json").read_text("utf-8"))
ALIKE = "sse4"  # has vectors of 128 bits, like neon


def count(n: int, kernel: str | None = None, jobs: int | None = None,
          algorithm: str = "cross") -> int:
    """Return the number of ways to place n queens, by cross or join.

    Parameters
    ----------
    n
        number of queens, from 0 to `LARGEST_N`.
    kernel
        one of `kernels`, or for the join a device (`nqbench.engine.devices`). Default: the fastest.
    jobs
        threads. Default: one for each core; a card has one.
    algorithm
        "cross" or "join".

    Returns
    -------
    int
        all solutions.

    Raises
    ------
    TypeError, ValueError
        if n is not allowed, or if there is no such kernel or engine, or the processor cannot run
        it.
    LostError
        if a device is lost, or miscounts.

    Examples
    --------
    >>> count(8), count(12, jobs=1)
    (92, 14200)
    """
    _, found = deque(counting(n, kernel, jobs, algorithm=algorithm), maxlen=1).pop()
    return found


def counting(n: int, kernel: str | None = None, jobs: int | None = None,
             checkpoint: str | Path | Checkpoint | None = None,
             say: Callable[[str], None] = lambda line: None,
             algorithm: str = "cross") -> Iterator[tuple[float, int]]:
    """Count, and yield (share of the parts done, solutions found so far) ten times a second and at
    the end; see `count`. Closing the iterator stops the threads.

    A card has a thread; of several, the others go on if one is lost.

    Progress is saved in the file `checkpoint`, if it is given; its parts are not recounted. `say`
    gets a line for each damage in it that was repaired.

    Raises
    ------
    TypeError, ValueError
        as in `count`, or if the checkpoint belongs to another count, version or process.
    OSError
        if the checkpoint cannot be read or written.
    LostError
        if a device is lost, or miscounts.
    """
    chosen = processor.choose_kernel(kernel)
    division = Division.new(n, chosen, algorithm=algorithm)
    threads = choose_threads(jobs)
    if processor.is_device(chosen):
        threads = len(processor.find_devices(chosen))
    quick = division.n <= (ALONE_N if threads == 1 else QUICK_N)
    if quick and checkpoint is None:
        yield 1.0, _count_directly(division, chosen)
        return
    threads = 1 if quick else min(threads, division.parts)
    stop, lock = bytearray(1), Lock()
    lost = None
    with open_ledger(division, checkpoint, say) as ledger:
        with ThreadPoolExecutor(threads) as pool:
            try:
                work = partial(_count_parts, ledger, chosen, threads, say, stop, lock)
                running, idle = {pool.submit(work, place): place for place in range(threads)}, []
                while running:
                    for future in wait(running, INTERVAL).done:
                        place = running.pop(future)
                        try:
                            future.result()
                            idle.append(place)
                        except LostError as error:
                            lost = error
                            if running or idle:
                                say(f"{error}; the other devices go on")
                    if lost and ledger.left and idle:  # for what the lost one gave back
                        place = idle.pop()
                        running[pool.submit(work, place)] = place
                    if running:
                        yield ledger.share, ledger.solutions
            finally:
                stop[0] = 1
        if lost is not None and ledger.done < division.parts:
            raise lost
        yield ledger.share, ledger.solutions


def _count_directly(division: Division, kernel: str) -> int:
    """Count all parts at once, without a ledger, which would double the time for small n."""
    parts, engine = range(division.parts), division.engine
    counts = division.start_kernel(kernel).complete(engine, parts)
    if any(ways % 13 != rest_13 or ways % 15 != rest_15 for ways, rest_13, rest_15 in counts):
        Ledger(division).enter(parts, counts)  # raises, naming the part
    return sum(engine.images(part) * ways for part, (ways, *_) in zip(parts, counts, strict=True))


def _count_parts(ledger: Ledger, kernel: str, threads: int, say: Callable[[str], None],
                 stop: bytearray, lock: Lock, place: int) -> None:
    """Take some parts, count them and enter them, until there are none left."""
    card = processor.is_device(kernel)
    most = CARD_PARTS if card else 1
    begin = perf_counter()
    memory = ledger.division.start_kernel(kernel, place=place, say=say)
    while not stop[0]:
        with lock:
            fair = ledger.left // (FAIR_SHARE_DIVISOR * threads) if threads > 1 else ledger.left
            parts = ledger.take(max(1, min(most, fair)))
        if not parts:
            return
        start = perf_counter()
        try:
            counts = memory.complete(ledger.engine, parts, stop)
        except LostError:
            with lock:
                ledger.give_back(parts)
            raise
        end = perf_counter()
        with lock:
            ledger.enter(parts, counts)
        # Parts differ a hundredfold in size, so their number grows slowly, according to the time
        # that they take.
        allowed = CARD_SECONDS if card else min(
            max(MIN_BATCH_SECONDS, ELAPSED_SHARE * (end - begin)), INTERVAL)
        most = min((4 if card else 2) * len(parts), int(allowed * len(parts) / (end - start)))


def choose_engine(n: int, kernel: str | None = None) -> str:
    """Return the engine, cross or join, that is predicted to count n queens faster.

    Raises
    ------
    ValueError
        if the kernel cannot be run here.

    Examples
    --------
    >>> choose_engine(8), choose_engine(24)
    ('cross', 'join')
    """
    chosen = processor.choose_kernel(kernel)
    if processor.is_device(chosen):
        return "join"
    known = ENTRIES.get(chosen, ENTRIES[ALIKE])["ratios"]
    if f"{n}" not in known:
        return "join" if max(map(int, known)) < n <= LARGEST_N else "cross"
    return "join" if known[f"{n}"][0] > 1 else "cross"

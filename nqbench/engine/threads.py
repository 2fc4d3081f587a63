"""Threads that count: each takes one part of the jobs after the other, without the GIL."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any

from nqbench.board import whole
from nqbench.engine.checkpoint import Checkpoint, Division, begun

_core: ModuleType | None = None
with suppress(ImportError):  # built without a C compiler
    _core = import_module("nqbench._engine")

LARGEST_N = 32
QUICK_N = 11  # up to here a count takes less time than to start a thread
LOOK = 0.1  # seconds between two looks at what the threads have done
KEEP = 1.0  # seconds between two writes to a checkpoint


def available() -> bool:
    """Whether the engine was compiled."""
    return _core is not None


def kernels() -> list[str]:
    """Return the kernels that this processor can run, the fastest first."""
    return [] if _core is None else list(_core.kernels())


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def chosen_kernel(kernel: str | None) -> str:
    """Return the kernel of that name, if it can be run here; the fastest for None."""
    if _core is None:
        raise ValueError("the counting engine was not compiled here: there was no C compiler")
    able = kernels()
    if kernel is None:
        return able[0]
    if kernel not in _core.NAMES:
        raise ValueError(f"there is no kernel {kernel!r}, only {', '.join(_core.NAMES)}")
    if kernel not in able:
        raise ValueError(f"this processor cannot run the kernel {kernel}, only "
                         f"{' and '.join(able)}")
    return kernel


def count(n: int, kernel: str | None = None, jobs: int | None = None) -> int:
    """Return the number of ways to place n queens, 0 <= n <= 32.

    Raises
    ------
    ValueError
        for n above 32, and for a kernel that there is not or that the processor
        cannot run.

    Examples
    --------
    >>> count(8), count(12, jobs=1)
    (92, 14200)
    """
    _, found = deque(counting(n, kernel, jobs), maxlen=1).pop()
    return found


def counting(n: int, kernel: str | None = None, jobs: int | None = None,
             split: int = 0, capacity: int = 1024, wide: bool = False,
             checkpoint: Path | None = None, say: Callable[[str], None] = lambda line: None
             ) -> Iterator[tuple[float, int]]:
    """Yield (share of the parts done, solutions found by then) ten times a second, and
    at the end; see `count`. Closing the iterator stops the threads.

    `split` queens at least stand in a job, `capacity` states wait on a level, and
    `wide` takes lanes of 64 bits: none of them changes the count. What is done is kept in the
    file `checkpoint`, if one is given; what it holds is not counted again. `say` is told
    what was wrong with it and could be mended.
    """
    number = whole(n)
    chosen = chosen_kernel(kernel)
    assert _core is not None
    if number > LARGEST_N:
        raise ValueError(f"n must be at most {LARGEST_N} for the engine, not {number}")
    threads = cores() if jobs is None else whole(jobs, "jobs", least=1)
    # With one lane, words of 64 bits cost little and leave the order of the rows free.
    wide = wide or (chosen == "portable" and number > 17)
    if checkpoint is None:
        yield from _counting(_core.Engine(number, split, wide=wide), chosen, threads, capacity)
        return
    before = begun(checkpoint)
    engine = _core.Engine(number, split, wide=wide) if before is None else divided(before, number)
    with Checkpoint(checkpoint, division(engine, chosen), say) as kept:
        told = bytearray(engine.progress[1])
        for index, ways in kept.counted.items():
            engine.mark(index, ways)
            told[index] = 1
        try:
            seen = perf_counter()
            for share, found in _counting(engine, chosen, threads, capacity):
                yield share, found
                if perf_counter() - seen > KEEP:
                    kept.add(engine.counted(told))
                    seen = perf_counter()
        finally:
            kept.add(engine.counted(told))


def new(n: object) -> Any:
    """Return an engine for the fastest kernel here.

    Raises
    ------
    TypeError, ValueError
        if n is not allowed.
    """
    number, chosen = whole(n), chosen_kernel(None)
    assert _core is not None
    if number > LARGEST_N:
        raise ValueError(f"n must be at most {LARGEST_N} for the engine, not {number}")
    return _core.Engine(number, wide=chosen == "portable" and number > 17)


def division(engine: Any, kernel: str) -> Division:
    """Return how an engine has divided its count."""
    from nqbench import __version__

    return Division(engine.n, engine.split, engine.jobs_a_part, bool(engine.wide),
                    engine.progress[1], __version__, kernel)


def divided(before: Division, n: int) -> Any:
    """Return the engine with the parts of a count that was before.

    Raises
    ------
    ValueError
        if it is of another n, or this version divides it otherwise.
    """
    assert _core is not None
    if before.n != n:
        raise ValueError(f"the checkpoint is of {before.n} queens, not {n}")
    engine = _core.Engine(n, before.split, before.jobs_a_part, before.wide)
    if engine.progress[1] != before.parts:
        raise ValueError(f"the checkpoint has {before.parts} parts and is of nqbench "
                         f"{before.version}; this one makes {engine.progress[1]} of the same count")
    return engine


def _counting(engine: Any, kernel: str, threads: int, capacity: int) -> Iterator[
        tuple[float, int]]:
    """Count in threads; see `counting`."""
    stop = bytearray(1)
    if engine.n <= QUICK_N:
        engine.work(kernel, stop, capacity)
        yield 1.0, engine.found
        return
    threads = max(1, min(threads, engine.progress[1]))  # no more than there are parts
    with ThreadPoolExecutor(threads) as pool:
        try:
            at_work = [pool.submit(engine.work, kernel, stop, capacity) for _ in range(threads)]
            ended: set[Future[None]] = set()
            while len(ended) < threads:
                ended = wait(at_work, LOOK).done
                for thread in ended:
                    thread.result()  # what went wrong in one ends all
                done, parts = engine.progress
                if len(ended) < threads:
                    yield done / parts, engine.found
        finally:
            stop[0] = 1
    yield 1.0, engine.found
